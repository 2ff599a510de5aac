// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/open_window.h"

#include "core/files/reader.h"
#include "tests/support/temporary_folder.h"
#include "ui/controls/value_field.h"
#include "ui/window/document.h"
#include "ui/window/message_strip.h"

#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMimeData>
#include <QUrl>
#include <QWindow>

namespace posiscope::ui {
namespace {

class DragAndDrop : public OpenWindow {
 protected:
  /// Through the native window, as the desktop sends it: Qt looks for the widget under the pointer itself. False when
  /// nothing there takes it.
  bool drop(const QMimeData& what, const QPoint& place) {
    QDragEnterEvent enter(place, Qt::CopyAction | Qt::MoveAction, &what, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window->windowHandle(), &enter);
    if (!enter.isAccepted()) return false;
    QDropEvent event(place, Qt::CopyAction, &what, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window->windowHandle(), &event);
    window->document().waitForOpening();
    return event.isAccepted();
  }
  bool drop(const std::string& path, const QPoint& place = {700, 450}) {
    QMimeData what;
    what.setUrls({QUrl::fromLocalFile(QString::fromStdString(path))});
    return drop(what, place);
  }
  QStringList sentences() { return window->messages().sentences(); }

  test::TemporaryFolder folder;
};

TEST_F(DragAndDrop, aModelFolderTakesTheFirstSchemesPlaceAndSaysSoOnce) {
  folder.write("config.json",
               R"({"model_type":"llama","hidden_size":64,"num_attention_heads":8,"max_position_embeddings":128})");
  ASSERT_TRUE(drop(folder.path()));
  EXPECT_EQ(window->store().experiment().shape.d_model, 64);
  EXPECT_EQ(window->store().experiment().schemes.size(), 4U);
  EXPECT_EQ(window->store().experiment().train_length, 128);
  ASSERT_EQ(sentences().size(), 1) << sentences().join('\n').toStdString();
  EXPECT_TRUE(sentences().front().contains(QStringLiteral("opened in place of RoPE; the other schemes stay.")))
      << sentences().front().toStdString();
  EXPECT_TRUE(sentences().front().contains(QStringLiteral("model_type llama")));
  window->store().undo();
  EXPECT_EQ(window->store().experiment().shape.d_model, 4096);
}

TEST_F(DragAndDrop, schemesThatTheModelsSizesDoNotAllowAreNamed) {
  Experiment e = window->store().experiment();
  e.schemes[1] = {"rope", {{"rotary_dim", 32.0}}, "wide", 1, true};
  window->store().reset(e, window->store().presentation());
  folder.write("config.json", R"({"model_type":"llama","hidden_size":64,"num_attention_heads":8})");
  ASSERT_TRUE(drop(folder.path()));
  EXPECT_EQ(window->store().experiment().schemes.size(), 3U);
  EXPECT_TRUE(sentences().front().contains(QStringLiteral("its sizes do not allow wide, which went too.")))
      << sentences().front().toStdString();
}

TEST_F(DragAndDrop, anArrayIsALearnedTable) {
  const std::string path = folder.file("wpe.npy");
  ASSERT_TRUE(files::writeNpy(path, makeArray({6, 4}, std::vector<double>(24, 0.5))));
  ASSERT_TRUE(drop(path));
  const Experiment& e = window->store().experiment();
  EXPECT_EQ(e.schemes.front().id, "learned");
  EXPECT_EQ(e.shape.d_model, 4);
  EXPECT_LE(e.shape.seq_len, 6);
  EXPECT_EQ(sentences().size(), 1) << sentences().join('\n').toStdString();
}

TEST_F(DragAndDrop, aSessionComesBack) {
  const QString path = QString::fromStdString(folder.file("mine.json"));
  const Experiment saved = window->store().experiment();
  ASSERT_TRUE(window->document().saveAs(path));
  window->document().openPreset("gpt-2");
  ASSERT_TRUE(drop(path.toStdString()));
  EXPECT_EQ(window->store().experiment(), saved);
  EXPECT_EQ(window->document().name(), QStringLiteral("mine"));
  EXPECT_TRUE(sentences().isEmpty()) << sentences().join('\n').toStdString();
}

TEST_F(DragAndDrop, aWrongFileIsASentence) {
  const Experiment before = window->store().experiment();
  ASSERT_TRUE(drop(folder.write("holiday.jpg", "no model, no array, no session")));
  EXPECT_EQ(window->store().experiment(), before);
  ASSERT_EQ(sentences().size(), 1);
  EXPECT_TRUE(sentences().front().contains(QStringLiteral("holiday.jpg")));
}

TEST_F(DragAndDrop, aFileOverAFieldIsForTheWindow) {
  const std::string path = folder.file("wpe.npy");
  ASSERT_TRUE(files::writeNpy(path, makeArray({6, 4}, std::vector<double>(24, 0.5))));
  auto* field = window->findChild<ValueField*>();
  const QString text = field->text();
  ASSERT_TRUE(drop(path, field->mapTo(window.get(), field->rect().center())));
  EXPECT_EQ(window->store().experiment().schemes.front().id, "learned");
  EXPECT_FALSE(field->text().contains(QStringLiteral("file:"))) << text.toStdString();
}

TEST_F(DragAndDrop, aTextIsRefused) {
  QMimeData text;
  text.setText(QStringLiteral("not a file"));
  EXPECT_FALSE(drop(text, {700, 450}));
}

}  // namespace
}  // namespace posiscope::ui
