// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/carried_models.h"

#include "core/model_content.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace posiscope {
namespace {

/// Here "rope" is carried, in a folder as the window makes it.
class CarriedModels : public ::testing::Test {
 protected:
  CarriedModels() {
    std::filesystem::create_directories(home);
    setCarriedModels([this](const std::string& name) { return name == "rope" ? home : std::string(); });
  }
  ~CarriedModels() override { setCarriedModels({}); }

  test::TemporaryFolder folder;
  std::string home = folder.file("models/trained-rope");
};

TEST_F(CarriedModels, HaveANameThatIsGoodOnEveryMachine) {
  EXPECT_EQ(carriedName(home), "trained:rope");
  EXPECT_EQ(carriedPlace("trained:rope"), home);
  EXPECT_EQ(carriedName("/elsewhere/models/trained-rope"), "/elsewhere/models/trained-rope") << "somebody's own";
  EXPECT_EQ(carriedName("/models/llama"), "/models/llama");
  EXPECT_EQ(carriedPlace("trained:none"), "trained:none");
}

TEST_F(CarriedModels, AreFoundWhereTheFolderOfAnotherMachineWasStored) {
  EXPECT_EQ(carriedPlace("/home/else/models/trained-rope"), home);
  EXPECT_EQ(carriedPlace("/home/else/models/trained-rope/model.safetensors#wpe"), home + "/model.safetensors#wpe");
  EXPECT_EQ(carriedPlace("/home/else/trained-rope"), "/home/else/trained-rope") << "another folder of that name";
  EXPECT_EQ(carriedPlace("/home/else/models/llama"), "/home/else/models/llama");
  EXPECT_EQ(carriedPlace(folder.path()), folder.path()) << "what is there is what is meant";
}

TEST_F(CarriedModels, ThatAreMissingAreTheContents) {
  ContentSpec content;
  content.source = ContentSource::model;
  content.model = "trained:rope";
  EXPECT_FALSE(isModelMissing(content));
  content.model = folder.file("tiny");
  EXPECT_TRUE(isModelMissing(content));
  const auto model = contentModel(content, Job());
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, ErrorCode::file_missing);
  EXPECT_EQ(model.error().message.en, "content: the model folder " + content.model + " is not there");
  content.source = ContentSource::random;
  EXPECT_FALSE(isModelMissing(content)) << "it is not run";
}

}  // namespace
}  // namespace posiscope
