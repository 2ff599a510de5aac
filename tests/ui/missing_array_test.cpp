// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/reader.h"
#include "ui/state/edits.h"
#include "ui/window/document.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QTemporaryDir>

namespace posiscope::ui {
namespace {

/// An open session, rotary encoding and a learned table whose file has moved away since.
class MissingArray : public ::testing::Test {
 protected:
  MissingArray() {
    QObject::connect(&document, &Document::arrayMissing,
                     [this](const session::MissingArray& missing, const QString&) { asked.push_back(missing); });
    QObject::connect(&document, &Document::problemFound, [this](const QString& sentence) { problems.append(sentence); });
    const std::string before = folder.filePath(QStringLiteral("gone.npy")).toStdString();
    EXPECT_TRUE(files::writeNpy(before, makeArray({512, 512}, std::vector<double>(512 * 512, 0.5))));
    Experiment e = withScheme(withScheme({}, "rope"), "learned");
    const Expected<Experiment> with = withArray(e, "schemes[1].table", *files::readArray(before));
    EXPECT_TRUE(with);
    const QString session = folder.filePath(QStringLiteral("s.json"));
    EXPECT_TRUE(session::save(session.toStdString(), *with, "{}", "{}"));
    EXPECT_TRUE(QFile::rename(QString::fromStdString(before), found));
    document.open(session);
  }
  ~MissingArray() override { QFile::remove(Settings::lastSessionPath()); }

  QTemporaryDir folder;
  QString found = folder.filePath(QStringLiteral("found.npy"));
  Store store;
  Settings settings;
  Document document{store, settings};
  std::vector<session::MissingArray> asked;
  QStringList problems;
};

TEST_F(MissingArray, isFoundWhereItsSchemeStandsByThen) {
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0].where, "schemes[1].table");
  store.setExperiment(withScheme(withoutScheme(store.experiment(), 0), "learned"));
  document.findArray(asked[0], found);
  EXPECT_EQ(problems, QStringList());
  const Value& table = store.experiment().schemes.at(0).values.at("table");
  EXPECT_EQ(std::get<Array>(table).source, found.toStdString());
  EXPECT_EQ(std::get<Array>(table).size(), 512 * 512);
  EXPECT_TRUE(store.experiment().schemes.at(1).values.empty()) << "the other table did not ask for it";
  store.undo();
  EXPECT_TRUE(isMissing(store.experiment().schemes.at(0).values.at("table")));
}

TEST_F(MissingArray, thatNoSchemeWaitsForIsSaid) {
  ASSERT_EQ(asked.size(), 1U);
  store.setExperiment(withSchemeDefaults(store.experiment(), 1));
  const Experiment before = store.experiment();
  document.findArray(asked[0], found);
  ASSERT_EQ(problems.size(), 1);
  EXPECT_TRUE(problems.front().contains(QStringLiteral("gone.npy"))) << problems.front().toStdString();
  EXPECT_EQ(store.experiment(), before);
}

TEST_F(MissingArray, staysNamedInTheFileAfterEditsAndASave) {
  store.setExperiment(withDuplicate(withoutScheme(store.experiment(), 0), 0));
  ASSERT_TRUE(document.saveAs(document.path()));
  asked.clear();
  document.openStart();
  document.open(folder.filePath(QStringLiteral("s.json")));
  EXPECT_EQ(asked.size(), 2U);
}

}  // namespace
}  // namespace posiscope::ui
