// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthetic.h"
#include "ui/figures/figure.h"
#include "ui/views/dial_view.h"
#include "ui/views/list.h"
#include "ui/views/view_kinds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <optional>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace posiscope::ui {
namespace {

/// The angles of `pairs` pairs at two positions.
Dataset dials(int pairs, double i, double j, double base = 100) {
  Dataset dataset;
  dataset.x.symbol = "p";
  for (const auto& [key, position] : {std::pair{"angle_i", i}, std::pair{"angle_j", j}}) {
    Curve curve;
    curve.key = key;
    for (int p = 0; p < pairs; ++p) {
      curve.x.push_back(p);
      curve.y.push_back(position * std::pow(base, -static_cast<double>(p) / pairs));
    }
    dataset.curves.push_back(std::move(curve));
  }
  return dataset;
}

ViewContext sample(bool dark = false, Language language = Language::english) {
  return contextOf("rotation", {dials(16, 40, 32), dials(16, 40, 32, 1000)}, dark, language);
}

QImage drawn(const ViewContext& context, QSize size = {415, 355}) {
  QImage image(size, QImage::Format_RGB32);
  image.fill(context.style.panel);
  QPainter painter(&image);
  rotationView().draw(painter, QRectF(QPointF(), QSizeF(size)), context);
  return image;
}

std::unique_ptr<DialView> shown(const ViewContext& context) {
  std::unique_ptr<DialView> view(qobject_cast<DialView*>(rotationView().create(nullptr)));
  view->resize(500, 420);
  view->setContext(context);
  view->show();
  EXPECT_TRUE(QTest::qWaitForWindowExposed(view.get()));
  return view;
}

DialLayout placesOf(const DialView& view) { return layoutDials(view.scene(), view.rect()); }

TEST(RotationView, drawsNothingAndAResultDifferently) {
  ViewContext blank = sample();
  blank.result = nullptr;
  EXPECT_NE(drawn(blank), drawn(sample()));
}

TEST(RotationView, survivesEverySizeThemeAndLanguage) {
  for (const bool dark : {false, true})
    for (const Language language : {Language::english, Language::chinese})
      for (const QSize size : {QSize(1, 1), QSize(30, 20), QSize(160, 120), QSize(1200, 800)}) {
        const QImage image = drawn(sample(dark, language), size);
        if (size.width() >= 160) {
          EXPECT_NE(image, drawn(
                               [&] {
                                 ViewContext blank = sample(dark, language);
                                 blank.result = nullptr;
                                 return blank;
                               }(),
                               size));
        }
      }
  EXPECT_NE(drawn(sample(false)), drawn(sample(true)));
  EXPECT_NE(drawn(sample(false, Language::english)), drawn(sample(false, Language::chinese)));
}

TEST(RotationView, showsTheSelectedSchemeOrAll) {
  ViewContext context = sample();
  const QImage one = drawn(context);
  context.presentation.selected = 1;
  EXPECT_NE(drawn(context), one) << "the other scheme";
  context.tile.options["schemes"] = std::string("all");
  const auto view = shown(context);
  EXPECT_EQ(view->scene().groups.size(), 2U);
  EXPECT_EQ(placesOf(*view).dials.size(), 32U);
}

TEST(RotationView, dialsStayInsideAndDoNotOverlap) {
  const auto view = shown(sample());
  const DialLayout layout = placesOf(*view);
  ASSERT_EQ(layout.dials.size(), 16U);
  for (std::size_t a = 0; a < layout.dials.size(); ++a) {
    const DialPlace& dial = layout.dials[a];
    EXPECT_TRUE(QRectF(view->rect())
                    .contains(QRectF(dial.centre - QPointF(dial.radius, dial.radius),
                                     QSizeF(2 * dial.radius, 2 * dial.radius))));
    for (std::size_t b = 0; b < a; ++b)
      EXPECT_GE(QLineF(dial.centre, layout.dials[b].centre).length(), dial.radius + layout.dials[b].radius);
  }
}

TEST(RotationView, saysHowManyPairsAreLeftOut) {
  const ViewContext context = contextOf("rotation", {dials(4096, 40, 32)});
  const auto view = shown(context);
  EXPECT_LT(placesOf(*view).dials.size(), 4096U);
  EXPECT_FALSE(placesOf(*view).note.isEmpty());
}

TEST(RotationView, saysWhyNothingTurns) {
  Dataset nothing;
  nothing.nothing = {"ALiBi turns nothing.", "ALiBi 不旋转。"};
  const auto view = shown(contextOf("rotation", {nothing}));
  EXPECT_TRUE(placesOf(*view).dials.empty());
  EXPECT_NE(view->grab().toImage(), shown(contextOf("rotation", {dials(16, 40, 32)}))->grab().toImage());
  const Error error{ErrorCode::out_of_range, {"rope: base must be 1 to 1e9, got 0", ""}};
  EXPECT_NE(drawn(withFailure(sample(), 0, error)), drawn(sample()));
}

TEST(RotationView, thePointerNamesThePairUnderIt) {
  const auto view = shown(sample());
  QSignalSpy spy(view.get(), &View::hovered);
  const DialPlace dial = placesOf(*view).dials[5];
  QTest::mouseMove(view.get(), dial.centre.toPoint());
  ASSERT_TRUE(QTest::qWaitFor([&] { return !spy.isEmpty(); }));
  const Hover hover = spy.last().at(0).value<Hover>();
  EXPECT_EQ(hover.pair, 5.0);
  EXPECT_EQ(hover.i, 40.0);
  EXPECT_EQ(hover.j, 32.0);
  EXPECT_EQ(hover.offset, 8.0);
  ASSERT_TRUE(hover.value);
  EXPECT_NEAR(*hover.value, 40 * std::pow(100.0, -5.0 / 16), 1e-9);
}

TEST(RotationView, aPairHoveredElsewhereIsMarkedAndNothingElse) {
  const auto view = shown(sample());
  const QImage before = view->grab().toImage();
  Hover hover;
  hover.pair = 3;
  hover.view = "spectrum";
  view->setHover(hover);
  EXPECT_NE(view->grab().toImage(), before);
  view->setHover({});
  EXPECT_EQ(view->grab().toImage(), before);
}

TEST(RotationView, positionsHoveredElsewhereHaveHandsToo) {
  Experiment e;
  e.shape.seq_len = 64;
  e.shape.head_dim = 16;
  e.shape.first_position = 100;
  e.schemes = {{"rope", {}, "", 0, true}};
  const auto result = compute({e, {{"rotation", {{"i", 40.0}, {"j", 32.0}}}}}, Job{});
  ASSERT_TRUE(result) << result.error().message.en;
  ViewContext context = sample();
  context.result = *result;
  context.experiment = e;
  const auto view = shown(context);
  const QImage before = view->grab().toImage();
  const auto with = [&](std::optional<double> i, std::optional<double> j) {
    Hover hover;
    hover.i = i;
    hover.j = j;
    hover.view = "similarity";
    view->setHover(hover);
    return view->grab().toImage();
  };
  EXPECT_EQ(with(140, 132), before) << "there the hands stand already";
  const QImage query = with(141, 132), key = with(140, 128), both = with(141, 128);
  EXPECT_NE(query, before);
  EXPECT_NE(key, before);
  EXPECT_NE(both, query);
  EXPECT_NE(both, key);
  EXPECT_EQ(with(40, std::nullopt), before) << "before the first position";
  EXPECT_EQ(with(std::nullopt, std::nullopt), before);
}

TEST(RotationView, arrowsMoveThePositions) {
  const auto view = shown(sample());
  std::vector<std::pair<std::string, double>> chosen;
  QObject::connect(view.get(), &View::optionChosen, view.get(), [&](const std::string& key, const Value& value) {
    chosen.emplace_back(key, std::get<double>(value));
  });
  QTest::keyClick(view.get(), Qt::Key_Right);
  QTest::keyClick(view.get(), Qt::Key_Left, Qt::ShiftModifier);
  QTest::keyClick(view.get(), Qt::Key_Up);
  QTest::keyClick(view.get(), Qt::Key_Down, Qt::ShiftModifier);
  EXPECT_EQ(chosen, (std::vector<std::pair<std::string, double>>{{"i", 41}, {"i", 30}, {"j", 33}, {"j", 22}}));
}

TEST(RotationView, isNamedForThoseWhoDoNotSeeIt) {
  const auto view = shown(sample(false, Language::chinese));
  EXPECT_EQ(view->accessibleName(), QStringLiteral("旋转"));
  EXPECT_TRUE(view->accessibleDescription().contains(QStringLiteral("40")));
  EXPECT_EQ(view->focusPolicy(), Qt::StrongFocus);
}

TEST(RotationView, exportsToEveryFormat) {
  QTemporaryDir folder;
  for (const char* name : {"a.svg", "a.pdf", "a.png"}) {
    const QString path = folder.filePath(QString::fromLatin1(name));
    const Outcome written = exportFigure(rotationView(), sample(), path, {480, 300, 96});
    ASSERT_TRUE(written) << written.error().message.en;
    EXPECT_GT(QFileInfo(path).size(), 1000) << name;
  }
  const QImage image(folder.filePath(QStringLiteral("a.png")));
  EXPECT_EQ(image.size(), QSize(480, 300));
  ViewContext all = sample();
  all.tile.options["schemes"] = std::string("all");
  const Expected<QStringList> numbers = exportNumbers(all, folder.filePath(QStringLiteral("a.csv")));
  ASSERT_TRUE(numbers) << numbers.error().message.en;
  EXPECT_EQ(numbers->size(), 2) << "one file for each scheme";
}

}  // namespace
}  // namespace posiscope::ui
