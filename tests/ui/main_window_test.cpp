// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/open_window.h"

#include "ui/controls/flat_button.h"
#include "ui/controls/theme.h"
#include "ui/controls/value_field.h"
#include "ui/state/edits.h"
#include "ui/tiles/request.h"
#include "ui/tiles/tile.h"
#include "ui/tiles/tile_grid.h"
#include "ui/tiles/tile_header.h"
#include "ui/tiles/tile_notice.h"
#include "ui/views/list.h"
#include "ui/views/map_view.h"
#include "ui/window/commands.h"
#include "ui/window/document.h"
#include "ui/window/exporter.h"
#include "ui/window/message_strip.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QLabel>
#include <QTemporaryDir>

namespace posiscope::ui {
namespace {

using Window = OpenWindow;

TEST_F(Window, opensAndAnswersWhatIsOnScreenOnly) {
  ASSERT_TRUE(settled());
  const Request shown = requestOf(window->store().experiment(), window->store().presentation());
  EXPECT_EQ(window->service().result()->request, shown);
  QTest::keyClick(window.get(), Qt::Key_1, Qt::ControlModifier);
  EXPECT_EQ(window->store().presentation().tile_count, 1);
  ASSERT_TRUE(settled());
  EXPECT_LT(window->service().result()->request.measures.size(), shown.measures.size());
}

TEST_F(Window, everyViewCanBeChosenAndDrawn) {
  for (const ViewKind& kind : viewCatalogue()) {
    Presentation p = window->store().presentation();
    p.tile_count = 1;
    p.tiles[0] = {kind.id, {}, {}};
    window->store().setPresentation(p);
    ASSERT_TRUE(settled()) << kind.id;
    EXPECT_GE(window->grid().context(0).measure, 0) << kind.id;
    ASSERT_NE(window->grid().tile(0)->view(), nullptr) << kind.id;
    EXPECT_FALSE(window->grid().tile(0)->view()->grab().isNull());
  }
}

TEST_F(Window, whatIsStoppedBeforeItsFirstAnswerSaysSo) {
  ASSERT_TRUE(settled());
  Presentation p = window->store().presentation();
  p.tile_count = 1;
  p.tiles[0] = {"similarity", {}, {}};
  window->store().setPresentation(p);
  window->service().cancel();
  ASSERT_TRUE(window->grid().tile(0)->notice()->isVisible());
  EXPECT_TRUE(window->grid().context(0).stopped);
  QTest::mouseClick(window->grid().tile(0)->notice()->button(), Qt::LeftButton);
  EXPECT_FALSE(window->grid().context(0).stopped);
  ASSERT_TRUE(settled());
}

TEST_F(Window, aCancelledTileOffersToComputeAgain) {
  ASSERT_TRUE(settled());
  Tile* tile = window->grid().tile(0);
  EXPECT_FALSE(tile->notice()->isVisible());
  Experiment e = window->store().experiment();
  e.shape.seq_len = 96;
  window->store().setExperiment(e);
  window->service().cancel();
  EXPECT_TRUE(tile->notice()->isVisible());
  EXPECT_EQ(tile->notice()->button()->text(), QStringLiteral("Compute again"));
  Presentation p = window->store().presentation();
  p.head = 1;  // repaints; whether it asks something else depends on the views
  p.tile_count = 1;
  p.tiles[0] = {"position_table", {}, {}};
  window->store().setPresentation(p);
  ASSERT_TRUE(settled());
  EXPECT_FALSE(tile->notice()->isVisible());  // another question was asked and answered

  e.shape.seq_len = 80;
  window->store().setExperiment(e);
  window->service().cancel();
  p.theme = ThemeChoice::dark;  // the same question: what was cancelled stays so
  window->store().setPresentation(p);
  EXPECT_FALSE(window->service().busy());
  ASSERT_TRUE(tile->notice()->isVisible());
  QTest::mouseClick(tile->notice()->button(), Qt::LeftButton);
  EXPECT_FALSE(tile->notice()->isVisible());
  EXPECT_TRUE(window->service().busy());
  ASSERT_TRUE(settled());
  EXPECT_EQ(window->service().result()->request.experiment.shape.seq_len, 80);
}

TEST_F(Window, undoAndRedoHaveShortcuts) {
  Experiment e = window->store().experiment();
  e.shape.seq_len = 32;
  window->store().setExperiment(e);
  EXPECT_TRUE(window->commands().undo->isEnabled());
  QTest::keyClick(window.get(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(window->store().experiment().shape.seq_len, 64);
  QTest::keyClick(window.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_EQ(window->store().experiment().shape.seq_len, 32);
}

TEST_F(Window, undoWorksWhileAValueFieldHasTheFocus) {
  Experiment e = window->store().experiment();
  e.shape.seq_len = 32;
  window->store().setExperiment(e);
  window->activateWindow();
  auto* field = window->findChild<ValueField*>();
  ASSERT_NE(field, nullptr);
  field->setFocus();
  QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(window->store().experiment().shape.seq_len, 64);
}

TEST_F(Window, aRangeSelectedInOneViewShowsInAllThatAreLinked) {
  ASSERT_TRUE(settled());
  const auto zoomOf = [this](int tile) {
    return qobject_cast<MapView*>(window->grid().tile(tile)->view())->scene().zoom;
  };
  ASSERT_EQ(window->store().presentation().tiles[0].view, "position_table");
  ASSERT_EQ(window->store().presentation().tiles[2].view, "attention_weights");
  emit window->grid().tile(0)->view()->selected({{"i", {3.5, 9.5}}});
  EXPECT_FALSE(window->store().presentation().tiles[0].zoom) << "the selection comes instead of it";
  ASSERT_TRUE(zoomOf(0));
  EXPECT_EQ(zoomOf(0)->y0, 3.5);
  EXPECT_EQ(zoomOf(2), (Zoom{3.5, 9.5, 3.5, 9.5}));
  emit window->grid().tile(2)->view()->fitWanted();
  EXPECT_TRUE(window->store().presentation().selection.empty());
  EXPECT_FALSE(zoomOf(0));
  EXPECT_FALSE(zoomOf(2));
}

TEST_F(Window, maximisesWithADoubleClickAndComesBackWithEscape) {
  FlatButton* title = window->grid().tile(2)->header()->title();
  QTest::mouseDClick(title, Qt::LeftButton);
  EXPECT_EQ(window->store().presentation().maximised, 2);
  EXPECT_TRUE(window->grid().tile(2)->isVisible());
  EXPECT_FALSE(window->grid().tile(0)->isVisible());
  QTest::keyClick(window.get(), Qt::Key_Escape);
  EXPECT_EQ(window->store().presentation().maximised, -1);
}

TEST_F(Window, switchesLanguageAndThemeWhileRunning) {
  ASSERT_TRUE(settled());
  window->commands().language->trigger();
  ASSERT_TRUE(QTest::qWaitFor([this] { return window->commands().save->text() == QStringLiteral("保存"); }, 3000));
  bool chinese_section = false;
  for (const QLabel* label : window->findChildren<QLabel*>())
    chinese_section |= label->text() == QStringLiteral("形状");
  EXPECT_TRUE(chinese_section);
  window->commands().theme_dark->trigger();
  EXPECT_TRUE(currentStyle().dark);
  EXPECT_LT(window->grab().toImage().pixelColor(700, 10).lightness(), 60);
  window->commands().theme_light->trigger();
  window->commands().language->trigger();
  EXPECT_TRUE(QTest::qWaitFor([this] { return window->commands().save->text() == QStringLiteral("Save"); }, 3000));
}

TEST_F(Window, foldsWhenNarrow) {
  window->resize(1024, 700);
  QTest::qWait(20);
  EXPECT_TRUE(window->grid().narrow());
  window->resize(1440, 900);
  QTest::qWait(20);
  EXPECT_FALSE(window->grid().narrow());
}

TEST_F(Window, savesAndOpensTheSamePicture) {
  ASSERT_TRUE(settled());
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("a session.json"));
  Presentation p = window->store().presentation();
  p.tile_count = 2;
  window->store().setPresentation(p);
  Experiment e = window->store().experiment();
  e.shape.seq_len = 48;
  window->store().setExperiment(e);
  EXPECT_TRUE(window->store().modified());
  ASSERT_TRUE(window->document().saveAs(path));
  EXPECT_FALSE(window->store().modified());
  EXPECT_EQ(window->document().name(), QStringLiteral("a session"));
  window->document().openPreset("gpt-2");
  EXPECT_NE(window->store().experiment(), e);
  window->document().open(path);
  window->document().waitForOpening();
  EXPECT_EQ(window->store().experiment(), e);
  EXPECT_EQ(window->store().presentation().tile_count, 2);
  EXPECT_FALSE(window->store().modified());
}

TEST_F(Window, aFileThatCannotBeOpenedIsAStripNotABox) {
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("broken.npy"));
  QFile file(path);
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write("not an array");
  file.close();
  const Experiment before = window->store().experiment();
  window->document().open(path);
  window->document().waitForOpening();
  ASSERT_EQ(window->messages().sentences().size(), 1);
  EXPECT_TRUE(window->messages().sentences().front().contains(QStringLiteral("broken.npy")));
  EXPECT_TRUE(window->messages().isVisible());
  EXPECT_EQ(window->store().experiment(), before);
}

TEST_F(Window, aSchemeTooManyIsRefusedWithTheReason) {
  Experiment e = window->store().experiment();
  while (static_cast<int>(e.schemes.size()) < max_schemes) e = withScheme(e, "alibi");
  window->store().setExperiment(e);
  window->commands().add_scheme->trigger();
  EXPECT_EQ(window->messages().sentences(), QStringList{QStringLiteral("At most 6 schemes can be compared at once")});
}

TEST_F(Window, openingAModelIsOneUndoStep) {
  const Experiment before = window->store().experiment();
  window->document().openPreset("gpt-2");
  EXPECT_EQ(window->store().experiment().schemes.front().id, "learned");
  window->store().undo();
  EXPECT_EQ(window->store().experiment(), before);
}

TEST_F(Window, theLastSessionComesBack) {
  Experiment e = window->store().experiment();
  e.shape.seq_len = 37;
  window->store().setExperiment(e);
  window->document().keepLast();
  MainWindow next;
  next.start({});
  EXPECT_EQ(next.store().experiment(), e);
  EXPECT_FALSE(next.store().modified());
  QFile::remove(Settings::lastSessionPath());
}

TEST_F(Window, theLastSessionIsCalledSoInTheLanguageOfTheWindow) {
  window->document().keepLast();
  MainWindow next;
  next.start({});
  const auto titleIn = [&next](Language language) {
    Presentation p = next.store().presentation();
    p.language = language;
    next.store().setPresentation(p);
    QCoreApplication::processEvents();  // the change of the language is posted
    return next.windowTitle();
  };
  EXPECT_EQ(titleIn(Language::chinese), QStringLiteral("上次会话"));
  EXPECT_EQ(titleIn(Language::english), QStringLiteral("last session"));
  QFile::remove(Settings::lastSessionPath());
}

TEST_F(Window, theLastSessionComesBackWithItsFile) {
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("mine.json"));
  ASSERT_TRUE(window->document().saveAs(path));
  const Experiment saved = window->store().experiment();
  {
    MainWindow next;
    next.start({});
    EXPECT_EQ(next.document().path(), path);
    EXPECT_EQ(next.document().name(), QStringLiteral("mine"));
    EXPECT_EQ(next.store().experiment(), saved);
    EXPECT_FALSE(next.store().modified());
    EXPECT_FALSE(next.store().canUndo());
  }
  Experiment e = saved;
  e.shape.seq_len = 37;
  window->store().setExperiment(e);
  window->document().keepLast();
  {
    MainWindow next;
    next.start({});
    EXPECT_EQ(next.document().path(), path);
    EXPECT_EQ(next.store().experiment(), e);
    EXPECT_TRUE(next.store().modified());
    next.store().undo();
    EXPECT_EQ(next.store().experiment(), saved);
    EXPECT_FALSE(next.store().modified());
  }
  ASSERT_TRUE(QFile::remove(path));  // from here on a question without a file
  MainWindow next;
  next.start({});
  EXPECT_TRUE(next.document().path().isEmpty()) << "the file is gone";
  EXPECT_EQ(next.store().experiment(), e);
  QFile::remove(Settings::lastSessionPath());
}

TEST_F(Window, everyControlIsReachedByTabAndHasAName) {
  ASSERT_TRUE(settled());
  QSet<const QWidget*> reached;
  QWidget* at = window.get();
  do {
    at = at->nextInFocusChain();
    if (at->isVisible() && (at->focusPolicy() & Qt::TabFocus)) reached.insert(at);
  } while (at != window.get());
  EXPECT_GT(reached.size(), 30);
  for (const QWidget* control : reached)
    EXPECT_FALSE(control->accessibleName().isEmpty())
        << control->metaObject()->className() << ' ' << control->objectName().toStdString();
}

TEST_F(Window, everyCommandHasANameInBothLanguages) {
  for (const Language language : {Language::english, Language::chinese}) {
    Presentation p = window->store().presentation();
    p.language = language;
    window->store().setPresentation(p);
    QTest::qWait(20);
    for (const QAction* action : window->commands().all()) EXPECT_FALSE(action->text().isEmpty());
  }
  Presentation p = window->store().presentation();
  p.language = Language::english;
  window->store().setPresentation(p);
}

TEST_F(Window, aNewExportTakesThePlaceOfTheLastOnesMessage) {
  auto* strip = window->findChild<MessageStrip*>();
  auto* exporter = window->findChild<Exporter*>();
  strip->clear();
  strip->show(MessageKind::note, QStringLiteral("something else"));
  for (const char* name : {"a.svg", "b.svg", "b.svg", "c.svg"}) emit exporter->exported({QString::fromLatin1(name)});
  EXPECT_EQ(strip->sentences(), (QStringList{QStringLiteral("something else"), QStringLiteral("Exported: c.svg")}));
}

}  // namespace
}  // namespace posiscope::ui
