// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment.h"
#include "ui/state/presentation.h"

#include <memory>
#include <optional>
#include <QObject>
#include <QString>
#include <vector>

namespace posiscope::ui {

/// What of the presentation is work worth saving: which views are shown and how, and what is pinned. Zooms, the
/// selected scheme and the maximised tile only point at something.
struct Layout {
  int tile_count = 0;
  std::vector<TileState> tiles;
  std::shared_ptr<const Experiment> pinned;

  bool operator==(const Layout&) const = default;
};

/// What the work is held against: what was opened or saved last.
struct Saved {
  Experiment experiment;
  std::optional<Layout> layout;  ///< empty while there is no session file
};

/// What of the presentation belongs to the question: which views are asked, on how many tiles, how, for which head,
/// beside which pinned question. Zooms and the selected scheme only point at something: two that differ in nothing
/// else are equal.
struct Views {
  int tile_count = 0;
  std::vector<TileState> tiles;
  int head = 0;
  std::shared_ptr<const Experiment> pinned;
  int selected = 0;

  bool operator==(const Views& other) const;
};

/// Holds the state: the experiment and its views (with undo), the presentation, the hover. Widgets show it and send
/// intents.
class Store : public QObject {
  Q_OBJECT

 public:
  explicit Store(QObject* parent = nullptr);

  const Experiment& experiment() const { return experiment_; }
  const Presentation& presentation() const { return presentation_; }
  const Hover& hover() const { return hover_; }

  /// A new question. Edits with the same non-empty `gesture` form one undo step until `endGesture`.
  void setExperiment(Experiment experiment, const QString& gesture = {});
  void endGesture();
  /// A step of the history where it changes the views; else nothing to undo.
  void setPresentation(Presentation presentation, const QString& gesture = {});
  /// Both in one step.
  void setAll(Experiment experiment, Presentation presentation);
  void setHover(Hover hover);

  /// Replaces everything (a session was opened); forgets the undo history; not modified afterwards.
  void reset(Experiment experiment, Presentation presentation);

  bool canUndo() const { return !past_.empty(); }
  bool canRedo() const { return !future_.empty(); }
  void undo();
  void redo();

  /// Differs from what was saved: the experiment or, once there is a file, the layout in it. The layout of the window
  /// alone comes back at the next start without one.
  bool modified() const;
  /// A session file now holds the experiment and the layout.
  void markSaved();
  /// The experiment is that of a model, a preset or an array, which can be opened again; no session file holds it.
  void markOpened();
  const Saved& saved() const { return saved_; }
  /// An opening was undone or redone: what counted as saved there counts again.
  void setSaved(Saved saved);

 signals:
  void experimentChanged();
  void presentationChanged();
  void hoverChanged();
  void historyChanged();  ///< undo, redo or modified changed
  void steppedThrough();  ///< undo or redo has brought back a question and its views

 private:
  struct Step {
    Experiment experiment;
    Views views;

    bool operator==(const Step&) const = default;
  };

  Step now() const;
  /// Takes part in the gesture, or begins another.
  void enter(const QString& gesture);
  void remember(Step step);
  void apply(Experiment experiment);
  void apply(Step step);
  void present(Presentation presentation);

  Experiment experiment_;
  Saved saved_;
  Presentation presentation_;
  Hover hover_;
  std::vector<Step> past_;
  std::vector<Step> future_;
  QString gesture_;
  bool gesture_open_ = false;  ///< the last step in `past_` belongs to the gesture
};

}  // namespace posiscope::ui
