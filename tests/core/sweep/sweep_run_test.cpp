// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/run.h"

#include "core/files/reader.h"
#include "core/parallel.h"
#include "core/sweep/merge.h"
#include "core/sweep/record.h"
#include "tests/core/sweep/small_sweep.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <set>

namespace posiscope {
namespace {

using test::filesIn;
using test::smallSweepJson;
using test::sweepOf;

sweep::Tally runInto(const std::string& folder, const sweep::Sweep& s, const sweep::Shard& shard = {},
                     const sweep::Tell& tell = {}) {
  const Expected<sweep::Tally> tally = sweep::run(s, shard, folder, Job(), tell);
  EXPECT_TRUE(tally) << (tally ? "" : tally.error().message.en);
  return tally ? *tally : sweep::Tally{};
}

TEST(SweepRun, WritesEveryItemAsComputeWould) {
  const test::TemporaryFolder folder;
  const sweep::Sweep s = sweepOf(smallSweepJson());
  ASSERT_EQ(s.items.size(), 18u);
  const sweep::Tally tally = runInto(folder.file("out"), s);
  EXPECT_EQ(tally.items, 18u);
  EXPECT_EQ(tally.found, 0u);
  // Twelve tokens and ten learned rows; a rotation has no norm to compare.
  EXPECT_EQ(tally.without, 3u + 4u);
  EXPECT_FALSE(tally.first_reason.empty());
  const sweep::Item& item = s.items[3];
  const auto result = compute({item.experiment, {item.measure}}, Job());
  ASSERT_TRUE(result);
  const Dataset& dataset = **(*result)->answers[0][0].dataset;
  const Expected<Array> written = files::readNpy(sweep::arrayPath(folder.file("out"), item.key));
  ASSERT_TRUE(written);
  EXPECT_EQ(*written->values, *numbers(dataset).values);
  const auto record = sweep::findRecord(folder.file("out"), item.key);
  ASSERT_TRUE(record);
  EXPECT_EQ(record->quantities, sweep::quantitiesOf(dataset));
}

TEST(SweepRun, MergedPartsAreTheWholeByteForByte) {
  const test::TemporaryFolder folder;
  const sweep::Sweep s = sweepOf(smallSweepJson());
  runInto(folder.file("whole"), s);
  const auto whole = filesIn(folder.file("whole"));
  ASSERT_GT(whole.size(), 18u);
  const int before = threads();
  for (const std::int64_t count : {1, 2, 3}) {
    setThreads(static_cast<int>(count));
    std::vector<std::string> parts;
    for (std::int64_t i = 1; i <= count; ++i) {
      parts.push_back(folder.file(join("part", i, "of", count)));
      runInto(parts.back(), s, {i, count});
      EXPECT_EQ(filesIn(parts.back()).count("summary.csv"), count == 1 ? 1u : 0u);
    }
    const std::string merged = folder.file(join("merged", count));
    const Expected<std::size_t> items = sweep::merge(parts, merged, Job());
    ASSERT_TRUE(items) << items.error().message.en;
    EXPECT_EQ(*items, 18u);
    EXPECT_EQ(filesIn(merged), whole) << count;
  }
  setThreads(before);
}

TEST(SweepRun, PartsMayShareAFolder) {
  const test::TemporaryFolder folder;
  const sweep::Sweep s = sweepOf(smallSweepJson());
  runInto(folder.file("whole"), s);
  for (std::int64_t i = 1; i <= 3; ++i) runInto(folder.file("shared"), s, {i, 3});
  ASSERT_TRUE(sweep::merge({folder.file("shared")}, folder.file("shared"), Job()));
  EXPECT_EQ(filesIn(folder.file("shared")), filesIn(folder.file("whole")));
}

TEST(SweepRun, GoesOnWhereItWasStopped) {
  const test::TemporaryFolder folder;
  const sweep::Sweep s = sweepOf(smallSweepJson());
  runInto(folder.file("whole"), s);
  const Job job;
  const auto stopped = sweep::run(s, {}, folder.file("out"), job, [&](const sweep::Step& step) {
    if (step.number == 5) job.stop();
  });
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::cancelled);
  EXPECT_FALSE(std::filesystem::exists(folder.file("out/summary.csv")));
  // As a crash leaves it: arrays without records, also of an item that has no numbers; a sibling is half written.
  for (const std::size_t n : {5u, 7u}) folder.write("out/items/" + s.items[n].key + ".npy", "half");
  folder.write("out/items/" + s.items[6].key + ".npy.1-0.part", "half");
  std::set<std::size_t> computed;
  const sweep::Tally tally = runInto(folder.file("out"), s, {}, [&](const sweep::Step& step) {
    if (!step.found) computed.insert(step.number);
  });
  EXPECT_EQ(tally.found, 5u);
  EXPECT_EQ(computed.size(), 13u);
  EXPECT_EQ(*computed.begin(), 6u);
  std::filesystem::remove(folder.file("out/items/" + s.items[6].key + ".npy.1-0.part"));
  EXPECT_EQ(filesIn(folder.file("out")), filesIn(folder.file("whole")));
  EXPECT_EQ(runInto(folder.file("out"), s).found, 18u);
}

TEST(SweepRun, ADamagedItemIsComputedAgain) {
  const test::TemporaryFolder folder;
  const sweep::Sweep s = sweepOf(smallSweepJson());
  runInto(folder.file("out"), s);
  const auto whole = filesIn(folder.file("out"));
  folder.write("out/items/" + s.items[0].key + ".npy", "cut");
  folder.write("out/items/" + s.items[1].key + ".json", "{");
  // Another question of the same size under this key, as if two had met.
  const std::string other = folder.read("out/items/" + s.items[9].key + ".json");
  folder.write("out/items/" + s.items[3].key + ".json", other);
  EXPECT_EQ(runInto(folder.file("out"), s).found, 15u);
  EXPECT_EQ(filesIn(folder.file("out")), whole);
}

TEST(SweepRun, ALongerListKeepsWhatIsDone) {
  const test::TemporaryFolder folder;
  runInto(folder.file("out"), sweepOf(smallSweepJson()));
  nlohmann::json longer = smallSweepJson();
  longer["schemes"].push_back("alibi");
  longer["shape"]["num_layers"] = 1;  // the default, written down
  const sweep::Tally tally = runInto(folder.file("out"), sweepOf(longer));
  EXPECT_EQ(tally.items, 24u);
  EXPECT_EQ(tally.found, 18u);
}

TEST(SweepRun, ArraysCanBeLeftOutOrSingle) {
  const test::TemporaryFolder folder;
  nlohmann::json spec = smallSweepJson();
  spec["arrays"] = "none";
  runInto(folder.file("none"), sweepOf(spec));
  for (const auto& [name, bytes] : filesIn(folder.file("none"))) EXPECT_FALSE(name.ends_with(".npy")) << name;
  spec["arrays"] = "single";
  const sweep::Sweep single = sweepOf(spec);
  runInto(folder.file("single"), single);
  const auto array = files::describeNpy(sweep::arrayPath(folder.file("single"), single.items[0].key));
  ASSERT_TRUE(array);
  EXPECT_EQ(array->dtype, "<f4");
}

TEST(SweepRun, TheSummaryHasALineForEachNumber) {
  const test::TemporaryFolder folder;
  runInto(folder.file("out"), sweepOf(smallSweepJson()));
  const std::string text = folder.read("out/summary.csv");
  EXPECT_TRUE(text.starts_with("key,measure,scheme,scheme.base,shape.seq_len,quantity,value,unit,note\n")) << text;
  EXPECT_NE(text.find(",position_table,\"rope,base=100\",100,8,cos.maximum,1,,\n"), std::string::npos) << text;
  // Twelve tokens are past the ten learned rows: no quantity, but the reason.
  EXPECT_NE(text.find(",\"learned,max_positions=10\",,12,,,,"), std::string::npos) << text;
}

TEST(SweepMerge, RefusesWhatIsNotWhole) {
  const test::TemporaryFolder folder;
  const sweep::Sweep s = sweepOf(smallSweepJson());
  runInto(folder.file("one"), s, {1, 2});
  const auto partial = sweep::merge({folder.file("one")}, folder.file("out"), Job());
  ASSERT_FALSE(partial);
  EXPECT_NE(partial.error().message.en.find("all 18 items must be finished, but 9 are in none"), std::string::npos)
      << partial.error().message.en;
  EXPECT_FALSE(std::filesystem::exists(folder.file("out")));
  nlohmann::json other = smallSweepJson();
  other["measures"] = {"waves"};
  runInto(folder.file("other"), sweepOf(other));
  const auto mixed = sweep::merge({folder.file("one"), folder.file("other")}, folder.file("out"), Job());
  ASSERT_FALSE(mixed);
  EXPECT_NE(mixed.error().message.en.find("part of the same sweep"), std::string::npos) << mixed.error().message.en;
  const auto nothing = sweep::merge({folder.file("none")}, folder.file("out"), Job());
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().code, ErrorCode::file_missing);
  folder.write("one/sweep.json", R"({"posiscope_sweep": 1, "axes": [], "items": [{"key": "../../etc/x"}]})");
  const auto damaged = sweep::merge({folder.file("one")}, folder.file("out"), Job());
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().code, ErrorCode::file_format);
}

}  // namespace
}  // namespace posiscope
