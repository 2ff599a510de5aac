// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tiles/tile_grid.h"

#include "ui/controls/theme.h"
#include "ui/tiles/request.h"
#include "ui/tiles/tile.h"
#include "ui/tiles/tile_notice.h"

#include <QGridLayout>
#include <algorithm>

namespace posiscope::ui {
namespace {

constexpr int gap = 8;
constexpr int narrow_tile_height = 330;
/// A picture is marked as old only when its answer takes this long: quick answers must not flicker.
constexpr int stale_after_ms = 250;

}  // namespace

TileGrid::TileGrid(Store& store, ComputeService& service, QWidget* parent)
    : QWidget(parent), store_(store), service_(service), grid_(new QGridLayout(this)) {
  setObjectName(QStringLiteral("centre"));
  setAttribute(Qt::WA_StyledBackground);
  grid_->setContentsMargins(gap, gap, gap, gap);
  grid_->setSpacing(gap);
  for (int i = 0; i < 4; ++i) {
    auto* tile = new Tile(store, i, this);
    tiles_[static_cast<std::size_t>(i)] = tile;
    connect(tile, &Tile::maximiseWanted, this, &TileGrid::toggleMaximised);
    connect(tile, &Tile::swapWanted, this, &TileGrid::swap);
    connect(tile, &Tile::exportWanted, this, &TileGrid::exportWanted);
    connect(tile, &Tile::computeWanted, this, &TileGrid::computeAgain);
    connect(tile, &Tile::selected, this, [this](int index, const Selection& ranges) {
      store_.setPresentation(withSelection(store_.presentation(), index, ranges, shownAxes()));
    });
    connect(tile, &Tile::fitWanted, this,
            [this](int index) { store_.setPresentation(withoutSelection(store_.presentation(), index, shownAxes())); });
    connect(tile, &Tile::entered, this, [this](int index) { current_ = index; });
  }
  stale_timer_.setSingleShot(true);
  stale_timer_.setInterval(stale_after_ms);
  connect(&stale_timer_, &QTimer::timeout, this, &TileGrid::showResult);
  connect(&store_, &Store::experimentChanged, this, [this] {
    ask();
    if (!stale_timer_.isActive()) stale_timer_.start();
  });
  connect(&store_, &Store::presentationChanged, this, [this] {
    arrange();
    ask();
    askPinned();
    showResult();
  });
  connect(&store_, &Store::hoverChanged, this, [this] {
    for (const int index : visibleTiles(store_.presentation())) tile(index)->setHover(store_.hover());
  });
  connect(&service_, &ComputeService::resultReady, this, [this] {
    stale_timer_.stop();
    showResult();
    showNotices();  // what was cancelled too late is there all the same
  });
  connect(&pinned_service_, &ComputeService::resultReady, this, &TileGrid::showResult);
  connect(&service_, &ComputeService::failed, this, [this] {
    cancelled_ = requestOf(store_.experiment(), store_.presentation());
    showNotices();
    showResult();
  });
  arrange();
}

void TileGrid::setNarrow(bool narrow) {
  if (narrow == narrow_) return;
  narrow_ = narrow;
  arranged_.clear();
  arrange();
}

int TileGrid::currentTile() const {
  const std::vector<int> visible = visibleTiles(store_.presentation());
  return std::ranges::find(visible, current_) != visible.end() ? current_ : visible.front();
}

ViewContext TileGrid::context(int index) const {
  ViewContext context;
  context.presentation = store_.presentation();
  context.tile = context.presentation.tiles[static_cast<std::size_t>(index)];
  context.experiment = store_.experiment();
  context.result = service_.result();
  context.pinned = pinnedResult();
  context.measure = answerIndex(context.result.get(), tileRequest(context.tile, context.presentation, context.experiment));
  context.style = currentStyle();
  context.stopped = cancelled_ && !answered(context);
  return context;
}

TileAxes TileGrid::shownAxes() const {
  TileAxes axes;
  for (const int index : visibleTiles(store_.presentation()))
    if (const View* view = tile(index)->view()) axes[static_cast<std::size_t>(index)] = view->axes();
  return axes;
}

void TileGrid::refresh() { showResult(); }

void TileGrid::arrange() {
  const std::vector<int> visible = visibleTiles(store_.presentation());
  if (visible == arranged_) return;
  arranged_ = visible;
  for (Tile* tile : tiles_) {
    grid_->removeWidget(tile);
    tile->hide();
  }
  const int columns = narrow_ || visible.size() == 1 ? 1 : 2;
  for (int i = 0; i < 4; ++i) {
    grid_->setRowStretch(i, 0);
    grid_->setColumnStretch(i, 0);
  }
  for (std::size_t i = 0; i < visible.size(); ++i) {
    Tile* shown = tile(visible[i]);
    const int row = static_cast<int>(i) / columns;
    const int column = static_cast<int>(i) % columns;
    grid_->addWidget(shown, row, column);
    grid_->setRowStretch(row, 1);
    grid_->setColumnStretch(column, 1);
    shown->setMinimumHeight(narrow_ && visible.size() > 1 ? narrow_tile_height : 160);
    shown->show();
  }
}

void TileGrid::ask() {
  Request request = requestOf(store_.experiment(), store_.presentation());
  // What the user has cancelled does not come back because of a zoom or a colour map.
  if (cancelled_ == request) return;
  cancelled_.reset();
  showNotices();
  service_.request(request);
}

/// Not the answer to what was pinned before.
std::shared_ptr<const Result> TileGrid::pinnedResult() const {
  const std::shared_ptr<const Experiment>& question = store_.presentation().pinned;
  const std::shared_ptr<const Result>& answer = pinned_service_.result();
  return question && answer && answer->request.experiment == *question ? answer : nullptr;
}

void TileGrid::askPinned() {
  const Request wanted = pinnedRequestOf(store_.presentation());
  if (!wanted.measures.empty()) pinned_service_.request(wanted);
}

void TileGrid::computeAgain() {
  cancelled_.reset();
  ask();
  showResult();
}

bool TileGrid::answered(const ViewContext& shown) const {
  if (!shown.result || shown.stale() || shown.measure < 0 || shown.result->request.draft) return false;
  return shown.result->request.measures[static_cast<std::size_t>(shown.measure)] ==
         tileRequest(shown.tile, shown.presentation, shown.experiment);
}

void TileGrid::showNotices() {
  for (int index = 0; index < 4; ++index) tile(index)->notice()->setVisible(context(index).stopped);
}

void TileGrid::showResult() {
  for (const int index : visibleTiles(store_.presentation())) tile(index)->setContext(context(index));
}

void TileGrid::toggleMaximised(int index) {
  Presentation p = store_.presentation();
  p.maximised = p.maximised == index ? -1 : index;
  store_.setPresentation(std::move(p));
}

void TileGrid::swap(int from, int to) {
  if (from < 0 || from > 3 || from == to) return;
  Presentation p = store_.presentation();
  std::swap(p.tiles[static_cast<std::size_t>(from)], p.tiles[static_cast<std::size_t>(to)]);
  store_.setPresentation(std::move(p));
}

}  // namespace posiscope::ui
