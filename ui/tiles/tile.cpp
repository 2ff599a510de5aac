// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tiles/tile.h"

#include "ui/controls/theme.h"
#include "ui/tiles/tile_header.h"
#include "ui/tiles/tile_notice.h"
#include "ui/views/list.h"

#include <QDragEnterEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QPainter>
#include <QVBoxLayout>

namespace posiscope::ui {

Tile::Tile(Store& store, int index, QWidget* parent)
    : QWidget(parent),
      store_(store),
      index_(index),
      header_(new TileHeader(store, index, this)),
      notice_(new TileNotice(this)) {
  setAcceptDrops(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(1, 1, 1, 6);
  column->setSpacing(0);
  column->addWidget(header_);
  column->addWidget(notice_);
  notice_->hide();
  connect(notice_, &TileNotice::pressed, this, &Tile::computeWanted);
  connect(header_, &TileHeader::maximiseWanted, this, [this] { emit maximiseWanted(index_); });
  connect(header_, &TileHeader::exportWanted, this, [this](const QPoint& corner) { emit exportWanted(index_, corner); });
}

TileState Tile::tileState() const { return store_.presentation().tiles[static_cast<std::size_t>(index_)]; }

void Tile::setTileState(TileState tile, const QString& gesture) {
  Presentation p = store_.presentation();
  p.tiles[static_cast<std::size_t>(index_)] = std::move(tile);
  store_.setPresentation(std::move(p), gesture);
}

void Tile::makeView(const ViewKind* kind) {
  const bool focused = view_ && view_->hasFocus();
  delete view_;
  view_ = kind ? kind->create(this) : nullptr;
  if (!view_) return;
  setTabOrder(header_->lastControl(), view_);  // a tile's picture comes after its buttons, not after all tiles'
  if (focused) view_->setFocus();
  view_->installEventFilter(this);
  view_->setObjectName(QString::fromStdString(kind->id));
  view_->setAccessibleName(currentStyle().text(kind->title));
  layout()->addWidget(view_);
  static_cast<QVBoxLayout*>(layout())->setStretchFactor(view_, 1);
  connect(view_, &View::hovered, this, [this](Hover hover) {
    if (!(hover == Hover{})) hover.view = view_id_;
    emit entered(index_);
    store_.setHover(std::move(hover));
  });
  connect(view_, &View::zoomed, this, [this](std::optional<Zoom> zoom) {
    TileState tile = tileState();
    tile.zoom = zoom;
    tile.zoom_axes = zoom ? namesOf(view_->axes()) : std::string();
    setTileState(std::move(tile));
  });
  connect(view_, &View::selected, this, [this](const Selection& ranges) { emit selected(index_, ranges); });
  connect(view_, &View::fitWanted, this, [this] { emit fitWanted(index_); });
  connect(view_, &View::optionChosen, this, [this](const std::string& key, const Value& value) {
    TileState tile = tileState();
    tile.options[key] = value;
    setTileState(std::move(tile), QStringLiteral("tiles[%1]").arg(index_));
  });
  connect(view_, &View::headChosen, this, [this](int head) {
    Presentation p = store_.presentation();
    p.head = head;
    store_.setPresentation(std::move(p));
  });
  connect(view_, &View::layerChosen, this, [this](int layer) {
    Experiment e = store_.experiment();
    e.shape.layer = layer;
    store_.setExperiment(std::move(e));
  });
}

/// What is dragged in a picture, or stepped with a key held down, is one step until it is let go.
bool Tile::eventFilter(QObject* watched, QEvent* event) {
  const bool let_go = event->type() == QEvent::MouseButtonRelease ||
                      (event->type() == QEvent::KeyRelease && !static_cast<QKeyEvent*>(event)->isAutoRepeat());
  if (watched == view_ && let_go) store_.endGesture();
  return QWidget::eventFilter(watched, event);
}

void Tile::setContext(const ViewContext& context) {
  if (!view_ || context.tile.view != view_id_) {
    view_id_ = context.tile.view;
    makeView(findView(view_id_));
  }
  header_->refresh();
  notice_->refresh();
  if (!view_) return;
  if (const ViewKind* kind = findView(view_id_)) view_->setAccessibleName(currentStyle().text(kind->title));
  view_->setContext(context);
}

void Tile::setHover(const Hover& hover) {
  if (view_) view_->setHover(hover);
}

void Tile::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Style& style = currentStyle();
  painter.setPen(QPen(drop_here_ ? style.ink : style.line, drop_here_ ? 2 : 1));
  painter.setBrush(style.panel);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
}

void Tile::enterEvent(QEnterEvent* event) {
  emit entered(index_);
  QWidget::enterEvent(event);
}

void Tile::dragEnterEvent(QDragEnterEvent* event) {
  const QByteArray from = event->mimeData()->data(QLatin1String(TileHeader::mime_type));
  if (from.isEmpty() || from.toInt() == index_) return;
  drop_here_ = true;
  update();
  event->acceptProposedAction();
}

void Tile::dragLeaveEvent(QDragLeaveEvent*) {
  drop_here_ = false;
  update();
}

void Tile::dropEvent(QDropEvent* event) {
  drop_here_ = false;
  update();
  event->acceptProposedAction();
  emit swapWanted(event->mimeData()->data(QLatin1String(TileHeader::mime_type)).toInt(), index_);
}

}  // namespace posiscope::ui
