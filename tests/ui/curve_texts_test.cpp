// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/synthetic.h"
#include "ui/charts/plot.h"
#include "ui/charts/plot_layout.h"
#include "ui/paint/style.h"
#include "ui/views/scheme_text.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <QStringList>
#include <utility>

namespace posiscope::ui {
namespace {

Dataset falling(double slope) {
  Dataset dataset;
  dataset.x.symbol = "n";
  Curve curve;
  curve.key = "score";
  for (const double x : {0.0, 1.0, 2.0}) {
    curve.x.push_back(x);
    curve.y.push_back(-slope * x);
  }
  dataset.curves.push_back(std::move(curve));
  return dataset;
}

TEST(CurveTexts, pinnedCurvesThatAreThePresentOnesHaveNoEntry) {
  ViewContext context = contextOf("relative_decay", {falling(0.1)});
  context.pinned = answeredBefore(contextOf("relative_decay", {falling(0.1)}));
  EXPECT_EQ(makePlot(context, {}).groups.size(), 1U);
}

TEST(CurveTexts, pinnedCurvesHaveANeutralEntryAndAreLegibleInBothThemes) {
  for (const bool dark : {false, true}) {
    ViewContext context = contextOf("relative_decay", {falling(0.1)}, dark);
    context.pinned = answeredBefore(contextOf("relative_decay", {falling(0.2)}, dark));
    const Plot plot = makePlot(context, {});
    ASSERT_EQ(plot.groups.size(), 2U);
    EXPECT_EQ(plot.groups.back().name, QStringLiteral("before (pinned)"));
    EXPECT_EQ(plot.groups.back().colour, context.style.mute);
    EXPECT_TRUE(plot.series.front().isIn(1)) << "can be isolated";
    EXPECT_GT(std::abs(plot.series.front().colour.lightness() - context.style.panel.lightness()), 60) << dark;
  }
}

TEST(CurveTexts, linesOfOneHeadAreNamedAndNotCountedAsHeads) {
  Dataset waves = falling(0.1);
  waves.curves.front().head = 1;
  waves.curves.push_back(waves.curves.front());
  waves.curves.front().label = {"dimension 0", "维度 0"};
  waves.curves.back().key = "d2";
  waves.curves.back().label = {"dimension 2", "维度 2"};
  QStringList names;
  for (const PlotGroup& group : makePlot(contextOf("waves", {waves}), {}).groups) names << group.name;
  EXPECT_EQ(names, (QStringList{QStringLiteral("dimension 0"), QStringLiteral("dimension 2")}));
}

TEST(CurveTexts, saysWhoseValuesAreDrawnFromASeedAndAScopeOfAllOnce) {
  ViewContext context = contextOf("relative_decay", {falling(0.1), falling(0.2)});
  auto result = std::make_shared<Result>(*context.result);
  result->request.experiment.schemes[0].id = "learned";
  result->request.experiment.schemes[0].label = "GPT-2";
  for (Answer& answer : result->answers.front()) {
    Dataset scoped = **answer.dataset;
    scoped.scope = {"first 64 tokens", "前 64 个词元"};
    answer.dataset = std::make_shared<const Dataset>(std::move(scoped));
  }
  context.result = result;
  QStringList texts;
  for (const PlotNotice& notice : makePlot(context, {}).notices) texts << notice.text;
  EXPECT_TRUE(
      texts.contains(QStringLiteral("GPT-2: values drawn from a seed; open the model's weights to see its own table")))
      << texts.join(QLatin1Char('\n')).toStdString();
  EXPECT_EQ(texts.filter(QStringLiteral("first 64 tokens")), QStringList{QStringLiteral("first 64 tokens")});
}

TEST(CurveTexts, namesASchemeOnceBeforeItsFailure) {
  const Error error{ErrorCode::past_table, {"learned: position 512 is past the table", "learned：位置 512 超出表"}};
  for (const bool chinese : {false, true}) {
    const Style style = makeStyle(false, chinese ? Language::chinese : Language::english);
    EXPECT_EQ(failureText(QStringLiteral("Learned"), error, style),
              chinese ? QStringLiteral("Learned：位置 512 超出表")
                      : QStringLiteral("Learned: position 512 is past the table"));
  }
  EXPECT_EQ(withoutOwner("first: a word that is no scheme"), "first: a word that is no scheme");
}

TEST(NumberText, writesLargeNumbersOutWithThinSpaces) {
  EXPECT_EQ(numberText(268312.7), QStringLiteral("268\u202f300"));
  EXPECT_EQ(numberText(-12345.6), QStringLiteral("\u221212\u202f350"));
  EXPECT_EQ(numberText(131072), QStringLiteral("131\u202f072"));
  EXPECT_EQ(numberText(1234.56), QStringLiteral("1235"));
  EXPECT_EQ(numberText(0.74812), QStringLiteral("0.7481"));
  EXPECT_EQ(numberText(9999.96, 6), QStringLiteral("9999.96"));
}

TEST(CurveTexts, notesThatSeveralSchemesShareAreOneAndTheOthersAreCounted) {
  const auto noted = [](const char* sentence) {
    Dataset dataset;
    dataset.nothing = {sentence, sentence};
    return dataset;
  };
  ViewContext context =
      contextOf("spectrum", {falling(0.1), noted("Nothing turns."), noted("Nothing turns."), noted("No angle.")});
  const Plot plot = makePlot(context, {});
  ASSERT_EQ(plot.notices.size(), 2U);
  EXPECT_EQ(plot.notices[0].text, QStringLiteral("RoPE · Llama-3, RoPE · YaRN: Nothing turns."));
  EXPECT_EQ(plot.notices[1].text, QStringLiteral("ALiBi: No angle."));
}

TEST(CurveTexts, aFigureHasRoomForTheNotesThatATileHides) {
  Plot plot = makePlot(contextOf("relative_decay", {falling(0.1)}), {});
  for (int n = 0; n < 5; ++n)
    plot.notices.push_back({PlotNotice::Kind::note, QStringLiteral("%1 ").arg(n) + QString(120, QLatin1Char('x'))});
  const Style style = makeStyle(false, Language::english);
  const auto shown = [&](NoticeRoom room) {
    return layoutPlot(plot, plot.x.scale, plot.y.scale, {600, 600}, style, room).notices.size();
  };
  EXPECT_LT(shown(NoticeRoom::quarter), 5U);
  EXPECT_EQ(shown(NoticeRoom::whole), 5U) << "it has no tooltip";
}

}  // namespace
}  // namespace posiscope::ui
