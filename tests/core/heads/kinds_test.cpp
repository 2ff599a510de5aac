// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/heads/kinds.h"

#include "tests/support/golden.h"

#include <gtest/gtest.h>
#include <set>

namespace posiscope::heads {
namespace {

/// Figures of a head of 64 keys that no rule fits.
Metrics mixed() {
  Metrics m;
  m.keys = m.rows = 64;
  m.window = 4;
  m.entropy_norm_mean = 0.5;
  m.local_mass_uniform = 0.14;
  m.col_top2_uniform = 2 / 64.0;
  m.lift.assign(32, 1.0);
  return m;
}

Kind kindOf(const Metrics& m, const Thresholds& t = {}) { return decideKind(m, t).kind; }

TEST(HeadKinds, areTheGoldenOnes) {
  struct Case {
    const char* name;
    bool causal;
    std::int64_t window;
  };
  std::set<Kind> seen;
  for (const Case& c : {Case{"uniform_causal", true, 2}, Case{"gauss1", false, 4}, Case{"cls_sep", false, 2},
                        Case{"per5n", false, 3}, Case{"perm", false, 4}, Case{"tiny", false, 1}}) {
    const Array weights = test::golden(std::string("inputs/map_") + c.name + "__attn");
    const std::vector<float> values = test::numbersOf<float>(weights);
    Shape shape;
    shape.seq_len = weights.shape[0];
    Mask mask;
    mask.causal = c.causal;
    Thresholds t;
    t.local_window = c.window;
    const Kind kind = kindOf(headMetrics<float>({values.data(), shape.keys(), shape.keys()}, mask, shape, t), t);
    EXPECT_EQ(static_cast<double>(kind), test::golden(std::string("golden/map_") + c.name + "__label").data()[0])
        << c.name;
    seen.insert(kind);
  }
  EXPECT_EQ(seen.size(), all_kinds.size());
}

TEST(HeadKinds, theFirstRuleThatFitsDecides) {
  Metrics m = mixed();
  EXPECT_EQ(kindOf(m), Kind::mixed);
  m.entropy_norm_mean = 0.8;
  EXPECT_EQ(kindOf(m), Kind::global);
  m.periodicity = {0.7, 8, 0.2};
  EXPECT_EQ(kindOf(m), Kind::periodic);
  m.local_mass = 0.5;
  EXPECT_EQ(kindOf(m), Kind::local);
  m.col_top2_mass = 0.5;
  EXPECT_EQ(kindOf(m), Kind::specific);
  m.rows = 7;
  EXPECT_EQ(kindOf(m), Kind::undetermined);
  m.rows = 8;
  m.keys = 7;
  EXPECT_EQ(kindOf(m), Kind::undetermined);
}

TEST(HeadKinds, aShareMustAlsoBeMoreThanUniformAttentionGives) {
  Metrics m = mixed();
  m.local_mass = 0.6;
  m.local_mass_uniform = 0.41;  // a short sequence, where most keys are near
  EXPECT_EQ(kindOf(m), Kind::mixed);
  m.local_mass_uniform = 0.39;
  EXPECT_EQ(kindOf(m), Kind::local);
  m.col_top2_mass = 0.6;
  m.col_top2_uniform = 0.21;
  EXPECT_EQ(kindOf(m), Kind::local);
  m.col_top2_uniform = 0.19;
  EXPECT_EQ(kindOf(m), Kind::specific);
}

TEST(HeadKinds, fewDistancesNeedAHigherPeak) {
  Metrics m = mixed();
  m.periodicity = {0.7, 4, 0.5};
  EXPECT_EQ(kindOf(m), Kind::periodic);
  m.lift.resize(16);  // 3/√16 = 0.75
  EXPECT_EQ(kindOf(m), Kind::mixed);
  m.periodicity.score = 0.76;
  EXPECT_EQ(kindOf(m), Kind::periodic);
  m.lift.resize(8);  // 3/√8 > 1: a peak of 0.9 suffices
  EXPECT_EQ(kindOf(m), Kind::mixed);
  m.periodicity.score = 0.9;
  EXPECT_EQ(kindOf(m), Kind::periodic);
  m.periodicity.cv = 0.19;
  EXPECT_EQ(kindOf(m), Kind::mixed);
}

TEST(HeadKinds, tooFewDistancesAreTheReason) {
  Metrics m = mixed();
  m.keys = m.rows = 15;
  m.lift.assign(7, 1.0);
  m.periodicity.cv = 0.9;
  const auto reasons = [&](const Thresholds& t) {
    std::vector<Condition> found = decideKind(m, t).conditions;
    std::erase_if(found, [](const Condition& c) { return c.kind != Kind::periodic; });
    return found;
  };
  const std::vector<Condition> few = reasons({});
  ASSERT_EQ(few.size(), 1U);
  EXPECT_EQ(few[0].what.en, "the number of distances");
  EXPECT_EQ(few[0].found, 7);
  EXPECT_EQ(few[0].limit, 8);
  EXPECT_FALSE(few[0].holds());
  Thresholds fewer;
  fewer.periodic_min_lags = 7;
  EXPECT_EQ(reasons(fewer).size(), 2U) << "a peak is looked for";
}

TEST(HeadKinds, everyThresholdMovesADecision) {
  const auto with = [](double Thresholds::*member, double value) {
    Thresholds t;
    t.*member = value;
    return t;
  };
  Metrics m = mixed();
  EXPECT_EQ(kindOf(m, with(&Thresholds::global_entropy, 0.5)), Kind::global);
  m.local_mass = 0.4;
  EXPECT_EQ(kindOf(m, with(&Thresholds::local_mass, 0.4)), Kind::local);
  m.local_mass = 0.5;
  EXPECT_EQ(kindOf(m, with(&Thresholds::local_lift, 4)), Kind::mixed);
  m = mixed();
  m.col_top2_mass = 0.4;
  EXPECT_EQ(kindOf(m, with(&Thresholds::specific_mass, 0.4)), Kind::specific);
  m.col_top2_mass = 0.5;
  EXPECT_EQ(kindOf(m, with(&Thresholds::specific_lift, 17)), Kind::mixed);
  m = mixed();
  m.periodicity = {0.55, 8, 0.15};
  EXPECT_EQ(kindOf(m, with(&Thresholds::periodic_cv, 0.1)), Kind::mixed);
  Thresholds t = with(&Thresholds::periodic_cv, 0.1);
  t.periodic_score = 0.54;
  EXPECT_EQ(kindOf(m, t), Kind::periodic);
  t.periodic_sigma = 4;
  EXPECT_EQ(kindOf(m, t), Kind::mixed);
  t.periodic_cap = 0.5;
  EXPECT_EQ(kindOf(m, t), Kind::periodic);
  t = {};
  t.min_len = 65;
  EXPECT_EQ(kindOf(mixed(), t), Kind::undetermined);
}

TEST(HeadKinds, theEvidenceEndsWithWhatDecided) {
  Metrics m = mixed();
  m.local_mass = 0.91;
  const Decision decision = decideKind(m, {});
  EXPECT_EQ(decision.conditions.size(), 6U);  // too short, specific, local
  const Condition& mass = decision.conditions[4];
  EXPECT_EQ(mass.kind, Kind::local);
  EXPECT_EQ(mass.found, 0.91);
  EXPECT_EQ(mass.limit, 0.5);
  EXPECT_TRUE(mass.holds());
  EXPECT_EQ(decision.conditions[5].limit, 1.5 * 0.14);
  EXPECT_NE(mass.what.en.find("within 4"), std::string::npos) << mass.what.en;
}

TEST(HeadKinds, haveNamesInBothLanguages) {
  std::set<std::string> ids, names;
  for (const Kind kind : all_kinds) {
    ids.insert(kindId(kind));
    names.insert(kindName(kind).zh);
  }
  EXPECT_EQ(ids.size(), all_kinds.size());
  EXPECT_EQ(names.size(), all_kinds.size());
}

}  // namespace
}  // namespace posiscope::heads
