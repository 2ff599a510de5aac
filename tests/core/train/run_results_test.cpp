// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/fine_tune.h"
#include "core/train/results_csv.h"
#include "core/train/run_loop.h"
#include "core/train/run_spec_json.h"
#include "core/train/shuffled_positions.h"
#include "core/train/stretch.h"
#include "tests/core/train/small_run.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cmath>

namespace posiscope::train {
namespace {

TEST(Stretches, AreThoseOfARotationAlone) {
  EXPECT_EQ(stretches({"alibi", {}}, 4, 64).size(), 1u);
  EXPECT_EQ(stretches({"rope", {}}, 1, 64).size(), 1u);
  const auto all = stretches({"rope", {{"base", 500.0}}}, 4, 64);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].position.values, (ParamValues{{"base", 500.0}}));
  EXPECT_EQ(all[3].scaling, "yarn");
  EXPECT_EQ(std::get<double>(all[3].position.values.at("original_length")), 64);
  EXPECT_EQ(std::get<double>(all[3].position.values.at("base")), 500);
}

/// A picture that only grew taller would be as wide as the trained one: "six places later" would still be "below".
TEST(LengthCurve, LetsPicturesGrowInBothDirections) {
  const TaskSpec task{.kind = TaskKind::image, .grid_height = 6, .grid_width = 6};
  EXPECT_EQ(lengthenedSize(task, 1).grid->width, 6);
  EXPECT_EQ(lengthenedSize(task, 2).grid->width, 8);
  EXPECT_EQ(lengthenedSize(task, 2).grid->height, 8);
  EXPECT_EQ(lengthened(task, 4).grid_width, 12);
  EXPECT_EQ(lengthened(task, 4).grid_height, 12);
}

TEST(LengthCurve, HasNoLongerSequenceWhereATaskHasOneLength) {
  RunSpec spec = smallRun("rope", 1);
  spec.task.kind = TaskKind::modular;
  TrainingRun run = started(spec);
  const auto curve = lengthCurve(run.model(), run.task(), run.spec().task, 1, 4);
  ASSERT_EQ(curve.size(), 1 + 4 * 4u);
  EXPECT_TRUE(curve[0].found);
  for (std::size_t p = 1; p < curve.size(); ++p) EXPECT_FALSE(curve[p].found) << p;
}

TEST(FineTuning, StartsEachTimeFromTheSameWeightsAndLeavesThemAlone) {
  RunSpec spec = smallRun("rope", 30);
  spec.fine_tune = {.steps = 26, .factor = 2, .batch = 4, .lr = 1e-3};
  TrainingRun run = started(spec);
  ASSERT_TRUE(trainOn(run, Job{}, {}));
  const std::vector<float> before = parametersOf(run);
  const auto curves = fineTune(run, Job{});
  ASSERT_TRUE(curves) << curves.error().message.en;
  ASSERT_EQ(curves->size(), 4u);
  EXPECT_EQ(parametersOf(run), before);
  const auto lengths = lengthCurve(run.model(), run.task(), run.spec().task, 1, 16);
  for (const FineTuneCurve& curve : *curves) {
    EXPECT_TRUE(curve.refused.en.empty());
    std::vector<std::int64_t> steps;
    for (const FineTunePoint& p : curve.points) steps.push_back(p.step);
    EXPECT_EQ(steps, (std::vector<std::int64_t>{0, 10, 25, 26}));
    // The first point is the length curve's, of the same stretch.
    const auto same = std::ranges::find_if(
        lengths, [&](const LengthPoint& p) { return p.factor == 2 && p.scaling == curve.scaling; });
    ASSERT_NE(same, lengths.end());
    EXPECT_EQ(curve.points.front().loss, same->found->loss);
    EXPECT_LT(curve.points.back().loss, curve.points.front().loss) << curve.scaling;
  }
}

TEST(FineTuning, SaysWhyThereIsNone) {
  RunSpec spec = smallRun("learned", 1);
  spec.model.position.values["rows"] = 8.0;
  EXPECT_TRUE(fineTune(started(spec), Job{})->empty());  // nobody asked
  spec.fine_tune.steps = 2;
  const auto curves = fineTune(started(spec), Job{});
  ASSERT_TRUE(curves && curves->size() == 1);
  EXPECT_TRUE(curves->front().points.empty());
  EXPECT_NE(curves->front().refused.en.find("8 rows"), std::string::npos) << curves->front().refused.en;
  Job stopped;
  stopped.stop();
  spec.model.position = {"alibi", {}};
  EXPECT_EQ(fineTune(started(spec), stopped).error().code, ErrorCode::cancelled);
}

class Shuffled : public testing::Test {
 protected:
  /// Trained for so many steps, evaluated as it is and with shuffled positions.
  std::pair<Evaluation, Evaluation> both(RunSpec spec) {
    TrainingRun run = started(spec);
    EXPECT_TRUE(trainOn(run, Job{}, {.folder = folder.path()}));
    const TaskSpec& task = run.spec().task;
    const auto plain = evaluate(run.model(), run.task(), task, 1, 16, sizeOf(task));
    const auto shuffled = withShuffledPositions(folder.path(), run.task(), task, 1, 16, sizeOf(task), Job{});
    EXPECT_TRUE(shuffled) << shuffled.error().message.en;
    return {*plain, shuffled ? *shuffled : Evaluation{}};
  }
  test::TemporaryFolder folder;
};

TEST_F(Shuffled, ChangesNothingForAModelWithoutAnEncoding) {
  for (const bool causal : {false, true}) {
    RunSpec spec = smallRun("none", 20);
    spec.model.causal = causal;
    const auto [plain, shuffled] = both(spec);
    EXPECT_NEAR(plain.loss, shuffled.loss, 1e-5) << causal;
    EXPECT_EQ(plain.accuracy, shuffled.accuracy);
    ASSERT_EQ(plain.by_position.size(), shuffled.by_position.size());
    EXPECT_NEAR(plain.by_position.back(), shuffled.by_position.back(), 1e-5);
    EXPECT_NEAR(plain.last_eighth, shuffled.last_eighth, 1e-5);
  }
}

TEST_F(Shuffled, TakesAwayWhatTheEncodingHasLearned) {
  const auto [plain, shuffled] = both(smallRun("learned", 300));
  EXPECT_GT(plain.accuracy, 0.9);
  EXPECT_GT(shuffled.loss, plain.loss + 1);
  EXPECT_LT(shuffled.accuracy, plain.accuracy - 0.3);
}

TEST_F(Shuffled, IsRefusedWhereItWouldShowTheAnswer) {
  RunSpec spec = smallRun("dynamic", 1);
  spec.model.causal = true;
  TrainingRun run = started(spec);
  ASSERT_TRUE(trainOn(run, Job{}, {.folder = folder.path()}));
  const TaskSpec& task = run.spec().task;
  const auto refused = withShuffledPositions(folder.path(), run.task(), task, 1, 4, sizeOf(task), Job{});
  EXPECT_EQ(refused.error().code, ErrorCode::not_supported);
}

TEST(HeadRecords, AreKeptWithEverySnapshotAndGoOnFromACheckpoint) {
  RunSpec spec = smallRun("rope", 5);
  spec.task = {.kind = TaskKind::induction, .length = 12, .symbols = 8, .low = 3, .high = 4};
  spec.model.causal = true;
  TrainingRun run = started(spec);
  ASSERT_TRUE(trainOn(run, Job{}, {}));
  const std::vector<HeadRecord>& heads = run.history().heads;
  ASSERT_EQ(heads.size(), 5 * 2u);  // steps 0, 1, 2, 4 and the last; one layer of two heads
  EXPECT_EQ(heads[2].step, 1);
  EXPECT_EQ(heads[3].head, 1);
  EXPECT_EQ(heads.back().step, 5);
  for (const HeadRecord& h : heads) {
    EXPECT_TRUE(h.induction >= 0 && h.induction <= 1 && h.previous_token > 0 && h.previous_token <= 1);
    EXPECT_FALSE(h.kind.empty());
  }
  const History back = historyFromJson(nlohmann::json::parse(toJson(run.history()).dump()));
  ASSERT_EQ(back.heads.size(), heads.size());
  EXPECT_EQ(back.heads[4].previous_token, heads[4].previous_token);
  EXPECT_EQ(back.heads[4].kind, heads[4].kind);
  // No other task has a token that followed last time as its answer.
  TrainingRun copy = started(smallRun("rope", 1));
  ASSERT_TRUE(trainOn(copy, Job{}, {}));
  EXPECT_TRUE(std::isnan(copy.history().heads.front().induction));
  EXPECT_TRUE(std::isnan(historyFromJson(nlohmann::json::parse(toJson(copy.history()).dump())).heads[0].induction));
}

TEST(Results, HoldEverythingThatWasAskedFor) {
  const test::TemporaryFolder folder;
  RunSpec spec = smallRun("rope", 4);
  spec.fine_tune = {.steps = 1, .factor = 2};
  TrainingRun run = started(spec);
  ASSERT_TRUE(trainOn(run, Job{}, {.folder = folder.path()}));
  const auto results = measure(run, Job{}, folder.path());
  ASSERT_TRUE(results) << results.error().message.en;
  const auto json = toJson(run, *results);
  EXPECT_EQ(json["lengths"].size(), 17u);
  EXPECT_EQ(json["fine_tune"].size(), 4u);
  EXPECT_TRUE(json["shuffled_positions"].contains("loss"));
  EXPECT_EQ(json["history"]["heads"].size(), 4 * 2u);
  const auto columns = [](const std::string& line) { return std::ranges::count(line, ',') + 1; };
  EXPECT_EQ(columns(summary_columns), columns(summaryLine(run, *results)));
  ASSERT_TRUE(writeTables(run, *results, folder.path()));
  for (const auto& [name, rows] :
       {std::pair{"steps.csv", 4}, std::pair{"evaluations.csv", 2}, std::pair{"heads.csv", 8},
        std::pair{"lengths.csv", 17}, std::pair{"fine_tune.csv", 8}}) {
    const std::string text = folder.read(name);
    EXPECT_EQ(std::ranges::count(text, '\n'), rows + 1) << name;
    EXPECT_EQ(std::ranges::count(text, ','), (rows + 1) * (columns(text.substr(0, text.find('\n'))) - 1)) << name;
  }
}

TEST(FineTuneSpec, IsPartOfTheFile) {
  const auto spec = comparisonFromJson({{"fine_tune", {{"steps", 100}, {"factor", 4}}}});
  ASSERT_TRUE(spec) << spec.error().message.en;
  EXPECT_EQ(spec->run.fine_tune.steps, 100);
  EXPECT_EQ(spec->run.fine_tune.lr, 5e-4);
  EXPECT_EQ(comparisonFromJson(nlohmann::json::parse(toJson(*spec).dump()))->run, spec->run);
  EXPECT_EQ(comparisonFromJson({{"fine_tune", {{"step", 100}}}}).error().code, ErrorCode::unknown_name);
}

}  // namespace
}  // namespace posiscope::train
