// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session.h"

#include "core/brought_values.h"
#include "core/files/json_text.h"
#include "core/schemes/list.h"
#include "tests/support/session_text.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace posiscope::session {
namespace {

using nlohmann::json;

TEST(Session, emptyIsTheDefaultExperiment) {
  const Opened opened = readText(R"({"posiscope_session":1})");
  EXPECT_EQ(opened.experiment, Experiment{});
  EXPECT_EQ(opened.presentation, "{}");
  EXPECT_TRUE(opened.notes.empty());
  EXPECT_EQ(toJson(Experiment{}), json::parse(R"({"posiscope_session":1,"schemes":[]})"));
}

TEST(Session, theStartExperimentComesBack) {
  const Experiment experiment = startExperiment();
  EXPECT_EQ(readText(toJson(experiment).dump()).experiment, experiment);
}

TEST(Session, defaultsAreNotWritten) {
  Experiment experiment;
  experiment.shape.seq_len = 700;
  experiment.mask.causal = true;
  experiment.schemes.push_back({"rope", {{"base", 500000.0}}, "", 3, true});
  EXPECT_EQ(toJson(experiment), json::parse(R"({"posiscope_session":1,"shape":{"seq_len":700},"mask":{"causal":true},
    "schemes":[{"id":"rope","values":{"base":500000},"colour":3}]})"));
}

/// Draws legal values for parameters: half of them keep their default.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  double between(double low, double high) { return low + (high - low) * std::generate_canonical<double, 53>(random_); }

  ParamValues values(const std::vector<ParamSpec>& specs) {
    ParamValues values;
    for (const ParamSpec& spec : specs)
      if (below(2)) values.emplace(spec.key, value(spec));
    return values;
  }

 private:
  Value value(const ParamSpec& spec) {
    switch (spec.kind) {
      case ParamKind::real: return between(spec.minimum, spec.maximum);
      case ParamKind::integer: return std::floor(between(spec.minimum, spec.maximum));
      case ParamKind::boolean: return below(2) == 1;
      case ParamKind::choice: return spec.choices[below(spec.choices.size())].key;
      case ParamKind::list:
        return std::vector<double>{between(-1e9, 1e9), std::numeric_limits<double>::infinity(), -0.0};
      case ParamKind::text: return "sin(pos) \"" + std::to_string(below(1000)) + "\" 位";
      case ParamKind::array: break;
    }
    return makeArray({2, 2}, {1.0 / 3, -std::numeric_limits<double>::infinity(), 5e-324, between(-1, 1)});
  }
  std::mt19937_64 random_;
};

Experiment drawExperiment(std::uint64_t seed) {
  Draw draw(seed);
  Experiment e;
  e.shape = *shapeTable().read("shape", draw.values(shapeTable().specs()));
  if (e.shape.queries() > e.shape.keys()) e.shape.seq_len_q = 0;
  if (e.shape.num_heads % e.shape.kvHeads() != 0) e.shape.num_kv_heads = 0;
  if (e.shape.layer >= e.shape.num_layers) e.shape.layer = 0;
  e.content = *contentTable().read("content", draw.values(contentTable().specs()));
  e.mask = {draw.below(2) == 1,
            static_cast<std::int64_t>(draw.below(50)) - 1,
            static_cast<std::int64_t>(draw.below(9)),
            {},
            {},
            {}};
  e.mask.side = static_cast<std::int64_t>(draw.below(9));
  e.mask.shift = static_cast<std::int64_t>(draw.below(5));
  e.mask.padding = static_cast<Mask::Padding>(draw.below(3));
  e.mask.padded_keys = static_cast<std::int64_t>(draw.below(9));
  e.mask.padded_queries = static_cast<std::int64_t>(draw.below(9));
  if (e.shape.keys() < 100'000) e.mask.key_padding.assign(static_cast<std::size_t>(e.shape.keys()), draw.below(2) == 1);
  e.train_length = std::floor(draw.between(0, 1e6));
  for (std::uint64_t i = draw.below(max_schemes + 1); i > 0; --i) {
    const Scheme& scheme = schemes::catalogue()[draw.below(schemes::catalogue().size())];
    e.schemes.push_back({scheme.id(), withBroughtDefaults(scheme.id(), draw.values(scheme.params)),
                         draw.below(2) ? "名称 \"é\"\n" : "", static_cast<int>(draw.below(8)), draw.below(2) == 1});
  }
  return e;
}

TEST(Session, randomExperimentsComeBackEqual) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Experiment experiment = drawExperiment(seed);
    const Opened opened = readText(toJson(experiment).dump());
    EXPECT_EQ(opened.experiment, experiment) << seed << "\n" << allNotes(opened);
    EXPECT_TRUE(opened.notes.empty()) << seed << "\n" << allNotes(opened);
    EXPECT_EQ(toJson(opened.experiment), toJson(experiment)) << seed;
  }
}

TEST(Session, aChoiceBringsWhatTheFileDoesNotSay) {
  const auto valuesIn = [](const std::string& scheme) {
    return readRoot("\"schemes\":[" + scheme + "]").experiment.schemes.at(0).values;
  };
  const std::string proportional = "proportional", ministral = "ministral3";
  EXPECT_EQ(valuesIn(R"({"id":"rope","values":{"scaling":"proportional","rotary_share":0.5}})"),
            (ParamValues{{"scaling", proportional}, {"rotary_share", 0.5}, {"factor", 1.0}}));
  EXPECT_EQ(valuesIn(R"({"id":"rope","values":{"scaling":"proportional","factor":4}})").at("factor"), Value(4.0));
  EXPECT_EQ(valuesIn(R"({"id":"query_scale","values":{"kind":"ministral3"}})").at("floor_scale"), Value(16384.0));
  EXPECT_EQ(valuesIn(R"({"id":"rope","values":{"scaling":"yarn"}})").count("factor"), 0u);
  const Opened wrong = readRoot(R"("schemes":[{"id":"rope","values":{"scaling":"proportional","factor":"x"}}])");
  EXPECT_TRUE(hasNote(wrong, "; 4 is used")) << allNotes(wrong);
  EXPECT_EQ(wrong.experiment.schemes.at(0).values.count("factor"), 0u) << "4 stays the default";
}

TEST(Session, aDefaultBesideAChoiceThatBringsAnotherComesBack) {
  const std::string proportional = "proportional";
  for (const ParamValues& factor : {ParamValues{}, ParamValues{{"factor", 4.0}}, ParamValues{{"factor", 1.0}}}) {
    Experiment experiment;
    experiment.schemes.push_back({"rope", factor, "", 0, true});
    experiment.schemes[0].values["scaling"] = proportional;
    experiment.schemes[0].model_values = experiment.schemes[0].values;
    const ParamSpec& spec = *findParam(schemes::find("rope")->params, "factor");
    const SchemeChoice again = readText(toJson(experiment).dump()).experiment.schemes.at(0);
    EXPECT_EQ(valueOf(spec, again.values), valueOf(spec, experiment.schemes[0].values));
    ASSERT_TRUE(again.model_values);
    EXPECT_EQ(valueOf(spec, *again.model_values), valueOf(spec, experiment.schemes[0].values));
  }
}

TEST(Session, nonFiniteNumbersAreTexts) {
  Experiment experiment;
  experiment.train_length = std::numeric_limits<double>::infinity();
  EXPECT_EQ(toJson(experiment)["train_length"], "inf");
  EXPECT_TRUE(hasNote(readRoot(R"("train_length":"inf")"), "s.json: train_length must be 0 to 100000000, got inf"));
  const Opened opened = readRoot(R"("schemes":[{"id":"alibi","values":{"key_padding":["nan","-inf",1e-300]}}])");
  const auto& list = std::get<std::vector<double>>(opened.experiment.schemes.at(0).values.at("key_padding"));
  EXPECT_TRUE(std::isnan(list.at(0)));
  EXPECT_EQ(list.at(1), -std::numeric_limits<double>::infinity());
}

TEST(Session, refusesWhatIsNoSession) {
  const auto code = [](const std::string& text) {
    const auto opened = fromText(text, "s.json");
    EXPECT_FALSE(opened) << text;
    EXPECT_TRUE(opened.error().message.en.starts_with("s.json: ")) << opened.error().message.en;
    EXPECT_FALSE(opened.error().message.zh.empty());
    return opened ? ErrorCode::cancelled : opened.error().code;
  };
  for (const char* text : {"", "{", "[]", "3", "null", "{}", R"({"posiscope_session":"1"})",
                           R"({"posiscope_session":0})", R"({"posiscope_session":-1})", R"({"posiscope_session":1.5})",
                           R"({"posiscope_session":1e400})", "version https://git-lfs.github.com/spec/v1\n"})
    EXPECT_EQ(code(text), ErrorCode::file_format) << text;
  EXPECT_EQ(code(std::string(100'000, '[')), ErrorCode::file_format);
  EXPECT_EQ(code(R"({"posiscope_session":2})"), ErrorCode::not_supported);
  EXPECT_EQ(fromText(R"({"posiscope_session":2})", "s.json").error().message.en,
            "s.json: posiscope_session must be 1, got 2: the session comes from a newer Posiscope");
  EXPECT_EQ(open("/nowhere/s.json").error().code, ErrorCode::file_missing);
}

TEST(Session, wrongValuesAreNamedAndTheRestIsKept) {
  const Opened opened =
      readRoot(R"("shape":{"seq_len":1e300,"d_model":-1,"num_heads":0,"head_dim":"768","num_layers":3},
    "content":{"source":"thin air","seed":2.5,"word_std":0.5},"train_length":-4,"mask":{"causal":1,"window":1e300,
    "prefix":2,"key_padding":"01"},"schemes":[{"id":"rope","values":{"base":"abc","scaling":7,"factor":8},"colour":-1,
    "visible":"yes","label":3},{"id":"alibi"}])");
  const Experiment& e = opened.experiment;
  Experiment expected;
  expected.shape.num_layers = 3;
  expected.content.word_std = 0.5;
  expected.mask.prefix = 2;
  expected.schemes = {{"rope", {{"factor", 8.0}}, "", 0, true}, {"alibi", {}, "", 1, true}};
  EXPECT_EQ(e, expected);
  for (const char* part :
       {"s.json: shape: seq_len must be 1 to", "s.json: shape: d_model must be", "s.json: shape: num_heads must be",
        "s.json: shape: head_dim must be a whole number, got", "s.json: content: source must be one of",
        "s.json: content: seed must be a whole number", "s.json: train_length must be 0 to",
        "s.json: mask.causal must be true or false, got 1", "s.json: mask: window must be 0 to",
        "s.json: mask.key_padding must be a text of 512 digits", "s.json: schemes[0]: base must be a number, got",
        "s.json: schemes[0]: scaling must be one of", "s.json: schemes[0].colour must be 0 to 63, got -1",
        "s.json: schemes[0].visible must be true or false", "s.json: schemes[0].label must be a text, got 3"})
    EXPECT_TRUE(hasNote(opened, part)) << part << "\n" << allNotes(opened);
  EXPECT_EQ(json::parse(opened.unknown)["rejected"].size(), 15u);
}

TEST(Session, aValueThatIsNotAllowedIsRejectedWithWhatIsUsedInstead) {
  const Opened opened = readRoot(R"("weather":1,"shape":{"seq_len":0},"mask":{"key_padding":"2","window":-7},
    "schemes":[{"id":"rope","values":{"base":-1,"pairing":"zig","height":3},"label":3}])");
  ASSERT_EQ(opened.rejected.size(), 6u) << allNotes(opened);  // what is unknown is not rejected
  EXPECT_EQ(opened.notes.size(), 8u) << allNotes(opened);
  for (const Text& sentence : opened.rejected) {
    EXPECT_EQ(sentence.en.find(" used"), std::string::npos) << sentence.en;
    EXPECT_TRUE(std::ranges::any_of(opened.notes, [&](const Text& note) {
      return note.en.starts_with(sentence.en + "; ") && note.zh.starts_with(sentence.zh + "；");
    })) << sentence.en;
  }
  for (const char* part :
       {"got 0; 512 is used", "got -1; 10000 is used", "got '2'; none is used", "got -7; no window is used",
        "got 'zig'; interleaved is used", "got 3; the scheme's own name is used"})
    EXPECT_TRUE(hasNote(opened, part)) << part << "\n" << allNotes(opened);
  EXPECT_TRUE(readText(R"({"posiscope_session":1,"rejected":{"shape.seq_len":0}})").rejected.empty());
}

TEST(Session, sectionsOfTheWrongKindAreNamed) {
  const Opened opened = readRoot(R"("shape":3,"content":[],"mask":"none","schemes":{},"train_length":null)");
  EXPECT_EQ(opened.experiment, Experiment{});
  EXPECT_EQ(opened.notes.size(), 5u) << allNotes(opened);
  const Opened items = readRoot(R"("schemes":[3,null,{},{"id":7},{"id":"rope","values":[]}])");
  EXPECT_EQ(items.experiment.schemes.size(), 1u);
  EXPECT_EQ(items.notes.size(), 5u) << allNotes(items);
}

TEST(Session, aStringInPlaceOfANumberIsCalledOne) {
  const Opened opened = readRoot(R"("shape":{"seq_len":"64"})");
  EXPECT_TRUE(hasNote(opened, "seq_len must be a whole number, got the string \"64\"; 512 is used"))
      << allNotes(opened);
  ASSERT_EQ(opened.rejected.size(), 1u);
  EXPECT_NE(opened.rejected[0].zh.find("必须是整数，得到字符串“64”"), std::string::npos) << opened.rejected[0].zh;
}

TEST(Session, sizesThatDoNotFitAreReset) {
  const Opened opened =
      readRoot(R"("shape":{"seq_len":10,"seq_len_q":20,"num_heads":8,"num_kv_heads":3,"num_layers":2,"layer":2})");
  EXPECT_EQ(opened.experiment.shape.seq_len_q, 0);
  EXPECT_EQ(opened.experiment.shape.num_kv_heads, 0);
  EXPECT_EQ(opened.experiment.shape.layer, 0);
  EXPECT_EQ(opened.notes.size(), 3u) << allNotes(opened);
  const Opened one = readRoot(R"("shape":{"seq_len":10,"seq_len_q":5,"num_layers":2,"layer":2})");
  EXPECT_EQ(one.experiment.shape.seq_len_q, 5);
  EXPECT_TRUE(hasNote(one, "s.json: shape: layer must be below num_layers 2, got 2")) << allNotes(one);
}

TEST(Session, keysGivenTwiceAreNamed) {
  const Opened opened = readRoot(R"("shape":{"seq_len":7,"seq_len":9})");
  EXPECT_EQ(opened.experiment.shape.seq_len, 9);
  EXPECT_TRUE(hasNote(opened, "shape.seq_len is given twice; the last one counts"));
}

TEST(Session, schemesWithoutAColourGetFreeOnes) {
  const auto colours = [](const std::string& schemes) {
    std::vector<int> all;
    for (const SchemeChoice& choice : readRoot(R"("schemes":[)" + schemes + "]").experiment.schemes)
      all.push_back(choice.colour);
    return all;
  };
  EXPECT_EQ(colours(R"({"id":"rope"},{"id":"alibi"},{"id":"none"})"), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(colours(R"({"id":"rope"},{"id":"alibi","colour":0},{"id":"none"},{"id":"rope","colour":2})"),
            (std::vector<int>{1, 0, 3, 2}));
}

}  // namespace
}  // namespace posiscope::session
