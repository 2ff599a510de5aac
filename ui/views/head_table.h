// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dataset.h"
#include "core/heads/kinds.h"
#include "ui/views/view.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <QRectF>
#include <QString>
#include <string>
#include <vector>

class QPainter;

namespace posiscope::ui {

/// A column of the table of heads. The first two are the head and its kind, the others are figures.
struct HeadColumn {
  std::string key;
  QString label;
  double largest = 0;  ///< of all figures in it: a full bar
};

/// The heads of one scheme.
struct HeadSection {
  std::shared_ptr<const Dataset> dataset;  ///< keeps the figures alive
  QString name;
  QColor colour;
  int scheme = -1;
};

/// One line: a head of a section, or its scheme's name where there are several sections.
struct HeadLine {
  std::size_t section = 0;
  std::int64_t head = -1;  ///< −1 = the name
};

/// The heads of one or more schemes as a table, its lines in the chosen order.
struct HeadTable {
  std::vector<HeadColumn> columns;
  std::vector<HeadSection> sections;
  std::vector<HeadLine> lines;
  std::vector<QString> failures;
  QString nothing;
  QString scope;
  std::string sort = "head";  ///< the column that orders the heads
  bool descending = false;
  std::int64_t chosen = -1;  ///< the head that other views show, counted as the lines count
  /// Heads of a layer, where the heads of all layers are listed: line.head then counts through the layers. 0 = those of
  /// one layer.
  std::int64_t per_layer = 0;
  bool stale = false;
  bool interactive = false;  ///< can be scrolled, and says how the head under the pointer was decided
  Style style;

  std::optional<heads::Kind> kind(const HeadLine& line) const;
  /// The head inside its layer, and the layer; −1 where one layer is listed.
  std::int64_t headOf(const HeadLine& line) const { return per_layer > 0 ? line.head % per_layer : line.head; }
  std::int64_t layerOf(const HeadLine& line) const { return per_layer > 0 ? line.head / per_layer : -1; }
  /// "3", or "2 · 3" with its layer.
  QString number(const HeadLine& line) const;
  /// Is a head that is hovered in another view this line's?
  bool isHead(const HeadLine& line, std::int64_t head) const;
  /// NaN where the section has no such figure.
  double value(const HeadLine& line, std::size_t column) const;
};

/// What a view wants from the answers.
struct HeadChoice {
  bool selected = true;  ///< the selected scheme alone
  std::string sort = "head";
  bool descending = false;
};
HeadTable makeHeadTable(const ViewContext& context, const HeadChoice& choice);

/// All that is known of a line, for the tooltip and for screen readers: scheme, head, kind, evidence.
QString headText(const HeadTable& table, const HeadLine& line);
/// How the kind of a line was decided.
QString evidenceOf(const HeadTable& table, const HeadLine& line);

/// The first line and the first figure to be shown, as far as there are more than room.
struct HeadScroll {
  std::size_t line = 0;
  std::size_t figure = 0;
};

struct HeadTableLayout {
  struct Place {
    std::size_t index = 0;  ///< of the column or line
    QRectF area;
  };
  std::vector<QRectF> failures;
  std::vector<Place> headers;  ///< of the columns that are shown
  std::vector<Place> lines;    ///< those that are shown
  QRectF told;                 ///< for the evidence of the line under the pointer; empty = no room
  QRectF foot;                 ///< the scope and what found no room
  HeadScroll first;
  std::size_t hidden_lines = 0;
  std::size_t hidden_figures = 0;

  QRectF cell(std::size_t line, std::size_t column) const;
  std::optional<std::size_t> lineAt(QPointF point) const;
  /// The column at a place, whether over the header or a line.
  std::optional<std::size_t> columnAt(QPointF point) const;
  bool isHeader(QPointF point) const;
};

HeadTableLayout layoutHeads(const HeadTable& table, const QRectF& target, HeadScroll first = {});
/// The whole picture without the pointer.
void drawHeads(QPainter& painter, const QRectF& target, const HeadTable& table, const HeadTableLayout& layout);
/// What the pointer or the keyboard is on, and every line of a head hovered elsewhere.
struct HeadCursor {
  std::size_t line = 0;
  std::size_t column = 0;

  bool operator==(const HeadCursor&) const = default;
};
/// The line whose evidence is told: that under the pointer, else the first one of the chosen head.
std::optional<std::size_t> toldLine(const HeadTable& table, const std::optional<HeadCursor>& cursor);
void drawHeadPointer(QPainter& painter, const HeadTable& table, const HeadTableLayout& layout,
                     const std::optional<HeadCursor>& cursor, const Hover& hover);

}  // namespace posiscope::ui
