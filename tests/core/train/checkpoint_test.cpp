// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/checkpoint.h"

#include "core/files/reader.h"
#include "tests/core/train/small_run.h"
#include "tests/support/temporary_folder.h"

#include <nlohmann/json.hpp>

namespace posiscope::train {
namespace {

TEST(Checkpoint, IsRefusedWhenItIsAnotherFile) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(loadCheckpoint(folder.path()).error().code, ErrorCode::file_missing);
  const TrainingRun run = started(smallRun());
  ASSERT_TRUE(exportModel(run, folder.path()));
  // The exported model alone does not know how to go on.
  folder.write("checkpoint.safetensors", folder.read("model.safetensors"));
  const auto refused = loadCheckpoint(folder.path());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::file_format);
  EXPECT_NE(refused.error().message.en.find("posiscope.run"), std::string::npos);
}

TEST(Checkpoint, IsRefusedWhenItsPartsDoNotBelongTogether) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(saveCheckpoint(started(smallRun()), folder.path()));
  const std::string bytes = folder.read("checkpoint.safetensors");
  // The same bytes with another width in the story: as many characters, so the file itself stays right.
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = bytes;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    folder.write("checkpoint.safetensors", text.replace(at, from.size(), to));
    return loadCheckpoint(folder.path());
  };
  EXPECT_EQ(changed("\"d_model\":16", "\"d_model\":20").error().code, ErrorCode::file_format);
  EXPECT_EQ(changed("\"num_heads\"", "\"xum_heads\"").error().code, ErrorCode::unknown_name);
  EXPECT_EQ(changed("\"step\":0", "\"stop\":0").error().code, ErrorCode::file_format);
  EXPECT_TRUE(changed("\"step\":0", "\"step\":0"));
}

TEST(Checkpoint, ExportsAModelThatOthersRead) {
  const test::TemporaryFolder folder;
  const TrainingRun run = started(smallRun("learned"));
  ASSERT_TRUE(exportModel(run, folder.path()));
  const auto config = nlohmann::json::parse(folder.read("config.json"));
  EXPECT_EQ(config["model_type"], "posiscope");
  EXPECT_EQ(config["hidden_size"], 16);
  EXPECT_EQ(config["posiscope"]["position"]["scheme"], "learned");
  const auto file = files::Safetensors::open(folder.file("model.safetensors"));
  ASSERT_TRUE(file) << file.error().message.en;
  ASSERT_EQ(file->tensors().size(), run.model().layout().parameters.size());
  for (const Parameter& p : run.model().layout().parameters) {
    const files::TensorEntry* entry = file->find(p.name);
    ASSERT_TRUE(entry) << p.name;
    EXPECT_EQ(entry->shape, p.shape);
    const auto numbers = file->read(*entry);
    ASSERT_TRUE(numbers);
    for (std::int64_t t = 0; t < p.size(); ++t)
      ASSERT_EQ(static_cast<float>(numbers->data()[t]),
                run.model().parameters()[static_cast<std::size_t>(p.offset + t)]);
  }
}

}  // namespace
}  // namespace posiscope::train
