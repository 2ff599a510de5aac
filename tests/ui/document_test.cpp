// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/document.h"

#include "core/models/model.h"

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

TEST_F(OpenDocument, showsTheWholeOfTheStart) {
  document.openStart();
  EXPECT_FALSE(zoomed());
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

TEST_F(OpenDocument, bringsBackTheZoomOfASession) {
  const QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("zoomed.json"));
  ASSERT_TRUE(document.saveAs(path));
  document.openStart();
  ASSERT_FALSE(zoomed());
  document.open(path);
  document.waitForOpening();
  EXPECT_EQ(store.presentation().tiles[0].zoom, (Zoom{1, 2, 3, 4}));
}

}  // namespace
}  // namespace posiscope::ui
