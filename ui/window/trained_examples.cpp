// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/trained_examples.h"

#include "core/carried_models.h"

#include <map>
#include <memory>
#include <mutex>
#include <QDir>
#include <QFile>
#include <QSaveFile>
#include <QStandardPaths>
#include <string>

namespace posiscope::ui {
namespace {

QByteArray contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool place(const QString& from, const QString& to) {
  const QByteArray bytes = contentOf(from);
  if (bytes.isEmpty()) return false;
  if (contentOf(to) == bytes) return true;  // and is not touched: it may be open
  QSaveFile file(to);
  return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit();
}

}  // namespace

const std::vector<TrainedExample>& trainedExamples() {
  static const std::vector<TrainedExample> examples{
      {QStringLiteral("trained-rope"),
       {"Trained here: RoPE, text", "本程序训练：RoPE，文本"},
       {"Two layers of four heads, trained on the built-in character text with 64 tokens and a rotary encoding.",
        "两层、每层四个头，以旋转位置编码在内置字符文本上训练，长度为 64 个词元。"}},
      {QStringLiteral("trained-learned"),
       {"Trained here: learned table, text", "本程序训练：可学习位置表，文本"},
       {"The same with a learned table of 64 rows: same data, same start values elsewhere.",
        "与前者相同，但用 64 行的可学习位置表：数据相同，其余参数的初始值也相同。"}},
  };
  return examples;
}

QString placeTrainedExample(const QString& id) {
  const QDir carried(QStringLiteral(":/models/") + id);
  const QDir folder(QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) +
                    QStringLiteral("/models/") + id);
  if (carried.isEmpty() || !folder.mkpath(QStringLiteral("."))) return {};
  for (const QString& name : carried.entryList(QDir::Files))
    if (!place(carried.filePath(name), folder.filePath(name))) return {};
  return folder.path();
}

void carryTrainedExamples() {
  // Every question asks; the files are compared with what the program carries once, and when they have gone.
  setCarriedModels([placed = std::make_shared<std::map<std::string, std::string>>(),
                    mutex = std::make_shared<std::mutex>()](const std::string& name) {
    const std::lock_guard lock(*mutex);
    std::string& folder = (*placed)[name];
    if (folder.empty() || !QFile::exists(QString::fromStdString(folder) + QStringLiteral("/config.json")))
      folder = placeTrainedExample(QStringLiteral("trained-") + QString::fromStdString(name)).toStdString();
    return folder;
  });
}

}  // namespace posiscope::ui
