// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/file_questions.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QSettings>
#include <QTemporaryDir>

namespace posiscope::ui {
namespace {

TEST(FileQuestions, beginBesideThePresentFileOrTheNearestFolderAboveIt) {
  const QTemporaryDir folder;
  ASSERT_TRUE(QDir(folder.path()).mkpath(QStringLiteral("a/b")));
  const QString there = folder.filePath(QStringLiteral("a/b"));
  EXPECT_EQ(folderNear(there + QStringLiteral("/t.npy")), there);
  EXPECT_EQ(folderNear(there + QStringLiteral("/gone/away/m.safetensors#wpe.weight")), there);
  EXPECT_EQ(folderNear(QStringLiteral("/gone.npy")), QStringLiteral("/"));
  EXPECT_EQ(folderNear(QStringLiteral("t.npy")), QString());
  EXPECT_EQ(folderNear({}), QString());
}

TEST(FileQuestions, beginElseWhereAFileWasOpenedLast) {
  QSettings().clear();
  Settings settings;
  settings.addRecentFile(QStringLiteral("/models/gpt/s.json"));
  EXPECT_EQ(settings.folder(), QStringLiteral("/models/gpt"));
  QSettings().clear();
}

}  // namespace
}  // namespace posiscope::ui
