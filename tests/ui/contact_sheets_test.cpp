// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Every scheme in every view, in both languages and both themes: drawn without a warning, never an empty picture. One
// sheet for each view is left in contact_sheets/ for eyes: a row for each scheme; columns: English light, English
// dark, Chinese light, Chinese dark.
#include "core/measures/list.h"
#include "core/schemes/list.h"
#include "ui/figures/figure.h"
#include "ui/state/presentation.h"
#include "ui/views/list.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QImage>
#include <QPainter>
#include <QSet>
#include <array>
#include <cstdlib>
#include <utility>

namespace posiscope::ui {
namespace {

constexpr int cell_width = 420;
constexpr int cell_height = 280;
constexpr std::array<std::pair<Language, bool>, 4> variants{{{Language::english, false},
                                                             {Language::english, true},
                                                             {Language::chinese, false},
                                                             {Language::chinese, true}}};

QStringList& warnings() {
  static QStringList list;
  return list;
}

/// Collects what Qt complains about while it lives.
class Listener {
 public:
  Listener() : before_(qInstallMessageHandler([](QtMsgType type, const QMessageLogContext&, const QString& message) {
                 if (type != QtDebugMsg && type != QtInfoMsg) warnings().append(message);
               })) {
    warnings().clear();
  }
  ~Listener() { qInstallMessageHandler(before_); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

 private:
  QtMessageHandler before_;
};

/// A shape that every scheme accepts.
Experiment experimentOf(const Scheme& scheme) {
  Experiment experiment;
  experiment.shape.seq_len = 36;
  experiment.shape.d_model = 24;
  experiment.shape.num_heads = 3;
  experiment.shape.head_dim = 8;
  experiment.shape.grid_height = 6;
  experiment.shape.grid_width = 6;
  experiment.mask.causal = true;
  experiment.train_length = 16;
  SchemeChoice choice;
  choice.id = scheme.id();
  experiment.schemes.push_back(std::move(choice));
  return experiment;
}

/// Lines of a picture are made of few colours; an empty one has the panel's and the title's shades alone.
bool isEmpty(const QImage& image) {
  const int header = 36;
  QSet<QRgb> colours;
  for (int y = header; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) colours.insert(image.pixel(x, y));
  return colours.size() < 3;
}

void drawRow(QPainter& sheet, int row, const ViewKind& view, const Scheme& scheme) {
  ViewContext context;
  context.experiment = experimentOf(scheme);
  context.presentation = startPresentation();
  context.tile.view = view.id;
  const MeasureRequest request = view.request(context.tile, context.presentation, context.experiment);
  const auto result = compute({context.experiment, {request}}, Job{});
  ASSERT_TRUE(result) << result.error().message.en;
  context.result = *result;
  context.measure = 0;
  for (const Answer& answer : context.answers())
    ASSERT_TRUE(answer.dataset) << view.id << " of " << scheme.id() << ": " << answer.dataset.error().message.en;
  for (std::size_t v = 0; v < variants.size(); ++v) {
    const auto& [language, dark] = variants[v];
    context.presentation.language = language;
    context.style = makeStyle(dark, language);
    const QImage image = figureImage(view, context, {cell_width, cell_height, 96});
    EXPECT_FALSE(isEmpty(image)) << view.id << " of " << scheme.id();
    sheet.drawImage(static_cast<int>(v) * cell_width, row * cell_height, image);
  }
}

TEST(ContactSheets, ShowEverySchemeInEveryViewWithoutAWarning) {
  if (!std::getenv("POSISCOPE_CONTACT_SHEETS"))
    GTEST_SKIP() << "runs once, as a ctest entry of its own: POSISCOPE_CONTACT_SHEETS names the folder of the sheets";
  const QDir folder(qEnvironmentVariable("POSISCOPE_CONTACT_SHEETS"));
  ASSERT_TRUE(folder.mkpath(QStringLiteral(".")));
  const auto& schemes = schemes::catalogue();
  for (const ViewKind& view : viewCatalogue()) {
    QImage sheet(cell_width * static_cast<int>(variants.size()), cell_height * static_cast<int>(schemes.size()),
                 QImage::Format_RGB32);
    QPainter painter(&sheet);
    const Listener listener;
    for (std::size_t s = 0; s < schemes.size(); ++s) {
      drawRow(painter, static_cast<int>(s), view, schemes[s]);
      EXPECT_TRUE(warnings().isEmpty()) << view.id << " of " << schemes[s].id() << ": "
                                        << warnings().join(QStringLiteral("; ")).toStdString();
      warnings().clear();
    }
    painter.end();
    EXPECT_TRUE(sheet.save(folder.filePath(QString::fromStdString(view.id) + QStringLiteral(".png"))));
  }
}

}  // namespace
}  // namespace posiscope::ui
