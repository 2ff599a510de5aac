// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compute.h"
#include "core/latest_job.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <memory>
#include <optional>

namespace posiscope::ui {

/// Turns requests into results on the one compute thread; the newest wins, the running one finishes unless the
/// shape changed or it has run for 250 ms.
class ComputeService : public QObject {
  Q_OBJECT

 public:
  explicit ComputeService(QObject* parent = nullptr);
  ~ComputeService() override;

  void request(const Request& request);
  void cancel();
  const std::shared_ptr<const Result>& result() const { return result_; }
  bool busy() const { return busy_; }

 signals:
  void resultReady(std::shared_ptr<const posiscope::Result> result);
  void busyChanged(bool busy);
  void progressChanged(double fraction);
  void failed(posiscope::Error error);  ///< cancelled by the user

 private:
  void deliver(quint64 number, std::shared_ptr<const Result> result, std::optional<Error> error);
  void finish();

  std::shared_ptr<const Result> result_;
  Request newest_;
  quint64 asked_ = 0;
  quint64 shown_ = 0;
  bool busy_ = false;
  QElapsedTimer running_since_;
  QTimer progress_timer_;
  LatestJob jobs_;  // last: joined before anything it uses dies
};

}  // namespace posiscope::ui
