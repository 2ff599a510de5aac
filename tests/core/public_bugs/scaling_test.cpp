// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Faults of scaled rotary encodings, and of reading them from configurations, that were reported in public code, each
// with the right answer for us.
#include "core/measures/list.h"
#include "core/models/config.h"
#include "core/overrides.h"
#include "tests/support/attending.h"
#include "tests/support/rotated.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace posiscope {
namespace {

using std::string;
using test::rotationOf;

Shape headShape(std::int64_t head_dim, std::int64_t seq_len = 16) {
  Shape shape;
  shape.seq_len = seq_len;
  shape.num_heads = 1;
  shape.head_dim = head_dim;
  shape.d_model = head_dim;
  return shape;
}

models::Inspection configured(const string& json, const string& part = {}) {
  models::Inspection inspection;
  const Outcome ok = models::readConfig(json, "config.json", inspection, part);
  EXPECT_TRUE(ok) << (ok ? "" : ok.error().message.en);
  if (inspection.schemes.empty()) ADD_FAILURE() << "no scheme in " << json;
  inspection.schemes.resize(1);
  return inspection;
}

/// The rotation at `seq_len` tokens; 0 = as many as the configuration says.
RotationPart rotationOf(const models::Inspection& inspection, std::int64_t seq_len = 0) {
  Shape shape = inspection.shape;
  if (seq_len > 0) shape.seq_len = seq_len;
  return rotationOf(inspection.schemes[0].id, inspection.schemes[0].values, shape);
}

bool noted(const models::Inspection& inspection, const string& part) {
  return std::ranges::any_of(inspection.notes,
                             [&](const Text& note) { return note.en.find(part) != string::npos && !note.zh.empty(); });
}

double factOf(const Encoding<double>& encoding, const string& key) {
  const auto found = std::ranges::find(encoding.facts, key, &EncodingFact::key);
  if (found == encoding.facts.end()) ADD_FAILURE() << "no fact " << key;
  return found == encoding.facts.end() ? 0 : found->value;
}

/// The base that the frequencies of a head of 128 have.
double baseOf(const RotationPart& rotation) { return std::pow(rotation.frequencyOf(0, 0, 1), -64.0); }

ParamValues dynamicNtk(double factor) {
  return {{"scaling", string("dynamic")}, {"factor", factor}, {"max_length", 2048.0}};
}

// C01: after one long input short ones kept the enlarged base.
TEST(PublicBugs, theDynamicBaseGoesBack) {
  const ParamValues values = dynamicNtk(2);
  EXPECT_NEAR(baseOf(rotationOf("rope", values, headShape(128, 4096))), 30527.7367, 1e-3);
  const RotationPart after = rotationOf("rope", values, headShape(128, 1000));
  EXPECT_EQ(after.frequency, rotationOf("rope", {}, headShape(128, 1000)).frequency) << "10000 exactly";
}

// C02: the formula was evaluated once, at the largest length.
TEST(PublicBugs, theDynamicBaseGrowsWithTheLength) {
  const std::vector<std::pair<std::int64_t, double>> expected{{2048, 10000.0}, {4096, 51293.7873}, {8192, 135401.97}};
  for (const auto& [length, base] : expected) {
    const Encoding<double> encoding = test::encoded("rope", dynamicNtk(4), headShape(128, length));
    EXPECT_NEAR(baseOf(*encoding.rotation) / base, 1.0, 1e-7) << length;
    EXPECT_NEAR(factOf(encoding, "effective_base") / base, 1.0, 1e-7) << length;
  }
}

TEST(PublicBugs, theCurveOfTheBaseIsShown) {
  Question question;
  question.measure = "base_by_length";
  question.options["longest"] = 8192.0;
  question.scheme.id = "rope";
  question.scheme.values = dynamicNtk(4);
  question.shape = headShape(128, 4096);
  const Dataset dataset = measures::find(question.measure)->compute(question, Job{}).value();
  const Curve& curve = dataset.curves.at(0);
  const auto at = [&](double length) {
    const auto found = std::ranges::find(curve.x, length);
    return found == curve.x.end() ? 0 : curve.y[static_cast<std::size_t>(found - curve.x.begin())];
  };
  EXPECT_NEAR(at(2048), 10000, 1e-8);
  EXPECT_NEAR(at(4096), 51293.7873, 1e-4);
  EXPECT_NEAR(at(8192), 135401.97, 1e-2);
  for (std::size_t k = 1; k < curve.x.size(); ++k)
    EXPECT_EQ(curve.y[k] > curve.y[k - 1] * (1 + 1e-9), curve.x[k] > 2048) << curve.x[k];
  EXPECT_TRUE(dataset.remarks.at(0).sentence.en.starts_with("The base follows the length: 51\u202f294 at 4\u202f096"))
      << dataset.remarks[0].sentence.en;
}

// C04: the longest item of a batch set the base of all.
TEST(PublicBugs, eachLengthHasItsOwnTableAndSaysWhich) {
  const auto panel = [](std::int64_t length) {
    return schemes::find("rope")->substitution(dynamicNtk(4), headShape(128, length));
  };
  EXPECT_NE(panel(4000).find("l = 4\u202f000, b′ = "), string::npos) << panel(4000);
  EXPECT_NE(panel(500).find("l = 2\u202f048, b′ = 10\u202f000"), string::npos) << panel(500);
  const RotationPart small = rotationOf("rope", dynamicNtk(4), headShape(128, 500));
  const RotationPart large = rotationOf("rope", dynamicNtk(4), headShape(128, 4000));
  EXPECT_NEAR(baseOf(small), 10000.0, 1e-7);
  EXPECT_NEAR(baseOf(large) / (1e4 * std::pow(4 * 4000 / 2048.0 - 3, 128.0 / 126.0)), 1.0, 1e-9);
}

// C06: the attention factor was taken for mscale, and its logarithm was added once more.
TEST(PublicBugs, theAttentionFactorOfYarnIsFinal) {
  const models::Inspection inspection = configured(
      R"({"model_type":"llama","head_dim":128,"rope_scaling":{"rope_type":"yarn","factor":64,"attention_factor":1.4158883,
    "original_max_position_embeddings":4096}})");
  const RotationPart rotation = rotationOf(inspection, 4);
  EXPECT_DOUBLE_EQ(rotation.attention_factor, 1.4158883);
  const auto turned = test::turned(rotation, test::normals(128, "x"), 3);
  const auto x = test::normals(128, "x");
  EXPECT_NEAR(std::sqrt(test::dotOf(turned, turned) / test::dotOf(x, x)), 1.4158883, 1e-12);
}

// The library asks whether both mscales are true: an explicit 0 is one that is not given.
TEST(PublicBugs, anMscaleOf0IsNotGiven) {
  for (const char* mscales : {"", R"("mscale":0,)", R"("mscale":0,"mscale_all_dim":0,)",
                              R"("mscale":0,"mscale_all_dim":1,)", R"("mscale":1,"mscale_all_dim":0,)"}) {
    const models::Inspection inspection = configured(
        std::string(R"({"model_type":"llama","head_dim":128,"rope_scaling":{"rope_type":"yarn","factor":4,)") +
        mscales + R"("original_max_position_embeddings":4096}})");
    EXPECT_NEAR(rotationOf(inspection, 4).attention_factor, 1.138629, 1e-6) << mscales;
  }
  const ParamValues values{{"scaling", string("yarn")}, {"factor", 4.0}, {"mscale", 0.0}, {"mscale_all_dim", 0.0}};
  EXPECT_NEAR(rotationOf("rope", values, headShape(16, 1)).attention_factor, 1.138629, 1e-6);
}

// A share of 0 rotates nothing, as int(head_dim · 0) dimensions of the library.
TEST(PublicBugs, aShareOf0RotatesNothing) {
  const models::Inspection inspection =
      configured(R"({"model_type":"gpt_neox","hidden_size":64,"num_attention_heads":4,"rotary_pct":0})");
  ASSERT_EQ(inspection.schemes.size(), 1U);
  EXPECT_EQ(inspection.schemes[0].id, "rope");
  EXPECT_TRUE(inspection.notes.empty()) << inspection.notes[0].en;
  EXPECT_FALSE(test::encoded("rope", inspection.schemes[0].values, headShape(16, 4)).rotation);
  const Encoding<double> rounded = test::encoded("rope", {{"rotary_share", 0.05}}, headShape(16, 4));
  EXPECT_FALSE(rounded.rotation);
  EXPECT_EQ(rounded.warnings.size(), 1U) << "0.8 of a dimension";
}

// C07: the temperature of YaRN was dropped in ordinary attention.
TEST(PublicBugs, yarnMakesTheLogitsLarger) {
  const ParamValues values{{"scaling", string("yarn")}, {"factor", 4.0}, {"original_length", 4096.0}};
  const Shape shape = headShape(16, 1);
  const Encoding<double> yarn = test::encoded("rope", values, shape);
  EXPECT_NEAR(yarn.rotation->attention_factor, 1.138629, 1e-6);
  EXPECT_NEAR(factOf(yarn, "attention_factor"), 1.138629, 1e-6);
  const Content<double> content = test::randomContent<double>(shape);
  attention::Wanted wanted;
  wanted.logits = true;
  const auto scaled = test::attending(yarn, content, {}, shape, wanted);
  const auto plain = test::attending(test::encoded("rope", {}, shape), content, {}, shape, wanted);
  EXPECT_NEAR(scaled.logits[0] / plain.logits[0], 1.296477, 1e-6);
}

// C07, too: both numbers are shown, that of the vectors and that of the logits.
TEST(PublicBugs, theFactorOfYarnIsShownForVectorsAndForLogits) {
  Question q;
  q.measure = "frequency_ratio";
  q.scheme.id = "rope";
  q.scheme.values = {{"scaling", string("yarn")}, {"factor", 4.0}, {"original_length", 4096.0}};
  q.shape = headShape(16);
  const Expected<Dataset> answer = measures::find(q.measure)->compute(q, Job());
  ASSERT_TRUE(answer) << answer.error().message.en;
  const auto metric = [&](const string& key) {
    const auto found = std::ranges::find(answer->metrics, key, &Metric::key);
    return found == answer->metrics.end() ? 0.0 : found->value;
  };
  EXPECT_NEAR(metric("attention_factor"), 1.138629, 1e-6);
  EXPECT_NEAR(metric("logit_factor"), 1.296477, 1e-6);
  EXPECT_TRUE(std::ranges::any_of(answer->remarks, [](const Remark& remark) {
    return remark.sentence.en.find("1.139") != string::npos && remark.sentence.en.find("1.296") != string::npos &&
           remark.sentence.zh.find("1.296") != string::npos;
  }));
}

// C08: a valid key was reported as unknown.
TEST(PublicBugs, theOriginalLengthOfYarnIsAKnownKey) {
  const models::Inspection inspection = configured(
      R"({"model_type":"qwen2","hidden_size":3584,"num_attention_heads":28,"rope_theta":1000000,"max_position_embeddings":32768,
    "rope_scaling":{"type":"yarn","factor":4.0,"original_max_position_embeddings":32768}})");
  EXPECT_TRUE(inspection.notes.empty()) << inspection.notes[0].en;
  Shape shape = inspection.shape;
  shape.seq_len = 16;
  ASSERT_EQ(shape.head_dim, 128);
  const Encoding<double> encoding = test::encoded("rope", inspection.schemes[0].values, shape);
  EXPECT_EQ(factOf(encoding, "yarn_low"), 23);
  EXPECT_EQ(factOf(encoding, "yarn_high"), 40);
}

// C10: the reader wanted a dictionary of exactly two fields.
TEST(PublicBugs, aRicherDictionaryIsReadAndItsUnknownKeysAreListed) {
  const models::Inspection inspection = configured(
      R"({"model_type":"llama","head_dim":64,"rope_theta":500000,"rope_scaling":{"rope_type":"llama3","factor":32.0,
    "low_freq_factor":1.0,"high_freq_factor":4.0,"original_max_position_embeddings":8192,"alpha":1000,"finetuned":true}})");
  EXPECT_EQ(inspection.schemes[0].values.at("scaling"), Value(string("llama3")));
  EXPECT_TRUE(noted(inspection, "config.json: rope_scaling has keys that are not used: alpha, finetuned"));
  EXPECT_EQ(inspection.notes.size(), 1u);
  const models::Inspection foreign =
      configured(R"({"model_type":"llama","rope_scaling":{"rope_type":"tomorrow","x":1}})");
  EXPECT_EQ(foreign.schemes[0].id, "rope");
  EXPECT_TRUE(noted(foreign, "rope_scaling has keys that are not used: x"));
}

string list(double first, double last) {
  string text = "[";
  for (int n = 0; n < 48; ++n) text += join(n == 0 ? "" : ",", n == 47 ? last : first);
  return text + "]";
}

// C11: short prompts used the long table.
TEST(PublicBugs, longropeChoosesItsListByTheLength) {
  const models::Inspection phi = configured(
      R"({"model_type":"phi3","hidden_size":3072,"num_attention_heads":32,"max_position_embeddings":131072,
    "original_max_position_embeddings":4096,"rope_theta":10000,"rope_scaling":{"type":"longrope","short_factor":)" +
      list(1.0, 2.84) + R"(,"long_factor":)" + list(1.08, 64.84) + "}}");
  const double plain = std::pow(1e4, -94.0 / 96.0);
  for (const auto& [length, divisor] : {std::pair{100, 2.84}, {5000, 64.84}}) {
    const RotationPart rotation = rotationOf(phi, length);
    ASSERT_EQ(rotation.pairs(), 48);
    EXPECT_NEAR(plain / rotation.frequencyOf(0, 0, 47), divisor, 1e-9) << length;
    EXPECT_NEAR(rotation.attention_factor, 1.190238, 1e-6) << length;
  }
}

// C13: the amplitude was raised although nothing was extended.
TEST(PublicBugs, longropeWithoutExtensionKeepsTheAmplitude) {
  const models::Inspection su = configured(
      R"({"model_type":"phi3","hidden_size":3072,"num_attention_heads":32,"max_position_embeddings":4096,
    "original_max_position_embeddings":4096,"rope_scaling":{"type":"su","short_factor":)" +
      list(1.5, 2.84) + R"(,"long_factor":)" + list(1.08, 64.84) + "}}");
  EXPECT_EQ(su.schemes[0].values.at("scaling"), Value(string("longrope")));
  const RotationPart rotation = rotationOf(su, 100);
  EXPECT_EQ(rotation.attention_factor, 1.0);
  EXPECT_DOUBLE_EQ(rotation.frequencyOf(0, 0, 0), 1 / 1.5) << "the short list is used";
}

// C14: the three bands were missing; only position 0 was right.
TEST(PublicBugs, llama32HasThreeBands) {
  const models::Inspection llama = configured(
      R"({"model_type":"llama","hidden_size":2048,"num_attention_heads":32,"head_dim":64,"rope_theta":500000.0,
    "rope_scaling":{"rope_type":"llama3","factor":32.0,"low_freq_factor":1.0,"high_freq_factor":4.0,
    "original_max_position_embeddings":8192}})");
  const RotationPart scaled = rotationOf(llama, 16);
  const RotationPart plain = rotationOf("rope", {{"base", 500000.0}}, headShape(64));
  const auto share = [&](std::int64_t p) { return scaled.frequencyOf(0, 0, p) / plain.frequencyOf(0, 0, p); };
  for (std::int64_t p = 0; p <= 14; ++p) EXPECT_EQ(share(p), 1) << p;
  for (std::int64_t p = 18; p < 32; ++p) EXPECT_NEAR(share(p), 1.0 / 32, 1e-15) << p;
  EXPECT_NEAR(scaled.frequencyOf(0, 0, 15), 0.00129054793, 1e-11);
  EXPECT_NEAR(scaled.frequencyOf(0, 0, 16), 0.000429556797, 1e-12);
  EXPECT_NEAR(scaled.frequencyOf(0, 0, 17), 0.0000970828780, 1e-13);
}

// C16: the old spelling of the rotated width was lost, and the whole head turned.
TEST(PublicBugs, rotaryDimIsReadAndSpacesTheFrequencies) {
  const RotationPart rotation =
      rotationOf(configured(R"({"model_type":"minimax_m2","head_dim":128,"rotary_dim":64,"rope_theta":5000000})"), 16);
  ASSERT_EQ(rotation.pairs(), 32);
  for (std::int64_t p = 0; p < 32; ++p)
    EXPECT_NEAR(rotation.frequencyOf(0, 0, p) / std::pow(5e6, -2.0 * static_cast<double>(p) / 64.0), 1.0, 1e-12) << p;
}

// C18: the share stood at two levels of the file and was multiplied.
TEST(PublicBugs, aShareGivenTwiceCountsOnce) {
  const RotationPart rotation =
      rotationOf(configured(R"({"model_type":"llama","head_dim":128,"partial_rotary_factor":0.5,
    "rope_parameters":{"rope_type":"default","rope_theta":10000,"partial_rotary_factor":0.5}})"),
                 16);
  EXPECT_EQ(rotation.rotary_dim, 64);
}

// C20: with sections the share was ignored, and all channels turned.
TEST(PublicBugs, sectionsShareOutOnlyTheRotatedPart) {
  const models::Inspection inspection = configured(
      R"({"model_type":"qwen3_vl_text","hidden_size":32,"num_attention_heads":2,"head_dim":16,
    "rope_parameters":{"rope_type":"default","rope_theta":10000000,"partial_rotary_factor":0.25,"mrope_section":[1,1,0]}})");
  ASSERT_EQ(inspection.schemes[0].id, "mrope");
  const RotationPart rotation = rotationOf(inspection, 16);
  const auto x = test::normals(16, "x");
  const auto y = test::turned(rotation, x, 11);
  for (std::size_t d = 0; d < 16; ++d) {
    EXPECT_EQ(y[d] == x[d], d >= 4) << d;
  }
  EXPECT_NEAR(rotation.frequencyOf(0, 1, 1), std::pow(1e7, -2.0 / 4.0), 1e-15) << "the exponent counts the part";
}

// C21: theta was not copied from the configuration.
TEST(PublicBugs, theBaseOfTheConfigurationIsUsed) {
  const models::Inspection inspection =
      configured(R"({"model_type":"llama","hidden_size":4096,"num_attention_heads":32,"rope_theta":500000.0})");
  EXPECT_NEAR(rotationOf(inspection, 16).frequencyOf(0, 0, 32), 0.001414214, 1e-9);
}

const string ministral = R"({"model_type":"mistral3","text_config":{"model_type":"ministral3","hidden_size":3072,
  "num_attention_heads":32,"num_key_value_heads":8,"head_dim":128,"max_position_embeddings":262144,
  "rope_parameters":{"rope_type":"yarn","factor":16.0,"original_max_position_embeddings":16384,"beta_fast":32.0,
  "beta_slow":1.0,"mscale":1.0,"mscale_all_dim":1.0,"rope_theta":1000000.0,"llama_4_scaling_beta":0.1}},
  "vision_config":{"model_type":"pixtral","hidden_size":1024,"num_attention_heads":16,"head_dim":64,"image_size":1540,
  "patch_size":14,"rope_theta":10000.0}})";

// C23: the keys of a model of text and images stand one level deeper.
TEST(PublicBugs, bothTowersOfAMixedModelAreOffered) {
  const models::Inspection text = configured(ministral);
  // The keys beside the scaling make the queries grow, which a rotary scheme alone does not do.
  EXPECT_EQ(text.schemes[0].id, "layer_pattern");
  EXPECT_EQ(text.schemes[0].values.at("scaling"), Value(string("yarn")));
  EXPECT_EQ(text.schemes[0].values.at("factor"), Value(16.0));
  EXPECT_EQ(text.schemes[0].values.at("base"), Value(1e6));
  EXPECT_TRUE(noted(text, "only the text part is shown, from text_config"));
  EXPECT_TRUE(noted(text, "open config.json#vision_config to see them"));
  Shape shape = text.shape;
  shape.seq_len = 16;
  const Encoding<double> yarn = test::encoded(text.schemes[0].id, text.schemes[0].values, shape);
  EXPECT_EQ(factOf(yarn, "yarn_low"), 20);
  EXPECT_EQ(factOf(yarn, "yarn_high"), 37);
  const models::Inspection vision = configured(ministral, "vision_config");
  EXPECT_EQ(vision.schemes[0].id, "rope_2d");
  EXPECT_EQ(vision.shape.seq_len, 110 * 110);
  EXPECT_EQ(vision.shape.grid_width, 110);
  EXPECT_FALSE(vision.mask.causal);
  const RotationPart rotation = rotationOf(vision);
  ASSERT_EQ(rotation.pairs(), 32);
  EXPECT_NEAR(rotation.frequencyOf(0, 1, 16), std::pow(1e4, -2.0 / 64.0), 1e-15) << "the first of the columns";
  models::Inspection none;
  EXPECT_FALSE(models::readConfig(ministral, "config.json", none, "audio_config"));
}

// C24: a documented override said 1000 where the file said 10^6.
TEST(PublicBugs, anOverrideDiffersFromTheFileAndGoesBack) {
  const models::Inspection file = configured(
      R"({"model_type":"qwen3","hidden_size":4096,"num_attention_heads":64,"head_dim":128,"rope_theta":1000000})");
  EXPECT_NE(file.reasons[0].en.find("base 1000000 from rope_theta"), string::npos);
  SchemeChoice changed = file.schemes[0];
  changed.values["base"] = 1000.0;
  EXPECT_NE(changed, file.schemes[0]);
  EXPECT_NE(displayValues(changed).en.find("1\u202f000"), string::npos) << displayValues(changed).en;
  EXPECT_NE(displayValues(file.schemes[0]).en.find("1\u202f000\u202f000"), string::npos);
  const auto slowest = [&](const SchemeChoice& choice) {
    return rotationOf("rope", choice.values, headShape(128)).frequency.back();
  };
  EXPECT_NEAR(slowest(changed) / slowest(file.schemes[0]), std::pow(1000.0, 126.0 / 128.0), 1e-6);
  changed.values["base"] = file.schemes[0].values.at("base");
  EXPECT_EQ(changed, file.schemes[0]);
  // The panel shows both numbers and knows the way back.
  SchemeChoice shown = models::experimentOf(file, Experiment{}).schemes.at(0);
  EXPECT_TRUE(overridesOf(shown).empty());
  shown.values["base"] = 1000.0;
  const std::vector<Override> found = overridesOf(shown);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(describe(found[0]).en, "The model has 1\u202f000\u202f000, here it is 1\u202f000.");
  EXPECT_EQ(found[0].model, file.schemes[0].values.at("base"));
}

// C25: is the factor a multiplier or a divisor?
TEST(PublicBugs, linearScalingDividesPositions) {
  const RotationPart scaled = rotationOf("rope", {{"scaling", string("linear")}, {"factor", 4.0}}, headShape(64));
  const RotationPart plain = rotationOf("rope", {}, headShape(64));
  for (std::int64_t p = 0; p < 32; ++p) EXPECT_DOUBLE_EQ(scaled.angle(0, 8, p), plain.angle(0, 2, p)) << p;
}

}  // namespace
}  // namespace posiscope
