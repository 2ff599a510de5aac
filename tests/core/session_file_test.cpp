// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sessions as files: what stands beside them, what is missing, what a save keeps.
#include "core/session.h"

#include "core/compute.h"
#include "core/files/json_text.h"
#include "core/files/reader.h"
#include "core/session_value.h"
#include "tests/support/session_text.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <filesystem>

namespace posiscope::session {
namespace {

using nlohmann::json;
using test::TemporaryFolder;

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
  for (const char* part : {": later is not known", ": shape.depth is not known", ": mask.dilation is not known",
                           "schemes[1] of the file must be an object with the id", "schemes[1].glow is not known",
                           "schemes[1].spin is not known"})
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

TEST_F(SessionFile, anArrayMayBeNamedWithoutADigest) {
  store("q.npy", {1, 2});
  const auto content = [&](const std::string& shape) {
    return readRoot(R"("content":{"source":"arrays","q":{"file":")" + folder.file("q.npy") + R"(","shape":)" + shape +
                    "}}");
  };
  const Opened opened = content("[2,1]");
  EXPECT_TRUE(opened.missing.empty()) << allNotes(opened);
  EXPECT_EQ(opened.experiment.content.q.shape, (std::vector<std::int64_t>{2, 1}));
  EXPECT_EQ(content("[3,1]").missing.size(), 1u) << "the shape is still that of the session";
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
  EXPECT_TRUE(isMissing(opened.experiment.content.q));
  EXPECT_TRUE(isMissing(opened.experiment.schemes[1].values.at("table")));
  EXPECT_TRUE(opened.notes.empty()) << "said once, by `missing`: " << allNotes(opened);

  ASSERT_TRUE(save(path, opened.experiment, opened.presentation, opened.unknown));
  EXPECT_EQ(json::parse(folder.read("会话.json")), before) << "what is not found yet is still named in the file";

  Experiment found = opened.experiment;
  found.content.q = makeArray({1}, {9});
  ASSERT_TRUE(save(path, found, opened.presentation, opened.unknown));
  EXPECT_EQ(json::parse(folder.read("会话.json"))["content"]["q"], json::parse(R"({"shape":[1],"values":[9]})"));

  found.content.q = {};
  ASSERT_TRUE(save(path, found, opened.presentation, opened.unknown));
  EXPECT_FALSE(json::parse(folder.read("会话.json")).contains("content")) << "let go of, not only not found";
}

TEST_F(SessionFile, anotherFileOfTheSameNameIsNotTheOneChanged) {
  Experiment experiment;
  experiment.content.q = store("away/q.npy", {1, 2});
  path = folder.file("here/s.json");
  std::filesystem::create_directory(folder.file("here"));
  ASSERT_TRUE(save(path, experiment, "{}", "{}"));
  std::filesystem::remove(folder.file("away/q.npy"));
  Opened opened = reopen();
  ASSERT_EQ(opened.missing.size(), 1u);
  EXPECT_EQ(opened.missing[0].other, "");
  EXPECT_EQ(describe(opened.missing[0]).en, "content.q: the file " + folder.file("away/q.npy") + " is missing.");

  store("here/q.npy", {3, 4});
  opened = reopen();
  ASSERT_EQ(opened.missing.size(), 1u);
  EXPECT_FALSE(opened.missing[0].changed);
  EXPECT_EQ(opened.missing[0].other, folder.file("here/q.npy"));
  EXPECT_EQ(describe(opened.missing[0]).en, "content.q: the file " + folder.file("away/q.npy") + " is missing; " +
                                                folder.file("here/q.npy") + " has its name but holds other numbers.");

  store("away/q.npy", {5, 6});
  opened = reopen();
  ASSERT_EQ(opened.missing.size(), 1u);
  EXPECT_TRUE(opened.missing[0].changed);
  EXPECT_EQ(describe(opened.missing[0]).en,
            "content.q: the file " + folder.file("away/q.npy") + " has changed since the session was saved.");
  EXPECT_EQ(describe(opened.missing[0]).zh, "content.q：文件 " + folder.file("away/q.npy") + " 在会话保存后已改变。");
}

TEST_F(SessionFile, isToldFromAModelsConfiguration) {
  ASSERT_TRUE(save(path, startExperiment(), "{}", "{}"));
  EXPECT_TRUE(holdsSession(path));
  EXPECT_TRUE(holdsSession(folder.write("S.JSON", folder.read("会话.json"))));
  EXPECT_TRUE(holdsSession(folder.write("broken.json", R"({"posiscope_session": 1,)"))) << "it says what it is";
  EXPECT_FALSE(holdsSession(folder.write("config.json", R"({"model_type": "llama"})")));
  EXPECT_FALSE(holdsSession(folder.write("s.txt", R"({"posiscope_session": 1})")));
  EXPECT_FALSE(holdsSession(folder.file("gone.json")));
}

TEST_F(SessionFile, aStoppedOpeningIsNotASessionWithoutItsArrays) {
  Experiment experiment;
  experiment.content.q = store("q.npy", {1, 2});
  ASSERT_TRUE(save(path, experiment, "{}", "{}"));
  const Job job;
  job.stop();
  const Expected<Opened> opened = open(path, job);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::cancelled);
}

TEST_F(SessionFile, theDigestOfALargeArrayIsThatOfItsNumbers) {
  std::vector<double> numbers(100000, 1.0);
  const Array first = makeArray({100000}, numbers);
  EXPECT_EQ(digest(first), digest(makeArray({100000}, numbers)));
  EXPECT_EQ(digest(first), digest(first)) << "also the one that was kept";
  Array tall = first;
  tall.shape = {100000, 1};
  EXPECT_NE(digest(tall), digest(first));
  numbers.back() = 2.0;
  EXPECT_NE(digest(makeArray({100000}, numbers)), digest(first));
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

TEST_F(SessionFile, arraysWithoutSenseAreRejected) {
  for (const char* array :
       {"3", "{}", R"({"shape":[2]})", R"({"shape":[2],"values":[1]})", R"({"shape":[-1],"values":[1]})",
        R"({"shape":[1],"values":["x"]})", R"({"shape":[1],"file":"a.npy","digest":3})",
        R"({"shape":[1],"file":"a.npy","digest":""})", R"({"shape":[1e300],"values":[]})",
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
