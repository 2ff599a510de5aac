// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/compute_service.h"

#include <utility>

namespace posiscope::ui {
namespace {

constexpr int progress_interval_ms = 60;

/// What makes requests alike in cost: a slider changes a value, not what is on screen.
std::vector<std::string> measureIds(const Request& request) {
  std::vector<std::string> ids;
  for (const MeasureRequest& measure : request.measures) ids.push_back(measure.id);
  return ids;
}

}  // namespace

ComputeService::ComputeService(QObject* parent) : QObject(parent) {
  progress_timer_.setInterval(progress_interval_ms);
  connect(&progress_timer_, &QTimer::timeout, this, [this] {
    if (const std::optional<Job> job = jobs_.running()) emit progressChanged(job->progress());
  });
}

ComputeService::~ComputeService() = default;

void ComputeService::request(const Request& request) {
  if (request.measures.empty() || request.experiment.schemes.empty()) return;
  if (busy_ ? request == newest_ : result_ && request == result_->request) return;
  const bool shape_changed = !(request.experiment.shape == newest_.experiment.shape);
  const bool too_long =
      busy_ && running_since_.isValid() && static_cast<double>(running_since_.elapsed()) > patience_ms_;
  const auto before = full_ms_.find(measureIds(request));
  newest_ = request;
  spent_ms_ = 0;
  Request first = request;
  first.draft = too_long || (before != full_ms_.end() && before->second > patience_ms_);
  submit(std::move(first), shape_changed || too_long);
  if (busy_) return;
  busy_ = true;
  running_since_.start();
  progress_timer_.start();
  emit busyChanged(true);
}

void ComputeService::submit(Request request, bool stop_running) {
  const quint64 number = ++asked_;
  jobs_.submit(
      [this, number, request = std::move(request), previous = result_](const Job& job) {
        QMetaObject::invokeMethod(this, [this] { running_since_.start(); }, Qt::QueuedConnection);
        // Progress is that of the full answer: a draft does not fill the bar only to empty it again.
        const Job reported = request.draft ? job.part(0, 0) : job;
        Expected<std::shared_ptr<const Result>> answer = compute(request, reported, previous.get());
        // Queued: the calls die with this object, which joins the thread before it goes.
        QMetaObject::invokeMethod(
            this,
            [this, number, answer = std::move(answer)] {
              if (answer)
                deliver(number, *answer, std::nullopt);
              else
                deliver(number, nullptr, answer.error());
            },
            Qt::QueuedConnection);
      },
      stop_running);
}

void ComputeService::cancel() {
  if (!busy_) return;
  jobs_.cancel();
  ++asked_;  // whatever still arrives is not the newest
  finish();
  emit failed(Error{ErrorCode::cancelled, {"The computation was cancelled.", "计算已取消。"}});
}

void ComputeService::deliver(quint64 number, std::shared_ptr<const Result> result, std::optional<Error> error) {
  const bool newest = number == asked_;
  if (result && number > shown_) {
    shown_ = number;
    result_ = std::move(result);
    if (newest) remember(*result_);
    emit resultReady(result_);
  }
  if (number != asked_) return;  // also when a listener has asked anew
  if (result_ && shown_ == number && result_->request.draft) return submit(newest_, false);
  finish();
  if (error) emit failed(*error);
}

/// How long this kind of request takes, its draft included, because what a draft already answers in full is shared.
void ComputeService::remember(const Result& result) {
  spent_ms_ += result.milliseconds;
  if (!result.request.draft) full_ms_[measureIds(result.request)] = spent_ms_;
}

void ComputeService::finish() {
  if (!busy_) return;
  busy_ = false;
  progress_timer_.stop();
  emit busyChanged(false);
}

}  // namespace posiscope::ui

#include "moc_compute_service.cpp"
