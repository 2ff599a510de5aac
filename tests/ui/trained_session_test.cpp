// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sessions of the trained examples on another machine, and of models that are not there any more.
#include "core/model_content.h"
#include "tests/support/temporary_folder.h"
#include "ui/window/document.h"
#include "ui/window/trained_examples.h"

#include <gtest/gtest.h>

#include <QFile>

namespace posiscope::ui {
namespace {

class TrainedSession : public ::testing::Test {
 protected:
  TrainedSession() {
    carryTrainedExamples();
    QObject::connect(&document, &Document::arrayMissing,
                     [this](const session::MissingArray& missing, const QString& sentence) {
                       asked.push_back(missing);
                       questions.append(sentence);
                     });
    QObject::connect(&document, &Document::arraySettled, [this](const QString& file) { settled.append(file); });
  }
  ~TrainedSession() override { QFile::remove(Settings::lastSessionPath()); }

  void open(const QString& path) {
    document.open(path);
    document.waitForOpening();
  }
  /// A session whose content is the model of this folder.
  QString sessionOf(const std::string& model) {
    Experiment e = startExperiment();
    e.shape.seq_len = 16;
    e.content.source = ContentSource::model;
    e.content.model = model;
    const std::string path = folder.file("s.json");
    EXPECT_TRUE(session::save(path, e, "{}", "{}"));
    return QString::fromStdString(path);
  }

  test::TemporaryFolder folder;
  Store store;
  Settings settings;
  Document document{store, settings};
  std::vector<session::MissingArray> asked;
  QStringList questions;
  QStringList settled;
};

TEST_F(TrainedSession, NamesTheExampleNotTheMachinesFolder) {
  const QString example = placeTrainedExample(QStringLiteral("trained-rope"));
  open(example);
  EXPECT_EQ(store.experiment().content.model, "trained:rope");
  const QString path = QString::fromStdString(folder.file("saved.json"));
  ASSERT_TRUE(document.saveAs(path));
  QFile file(path);
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  const QByteArray text = file.readAll();
  EXPECT_TRUE(text.contains("trained:rope"));
  EXPECT_FALSE(text.contains(example.toUtf8())) << text.toStdString();
  EXPECT_TRUE(contentModel(store.experiment().content, Job()));
}

TEST_F(TrainedSession, OfAnotherMachineFindsItsExample) {
  open(sessionOf("/home/else/.local/share/models/trained-rope"));
  EXPECT_TRUE(asked.empty());
  EXPECT_TRUE(contentModel(store.experiment().content, Job()));
}

TEST_F(TrainedSession, AsksForTheFolderOfAModelThatIsNotThere) {
  const std::string gone = folder.file("gone");
  open(sessionOf(gone));
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked.front().where, "content.model");
  EXPECT_EQ(questions.front().toStdString(), "content: the model folder " + gone + " is not there.");
  document.findModel(asked.front(), QString::fromStdString(folder.path()));
  document.waitForOpening();
  EXPECT_EQ(asked.size(), 2U) << "a folder without a model is a reason to ask again";
  EXPECT_TRUE(settled.isEmpty());
  const QString found = placeTrainedExample(QStringLiteral("trained-learned"));
  document.findModel(asked.front(), found);
  document.waitForOpening();
  EXPECT_EQ(settled, QStringList(QString::fromStdString(gone)));
  EXPECT_TRUE(contentModel(store.experiment().content, Job()));
  store.undo();
  EXPECT_EQ(asked.size(), 3U) << "undone, it is missing again";
}

}  // namespace
}  // namespace posiscope::ui
