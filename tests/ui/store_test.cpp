// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/store.h"

#include <gtest/gtest.h>

#include <QSignalSpy>

namespace posiscope::ui {
namespace {

Experiment withLength(std::int64_t seq_len) {
  Experiment e;
  e.shape.seq_len = seq_len;
  return e;
}

TEST(Store, undoesAndRedoesWholeExperiments) {
  Store store;
  store.reset(withLength(1), startPresentation());
  EXPECT_FALSE(store.canUndo());
  store.setExperiment(withLength(2));
  store.setExperiment(withLength(3));
  store.undo();
  EXPECT_EQ(store.experiment(), withLength(2));
  EXPECT_TRUE(store.canRedo());
  store.undo();
  EXPECT_EQ(store.experiment(), withLength(1));
  EXPECT_FALSE(store.canUndo());
  store.redo();
  store.redo();
  EXPECT_EQ(store.experiment(), withLength(3));
  EXPECT_FALSE(store.canRedo());
}

TEST(Store, undoOfAnotherShapeBringsItsZoomBack) {
  Store store;
  Presentation zoomed = startPresentation();
  zoomed.tiles[0].zoom = Zoom{};
  zoomed.tiles[0].zoom_axes = "i p";
  store.reset(withLength(100), zoomed);
  Presentation whole = zoomed;
  whole.tiles[0].zoom.reset();
  whole.tiles[0].zoom_axes.clear();
  store.setAll(withLength(7), whole);  // another model is opened
  EXPECT_FALSE(store.presentation().tiles[0].zoom);
  store.undo();
  EXPECT_EQ(store.presentation().tiles[0].zoom, zoomed.tiles[0].zoom);
  EXPECT_EQ(store.presentation().tiles[0].zoom_axes, "i p");
}

TEST(Store, aGestureIsOneStep) {
  Store store;
  store.reset(withLength(1), startPresentation());
  for (int n = 2; n < 50; ++n) store.setExperiment(withLength(n), QStringLiteral("shape.seq_len"));
  store.endGesture();
  for (int n = 60; n < 70; ++n) store.setExperiment(withLength(n), QStringLiteral("shape.seq_len"));
  store.endGesture();
  store.undo();
  EXPECT_EQ(store.experiment(), withLength(49));
  store.undo();
  EXPECT_EQ(store.experiment(), withLength(1));
  EXPECT_FALSE(store.canUndo());
}

TEST(Store, aGestureThatComesBackLeavesNoStep) {
  Store store;
  store.reset(withLength(1), startPresentation());
  store.setExperiment(withLength(2), QStringLiteral("g"));
  store.setExperiment(withLength(1), QStringLiteral("g"));
  store.endGesture();
  EXPECT_FALSE(store.canUndo());
}

TEST(Store, anotherGestureIsAnotherStepEvenWithoutAnEnd) {
  Store store;
  store.reset(withLength(1), startPresentation());
  store.setExperiment(withLength(2), QStringLiteral("a"));
  store.setExperiment(withLength(3), QStringLiteral("b"));
  store.undo();
  EXPECT_EQ(store.experiment(), withLength(2));
}

TEST(Store, aNewEditForgetsTheFuture) {
  Store store;
  store.reset(withLength(1), startPresentation());
  store.setExperiment(withLength(2));
  store.undo();
  store.setExperiment(withLength(5));
  EXPECT_FALSE(store.canRedo());
}

TEST(Store, isModifiedWhileItDiffersFromWhatWasSaved) {
  Store store;
  store.reset(withLength(1), startPresentation());
  EXPECT_FALSE(store.modified());
  store.setExperiment(withLength(2));
  EXPECT_TRUE(store.modified());
  store.markSaved();
  EXPECT_FALSE(store.modified());
  store.undo();
  EXPECT_TRUE(store.modified());
  store.redo();
  EXPECT_FALSE(store.modified());
}

TEST(Store, theLayoutCountsOnceThereIsAFile) {
  Store store;
  store.reset(withLength(1), startPresentation());
  Presentation one = startPresentation();
  one.tile_count = 1;
  store.setPresentation(one);
  EXPECT_FALSE(store.modified());  // the window comes back like this without a file
  store.markSaved();
  QSignalSpy history(&store, &Store::historyChanged);
  store.setPresentation(startPresentation());
  EXPECT_TRUE(store.modified());
  EXPECT_FALSE(history.isEmpty());
  history.clear();
  store.setPresentation(one);
  EXPECT_FALSE(store.modified());
  EXPECT_FALSE(history.isEmpty());
  Presentation other_view = one;
  other_view.tiles[0].view = "waves";
  store.setPresentation(other_view);
  EXPECT_TRUE(store.modified());
  Presentation other_option = one;
  other_option.tiles[0].options["log"] = true;
  store.setPresentation(other_option);
  EXPECT_TRUE(store.modified());
}

Presentation withOption(Presentation p, const std::string& key, const Value& value) {
  p.tiles[0].options[key] = value;
  return p;
}

TEST(Store, viewsAndTheirOptionsAreStepsToo) {
  Store store;
  store.reset(withLength(1), startPresentation());
  store.setPresentation(withOption(store.presentation(), "tokens", 32.0));
  Presentation waves = store.presentation();
  waves.tiles[1] = {"waves", {}, {}};
  waves.head = 0;
  store.setPresentation(waves);
  store.setExperiment(withLength(2));
  store.undo();
  EXPECT_EQ(store.experiment(), withLength(1));
  EXPECT_EQ(store.presentation().tiles[1].view, "waves");
  QSignalSpy presentation(&store, &Store::presentationChanged);
  QSignalSpy experiment(&store, &Store::experimentChanged);
  store.undo();
  EXPECT_EQ(store.presentation().tiles[1].view, startPresentation().tiles[1].view);
  EXPECT_EQ(presentation.size(), 1);
  EXPECT_EQ(experiment.size(), 0) << "the schemes stay as they are";
  store.undo();
  EXPECT_EQ(store.presentation().tiles, startPresentation().tiles);
  EXPECT_FALSE(store.canUndo());
  for (int i = 0; i < 3; ++i) store.redo();
  EXPECT_EQ(store.experiment(), withLength(2));
  EXPECT_EQ(store.presentation().tiles[1].view, "waves");
  EXPECT_EQ(store.presentation().tiles[0].options.at("tokens"), Value(32.0));
}

TEST(Store, aDragOfAnOptionIsOneStep) {
  Store store;
  store.reset(withLength(1), startPresentation());
  for (double n = 8; n < 20; ++n)
    store.setPresentation(withOption(store.presentation(), "tokens", n), QStringLiteral("tiles[0].tokens"));
  store.endGesture();
  store.setPresentation(withOption(store.presentation(), "tokens", 50.0), QStringLiteral("tiles[0].tokens"));
  store.undo();
  EXPECT_EQ(store.presentation().tiles[0].options.at("tokens"), Value(19.0));
  store.undo();
  EXPECT_EQ(store.presentation().tiles, startPresentation().tiles);
  EXPECT_FALSE(store.canUndo());
}

TEST(Store, theHeadComesBackWithTheHeadsThereWere) {
  Store store;
  Experiment eight = withLength(1);
  eight.shape.num_heads = 8;
  store.reset(eight, startPresentation());
  Presentation p = store.presentation();
  p.head = 5;
  store.setPresentation(p);
  Experiment two = eight;
  two.shape.num_heads = 2;
  store.setExperiment(two);
  EXPECT_EQ(store.presentation().head, 1);
  store.undo();
  EXPECT_EQ(store.presentation().head, 5);
}

TEST(Store, aZoomIsNoStepAndStaysWithItsView) {
  Store store;
  store.reset(withLength(1), startPresentation());
  store.setPresentation(withOption(store.presentation(), "tokens", 32.0));
  Presentation p = store.presentation();
  p.tiles[0].zoom = Zoom{1, 2, 3, 4};
  p.theme = ThemeChoice::dark;
  store.setPresentation(p);
  store.undo();
  EXPECT_FALSE(store.canUndo());
  EXPECT_EQ(store.presentation().tiles[0].options.count("tokens"), 0u);
  EXPECT_EQ(store.presentation().tiles[0].zoom, (Zoom{1, 2, 3, 4}));
  EXPECT_EQ(store.presentation().theme, ThemeChoice::dark);
}

TEST(Store, theNumberOfTilesIsAStep) {
  Store store;
  store.reset(withLength(1), startPresentation());
  Presentation p = store.presentation();
  p.tile_count = 1;
  store.setPresentation(p);
  EXPECT_TRUE(store.canUndo());
  store.undo();
  EXPECT_EQ(store.presentation().tile_count, 4);
  store.redo();
  EXPECT_EQ(store.presentation().tile_count, 1);
}

TEST(Store, aQuestionAndItsViewsAreOneStep) {
  Store store;
  store.reset(withLength(1), startPresentation());
  Presentation waves = store.presentation();
  waves.tiles[0] = {"waves", {}, {}};
  store.setAll(withLength(2), waves);
  store.undo();
  EXPECT_EQ(store.experiment(), withLength(1));
  EXPECT_EQ(store.presentation().tiles, startPresentation().tiles);
  EXPECT_FALSE(store.canUndo());
  store.setAll(store.experiment(), store.presentation());
  EXPECT_FALSE(store.canUndo());
}

TEST(Store, pinningIsAStepAndWorkWorthSaving) {
  Store store;
  store.reset(withLength(1), startPresentation());
  store.markSaved();
  Presentation p = store.presentation();
  p.pinned = std::make_shared<const Experiment>(withLength(1));
  store.setPresentation(p);
  EXPECT_TRUE(store.modified());
  Presentation other = store.presentation();
  other.pinned = nullptr;
  store.setAll(withLength(9), other);  // another session was opened
  store.undo();
  EXPECT_EQ(store.presentation().pinned, p.pinned);
  store.undo();
  EXPECT_EQ(store.presentation().pinned, nullptr);
  EXPECT_FALSE(store.modified());
}

TEST(Store, whatComesBackIsOnScreen) {
  Store store;
  store.reset(withLength(1), startPresentation());
  Presentation p = store.presentation();
  p.tiles[2] = {"waves", {}, {}};
  store.setPresentation(p);
  p.tile_count = 1;
  store.setPresentation(p);
  store.undo();
  EXPECT_EQ(store.presentation().tile_count, 4);
}

TEST(Store, whatComesBackIsNotHiddenBehindAMaximisedTile) {
  Store store;
  store.reset(withLength(1), startPresentation());
  Presentation p = store.presentation();
  p.tiles[0] = {"waves", {}, {}};
  store.setPresentation(p);
  p.maximised = 2;
  store.setPresentation(p);
  store.undo();
  EXPECT_EQ(store.presentation().maximised, -1);
}

TEST(Store, pointingAtSomethingIsNoChange) {
  Store store;
  store.reset(startExperiment(), startPresentation());
  store.markSaved();
  Presentation p = store.presentation();
  p.tiles[0].zoom = Zoom{1, 2, 3, 4};
  p.selection["i"] = {3, 5};
  p.selected = 1;
  p.head = 2;
  p.maximised = 0;
  p.inspector = !p.inspector;
  p.theme = ThemeChoice::dark;
  store.setPresentation(p);
  Hover there;
  there.i = 3;
  store.setHover(there);
  EXPECT_FALSE(store.modified());
}

TEST(Store, tellsOnlyAboutChanges) {
  Store store;
  store.reset(withLength(1), startPresentation());
  QSignalSpy experiment(&store, &Store::experimentChanged);
  QSignalSpy presentation(&store, &Store::presentationChanged);
  QSignalSpy hover(&store, &Store::hoverChanged);
  store.setExperiment(withLength(1));
  store.setPresentation(startPresentation());
  store.setHover({});
  EXPECT_EQ(experiment.size() + presentation.size() + hover.size(), 0);
  store.setExperiment(withLength(2));
  EXPECT_EQ(experiment.size(), 1);
  Hover there;
  there.i = 3;
  store.setHover(there);
  EXPECT_EQ(hover.size(), 1);
  Presentation one = startPresentation();
  one.tile_count = 1;
  store.setPresentation(one);
  EXPECT_EQ(presentation.size(), 1);
  EXPECT_EQ(experiment.size(), 1);
}

TEST(Store, theSelectedSchemeStaysInsideTheList) {
  Store store;
  Experiment three;
  three.schemes = {{"rope", {}, "", 0, true}, {"alibi", {}, "", 1, true}, {"none", {}, "", 2, true}};
  store.reset(three, startPresentation());
  Presentation last = store.presentation();
  last.selected = 2;
  store.setPresentation(last);
  Experiment one = three;
  one.schemes.resize(1);
  store.setExperiment(one);
  EXPECT_EQ(store.presentation().selected, 0);
}

TEST(Store, theSelectedSchemeComesBackWithItsList) {
  Store store;
  Experiment three;
  three.schemes = {{"rope", {}, "", 0, true}, {"alibi", {}, "", 1, true}, {"none", {}, "", 2, true}};
  store.reset(three, startPresentation());
  const auto select = [&store](int index) {
    Presentation p = store.presentation();
    p.selected = index;
    store.setPresentation(p);
  };
  select(2);
  Experiment two = three;
  two.schemes.pop_back();
  store.setExperiment(two);
  select(1);
  Experiment longer = two;
  longer.shape.seq_len += 1;
  store.setExperiment(longer);
  select(0);
  store.undo();
  EXPECT_EQ(store.presentation().selected, 0) << "the list is the same";
  store.undo();
  EXPECT_EQ(store.presentation().selected, 2);
  store.redo();
  store.redo();
  EXPECT_EQ(store.presentation().selected, 0);
}

}  // namespace
}  // namespace posiscope::ui
