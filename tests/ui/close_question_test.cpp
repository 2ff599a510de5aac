// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/open_window.h"

#include "core/files/reader.h"
#include "core/models/model.h"
#include "tests/support/temporary_folder.h"
#include "ui/window/document.h"

#include <QAbstractButton>
#include <QApplication>
#include <QMessageBox>
#include <QTimer>

namespace posiscope::ui {
namespace {

class CloseQuestion : public OpenWindow {
 protected:
  CloseQuestion() { window->store().markSaved(); }  // what a file just opened is

  void showOneTile() {
    Presentation p = window->store().presentation();
    p.tile_count = 1;
    window->store().setPresentation(p);
  }

  /// Closes the window and answers the question, when one comes; whether the window is closed then.
  bool closeWith(QMessageBox::StandardButton answer) {
    asked = false;
    QTimer::singleShot(50, window.get(), [this, answer] {
      auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      if (!box) return;
      asked = true;
      box->button(answer)->click();
    });
    const bool closed = window->close();
    QTest::qWait(100);
    return closed;
  }

  bool asked = false;
};

TEST_F(CloseQuestion, isNotAskedAboutWhatIsInTheFile) {
  EXPECT_FALSE(window->windowTitle().contains(QChar(0x2022)));
  EXPECT_TRUE(closeWith(QMessageBox::Cancel));
  EXPECT_FALSE(asked);
}

TEST_F(CloseQuestion, isAskedAboutTheLayout) {
  showOneTile();
  EXPECT_TRUE(window->windowTitle().contains(QChar(0x2022))) << window->windowTitle().toStdString();
  EXPECT_FALSE(closeWith(QMessageBox::Cancel));
  EXPECT_TRUE(asked);
  EXPECT_TRUE(window->isVisible());
  EXPECT_TRUE(window->store().modified());
}

TEST_F(CloseQuestion, isAskedAboutTheExperiment) {
  Experiment e = window->store().experiment();
  e.shape.seq_len = 65;
  window->store().setExperiment(e);
  EXPECT_TRUE(closeWith(QMessageBox::Discard));
  EXPECT_TRUE(asked);
  EXPECT_FALSE(window->isVisible());
}

/// Something without a session file is opened.
class CloseQuestionAfterOpening : public CloseQuestion {
 protected:
  bool dotted() const { return window->windowTitle().contains(QChar(0x2022)); }
  void open(const std::string& path) {
    window->document().open(QString::fromStdString(path));
    window->document().waitForOpening();
  }
  std::string model() {
    return folder.write("config.json", R"({"model_type":"llama","hidden_size":64,"num_attention_heads":4,)"
                                       R"("max_position_embeddings":64})");
  }
  void edit() {
    Experiment e = window->store().experiment();
    e.shape.seq_len -= 1;
    window->store().setExperiment(e);
  }
  void expectQuestionOnlyAfterAnEdit() {
    EXPECT_FALSE(dotted()) << window->windowTitle().toStdString();
    EXPECT_TRUE(closeWith(QMessageBox::Cancel));
    EXPECT_FALSE(asked);
    window->show();
    edit();
    EXPECT_TRUE(dotted());
    EXPECT_FALSE(closeWith(QMessageBox::Cancel));
    EXPECT_TRUE(asked);
  }

  test::TemporaryFolder folder;
};

TEST_F(CloseQuestionAfterOpening, aModel) {
  const Experiment before = window->store().experiment();
  open(model());
  ASSERT_NE(window->store().experiment(), before);
  expectQuestionOnlyAfterAnEdit();
}

TEST_F(CloseQuestionAfterOpening, aPreset) {
  window->document().openPreset("gpt-2");
  expectQuestionOnlyAfterAnEdit();
}

TEST_F(CloseQuestionAfterOpening, anArray) {
  const std::string path = folder.file("t.npy");
  ASSERT_TRUE(files::writeNpy(path, makeArray({32, 64}, std::vector<double>(32 * 64, 0.5))));
  open(path);
  ASSERT_EQ(window->store().experiment().schemes.front().id, "learned");
  expectQuestionOnlyAfterAnEdit();
}

TEST_F(CloseQuestionAfterOpening, theStartSession) {
  edit();
  window->document().openStart();
  expectQuestionOnlyAfterAnEdit();
}

TEST_F(CloseQuestionAfterOpening, undoneIsAsBeforeIt) {
  Store& store = window->store();
  open(model());
  store.undo();
  EXPECT_FALSE(dotted()) << "nothing was changed before either";
  edit();
  window->document().openPreset("gpt-2");
  EXPECT_FALSE(dotted());
  store.undo();
  EXPECT_TRUE(dotted()) << "the edit is not saved";
  store.redo();
  EXPECT_FALSE(dotted());
}

TEST_F(CloseQuestionAfterOpening, aSessionThatWasSavedMeanwhileIsHeldAgainstItsFile) {
  Store& store = window->store();
  edit();
  const std::string path = folder.file("s.json");
  ASSERT_TRUE(window->document().saveAs(QString::fromStdString(path)));
  window->document().openPreset("gpt-2");
  open(path);
  edit();
  ASSERT_TRUE(window->document().saveAs(QString::fromStdString(path)));
  store.undo();
  EXPECT_TRUE(dotted()) << "the file holds the edit";
  store.undo();
  EXPECT_FALSE(dotted()) << "the preset";
  store.redo();
  EXPECT_TRUE(dotted()) << "the file holds the edit that is not done again yet";
  store.redo();
  EXPECT_FALSE(dotted());
}

}  // namespace
}  // namespace posiscope::ui
