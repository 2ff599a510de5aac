// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/store.h"

#include <QPoint>

class QWidget;

namespace posiscope::ui {

// What the buttons of a tile's header open. `corner` is a place of the screen.

/// The options of the tile's view, made from its parameters. The right top corner is at `corner`.
void openOptionsPopup(Store& store, int tile, QWidget* parent, const QPoint& corner);
/// A slider over the heads.
void openHeadPopup(Store& store, QWidget* parent, const QPoint& corner);
/// Which scheme is selected.
void openSchemeMenu(Store& store, QWidget* parent, const QPoint& corner);

}  // namespace posiscope::ui
