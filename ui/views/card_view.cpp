// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/card_view.h"

#include <algorithm>
#include <cmath>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <utility>
#include "ui/controls/tip.h"

namespace posiscope::ui {

CardView::CardView(Text title, QWidget* parent) : PictureView(parent), title_(std::move(title)) {
  setObjectName(QStringLiteral("properties"));
}

void CardView::contextChanged() {
  scene_ = makeCardScene(context());
  scene_.scrolls = true;
  if (cursor_ && (cursor_->row >= scene_.rows() || cursor_->column >= scene_.cards.size())) cursor_.reset();
  setAccessibleName(scene_.style.text(title_));
  describe();
}

void CardView::describe() {
  if (cursor_) return setAccessibleDescription(cellText(scene_, *cursor_));
  setAccessibleDescription(
      scene_.nothing.isEmpty()
          ? scene_.style
                .text({"A table of %1 properties of %2 schemes. The arrow keys move from cell to cell.",
                       "%2 个方案的 %1 项性质的表格。方向键在单元格之间移动。"})
                .arg(scene_.rows())
                .arg(scene_.cards.size())
          : scene_.nothing);
}

void CardView::drawPicture(QPainter& painter) { drawCards(painter, rect(), scene_, places()); }

void CardView::drawPointer(QPainter& painter) {
  if (cursor_) drawCardCursor(painter, scene_, places(), *cursor_);
}

void CardView::moveTo(std::optional<CardPlace> place) {
  if (place == cursor_) return;
  cursor_ = place;
  describe();
  update();
  if (!place) return emitHover({});
  const Card& card = scene_.cards[place->column];
  Hover hover;
  hover.scheme = card.scheme;
  const double value = card.properties()[place->row].value;
  if (!std::isnan(value)) hover.value = value;
  hover.view = "properties";
  emitHover(hover);
}

void CardView::pointAt(QPointF position) { moveTo(places().cellAt(position)); }

bool CardView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return PictureView::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  showTip(*help, textAt(help->pos()), this);
  return true;
}

QString CardView::textAt(QPointF position) const {
  const CardLayout layout = places();
  const auto holds = [position](const QRectF& area) { return area.contains(position); };
  if (const auto place = layout.cellAt(position)) return cellText(scene_, *place);
  if (const auto name = std::ranges::find_if(layout.names, holds); name != layout.names.end())
    return scene_.cards[static_cast<std::size_t>(name - layout.names.begin())].name;
  const auto question = std::ranges::find_if(layout.questions, holds);
  if (question == layout.questions.end()) return {};
  const auto row = layout.first_row + static_cast<std::size_t>(question - layout.questions.begin());
  return scene_.style.text(scene_.cards.front().properties()[row].question);
}

void CardView::scrollTo(std::int64_t row) {
  const CardLayout layout = places();
  const auto next = std::clamp<std::int64_t>(row, 0, static_cast<std::int64_t>(layout.hidden_rows));
  if (next == static_cast<std::int64_t>(layout.first_row)) return;
  first_row_ = static_cast<std::size_t>(next);
  invalidate();
}

void CardView::showRow(std::size_t row) {
  const CardLayout layout = places();
  const auto first = static_cast<std::int64_t>(row);
  if (row < layout.first_row) scrollTo(first);
  const auto shown = static_cast<std::int64_t>(layout.questions.size());
  if (row >= layout.first_row + layout.questions.size()) scrollTo(first - shown + 1);
}

void CardView::wheelEvent(QWheelEvent* event) {
  const int notches = event->angleDelta().y() / 120;
  if (notches == 0 || places().hidden_rows == 0) return event->ignore();
  scrollTo(static_cast<std::int64_t>(places().first_row) - notches);
  pointAt(event->position());
  event->accept();
}

void CardView::mouseMoveEvent(QMouseEvent* event) {
  keepPointer(event->position());
  pointAt(event->position());
}

void CardView::leaveEvent(QEvent* event) {
  moveTo(std::nullopt);
  PictureView::leaveEvent(event);
}

void CardView::keyPressEvent(QKeyEvent* event) {
  const std::size_t rows = places().questions.empty() ? 0 : scene_.rows();
  const std::size_t columns = scene_.cards.size();
  const int key = event->key();
  const bool arrow = key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
  if (!arrow || rows == 0 || columns == 0) return PictureView::keyPressEvent(event);
  if (!cursor_) return moveTo(CardPlace{places().first_row, 0});
  CardPlace place = *cursor_;
  if (key == Qt::Key_Left && place.column > 0) --place.column;
  if (key == Qt::Key_Right) place.column = std::min(place.column + 1, columns - 1);
  if (key == Qt::Key_Up && place.row > 0) --place.row;
  if (key == Qt::Key_Down) place.row = std::min(place.row + 1, rows - 1);
  showRow(place.row);
  moveTo(place);
}

}  // namespace posiscope::ui
