// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/reader.h"
#include "tests/support/safetensors_bytes.h"
#include "ui/state/edits.h"
#include "ui/window/document.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

namespace posiscope::ui {
namespace {

/// An open session, rotary encoding and a learned table whose file has moved away since.
class MissingArray : public ::testing::Test {
 protected:
  MissingArray() {
    QObject::connect(&document, &Document::arrayMissing,
                     [this](const session::MissingArray& missing, const QString& sentence) {
                       asked.push_back(missing);
                       questions.append(sentence);
                     });
    QObject::connect(&document, &Document::openingFailed,
                     [this](const QString& sentence) { problems.append(sentence); });
    QObject::connect(&document, &Document::arraySettled, [this](const QString& file) { settled.append(file); });
    QObject::connect(&document, &Document::tensorWanted,
                     [this](const QString&, const std::vector<TensorChoice>& choices, const auto& take) {
                       offered = choices;
                       takeTensor = take;
                     });
    const std::string before = folder.filePath(QStringLiteral("gone.npy")).toStdString();
    EXPECT_TRUE(files::writeNpy(before, makeArray({512, 512}, std::vector<double>(512 * 512, 0.5))));
    Experiment e = withScheme(withScheme({}, "rope"), "learned");
    const Expected<Experiment> with = withArray(e, "schemes[1].table", *files::readArray(before));
    EXPECT_TRUE(with);
    const QString session = folder.filePath(QStringLiteral("s.json"));
    EXPECT_TRUE(session::save(session.toStdString(), *with, "{}", "{}"));
    EXPECT_TRUE(QFile::rename(QString::fromStdString(before), found));
    open(session);
  }
  ~MissingArray() override { QFile::remove(Settings::lastSessionPath()); }

  void open(const QString& path) {
    document.open(path);
    document.waitForOpening();
  }
  void find(const session::MissingArray& missing, const QString& path) {
    document.findArray(missing, path);
    document.waitForOpening();
  }

  QTemporaryDir folder;
  QString found = folder.filePath(QStringLiteral("found.npy"));
  Store store;
  Settings settings;
  Document document{store, settings};
  std::vector<session::MissingArray> asked;
  QStringList questions;  ///< the sentence of each asked
  QStringList problems;
  QStringList settled;
  std::vector<TensorChoice> offered;
  std::function<void(const QString&)> takeTensor;
};

/// A .safetensors file of F64 tensors of shape (512, 512), each full of its own index.
std::string writeTensors(const QTemporaryDir& folder, const char* name, const std::vector<std::string>& tensors) {
  constexpr std::size_t count = 512 * 512, bytes = count * sizeof(double);
  std::string header, data;
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    header += join(t ? "," : "", "\"", tensors[t], "\":{\"dtype\":\"F64\",\"shape\":[512,512],\"data_offsets\":[",
                   t * bytes, ",", (t + 1) * bytes, "]}");
    const std::vector<double> numbers(count, static_cast<double>(t));
    data.append(reinterpret_cast<const char*>(numbers.data()), bytes);
  }
  const std::string path = folder.filePath(QString::fromUtf8(name)).toStdString();
  EXPECT_TRUE(files::writeAtomically(path, test::safetensorsBytes("{" + header + "}", data)));
  return path;
}

TEST_F(MissingArray, isFoundWhereItsSchemeStandsByThen) {
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0].where, "schemes[1].table");
  store.setExperiment(withScheme(withoutScheme(store.experiment(), 0), "learned"));
  find(asked[0], found);
  EXPECT_EQ(problems, QStringList());
  const Value& table = store.experiment().schemes.at(0).values.at("table");
  EXPECT_EQ(std::get<Array>(table).source, found.toStdString());
  EXPECT_EQ(std::get<Array>(table).size(), 512 * 512);
  EXPECT_TRUE(store.experiment().schemes.at(1).values.empty()) << "the other table did not ask for it";
  store.undo();
  EXPECT_TRUE(isMissing(store.experiment().schemes.at(0).values.at("table")));
}

TEST_F(MissingArray, isAskedForAgainWhenItsFindingIsUndone) {
  ASSERT_EQ(asked.size(), 1U);
  const QString question = questions.back();
  find(asked[0], found);
  EXPECT_EQ(settled, QStringList{QString::fromStdString(asked[0].path)});
  store.undo();
  ASSERT_EQ(asked.size(), 2U);
  EXPECT_EQ(questions.back(), question);
  store.redo();
  EXPECT_EQ(settled.size(), 2);
  EXPECT_EQ(asked.size(), 2U);
}

TEST_F(MissingArray, whatItsFileHoldsBesideNumbersIsTold) {
  ASSERT_EQ(asked.size(), 1U);
  QFile file(found);
  ASSERT_TRUE(file.open(QIODevice::Append));
  file.write("x");
  file.close();
  QSignalSpy notes(&document, &Document::noteFound);
  find(asked[0], found);
  ASSERT_EQ(notes.count(), 1);
  EXPECT_EQ(QString(notes.at(0).at(0).value<Sentence>()),
            found + QStringLiteral(": 1 byte after the numbers is not read"));
}

TEST_F(MissingArray, thatNoSchemeWaitsForIsSaid) {
  ASSERT_EQ(asked.size(), 1U);
  store.setExperiment(withSchemeDefaults(store.experiment(), 1));
  const Experiment before = store.experiment();
  find(asked[0], found);
  ASSERT_EQ(problems.size(), 1);
  EXPECT_TRUE(problems.front().contains(QStringLiteral("gone.npy"))) << problems.front().toStdString();
  EXPECT_EQ(settled.size(), 1) << "nothing is left to ask";
  EXPECT_EQ(store.experiment(), before);
}

TEST_F(MissingArray, staysNamedInTheFileAfterEditsAndASave) {
  store.setExperiment(withDuplicate(withoutScheme(store.experiment(), 0), 0));
  ASSERT_TRUE(document.saveAs(document.path()));
  asked.clear();
  document.openStart();
  open(folder.filePath(QStringLiteral("s.json")));
  EXPECT_EQ(asked.size(), 2U);
}

TEST_F(MissingArray, staysAskedWhileTheFileWillNotDo) {
  ASSERT_EQ(asked.size(), 1U);
  const Experiment before = store.experiment();
  const QString other = folder.filePath(QStringLiteral("other.npy"));
  ASSERT_TRUE(files::writeNpy(other.toStdString(), makeArray({2, 3}, std::vector<double>(6))));
  const session::MissingArray wanted = asked[0];
  for (const QString& wrong : {folder.filePath(QStringLiteral("nowhere.npy")), other}) {
    const std::size_t times = asked.size();
    find(wanted, wrong);
    ASSERT_EQ(asked.size(), times + 1) << wrong.toStdString();
    EXPECT_EQ(asked.back().path, wanted.path);
    EXPECT_TRUE(questions.back().startsWith(QStringLiteral("Learned, table: "))) << questions.back().toStdString();
    EXPECT_EQ(store.experiment(), before);
  }
  EXPECT_EQ(problems, QStringList());
  find(wanted, found);
  EXPECT_EQ(std::get<Array>(store.experiment().schemes.at(1).values.at("table")).source, found.toStdString());
}

/// The learned table was the tensor "wpe" of a model file.
class MissingTensor : public MissingArray {
 protected:
  MissingTensor() {
    const std::string before = writeTensors(folder, "gone.safetensors", {"wte", "wpe"});
    const Expected<Experiment> with =
        withArray(withScheme({}, "learned"), "schemes[0].table", *files::readArray(before + "#wpe"));
    EXPECT_TRUE(with);
    const QString session = folder.filePath(QStringLiteral("t.json"));
    EXPECT_TRUE(session::save(session.toStdString(), *with, "{}", "{}"));
    EXPECT_TRUE(QFile::remove(QString::fromStdString(before)));
    asked.clear();
    questions.clear();
    open(session);
    settled.clear();  // what the session before waited for
  }
  const Array& table() const { return std::get<Array>(store.experiment().schemes.at(0).values.at("table")); }
};

TEST_F(MissingTensor, isTheOneOfItsNameInTheFoundFile) {
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_TRUE(asked[0].path.ends_with("gone.safetensors#wpe")) << asked[0].path;
  const std::string path = writeTensors(folder, "moved.safetensors", {"wte", "wpe"});
  find(asked[0], QString::fromStdString(path));
  EXPECT_EQ(asked.size(), 1U);
  EXPECT_EQ(table().source, path + "#wpe");
  EXPECT_EQ(table().data()[0], 1);
}

TEST_F(MissingTensor, isTheOnlyOneOfTheFoundFile) {
  ASSERT_EQ(asked.size(), 1U);
  const std::string path = writeTensors(folder, "one.safetensors", {"positions"});
  find(asked[0], QString::fromStdString(path));
  EXPECT_EQ(asked.size(), 1U);
  EXPECT_EQ(table().source, path + "#positions");
}

TEST_F(MissingTensor, isChosenWhereTheFoundFileHasNoneOfItsName) {
  ASSERT_EQ(asked.size(), 1U);
  const std::string path = writeTensors(folder, "other.safetensors", {"q", "k"});
  find(asked[0], QString::fromStdString(path));
  ASSERT_EQ(offered.size(), 2U);
  EXPECT_TRUE(settled.isEmpty()) << "nothing is chosen yet";
  takeTensor(QStringLiteral("k"));
  document.waitForOpening();
  EXPECT_EQ(table().source, path + "#k");
  EXPECT_EQ(table().data()[0], 1);
  EXPECT_EQ(settled, QStringList(QString::fromStdString(asked[0].path)));
  EXPECT_EQ(problems, QStringList());
}

TEST_F(MissingTensor, chosenWithTheFileButtonNeedsNoNameWhenAlone) {
  const std::string one = writeTensors(folder, "one.safetensors", {"positions"});
  document.replaceArray("schemes[0].table", QString::fromStdString(one));
  document.waitForOpening();
  EXPECT_EQ(problems, QStringList());
  EXPECT_EQ(table().source, one + "#positions");
  EXPECT_EQ(settled, QStringList(QString::fromStdString(asked[0].path))) << "the question is answered this way, too";
}

TEST_F(MissingTensor, chosenWithTheFileButtonIsAskedForAmongSeveralThoseThatFitFirst) {
  const std::string narrow = "\"a_bias\":{\"dtype\":\"F64\",\"shape\":[2],\"data_offsets\":[0,16]}";
  const std::string fit = "\"wpe\":{\"dtype\":\"F64\",\"shape\":[512,512],\"data_offsets\":[16,2097168]}";
  const std::string path = folder.filePath(QStringLiteral("two.safetensors")).toStdString();
  ASSERT_TRUE(files::writeAtomically(
      path, test::safetensorsBytes("{" + narrow + "," + fit + "}", std::string(16 + 512 * 512 * 8, '\0'))));
  document.replaceArray("schemes[0].table", QString::fromStdString(path));
  document.waitForOpening();
  ASSERT_EQ(offered.size(), 2U);
  EXPECT_EQ(offered[0].tensor.name, "wpe");
  EXPECT_TRUE(offered[0].unfit.isEmpty()) << offered[0].unfit.toStdString();
  EXPECT_EQ(offered[1].tensor.name, "a_bias");
  EXPECT_TRUE(offered[1].unfit.contains(QStringLiteral("got (2,)"))) << offered[1].unfit.toStdString();
  EXPECT_TRUE(isMissing(store.experiment().schemes.at(0).values.at("table"))) << "nothing is chosen yet";
  store.setExperiment(withScheme(store.experiment(), "rope"));
  store.setExperiment(withMoved(store.experiment(), 0, 1));
  takeTensor(QStringLiteral("wpe"));
  document.waitForOpening();
  EXPECT_EQ(std::get<Array>(store.experiment().schemes.at(1).values.at("table")).source, path + "#wpe")
      << "the scheme it was chosen for, wherever it stands by now";
}

TEST_F(MissingTensor, readForASchemeThatIsGoneIsSaid) {
  document.replaceArray("schemes[0].table", QString::fromStdString(writeTensors(folder, "one.safetensors", {"p"})));
  store.setExperiment(withScheme(withoutScheme(store.experiment(), 0), "rope"));
  const Experiment before = store.experiment();
  document.waitForOpening();
  EXPECT_EQ(problems.size(), 1);
  EXPECT_EQ(store.experiment(), before);
}

/// A session whose content waits for two arrays of one file.
TEST_F(MissingArray, ofTheContentIsGivenToAllThatWaitForItsFile) {
  const std::string both = folder.filePath(QStringLiteral("both.npy")).toStdString();
  ASSERT_TRUE(files::writeNpy(both, makeArray({8, 64, 64}, std::vector<double>(8 * 64 * 64, 0.25))));
  Experiment e = withScheme({}, "rope");
  e.content.source = ContentSource::arrays;
  e.content.q = e.content.k = *files::readArray(both);
  const QString session = folder.filePath(QStringLiteral("c.json"));
  ASSERT_TRUE(session::save(session.toStdString(), e, "{}", "{}"));
  const QString moved = folder.filePath(QStringLiteral("moved.npy"));
  ASSERT_TRUE(QFile::rename(QString::fromStdString(both), moved));
  asked.clear();
  open(session);
  ASSERT_EQ(asked.size(), 2U);
  settled.clear();  // what the session before waited for
  find(asked[1], moved);
  EXPECT_EQ(store.experiment().content.q.source, moved.toStdString());
  EXPECT_EQ(store.experiment().content.k.source, moved.toStdString());
  EXPECT_EQ(settled, QStringList(QString::fromStdString(both)));
}

}  // namespace
}  // namespace posiscope::ui
