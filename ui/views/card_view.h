// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/cards.h"
#include "ui/views/picture_view.h"

#include <cstdint>
#include <optional>

namespace posiscope::ui {

/// The cards of all schemes as a table. The arrow keys move from cell to cell; what a cell has no room for is in its
/// tooltip and in the accessible description. Rows without room come with the wheel or the keys.
class CardView final : public PictureView {
  Q_OBJECT

 public:
  CardView(Text title, QWidget* parent);

  const CardScene& scene() const { return scene_; }
  /// The cell that the pointer or the keyboard is on.
  std::optional<CardPlace> cursor() const { return cursor_; }

 protected:
  void drawPicture(QPainter& painter) override;
  void drawPointer(QPainter& painter) override;
  void contextChanged() override;
  void pointAt(QPointF position) override;

  bool event(QEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  CardLayout places() const { return layoutCards(scene_, rect(), first_row_); }
  /// The question, name or cell at a place in full; empty elsewhere.
  QString textAt(QPointF position) const;
  void scrollTo(std::int64_t row);
  void showRow(std::size_t row);
  void moveTo(std::optional<CardPlace> place);
  void describe();

  Text title_;
  CardScene scene_;
  std::optional<CardPlace> cursor_;
  std::size_t first_row_ = 0;
};

}  // namespace posiscope::ui
