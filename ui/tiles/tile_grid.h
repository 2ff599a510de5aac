// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/compute_service.h"
#include "ui/state/selection.h"
#include "ui/state/store.h"
#include "ui/views/view.h"

#include <array>
#include <optional>
#include <QTimer>
#include <QWidget>

class QGridLayout;

namespace posiscope::ui {

class Tile;

/// One, two or four tiles; in a narrow window one column that scrolls. Passes results, presentation and hover on to
/// the views and asks the service for what they show.
class TileGrid : public QWidget {
  Q_OBJECT

 public:
  TileGrid(Store& store, ComputeService& service, QWidget* parent = nullptr);

  void setNarrow(bool narrow);
  bool narrow() const { return narrow_; }
  Tile* tile(int index) const { return tiles_[static_cast<std::size_t>(index)]; }
  /// The tile commands act on: the one last pointed at, if it is on screen.
  int currentTile() const;
  ViewContext context(int index) const;
  void refresh();  ///< everything anew (theme, language)

 signals:
  void exportWanted(int index, const QPoint& corner);
  void focusMoved(int index);  ///< the keys are in this tile now

 private:
  TileAxes shownAxes() const;
  void arrange();
  void keepFocus(const QWidget* before);
  void followFocus(const QWidget* before, const QWidget* now);
  void ask();
  void askPinned();
  std::shared_ptr<const Result> pinnedResult() const;
  void computeAgain();
  bool answered(const ViewContext& shown) const;
  int legalAnswer(int index, const ViewContext& now) const;
  void showTile(int index);
  void showResult();
  void showAll(int index);
  void toggleMaximised(int index);
  void swap(int from, int to);

  /// What was shown before all was.
  struct BeforeAll {
    int tile;
    Shape shape;
    Presentation shown;
  };

  Store& store_;
  ComputeService& service_;
  QGridLayout* grid_;
  std::array<Tile*, 4> tiles_{};
  ComputeService pinned_service_;     ///< answers the pinned question where the present answer does not
  std::optional<Request> cancelled_;  ///< not asked again but by its button
  /// Of each tile the last result with a picture: it stays while the question is one that every scheme refuses.
  std::array<std::shared_ptr<const Result>, 4> legal_;
  std::optional<BeforeAll> before_all_;
  QTimer stale_timer_;
  std::vector<int> arranged_;
  int current_ = 0;
  bool narrow_ = false;
};

}  // namespace posiscope::ui
