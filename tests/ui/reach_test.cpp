// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A curve of 8 pairs says nothing about pair 16, in no view and in no panel.
#include "tests/ui/synthetic.h"
#include "ui/charts/readout.h"
#include "ui/charts/samples.h"
#include "ui/panels/readout.h"
#include "ui/views/view_kinds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <QTest>

namespace posiscope::ui {
namespace {

/// y = 10·p of the first pairs.
Dataset pairsUpTo(int count) {
  Dataset dataset;
  dataset.x.symbol = "p";
  Curve curve;
  for (int p = 0; p < count; ++p) {
    curve.x.push_back(p);
    curve.y.push_back(10.0 * p + 1);
  }
  dataset.curves.push_back(std::move(curve));
  return dataset;
}

TEST(Samples, endHalfAStepBeyondTheCurve) {
  const Curve eight = pairsUpTo(8).curves.front();
  EXPECT_EQ(sampleAt(eight, 7.4), 7);
  EXPECT_EQ(sampleAt(eight, 7.6), -1);
  EXPECT_EQ(sampleAt(eight, 16), -1);
  EXPECT_EQ(sampleAt(eight, -0.4), 0);
  EXPECT_EQ(sampleAt(eight, -0.6), -1);
  EXPECT_EQ(sampleAt(eight, 3.4), 3);
  EXPECT_EQ(nearestSample(eight, 16), 7);
  const Curve one = pairsUpTo(1).curves.front();
  EXPECT_EQ(sampleAt(one, 0), 0);
  EXPECT_EQ(sampleAt(one, 1), -1);
  EXPECT_EQ(sampleAt(Curve{}, 0), -1);
}

TEST(Reach, aSchemeWithoutThePairHasNoRowAndNoMarker) {
  const Plot plot = makePlot(contextOf("spectrum", {pairsUpTo(8), pairsUpTo(32)}), {});
  EXPECT_EQ(readAt(plot, 5, -1).rows.size(), 2U);
  const Readout far = readAt(plot, 16, -1);
  ASSERT_EQ(far.rows.size(), 1U);
  EXPECT_EQ(far.rows.front().scheme, 1);
  EXPECT_EQ(far.rows.front().value, 161);
}

TEST(Readout, manyCurvesOfOneEntryShareALine) {
  Dataset heads;
  heads.x.symbol = "n";
  heads.y.name = {"bias", "偏置"};
  for (int h = 0; h < 9; ++h)
    heads.curves.push_back({join("head ", h), {join("head ", h), join("头 ", h)}, CurveRole::line, {0, 1},
                            {0, -1.0 - h}, h});
  const Plot plot = makePlot(contextOf("relative_decay", {pairsUpTo(8), heads}), {});
  const Readout readout = readAt(plot, 1, -1);
  EXPECT_EQ(readout.rows.size(), 10U) << "each curve has its marker";
  ASSERT_EQ(readout.lines.size(), 2U);
  EXPECT_EQ(readout.lines[1].low, -9);
  EXPECT_EQ(readout.lines[1].high, -1);
  EXPECT_EQ(readout.more, 0);
  const Readout alone = readAt(plot, 1, plot.series.back().group);
  EXPECT_EQ(alone.lines.size(), 8U) << "of an isolated entry each head is told";
  EXPECT_EQ(alone.more, 1);
}

TEST(Reach, thePointerGetsToPairsThatTheFirstSchemeDoesNotHave) {
  std::unique_ptr<View> view(spectrumView().create(nullptr));
  view->resize(480, 320);
  view->setContext(contextOf("spectrum", {pairsUpTo(8), pairsUpTo(32)}));
  view->show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(view.get()));
  Hover hover;
  QObject::connect(view.get(), &View::hovered, view.get(), [&](const Hover& h) {
    hover = h;
    view->setHover(h);
  });
  for (int step = 0; step < 20; ++step) QTest::keyClick(view.get(), Qt::Key_Right);
  ASSERT_TRUE(hover.pair);
  EXPECT_GT(*hover.pair, 8);
  EXPECT_EQ(hover.scheme, 1);
  EXPECT_EQ(hover.value, 10 * *hover.pair + 1);
}

std::shared_ptr<const Result> spectrumOfTwo() {
  Experiment e;
  e.shape.d_model = 64;
  e.shape.head_dim = 16;
  e.shape.num_heads = 4;
  e.schemes = {{"sinusoidal", {}, "", 0, true}, {"rope", {}, "", 1, true}};
  const auto result = compute({e, {{"spectrum", {}}}}, Job{});
  EXPECT_TRUE(result);
  return result ? *result : nullptr;
}

TEST(Reach, theInspectorNamesNoSchemeWithoutThePair) {
  const auto result = spectrumOfTwo();
  Hover hover;
  hover.pair = 16;
  hover.scheme = 0;
  const PointerReadout readout = readPointer(*result, 0, hover, makeStyle(false, Language::english));
  ASSERT_EQ(readout.schemes.size(), 1U);
  EXPECT_EQ(readout.schemes.front().colour, 0);
}

TEST(Reach, theWavelengthOfAPairStandsThereOnce) {
  const auto result = spectrumOfTwo();
  Hover hover;
  hover.pair = 3;
  hover.scheme = 1;
  hover.value = (**result->answers[0][1].dataset).curves.front().y[3];
  const PointerReadout readout = readPointer(*result, 0, hover, makeStyle(false, Language::english));
  EXPECT_EQ(std::ranges::count(readout.place, QStringLiteral("wavelength"), &ReadoutRow::name), 1);
  EXPECT_FALSE(readout.term.isEmpty());
}

}  // namespace
}  // namespace posiscope::ui
