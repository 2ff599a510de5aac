// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QHelpEvent;
class QWidget;

namespace posiscope::ui {

/// The text for a tooltip that shows it letter by letter: Qt takes one with "<s>" in it, a token's name, for HTML.
QString literalTip(const QString& text);

/// Answers a request for a tooltip; one without text hides what is shown.
void showTip(const QHelpEvent& help, const QString& text, QWidget* widget);

}  // namespace posiscope::ui
