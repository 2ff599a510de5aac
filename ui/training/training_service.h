// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/job.h"
#include "core/train/comparison_record.h"
#include "core/train/guesses.h"
#include "core/train/side_by_side.h"
#include "ui/training/input_watch.h"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <QElapsedTimer>
#include <QObject>
#include <QTemporaryDir>
#include <QThreadPool>
#include <QTimer>
#include <vector>

namespace posiscope::ui {

/// A comparison that waits, is trained, or is there to be read.
struct Training {
  enum class State { waiting, running, finished, stopped };

  QString name;
  State state = State::waiting;
  train::ComparisonRecord record;
  std::optional<train::Guess> chance;
  std::optional<train::Guess> order_blind;
};

/// Trains comparisons on a thread of its own, one after the other. What the thread finds is taken over in the thread of
/// the window a few times a second. While somebody uses the program the thread gives its cores back between two steps.
class TrainingService : public QObject {
  Q_OBJECT

 public:
  explicit TrainingService(QObject* parent = nullptr);
  ~TrainingService() override;

  const std::vector<std::unique_ptr<Training>>& all() const { return all_; }
  /// Puts a comparison at the end of the queue; its place among all.
  int add(const QString& name, train::ComparisonSpec spec);
  /// A file that `save` wrote, read in the background: `problemFound` or `changed` with its place.
  void open(const QString& path);
  /// Writes it as it is now, in the background.
  void save(int index, const QString& path);

  bool busy() const { return running_ >= 0; }
  int running() const { return running_; }
  bool paused() const { return pause_.isSet(); }
  void setPaused(bool paused);
  /// Ends the running comparison; what it found so far stays. The next one begins.
  void stop();
  double progress() const { return busy() ? job_.progress() : 0; }
  /// Of the running one, pauses left out; nothing while too little is done to tell.
  std::optional<double> remainingSeconds() const;

 signals:
  void changed(int index);  ///< numbers of a comparison
  void queueChanged();      ///< a comparison came, began or ended, or is paused
  void saved(const QString& path);
  void problemFound(const posiscope::Error& error);

 private:
  using Change = std::function<void(Training&)>;

  void startNext();
  void run(const train::ComparisonSpec& spec, const Job& job);
  train::ComparisonListener listener();
  void post(Change change);
  void takeOver();
  void finish();
  void giveWay(const Job& job) const;

  std::vector<std::unique_ptr<Training>> all_;
  int running_ = -1;
  Job job_;
  train::Pause pause_;
  InputWatch input_;
  QTemporaryDir folder_;  ///< of models while they are measured
  QTimer tick_;
  QElapsedTimer since_;      ///< of the running one, since its begin or the end of its pause
  qint64 before_pause_ = 0;  ///< milliseconds
  std::mutex mutex_;
  std::vector<Change> inbox_;  ///< from the other thread
  QThreadPool thread_;         // these last: joined before anything they use dies
  QThreadPool reading_;
};

}  // namespace posiscope::ui
