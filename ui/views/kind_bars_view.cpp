// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/kind_bars_view.h"

#include <algorithm>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStringList>
#include <utility>
#include "ui/controls/tip.h"

namespace posiscope::ui {
namespace {

constexpr const char* view_id = "head_kinds";

}  // namespace

KindBarsView::KindBarsView(Text title, QWidget* parent) : PictureView(parent), title_(std::move(title)) {
  setObjectName(QString::fromLatin1(view_id));
}

void KindBarsView::contextChanged() {
  bars_ = makeKindBars(context());
  bars_.interactive = true;
  if (cursor_ && (cursor_->bar >= bars_.bars.size() || cursor_->segment >= bars_.bars[cursor_->bar].segments.size()))
    cursor_.reset();
  setAccessibleName(bars_.style.text(title_));
  describe();
}

/// Without a place all bars: what is drawn is little enough to be said.
void KindBarsView::describe() {
  if (cursor_) return setAccessibleDescription(segmentText(bars_, *cursor_));
  QStringList parts;
  for (std::size_t b = 0; b < bars_.bars.size(); ++b)
    for (std::size_t s = 0; s < bars_.bars[b].segments.size(); ++s) parts << segmentText(bars_, {b, s});
  setAccessibleDescription(parts.isEmpty() ? bars_.nothing : parts.join(QLatin1Char('\n')));
}

void KindBarsView::drawPicture(QPainter& painter) { drawKindBars(painter, rect(), bars_, places()); }

void KindBarsView::drawPointer(QPainter& painter) {
  if (cursor_) drawKindPointer(painter, bars_, places(), *cursor_);
}

void KindBarsView::moveTo(std::optional<KindPlace> place) {
  if (place == cursor_) return;
  cursor_ = place;
  describe();
  update();
  if (!place) return emitHover({});
  const KindBar& bar = bars_.bars[place->bar];
  Hover hover;
  hover.scheme = bar.scheme;
  hover.value = bar.segments[place->segment].heads;
  hover.view = view_id;
  emitHover(hover);
}

void KindBarsView::pointAt(QPointF position) { moveTo(places().at(position)); }

bool KindBarsView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return PictureView::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto place = places().at(help->pos());
  showTip(*help, place ? segmentText(bars_, *place) : QString(), this);
  return true;
}

void KindBarsView::mouseMoveEvent(QMouseEvent* event) {
  keepPointer(event->position());
  pointAt(event->position());
}

void KindBarsView::leaveEvent(QEvent* event) {
  moveTo(std::nullopt);
  PictureView::leaveEvent(event);
}

void KindBarsView::keyPressEvent(QKeyEvent* event) {
  const int key = event->key();
  const bool arrow = key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
  const std::size_t shown = places().segments.size();
  if (!arrow || shown == 0) return PictureView::keyPressEvent(event);
  if (!cursor_) return moveTo(KindPlace{});
  KindPlace place = *cursor_;
  if (key == Qt::Key_Up && place.bar > 0) --place.bar;
  if (key == Qt::Key_Down) place.bar = std::min(place.bar + 1, shown - 1);
  if (key == Qt::Key_Left && place.segment > 0) --place.segment;
  if (key == Qt::Key_Right) ++place.segment;
  place.segment = std::min(place.segment, bars_.bars[place.bar].segments.size() - 1);
  moveTo(place);
}

}  // namespace posiscope::ui
