// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/training_page.h"

#include "core/train/ready_experiments.h"
#include "tests/ui/open_window.h"
#include "ui/controls/choice_box.h"
#include "ui/controls/flat_button.h"
#include "ui/training/attention_maps.h"
#include "ui/training/attention_tab.h"
#include "ui/training/curves_tab.h"
#include "ui/training/encoding_list.h"
#include "ui/training/encoding_names.h"
#include "ui/training/length_tab.h"
#include "ui/training/plot_box.h"
#include "ui/training/run_strip.h"
#include "ui/training/setup_panel.h"
#include "ui/training/start_button.h"
#include "ui/training/summary_tab.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

namespace posiscope::ui {
namespace {

constexpr int patience_ms = 60000;

/// Copy of three symbols by tiny models: a second or two.
train::ComparisonSpec tiny(std::int64_t steps = 24) {
  train::ComparisonSpec spec;
  spec.run.model.d_model = 16;
  spec.run.model.num_heads = 2;
  spec.run.model.num_layers = 2;
  spec.run.model.causal = false;
  spec.run.task.length = 3;
  spec.run.task.symbols = 5;
  spec.run.schedule.steps = steps;
  spec.run.schedule.batch = 8;
  spec.run.schedule.evaluate_every = 6;
  spec.run.schedule.evaluate_count = 16;
  spec.positions = {{"none", {}}, {"learned", {}}, {"rope", {}}};
  spec.seeds = {1, 2};
  return spec;
}

/// One encoding with eight constants: all strokes that there are.
train::ComparisonSpec eight() {
  train::ComparisonSpec spec;
  for (int base = 1; base <= 8; ++base) spec.positions.push_back({"rope", {{"base", 100.0 * base}}});
  return spec;
}

/// Before the page: it takes up what an earlier one has left.
struct NothingLeft {
  NothingLeft() { QDir(TrainingFolder::root()).removeRecursively(); }
};

class TrainingPageTest : public ::testing::Test, NothingLeft {
 protected:
  TrainingPageTest() {
    page.resize(1100, 700);
    page.show();
  }
  void train(const train::ComparisonSpec& spec) {
    page.setup()->setSpec(spec);
    page.setup()->startButton()->click();
    EXPECT_TRUE(QTest::qWaitFor([&] { return !page.service().busy(); }, patience_ms));
  }
  const Training& shown() { return *page.service().all()[static_cast<std::size_t>(page.strip()->shown())]; }

  TrainingPage page;
};

TEST_F(TrainingPageTest, OneButtonTrainsAllEncodingsWithAllSeeds) {
  train(tiny());
  ASSERT_EQ(page.service().all().size(), 1u);
  EXPECT_EQ(shown().state, Training::State::finished);
  ASSERT_EQ(shown().record.runs.size(), 6u);
  for (const train::RunRecord& run : shown().record.runs) {
    EXPECT_EQ(run.steps(), 24);
    EXPECT_TRUE(run.results);
    EXPECT_TRUE(run.results && run.results->shuffled_positions);
  }
}

TEST_F(TrainingPageTest, CurvesHaveABandForEveryEncodingAndTheChanceLine) {
  train(tiny());
  const Plot& plot = page.curves()->box(train::Quantity::evaluation_accuracy)->plot();
  EXPECT_EQ(plot.series.size(), 3u);
  EXPECT_EQ(plot.bands.size(), 3u);
  ASSERT_EQ(plot.marks.size(), 2u);  // chance, order-blind
  EXPECT_DOUBLE_EQ(plot.marks[0].from, 0.2);
  EXPECT_GT(plot.marks[1].from, 0.2);
  // Only the learned table has parameters of position; the others are named, not drawn as 0.
  const Plot& gradient = page.curves()->box(train::Quantity::position_gradient)->plot();
  EXPECT_EQ(gradient.series.size(), 1u);
  ASSERT_FALSE(gradient.notices.empty());
  EXPECT_TRUE(gradient.notices.back().text.contains(QStringLiteral("RoPE")));
}

TEST_F(TrainingPageTest, PlotsAreSavedAsFiguresAndNumbers) {
  PlotBox* box = page.curves()->box(train::Quantity::evaluation_loss);
  EXPECT_FALSE(box->menuButton()->isEnabled());
  train(tiny());
  EXPECT_TRUE(box->menuButton()->isEnabled());
  const QTemporaryDir folder;
  const auto written = [&](const char* name) {
    const QString path = folder.filePath(QLatin1String(name));
    box->exportTo(path);
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  };
  EXPECT_TRUE(written("a.svg").contains("<svg"));
  EXPECT_TRUE(written("a.pdf").startsWith("%PDF"));
  EXPECT_TRUE(written("a.png").startsWith("\x89PNG"));
  EXPECT_TRUE(written("a.txt").isEmpty());
  const QList<QByteArray> lines = written("a.csv").trimmed().split('\n');
  ASSERT_EQ(lines.size(), 1 + 3 * 5);  // three encodings, evaluated at 0, 6, 12, 18 and 24
  EXPECT_EQ(lines[0], "curve,\"steps\",mean,least,largest");
  const PlotSeries& last = box->plot().series[2];
  const QList<QByteArray> cells = lines.back().split(',');
  EXPECT_NEAR(cells[2].toDouble(), last.curve->y.back(), 1e-7);
  EXPECT_NEAR(cells[3].toDouble(), box->plot().bands[2].low->y.back(), 1e-7);
}

TEST_F(TrainingPageTest, AttentionGoesThroughTheSnapshots) {
  page.showTab(1);
  train(tiny());
  AttentionTab* tab = page.attention();
  EXPECT_EQ(tab->steps(), (std::vector<std::int64_t>{0, 1, 2, 4, 8, 16, 24}));
  ASSERT_EQ(tab->maps()->panels().size(), 3u);
  tab->setPlace(0);
  const float before = tab->maps()->panels()[1].weights->at(4, 1);
  tab->setPlace(6);
  EXPECT_NE(tab->maps()->panels()[1].weights->at(4, 1), before);
  EXPECT_FALSE(tab->maps()->panels()[1].facts.isEmpty());
  tab->play(true);
  EXPECT_TRUE(QTest::qWaitFor([&] { return tab->place() == 2; }, patience_ms));
  tab->play(false);
  EXPECT_EQ(tab->scores()->plot().series.size(), 3u);
}

TEST_F(TrainingPageTest, MapsAreReadAndSavedWithTheirNumbers) {
  page.showTab(1);
  train(tiny());
  AttentionMaps* maps = page.attention()->maps();
  const QRectF map = maps->mapOf(1);
  const Field& weights = *maps->panels()[1].weights;
  EXPECT_TRUE(maps->reading(map.topLeft() + QPointF(1, 1)).contains(QStringLiteral("i = 0, j = 0")));
  EXPECT_TRUE(maps->reading(map.topLeft() - QPointF(1, 1)).isEmpty());
  const FigureToExport figure = maps->figure();
  EXPECT_EQ(figure.size, maps->size());
  const QList<QByteArray> lines = QByteArray::fromStdString(figure.csv()).trimmed().split('\n');
  ASSERT_EQ(lines.size(), 1 + 3 * weights.rows() * weights.cols());
  const QList<QByteArray> cells = lines[1 + weights.rows() * weights.cols()].split(',');
  EXPECT_NEAR(cells[3].toDouble(), static_cast<double>(weights.at(0, 0)), 1e-6);
}

TEST_F(TrainingPageTest, BeyondTheLengthShowsTheScalingsOfARotation) {
  page.showTab(2);
  train(tiny());
  const Plot& plot = page.lengths()->byLength()->plot();
  ASSERT_EQ(plot.groups.size(), 6u);  // none, learned, RoPE and its three scalings
  EXPECT_TRUE(plot.groups[5].name.contains(QStringLiteral("YaRN")));
  for (const std::size_t scaling : {3U, 4U, 5U})  // one colour with RoPE, and no dash that any encoding has
    for (std::size_t p = 0; p < 8; ++p) EXPECT_NE(plot.groups[scaling].dashes, encodingDashes(eight(), p));
  for (const PlotGroup& a : plot.groups)
    for (const PlotGroup& b : plot.groups) EXPECT_TRUE(&a == &b || a.colour != b.colour || a.dashes != b.dashes);
  for (const PlotSeries& series : plot.series) EXPECT_EQ(series.curve->x.front(), 1);
  EXPECT_EQ(plot.series[0].curve->x.back(), 8);
}

TEST_F(TrainingPageTest, AFineTuneHasItsOwnCurves) {
  page.showTab(2);
  train(tiny(6));
  EXPECT_FALSE(page.lengths()->fineTune()->isVisible());
  train::ComparisonSpec spec = tiny(6);
  spec.run.fine_tune.steps = 10;
  spec.run.fine_tune.factor = 2;
  train(spec);
  ASSERT_TRUE(page.lengths()->fineTune()->isVisible());
  EXPECT_EQ(page.lengths()->fineTune()->plot().groups.size(), 6u);
}

TEST_F(TrainingPageTest, TheTableSortsByNumbers) {
  page.showTab(3);
  train(tiny());
  QTableWidget* table = page.summary()->table();
  ASSERT_EQ(table->rowCount(), 6);
  constexpr int parameters = 3;
  table->sortByColumn(parameters, Qt::DescendingOrder);
  EXPECT_TRUE(table->item(0, 0)->text().contains(QStringLiteral("Learned"), Qt::CaseInsensitive));
  EXPECT_TRUE(page.summary()->checklist().contains(QStringLiteral("2 seeds")));
  constexpr int index_hit = 11;
  EXPECT_EQ(table->horizontalHeaderItem(index_hit)->text(), QStringLiteral("index hit"));
  EXPECT_FALSE(table->item(0, index_hit)->text().isEmpty());
  EXPECT_FALSE(page.summary()->checklist().contains(QStringLiteral("equally long")));
}

TEST_F(TrainingPageTest, PausesAndStops) {
  page.setup()->setSpec(tiny(100000));
  page.setup()->startButton()->click();
  TrainingService& service = page.service();
  ASSERT_TRUE(QTest::qWaitFor([&] { return shown().record.run(0, 0).steps() > 5; }, patience_ms));
  page.strip()->pauseButton()->click();
  EXPECT_TRUE(service.paused());
  QTest::qWait(600);  // the step under way ends
  const std::int64_t before = shown().record.run(0, 0).steps() + shown().record.run(1, 0).steps();
  QTest::qWait(400);
  EXPECT_EQ(shown().record.run(0, 0).steps() + shown().record.run(1, 0).steps(), before);
  page.strip()->pauseButton()->click();
  EXPECT_TRUE(QTest::qWaitFor(
      [&] { return shown().record.run(0, 0).steps() + shown().record.run(1, 0).steps() > before; }, patience_ms));
  page.strip()->stopButton()->click();
  ASSERT_TRUE(QTest::qWaitFor([&] { return !service.busy(); }, patience_ms));
  EXPECT_EQ(shown().state, Training::State::stopped);
  EXPECT_GT(shown().record.run(0, 0).steps(), 5);
  page.showTab(3);
  EXPECT_TRUE(page.summary()->checklist().contains(QStringLiteral("equally long")));
}

TEST_F(TrainingPageTest, QueuesWhatIsStartedMeanwhile) {
  page.setup()->setSpec(tiny(12));
  page.setup()->startButton()->click();
  page.setup()->startButton()->click();
  ASSERT_EQ(page.service().all().size(), 2u);
  EXPECT_EQ(page.service().all()[1]->state, Training::State::waiting);
  ASSERT_TRUE(QTest::qWaitFor([&] { return !page.service().busy(); }, patience_ms));
  EXPECT_EQ(page.service().all()[1]->state, Training::State::finished);
}

TEST_F(TrainingPageTest, SavesOneFileThatOpensAgain) {
  train(tiny(12));
  const QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("tiny.safetensors"));
  QSignalSpy saved(&page.service(), &TrainingService::saved);
  page.service().save(0, path);
  ASSERT_TRUE(saved.wait(patience_ms));
  page.service().open(path);
  ASSERT_TRUE(QTest::qWaitFor([&] { return page.service().all().size() == 2; }, patience_ms));
  EXPECT_EQ(page.strip()->shown(), 1);
  EXPECT_EQ(train::summaryCsv(shown().record), train::summaryCsv(page.service().all()[0]->record));
  EXPECT_TRUE(shown().chance);
}

TEST_F(TrainingPageTest, TellsTheCostOrWhyItCannotStart) {
  SetupPanel* setup = page.setup();
  setup->setSpec(tiny());
  EXPECT_TRUE(QTest::qWaitFor([&] { return setup->verdict().contains(QStringLiteral("6 runs")); }, patience_ms));
  setup->encodings()->add("conditional");
  EXPECT_TRUE(QTest::qWaitFor([&] { return setup->verdict().contains(QStringLiteral("conditional")); }, patience_ms));
}

TEST_F(TrainingPageTest, TakesOneToEightEncodings) {
  EncodingList* list = page.setup()->encodings();
  list->setPositions({{"none", {}}});
  list->remove(0);
  EXPECT_EQ(list->positions().size(), 1u);
  for (int i = 0; i < 9; ++i) list->add("rope");
  EXPECT_EQ(list->positions().size(), 8u);
}

TEST(TrainingPlots, EightEncodingsCanBeToldApart) {
  const Style style = makeStyle(false, Language::english);
  for (std::size_t a = 0; a < 8; ++a)
    for (std::size_t b = 0; b < a; ++b) {
      EXPECT_NE(encodingColour(eight(), a, style), encodingColour(eight(), b, style));
      EXPECT_NE(encodingDashes(eight(), a), encodingDashes(eight(), b));
    }
}

using TrainingWindow = OpenWindow;

TEST_F(TrainingWindow, OpensByItsShortcutAndKeepsTheViews) {
  EXPECT_EQ(window->training(), nullptr);
  QTest::keyClick(window.get(), Qt::Key_T, Qt::ControlModifier);
  ASSERT_NE(window->training(), nullptr);
  EXPECT_TRUE(window->training()->isVisible());
  QTest::keyClick(window.get(), Qt::Key_T, Qt::ControlModifier);
  EXPECT_FALSE(window->training()->isVisible());
  EXPECT_TRUE(settled());
}

class TrainingInTwoLanguages : NothingLeft, public OpenWindow {
 protected:
  ~TrainingInTwoLanguages() override { speak(Language::english); }
  void speak(Language language) {
    Presentation p = window->store().presentation();
    p.language = language;
    window->store().setPresentation(p);
    QCoreApplication::processEvents();  // the change of the language is posted
  }
};

TEST_F(TrainingInTwoLanguages, WordsAndNamesFollowTheWindow) {
  const auto& ready = train::readyExperiments();
  QTest::keyClick(window.get(), Qt::Key_T, Qt::ControlModifier);
  TrainingPage* page = window->training();
  ASSERT_NE(page, nullptr);
  ASSERT_TRUE(QTest::qWaitFor([&] { return page->service().all().size() == 1; }, patience_ms));
  train::ComparisonSpec spec = ready.back().spec;
  page->service().add(QString::fromStdString(ready.back().name.en), spec);
  spec.run = train::withUsualTask(spec.run, train::TaskKind::copy);
  page->service().add(QStringLiteral("copy"), spec);
  page->showTab(1);
  const auto* which = page->strip()->findChild<ChoiceBox*>();
  Training read;  // from a file that happens to be called like an experiment
  read.name = QString::fromStdString(ready.front().name.en);
  const auto explained = [&](const std::string& text) {
    const QList<QLabel*> labels = page->findChildren<QLabel*>();
    return std::ranges::any_of(
        labels, [&](const QLabel* label) { return label->text().contains(QString::fromStdString(text)); });
  };
  for (const Language language : {Language::chinese, Language::english}) {
    speak(language);
    const Language other = language == Language::english ? Language::chinese : Language::english;
    EXPECT_TRUE(explained(ready.front().look_for.in(language)));
    EXPECT_FALSE(explained(ready.front().look_for.in(other)));
    const auto called = [&](int index) { return which->itemText(index).section(QStringLiteral(" · "), 0, 0); };
    EXPECT_EQ(called(0).toStdString(), ready.front().name.in(language));
    EXPECT_EQ(called(1).toStdString(), ready.back().name.in(language));
    EXPECT_EQ(called(2) == QStringLiteral("copy"), language == Language::english) << called(2).toStdString();
    EXPECT_EQ(shownName(read), read.name);
  }
  page->service().remove(2);
  page->service().stop();
  EXPECT_TRUE(QTest::qWaitFor([&] { return !page->service().busy(); }, patience_ms));
  page->service().remove(1);
}

TEST_F(TrainingPageTest, NothingIsCutInASmallWindow) {
  auto* ready = page.findChild<FlatButton*>(QStringLiteral("ready_order"));
  ASSERT_NE(ready, nullptr);
  ready->click();
  ASSERT_TRUE(QTest::qWaitFor([&] { return page.service().all().size() == 1; }, patience_ms));
  page.resize(720, 384);
  QCoreApplication::processEvents();
  const QList<QWidget*> parts = page.strip()->findChildren<QWidget*>(Qt::FindDirectChildrenOnly);
  for (const QWidget* one : parts)
    for (const QWidget* other : parts) {
      if (one == other || !one->isVisible() || !other->isVisible()) continue;
      EXPECT_FALSE(one->geometry().intersects(other->geometry()))
          << one->accessibleName().toStdString() << " and " << other->accessibleName().toStdString();
    }
  const QLabel* words = nullptr;
  for (const QLabel* label : page.findChildren<QLabel*>())
    if (label->text().contains(QStringLiteral("came with the program"))) words = label;
  ASSERT_NE(words, nullptr);
  EXPECT_GE(words->height(), words->heightForWidth(words->width()));
  const auto* area = qobject_cast<const QScrollArea*>(words->parentWidget()->parentWidget());
  ASSERT_NE(area, nullptr);
  EXPECT_GE(area->height() + area->verticalScrollBar()->maximum(), words->height()) << "the rest can be reached";
  EXPECT_LT(area->height(), page.height() / 2);
}

}  // namespace
}  // namespace posiscope::ui
