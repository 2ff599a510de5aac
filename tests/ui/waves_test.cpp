// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/list.h"
#include "tests/ui/synthetic.h"
#include "ui/views/view_kinds.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace posiscope::ui {
namespace {

/// What a measure answers for one scheme at 8192 tokens.
Dataset measured(const std::string& measure, const std::string& scheme, ParamValues options = {},
                 double train_length = 0, ParamValues values = {}) {
  Question question;
  question.measure = measure;
  question.options = std::move(options);
  question.scheme.id = scheme;
  question.scheme.values = std::move(values);
  question.shape.seq_len = scheme == "learned" ? 512 : 8192;  // its table has no more rows
  question.shape.head_dim = 128;
  question.train_length = train_length;
  Expected<Dataset> dataset = measures::find(measure)->compute(question, Job{});
  EXPECT_TRUE(dataset) << measure << ' ' << scheme;
  return dataset ? *std::move(dataset) : Dataset{};
}

TEST(Waves, areFewAndCanBeFollowedByEyeUnlessOthersAreListed) {
  for (const char* scheme : {"rope", "sinusoidal"}) {
    const Dataset waves = measured("waves", scheme);
    ASSERT_EQ(waves.curves.size(), 4U) << scheme;
    EXPECT_FALSE(waves.scope.en.empty()) << scheme;
    for (const Curve& curve : waves.curves) {
      int changes = 0;
      for (std::size_t i = 1; i < curve.y.size(); ++i) changes += curve.y[i - 1] * curve.y[i] < 0;
      EXPECT_LE(changes, 80) << scheme << ' ' << curve.key;
    }
    EXPECT_EQ(measured("waves", scheme, {{"curves", 1.0}}).curves.size(), 1U);
    EXPECT_EQ(measured("waves", scheme, {{"dims", std::vector<double>{0, 2, 4, 6, 8, 10}}}).curves.size(), 6U);
  }
  const Dataset noise = measured("waves", "learned", {});
  EXPECT_EQ(noise.curves.size(), 4U);
  EXPECT_TRUE(noise.scope.en.empty()) << "a table of noise has nothing slow";
}

TEST(Waves, ofScalingsAreThoseOfTheSamePairsAndNamed) {
  const auto waves = [](const char* scaling) {
    return measured("waves", "rope", {{"curves", 1.0}}, 0,
                    {{"base", 5e5}, {"scaling", std::string(scaling)}, {"factor", 8.0}, {"original_length", 1024.0}});
  };
  const Dataset plain = waves("none");
  ASSERT_EQ(plain.curves.size(), 1U);
  const std::string pair = plain.curves[0].label.en.substr(plain.curves[0].label.en.rfind(' ') + 1);
  EXPECT_EQ(plain.scope.en, "Drawn: pair " + pair + ", of those that swing at most 32 times here.");
  EXPECT_NE(plain.scope.zh.find("维度对 " + pair), std::string::npos) << plain.scope.zh;
  for (const char* scaling : {"llama3", "yarn", "linear"}) {
    const Dataset scaled = waves(scaling);
    ASSERT_EQ(scaled.curves.size(), 1U) << scaling;
    EXPECT_EQ(scaled.curves[0].key, plain.curves[0].key) << scaling;
    EXPECT_NE(scaled.curves[0].y, plain.curves[0].y) << scaling;
    EXPECT_EQ(scaled.scope, plain.scope) << scaling << ": said once for all of them";
  }
}

TEST(Waves, ofManySchemesHaveFewerCurvesEach) {
  Experiment experiment;
  const auto curves = [&experiment](std::size_t schemes) {
    experiment.schemes.assign(schemes, SchemeChoice{.id = "rope", .values = {}, .label = {}});
    return std::get<double>(wavesView().request({}, startPresentation(), experiment).options.at("curves"));
  };
  EXPECT_EQ(curves(1), 4);
  EXPECT_EQ(curves(3), 2);
  EXPECT_EQ(curves(6), 1);
  TileState chosen;
  chosen.options["curves"] = 8.0;
  EXPECT_EQ(wavesView().request(chosen, startPresentation(), experiment).options.at("curves"), Value(8.0));
  chosen.options["curves"] = 0.0;
  EXPECT_EQ(wavesView().request(chosen, startPresentation(), experiment).options.at("curves"), Value(1.0));
  const ViewKind view = wavesView();
  const ParamSpec* spec = findParam(view.options, "curves");
  ASSERT_NE(spec, nullptr);
  EXPECT_EQ(spec->default_value, Value(0.0)) << "it states no number that is not drawn";
  EXPECT_FALSE(spec->unset.en.empty());
}

TEST(Spectrum, saysThatAllPairsTurnWithoutANegation) {
  const auto first = [](double length) { return measured("spectrum", "rope", {}, length).remarks.front().sentence; };
  EXPECT_EQ(first(1e6).en, "All 64 pairs complete at least one turn in 1\u202f000\u202f000 tokens.");
  EXPECT_EQ(first(1e6).zh, "全部 64 个维度对在 1\u202f000\u202f000 个词元内都至少转满一圈。");
  EXPECT_NE(first(8192).en.find("pairs never complete a turn"), std::string::npos);
}

}  // namespace
}  // namespace posiscope::ui
