// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/map_note.h"

#include "tests/ui/synthetic.h"
#include "ui/paint/notice.h"
#include "ui/panels/readout.h"
#include "ui/views/map_caption.h"
#include "ui/views/map_layout.h"
#include "ui/views/scheme_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <QFontMetricsF>
#include <string>
#include <vector>

namespace posiscope::ui {
namespace {

TEST(MapNote, saysWhichPartIsShown) {
  ViewContext context = contextOf("position_table", {rotaryTable(2048, 16)});
  context.tile.zoom = Zoom{-0.5, 15.5, -0.5, 879.5};
  EXPECT_EQ(shownPartText(makeMapScene(context, {})), QStringLiteral("first 880 of 2048 positions"));
  context.tile.zoom = Zoom{1.5, 7.5, 99.5, 199.5};
  EXPECT_EQ(shownPartText(makeMapScene(context, {})),
            QStringLiteral("positions 100 to 199 of 2048, pairs 2 to 7 of 16"));
  context.tile.zoom.reset();
  EXPECT_EQ(shownPartText(makeMapScene(context, {})), QString());
}

TEST(MapNote, isWholeOrShortenedInLinesThatFit) {
  ViewContext context = contextOf("position_table", {rotaryTable(2048, 16)});
  context.tile.zoom = Zoom{-0.5, 15.5, -0.5, 1879.5};
  const MapScene scene = makeMapScene(context, {});
  const QFontMetricsF metrics(scene.style.font(note_pixels));
  for (const double width : {700.0, 320.0, 180.0}) {
    const MapLayout layout = layoutMaps(scene, QRectF(0, 0, width, 400), 1, true);
    ASSERT_FALSE(layout.note_lines.isEmpty());
    EXPECT_LE(layout.note_lines.size(), 4);
    EXPECT_LE(layoutMaps(scene, QRectF(0, 0, width, 150), 1, true).note_lines.size(), 1);
    for (const QString& line : layout.note_lines) EXPECT_LE(metrics.horizontalAdvance(line), layout.notes.width() + 1);
    const bool whole = layout.note_lines.join(QLatin1Char(' ')) == layout.note;
    EXPECT_TRUE(whole || layout.note_lines.back().endsWith(QChar(0x2026))) << width;
  }
  EXPECT_EQ(wrapped(QStringLiteral("只显示前面的几个位置"), metrics.horizontalAdvance(QStringLiteral("只显示前面")) + 1,
                    2, metrics),
            (QStringList{QStringLiteral("只显示前面"), QStringLiteral("的几个位置")}));
}

TEST(MapNote, noLineStartsWithAClosingMarkOrEndsWithAnOpeningOne) {
  const QFontMetricsF metrics(makeStyle(false, Language::chinese).font(note_pixels));
  for (const QString& text : {QStringLiteral("权重随词元一起移动（差至多 5.96e-08，属于舍入）：看不出词元的顺序。"),
                              QStringLiteral("drawn: head 0 · first 48 of 512 tokens · reduced for display")})
    for (double width = 60; width < 300; width += 3)
      for (const QString& line : wrapped(text, width, 20, metrics)) {
        EXPECT_FALSE(QStringLiteral("），。：·").contains(line.front())) << line.toStdString();
        EXPECT_NE(line.back(), QStringLiteral("（").front()) << line.toStdString();
      }
}

TEST(MapNote, saysThatAMapIsOfOneValue) {
  const auto noteOf = [](float value) {
    return mapNote(makeMapScene(contextOf("similarity", {oneMap(2, 2, {0, 0, 0, value}, MapKind::sequential)}), {}),
                   false);
  };
  EXPECT_EQ(noteOf(0), QStringLiteral("every value is 0"));
  EXPECT_EQ(noteOf(1), QString());
}

TEST(MapNote, aMapWithoutAFiniteValueIsNotOneOfZeros) {
  constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const auto noteOf = [](float last) {
    const Dataset map = oneMap(2, 2, {nan_value, nan_value, nan_value, last}, MapKind::sequential);
    return mapNote(makeMapScene(contextOf("similarity", {map}), {}), false);
  };
  EXPECT_EQ(noteOf(nan_value), QStringLiteral("no finite value: 4 NaN"));
  EXPECT_EQ(noteOf(infinity), QStringLiteral("no finite value: 3 NaN, 1 infinite"));
  EXPECT_EQ(noteOf(0), QStringLiteral("3 NaN, every other value is 0"));
}

TEST(MapNote, maskedZerosAreNoValues) {
  constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();
  const auto noteOf = [](std::vector<float> values, bool masks) {
    ViewContext context = contextOf("attention_weights", {oneMap(2, 2, std::move(values), MapKind::sequential)});
    auto result = std::make_shared<Result>(*context.result);
    Question& question = result->answers.front().front().question;
    question.shape.seq_len = 2;
    question.mask.causal = true;
    context.result = result;
    MapChoice choice;
    choice.mask = masks;
    return mapNote(makeMapScene(context, choice), false);
  };
  const std::vector<float> lost{nan_value, 0, nan_value, nan_value};
  EXPECT_EQ(noteOf(lost, true), QStringLiteral("no finite value: 3 NaN"));
  EXPECT_EQ(noteOf(lost, false), QStringLiteral("3 NaN, every other value is 0"));
  EXPECT_EQ(noteOf({0, 0, 0, 0}, true), QStringLiteral("every value is 0"));
  constexpr float none = -std::numeric_limits<float>::infinity();
  EXPECT_EQ(noteOf({1, none, 1, 1}, true), QStringLiteral("1 infinite, every other value is 1")) << "drawn as it is";
}

TEST(MapNote, whatTheNumbersAreOfComesFirst) {
  Dataset dataset = oneMap(2, 2, {0, 0, 0, 0}, MapKind::sequential);
  dataset.scope = {"content only", "仅内容"};
  EXPECT_EQ(mapNote(makeMapScene(contextOf("attention_weights", {dataset}), {}), false),
            QStringLiteral("content only · every value is 0"));
}

TEST(MapNote, nothingIsDrawnWhereTheSeedPlaysNoPart) {
  const auto drawn = [](const char* id, ParamValues values) {
    return isDrawnFromSeed({id, std::move(values), {}, 0, true});
  };
  EXPECT_FALSE(drawn("pope", {}));
  EXPECT_TRUE(drawn("pope", {{"start", std::string("uniform")}}));
  EXPECT_FALSE(drawn("fusion", {}));
  EXPECT_TRUE(drawn("fusion", {{"table_kind", std::string("learned")}}));
  EXPECT_TRUE(drawn("fusion", {{"mode", std::string("gate_mix")}}));
  EXPECT_TRUE(drawn("shaw", {}));
}

TEST(MapNote, saysOnceForAllSchemesThatTheirValuesAreDrawn) {
  const QStringList names{QStringLiteral("Shaw"), QStringLiteral("TUPE")};
  EXPECT_TRUE(drawnNote(names, makeStyle(false, Language::english))
                  .startsWith(QStringLiteral("Shaw, TUPE: values drawn from a seed")));
  EXPECT_TRUE(drawnNote(names, makeStyle(false, Language::chinese))
                  .startsWith(QString::fromUtf8("Shaw、TUPE：数值由随机种子")));
  MapScene scene;
  scene.style = makeStyle(false, Language::english);
  scene.drawn = names;
  EXPECT_EQ(mapNote(scene, false).count(QStringLiteral("drawn from a seed")), 1);
}

TEST(MapNote, saysWhoseValuesAreDrawnFromASeed) {
  ViewContext context = contextOf("position_table", {rotaryTable(8, 4)});
  auto result = std::make_shared<Result>(*context.result);
  result->request.experiment.schemes[0].id = "learned";
  context.result = result;
  EXPECT_TRUE(mapNote(makeMapScene(context, {}), false).startsWith(QStringLiteral("values drawn from a seed")));
  const std::vector<SchemeRemark> remarks = withSeedRemarks({}, *result, context.style);
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_EQ(remarks.front().sentence,
            QStringLiteral("Values drawn from a seed; open the model's weights to see its own table."));
  result->request.experiment.schemes[0].values["initial"] = std::string("file");
  EXPECT_TRUE(mapNote(makeMapScene(context, {}), false).isEmpty());
}

TEST(Sentence, fitsASmallCell) {
  const Style style = makeStyle(false, Language::english);
  const QString sentence =
      QStringLiteral("Without a positional encoding all positions look alike: there is no similarity to draw.");
  EXPECT_EQ(fitSentence({400, 200}, sentence, style).pixels, 13);
  EXPECT_EQ(fitSentence({90, 120}, sentence, style).text, sentence);
  for (const QSizeF room : {QSizeF(400, 200), QSizeF(90, 120), QSizeF(60, 40)}) {
    const FittedSentence fitted = fitSentence(room, sentence, style);
    const QRectF needed =
        QFontMetricsF(style.font(fitted.pixels)).boundingRect(QRectF(QPointF(), room), Qt::TextWordWrap, fitted.text);
    EXPECT_LE(needed.height(), room.height());
    EXPECT_FALSE(fitted.text.isEmpty());
  }
}

TEST(MapLayout, captionsAreAllWholeOrAllWithoutTheirExplanation) {
  MapScene scene =
      makeMapScene(contextOf("score_terms", {oneMap(4, 4, std::vector<float>(16, 1), MapKind::diverging)}), {});
  scene.square = scene.legend = true;
  scene.panels.resize(4, scene.panels.front());
  scene.panels[1].caption = QStringLiteral("c2p, content to position");
  EXPECT_FALSE(captionsFit(scene, layoutMaps(scene, QRectF(0, 0, 280, 240), 1, false)));
  EXPECT_TRUE(captionsFit(scene, layoutMaps(scene, QRectF(0, 0, 1400, 400), 1, false)));
}

TEST(MapCaption, keepsTheNumberOfATermInAnyRoom) {
  const QFontMetricsF metrics(makeStyle(false, Language::english).font(11));
  MapPanel panel;
  panel.caption = QStringLiteral("E·E, word to word · 30 % of the variance");
  panel.brief = QStringLiteral("E·E · 30 %");
  const QString shorter = QStringLiteral("E·E · 30 % of the variance");
  EXPECT_EQ(captionText(panel, true, metrics.horizontalAdvance(shorter) + 1, metrics), shorter);
  EXPECT_EQ(captionText(panel, true, metrics.horizontalAdvance(shorter) - 2, metrics), panel.brief);
  EXPECT_EQ(captionText(panel, true, metrics.horizontalAdvance(panel.brief) - 2, metrics), QStringLiteral("E·E 30 %"));
  EXPECT_EQ(captionText(panel, true, 1, metrics), QStringLiteral("30 %"));
  panel.caption = QStringLiteral("biases and segments · 52 % of the variance");
  panel.brief = QStringLiteral("biases and segments · 52 %");
  for (double width = metrics.horizontalAdvance(panel.brief); width > 1; width /= 1.3) {
    const QString shown = captionText(panel, true, width, metrics);
    EXPECT_TRUE(shown.endsWith(QStringLiteral("52 %"))) << shown.toStdString();
    EXPECT_LE(metrics.horizontalAdvance(shown), std::max(width, metrics.horizontalAdvance(QStringLiteral("52 %"))));
  }
}

TEST(MapLayout, captionsOfLowerRowsEndBeforeTheBar) {
  const Dataset one = oneMap(8, 8, std::vector<float>(64, 1), MapKind::sequential);
  MapScene scene = makeMapScene(contextOf("shuffle_test", {one, one, one, one}), {});
  scene.square = scene.legend = true;
  const std::vector<MapPanel> schemes = scene.panels;
  scene.panels.clear();
  for (const MapPanel& scheme : schemes) scene.panels.insert(scene.panels.end(), 2, scheme);
  for (MapPanel& panel : scene.panels) panel.caption = QStringLiteral("causal mask: ≤ 0.969");
  ASSERT_TRUE(scene.one_scale);
  for (const QSizeF size : {QSizeF(960, 600), QSizeF(860, 620), QSizeF(430, 360)}) {
    const MapLayout layout = layoutMaps(scene, QRectF(QPointF(), size), 1, false);
    ASSERT_GT(layout.panels.back().plot.top(), layout.panels.front().plot.top()) << size.width();
    EXPECT_LE(layout.bar.right(), size.width());
    for (const PanelPlace& place : layout.panels) {
      const bool lower = place.caption.top() > layout.panels.front().caption.top();
      EXPECT_TRUE(!lower || place.caption.right() < layout.bar.left()) << size.width();
    }
    EXPECT_TRUE(size.width() < 800 || captionsFit(scene, layout)) << "there is room at both sides";
  }
}

TEST(MapLayout, namesOfSchemesAboveSmallMapsTakeTheRoomBesideThem) {
  const Dataset one = oneMap(8, 8, std::vector<float>(64, 1), MapKind::sequential);
  MapScene scene = makeMapScene(contextOf("attention_weights", {one, one, one, one, one}), {});
  scene.square = true;
  ASSERT_FALSE(scene.legend);
  for (MapPanel& panel : scene.panels) panel.caption = QStringLiteral("Shaw relative positions");
  const MapLayout layout = layoutMaps(scene, QRectF(0, 0, 300, 180), 1, false);
  ASSERT_LT(layout.panels.front().caption.height(), 18) << "a small one";
  EXPECT_GT(layout.panels.front().caption.width(), layout.panels.front().plot.width() + 5);
}

TEST(MapLayout, namesAreDrawnOrTakeNoRoom) {
  const auto layoutOf = [](double side, bool named) {
    Dataset weights = causalWeights(12, {0}, 0.2);
    const std::vector<std::string> words(12, "considerably");
    if (named)
      for (Axis* axis : {&weights.maps.front().rows, &weights.maps.front().cols})
        axis->names = std::make_shared<const std::vector<std::string>>(words);
    MapScene scene = makeMapScene(contextOf("attention_weights", {weights}), {});
    scene.square = true;
    return layoutMaps(scene, QRectF(0, 0, side, side), 1, false).panels.front();
  };
  bool drawn = false, given_up = false;
  for (double side = 160; side < 500; side += 5) {
    const PanelPlace named = layoutOf(side, true), plain = layoutOf(side, false);
    EXPECT_EQ(named.rows.names.empty(), named.plot.left() == plain.plot.left()) << side;
    EXPECT_LE(named.plot.bottom() + bottomAxisHeight(named.cols), side) << "names have their room at " << side;
    const bool numbers = named.rows.names.empty() && named.cols.names.empty();
    EXPECT_TRUE(!numbers || named.plot == plain.plot) << side;
    drawn = drawn || !named.rows.names.empty();
    given_up = given_up || numbers;
  }
  EXPECT_TRUE(drawn && given_up);
}

TEST(MapLayout, theProfilesOfALoneSquareTakeTheRoomBesideIt) {
  const MapScene scene = [] {
    MapScene made =
        makeMapScene(contextOf("similarity", {oneMap(16, 16, std::vector<float>(256, 1), MapKind::diverging)}), {});
    made.square = made.profiles = true;
    return made;
  }();
  const auto profileIn = [&scene](double width) {
    return layoutMaps(scene, QRectF(0, 0, width, 400), 1, true).panels.front().right_profile.width();
  };
  EXPECT_GT(profileIn(900), profileIn(420) + 100);
  EXPECT_LE(layoutMaps(scene, QRectF(0, 0, 900, 400), 1, true).bar.right(), 900);
}

}  // namespace
}  // namespace posiscope::ui
