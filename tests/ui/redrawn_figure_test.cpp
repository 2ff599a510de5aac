// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Exported files are drawn again by other programs and compared with our own image, for every view.
#include "core/schemes/list.h"
#include "tests/support/sanitized.h"
#include "tests/ui/redrawn.h"
#include "tests/ui/synthetic.h"
#include "ui/figures/figure.h"
#include "ui/views/list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <QFile>
#include <QPainter>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QXmlStreamReader>

namespace posiscope::ui {
namespace {

constexpr FigureOptions asked{480, 300, 192};
// Letters and the edges of cells are smoothed differently; a missing line, word or colour is far more.
constexpr double most_mean = 4;
constexpr double most_block = 30;

::testing::AssertionResult same(const Distance& distance) {
  const bool near = distance.mean < most_mean && distance.block < most_block;
  return (near ? ::testing::AssertionSuccess() : ::testing::AssertionFailure())
         << "mean " << distance.mean << ", worst block " << distance.block;
}

bool draws(const Answer& answer) {
  if (!answer.dataset || !*answer.dataset) return false;
  const Dataset& dataset = **answer.dataset;
  return !dataset.maps.empty() || !dataset.curves.empty() || !dataset.properties.empty();
}

/// Three schemes that fill different parts, or where this view has nothing to say about any of them, the first ones of
/// the catalogue that it can draw.
std::vector<SchemeChoice> schemesFor(const MeasureRequest& request, Experiment experiment) {
  const std::vector<SchemeChoice> usual{
      {"sinusoidal", {}, {}, 0, true}, {"rope", {}, {}, 1, true}, {"alibi", {}, {}, 2, true}};
  const auto answersOf = [&](const std::vector<SchemeChoice>& schemes) {
    experiment.schemes = schemes;
    return compute({experiment, {request}}, Job{}).value()->answers.front();
  };
  if (std::ranges::any_of(answersOf(usual), draws)) return usual;
  std::vector<SchemeChoice> found;
  for (const Scheme& scheme : schemes::catalogue()) {
    const SchemeChoice choice{scheme.id(), {}, {}, static_cast<int>(found.size()), true};
    if (found.size() < usual.size() && draws(answersOf({choice}).front())) found.push_back(choice);
  }
  // The loss of a trained model is of no other content: its view says so, which has to look alike everywhere, too.
  if (request.id == "loss_by_position") return usual;
  EXPECT_FALSE(found.empty()) << request.id << ": no scheme of the catalogue can be drawn";
  return found;
}

/// What the window would show of three schemes that fill different parts.
ViewContext answered(const ViewKind& kind, bool dark = false, Language language = Language::english) {
  ViewContext context;
  context.presentation = startPresentation();
  context.presentation.language = language;
  context.style = makeStyle(dark, language);
  context.tile.view = kind.id;
  Experiment& experiment = context.experiment;
  experiment.shape.seq_len = 48;
  experiment.shape.d_model = 32;
  experiment.shape.num_heads = 2;
  experiment.shape.head_dim = 16;
  experiment.mask.causal = true;
  experiment.train_length = 24;
  const MeasureRequest request = kind.request(context.tile, context.presentation, experiment);
  experiment.schemes = schemesFor(request, experiment);
  const auto result = compute({experiment, {request}}, Job{});
  EXPECT_TRUE(result) << kind.id;
  if (result) context.result = *result;
  context.measure = 0;
  return context;
}

/// Everything an SVG file writes as text.
QString textOf(const QByteArray& svg) {
  QXmlStreamReader xml(svg);
  QStringList texts;
  while (!xml.atEnd())
    if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QLatin1String("text"))
      texts << xml.readElementText(QXmlStreamReader::IncludeChildElements);
  EXPECT_FALSE(xml.hasError()) << xml.errorString().toStdString();
  return texts.join(QLatin1Char(' ')).simplified();
}

class RedrawnFigure : public ::testing::Test {
 protected:
  void SetUp() override {
    if (test::isThreadSanitized()) GTEST_SKIP() << test::no_programs;
    if (otherProgramsAreThere()) return;
    if (qEnvironmentVariable("CI") == QLatin1String("true")) FAIL() << "librsvg2-bin or poppler-utils is not installed";
    GTEST_SKIP() << "rsvg-convert or pdftoppm is not installed (packages librsvg2-bin, poppler-utils)";
  }

  QString write(const ViewKind& kind, const ViewContext& context, const char* ending) const {
    const QString path = folder_.filePath(QLatin1String("figure.") + QLatin1String(ending));
    const Outcome written = exportFigure(kind, context, path, asked);
    EXPECT_TRUE(written) << kind.id << ' ' << ending;
    return path;
  }

  QByteArray contents(const QString& path) const {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

  QTemporaryDir folder_;
};

TEST_F(RedrawnFigure, EveryViewIsTheSamePictureInEveryFormat) {
  for (const ViewKind& kind : viewCatalogue())
    for (const bool dark : {false, true}) {
      const ViewContext context = answered(kind, dark, dark ? Language::chinese : Language::english);
      const QImage ours = figureImage(kind, context, asked);
      for (const char* ending : {"svg", "pdf"}) {
        const QImage theirs = redrawn(write(kind, context, ending), asked.dpi);
        EXPECT_TRUE(same(distanceOf(theirs, ours))) << kind.id << '.' << ending << (dark ? " dark" : " light");
      }
      EXPECT_EQ(QImage(write(kind, context, "png")).convertToFormat(QImage::Format_RGB32), ours) << kind.id;
    }
}

/// What the comparison above must notice: it would be worth nothing if it let these pass.
TEST_F(RedrawnFigure, TheComparisonSeesWhatPeopleWouldSee) {
  std::vector<QImage> all;
  for (const ViewKind& kind : viewCatalogue()) all.push_back(figureImage(kind, answered(kind), asked));
  for (std::size_t v = 0; v < all.size(); ++v) {
    const ViewKind& kind = viewCatalogue()[v];
    const QImage& ours = all[v];
    for (std::size_t other = 0; other < v; ++other) EXPECT_FALSE(same(distanceOf(all[other], ours))) << kind.id;
    ViewContext fewer = answered(kind);
    QImage untitled = ours;
    QPainter(&untitled).fillRect(0, 0, 300, 60, fewer.style.panel);
    EXPECT_FALSE(same(distanceOf(untitled, ours))) << kind.id << ": the title is missing";
    QImage shifted(ours.size(), ours.format());
    shifted.fill(fewer.style.panel);
    QPainter(&shifted).drawImage(6, 0, ours);
    EXPECT_FALSE(same(distanceOf(shifted, ours))) << kind.id << ": three units to the right";
    fewer.experiment.schemes[0].visible = false;
    const MeasureRequest request = kind.request(fewer.tile, fewer.presentation, fewer.experiment);
    fewer.result = compute({fewer.experiment, {request}}, Job{}).value();
    EXPECT_FALSE(same(distanceOf(figureImage(kind, fewer, asked), ours))) << kind.id << ": a scheme is missing";
  }
}

TEST_F(RedrawnFigure, TextIsText) {
  for (const ViewKind& kind : viewCatalogue())
    for (const Language language : {Language::english, Language::chinese}) {
      const ViewContext context = answered(kind, false, language);
      const QString title = context.style.text(kind.title);
      const QByteArray svg = contents(write(kind, context, "svg"));
      EXPECT_TRUE(textOf(svg).contains(title)) << kind.id << ": " << textOf(svg).toStdString();
      const QString pdf = write(kind, context, "pdf");
      // Letters that the font joins ("ff") are one sign in the file; readers find them as two.
      const QString text = printed(QStringLiteral("pdftotext"), {QStringLiteral("-layout"), pdf, QStringLiteral("-")})
                               .normalized(QString::NormalizationForm_KC);
      EXPECT_TRUE(text.contains(title)) << kind.id << ": " << text.toStdString();
      // Numbers of an axis or of the colour bar.
      const QRegularExpression number(QStringLiteral("\\b\\d+\\b"));
      const bool sentence = kind.id == "loss_by_position";  // without a trained model
      EXPECT_NE(textOf(svg).contains(number), sentence) << kind.id;
      EXPECT_NE(text.contains(number), sentence) << kind.id;
      // Readers without our fonts must see the same: every font is inside.
      const QString fonts = printed(QStringLiteral("pdffonts"), {pdf});
      EXPECT_TRUE(fonts.contains(QLatin1String(" yes "))) << kind.id << ": " << fonts.toStdString();
      EXPECT_FALSE(fonts.contains(QLatin1String(" no no "))) << kind.id << ": " << fonts.toStdString();
    }
}

TEST_F(RedrawnFigure, PicturesInsideAreNeverJpeg) {
  int pictures = 0;
  for (const ViewKind& kind : viewCatalogue()) {
    const ViewContext context = answered(kind);
    const QString pdf = write(kind, context, "pdf");
    EXPECT_FALSE(contents(pdf).contains("DCTDecode")) << kind.id;
    const QString listed = printed(QStringLiteral("pdfimages"), {QStringLiteral("-list"), pdf});
    EXPECT_FALSE(listed.contains(QLatin1String("jp"))) << kind.id << ": " << listed.toStdString();
    pictures += listed.contains(QLatin1String(" image ")) ? 1 : 0;
    EXPECT_FALSE(contents(write(kind, context, "svg")).contains("image/jp")) << kind.id;
  }
  EXPECT_GT(pictures, 0) << "no view drew a heatmap";
}

/// A chessboard of the two ends of the scale.
Dataset chessboard(std::int64_t side) {
  std::vector<float> values;
  for (std::int64_t n = 0; n < side * side; ++n) values.push_back((n / side + n % side) % 2 == 0 ? 1.0F : 0.0F);
  return oneMap(side, side, std::move(values), MapKind::sequential);
}

/// How much of a region has neither of its two most frequent colours (within a few steps): what is blurred.
double blurredShare(const QImage& image, const QRect& region) {
  std::map<QRgb, int> counts;
  for (int y = region.top(); y <= region.bottom(); ++y)
    for (int x = region.left(); x <= region.right(); ++x) ++counts[image.pixel(x, y) & 0xfcfcfcU];
  std::vector<int> most;
  for (const auto& [colour, count] : counts) most.push_back(count);
  std::ranges::sort(most, std::greater{});
  most.resize(std::max<std::size_t>(most.size(), 2));
  return 1 - static_cast<double>(most[0] + most[1]) / (region.width() * region.height());
}

TEST_F(RedrawnFigure, EnlargedCellsHaveSharpEdges) {
  constexpr int dpi = 480;  // five dots for each unit, more than the samples in the file
  constexpr double edges = 0.06;
  const QRect middle(940, 620, 380, 380);  // of the heatmap, far from captions and axes
  for (const char* id : {"position_table", "similarity", "attention_weights"}) {
    const ViewKind& kind = *findView(id);
    const ViewContext context = contextOf(kind.measure, {chessboard(12)});
    for (const char* ending : {"svg", "pdf"}) {
      const QImage image = redrawn(write(kind, context, ending), dpi);
      ASSERT_EQ(image.size(), QSize(asked.width, asked.height) * (dpi / 96)) << id << '.' << ending;
      EXPECT_LT(blurredShare(image, middle), edges) << id << '.' << ending;
      const QImage blurred = image.scaled(image.size() / 24, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
                                 .scaled(image.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
      EXPECT_GT(blurredShare(blurred, middle), 3 * edges) << id << '.' << ending << ": a blur is not noticed";
    }
  }
}

}  // namespace
}  // namespace posiscope::ui
