// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the product says that training shows, for every seed. The bands are a little wider than what an independent
// program measured with the same settings; another order of roundings moves single digits.
#include "core/train/evaluate.h"
#include "core/train/fine_tune.h"
#include "core/train/run_loop.h"
#include "tests/nightly/record.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace posiscope::train {
namespace {

/// Trains the spec with every seed and gathers one number of each run for each name.
using Numbers = std::map<std::string, std::vector<double>>;
using Measure = std::function<std::map<std::string, double>(TrainingRun&)>;

Numbers overSeeds(RunSpec spec, const Measure& measure) {
  Numbers all;
  for (const std::uint64_t seed : seedsToRun()) {
    spec.seed = spec.data_seed = seed;
    Expected<TrainingRun> run = TrainingRun::create(spec);
    if (!run || !trainOn(*run, Job{}, {})) {
      ADD_FAILURE() << spec.model.position.scheme << " cannot be trained";
      continue;
    }
    for (const auto& [name, value] : measure(*run)) all[name].push_back(value);
  }
  return all;
}

double accuracyOf(TrainingRun& run) { return run.history().evaluations.back().accuracy; }
double bestAccuracy(const TrainingRun& run) {
  double best = 0;
  for (const EvaluationRecord& e : run.history().evaluations) best = std::max(best, e.accuracy);
  return best;
}

PositionSpec encoding(const std::string& scheme) {
  PositionSpec position{scheme, {}};
  if (scheme == "learned" || scheme == "hybrid") position.values["rows"] = 512.0;
  if (scheme == "cope") position.values["npos"] = 32.0;
  return position;
}

// (a) Masked copy of six symbols out of ten: without order only the bag of words is known.
RunSpec copying(const std::string& scheme, std::int64_t steps) {
  RunSpec spec;
  spec.model.causal = false;
  spec.model.position = encoding(scheme);
  spec.task = {.kind = TaskKind::copy, .length = 6, .symbols = 10};
  spec.schedule.steps = steps;
  spec.schedule.snapshots = false;
  return spec;
}

/// The best guess from the bag of words: the share of the commonest symbol, and the entropy of the shares.
struct Ceiling {
  double accuracy = 0, loss = 0;
};
Ceiling orderBlindCeiling(const RunSpec& spec, std::int64_t examples) {
  const auto task = *makeTask(spec.task, spec.model.causal);
  Ceiling mean;
  for (std::int64_t e = 0; e < examples; ++e) {
    const Batch batch = makeBatch(*task, spec.task, Split::evaluation, 1, e, 1, sizeOf(spec.task));
    std::map<std::int32_t, double> share;
    for (std::int64_t t = 0; t < spec.task.length; ++t)
      share[batch.tokens[static_cast<std::size_t>(t)]] += 1.0 / static_cast<double>(spec.task.length);
    double most = 0, entropy = 0;
    for (const auto& [symbol, s] : share) {
      most = std::max(most, s);
      entropy -= s * std::log(s);
    }
    mean.accuracy += most / static_cast<double>(examples);
    mean.loss += entropy / static_cast<double>(examples);
  }
  return mean;
}

TEST(OrderBlindness, WithoutPositionTheBagOfWordsIsAllThatIsKnown) {
  const Ceiling ceiling = orderBlindCeiling(copying("none", 400), 4000);
  EXPECT_NEAR(ceiling.accuracy, 0.337, 0.005);
  EXPECT_NEAR(ceiling.loss, 1.472, 0.01);
  for (const char* scheme : {"none", "cope"}) {
    const Numbers found = overSeeds(copying(scheme, 400), [](TrainingRun& run) -> std::map<std::string, double> {
      return {{"accuracy", accuracyOf(run)}, {"loss", run.history().evaluations.back().loss}};
    });
    expectInBand("order blindness", scheme, "accuracy", found.at("accuracy"), {0.29, 0.38});
    expectInBand("order blindness", scheme, "loss", found.at("loss"), {1.40, 1.56});
  }
}

class Copies : public testing::TestWithParam<std::pair<std::string, std::int64_t>> {};
TEST_P(Copies, WithPosition) {
  const auto& [scheme, steps] = GetParam();
  const Numbers found = overSeeds(copying(scheme, steps), [](TrainingRun& run) -> std::map<std::string, double> {
    return {{"accuracy", accuracyOf(run)}};
  });
  expectInBand("order blindness", scheme, join("accuracy after ", steps, " steps"), found.at("accuracy"),
               atLeast(0.97));
}
INSTANTIATE_TEST_SUITE_P(OrderBlindness, Copies,
                         testing::Values(std::pair{"learned", 400}, std::pair{"sinusoidal", 400},
                                         std::pair{"rope", 400}, std::pair{"shaw", 400},
                                         std::pair{"transformer_xl", 400}, std::pair{"hybrid", 400},
                                         std::pair{"layerwise", 400}, std::pair{"dynamic", 400},
                                         std::pair{"t5_log", 400}, std::pair{"alibi", 1500}, std::pair{"fire", 1500}),
                         [](const auto& param) { return param.param.first; });

// (b), (c) Character text of 64 tokens, evaluated beyond.
RunSpec reading(const std::string& scheme) {
  RunSpec spec;
  spec.model.position = encoding(scheme);
  if (scheme == "rope") spec.model.position.values["pairing"] = std::string("half");
  spec.task = {.kind = TaskKind::text, .length = 64};
  spec.schedule.steps = 600;
  spec.schedule.batch = 16;
  spec.schedule.evaluate_every = 600;
  spec.schedule.evaluate_count = 32;
  spec.schedule.snapshots = false;
  return spec;
}

std::map<std::string, double> lossesBeyond(TrainingRun& run) {
  std::map<std::string, double> losses;
  const RunSpec& spec = run.spec();
  for (const LengthPoint& p :
       lengthCurve(run.model(), run.task(), spec.task, spec.data_seed, spec.schedule.evaluate_count))
    if (p.found) losses[join(p.scaling, " at ", p.factor, "×")] = p.found->loss;
  return losses;
}

TEST(Length, TablesCollapseAtOnceAndBiasesStayFlat) {
  struct Expectation {
    const char* scheme;
    const char* quantity;
    Band band;
  };
  const std::vector<Expectation> expectations{
      {"learned", "none at 1×", atMost(0.38)},    {"learned", "none at 1.5×", atLeast(1.1)},
      {"sinusoidal", "none at 1×", atMost(0.36)}, {"sinusoidal", "none at 1.5×", atLeast(0.9)},
      {"alibi", "none at 1×", atMost(0.34)},      {"alibi", "none at 8×", atMost(0.34)},
      {"kerple", "none at 8×", atMost(0.34)},     {"t5_log", "none at 2×", {0.36, 0.56}},
      {"t5_log", "none at 4×", {0.7, 1.15}},      {"t5_log", "none at 8×", {1.2, 2.0}},
  };
  std::map<std::string, Numbers> found;
  for (const char* scheme : {"learned", "sinusoidal", "alibi", "kerple", "t5_log"})
    found[scheme] = overSeeds(reading(scheme), lossesBeyond);
  for (const Expectation& e : expectations)
    expectInBand("length", e.scheme, e.quantity, found[e.scheme].at(e.quantity), e.band);
}

TEST(Length, RotationHoldsToTwiceAndNtkCarriesItFurther) {
  RunSpec spec = reading("rope");
  spec.fine_tune = {.steps = 100, .factor = 4, .batch = 4, .lr = 5e-4};
  const Numbers found = overSeeds(spec, [](TrainingRun& run) {
    std::map<std::string, double> numbers = lossesBeyond(run);
    for (const char* factor : {"1.5", "2", "4", "8"}) {
      const auto at = [&](const char* scaling) { return numbers.at(join(scaling, " at ", factor, "×")); };
      numbers[join("ntk below plain at ", factor, "×")] = at("none") - at("ntk");
      numbers[join("linear above plain at ", factor, "×")] = at("linear") - at("none");
    }
    if (const auto curves = fineTune(run, Job{}))
      for (const FineTuneCurve& curve : *curves)
        for (const FineTunePoint& p : curve.points) numbers[join(curve.scaling, " after ", p.step, " steps")] = p.loss;
    return numbers;
  });
  const auto expect = [&](const std::string& quantity, Band band) {
    expectInBand("length", "rope", quantity, found.at(quantity), band);
  };
  expect("none at 2×", atMost(0.42));
  expect("none at 4×", atLeast(0.75));
  for (const char* factor : {"2", "4", "8"}) expect(join("ntk below plain at ", factor, "×"), atLeast(0));
  for (const char* factor : {"1.5", "2", "4", "8"}) expect(join("linear above plain at ", factor, "×"), atLeast(0.2));
  expect("ntk after 10 steps", atMost(0.36));
  expect("none after 100 steps", atMost(0.33));
  expect("linear after 100 steps", {0.32, 0.5});
}

// (d) Who can say where it stands.
RunSpec indexing(const std::string& scheme, bool bos, bool causal) {
  RunSpec spec;
  spec.model.causal = causal;
  spec.model.position = encoding(scheme);
  spec.task = {.kind = TaskKind::index, .length = 32, .bos = bos};
  spec.optimiser.warmup = 30;
  spec.schedule.steps = 600;
  spec.schedule.batch = 1;
  spec.schedule.evaluate_every = 20;
  spec.schedule.evaluate_count = 1;
  spec.schedule.snapshots = false;
  return spec;
}

TEST(IndexProbe, WhatActsOnLogitsAloneCannotTellEqualWordsApart) {
  const Measure best = [](TrainingRun& run) -> std::map<std::string, double> { return {{"best", bestAccuracy(run)}}; };
  const auto expect = [&](const char* scheme, bool bos, bool causal, Band band) {
    expectInBand("index probe", scheme, join(bos ? "first word marked" : "equal words", causal ? ", causal" : ""),
                 overSeeds(indexing(scheme, bos, causal), best).at("best"), band);
  };
  for (const char* scheme : {"rope", "transformer_xl", "t5_log", "alibi", "kerple", "fire", "cope", "none"})
    expect(scheme, false, true, atMost(1.01 / 32));
  for (const char* scheme : {"learned", "hybrid", "sinusoidal", "layerwise", "dynamic", "shaw"})
    expect(scheme, false, true, atLeast(1));
  for (const char* scheme : {"rope", "alibi", "none"}) expect(scheme, true, true, atLeast(1));
  for (const char* scheme : {"none", "cope"}) expect(scheme, true, false, atMost(2.01 / 32));
}

// (e) Induction heads.
TEST(Induction, HeadsFormWithRotation) {
  RunSpec spec;
  spec.model.position = {"rope", {{"pairing", std::string("half")}}};
  spec.task = {.kind = TaskKind::induction, .length = 32, .symbols = 32, .low = 8, .high = 16};
  spec.schedule.steps = 800;
  spec.schedule.evaluate_every = 100;
  const Numbers found = overSeeds(spec, [](TrainingRun& run) {
    std::map<std::string, double> numbers{{"accuracy", accuracyOf(run)}};
    const auto best = [&](const char* name, double value) { numbers[name] = std::max(numbers[name], value); };
    for (const HeadRecord& h : run.history().heads) {
      if (h.step == 0) best("previous-token score at the start", h.previous_token);
      if (h.step != run.step()) continue;
      best(h.layer == 0 ? "previous-token score, layer 0" : "previous-token score, layer 1", h.previous_token);
      best(h.layer == 0 ? "induction score, layer 0" : "induction score, layer 1", h.induction);
    }
    return numbers;
  });
  const auto expect = [&](const std::string& quantity, Band band) {
    expectInBand("induction heads", "rope", quantity, found.at(quantity), band);
  };
  expect("accuracy", atLeast(0.98));
  expect("previous-token score at the start", atMost(0.25));
  expect("previous-token score, layer 0", atLeast(0.4));
  expect("induction score, layer 0", atMost(0.1));
  expect("induction score, layer 1", atLeast(0.6));
}

// (f) Where images keep their shape.
TEST(Images, AConvolutionCarriesToOtherGridsAndATableInOneDimensionDoesNot) {
  const std::map<std::string, Band> other_grid{
      {"learned", atMost(0.25)}, {"rope", atMost(0.25)}, {"conditional", atLeast(0.97)}};
  for (const auto& [scheme, band] : other_grid) {
    RunSpec spec;
    spec.model.causal = false;
    spec.model.position = encoding(scheme);
    spec.task = {.kind = TaskKind::image, .symbols = 8, .grid_height = 6, .grid_width = 6};
    spec.schedule.steps = 200;
    spec.schedule.snapshots = false;
    const Numbers found = overSeeds(spec, [](TrainingRun& run) -> std::map<std::string, double> {
      const auto at = [&](Grid grid) {
        const auto e = evaluate(run.model(), run.task(), run.spec().task, run.spec().data_seed, 128, {0, grid});
        return e ? e->accuracy : std::nan("");
      };
      return {{"6 × 6", at({6, 6})}, {"5 × 7", at({5, 7})}, {"8 × 8", at({8, 8})}};
    });
    expectInBand("images", scheme, "6 × 6", found.at("6 × 6"), atLeast(0.97));
    expectInBand("images", scheme, "5 × 7", found.at("5 × 7"), band);
    expectInBand("images", scheme, "8 × 8", found.at("8 × 8"), band);
  }
}

}  // namespace
}  // namespace posiscope::train
