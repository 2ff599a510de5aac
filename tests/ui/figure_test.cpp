// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/figure.h"
#include "core/session.h"
#include "synthetic.h"
#include "ui/figures/values_key.h"
#include "ui/views/list.h"
#include "ui/views/view_kinds.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <QFile>
#include <QImage>
#include <QPainter>
#include <QRegularExpression>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <string>
#include <utility>
#include <vector>

namespace posiscope::ui {
namespace {

QByteArray contents(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// How many of the dots of two pictures of one size differ visibly, as a share.
double difference(const QImage& a, const QImage& b) {
  if (a.size() != b.size() || a.isNull()) return 1;
  int different = 0;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) {
      const QColor p(a.pixel(x, y));
      const QColor q(b.pixel(x, y));
      const int distance =
          std::abs(p.red() - q.red()) + std::abs(p.green() - q.green()) + std::abs(p.blue() - q.blue());
      different += distance > 90;
    }
  return static_cast<double>(different) / (a.width() * a.height());
}

/// The share that may differ: the edges of letters and cells.
constexpr double edges = 0.05;

class Figure : public ::testing::Test {
 protected:
  QString path(const char* name) const { return folder_.filePath(QString::fromLatin1(name)); }
  Outcome write(const char* name, FigureOptions options = {}) {
    return exportFigure(positionTableView(), context_, path(name), options);
  }

  QTemporaryDir folder_;
  ViewContext context_ = contextOf("position_table", {rotaryTable(64, 16)});
};

TEST_F(Figure, PngHasTheAskedDotsAndTheQuestion) {
  FigureOptions options{480, 300, 192};
  ASSERT_TRUE(write("a.png", options));
  const QImage image(path("a.png"));
  EXPECT_EQ(image.size(), QSize(960, 600));
  EXPECT_NEAR(image.dotsPerMeterX() * 0.0254, 192, 0.5);
  const std::string session = image.text(QStringLiteral("Description")).toStdString();
  const auto opened = session::fromText(session, "a.png");
  ASSERT_TRUE(opened) << opened.error().message.en;
  EXPECT_EQ(opened->experiment.shape.seq_len, context_.experiment.shape.seq_len);
}

TEST_F(Figure, SvgIsTheSamePictureWithSharpCells) {
  ASSERT_TRUE(write("a.svg", {480, 300, 96}));
  const QByteArray text = contents(path("a.svg"));
  EXPECT_TRUE(text.contains("image-rendering:pixelated"));
  EXPECT_FALSE(text.contains("optimizeSpeed"));
  EXPECT_TRUE(text.contains("<text"));
  EXPECT_TRUE(text.contains("posiscope_session"));

  QSvgRenderer renderer(path("a.svg"));
  ASSERT_TRUE(renderer.isValid());
  QImage image(480, 300, QImage::Format_RGB32);
  QPainter painter(&image);
  renderer.render(&painter);
  painter.end();
  const QImage direct = figureImage(positionTableView(), context_, {480, 300, 96});
  EXPECT_LT(difference(image, direct), edges);
}

TEST_F(Figure, SvgKeepsInsideItsFrameWhenZoomed) {
  context_.tile.zoom = Zoom{3.2, 9.1, 10.4, 30.7};
  ASSERT_TRUE(write("a.svg", {480, 300, 96}));
  // QSvgGenerator of Qt 6.4 does not clip: nothing may be drawn outside.
  const QString text = QString::fromUtf8(contents(path("a.svg")));
  QRegularExpression points(QStringLiteral("<image x=\"([-0-9.e]+)\" y=\"([-0-9.e]+)\" width=\"([0-9.e]+)\""));
  auto found = points.globalMatch(text);
  ASSERT_TRUE(found.hasNext());
  while (found.hasNext()) {
    const auto match = found.next();
    EXPECT_GE(match.captured(1).toDouble(), 0);
    EXPECT_LE(match.captured(1).toDouble() + match.captured(3).toDouble(), 480);
  }
}

TEST_F(Figure, PdfKeepsColoursAndCarriesTheSession) {
  ASSERT_TRUE(write("a.pdf"));
  const QByteArray text = contents(path("a.pdf"));
  EXPECT_TRUE(text.startsWith("%PDF"));
  EXPECT_FALSE(text.contains("DCTDecode")) << "JPEG changes the colours of the map";
  EXPECT_TRUE(text.contains("session.json"));
  EXPECT_TRUE(QRegularExpression(QStringLiteral("MediaBox \\[0 0 720(\\.0+)? 450(\\.0+)?\\]"))
                  .match(QString::fromLatin1(text))
                  .hasMatch())
      << "960 x 600 px at 96 per inch";
}

TEST_F(Figure, EveryViewExportsToEveryFormatInBothThemesAndLanguages) {
  for (const ViewKind& kind : viewCatalogue())
    for (const bool dark : {false, true}) {
      const ViewContext context =
          contextOf(kind.measure, {rotaryTable(8, 4)}, dark, dark ? Language::chinese : Language::english);
      for (const char* name : {"v.svg", "v.pdf", "v.png"}) {
        QFile::remove(path(name));
        EXPECT_TRUE(exportFigure(kind, context, path(name), {200, 150, 96})) << kind.id << ' ' << name;
        EXPECT_GT(QFile(path(name)).size(), 0) << kind.id << ' ' << name;
      }
    }
}

TEST_F(Figure, AnUnknownEndingIsRefusedWithTheAllowedOnes) {
  const Outcome refused = write("a.gif");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::bad_value);
  EXPECT_NE(refused.error().message.en.find(".svg, .pdf or .png"), std::string::npos);
  EXPECT_NE(refused.error().message.en.find("gif"), std::string::npos);
  EXPECT_FALSE(refused.error().message.zh.empty());
  EXPECT_FALSE(QFile::exists(path("a.gif")));
}

TEST_F(Figure, AFolderThatIsNotThereIsRefused) {
  const Outcome refused = write("no/such/folder/a.png");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::file_write);
}

TEST_F(Figure, SizesThatNoImageCanHaveAreRefusedBeforeAllocating) {
  EXPECT_EQ(write("a.png", {0, 100, 96}).error().code, ErrorCode::out_of_range);
  EXPECT_EQ(write("a.png", {100, 100, 0}).error().code, ErrorCode::out_of_range);
  EXPECT_EQ(write("a.png", {30000, 30000, 1200}).error().code, ErrorCode::too_large);
  EXPECT_FALSE(QFile::exists(path("a.png")));
}

TEST_F(Figure, AnImageIsCheckedAsAPngIs) {
  EXPECT_TRUE(checkImage({960, 600, 96}));
  for (const FigureOptions& options : {FigureOptions{100, 0, 96}, FigureOptions{30000, 100, 1200}}) {
    const Outcome refused = checkImage(options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error(), write("a.png", options).error());
  }
}

TEST_F(Figure, NumbersOfADifferenceAreTheDifference) {
  context_ =
      contextOf("similarity", {oneMap(1, 2, {5, 7}, MapKind::diverging), oneMap(1, 2, {1, 9}, MapKind::diverging)});
  context_.tile.options["schemes"] = std::string("difference");
  const auto written = exportNumbers(context_, path("d.csv"));
  ASSERT_TRUE(written) << written.error().message.en;
  EXPECT_EQ(written->size(), 1) << "one file, although there are two schemes";
  EXPECT_TRUE(contents(path("d.csv")).contains("4,-2")) << contents(path("d.csv")).toStdString();
  context_.tile.options["minuend"] = std::string("5");
  const auto refused = exportNumbers(context_, path("e.csv"));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.en.find("no scheme 5"), std::string::npos);
}

TEST_F(Figure, OfOneSchemeNamesItAndItsDecidingValues) {
  context_.experiment.schemes[0].label.clear();
  context_.experiment.schemes[0].values["base"] = 500000.0;
  auto result = std::make_shared<Result>(*context_.result);
  result->request.experiment = context_.experiment;
  context_.result = std::move(result);
  for (const ViewKind& kind : {positionTableView(), relativeDecayView()}) {
    context_.tile.view = kind.id;
    for (const int width : {960, 240}) {  // beside the title, and below it
      ASSERT_TRUE(exportFigure(kind, context_, path("one.svg"), {width, 400, 96}));
      const QString svg = QString::fromUtf8(contents(path("one.svg")));
      EXPECT_TRUE(svg.contains(QStringLiteral(">RoPE</text>"))) << kind.id << ' ' << width;
      EXPECT_TRUE(svg.contains(QStringLiteral(">base 500"))) << kind.id << ' ' << width;
      EXPECT_TRUE(svg.contains(QStringLiteral(" – RoPE</title>"))) << kind.id;
    }
  }
}

TEST_F(Figure, OfStoredAttentionNamesItsFile) {
  context_ = contextOf("attention_weights", {oneMap(2, 2, {1, 0, 0.5, 0.5}, MapKind::sequential)});
  context_.experiment.schemes[0] = {.id = "none", .values = {}, .label = {}, .colour = 0, .visible = true};
  context_.experiment.content.source = ContentSource::attention;
  context_.experiment.content.attention = makeArray({1, 2, 2}, {1, 0, 0.5, 0.5}, "/folder/dump.npy");
  auto result = std::make_shared<Result>(*context_.result);
  result->request.experiment = context_.experiment;
  context_.result = std::move(result);
  const auto svgOf = [this](const ViewKind& kind) {
    EXPECT_TRUE(exportFigure(kind, context_, path("dump.svg"), {960, 400, 96}));
    return QString::fromUtf8(contents(path("dump.svg")));
  };
  const QString attention = svgOf(attentionWeightsView());
  EXPECT_TRUE(attention.contains(QStringLiteral(">dump.npy</text>")));
  EXPECT_TRUE(attention.contains(QStringLiteral(" – dump.npy</title>")));
  EXPECT_FALSE(attention.contains(QStringLiteral("NoPE</text>")));
  EXPECT_FALSE(attention.contains(QStringLiteral(">d = ")));
  EXPECT_TRUE(svgOf(positionTableView()).contains(QStringLiteral(" – NoPE</title>"))) << "the scheme's own table";
}

TEST_F(Figure, OfSeveralSchemesLeavesTheirNamesToTheLegend) {
  context_ = contextOf("similarity", {oneMap(8, 8, std::vector<float>(64, 1), MapKind::diverging),
                                      oneMap(8, 8, std::vector<float>(64, 2), MapKind::diverging)});
  ASSERT_TRUE(exportFigure(similarityView(), context_, path("two.svg"), {960, 400, 96}));
  const QString svg = QString::fromUtf8(contents(path("two.svg")));
  EXPECT_EQ(svg.count(QStringLiteral(">RoPE</text>")), 1);
  EXPECT_EQ(svg.count(QStringLiteral(">RoPE · Llama-3</text>")), 1);
}

TEST_F(Figure, OfSeveralSchemesTellsTheirValuesBesideTheirNames) {
  std::vector<Dataset> datasets(3, oneMap(8, 8, std::vector<float>(64, 1), MapKind::diverging));
  context_ = contextOf("similarity", std::move(datasets));
  context_.experiment.schemes = {
      {.id = "rope", .values = {{"base", 500000.0}}, .label = {}, .colour = 0, .visible = true},
      {.id = "rope", .values = {{"base", 7.0}}, .label = {}, .colour = 1, .visible = true},
      {.id = "none", .values = {}, .label = {}, .colour = 2, .visible = true}};
  context_.experiment.schemes[1].values["pairing"] = std::string("half");
  auto result = std::make_shared<Result>(*context_.result);
  result->request.experiment = context_.experiment;
  context_.result = std::move(result);
  const ValuesKey key = valuesKey(similarityView(), context_, context_.experiment);
  ASSERT_EQ(key.entries.size(), 1U) << "base is in the names, and a scheme without values is not listed";
  EXPECT_EQ(key.entries[0].text, QStringLiteral("RoPE · base 7: half-split"));
  EXPECT_EQ(key.entries[0].colour, schemeColour(1));
  ASSERT_TRUE(exportFigure(similarityView(), context_, path("many.svg"), {960, 400, 96}));
  EXPECT_TRUE(
      QString::fromUtf8(contents(path("many.svg"))).contains(QStringLiteral(">RoPE · base 7: half-split</text>")));
}

}  // namespace
}  // namespace posiscope::ui
