// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/training_service.h"

#include <map>
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

TrainingService::TrainingService(QObject* parent) : QObject(parent) {
  thread_.setMaxThreadCount(1);
  tick_.setInterval(tick_ms);
  connect(&tick_, &QTimer::timeout, this, &TrainingService::takeOver);
}

TrainingService::~TrainingService() {
  job_.stop();
  pause_.set(false);
  thread_.waitForDone();
  reading_.waitForDone();
}

int TrainingService::add(const QString& name, train::ComparisonSpec spec) {
  all_.push_back(std::make_unique<Training>());
  all_.back()->name = name;
  all_.back()->record = train::emptyRecord(std::move(spec));
  const int index = static_cast<int>(all_.size()) - 1;
  emit queueChanged();
  startNext();
  return index;
}

void TrainingService::open(const QString& path) {
  reading_.start([this, path] {
    auto read = std::make_shared<Expected<train::ComparisonRecord>>(train::readRecord(path.toStdString()));
    auto opened = std::make_shared<Training>();
    if (*read) {
      opened->record = std::move(**read);
      opened->name = QFileInfo(path).completeBaseName();
      opened->state = Training::State::finished;
      guess(*opened);
    }
    QMetaObject::invokeMethod(
        this,
        [this, read, opened] {
          if (!*read) return emit problemFound(read->error());
          all_.push_back(std::make_unique<Training>(std::move(*opened)));
          emit queueChanged();
          emit changed(static_cast<int>(all_.size()) - 1);
        },
        Qt::QueuedConnection);
  });
}

void TrainingService::save(int index, const QString& path) {
  reading_.start([this, path, record = all_[static_cast<std::size_t>(index)]->record] {
    if (const Outcome ok = train::writeRecord(record, path.toStdString()); !ok)
      QMetaObject::invokeMethod(
          this, [this, error = ok.error()] { emit problemFound(error); }, Qt::QueuedConnection);
    else
      QMetaObject::invokeMethod(
          this, [this, path] { emit saved(path); }, Qt::QueuedConnection);
  });
}

void TrainingService::startNext() {
  if (busy()) return;
  for (std::size_t i = 0; i < all_.size(); ++i) {
    if (all_[i]->state != Training::State::waiting) continue;
    running_ = static_cast<int>(i);
    all_[i]->state = Training::State::running;
    job_ = Job();
    before_pause_ = 0;
    since_.start();
    tick_.start();
    thread_.start([this, spec = all_[i]->record.spec, job = job_] { run(spec, job); });
    return emit queueChanged();
  }
}

/// In the other thread.
void TrainingService::run(const train::ComparisonSpec& spec, const Job& job) {
  auto guesses = std::make_shared<Training>();
  guesses->record.spec = spec;
  guess(*guesses);
  post([guesses](Training& training) {
    training.chance = guesses->chance;
    training.order_blind = guesses->order_blind;
  });
  train::SideBySideOptions options;
  options.pause = &pause_;
  options.folder = folder_.path().toStdString();
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
    train::History& before = (*told)[number];
    const auto news = []<class T>(const std::vector<T>& all, std::vector<T>& old) {
      std::vector<T> fresh(all.begin() + static_cast<std::ptrdiff_t>(old.size()), all.end());
      old.resize(all.size());
      return fresh;
    };
    train::History fresh{news(now.steps, before.steps), news(now.evaluations, before.evaluations),
                         news(now.heads, before.heads)};
    const auto& layout = run.model().layout();
    post([number, fresh = std::move(fresh), size = layout.size, position = layout.positionSize()](Training& training) {
      train::RunRecord& record = training.record.runs[number];
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
  for (const Change& change : changes) change(*all_[static_cast<std::size_t>(running_)]);
  if (!changes.empty()) emit changed(running_);
}

void TrainingService::finish() {
  takeOver();
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
  const double done = progress();
  if (done < known_after) return std::nullopt;
  const qint64 spent = before_pause_ + (paused() ? 0 : since_.elapsed());
  return static_cast<double>(spent) / 1000 * (1 - done) / done;
}

}  // namespace posiscope::ui

#include "moc_training_service.cpp"
