// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Opening as the person in front of the window sees it: it stays usable, and says what it reads and what failed.
#include "tests/ui/open_window.h"

#include "core/files/reader.h"
#include "tests/support/safetensors_bytes.h"
#include "tests/support/small_model.h"
#include "tests/support/temporary_folder.h"
#include "ui/controls/finder.h"
#include "ui/controls/flat_button.h"
#include "ui/state/edits.h"
#include "ui/training/run_strip.h"
#include "ui/training/training_page.h"
#include "ui/window/document.h"
#include "ui/window/message_strip.h"

#include <algorithm>
#include <cmath>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>

namespace posiscope::ui {
namespace {

class Opening : public OpenWindow {
 protected:
  QString model(const std::string& name, int width) {
    return QString::fromStdString(
        folder.write(name, join(R"({"model_type":"llama","hidden_size":)", width,
                                R"(,"num_attention_heads":4,"max_position_embeddings":64})")));
  }
  Document& document() { return window->document(); }
  const Experiment& experiment() { return window->store().experiment(); }
  QStringList sentences() { return window->messages().sentences(); }
  bool says(const QString& part) {
    return std::ranges::any_of(sentences(), [&](const QString& sentence) { return sentence.contains(part); });
  }
  FlatButton* button(const QString& text) {
    for (FlatButton* button : window->messages().findChildren<FlatButton*>())
      if (button->text() == text && button->isVisible()) return button;
    return nullptr;
  }

  test::TemporaryFolder folder;
};

TEST_F(Opening, leavesWhatIsOpenUsableMeanwhile) {
  const Experiment before = experiment();
  document().open(model("a.json", 64));
  EXPECT_EQ(experiment(), before) << "the file is not read in the window's thread";
  Experiment edited = before;
  edited.shape.seq_len = 32;
  window->store().setExperiment(edited);
  document().waitForOpening();
  EXPECT_EQ(experiment().shape.d_model, 64);
  window->store().undo();
  EXPECT_EQ(experiment(), edited) << "what was done meanwhile is not lost";
}

TEST_F(Opening, ofAModelWhoseVocabularyCannotBeReadSaysSo) {
  folder.write("m/config.json", test::smallLlamaConfig());
  folder.write("m/model.safetensors", test::smallModel(test::smallLlama()));
  folder.write("m/tokenizer.json", R"({"model":{"vocab":{"a":-1}}})");
  document().open(QString::fromStdString(folder.file("m")));
  document().waitForOpening();
  EXPECT_EQ(experiment().shape.d_model, 8) << "it is opened all the same";
  EXPECT_TRUE(says(QStringLiteral("the tokens are written as their ids"))) << sentences().join(u'\n').toStdString();
}

TEST_F(Opening, ofSeveralPathsIsInTheirOrderAndTheLastAskedWins) {
  const Experiment before = experiment();
  document().open(QStringList{model("a.json", 64), model("b.json", 32)});
  document().waitForOpening();
  EXPECT_EQ(experiment().shape.d_model, 32);
  window->store().undo();
  EXPECT_EQ(experiment().shape.d_model, 64);
  window->store().undo();
  EXPECT_EQ(experiment(), before);

  document().open(model("a.json", 64));
  document().open(model("b.json", 32));
  document().waitForOpening();
  EXPECT_EQ(experiment().shape.d_model, 32);
  window->store().undo();
  EXPECT_EQ(experiment(), before) << "the first was dropped";
  document().open(model("a.json", 64));
  document().openPreset("gpt-2");
  document().waitForOpening();
  EXPECT_EQ(document().name(), QStringLiteral("GPT-2"));
}

TEST_F(Opening, thatTakesLongIsToldAndCanBeStopped) {
  bool taken = false;
  document().reader().read(QStringLiteral("large.npy"), [&taken](const Job& job) {
    while (!job.stopped()) QTest::qSleep(5);
    return [&taken] { taken = true; };
  });
  EXPECT_TRUE(sentences().isEmpty());
  ASSERT_TRUE(QTest::qWaitFor([this] { return says(QStringLiteral("Reading large.npy…")); }, 5000));
  ASSERT_NE(button(QStringLiteral("Stop")), nullptr);
  QTest::mouseClick(button(QStringLiteral("Stop")), Qt::LeftButton);
  EXPECT_TRUE(sentences().isEmpty()) << sentences().join('\n').toStdString();
  document().waitForOpening();
  QTest::qWait(50);
  EXPECT_FALSE(taken);
}

TEST_F(Opening, putsAwayTheErrorsOfEarlierOnesNotThoseOfItsOwn) {
  const QString bad = QString::fromStdString(folder.write("bad.npy", "no array"));
  const QString worse = QString::fromStdString(folder.write("worse.npy", "no array"));
  document().open(QStringList{bad, worse});
  document().waitForOpening();
  EXPECT_EQ(sentences().size(), 2);
  document().open(QStringList{bad, model("a.json", 64)});
  document().waitForOpening();
  EXPECT_FALSE(says(QStringLiteral("worse.npy")));
  EXPECT_TRUE(says(QStringLiteral("bad.npy")));
  document().open(model("b.json", 32));
  document().waitForOpening();
  EXPECT_FALSE(says(QStringLiteral("bad.npy")));
  document().open(bad);
  document().waitForOpening();
  ASSERT_TRUE(says(QStringLiteral("bad.npy")));
  document().openPreset("gpt-2");
  EXPECT_FALSE(says(QStringLiteral("bad.npy")));
}

TEST_F(Opening, atTheStartOfWhatIsNotThereIsASentence) {
  MainWindow started;
  started.start({QStringLiteral("nosuch.json")});
  ASSERT_EQ(started.messages().sentences().size(), 1)
      << started.messages().sentences().join(QLatin1Char(10)).toStdString();
  EXPECT_TRUE(started.messages().sentences().front().contains(QStringLiteral("nosuch.json")));
  EXPECT_EQ(started.store().experiment(), startExperiment());
}

TEST_F(Opening, ofATrainingComparisonShowsItOnTheBench) {
  const QString file = QString::fromStdString(folder.file("mine.safetensors"));
  ASSERT_TRUE(QFile::copy(QStringLiteral(":/experiments/order.safetensors"), file));
  const Experiment before = experiment();
  document().open(file);
  document().waitForOpening();
  ASSERT_NE(window->training(), nullptr);
  EXPECT_TRUE(window->training()->isVisible());
  const auto shown = [&] {
    const int index = window->training()->strip()->shown();
    return index < 0 ? QString() : window->training()->service().all()[static_cast<std::size_t>(index)]->name;
  };
  EXPECT_TRUE(QTest::qWaitFor([&] { return shown() == QStringLiteral("mine"); }, 60000));
  EXPECT_EQ(experiment(), before);
  EXPECT_TRUE(sentences().isEmpty()) << sentences().join(QLatin1Char('\n')).toStdString();
}

TEST_F(Opening, atTheStartIsDoneBeforeTheWindowAppears) {
  MainWindow started;
  started.start({model("a.json", 64)});
  EXPECT_EQ(started.store().experiment().shape.d_model, 64);
}

/// A session whose table has moved away.
class OpeningWithoutItsTable : public Opening {
 protected:
  OpeningWithoutItsTable() {
    const std::string table = folder.file("t.npy");
    EXPECT_TRUE(files::writeNpy(table, makeArray({64, 512}, std::vector<double>(64 * 512, 0.5))));
    Experiment e;
    e.shape.seq_len = 64;
    e = withScheme(e, "learned");
    const Expected<Experiment> with = withArray(e, "schemes[0].table", *files::readArray(table));
    EXPECT_TRUE(with) << with.error().message.en;
    EXPECT_TRUE(session::save(folder.file("s.json"), *with, "{}", "{}"));
    EXPECT_TRUE(QFile::rename(QString::fromStdString(table), found));
    document().open(QString::fromStdString(folder.file("s.json")));
    document().waitForOpening();
  }
  QString found = QString::fromStdString(folder.file("found.npy"));
};

TEST_F(OpeningWithoutItsTable, asksUntilItIsAnsweredWhateverElseIsSaid) {
  ASSERT_EQ(sentences().size(), 1) << sentences().join('\n').toStdString();
  FlatButton* find = button(QStringLiteral("Find the file…"));
  ASSERT_NE(find, nullptr);
  QTest::mouseClick(find, Qt::LeftButton);
  auto* dialog = window->findChild<QFileDialog*>();
  ASSERT_NE(dialog, nullptr);
  dialog->reject();
  EXPECT_TRUE(says(QStringLiteral("t.npy"))) << "no file was chosen";
  for (const char* other : {"one", "two", "three", "four", "five"})
    window->messages().show(MessageKind::note, QString::fromLatin1(other));
  EXPECT_TRUE(says(QStringLiteral("t.npy"))) << "a question is not pushed out";
  EXPECT_FALSE(says(QStringLiteral("one")));
  const session::MissingArray missing{"schemes[0].table", folder.file("t.npy"), false, {}};
  document().findArray(missing, QString::fromStdString(folder.file("nowhere.npy")));
  document().waitForOpening();
  EXPECT_FALSE(says(QStringLiteral("t.npy is missing")));
  EXPECT_TRUE(says(QStringLiteral("nowhere.npy"))) << "asked again, with what was wrong";
  EXPECT_NE(button(QStringLiteral("Find the file…")), nullptr);
  document().findArray(missing, found);
  document().waitForOpening();
  EXPECT_EQ(button(QStringLiteral("Find the file…")), nullptr);
}

TEST_F(Opening, aFileThatDoesNotSayWhichTableAsks) {
  const std::string header = R"({"bias":{"dtype":"F64","shape":[2],"data_offsets":[0,16]},)"
                             R"("some.table":{"dtype":"F64","shape":[8,4],"data_offsets":[16,272]}})";
  const std::string path = folder.write("m.safetensors", test::safetensorsBytes(header, std::string(272, '\0')));
  QString asked;
  std::vector<TensorChoice> offered;
  TakePath take;
  QObject::connect(&document(), &Document::tensorWanted, &document(),
                   [&](const QString& file, const std::vector<TensorChoice>& choices, const TakePath& then) {
                     asked = file;
                     offered = choices;
                     take = then;
                   });
  document().open(QString::fromStdString(path));
  document().waitForOpening();
  ASSERT_EQ(offered.size(), 1u) << "a vector is no table";
  EXPECT_EQ(offered.front().tensor.name, "some.table");
  take(QStringLiteral("some.table"));
  document().waitForOpening();
  const SchemeChoice& shown = window->store().experiment().schemes.front();
  EXPECT_EQ(shown.id, "learned");
  EXPECT_EQ(std::get<Array>(shown.values.at("table")).shape, (std::vector<std::int64_t>{8, 4}));
}

TEST_F(OpeningWithoutItsTable, offersTheTensorsOfAFileWithSeveral) {
  const std::string header = R"({"bias":{"dtype":"F64","shape":[2],"data_offsets":[0,16]},)"
                             R"("wpe":{"dtype":"F64","shape":[64,512],"data_offsets":[16,262160]}})";
  const std::string path = folder.write("m.safetensors", test::safetensorsBytes(header, std::string(262160, '\0')));
  document().replaceArray("schemes[0].table", QString::fromStdString(path));
  document().waitForOpening();
  Finder* shown = nullptr;
  for (Finder* finder : window->findChildren<Finder*>())
    if (finder->isVisible()) shown = finder;
  ASSERT_NE(shown, nullptr);
  EXPECT_EQ(shown->shownTitles(), (QStringList{QStringLiteral("wpe"), QStringLiteral("bias")}));
  EXPECT_TRUE(shown->search()->placeholderText().contains(QStringLiteral("m.safetensors")));
  shown->search()->setText(QStringLiteral("wpe"));
  QTest::keyClick(shown->search(), Qt::Key_Return);
  document().waitForOpening();
  EXPECT_EQ(std::get<Array>(experiment().schemes[0].values.at("table")).source, path + "#wpe");
  EXPECT_EQ(button(QStringLiteral("Find the file…")), nullptr);
}

TEST_F(Opening, takesAwayWhatWasNotedOnWhatWasOpenBefore) {
  const auto open = [this](const QString& path) {
    document().open(path);
    document().waitForOpening();
  };
  open(model("first.json", 64));
  EXPECT_TRUE(says(QStringLiteral("first")));
  open(QString::fromStdString(folder.file("none.json")));
  EXPECT_TRUE(says(QStringLiteral("first"))) << "it is still open";
  open(model("second.json", 32));
  EXPECT_TRUE(says(QStringLiteral("second")));
  EXPECT_FALSE(says(QStringLiteral("first"))) << sentences().join('\n').toStdString();
  document().openStart();
  EXPECT_FALSE(says(QStringLiteral("second")));
}

TEST_F(Opening, takesAwayWhatAnArrayLooksLikeOnceItsDimensionsAreNamed) {
  const std::string path = folder.file("scores.npy");
  std::vector<double> scores(2 * 3 * 4 * 4);
  for (std::size_t n = 0; n < scores.size(); ++n) scores[n] = std::sin(static_cast<double>(n));
  ASSERT_TRUE(files::writeNpy(path, makeArray({2, 3, 4, 4}, scores)));
  document().open(QString::fromStdString(path));
  document().waitForOpening();
  ASSERT_TRUE(says(QStringLiteral("looks like"))) << sentences().join('\n').toStdString();
  Experiment longer = experiment();
  longer.train_length += 1;
  window->store().setExperiment(longer);
  EXPECT_TRUE(says(QStringLiteral("looks like"))) << "another question about the same";
  window->store().setExperiment(withContentValue(experiment(), "attention_axes", std::string("head,layer,query,key")));
  ASSERT_EQ(experiment().content.attention_axes, "head,layer,query,key");
  EXPECT_FALSE(says(QStringLiteral("looks like"))) << sentences().join('\n').toStdString();
}

TEST_F(Opening, looksAsAFlagSaysForOneRunOnly) {
  window->setLookOfThisRun(Language::chinese, ThemeChoice::dark);
  EXPECT_EQ(window->store().presentation().language, Language::chinese);
  EXPECT_EQ(Settings().language(), Language::english);
  EXPECT_NE(Settings().theme(), ThemeChoice::dark);
  window->setLookOfThisRun(Language::english, ThemeChoice::light);
  Presentation p = window->store().presentation();
  p.theme = ThemeChoice::dark;
  window->store().setPresentation(p);
  EXPECT_EQ(Settings().theme(), ThemeChoice::dark) << "what is chosen in the window is remembered";
}

TEST_F(Opening, thatFailsKeepsTheOfferAboutWhatIsOpen) {
  const QString offer = QStringLiteral("Show its attention");
  window->messages().showNewest(QStringLiteral("next step"), MessageKind::note, QStringLiteral("It can be run."), offer,
                                [] {});
  document().open(QString::fromStdString(folder.write("broken.npy", "no array")));
  document().waitForOpening();
  EXPECT_TRUE(says(QStringLiteral("broken.npy")));
  EXPECT_NE(button(offer), nullptr);
  document().open(model("a.json", 64));
  document().waitForOpening();
  EXPECT_EQ(button(offer), nullptr) << "another model is open now";
}

TEST_F(Opening, messagesFollowTheLanguage) {
  document().open(model("a.json", 64));
  document().waitForOpening();
  ASSERT_TRUE(says(QStringLiteral(" opened"))) << sentences().join('\n').toStdString();
  window->setLookOfThisRun(Language::chinese, {});
  QCoreApplication::processEvents();  // the change of the language is posted
  EXPECT_FALSE(says(QStringLiteral(" opened"))) << sentences().join('\n').toStdString();
  EXPECT_TRUE(says(QStringLiteral("打开"))) << sentences().join('\n').toStdString();
  window->setLookOfThisRun(Language::english, {});
  QCoreApplication::processEvents();
  EXPECT_TRUE(says(QStringLiteral(" opened"))) << sentences().join('\n').toStdString();
}

TEST_F(Opening, ofAFileWithoutUseIsAProblemThatNamesItOnce) {
  const std::string vector = folder.file("vec.npy");
  ASSERT_TRUE(files::writeNpy(vector, makeArray({5}, std::vector<double>(5, 0.5))));
  for (const std::string& path : {vector, folder.write("a.json", R"({"a":1})")}) {
    QString failure;
    QObject listener;
    QObject::connect(&document(), &Document::openingFailed, &listener, [&](const QString& said) { failure = said; });
    document().open(QString::fromStdString(path));
    document().waitForOpening();
    EXPECT_TRUE(failure.startsWith(QString::fromStdString(path) + QStringLiteral(" holds nothing")))
        << failure.toStdString();
    EXPECT_EQ(failure.count(QString::fromStdString(path)), 1) << failure.toStdString();
  }
}

}  // namespace
}  // namespace posiscope::ui
