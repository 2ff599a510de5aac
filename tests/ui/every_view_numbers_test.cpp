// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// No view is without its numbers: real answers of each, written as CSV and NPY and read again.
#include "core/compute.h"
#include "core/files/reader.h"
#include "core/models/model.h"
#include "synthetic.h"
#include "ui/figures/figure.h"
#include "ui/views/list.h"
#include "ui/window/trained_examples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <QFile>
#include <QTemporaryDir>

namespace posiscope::ui {
namespace {

/// Sixteen patches of a square, with anything that one of the views could need.
Experiment small() {
  Experiment e;
  e.shape.seq_len = 16;
  e.shape.d_model = 32;
  e.shape.head_dim = 8;
  e.shape.num_heads = 4;
  e.shape.num_layers = 2;
  e.shape.grid_height = e.shape.grid_width = 4;
  e.train_length = 8;
  int colour = 0;
  for (const char* id : {"rope", "alibi", "sinusoidal", "sinusoidal_2d", "swin", "t5_log", "cope", "forget_gate",
                         "conditional", "deberta"})
    e.schemes.push_back({id, {}, "", colour++, true});
  return e;
}

/// A trained model as the content, for what only models answer.
Experiment trained() {
  const QString folder = placeTrainedExample(trainedExamples().front().id);
  const auto found = models::inspect(folder.toStdString());
  EXPECT_TRUE(found);
  Experiment e = models::experimentOf(*found, startExperiment());
  e.shape.seq_len = 16;
  return e;
}

ViewContext answered(const ViewKind& kind, const Experiment& experiment) {
  ViewContext context;
  context.experiment = experiment;
  context.presentation = startPresentation();
  context.style = makeStyle(false, Language::english);
  context.tile.view = kind.id;
  context.measure = 0;
  const MeasureRequest request =
      kind.request ? kind.request(context.tile, context.presentation, experiment) : MeasureRequest{kind.measure, {}};
  const auto result = compute({experiment, {request}}, Job{});
  EXPECT_TRUE(result) << kind.id << ": " << (result ? "" : result.error().message.en);
  if (result) context.result = *result;
  return context;
}

/// Keeps the schemes that the view has something to show of.
Experiment answering(const ViewKind& kind, Experiment experiment) {
  const ViewContext all = answered(kind, experiment);
  std::vector<SchemeChoice> kept;
  for (std::size_t s = 0; s < experiment.schemes.size(); ++s) {
    const Answer& answer = all.result->answers[0][s];
    if (answer.dataset && (*answer.dataset)->nothing.en.empty()) kept.push_back(experiment.schemes[s]);
  }
  kept.resize(std::min<std::size_t>(kept.size(), 2));
  experiment.schemes = kept;
  return experiment;
}

TEST(EveryView, GivesItsNumbersAsCsvAndNpy) {
  const QTemporaryDir folder;
  for (const ViewKind& kind : viewCatalogue()) {
    Experiment experiment = answering(kind, small());
    if (experiment.schemes.empty()) experiment = answering(kind, trained());
    ASSERT_FALSE(experiment.schemes.empty()) << kind.id << " answers nothing here";
    const ViewContext context = answered(kind, experiment);
    for (const char* ending : {"npy", "csv"}) {
      const auto written = exportNumbers(context, folder.filePath(QStringLiteral("%1.%2").arg(
                                                      QString::fromStdString(kind.id), QLatin1String(ending))));
      ASSERT_TRUE(written) << kind.id << ": " << (written ? "" : written.error().message.en);
      ASSERT_FALSE(written->isEmpty()) << kind.id;
      for (const QString& path : *written) {
        if (QLatin1String(ending) == QLatin1String("csv")) {
          QFile file(path);
          ASSERT_TRUE(file.open(QIODevice::ReadOnly));
          EXPECT_GE(file.readAll().count('\n'), 2) << path.toStdString() << " holds a heading and a line";
          continue;
        }
        const auto array = files::readNpy(path.toStdString());
        ASSERT_TRUE(array) << path.toStdString() << ": " << (array ? "" : array.error().message.en);
        EXPECT_FALSE(array->values->empty()) << path.toStdString();
      }
    }
  }
}

}  // namespace
}  // namespace posiscope::ui
