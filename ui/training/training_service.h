// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/job.h"
#include "core/train/comparison_record.h"
#include "core/train/guesses.h"
#include "core/train/side_by_side.h"
#include "ui/training/input_watch.h"
#include "ui/training/training_folder.h"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <QElapsedTimer>
#include <QObject>
#include <QThreadPool>
#include <QTimer>
#include <set>
#include <string>
#include <vector>

namespace posiscope::ui {

/// A comparison that waits, is trained, or is there to be read.
struct Training {
  enum class State {
    waiting,
    running,
    finished,
    stopped,
    interrupted  ///< by the end of the program; its record is what its folder holds
  };

  QString name;
  State state = State::waiting;
  train::ComparisonRecord record;
  std::optional<train::Guess> chance;
  std::optional<train::Guess> order_blind;
  std::unique_ptr<TrainingFolder> folder = nullptr;  ///< of what is trained here; null for what was read
  std::string shipped = {};                          ///< the ready experiment whose results the program brought
  bool saved = false;                                ///< as it is now

  bool canGoOn() const { return state == State::stopped || state == State::interrupted; }
  /// Of a run whose training has ended; empty while there is none, and where only numbers were read.
  QString modelFolder(std::size_t run) const;
};

/// Trains comparisons on a thread of its own, one after the other. What the thread finds is taken over in the thread of
/// the window a few times a second. While somebody uses the program the thread gives its cores back between two steps.
/// What is trained is kept on the way: after the program's end or its crash it is there again and can go on.
class TrainingService : public QObject {
  Q_OBJECT

 public:
  explicit TrainingService(QObject* parent = nullptr);
  ~TrainingService() override;

  const std::vector<std::unique_ptr<Training>>& all() const { return all_; }
  /// Puts a comparison at the end of the queue; its place among all.
  int add(const QString& name, train::ComparisonSpec spec);
  /// A file that `save` wrote, read in the background: `problemFound` or `opened` with its place.
  void open(const QString& path);
  /// The results of a ready experiment that come with the program, once: `problemFound` or `opened` with their place.
  void openShipped(const std::string& id, const QString& name);
  /// One that was stopped or interrupted goes on where it was, when its turn comes.
  void goOn(int index);
  /// Takes one that is not running off the list, with all that was kept of it.
  void remove(int index);
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
  void opened(int index);   ///< something was read
  void removing();          ///< one is about to be gone: nobody may look at it any more
  void queueChanged();      ///< a comparison came, began or ended, or is paused
  void saved(const QString& path);
  void problemFound(const posiscope::Error& error);

 private:
  using Change = std::function<void(Training&)>;

  using Read = std::function<Expected<train::ComparisonRecord>()>;

  void takeUpWhatWasLeft();
  void readWhatIsKept(const Training& of);
  void openInBackground(const Read& read, const QString& name, const std::string& shipped);
  void startNext();
  void run(const train::ComparisonSpec& spec, const QString& folder, const Job& job);
  train::ComparisonListener listener();
  void post(Change change);
  void takeOver();
  void finish();
  void giveWay(const Job& job) const;

  std::vector<std::unique_ptr<Training>> all_;
  std::set<std::string> being_read_;  ///< ids of ready experiments
  int running_ = -1;
  Job job_;
  Job reading_job_;  ///< of everything that folders hold; stopped with the service
  train::Pause pause_;
  InputWatch input_;
  QTimer tick_;
  QElapsedTimer since_;            ///< of the running one, since its begin or the end of its pause
  qint64 before_pause_ = 0;        ///< milliseconds
  double progress_at_start_ = -1;  ///< when it was first heard of: what is gone on with has some; −1 before that
  std::mutex mutex_;
  std::vector<Change> inbox_;  ///< from the other thread
  QThreadPool thread_;         // these last: joined before anything they use dies
  QThreadPool reading_;
};

}  // namespace posiscope::ui
