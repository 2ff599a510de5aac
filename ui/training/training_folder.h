// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/run_spec.h"

#include <memory>
#include <QLockFile>
#include <QString>
#include <vector>

namespace posiscope::ui {

/// Where a comparison is kept from its start until somebody saves it or wants it no more: its name, its specification
/// and what the trainer keeps of its runs. When the program ends, or crashes, it stays and can be gone on with. While
/// one of these exists no other window takes the same folder.
class TrainingFolder {
 public:
  enum class State { running, stopped, finished };

  /// A new one, among the user's data or, where nothing can be written there, among temporary files. Null when it
  /// cannot be made at all.
  static std::unique_ptr<TrainingFolder> create(const QString& name, const train::ComparisonSpec& spec);
  /// What earlier runs of the program have left, oldest first. Only the newest few are kept, the others are removed.
  static std::vector<std::unique_ptr<TrainingFolder>> left();
  /// Was one of those cut off while it was trained?
  static bool isAnyInterrupted();
  /// The folder of all of them.
  static QString root();

  ~TrainingFolder();
  TrainingFolder(const TrainingFolder&) = delete;
  TrainingFolder& operator=(const TrainingFolder&) = delete;

  const QString& path() const { return path_; }
  const QString& name() const { return name_; }
  const train::ComparisonSpec& spec() const { return spec_; }
  State state() const { return state_; }
  void setState(State state);
  /// Removed with this object.
  void forget() { forgotten_ = true; }

 private:
  explicit TrainingFolder(const QString& path);
  bool take();
  bool read();
  void write() const;

  QString path_;
  QString name_;
  train::ComparisonSpec spec_;
  State state_ = State::running;
  bool forgotten_ = false;
  QLockFile lock_;
};

}  // namespace posiscope::ui
