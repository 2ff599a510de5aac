// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/token_layout.h"

class QPainter;

namespace posiscope::ui {

/// The whole picture without the pointer.
void drawTokens(QPainter& painter, const QRectF& target, const TokenScene& scene, const TokenLayout& layout);

/// Over it, in every panel that shows the token the pointer is on, in this view or another: that token's lines alone,
/// and its weights beside the other tokens.
void drawTokenHover(QPainter& painter, const TokenScene& scene, const TokenLayout& layout, const Hover& hover);

}  // namespace posiscope::ui
