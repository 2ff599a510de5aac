// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthetic.h"
#include "ui/figures/figure.h"
#include "ui/views/list.h"
#include "ui/views/token_lines_view.h"
#include "ui/views/view_kinds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace posiscope::ui {
namespace {

/// Two schemes with causal weights between `tokens` tokens of two heads.
ViewContext sample(std::int64_t tokens = 12, bool dark = false, Language language = Language::english) {
  ViewContext context = contextOf(
      "attention_weights", {causalWeights(tokens, {0, 1}, 0.5), causalWeights(tokens, {0, 1}, 1.5)}, dark, language);
  context.tile.view = "token_lines";
  return context;
}

/// The same answers to a question with that mask.
ViewContext masked(ViewContext context, const Mask& mask) {
  auto result = std::make_shared<Result>(*context.result);
  for (Answer& answer : result->answers.front()) answer.question.mask = mask;
  context.result = std::move(result);
  return context;
}

/// One panel with weights that a test writes down, row by row.
ViewContext weights(std::int64_t queries, std::int64_t keys, std::vector<float> values) {
  ViewContext context = contextOf("attention_weights", {oneMap(queries, keys, std::move(values), MapKind::sequential)});
  context.tile.view = "token_lines";
  return context;
}

/// Its tokens get names.
ViewContext named(ViewContext context, const std::vector<std::string>& words) {
  auto result = std::make_shared<Result>(*context.result);
  for (Answer& answer : result->answers.front()) {
    auto dataset = std::make_shared<Dataset>(**answer.dataset);
    for (Map& map : dataset->maps)
      map.rows.names = map.cols.names = std::make_shared<const std::vector<std::string>>(words);
    answer.dataset = std::shared_ptr<const Dataset>(std::move(dataset));
  }
  context.result = std::move(result);
  return context;
}

QImage drawn(const ViewContext& context, QSize size = {480, 320}) {
  QImage image(size, QImage::Format_RGB32);
  image.fill(context.style.panel);
  QPainter painter(&image);
  tokenLinesView().draw(painter, QRectF(QPointF(), QSizeF(size)), context);
  return image;
}

class TokenLines : public ::testing::Test {
 protected:
  TokenLinesView& show(const ViewContext& context, QSize size = {640, 420}) {
    view_.reset(qobject_cast<TokenLinesView*>(tokenLinesView().create(nullptr)));
    view_->resize(size);
    view_->setContext(context);
    view_->show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(view_.get()));
    return *view_;
  }
  const TokenScene& scene() const { return view_->scene(); }
  TokenLayout places() const { return layoutTokens(scene(), view_->rect()); }
  QImage picture() { return view_->grab().toImage(); }

  std::unique_ptr<TokenLinesView> view_;
};

TEST_F(TokenLines, everyWeightHasALineOrIsCounted) {
  show(weights(2, 3, {0.5F, 0.3F, 0.2F, 0.01F, 0.0F, 0.99F}));
  const TokenPanel& panel = *scene().first();
  std::vector<double> seen;
  for (const TokenLine& line : panel.lines) seen.push_back(std::round(line.weight * 100) / 100);
  EXPECT_EQ(seen, (std::vector<double>{0.2, 0.3, 0.5, 0.99})) << "the strongest lies on top";
  EXPECT_EQ(panel.lines.back().query, 1);
  EXPECT_EQ(panel.lines.back().key, 2);
  EXPECT_EQ(scene().note(), QStringLiteral("2 weights below 0.02 have no line"));
}

TEST_F(TokenLines, theLeastWeightCanBeChosen) {
  ViewContext context = weights(2, 3, {0.5F, 0.3F, 0.2F, 0.01F, 0.0F, 0.99F});
  context.tile.options["least"] = 0.4;
  show(context);
  EXPECT_EQ(scene().first()->lines.size(), 2U);
  EXPECT_EQ(scene().note(), QStringLiteral("4 weights below 0.4 have no line"));
  context.tile.options["least"] = 0.0;
  show(context);
  EXPECT_EQ(scene().first()->lines.size(), 6U);
  EXPECT_TRUE(scene().note().isEmpty());
}

TEST_F(TokenLines, whatTheMaskForbidsIsNeitherDrawnNorCounted) {
  ViewContext context = sample(12);
  context.tile.options["least"] = 0.0;
  context.tile.options["schemes"] = std::string("selected");
  show(context);
  EXPECT_EQ(scene().first()->lines.size(), 144U) << "without a mask a zero is a weight";
  Mask causal;
  causal.causal = true;
  show(masked(context, causal));
  EXPECT_EQ(scene().first()->lines.size(), 78U);
  EXPECT_TRUE(scene().note().isEmpty());
}

TEST_F(TokenLines, logitsOfAnotherTileAreNotTakenForWeights) {
  ViewContext context = contextOf("attention_weights", {oneMap(2, 2, {1, -2, 3, 4}, MapKind::diverging)});
  show(context);
  EXPECT_EQ(scene().first(), nullptr);
  EXPECT_EQ(scene().nothing, QStringLiteral("Computing…"));
}

TEST_F(TokenLines, showsTheFirstTokensOfALongerAnswerAndSaysSo) {
  show(sample(100));
  EXPECT_EQ(scene().first()->queries, 24);
  EXPECT_EQ(scene().first()->keys, 24);
  EXPECT_TRUE(scene().note().contains(QStringLiteral("first 24 of 100 tokens"))) << scene().note().toStdString();
  show(weights(2, 30, std::vector<float>(60, 1.0F / 30)));
  EXPECT_EQ(scene().first()->queries, 2);
  EXPECT_TRUE(scene().note().contains(QStringLiteral("first 24 of 30 keys"))) << scene().note().toStdString();
  EXPECT_FALSE(scene().note().contains(QStringLiteral("queries")));
}

TEST_F(TokenLines, asksForTheFirstTokensOfTheChosenHead) {
  ViewContext context = sample();
  context.experiment.shape.num_heads = 4;
  context.presentation.head = 3;
  const auto asked = [&] { return tokenLinesView().request(context.tile, context.presentation, context.experiment); };
  EXPECT_EQ(asked(),
            (MeasureRequest{"attention_weights",
                            {{"tokens", 24.0}, {"part", std::string("both")}, {"heads", std::vector<double>{3}}}}));
  context.experiment.shape.seq_len = 10;
  context.tile.options["tokens"] = 64.0;
  context.tile.options["heads"] = std::string("all");
  EXPECT_EQ(asked(), (MeasureRequest{"attention_weights", {{"tokens", 10.0}, {"part", std::string("both")}}}));
  context.tile.options["tokens"] = 24.0;
  context.experiment.shape.grid_height = context.experiment.shape.grid_width = 6;
  context.experiment.shape.seq_len = 36;
  EXPECT_EQ(asked().options.at("tokens"), Value(36.0)) << "a picture is computed whole";
}

TEST_F(TokenLines, showsAllSchemesOrTheSelectedOneAndOneHeadOrAll) {
  ViewContext context = sample();
  show(context);
  EXPECT_EQ(scene().panels.size(), 2U);
  EXPECT_EQ(scene().panels[0].head, 0);
  context.presentation.head = 1;
  show(context);
  EXPECT_EQ(scene().panels[0].head, 1);
  context.tile.options["schemes"] = std::string("selected");
  context.presentation.selected = 1;
  show(context);
  ASSERT_EQ(scene().panels.size(), 1U);
  EXPECT_EQ(scene().panels[0].scheme, 1);
  context.tile.options["heads"] = std::string("all");
  show(context);
  EXPECT_EQ(scene().panels.size(), 2U);
}

TEST_F(TokenLines, everythingStaysInsideAtEverySize) {
  for (const std::int64_t tokens : {1, 12, 64})
    for (const QSize size : {QSize(1, 1), QSize(30, 20), QSize(160, 120), QSize(480, 280), QSize(1400, 800)}) {
      ViewContext context = sample(tokens);
      context.tile.options["tokens"] = 64.0;
      EXPECT_FALSE(drawn(context, size).isNull());
      if (size.width() < 160) continue;
      show(context, size);
      const QRectF all(view_->rect());
      const TokenLayout layout = places();
      ASSERT_EQ(layout.panels.size(), 2U);
      EXPECT_FALSE(layout.panels[0].area.intersects(layout.panels[1].area));
      for (const TokenPanelPlace& place : layout.panels) {
        ASSERT_GT(place.pitch, 0);
        EXPECT_TRUE(all.contains(place.lines));
        EXPECT_TRUE(place.area.contains(place.end(true, tokens - 1)) || place.labels(true).isEmpty());
        if (place.labels(true).isEmpty()) continue;
        EXPECT_TRUE(place.area.contains(place.labels(false)) && place.area.contains(place.labels(true)));
        EXPECT_LE(place.labels(false).right(), place.lines.left());
        EXPECT_GE(static_cast<double>(place.label_step) * place.pitch, place.label_pixels) << "names touch";
      }
    }
}

TEST_F(TokenLines, namesShrinkBeforeAnyIsLeftOutAndThenTheNoteSaysSo) {
  ViewContext context = sample(24);
  context.tile.options["schemes"] = std::string("selected");
  show(context, {400, 320});
  ASSERT_EQ(places().panels.size(), 1U);
  EXPECT_LT(places().panels[0].pitch, 11);
  EXPECT_EQ(places().panels[0].label_step, 1);
  EXPECT_EQ(places().note, scene().note());
  show(context, {400, 200});
  EXPECT_GT(places().panels[0].label_step, 1);
  EXPECT_TRUE(places().note.startsWith(QStringLiteral("no room to name every token"))) << places().note.toStdString();
}

TEST_F(TokenLines, aTokenIsLevelWithItselfWhereQueriesAreTheLastOnes) {
  ViewContext context = weights(2, 5, std::vector<float>(10, 0.2F));
  auto result = std::make_shared<Result>(*context.result);
  auto dataset = std::make_shared<Dataset>(**result->answers.front().front().dataset);
  dataset->maps.front().rows.first = 3;
  result->answers.front().front().dataset = std::shared_ptr<const Dataset>(dataset);
  context.result = result;
  show(context);
  const TokenPanelPlace place = places().panels[0];
  EXPECT_EQ(place.end(false, 0).y(), place.end(true, 3).y());
  EXPECT_EQ(place.end(false, 1).y(), place.end(true, 4).y());
  QTest::keyClick(view_.get(), Qt::Key_Down);
  EXPECT_TRUE(view_->accessibleDescription().contains(QStringLiteral("query 3:")));
}

TEST_F(TokenLines, thePointerChoosesATokenOfEitherColumn) {
  show(sample());
  QSignalSpy spy(view_.get(), &View::hovered);
  const TokenPanelPlace place = places().panels[1];
  const auto hovered = [&](QPointF point) {
    QTest::mouseMove(view_.get(), point.toPoint());
    EXPECT_TRUE(QTest::qWaitFor([&] { return !spy.isEmpty(); }));
    return spy.isEmpty() ? Hover{} : spy.takeLast().at(0).value<Hover>();
  };
  Hover hover = hovered(place.end(false, 5) - QPointF(10, 0));
  EXPECT_EQ(hover.i, 5.0);
  EXPECT_FALSE(hover.j);
  EXPECT_EQ(hover.scheme, 1);
  EXPECT_EQ(hover.head, 0);
  EXPECT_EQ(hover.view, "token_lines");
  spy.clear();
  hover = hovered(place.end(true, 7) + QPointF(10, 0));
  EXPECT_EQ(hover.j, 7.0);
  EXPECT_FALSE(hover.i);
  spy.clear();
  EXPECT_EQ(hovered(place.lines.center()), Hover{}) << "between the columns";
}

TEST_F(TokenLines, aHoveredTokenShowsItsLinesAloneWhereverItIsHovered) {
  show(sample());
  const QImage before = picture();
  const auto with = [&](std::optional<double> i, std::optional<double> j) {
    Hover hover;
    hover.i = i;
    hover.j = j;
    hover.view = "similarity";
    view_->setHover(hover);
    return picture();
  };
  const QImage query = with(5, std::nullopt);
  EXPECT_NE(query, before);
  EXPECT_NE(with(6, std::nullopt), query);
  const QImage key = with(std::nullopt, 5);
  EXPECT_NE(key, query);
  EXPECT_NE(with(5, 3), query) << "a pair marks its key";
  EXPECT_EQ(with(90, std::nullopt), before) << "not shown";
  EXPECT_EQ(with(90, 3), before);
  EXPECT_EQ(with(std::nullopt, -1), before);
  EXPECT_EQ(with(std::nullopt, std::nullopt), before);

  // In the middle between the columns, query 5 has lines to keys 0 to 5 only.
  const TokenPanelPlace place = places().panels[0];
  const QRect lower = QRectF(place.lines.center().x() - 5, place.end(false, 7).y(), 10, 4 * place.pitch).toRect();
  const auto colours = [&](const QImage& image) {
    int other = 0;
    for (int y = lower.top(); y < lower.bottom(); ++y)
      for (int x = lower.left(); x < lower.right(); ++x) other += image.pixelColor(x, y) == scene().style.panel ? 0 : 1;
    return other;
  };
  EXPECT_GT(colours(before), 0);
  EXPECT_EQ(colours(query), 0);
}

TEST_F(TokenLines, theArrowsMoveThroughTokensColumnsAndPanels) {
  show(sample());
  const auto press = [&](Qt::Key key, Qt::KeyboardModifier modifier = Qt::NoModifier) {
    QTest::keyClick(view_.get(), key, modifier);
    return view_->cursor().value_or(Token{99, false, 0});
  };
  EXPECT_EQ(press(Qt::Key_Down), (Token{0, false, 0}));
  EXPECT_EQ(press(Qt::Key_Down), (Token{0, false, 1}));
  EXPECT_EQ(press(Qt::Key_Down, Qt::ShiftModifier), (Token{0, false, 11}));
  EXPECT_EQ(press(Qt::Key_Down), (Token{0, false, 11})) << "the last one";
  EXPECT_EQ(press(Qt::Key_Up), (Token{0, false, 10}));
  EXPECT_EQ(press(Qt::Key_Left), (Token{0, false, 10})) << "the first column";
  EXPECT_EQ(press(Qt::Key_Right), (Token{0, true, 10}));
  EXPECT_EQ(press(Qt::Key_Right), (Token{1, false, 10}));
  EXPECT_EQ(press(Qt::Key_Right), (Token{1, true, 10}));
  EXPECT_EQ(press(Qt::Key_Right), (Token{1, true, 10})) << "the last column";
  EXPECT_EQ(press(Qt::Key_Home), (Token{1, true, 0}));
  QSignalSpy spy(view_.get(), &View::hovered);
  EXPECT_EQ(press(Qt::Key_End), (Token{1, true, 11}));
  ASSERT_EQ(spy.size(), 1);
  EXPECT_EQ(spy.last().at(0).value<Hover>().j, 11.0);
}

TEST_F(TokenLines, aCursorThatTheNextAnswerDoesNotHoldGoes) {
  show(sample(12));
  for (const Qt::Key key : {Qt::Key_Down, Qt::Key_End}) QTest::keyClick(view_.get(), key);
  ASSERT_TRUE(view_->cursor());
  QSignalSpy spy(view_.get(), &View::hovered);
  view_->setContext(sample(4));
  EXPECT_FALSE(view_->cursor());
  ASSERT_EQ(spy.size(), 1);
  EXPECT_EQ(spy.last().at(0).value<Hover>(), Hover{});
}

TEST_F(TokenLines, isDescribedForThoseWhoDoNotSeeIt) {
  show(named(weights(2, 2, {1, 0, 0.25F, 0.75F}), {"the", "cat"}));
  EXPECT_EQ(view_->accessibleName(), QStringLiteral("Token to token"));
  EXPECT_TRUE(view_->accessibleDescription().contains(QStringLiteral("from 2 queries to 2 keys")));
  for (const Qt::Key key : {Qt::Key_Down, Qt::Key_Down}) QTest::keyClick(view_.get(), key);
  EXPECT_EQ(view_->accessibleDescription(),
            QStringLiteral("RoPE, query 1 “cat”: 0.750 to key 1 “cat”, 0.250 to key 0 “the”."));
  QTest::keyClick(view_.get(), Qt::Key_Right);
  EXPECT_EQ(view_->accessibleDescription(),
            QStringLiteral("RoPE, key 1 “cat”: 0.750 from query 1 “cat”, 0.000 from query 0 “the”."));
  show(sample(12, false, Language::chinese));
  EXPECT_EQ(view_->accessibleName(), QStringLiteral("词元连线"));
  EXPECT_EQ(view_->focusPolicy(), Qt::StrongFocus);
}

TEST_F(TokenLines, amongAllHeadsAClickChoosesOne) {
  ViewContext context = sample();
  context.tile.options["heads"] = std::string("all");
  show(context);
  ASSERT_EQ(scene().panels.size(), 4U);
  QSignalSpy spy(view_.get(), &View::headChosen);
  QTest::mouseClick(view_.get(), Qt::LeftButton, {}, places().panels[1].area.center().toPoint());
  ASSERT_EQ(spy.size(), 1);
  EXPECT_EQ(spy.last().at(0).toInt(), 1);
  show(sample());
  QSignalSpy none(view_.get(), &View::headChosen);
  QTest::mouseClick(view_.get(), Qt::LeftButton, {}, places().panels[1].area.center().toPoint());
  EXPECT_TRUE(none.isEmpty()) << "one head is shown: there is nothing to choose";
}

TEST_F(TokenLines, saysWhyThereIsNothing) {
  ViewContext blank = sample();
  blank.result = nullptr;
  EXPECT_NE(drawn(blank), drawn(sample()));
  Dataset nothing;
  nothing.nothing = {"It has no attention.", "没有注意力。"};
  show(contextOf("attention_weights", {nothing}));
  EXPECT_EQ(scene().nothing, QStringLiteral("It has no attention."));
  show(contextOf("attention_weights", {nothing, causalWeights(8, {0}, 1)}));
  EXPECT_EQ(scene().panels.size(), 2U) << "beside another scheme it keeps its place";
  const Error error{ErrorCode::out_of_range, {"rope: base must be 1 to 1e9, got 0", ""}};
  show(withFailure(sample(), 0, error));
  ASSERT_EQ(scene().failures.size(), 1U);
  EXPECT_EQ(scene().panels.size(), 1U);
  EXPECT_FALSE(places().failures[0].intersects(places().panels[0].area));
}

TEST_F(TokenLines, exportsNamesAsTextInEveryFormat) {
  const ViewContext context = named(sample(4), {"the", "cat", "坐", "下"});
  QTemporaryDir folder;
  for (const char* name : {"a.svg", "a.pdf", "a.png"}) {
    const QString path = folder.filePath(QString::fromLatin1(name));
    const Outcome written = exportFigure(tokenLinesView(), context, path, {480, 300, 96});
    ASSERT_TRUE(written) << written.error().message.en;
    EXPECT_GT(QFileInfo(path).size(), 1000) << name;
  }
  QFile svg(folder.filePath(QStringLiteral("a.svg")));
  ASSERT_TRUE(svg.open(QIODevice::ReadOnly));
  const QString text = QString::fromUtf8(svg.readAll());
  EXPECT_EQ(text.count(QStringLiteral(">cat<")), 4) << "two columns of two schemes";
  EXPECT_EQ(text.count(QStringLiteral(">坐<")), 4);
  EXPECT_FALSE(text.contains(QStringLiteral(">3<"))) << "a name stands for its number";
}

TEST_F(TokenLines, looksDifferentInEveryThemeAndLanguage) {
  EXPECT_NE(drawn(sample(12, false)), drawn(sample(12, true)));
  EXPECT_NE(drawn(sample(12, false, Language::english)), drawn(sample(12, false, Language::chinese)));
}

}  // namespace
}  // namespace posiscope::ui
