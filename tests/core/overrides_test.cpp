// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/overrides.h"
#include "core/models/model.h"
#include "core/session.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>

namespace posiscope {
namespace {

using std::string;

SchemeChoice ofModel(ParamValues values) {
  SchemeChoice choice;
  choice.id = "rope";
  choice.values = values;
  choice.model_values = std::move(values);
  return choice;
}

TEST(Overrides, aSchemeOfNoModelHasNone) {
  SchemeChoice choice;
  choice.id = "rope";
  choice.values["base"] = 1000.0;
  EXPECT_TRUE(overridesOf(choice).empty());
  EXPECT_TRUE(overridesOf(ofModel({{"base", 1e6}})).empty());
}

TEST(Overrides, nameBothValuesInTheOrderOfTheParameters) {
  SchemeChoice choice = ofModel({{"base", 1e6}, {"pairing", string("half")}});
  choice.values["factor"] = 8.0;
  choice.values["scaling"] = string("yarn");
  choice.values["base"] = 1000.0;
  choice.values.erase("pairing");
  const std::vector<Override> found = overridesOf(choice);
  ASSERT_EQ(found.size(), 4U);
  const auto textOf = [&](const string& key) {
    for (const Override& o : found)
      if (o.spec->key == key) return describe(o);
    return Text{};
  };
  EXPECT_EQ(textOf("base").en, "The model has 1\u202f000\u202f000, here it is 1\u202f000.");
  EXPECT_EQ(textOf("base").zh, "模型中为 1\u202f000\u202f000，此处为 1\u202f000。");
  EXPECT_EQ(textOf("pairing").en, "The model has half-split, here it is interleaved.");
  EXPECT_EQ(textOf("scaling").en, "The model has none, here it is YaRN.");
}

TEST(Overrides, aDefaultOfTheModelIsAValueToo) {
  SchemeChoice choice = ofModel({});
  choice.values["base"] = 500000.0;
  const std::vector<Override> found = overridesOf(choice);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].model, Value(10000.0));
  choice.values["base"] = std::get<double>(found[0].model);
  EXPECT_TRUE(overridesOf(choice).empty());
}

TEST(Overrides, aKnownModelIsRememberedWithoutItsTables) {
  const Experiment llama = models::experimentOf(*models::findPreset("llama-3.1-8b"));
  ASSERT_TRUE(llama.schemes.at(0).model_values);
  EXPECT_EQ(*llama.schemes[0].model_values, llama.schemes[0].values);
  models::Inspection inspection;
  inspection.model_type = "gpt2";
  inspection.kind = "model folder";
  inspection.schemes = {{"learned", {{"std", 0.01}, {"table", makeArray({2, 1}, {1, 2})}}, "", 0, true}};
  const Experiment gpt = models::experimentOf(inspection, Experiment{});
  EXPECT_EQ(*gpt.schemes.at(0).model_values, (ParamValues{{"std", 0.01}}));
  inspection.kind = "npy";  // a table alone is no model
  EXPECT_FALSE(models::experimentOf(inspection, Experiment{}).schemes.at(0).model_values);
}

TEST(Overrides, aSessionKeepsWhatTheModelSaid) {
  Experiment experiment;
  experiment.schemes = {ofModel({{"base", 1e6}}), ofModel({}), SchemeChoice{"rope", {}, "", 2, true}};
  experiment.schemes[0].values["base"] = 1000.0;
  experiment.schemes[0].colour = 0;
  experiment.schemes[1].colour = 1;
  const session::Opened opened = session::fromText(session::toJson(experiment).dump(), "s.json").value();
  EXPECT_TRUE(opened.notes.empty()) << opened.notes[0].en;
  EXPECT_EQ(opened.experiment.schemes, experiment.schemes);
  EXPECT_FALSE(opened.experiment.schemes[2].model_values);
  const session::Opened wrong =
      session::fromText(R"({"posiscope_session":1,"schemes":[{"id":"rope","model_values":[]}]})", "s.json").value();
  ASSERT_EQ(wrong.notes.size(), 1U);
  EXPECT_NE(wrong.notes[0].en.find("schemes[0].model_values must be an object"), string::npos) << wrong.notes[0].en;
}

}  // namespace
}  // namespace posiscope
