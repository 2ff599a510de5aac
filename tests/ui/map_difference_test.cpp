// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/map_difference.h"

#include "synthetic.h"
#include "ui/state/edits.h"
#include "ui/state/scheme_pair.h"
#include "ui/state/store.h"
#include "ui/views/map_drawing.h"
#include "ui/views/map_note.h"
#include "ui/views/view_kinds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <QImage>
#include <QPainter>
#include <string>
#include <utility>
#include <vector>

namespace posiscope::ui {
namespace {

ViewContext sample(const std::string& view) {
  std::vector<Dataset> datasets;
  for (int s = 1; s <= 3; ++s)
    datasets.push_back(view == "attention_weights" ? causalWeights(48, {0, 1}, 0.2 * s)
                                                   : rotaryTable(64, 16, 1000.0 * s));
  return contextOf(view, std::move(datasets));
}

ViewContext difference(const std::string& view, const char* minuend = "1", const char* subtrahend = "3") {
  ViewContext context = sample(view);
  context.tile.options["schemes"] = std::string("difference");
  context.tile.options["minuend"] = std::string(minuend);
  context.tile.options["subtrahend"] = std::string(subtrahend);
  return context;
}

QImage drawn(const ViewKind& kind, const ViewContext& context) {
  QImage image(415, 355, QImage::Format_RGB32);
  image.fill(context.style.panel);
  QPainter painter(&image);
  kind.draw(painter, image.rect(), context);
  return image;
}

TEST(MapDifference, DrawsOnePanelNamedAfterBothCentredOnZero) {
  MapChoice choice;
  choice.difference = SchemePair{0, 2};
  const MapScene scene = makeMapScene(difference("position_table"), choice);
  ASSERT_EQ(scene.panels.size(), 1U);
  const MapPanel& panel = scene.panels.front();
  EXPECT_EQ(panel.caption, QStringLiteral("RoPE"));
  EXPECT_EQ(panel.minus, QStringLiteral("RoPE · YaRN"));
  EXPECT_TRUE(scene.captioned);
  EXPECT_EQ(panel.look.map, &colourMap("auto", MapKind::diverging));
  EXPECT_DOUBLE_EQ(panel.look.scale.low, -panel.look.scale.high);
  EXPECT_GT(panel.look.scale.high, 0);
  EXPECT_FLOAT_EQ(panel.map->field->at(5, 3), static_cast<float>(std::cos(5 * std::pow(1000.0, -3.0 / 16))) -
                                                  static_cast<float>(std::cos(5 * std::pow(3000.0, -3.0 / 16))));
  const MapLayout layout = layoutMaps(scene, QRectF(0, 0, 400, 300), 1, false);
  EXPECT_FALSE(layout.panels.front().caption.isEmpty());
  const Hover hover = hoverOf(scene, {0, 5, 3});
  EXPECT_TRUE(hover.difference);
  EXPECT_FALSE(hover.scheme) << "it is of two";
}

TEST(MapDifference, IsAnOptionOfAllMapViewsThatComparesTheChosenTwo) {
  for (const ViewKind& kind : {positionTableView(), similarityView(), attentionWeightsView()}) {
    const QImage of_two = drawn(kind, difference(kind.id));
    EXPECT_NE(of_two, drawn(kind, sample(kind.id))) << kind.id;
    EXPECT_NE(of_two, drawn(kind, difference(kind.id, "2"))) << kind.id;
    EXPECT_NE(of_two, drawn(kind, difference(kind.id, "3", "1"))) << kind.id << ": the sign";
    ASSERT_TRUE(kind.derived(difference(kind.id)));
    EXPECT_FALSE(kind.derived(sample(kind.id))) << "the answers themselves";
  }
}

/// An engineer's table beside ours: what differs stands below the picture, on the screen and in figures.
TEST(MapDifference, SaysThatOnlyTheOrderOfTheColumnsDiffers) {
  const std::vector<float> adjacent{1, 2, 3, 4, 5, 6, 7, 8};
  const std::vector<float> halves{1, 3, 2, 4, 5, 7, 6, 8};
  ViewContext context = contextOf("position_table", {oneMap(2, 4, adjacent, MapKind::diverging, "i", "d"),
                                                     oneMap(2, 4, halves, MapKind::diverging, "i", "d")});
  MapChoice choice;
  choice.difference = SchemePair{0, 1};
  EXPECT_TRUE(mapNote(makeMapScene(context, choice), false).contains(QStringLiteral("half-split ↔ adjacent")));
  choice.difference = SchemePair{0, 0};
  EXPECT_TRUE(mapNote(makeMapScene(context, choice), false).contains(QStringLiteral("equal to five digits")));
}

TEST(MapDifference, SaysInOneSentenceWhyItCannotBe) {
  MapChoice choice;
  choice.difference = SchemePair{0, 1};
  Dataset nothing;
  nothing.nothing = {"NoPE has no table.", "NoPE 没有表。"};
  const auto sentence = [&choice](std::vector<Dataset> datasets) {
    const MapScene scene = makeMapScene(contextOf("similarity", std::move(datasets)), choice);
    EXPECT_TRUE(scene.panels.empty());
    return scene.nothing;
  };
  EXPECT_EQ(sentence({rotaryTable(8, 4), nothing}), QStringLiteral("RoPE − RoPE · Llama-3: NoPE has no table."));
  EXPECT_TRUE(sentence({rotaryTable(8, 4), oneMap(8, 8, std::vector<float>(64, 1), MapKind::diverging)})
                  .contains(QStringLiteral("cannot be subtracted")));
  EXPECT_TRUE(sentence({rotaryTable(8, 4)}).contains(QStringLiteral("no scheme 2")));
  const ViewContext failed = withFailure(contextOf("similarity", {rotaryTable(8, 4), rotaryTable(8, 4)}), 1,
                                         Error{ErrorCode::not_defined, {"rope: base must be above 1, got 1", ""}});
  EXPECT_TRUE(makeMapScene(failed, choice).nothing.contains(QStringLiteral("base must be above 1")));
}

TEST(MapDifference, AFewOutliersDoNotLeaveTheRestInTheMiddle) {
  std::vector<float> weights(64 * 64, 0.01F), others(64 * 64, 0.012F);
  weights[0] = 1;
  std::vector<Dataset> datasets{oneMap(64, 64, weights, MapKind::sequential), oneMap(64, 64, others, MapKind::sequential)};
  MapChoice choice;
  choice.difference = SchemePair{0, 1};
  const MapScene scene = makeMapScene(contextOf("attention_weights", std::move(datasets)), choice);
  const ValueScale& scale = scene.panels.front().look.scale;
  EXPECT_LT(scale.high, 0.1);
  EXPECT_DOUBLE_EQ(scale.low, -scale.high);
  EXPECT_TRUE(scale.open_above);
}

TEST(MapDifference, OptionsNameTheSchemesOfTheList) {
  const ViewContext context = sample("similarity");
  const std::vector<ParamSpec> named = withSchemeNames(similarityView().options, context.experiment);
  const ParamSpec* minuend = findParam(named, "minuend");
  ASSERT_TRUE(minuend);
  ASSERT_EQ(minuend->choices.size(), 3U);
  EXPECT_EQ(minuend->choices[1].label.en, "RoPE · Llama-3");
}

/// A store with three schemes and one tile that shows the first minus the third.
class KeptPair : public ::testing::Test {
 protected:
  KeptPair() {
    const ViewContext context = difference("similarity");
    Presentation presentation = startPresentation();
    presentation.tiles[0] = context.tile;
    store_.reset(context.experiment, presentation);
    store_.markSaved();
  }

  /// The names of the pair in the present list; "gone" for one that is not in it.
  std::string pair() const {
    const TileState& tile = store_.presentation().tiles[0];
    std::string text;
    for (const auto& [term, place] : {std::pair{"minuend", 0}, {"subtrahend", 2}}) {
      const int index = termIndex(tile, term, place, store_.experiment());
      const auto& schemes = store_.experiment().schemes;
      text += (index < 0 ? "gone" : schemes[static_cast<std::size_t>(index)].label) + ";";
    }
    return text;
  }

  Store store_;
};

TEST_F(KeptPair, StaysTheSameTwoSchemesWhenTheListIsReordered) {
  EXPECT_EQ(pair(), "RoPE;RoPE · YaRN;");
  store_.setExperiment(withMoved(store_.experiment(), 0, 2));
  EXPECT_EQ(pair(), "RoPE;RoPE · YaRN;");
  store_.setExperiment(withoutScheme(store_.experiment(), 0));
  EXPECT_EQ(pair(), "RoPE;RoPE · YaRN;");
  EXPECT_EQ(withPresentPlaces(store_.presentation().tiles[0], store_.experiment()).options.at("minuend"),
            Value(std::string("2")));
}

TEST_F(KeptPair, OneThatWasRemovedIsMissedAndComesBackWithUndo) {
  store_.setExperiment(withoutScheme(store_.experiment(), 0));
  EXPECT_EQ(pair(), "gone;RoPE · YaRN;");
  store_.setExperiment(withScheme(store_.experiment(), "alibi"));
  EXPECT_EQ(pair(), "gone;RoPE · YaRN;") << "its colour is another scheme's now";
  store_.undo();
  store_.undo();
  EXPECT_EQ(pair(), "RoPE;RoPE · YaRN;");
  EXPECT_FALSE(store_.modified()) << "the tile shows what was saved";

  ViewContext context = difference("similarity");
  context.tile.options[schemeKey("minuend")] = std::string("7 rope");
  const auto shown = similarityView().derived(context);
  ASSERT_TRUE(shown && !*shown);
  EXPECT_NE(shown->error().message.en.find("chosen as A"), std::string::npos) << shown->error().message.en;
  EXPECT_EQ(shown->error().message.zh.find("scheme"), std::string::npos);
}

}  // namespace
}  // namespace posiscope::ui
