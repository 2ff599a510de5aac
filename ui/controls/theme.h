// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/paint/style.h"
#include "ui/state/presentation.h"

class QApplication;

namespace posiscope::ui {

/// The style in use. Custom-painted controls ask for it whenever they paint, so a switch is one repaint.
const Style& currentStyle();

/// Does the desktop prefer dark? Looked up before our own palette is set (Qt 6.4 has no colour scheme hint).
bool systemIsDark();

/// Fusion, the palette, the one stylesheet and the font of the application. Call before the first widget and on
/// every change of theme or language.
void applyTheme(QApplication& app, ThemeChoice choice, Language language);

/// The stylesheet made from the tokens.
QString styleSheetOf(const Style& style);

}  // namespace posiscope::ui
