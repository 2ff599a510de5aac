// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/document.h"

#include "core/compute.h"
#include "core/files/reader.h"
#include "core/models/model.h"
#include "core/train/comparison_record.h"
#include "tests/support/small_model.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <QFile>
#include <QTemporaryDir>

namespace posiscope::ui {
namespace {

/// A document in whose four tiles a part is zoomed.
class OpenDocument : public ::testing::Test {
 protected:
  OpenDocument() {
    store.reset(startExperiment(), startPresentation());
    Presentation p = store.presentation();
    for (TileState& tile : p.tiles) tile.zoom = Zoom{1, 2, 3, 4};
    store.setPresentation(p);
  }
  bool zoomed() const {
    return std::ranges::any_of(store.presentation().tiles, [](const TileState& tile) { return tile.zoom.has_value(); });
  }

  Store store;
  Settings settings;
  Document document{store, settings};
};

TEST_F(OpenDocument, keepsTheZoomWhileTheQuestionIsEdited) {
  Experiment e = store.experiment();
  e.shape.seq_len += 1;
  store.setExperiment(e);
  EXPECT_TRUE(zoomed());
}

TEST_F(OpenDocument, showsTheWholeOfAnotherPreset) {
  document.openPreset(models::presets().front().id);
  EXPECT_FALSE(zoomed());
}

TEST_F(OpenDocument, showsTheStartAsAFreshWindowDoes) {
  document.openStart();
  EXPECT_EQ(store.presentation().tiles, startPresentation().tiles);
}

TEST_F(OpenDocument, showsTheWholeOfAnotherModel) {
  const QTemporaryDir folder;
  QFile config(folder.filePath(QStringLiteral("config.json")));
  ASSERT_TRUE(config.open(QIODevice::WriteOnly));
  config.write(R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 8, "num_hidden_layers": 2,
                   "max_position_embeddings": 512, "rope_theta": 10000})");
  config.close();
  document.open(folder.path());
  document.waitForOpening();
  EXPECT_EQ(store.experiment().shape.d_model, 64);
  EXPECT_FALSE(zoomed());
}

TEST_F(OpenDocument, showsAttentionStoredElsewhere) {
  const QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("dump.npy"));
  const Array attention = makeArray({2, 2, 2}, {1, 0, 0.25, 0.75, 1, 0, 0.5, 0.5});
  ASSERT_TRUE(files::writeNpy(path.toStdString(), attention));
  Presentation p = store.presentation();
  for (TileState& tile : p.tiles) tile.view = "waves";
  store.setPresentation(p);
  QString notes;
  QObject::connect(&document, &Document::noteFound, &document, [&](const QString& note) { notes = note; });
  document.open(path);
  document.waitForOpening();
  EXPECT_EQ(store.experiment().content.source, ContentSource::attention);
  EXPECT_EQ(*store.experiment().content.attention.values, *attention.values);
  EXPECT_EQ(store.experiment().shape.num_heads, 2);
  ASSERT_EQ(store.experiment().schemes.size(), 1U);
  EXPECT_EQ(store.experiment().schemes[0].id, "none");
  const auto views = [this] {
    std::vector<std::string> shown;
    for (const TileState& tile : store.presentation().tiles) shown.push_back(tile.view);
    return shown;
  };
  const std::vector<std::string> drawn{"attention_weights", "attention_by_offset", "heads", "attention_row"};
  EXPECT_EQ(views(), drawn) << "no view of an encoding that plays no part";
  store.undo();
  EXPECT_EQ(views(), std::vector<std::string>(4, "waves")) << "one step";
  EXPECT_NE(store.experiment().content.source, ContentSource::attention);
  store.redo();
  EXPECT_EQ(views(), drawn);

  // What is hidden is no reason to leave the maps out of sight; what draws attention already stays.
  store.undo();
  Presentation one = store.presentation();
  one.tile_count = 1;
  one.tiles[2].view = "attention_weights";
  one.tiles[3].view = "head_kinds";
  store.setPresentation(one);
  document.open(path);
  document.waitForOpening();
  EXPECT_EQ(views(), (std::vector<std::string>{"attention_weights", "attention_by_offset", "heads", "head_kinds"}));
  EXPECT_TRUE(notes.contains(QStringLiteral("attention weights [heads, queries, keys]"))) << notes.toStdString();

  // A session with it asks for the file when that is gone.
  const QString session = folder.filePath(QStringLiteral("session.json"));
  ASSERT_TRUE(document.saveAs(session));
  ASSERT_TRUE(QFile::remove(path));
  document.openStart();
  std::string asked;
  QObject::connect(&document, &Document::arrayMissing, &document,
                   [&](const session::MissingArray& missing, const QString&) { asked = missing.where; });
  document.open(session);
  document.waitForOpening();
  EXPECT_EQ(asked, "content.attention");

  document.openPreset(models::presets().front().id);
  EXPECT_NE(store.experiment().content.source, ContentSource::attention) << "it has sizes of its own";
}

TEST_F(OpenDocument, offersTheAttentionOfAModelWithWeights) {
  test::TemporaryFolder folder;
  folder.write("m/config.json", test::smallLlamaConfig());
  int offered = 0;
  QObject::connect(&document, &Document::modelOpened, &document, [&] { ++offered; });
  const auto open = [&](const std::string& path) {
    document.open(QString::fromStdString(path));
    document.waitForOpening();
  };
  open(folder.file("m"));
  EXPECT_EQ(offered, 0) << "without weights there is nothing to run";
  folder.write("m/model.safetensors", test::smallModel(test::smallLlama()));
  open(folder.file("m"));
  EXPECT_EQ(offered, 1);
  Presentation p = store.presentation();
  for (TileState& tile : p.tiles) tile.view = "waves";
  store.setPresentation(p);
  const Experiment before = store.experiment();
  document.showModelAttention();
  EXPECT_EQ(store.experiment().content.source, ContentSource::model);
  EXPECT_LE(store.experiment().shape.seq_len, 64);
  EXPECT_EQ(store.presentation().tiles[0].view, "attention_weights");
  const auto result = compute({store.experiment(), {{"attention_weights", {}}}}, Job{});
  ASSERT_TRUE(result);
  EXPECT_TRUE((*result)->answers[0][0].dataset);
  store.undo();
  EXPECT_EQ(store.experiment(), before) << "one step";
  EXPECT_EQ(store.presentation().tiles[0].view, "waves");
}

TEST_F(OpenDocument, takesTheTokensBesideAModelAndSaysSo) {
  test::TemporaryFolder folder;
  folder.write("m/config.json", test::smallLlamaConfig());
  folder.write("m/model.safetensors", test::smallModel(test::smallLlama()));
  QString noted;
  QObject::connect(&document, &Document::noteFound, &document, [&](const QString& sentence) { noted = sentence; });
  const auto show = [&](const Array& ids) {
    ASSERT_TRUE(files::writeNpy(folder.file("m/tokens.npy"), ids));
    document.open(QString::fromStdString(folder.file("m")));
    document.waitForOpening();
    document.showModelAttention();
  };
  show(makeArray({5}, {3, 1, 4, 1, 5}));
  EXPECT_EQ(store.experiment().content.token_file.size(), 5);
  EXPECT_EQ(store.experiment().shape.seq_len, 5);
  EXPECT_TRUE(noted.contains(QStringLiteral("The tokens are those of tokens.npy"))) << noted.toStdString();
  EXPECT_TRUE(noted.contains(QStringLiteral("Length 5 of 64"))) << noted.toStdString();
  EXPECT_FALSE(noted.contains(QStringLiteral("segments.npy"))) << noted.toStdString();
  ASSERT_TRUE(files::writeNpy(folder.file("m/segments.npy"), makeArray({5}, {0, 0, 0, 1, 1})));
  show(makeArray({5}, {3, 1, 4, 1, 5}));
  EXPECT_TRUE(noted.contains(QStringLiteral("segments.npy in the model's folder is not taken"))) << noted.toStdString();
  show(makeArray({5}, {3, 1, 4, 1, 10}));
  EXPECT_TRUE(store.experiment().content.token_file.empty());
  EXPECT_TRUE(noted.contains(QStringLiteral("not those of tokens.npy"))) << noted.toStdString();
}

TEST_F(OpenDocument, passesATrainingComparisonOn) {
  const Experiment before = store.experiment();
  const test::TemporaryFolder folder;
  const std::string file = train::recordPath(folder.file("t"));
  folder.write("t/comparison.safetensors", "");
  train::ComparisonSpec spec;
  spec.positions = {{"rope", {}}};
  spec.seeds = {1};
  ASSERT_TRUE(train::writeRecord(train::emptyRecord(spec), file));
  QStringList found;
  QObject::connect(&document, &Document::comparisonFound, &document, [&](const QString& path) { found << path; });
  for (const std::string& path : {file, folder.file("t")}) {
    document.open(QString::fromStdString(path));
    document.waitForOpening();
  }
  EXPECT_EQ(found, QStringList(2, QString::fromStdString(file)));
  EXPECT_EQ(store.experiment(), before);
  EXPECT_EQ(settings.recentFiles().value(0), QString::fromStdString(file));
}

TEST_F(OpenDocument, warnsOfValuesOfASessionThatAreNotUsed) {
  const test::TemporaryFolder folder;
  QString warned, noted;
  QObject::connect(&document, &Document::warningFound, &document, [&](const QString& sentence) { warned = sentence; });
  QObject::connect(&document, &Document::noteFound, &document, [&](const QString& sentence) { noted = sentence; });
  const auto open = [&](const char* base) {
    document.open(QString::fromStdString(folder.write(
        "s.json", join(R"({"posiscope_session": 1, "schemes": [{"id": "rope", "values": {"base": )", base, "}}]}"))));
    document.waitForOpening();
  };
  open("-4");
  EXPECT_TRUE(warned.contains(QStringLiteral("10000 is used"))) << warned.toStdString();
  warned.clear();
  open("500000");
  EXPECT_TRUE(warned.isEmpty()) << warned.toStdString();
}

TEST_F(OpenDocument, bringsBackTheZoomOfASession) {
  const QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("zoomed.json"));
  ASSERT_TRUE(document.saveAs(path));
  document.openStart();
  ASSERT_NE(store.presentation().tiles[0].zoom, (Zoom{1, 2, 3, 4}));
  document.open(path);
  document.waitForOpening();
  EXPECT_EQ(store.presentation().tiles[0].zoom, (Zoom{1, 2, 3, 4}));
}

}  // namespace
}  // namespace posiscope::ui
