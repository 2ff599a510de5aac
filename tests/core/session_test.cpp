// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session.h"

#include "core/compute.h"
#include "core/files/json_text.h"
#include "core/files/reader.h"
#include "core/schemes/list.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <random>

namespace posiscope::session {
namespace {

using nlohmann::json;
using test::TemporaryFolder;

Opened readText(const std::string& text) {
  auto opened = fromText(text, "s.json");
  EXPECT_TRUE(opened) << (opened ? "" : opened.error().message.en);
  return opened ? *opened : Opened{};
}

/// A session whose root has these members beside the version.
Opened readRoot(const std::string& members) { return readText(R"({"posiscope_session":1,)" + members + "}"); }

bool hasNote(const Opened& opened, const std::string& part) {
  return std::ranges::any_of(
      opened.notes, [&](const Text& note) { return note.en.find(part) != std::string::npos && !note.zh.empty(); });
}

std::string allNotes(const Opened& opened) {
  std::string text;
  for (const Text& note : opened.notes) text += note.en + "\n";
  return text;
}

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
  if (e.shape.keys() < 100'000) e.mask.key_padding.assign(static_cast<std::size_t>(e.shape.keys()), draw.below(2) == 1);
  e.train_length = std::floor(draw.between(0, 1e6));
  for (std::uint64_t i = draw.below(max_schemes + 1); i > 0; --i) {
    const Scheme& scheme = schemes::catalogue()[draw.below(schemes::catalogue().size())];
    e.schemes.push_back({scheme.id(), draw.values(scheme.params), draw.below(2) ? "名称 \"é\"\n" : "",
                         static_cast<int>(draw.below(8)), draw.below(2) == 1});
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

TEST(Session, sectionsOfTheWrongKindAreNamed) {
  const Opened opened = readRoot(R"("shape":3,"content":[],"mask":"none","schemes":{},"train_length":null)");
  EXPECT_EQ(opened.experiment, Experiment{});
  EXPECT_EQ(opened.notes.size(), 5u) << allNotes(opened);
  const Opened items = readRoot(R"("schemes":[3,null,{},{"id":7},{"id":"rope","values":[]}])");
  EXPECT_EQ(items.experiment.schemes.size(), 1u);
  EXPECT_EQ(items.notes.size(), 5u) << allNotes(items);
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

class SessionFile : public testing::Test {
 protected:
  TemporaryFolder folder;
  std::string path = folder.file("会话.json");

  Opened reopen() {
    auto opened = open(path);
    EXPECT_TRUE(opened) << (opened ? "" : opened.error().message.en);
    return opened ? *opened : Opened{};
  }
  Array store(const std::string& name, std::vector<double> values) {
    const auto size = static_cast<std::int64_t>(values.size());
    std::filesystem::create_directories(std::filesystem::path(folder.file(name)).parent_path());
    EXPECT_TRUE(files::writeNpy(folder.file(name), makeArray({size, 1}, std::move(values))));
    return *files::readArray(folder.file(name));
  }
};

TEST_F(SessionFile, unknownKeysSurviveASave) {
  const std::string text = R"({"posiscope_session":1,"later":{"a":[1]},"shape":{"seq_len":9,"depth":4},
    "mask":{"dilation":2},"presentation":{"tiles":["waves"]},
    "schemes":[{"id":"alibi"},{"id":"from_tomorrow","values":{"x":1}},{"id":"rope","glow":true,"values":{"base":7,"spin":2}}]})";
  folder.write("会话.json", text);
  const Opened opened = reopen();
  EXPECT_EQ(opened.experiment.schemes.size(), 2u);
  for (const char* part :
       {": later is not known", ": shape.depth is not known", ": mask.dilation is not known",
        "schemes[1] must be an object with the id", "schemes[1].glow is not known", "schemes[1].spin is not known"})
    EXPECT_TRUE(hasNote(opened, part)) << part << "\n" << allNotes(opened);

  Experiment changed = opened.experiment;
  changed.shape.seq_len = 10;
  ASSERT_TRUE(save(path, changed, opened.presentation, opened.unknown));
  const json saved = json::parse(folder.read("会话.json"));
  EXPECT_EQ(saved["later"], json::parse(R"({"a":[1]})"));
  EXPECT_EQ(saved["shape"], json::parse(R"({"seq_len":10,"depth":4})"));
  EXPECT_EQ(saved["mask"]["dilation"], 2);
  EXPECT_EQ(saved["presentation"], json::parse(R"({"tiles":["waves"]})"));
  EXPECT_EQ(saved["schemes"][1], json::parse(R"({"id":"rope","glow":true,"colour":1,"values":{"base":7,"spin":2}})"));
  EXPECT_EQ(saved["schemes_kept"], json::parse(R"([{"id":"from_tomorrow","values":{"x":1}}])"));
  const Opened again = reopen();
  EXPECT_EQ(again.experiment, changed);
  EXPECT_EQ(json::parse(again.unknown), json::parse(opened.unknown)) << "a second round loses nothing";

  std::swap(changed.schemes[0], changed.schemes[1]);
  ASSERT_TRUE(save(path, changed, "", opened.unknown));
  const json swapped = json::parse(folder.read("会话.json"))["schemes"];
  EXPECT_EQ(swapped[0], saved["schemes"][1]) << "a scheme's keys go where it goes";
  EXPECT_EQ(swapped[1], saved["schemes"][0]);
}

TEST_F(SessionFile, schemesBeyondTheMostAreKept) {
  std::string schemes = R"({"id":"none"})";
  for (int i = 0; i < max_schemes; ++i) schemes += R"(,{"id":"alibi"})";
  folder.write("会话.json", R"({"posiscope_session":1,"schemes":[)" + schemes + "]}");
  Opened opened = reopen();
  EXPECT_EQ(opened.experiment.schemes.size(), static_cast<std::size_t>(max_schemes));
  EXPECT_EQ(opened.notes.size(), 1u) << allNotes(opened);
  opened.experiment.schemes.erase(opened.experiment.schemes.begin());
  ASSERT_TRUE(save(path, opened.experiment, opened.presentation, opened.unknown));
  EXPECT_EQ(reopen().experiment.schemes.size(), static_cast<std::size_t>(max_schemes)) << "it has room now";
}

TEST_F(SessionFile, arraysAreNamedNotCopied) {
  Experiment experiment;
  experiment.content.source = ContentSource::arrays;
  experiment.content.q = store("q.npy", {1, 2, std::nan("")});
  experiment.schemes.push_back(
      {"learned", {{"initial", std::string("file")}, {"table", store("sub/t.npy", {3, 4})}}, "", 0, true});
  ASSERT_TRUE(save(path, experiment, "{}", "{}"));
  const json saved = json::parse(folder.read("会话.json"));
  EXPECT_EQ(saved["content"]["q"]["file"], folder.file("q.npy"));
  EXPECT_EQ(saved["content"]["q"]["shape"], json::parse("[3,1]"));
  EXPECT_EQ(saved["content"]["q"]["digest"].get<std::string>().size(), 16u);
  const Opened opened = reopen();
  EXPECT_TRUE(opened.missing.empty()) << allNotes(opened);
  EXPECT_EQ(opened.experiment, experiment);
}

TEST_F(SessionFile, arraysAreFoundBesideAMovedSession) {
  Experiment experiment;
  experiment.content.x = store("a/x.npy", {1, 2});
  experiment.content.w_q = store("a/sub/w.npy", {3});
  path = folder.file("a/s.json");
  ASSERT_TRUE(save(path, experiment, "{}", "{}"));
  std::filesystem::rename(folder.file("a"), folder.file("b"));
  path = folder.file("b/s.json");
  const Opened opened = reopen();
  EXPECT_TRUE(opened.missing.empty()) << allNotes(opened);
  EXPECT_EQ(*opened.experiment.content.x.values, (std::vector<double>{1, 2}));
  EXPECT_EQ(opened.experiment.content.w_q.source, folder.file("b/sub/w.npy"));
}

TEST_F(SessionFile, missingAndChangedArraysAreAskedForAndNotLost) {
  Experiment experiment;
  experiment.content.q = store("q.npy", {1, 2});
  experiment.schemes.push_back({"alibi", {}, "", 0, true});
  experiment.schemes.push_back({"learned", {{"table", store("t.npy", {3, 4})}}, "", 1, true});
  ASSERT_TRUE(save(path, experiment, "{}", "{}"));
  const json before = json::parse(folder.read("会话.json"));
  std::filesystem::remove(folder.file("q.npy"));
  store("t.npy", {3, 5});
  const Opened opened = reopen();
  ASSERT_EQ(opened.missing.size(), 2u) << allNotes(opened);
  EXPECT_EQ(opened.missing[0].where, "content.q");
  EXPECT_EQ(opened.missing[0].path, folder.file("q.npy"));
  EXPECT_FALSE(opened.missing[0].changed);
  EXPECT_EQ(opened.missing[1].where, "schemes[1].table");
  EXPECT_TRUE(opened.missing[1].changed);
  EXPECT_TRUE(opened.experiment.content.q.empty());
  EXPECT_TRUE(isMissing(opened.experiment.schemes[1].values.at("table")));
  EXPECT_TRUE(opened.notes.empty()) << "said once, by `missing`: " << allNotes(opened);

  ASSERT_TRUE(save(path, opened.experiment, opened.presentation, opened.unknown));
  EXPECT_EQ(json::parse(folder.read("会话.json")), before) << "what is not found yet is still named in the file";

  Experiment found = opened.experiment;
  found.content.q = makeArray({1}, {9});
  ASSERT_TRUE(save(path, found, opened.presentation, opened.unknown));
  EXPECT_EQ(json::parse(folder.read("会话.json"))["content"]["q"], json::parse(R"({"shape":[1],"values":[9]})"));
}

/// ALiBi and a learned table whose file is gone, with a key of a newer version.
class SessionWithoutItsFile : public SessionFile {
 protected:
  SessionWithoutItsFile() {
    Experiment experiment;
    experiment.schemes.push_back({"alibi", {}, "", 0, true});
    experiment.schemes.push_back({"learned", {{"table", store("gone.npy", {3, 4})}}, "", 1, true});
    EXPECT_TRUE(save(path, experiment, "{}", "{}"));
    json root = json::parse(folder.read("会话.json"));
    root["schemes"][1]["glow"] = true;
    root["schemes"][1]["values"]["spin"] = 2;
    folder.write("会话.json", root.dump());
    std::filesystem::remove(folder.file("gone.npy"));
    opened = reopen();
  }
  /// The schemes as they stand in the file after a save.
  json saved() {
    EXPECT_TRUE(save(path, opened.experiment, opened.presentation, opened.unknown));
    return json::parse(folder.read("会话.json"))["schemes"];
  }
  void expectWhole(const json& scheme) {
    EXPECT_EQ(scheme["glow"], true);
    EXPECT_EQ(scheme["values"]["spin"], 2);
    EXPECT_EQ(scheme["values"]["table"]["file"], folder.file("gone.npy"));
    EXPECT_EQ(scheme["values"]["table"]["shape"], json::parse("[2,1]"));
  }

  Opened opened;
};

TEST_F(SessionWithoutItsFile, whatIsKeptFollowsItsScheme) {
  auto& schemes = opened.experiment.schemes;
  std::swap(schemes[0], schemes[1]);
  expectWhole(saved()[0]);
  EXPECT_FALSE(saved()[1].contains("glow"));
  schemes.insert(schemes.begin(), schemes[0]);
  schemes[0].label = "a copy";
  schemes[1].values["seed"] = 5.0;
  for (const int i : {0, 1}) expectWhole(saved()[static_cast<std::size_t>(i)]);
  schemes.erase(schemes.begin());
  schemes.erase(schemes.begin() + 1);
  EXPECT_EQ(saved().size(), 1u);
  const Opened again = reopen();
  EXPECT_EQ(again.experiment, opened.experiment);
  ASSERT_EQ(again.missing.size(), 1u);
  EXPECT_EQ(again.missing[0].where, "schemes[0].table");
}

TEST_F(SessionWithoutItsFile, aParameterSetOrResetLetsGoOfTheFile) {
  const Experiment waiting = opened.experiment;
  opened.experiment.schemes[1].values.erase("table");
  EXPECT_EQ(saved()[1]["values"], json::parse(R"({"spin":2})"));
  opened.experiment.schemes[1].values["table"] = makeArray({1, 1}, {9});
  EXPECT_EQ(saved()[1]["values"], json::parse(R"({"spin":2,"table":{"shape":[1,1],"values":[9]}})"));
  opened.experiment = waiting;  // undo
  expectWhole(saved()[1]);
}

TEST_F(SessionWithoutItsFile, itsSchemeIsNotAnsweredWithOtherNumbers) {
  Request request{opened.experiment, {{"position_table", {}}}};
  request.experiment.shape = {.seq_len = 2, .d_model = 2, .num_heads = 1, .head_dim = 2};
  auto result = compute(request, Job{});
  ASSERT_TRUE(result);
  ASSERT_FALSE((*result)->answers[0][1].dataset);
  EXPECT_EQ((*result)->answers[0][1].dataset.error().code, ErrorCode::file_missing);
  EXPECT_EQ((*result)->answers[0][1].dataset.error().message.en,
            "learned: table: the file gone.npy is missing or has changed");
  request.experiment.schemes[1].values.erase("table");
  result = compute(request, Job{});
  ASSERT_TRUE(result);
  EXPECT_TRUE((*result)->answers[0][1].dataset) << (*result)->answers[0][1].dataset.error().message.en;
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

TEST_F(SessionFile, arraysWithoutSenseAreRejected) {
  for (const char* array :
       {"3", "{}", R"({"shape":[2]})", R"({"shape":[2],"values":[1]})", R"({"shape":[-1],"values":[1]})",
        R"({"shape":[1],"values":["x"]})", R"({"shape":[1],"file":"a.npy"})", R"({"shape":[1e300],"values":[]})",
        R"({"shape":[1],"file":"","digest":"0"})", R"({"shape":[4294967296,4294967296],"values":[]})"}) {
    const Opened opened = readRoot(R"("content":{"q":)" + std::string(array) + "}");
    EXPECT_TRUE(hasNote(opened, "s.json: content.q must be an array")) << array << allNotes(opened);
    EXPECT_TRUE(opened.experiment.content.q.empty());
  }
}

TEST_F(SessionFile, aFailedSaveKeepsTheOldFile) {
  ASSERT_TRUE(save(path, Experiment{}, "{}", "{}"));
  const std::string before = folder.read("会话.json");
  EXPECT_EQ(save(path, startExperiment(), "{not json", "{}").error().code, ErrorCode::bad_value);
  EXPECT_EQ(save(folder.file("none/s.json"), startExperiment(), "{}", "{}").error().code, ErrorCode::file_write);
  EXPECT_EQ(folder.read("会话.json"), before);
  EXPECT_EQ(folder.listing(), "会话.json");
}

}  // namespace
}  // namespace posiscope::session
