// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/dial_view.h"

#include <QKeyEvent>
#include <QLineF>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <utility>

namespace posiscope::ui {

DialView::DialView(Text title, DialSceneMaker maker, QWidget* parent)
    : PictureView(parent), title_(std::move(title)), maker_(std::move(maker)) {
  setObjectName(QStringLiteral("rotation"));
}

void DialView::contextChanged() {
  scene_ = maker_(context());
  setAccessibleName(scene_.style.text(title_));
  setAccessibleDescription(
      scene_.nothing.isEmpty()
          ? scene_.style
                .text({"Clock hands of each pair at positions %1 and %2. Left and right move i, up and down move j.",
                       "各维度对在位置 %1 与 %2 的指针。左右键移动 i，上下键移动 j。"})
                .arg(numberText(scene_.first_position + static_cast<double>(scene_.i), 10))
                .arg(numberText(scene_.first_position + static_cast<double>(scene_.j), 10))
          : scene_.nothing);
}

void DialView::drawPicture(QPainter& painter) { drawDials(painter, rect(), scene_, layoutDials(scene_, rect())); }

void DialView::drawPointer(QPainter& painter) {
  if (hover().pair || hover().i || hover().j) drawDialHover(painter, scene_, layoutDials(scene_, rect()), hover());
}

void DialView::mouseMoveEvent(QMouseEvent* event) {
  keepPointer(event->position());
  pointAt(event->position());
}

void DialView::pointAt(QPointF position) {
  const DialLayout layout = layoutDials(scene_, rect());
  const auto under = std::ranges::find_if(
      layout.dials, [&](const DialPlace& dial) { return QLineF(dial.centre, position).length() <= dial.radius + 2; });
  if (under == layout.dials.end()) return emitHover({});
  const DialGroup& group = scene_.groups[under->group];
  Hover hover;
  hover.i = scene_.first_position + static_cast<double>(scene_.i);
  hover.j = scene_.first_position + static_cast<double>(scene_.j);
  hover.offset = *hover.i - *hover.j;
  hover.pair = static_cast<double>(under->pair);
  hover.scheme = group.scheme;
  hover.value = group.query->y[under->pair];
  hover.view = "rotation";
  emitHover(hover);
}

void DialView::keyPressEvent(QKeyEvent* event) {
  const std::int64_t step = event->modifiers().testFlag(Qt::ShiftModifier) ? 10 : 1;
  const auto choose = [this](const char* key, std::int64_t position) {
    emit optionChosen(key, static_cast<double>(std::max<std::int64_t>(0, position)));
  };
  switch (event->key()) {
    case Qt::Key_Left: return choose("i", scene_.i - step);
    case Qt::Key_Right: return choose("i", scene_.i + step);
    case Qt::Key_Down: return choose("j", scene_.j - step);
    case Qt::Key_Up: return choose("j", scene_.j + step);
    default: PictureView::keyPressEvent(event);
  }
}

}  // namespace posiscope::ui
