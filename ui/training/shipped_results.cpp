// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/shipped_results.h"

#include <QFile>
#include <QTemporaryDir>

namespace posiscope::ui {
namespace {

QString resource(const std::string& id) {
  return QStringLiteral(":/experiments/%1.safetensors").arg(QString::fromStdString(id));
}

}  // namespace

bool hasShippedResults(const std::string& id) { return QFile::exists(resource(id)); }

Expected<train::ComparisonRecord> readShippedResults(const std::string& id) {
  // The reader maps files; what the program carries is none.
  const QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("results.safetensors"));
  QFile::copy(resource(id), path);
  return train::readRecord(path.toStdString());
}

}  // namespace posiscope::ui
