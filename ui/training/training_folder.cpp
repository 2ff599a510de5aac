// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/training_folder.h"

#include "core/files/json_text.h"
#include "core/files/reader.h"
#include "core/train/run_spec_json.h"

#include <algorithm>
#include <array>
#include <QDateTime>
#include <QDir>
#include <QStandardPaths>

namespace posiscope::ui {
namespace {

constexpr std::size_t most_left = 4;

constexpr std::array state_names{"running", "stopped", "finished"};

std::string storyPath(const QString& folder) { return (folder + QStringLiteral("/comparison.json")).toStdString(); }

}  // namespace

QString TrainingFolder::root() {
  return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) + QStringLiteral("/training");
}

TrainingFolder::TrainingFolder(const QString& path) : path_(path), lock_(path + QStringLiteral("/lock")) {
  lock_.setStaleLockTime(0);  // a training may take days; a lock whose process is gone is nobody's all the same
}

TrainingFolder::~TrainingFolder() {
  lock_.unlock();
  if (forgotten_) QDir(path_).removeRecursively();
}

bool TrainingFolder::take() { return lock_.tryLock(0); }

std::unique_ptr<TrainingFolder> TrainingFolder::create(const QString& name, const train::ComparisonSpec& spec) {
  const QString stem = QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss-zzz"));
  for (const QString& place : {root(), QDir::tempPath() + QStringLiteral("/posiscope-training")}) {
    QString path = place + QLatin1Char('/') + stem;
    for (int copy = 2; QDir(path).exists(); ++copy) path = QStringLiteral("%1/%2-%3").arg(place, stem).arg(copy);
    if (!QDir().mkpath(path)) continue;
    std::unique_ptr<TrainingFolder> folder(new TrainingFolder(path));
    if (!folder->take()) continue;
    folder->name_ = name;
    folder->spec_ = spec;
    folder->write();
    return folder;
  }
  return nullptr;
}

std::vector<std::unique_ptr<TrainingFolder>> TrainingFolder::left() {
  std::vector<std::unique_ptr<TrainingFolder>> all;
  const QDir place(root());
  for (const QString& name : place.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
    std::unique_ptr<TrainingFolder> folder(new TrainingFolder(place.filePath(name)));
    if (folder->take() && folder->read()) all.push_back(std::move(folder));
  }
  while (all.size() > most_left) {
    all.front()->forget();
    all.erase(all.begin());
  }
  return all;
}

bool TrainingFolder::isAnyInterrupted() {
  const auto all = left();
  return std::any_of(all.begin(), all.end(), [](const auto& folder) { return folder->state() == State::running; });
}

void TrainingFolder::setState(State state) {
  if (state == state_) return;
  state_ = state;
  write();
}

bool TrainingFolder::read() {
  const Expected<std::string> text = files::readText(storyPath(path_));
  if (!text) return false;
  const Expected<files::JsonText> document = files::parseJson(*text, storyPath(path_));
  if (!document) return false;
  try {
    Expected<train::ComparisonSpec> spec = train::comparisonFromJson(document->root.at("comparison"));
    if (!spec) return false;
    spec_ = std::move(*spec);
    name_ = QString::fromStdString(document->root.at("name").get<std::string>());
    const auto state = std::find(state_names.begin(), state_names.end(), document->root.at("state").get<std::string>());
    if (state == state_names.end()) return false;
    state_ = static_cast<State>(state - state_names.begin());
    return true;
  } catch (const nlohmann::json::exception&) {
    return false;
  }
}

/// A failure shows at the first checkpoint.
void TrainingFolder::write() const {
  const nlohmann::ordered_json story{{"name", name_.toStdString()},
                                     {"state", state_names[static_cast<std::size_t>(state_)]},
                                     {"comparison", train::toJson(spec_)}};
  static_cast<void>(files::writeAtomically(storyPath(path_), story.dump(1) + "\n"));
}

}  // namespace posiscope::ui
