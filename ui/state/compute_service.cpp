// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/compute_service.h"

#include <utility>

namespace posiscope::ui {
namespace {

constexpr int progress_interval_ms = 60;
/// A job older than this is stopped by a newer question; a younger one finishes, or a drag would show nothing.
constexpr qint64 patience_ms = 250;

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
  const bool too_long = busy_ && running_since_.isValid() && running_since_.elapsed() > patience_ms;
  newest_ = request;
  const quint64 number = ++asked_;
  jobs_.submit(
      [this, number, request, previous = result_](const Job& job) {
        QMetaObject::invokeMethod(this, [this] { running_since_.start(); }, Qt::QueuedConnection);
        Expected<std::shared_ptr<const Result>> answer = compute(request, job, previous.get());
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
      shape_changed || too_long);
  if (busy_) return;
  busy_ = true;
  running_since_.start();
  progress_timer_.start();
  emit busyChanged(true);
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
    emit resultReady(result_);
  }
  if (newest) finish();
  if (newest && error) emit failed(*error);
}

void ComputeService::finish() {
  if (!busy_) return;
  busy_ = false;
  progress_timer_.stop();
  emit busyChanged(false);
}

}  // namespace posiscope::ui

#include "moc_compute_service.cpp"
