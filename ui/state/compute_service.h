// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compute.h"
#include "core/latest_job.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace posiscope::ui {

/// Turns requests into results on the one compute thread; the newest wins, the running one finishes unless the
/// shape changed or it has run for 250 ms. Where an answer takes that long a draft of it comes first.
class ComputeService : public QObject {
  Q_OBJECT

 public:
  explicit ComputeService(QObject* parent = nullptr);
  ~ComputeService() override;

  void request(const Request& request);
  void cancel();
  const std::shared_ptr<const Result>& result() const { return result_; }
  bool busy() const { return busy_; }
  /// How long an answer may take before it is stopped by a newer question and announced by a draft.
  void setPatience(double milliseconds) { patience_ms_ = milliseconds; }

 signals:
  void resultReady(std::shared_ptr<const posiscope::Result> result);
  void busyChanged(bool busy);
  void progressChanged(double fraction);
  void failed(posiscope::Error error);  ///< cancelled by the user

 private:
  void submit(Request request, bool stop_running);
  void deliver(quint64 number, std::shared_ptr<const Result> result, std::optional<Error> error);
  void remember(const Result& result);
  void finish();

  std::shared_ptr<const Result> result_;
  Request newest_;
  std::map<std::vector<std::string>, double> full_ms_;  ///< of the last full answer with these measures
  double spent_ms_ = 0;                                 ///< on the newest request so far
  double patience_ms_ = 250;
  quint64 asked_ = 0;
  quint64 shown_ = 0;
  bool busy_ = false;
  QElapsedTimer running_since_;
  QTimer progress_timer_;
  LatestJob jobs_;  // last: joined before anything it uses dies
};

}  // namespace posiscope::ui
