// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/kept_model.h"

#include <array>
#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QStandardPaths>

namespace posiscope::ui {
namespace {

constexpr std::array parts{"config.json", "vocab.json", "model.safetensors"};
constexpr int digits = 8;

QByteArray contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool writeAll(const QByteArray& bytes, const QString& path) {
  QSaveFile file(path);
  return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit();
}

}  // namespace

QString keptModel(const QString& folder) {
  const QDir from(folder);
  QCryptographicHash hash(QCryptographicHash::Sha1);
  for (const char* part : parts) hash.addData(contentOf(from.filePath(QLatin1String(part))));
  const QDir to(QStringLiteral("%1/trained/%2-%3")
                    .arg(QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation), from.dirName(),
                         QString::fromLatin1(hash.result().toHex().left(digits))));
  if (!to.mkpath(QStringLiteral("."))) return {};
  for (const char* part : parts) {
    const QString name = QLatin1String(part);
    const QByteArray bytes = contentOf(from.filePath(name));
    if (bytes.isEmpty()) return {};
    if (contentOf(to.filePath(name)) != bytes && !writeAll(bytes, to.filePath(name))) return {};
  }
  return to.path();
}

}  // namespace posiscope::ui
