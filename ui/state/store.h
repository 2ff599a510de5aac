// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment.h"
#include "ui/state/presentation.h"

#include <QObject>
#include <QString>
#include <vector>

namespace posiscope::ui {

/// Holds the state: the experiment (with undo), the presentation, the hover. Widgets show it and send intents.
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
  void setPresentation(Presentation presentation);
  void setHover(Hover hover);

  /// Replaces everything (a session was opened); forgets the undo history; not modified afterwards.
  void reset(Experiment experiment, Presentation presentation);

  bool canUndo() const { return !past_.empty(); }
  bool canRedo() const { return !future_.empty(); }
  void undo();
  void redo();

  bool modified() const { return !(experiment_ == saved_); }
  void markSaved();

 signals:
  void experimentChanged();
  void presentationChanged();
  void hoverChanged();
  void historyChanged();  ///< undo, redo or modified changed

 private:
  void apply(Experiment experiment);

  Experiment experiment_;
  Experiment saved_;
  Presentation presentation_;
  Hover hover_;
  std::vector<Experiment> past_;
  std::vector<Experiment> future_;
  QString gesture_;
  bool gesture_open_ = false;  ///< the last step in `past_` belongs to the gesture
};

}  // namespace posiscope::ui
