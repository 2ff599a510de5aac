// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tiles/tile_grid.h"

#include "core/missing_file.h"
#include "ui/controls/theme.h"
#include "ui/state/scheme_pair.h"
#include "ui/tiles/request.h"
#include "ui/tiles/tile.h"
#include "ui/tiles/tile_notice.h"
#include "ui/views/scheme_text.h"

#include <algorithm>
#include <QApplication>
#include <QGridLayout>

namespace posiscope::ui {
namespace {

constexpr int gap = 8;
constexpr int narrow_tile_height = 330;
/// A picture is marked as old only when its answer takes this long: quick answers must not flicker.
constexpr int stale_after_ms = 250;

/// Why there is no picture: every visible scheme refuses the question. The first reason; null when one has an answer.
const Error* refusalOf(const ViewContext& context) {
  const Error* first = nullptr;
  for (const Answer& answer : context.answers()) {
    if (answer.dataset && *answer.dataset) return nullptr;
    if (!answer.dataset && !first) first = &answer.dataset.error();
  }
  return first;
}

bool hasPicture(const ViewContext& context) {
  return std::ranges::any_of(context.answers(), [](const Answer& answer) { return answer.dataset && *answer.dataset; });
}

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
    connect(tile, &Tile::fitWanted, this, &TileGrid::showAll);
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
  });
  connect(&pinned_service_, &ComputeService::resultReady, this, &TileGrid::showResult);
  connect(&service_, &ComputeService::failed, this, [this] {
    cancelled_ = requestOf(store_.experiment(), store_.presentation());
    showResult();
  });
  connect(qApp, &QApplication::focusChanged, this, &TileGrid::followFocus);
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
  context.measure =
      answerIndex(context.result.get(), tileRequest(context.tile, context.presentation, context.experiment));
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
  const QWidget* focus = QApplication::focusWidget();
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
  keepFocus(focus);
}

/// Who works in the tiles with keys goes on there, not at the first button of the window, when tiles come and go.
void TileGrid::keepFocus(const QWidget* before) {
  if (!before || !isAncestorOf(before)) return;
  QWidget* now = before->isVisibleTo(this) ? const_cast<QWidget*>(before) : tile(currentTile())->view();
  if (now) now->setFocus();
}

/// Commands act on the tile that has the keys or the pointer, whichever came last.
void TileGrid::followFocus(const QWidget* before, const QWidget* now) {
  for (int index = 0; index < 4; ++index) {
    if (!now || !tile(index)->isAncestorOf(now)) continue;
    current_ = index;
    // A window that comes to the front again gives the focus back to where it was: nobody has gone there.
    if (before) emit focusMoved(index);
  }
}

void TileGrid::ask() {
  Request request = requestOf(store_.experiment(), store_.presentation());
  // What the user has cancelled does not come back because of a zoom or a colour map.
  if (cancelled_ == request) return;
  const bool was_cancelled = cancelled_.has_value();
  cancelled_.reset();
  if (was_cancelled) showResult();
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

/// Which answer of the last legal result stays on screen while every scheme refuses; −1 = none.
int TileGrid::legalAnswer(int index, const ViewContext& now) const {
  const std::shared_ptr<const Result>& before = legal_[static_cast<std::size_t>(index)];
  if (!before || !sameList(before->request.experiment, now.experiment)) return -1;
  return answerIndex(before.get(), tileRequest(now.tile, now.presentation, now.experiment));
}

void TileGrid::showTile(int index) {
  ViewContext shown = context(index);
  std::shared_ptr<const Result>& legal = legal_[static_cast<std::size_t>(index)];
  if (hasPicture(shown)) legal = shown.result;
  const Error* refusal = refusalOf(shown);
  // A picture of the file that is missing now would be one of another question.
  const int kept = refusal && !saysFileIsMissing(*refusal) ? legalAnswer(index, shown) : -1;
  TileNotice* notice = tile(index)->notice();
  if (kept >= 0)
    notice->sayRefused(failureText({}, *refusal, currentStyle()));
  else if (shown.stopped)
    notice->sayCancelled();
  notice->setVisible(kept >= 0 || shown.stopped);
  if (kept >= 0) {
    shown.result = legal;
    shown.measure = kept;
  }
  tile(index)->setContext(shown);
}

void TileGrid::showResult() {
  const std::vector<int> visible = visibleTiles(store_.presentation());
  for (int index = 0; index < 4; ++index)
    if (std::ranges::find(visible, index) == visible.end())
      legal_[static_cast<std::size_t>(index)].reset();
    else
      showTile(index);
}

// Where all is shown already, the part comes back that was shown before: a session may have begun with it.
void TileGrid::showAll(int index) {
  const Presentation& now = store_.presentation();
  const Presentation all = withoutSelection(now, index, shownAxes());
  const Shape& shape = store_.experiment().shape;
  if (all != now) {
    before_all_ = {index, shape, now};
    return store_.setPresentation(all);
  }
  if (before_all_ && before_all_->tile == index && before_all_->shape == shape)
    store_.setPresentation(withPartsOf(now, before_all_->shown));
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
