// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/trained_examples.h"

#include "core/model_content.h"
#include "core/models/model.h"
#include "core/train/run_spec_json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace posiscope::ui {
namespace {

TEST(TrainedExamples, OpenAsModelsOnABareMachine) {
  ASSERT_GE(trainedExamples().size(), 2u);
  for (const TrainedExample& example : trainedExamples()) {
    const QString folder = placeTrainedExample(example.id);
    ASSERT_FALSE(folder.isEmpty()) << example.id.toStdString();
    EXPECT_LT(QFileInfo(folder + "/model.safetensors").size(), 1 << 20);
    const auto found = models::inspect(folder.toStdString());
    ASSERT_TRUE(found) << found.error().message.en;
    EXPECT_TRUE(found->notes.empty());
    const Experiment e = models::experimentOf(*found, startExperiment());
    EXPECT_EQ(e.content.source, ContentSource::model);
    EXPECT_EQ(e.shape.num_layers, 2);
    // It has learned its text: guessing one of its letters would cost 3.2, what is left to guess costs about 0.3.
    Question q;
    q.shape = e.shape;
    q.mask = e.mask;
    q.content = e.content;
    q.scheme = e.schemes.front();
    q.train_length = e.train_length;
    transformers::Wanted wanted;
    wanted.losses = true;
    const auto trace = runModel<float>(q, wanted, Job());
    ASSERT_TRUE(trace) << trace.error().message.en;
    const std::vector<double>& losses = trace->losses;
    EXPECT_LT(std::accumulate(losses.begin(), losses.end(), 0.0) / static_cast<double>(losses.size()), 0.8);
  }
}

TEST(TrainedExamples, AreWrittenOnceAndAgainWhenTheyWereChanged) {
  const QString folder = placeTrainedExample(trainedExamples().front().id);
  const QString config = folder + "/config.json";
  const QDateTime written = QFileInfo(config).lastModified();
  EXPECT_EQ(placeTrainedExample(trainedExamples().front().id), folder);
  EXPECT_EQ(QFileInfo(config).lastModified(), written);
  QFile file(config);
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write("{}");
  file.close();
  placeTrainedExample(trainedExamples().front().id);
  EXPECT_TRUE(models::inspect(folder.toStdString())->model_type == "posiscope");
}

TEST(TrainedExamples, AreNotThereByAnotherName) {
  EXPECT_TRUE(placeTrainedExample(QStringLiteral("no-such")).isEmpty());
}

/// The specification that made them comes with them.
TEST(TrainedExamples, SayHowTheyWereMade) {
  QFile file(QStringLiteral(":/models/text.json"));
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  const auto spec = train::comparisonFromJson(nlohmann::json::parse(file.readAll().toStdString()));
  ASSERT_TRUE(spec) << spec.error().message.en;
  EXPECT_EQ(spec->runs().size(), trainedExamples().size());
}

}  // namespace
}  // namespace posiscope::ui
