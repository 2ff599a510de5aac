// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace posiscope::ui {

/// Where the plots of a tab stand; with less room than they need it scrolls, up and down only.
QWidget* makePlotArea(QWidget* plots, QWidget* parent);

}  // namespace posiscope::ui
