// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dataset.h"
#include "ui/views/view.h"

#include <memory>
#include <optional>
#include <QColor>
#include <QRectF>
#include <QString>
#include <vector>

class QFontMetricsF;
class QPainter;

namespace posiscope::ui {

/// The card of one scheme.
struct Card {
  std::shared_ptr<const Dataset> dataset;  ///< keeps the properties alive
  QString name;
  QColor colour;
  int scheme = -1;

  const std::vector<Property>& properties() const { return dataset->properties; }
};

/// Cards side by side: one row a question, one column a scheme.
struct CardScene {
  std::vector<Card> cards;
  std::vector<QString> failures;
  QString nothing;
  QString scope;  ///< on what all of it was measured
  bool stale = false;
  bool scrolls = false;  ///< rows without room can be scrolled to: not in a figure
  Style style;

  std::size_t rows() const { return cards.empty() ? 0 : cards.front().properties().size(); }
};

CardScene makeCardScene(const ViewContext& context);

/// A cell of the table.
struct CardPlace {
  std::size_t row = 0;
  std::size_t column = 0;

  bool operator==(const CardPlace&) const = default;
};

struct CardLayout {
  std::vector<QRectF> failures;
  std::vector<QRectF> names;      ///< one for each card
  std::vector<QRectF> questions;  ///< one for each row that is shown, from `first_row` on
  QRectF foot;                    ///< the scope, and how many rows did not fit
  std::size_t first_row = 0;
  std::size_t hidden_rows = 0;
  bool tall_names = false;  ///< the names stand in small type below their squares

  QRectF cell(CardPlace place) const;
  std::optional<CardPlace> cellAt(QPointF position) const;
};

/// What a cell of this width takes with its whole sentence; less where the column has no room for words.
double cellHeight(const Property& property, double width, const Style& style);
/// `first_row`: the one at the top, as far as there are more rows than room.
CardLayout layoutCards(const CardScene& scene, const QRectF& target, std::size_t first_row = 0);
void drawCards(QPainter& painter, const QRectF& target, const CardScene& scene, const CardLayout& layout);
/// Marks the cell that the pointer or the keyboard is on.
void drawCardCursor(QPainter& painter, const CardScene& scene, const CardLayout& layout, CardPlace place);

/// "yes, not touched" without room is "yes …": cut elsewhere it could read as its opposite.
QString answerIn(double width, const QString& word, const QFontMetricsF& metrics);
/// "2.2e-16 ≤ 9.3e-10": the number and the tolerance that decided; a count has its unit, a word without number nothing.
QString numberLine(const Property& property, const Style& style);
/// All that is known of a cell, for the tooltip and for screen readers: question, answer, number, sentence.
QString cellText(const CardScene& scene, CardPlace place);

}  // namespace posiscope::ui
