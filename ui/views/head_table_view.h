// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/head_table.h"
#include "ui/views/picture_view.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace posiscope::ui {

using HeadTableMaker = std::function<HeadTable(const ViewContext&)>;

/// The table of heads. A click on a column's name or Space orders by it, once more turns the order round; a click on a
/// line or Enter chooses its head. Arrows move from cell to cell, Page Up and Down by ten lines, Home and End to the
/// ends; the wheel scrolls lines, with Shift figures.
class HeadTableView final : public PictureView {
  Q_OBJECT

 public:
  HeadTableView(Text title, HeadTableMaker maker, QWidget* parent);

  const HeadTable& table() const { return table_; }
  HeadTableLayout places() const { return layoutHeads(table_, rect(), scroll_); }
  const std::optional<HeadCursor>& cursor() const { return cursor_; }

 protected:
  void drawPicture(QPainter& painter) override;
  void drawPointer(QPainter& painter) override;
  void contextChanged() override;
  void pointAt(QPointF position) override;

  bool event(QEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void moveTo(std::optional<HeadCursor> cursor);
  /// By so many lines and columns; a scheme's name is no head and is passed over.
  void step(std::int64_t lines, std::int64_t columns);
  void scrollTo(std::int64_t line, std::int64_t figure);
  void bringIntoView(const HeadCursor& cursor);
  void orderBy(std::size_t column);
  void choose(std::size_t line);
  void describe();
  QString textAt(QPointF position) const;

  Text title_;
  HeadTableMaker maker_;
  HeadTable table_;
  HeadScroll scroll_;
  std::optional<HeadCursor> cursor_;
};

}  // namespace posiscope::ui
