// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/training_service.h"

#include "core/train/kept_record.h"
#include "ui/training/shipped_results.h"

#include <map>
#include <QCoreApplication>
#include <QDate>
#include <QFileInfo>
#include <QThread>

namespace posiscope::ui {
namespace {

constexpr int tick_ms = 200;
constexpr qint64 quiet_ms = 200;       ///< after the last input
constexpr int longest_wait_ms = 1000;  ///< of one step: somebody who never rests must not stop a training for ever
constexpr double known_after = 0.01;   ///< of the whole
constexpr std::int64_t blind_examples = 1024;

void guess(Training& training) {
  const train::RunSpec& run = training.record.spec.run;
  const auto task = train::makeTask(run.task, run.model.causal);
  if (!task) return;  // the runs say why
  training.chance = train::chanceGuess(run.task, **task);
  training.order_blind = train::orderBlindGuess(run.task, run.model.causal, **task, 1, blind_examples);
}

}  // namespace

QString Training::modelFolder(std::size_t run) const {
  if (!folder || (state == State::running && !record.runs[run].results)) return {};
  const std::string path = train::runFolder(folder->path().toStdString(), record.runs[run].spec, run);
  const QString model = QString::fromStdString(path);
  return QFileInfo::exists(model + QStringLiteral("/config.json")) ? model : QString();
}

TrainingService::TrainingService(QObject* parent) : QObject(parent) {
  thread_.setMaxThreadCount(1);
  tick_.setInterval(tick_ms);
  connect(&tick_, &QTimer::timeout, this, &TrainingService::takeOver);
  takeUpWhatWasLeft();
}

TrainingService::~TrainingService() {
  job_.stop();
  reading_job_.stop();
  pause_.set(false);
  thread_.waitForDone();
  reading_.waitForDone();
  for (const auto& training : all_)
    if (training->folder && training->saved) training->folder->forget();
}

/// What was finished but not saved is read again by training it: nothing of it is left to be done.
void TrainingService::takeUpWhatWasLeft() {
  for (std::unique_ptr<TrainingFolder>& folder : TrainingFolder::left()) {
    auto training = std::make_unique<Training>();
    training->name = folder->name();
    training->record = train::emptyRecord(folder->spec());
    const bool finished = folder->state() == TrainingFolder::State::finished;
    training->state = finished ? Training::State::waiting : Training::State::interrupted;
    training->folder = std::move(folder);
    if (!finished) readWhatIsKept(*training);
    all_.push_back(std::move(training));
  }
  startNext();
}

/// What an interrupted one has found so far is seen before anybody goes on with it.
void TrainingService::readWhatIsKept(const Training& of) {
  reading_.start([this, of = &of, spec = of.record.spec, folder = of.folder->path()] {
    Expected<train::ComparisonRecord> record = train::readKept(spec, folder.toStdString(), reading_job_);
    if (!record) return;
    auto kept = std::make_shared<Training>();
    kept->record = std::move(*record);
    guess(*kept);
    QMetaObject::invokeMethod(
        this,
        [this, of, kept] {
          for (std::size_t i = 0; i < all_.size(); ++i) {
            Training& training = *all_[i];
            // It may have been removed, or gone on with and so told again, meanwhile.
            if (&training != of || training.state != Training::State::interrupted) continue;
            training.record = std::move(kept->record);
            training.chance = kept->chance;
            training.order_blind = kept->order_blind;
            emit changed(static_cast<int>(i));
          }
        },
        Qt::QueuedConnection);
  });
}

int TrainingService::add(const QString& name, train::ComparisonSpec spec) {
  all_.push_back(std::make_unique<Training>());
  all_.back()->name = name;
  all_.back()->folder = TrainingFolder::create(name, spec);
  all_.back()->record = train::emptyRecord(std::move(spec));
  const int index = static_cast<int>(all_.size()) - 1;
  emit queueChanged();
  startNext();
  return index;
}

void TrainingService::openInBackground(const Read& read, const QString& name, const std::string& shipped) {
  reading_.start([this, read, name, shipped] {
    auto found = std::make_shared<Expected<train::ComparisonRecord>>(read());
    auto opened_one = std::make_shared<Training>();
    if (*found) {
      opened_one->record = std::move(**found);
      opened_one->name = name;
      opened_one->state = Training::State::finished;
      opened_one->shipped = shipped;
      guess(*opened_one);
    }
    QMetaObject::invokeMethod(
        this,
        [this, found, opened_one, shipped] {
          being_read_.erase(shipped);
          if (!*found) return emit problemFound(found->error());
          all_.push_back(std::make_unique<Training>(std::move(*opened_one)));
          emit queueChanged();
          emit opened(static_cast<int>(all_.size()) - 1);
        },
        Qt::QueuedConnection);
  });
}

void TrainingService::open(const QString& path) {
  openInBackground([path] { return train::readRecord(path.toStdString()); }, QFileInfo(path).completeBaseName(), {});
}

void TrainingService::openShipped(const std::string& id, const QString& name) {
  for (std::size_t i = 0; i < all_.size(); ++i)
    if (all_[i]->shipped == id) return emit opened(static_cast<int>(i));
  if (being_read_.insert(id).second) openInBackground([id] { return readShippedResults(id); }, name, id);
}

void TrainingService::save(int index, const QString& path) {
  Training* training = all_[static_cast<std::size_t>(index)].get();
  const bool whole = training->state == Training::State::finished;
  reading_.start([this, path, training, whole, record = training->record] {
    const Outcome ok = train::writeRecord(record, path.toStdString());
    QMetaObject::invokeMethod(
        this,
        [this, path, training, whole, ok] {
          if (!ok) return emit problemFound(ok.error());
          for (const auto& one : all_)
            if (one.get() == training) one->saved = whole;
          emit saved(path);
        },
        Qt::QueuedConnection);
  });
}

void TrainingService::goOn(int index) {
  Training& training = *all_[static_cast<std::size_t>(index)];
  if (!training.canGoOn()) return;
  for (train::RunRecord& run : training.record.runs) run.refused = {};  // the rest is seen until it is told again
  training.state = Training::State::waiting;
  emit queueChanged();
  startNext();
}

void TrainingService::remove(int index) {
  if (index == running_) return;
  emit removing();
  const auto place = all_.begin() + index;
  if ((*place)->folder) (*place)->folder->forget();
  all_.erase(place);
  if (running_ > index) --running_;
  emit queueChanged();
}

void TrainingService::startNext() {
  if (busy()) return;
  for (std::size_t i = 0; i < all_.size(); ++i) {
    if (all_[i]->state != Training::State::waiting) continue;
    running_ = static_cast<int>(i);
    all_[i]->state = Training::State::running;
    job_ = Job();
    before_pause_ = 0;
    progress_at_start_ = -1;
    since_.start();
    tick_.start();
    if (all_[i]->folder) all_[i]->folder->setState(TrainingFolder::State::running);
    const QString folder = all_[i]->folder ? all_[i]->folder->path() : QString();
    thread_.start([this, spec = all_[i]->record.spec, folder, job = job_] { run(spec, folder, job); });
    return emit queueChanged();
  }
}

/// In the other thread.
void TrainingService::run(const train::ComparisonSpec& spec, const QString& folder, const Job& job) {
  auto guesses = std::make_shared<Training>();
  guesses->record.spec = spec;
  guess(*guesses);
  post([guesses](Training& training) {
    training.chance = guesses->chance;
    training.order_blind = guesses->order_blind;
  });
  train::SideBySideOptions options;
  options.pause = &pause_;
  options.folder = folder.toStdString();
  options.between_steps = [&] { giveWay(job); };
  const Outcome ok = train::trainSideBySide(spec, job, options, listener());
  post([stopped = !ok](Training& training) {
    training.state = stopped ? Training::State::stopped : Training::State::finished;
  });
  QMetaObject::invokeMethod(this, &TrainingService::finish, Qt::QueuedConnection);
}

train::ComparisonListener TrainingService::listener() {
  train::ComparisonListener to;
  auto told = std::make_shared<std::map<std::size_t, train::History>>();  // only its sizes grow: what was told
  to.advanced = [this, told](std::size_t number, const train::TrainingRun& run) {
    const train::History& now = run.history();
    const bool first = !told->contains(number);  // all of it is told, also what was known when it was gone on with
    train::History& before = (*told)[number];
    const auto news = []<class T>(const std::vector<T>& all, std::vector<T>& old) {
      std::vector<T> fresh(all.begin() + static_cast<std::ptrdiff_t>(old.size()), all.end());
      old.resize(all.size());
      return fresh;
    };
    train::History fresh{news(now.steps, before.steps), news(now.evaluations, before.evaluations),
                         news(now.heads, before.heads)};
    const auto& layout = run.model().layout();
    post([number, first, fresh = std::move(fresh), size = layout.size,
          position = layout.positionSize()](Training& training) {
      train::RunRecord& record = training.record.runs[number];
      if (first) record.history = {};
      record.parameters = size;
      record.position_parameters = position;
      const auto append = [](auto& to_all, const auto& more) { to_all.insert(to_all.end(), more.begin(), more.end()); };
      append(record.history.steps, fresh.steps);
      append(record.history.evaluations, fresh.evaluations);
      append(record.history.heads, fresh.heads);
    });
  };
  to.snapshot = [this](std::size_t number, std::int64_t step, const Array& attention) {
    post([=](Training& training) { training.record.runs[number].attention.insert_or_assign(step, attention); });
  };
  to.measured = [this](std::size_t number, const train::Results& results) {
    post([=](Training& training) { training.record.runs[number].results = results; });
  };
  to.refused = [this](std::size_t number, const Text& why) {
    post([=](Training& training) { training.record.runs[number].refused = why; });
  };
  to.not_kept = [this](const Error& error) {
    QMetaObject::invokeMethod(
        this, [this, error] { emit problemFound(error); }, Qt::QueuedConnection);
  };
  return to;
}

void TrainingService::giveWay(const Job& job) const {
  for (int waited = 0; waited < longest_wait_ms && !job.stopped() && !input_.isQuiet(quiet_ms); waited += 20)
    QThread::msleep(20);
}

void TrainingService::post(Change change) {
  const std::lock_guard lock(mutex_);
  inbox_.push_back(std::move(change));
}

void TrainingService::takeOver() {
  if (!busy()) return;
  std::vector<Change> changes;
  {
    const std::lock_guard lock(mutex_);
    changes.swap(inbox_);
  }
  if (progress_at_start_ < 0 && progress() > 0) progress_at_start_ = progress();
  for (const Change& change : changes) change(*all_[static_cast<std::size_t>(running_)]);
  if (!changes.empty()) emit changed(running_);
}

void TrainingService::finish() {
  takeOver();
  Training& ended = *all_[static_cast<std::size_t>(running_)];
  ended.record.version = QCoreApplication::applicationVersion().toStdString();
  ended.record.date = QDate::currentDate().toString(Qt::ISODate).toStdString();
  if (ended.folder)
    ended.folder->setState(ended.state == Training::State::finished ? TrainingFolder::State::finished
                                                                    : TrainingFolder::State::stopped);
  running_ = -1;
  pause_.set(false);
  tick_.stop();
  emit queueChanged();
  startNext();
}

void TrainingService::setPaused(bool paused) {
  if (!busy() || paused == pause_.isSet()) return;
  if (paused)
    before_pause_ += since_.elapsed();
  else
    since_.start();
  pause_.set(paused);
  emit queueChanged();
}

void TrainingService::stop() {
  job_.stop();
  pause_.set(false);
}

std::optional<double> TrainingService::remainingSeconds() const {
  const double done = progress() - progress_at_start_;
  if (progress_at_start_ < 0 || done < known_after) return std::nullopt;
  const qint64 spent = before_pause_ + (paused() ? 0 : since_.elapsed());
  return static_cast<double>(spent) / 1000 * (1 - progress()) / done;
}

}  // namespace posiscope::ui

#include "moc_training_service.cpp"
