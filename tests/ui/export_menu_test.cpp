// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/exporter.h"

#include "tests/ui/open_window.h"
#include "ui/window/message_strip.h"

#include <QAbstractButton>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QImage>
#include <QMenu>
#include <QMessageBox>
#include <QPointer>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <utility>
#include <vector>

namespace posiscope::ui {
namespace {

class ExportMenu : public OpenWindow {
 protected:
  ExportMenu() {
    auto* exporter = window->findChild<Exporter*>();
    exporter->openMenu(0, window->mapToGlobal(QPoint(200, 200)));
    menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    EXPECT_NE(menu, nullptr);
  }

  /// The field that has the focus; null when that is not one.
  QSpinBox* field() const { return qobject_cast<QSpinBox*>(menu->focusWidget()); }

  void press(Qt::Key key) { QTest::keyClick(menu->focusWidget() ? menu->focusWidget() : menu.data(), key); }

  /// As often as the menu has entries.
  bool comeToFields(Qt::Key key) {
    for (qsizetype n = 0; n < menu->actions().size() && !field(); ++n) press(key);
    return field() != nullptr;
  }

  QPointer<QMenu> menu;
};

TEST_F(ExportMenu, theTabKeyGoesThroughTheFieldsOfTheSize) {
  ASSERT_TRUE(comeToFields(Qt::Key_Tab));
  QStringList names;
  for (int n = 0; n < 3 && field(); ++n) {
    names.append(field()->accessibleName());
    press(Qt::Key_Tab);
  }
  EXPECT_EQ(names.join(QLatin1Char('\n')),
            QStringLiteral("Width in pixels of 1/96 inch\nHeight in pixels of 1/96 inch\n"
                           "Resolution of PNG in dots per inch"));
  EXPECT_EQ(field(), nullptr);  // and on to the first entry
  ASSERT_FALSE(menu.isNull());
  EXPECT_TRUE(menu->isVisible());
}

TEST_F(ExportMenu, goesBackThroughTheFields) {
  ASSERT_TRUE(comeToFields(Qt::Key_Down));
  press(Qt::Key_Tab);
  ASSERT_NE(field(), nullptr);
  EXPECT_EQ(field()->accessibleName(), QStringLiteral("Height in pixels of 1/96 inch"));
  press(Qt::Key_Backtab);
  ASSERT_NE(field(), nullptr);
  EXPECT_EQ(field()->accessibleName(), QStringLiteral("Width in pixels of 1/96 inch"));
  press(Qt::Key_Backtab);
  EXPECT_EQ(field(), nullptr);
}

TEST_F(ExportMenu, enterKeepsWhatWasTypedAndCloses) {
  ASSERT_TRUE(comeToFields(Qt::Key_Tab));
  field()->selectAll();
  QTest::keyClicks(field(), QStringLiteral("1234"));
  press(Qt::Key_Up);
  press(Qt::Key_Return);
  EXPECT_TRUE(menu.isNull() || !menu->isVisible());
  EXPECT_EQ(Settings().exportSize().width, 1235);
}

TEST_F(ExportMenu, escapeCloses) {
  ASSERT_TRUE(comeToFields(Qt::Key_Tab));
  press(Qt::Key_Escape);
  EXPECT_TRUE(menu.isNull() || !menu->isVisible());
}

constexpr int patience_ms = 20000;

/// The window with its answers; the first tile shows the numbers of two schemes at least.
class Exporting : public OpenWindow {
 protected:
  Exporting() : exporter(window->findChild<Exporter*>()) {
    Presentation p = window->store().presentation();
    p.tiles[0] = TileState{};
    p.tiles[0].view = "relative_decay";
    window->store().setPresentation(p);
    EXPECT_TRUE(settled());
    QObject::connect(exporter, &Exporter::problemFound, window.get(), [this](const Error& e) { problems.push_back(e); });
    QObject::connect(exporter, &Exporter::exported, window.get(), [this](const QStringList& now) { written += now; });
  }

  QString path(const char* name) const { return folder.filePath(QString::fromLatin1(name)); }
  bool write(const QString& to) {
    exporter->exportTo(0, to);
    return QTest::qWaitFor([this] { return !exporter->writing(); }, patience_ms);
  }
  /// As if this path had been chosen in the dialog.
  void choose(const QString& to) {
    exporter->askAndExport(0, Exporter::Format::csv);
    auto* dialog = window->findChild<QFileDialog*>();
    ASSERT_NE(dialog, nullptr);
    emit dialog->fileSelected(to);
    dialog->close();
  }
  QMessageBox* question() const { return window->findChild<QMessageBox*>(); }

  QTemporaryDir folder;
  Exporter* exporter;
  std::vector<Error> problems;
  QStringList written;
};

TEST_F(Exporting, writesNumbersWithoutHoldingUpTheWindow) {
  QStringList started;
  QObject::connect(exporter, &Exporter::writingStarted, window.get(), [&](const QString& s) { started << s; });
  QSignalSpy ended(exporter, &Exporter::writingEnded);
  exporter->exportTo(0, path("n.csv"));
  EXPECT_TRUE(exporter->writing());
  EXPECT_TRUE(written.isEmpty()) << "the answer comes through the event loop";
  ASSERT_TRUE(QTest::qWaitFor([this] { return !exporter->writing(); }, patience_ms));
  EXPECT_EQ(ended.count(), 1);
  ASSERT_FALSE(started.isEmpty());
  EXPECT_TRUE(started.front().startsWith(QStringLiteral("Writing n."))) << started.front().toStdString();
  EXPECT_FALSE(written.isEmpty());
  for (const QString& file : std::as_const(written)) EXPECT_TRUE(QFile::exists(file)) << file.toStdString();
}

TEST_F(Exporting, tellsHowFarItIsAndStops) {
  Experiment e = window->store().experiment();
  e.shape.seq_len = 4096;
  window->store().setExperiment(e);
  Presentation p = window->store().presentation();
  p.tiles[0].view = "similarity";  // its cells are computed as they are written
  window->store().setPresentation(p);
  ASSERT_TRUE(settled());
  QStringList said;
  QObject::connect(exporter, &Exporter::writingStarted, window.get(), [&](const QString& s) { said << s; });
  exporter->exportTo(0, path("n.csv"));
  ASSERT_TRUE(QTest::qWaitFor(
      [&] {
        return said.size() > 1 && !said.back().contains(QStringLiteral(" 0 %")) &&
               said.back().endsWith(QLatin1Char('%'));
      },
      patience_ms))
      << said.join(QLatin1Char('\n')).toStdString();
  EXPECT_TRUE(said.back().startsWith(QStringLiteral("Writing n."))) << said.back().toStdString();
  const auto* strip = window->findChild<MessageStrip*>();
  ASSERT_NE(strip, nullptr);
  EXPECT_EQ(strip->sentences().count(said.back()), 1);
  EXPECT_EQ(strip->sentences().filter(QStringLiteral("Writing n.")).size(), 1) << "said again, not once more";
  exporter->stopWriting();
  ASSERT_TRUE(QTest::qWaitFor([this] { return !exporter->writing(); }, 2000)) << "not at once";
  for (const QString& name : QDir(folder.path()).entryList(QDir::Files))
    EXPECT_TRUE(name.endsWith(QStringLiteral(".csv"))) << "an unfinished file stayed: " << name.toStdString();
}

TEST_F(Exporting, tellsWhyNumbersCannotBeWritten) {
  ASSERT_TRUE(write(path("no/such/folder/n.csv")));
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems.front().code, ErrorCode::file_write);
}

TEST_F(Exporting, asksBeforeItReplacesOneOfTheNumberedFiles) {
  ASSERT_TRUE(write(path("n.csv")));
  ASSERT_GE(written.size(), 2);
  const QString second = written[1];
  QFile file(second);
  ASSERT_TRUE(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
  file.close();
  ASSERT_TRUE(QFile::remove(written[0]));

  choose(path("n.csv"));
  ASSERT_NE(question(), nullptr);
  EXPECT_TRUE(question()->text().contains(QFileInfo(second).fileName())) << question()->text().toStdString();
  EXPECT_FALSE(exporter->writing());
  EXPECT_EQ(QFileInfo(second).size(), 0);
  for (QAbstractButton* button : question()->buttons())
    if (question()->buttonRole(button) == QMessageBox::AcceptRole) button->click();
  ASSERT_TRUE(QTest::qWaitFor([this] { return !exporter->writing(); }, patience_ms));
  EXPECT_GT(QFileInfo(second).size(), 0);
}

TEST_F(Exporting, doesNotAskAboutFilesItDoesNotWrite) {
  QFile other(path("n.csv"));  // there are several schemes: n.1.csv, n.2.csv
  ASSERT_TRUE(other.open(QIODevice::WriteOnly));
  choose(path("n.csv"));
  EXPECT_EQ(question(), nullptr);
  EXPECT_TRUE(QTest::qWaitFor([this] { return !exporter->writing(); }, patience_ms));
  EXPECT_EQ(other.size(), 0);
}

TEST_F(Exporting, closingWhileWritingLeavesNoHalfFiles) {
  exporter->exportTo(0, path("n.csv"));
  window.reset();
  for (const QString& name : QDir(folder.path()).entryList(QDir::Files))
    EXPECT_TRUE(name.endsWith(QStringLiteral(".csv"))) << name.toStdString();
}

TEST_F(Exporting, anImageTooLargeForTheClipboardIsRefusedWithASentence) {
  QApplication::clipboard()->setText(QStringLiteral("before"));
  Settings().setExportSize({10000, 10000, 1200});
  exporter->copyImage(0);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems.front().code, ErrorCode::too_large);
  EXPECT_EQ(QApplication::clipboard()->text(), QStringLiteral("before"));
  Settings().setExportSize({320, 200, 96});
  exporter->copyImage(0);
  EXPECT_EQ(problems.size(), 1u);
  EXPECT_EQ(QApplication::clipboard()->image().size(), QSize(320, 200));
}

}  // namespace
}  // namespace posiscope::ui
