// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A draft of a slow answer stands on the axes of the whole, over the picture of before.
#include "ui/views/map_draft.h"
#include "core/measures/first_tokens.h"
#include "tests/ui/synthetic.h"
#include "ui/views/list.h"
#include "ui/views/map_view.h"

#include <gtest/gtest.h>

#include <memory>
#include <QImage>

namespace posiscope::ui {
namespace {

constexpr std::int64_t tokens = 64;

ViewContext wholeAnswer(double slope) { return contextOf("attention_weights", {causalWeights(tokens, {0}, slope)}); }

ViewContext draftAnswer(double slope) {
  Dataset dataset = causalWeights(tokens / 4, {0}, slope);
  dataset.draft = true;
  measures::spreadDraft(dataset, tokens);
  return contextOf("attention_weights", {std::move(dataset)});
}

MapScene sceneOf(const ViewContext& context) {
  MapChoice choice;
  choice.head = 0;
  return makeMapScene(context, choice);
}

TEST(MapDraft, keepsTheAxesOfTheWhole) {
  const MapScene draft = sceneOf(draftAnswer(0.2));
  const MapScene whole = sceneOf(wholeAnswer(0.2));
  ASSERT_TRUE(isDraft(draft));
  EXPECT_FALSE(isDraft(whole));
  EXPECT_EQ(wholeZoom(*draft.first()->map), wholeZoom(*whole.first()->map));
  ASSERT_FALSE(draft.strip.empty());
  EXPECT_EQ(draft.strip.front().curve->x, whole.strip.front().curve->x);
}

TEST(MapDraft, standsOverTheFormerAnswerOfTheSamePlaceOnly) {
  MapScene draft = sceneOf(draftAnswer(0.9));
  const MapScene former = sceneOf(wholeAnswer(0.2));
  layOver(draft, former);
  EXPECT_EQ(draft.panels[0].former, former.panels[0].map);
  EXPECT_EQ(draft.panels[0].look.scale, former.panels[0].look.scale);

  MapScene other = sceneOf(draftAnswer(0.9));
  layOver(other, sceneOf(contextOf("attention_weights", {causalWeights(32, {0}, 0.2)})));
  EXPECT_EQ(other.panels[0].former, nullptr) << "another number of tokens";
  layOver(other, {});
  EXPECT_EQ(other.panels[0].former, nullptr);
}

TEST(MapDraft, knowsTheStartOfBothAxes) {
  const MapScene draft = sceneOf(draftAnswer(0.2));
  const QRectF plot(10, 20, 320, 320);
  EXPECT_EQ(knownPart(*draft.first()->map, plot, {0, 0, 64, 64}), QRectF(10, 20, 80, 80));
  EXPECT_EQ(knownPart(*draft.first()->map, plot, {0, 8, 16, 16}), QRectF(10, 20, 160, 320));
  EXPECT_TRUE(knownPart(*draft.first()->map, plot, {32, 32, 16, 16}).isEmpty());
}

TEST(MapDraft, theViewShowsTheFormerPictureAroundItUntilTheAnswerComes) {
  const std::unique_ptr<MapView> view(qobject_cast<MapView*>(findView("attention_weights")->create(nullptr)));
  view->resize(420, 420);
  view->setContext(wholeAnswer(0.2));
  const QRectF plot = view->places().panels[0].plot;
  const QImage before = view->grab().toImage();
  view->setContext(draftAnswer(0.9));
  EXPECT_EQ(view->places().panels[0].plot, plot) << "nothing jumps";
  EXPECT_NE(view->scene().panels[0].former, nullptr);
  EXPECT_NE(view->grab().toImage(), before);
  view->setContext(draftAnswer(0.8));
  EXPECT_NE(view->scene().panels[0].former, nullptr) << "a draft after a draft";
  view->setContext(wholeAnswer(0.8));
  EXPECT_EQ(view->scene().panels[0].former, nullptr);
  EXPECT_EQ(view->places().panels[0].plot, plot);
}

}  // namespace
}  // namespace posiscope::ui
