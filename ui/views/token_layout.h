// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/token_scene.h"

#include <cstdint>
#include <optional>
#include <QPointF>
#include <QRectF>
#include <QStringList>
#include <vector>

namespace posiscope::ui {

/// Where the parts of one panel stand: the queries at the left, the keys at the right.
struct TokenPanelPlace {
  QRectF caption;                 ///< empty = none
  QRectF area;                    ///< everything below the caption
  QRectF query_title, key_title;  ///< above the columns; empty = no room
  QRectF query_labels, key_labels;
  QRectF lines;            ///< between the columns
  double pitch = 0;        ///< from one token to the next; 0 = too little room for lines
  double first_query = 0;  ///< the middle of query 0, from the top of the window
  double first_key = 0;
  std::int64_t label_step = 1;  ///< only every such token is labelled
  int label_pixels = 11;

  const QRectF& labels(bool is_key) const { return is_key ? key_labels : query_labels; }
  /// The end of the lines at a token.
  QPointF end(bool is_key, std::int64_t index) const;
};

struct TokenLayout {
  std::vector<QRectF> failures;         ///< strips at the top, one for each failure of the scene
  QRectF key;                           ///< what the width of a line says; empty = no room
  std::vector<TokenPanelPlace> panels;  ///< one for each panel of the scene
  QString note;                         ///< of the scene, and that names are left out where they are
  QRectF notes;
  QStringList note_lines;
};

TokenLayout layoutTokens(const TokenScene& scene, const QRectF& target);

/// The token at a place: beside a name, or at the end of its lines.
std::optional<Token> tokenAt(const TokenScene& scene, const TokenLayout& layout, QPointF point);

}  // namespace posiscope::ui
