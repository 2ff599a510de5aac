// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/background_reader.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QEvent>
#include <utility>

namespace posiscope::ui {
namespace {

constexpr int patience_ms = 200;  ///< a message that goes before it can be read only flickers

}  // namespace

BackgroundReader::BackgroundReader(QObject* parent) : QObject(parent) {
  thread_.setMaxThreadCount(1);
  patience_.setSingleShot(true);
  patience_.setInterval(patience_ms);
  connect(&patience_, &QTimer::timeout, this, [this] { emit takesLong(names_.front()); });
}

BackgroundReader::~BackgroundReader() {
  job_.stop();
  thread_.waitForDone();
}

void BackgroundReader::read(const QString& name, Read read) {
  names_.append(name);
  if (names_.size() == 1) patience_.start();
  thread_.start([this, read = std::move(read), job = job_] {
    TakeOver take_over = job.stopped() ? TakeOver() : read(job);
    QMetaObject::invokeMethod(
        this, [this, job, take_over = std::move(take_over)] { finish(job, take_over); }, Qt::QueuedConnection);
  });
}

void BackgroundReader::finish(const Job& job, const TakeOver& take_over) {
  if (job.stopped()) return;
  names_.removeFirst();
  if (names_.isEmpty()) {
    patience_.stop();
    emit ended();
  } else if (!patience_.isActive()) {  // it is told already what is being read
    emit takesLong(names_.front());
  }
  take_over();
}

void BackgroundReader::stop() {
  job_.stop();
  job_ = Job();  // of what is read from now on
  if (names_.isEmpty()) return;
  names_.clear();
  patience_.stop();
  emit ended();
}

bool BackgroundReader::wait(int milliseconds) {
  const QDeadlineTimer deadline(milliseconds);
  while (busy()) {
    if (!thread_.waitForDone(static_cast<int>(deadline.remainingTime()))) return false;
    QCoreApplication::sendPostedEvents(this, QEvent::MetaCall);
  }
  return true;
}

}  // namespace posiscope::ui
