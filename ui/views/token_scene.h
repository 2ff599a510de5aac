// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dataset.h"
#include "ui/views/view.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <QColor>
#include <QString>
#include <QStringList>
#include <vector>

namespace posiscope::ui {

/// A weight that is large enough to be drawn.
struct TokenLine {
  std::int64_t query = 0;
  std::int64_t key = 0;
  double weight = 0;
};

/// The weights of one head of one scheme between the first tokens, or why there are none.
struct TokenPanel {
  std::shared_ptr<const Dataset> dataset;  ///< keeps `map` alive
  const Map* map = nullptr;
  std::function<bool(std::int64_t query, std::int64_t key)> masked;  ///< empty = no pair is
  QString caption;
  QColor colour;
  int scheme = -1;  ///< index in the experiment
  int head = -1;
  QString sentence;          ///< shown instead of a map
  std::int64_t queries = 0;  ///< the first so many rows of the map are shown
  std::int64_t keys = 0;
  std::vector<TokenLine> lines;  ///< the weakest first, so that the strongest lies on top

  std::int64_t count(bool is_key) const { return is_key ? keys : queries; }
  const Axis& axis(bool is_key) const { return is_key ? map->cols : map->rows; }
  /// The position of a token, as its axis counts.
  double position(bool is_key, std::int64_t index) const;
  /// What is written beside it: its name, or its position.
  QString label(bool is_key, std::int64_t index) const;
  /// Nothing where the mask allows no weight or none is known.
  std::optional<double> weight(std::int64_t query, std::int64_t key) const;
};

/// A token of one of the two columns of a panel.
struct Token {
  std::size_t panel = 0;
  bool is_key = false;
  std::int64_t index = 0;

  bool operator==(const Token&) const = default;
};

struct TokenScene {
  std::vector<TokenPanel> panels;
  std::vector<QString> failures;
  QString nothing;  ///< the one sentence when there is no panel at all
  QStringList notes;
  double least = 0;        ///< weights below have no line
  bool choosable = false;  ///< the panels are heads, one of which can be chosen
  bool stale = false;
  Style style;

  /// The first panel that has weights; null when none has.
  const TokenPanel* first() const;
  bool holds(const Token& token) const;
  QString note() const { return notes.join(QStringLiteral(" · ")); }
};

/// What the view wants of the answers.
struct TokenChoice {
  int head = 0;
  bool all_heads = false;
  bool selected = false;     ///< the selected scheme alone
  std::int64_t tokens = 24;  ///< the first so many
  double least = 0;
};

TokenScene makeTokenScene(const ViewContext& context, const TokenChoice& choice);

/// The token of a panel whose weights a pointer asks for, wherever it is: the query where there is one, else the key.
/// Nothing when it is on none, or on one that is not shown.
std::optional<Token> hoveredToken(const TokenScene& scene, std::size_t panel, const Hover& hover);

/// What a token has to do with one of the other column.
struct TokenWeight {
  std::int64_t index = 0;
  double weight = 0;
};
/// All that the mask allows, the largest first.
std::vector<TokenWeight> weightsOf(const TokenPanel& panel, const Token& token);

/// The token and its largest weights as a sentence.
QString tokenSentence(const TokenScene& scene, const Token& token);

/// "0.041": a weight beside its token.
QString weightText(double weight);

}  // namespace posiscope::ui
