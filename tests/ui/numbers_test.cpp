// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/reader.h"
#include "core/question_text.h"
#include "tests/ui/synthetic.h"
#include "ui/figures/figure.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

namespace posiscope::ui {
namespace {

Dataset line(double slope) {
  Dataset dataset;
  dataset.x.symbol = "n";
  Curve curve;
  curve.key = "score";
  for (const double x : {0.0, 1.0, 2.0}) {
    curve.x.push_back(x);
    curve.y.push_back(slope * x);
  }
  dataset.curves.push_back(std::move(curve));
  return dataset;
}

TEST(ExportNumbers, oneSchemeIsOneFile) {
  const QTemporaryDir folder;
  const QString path = folder.filePath("decay.npy");
  const auto written = exportNumbers(contextOf("relative_decay", {line(0.5)}), path);
  ASSERT_TRUE(written) << written.error().message.en;
  EXPECT_EQ(*written, QStringList{path});
  const auto array = files::readNpy(path.toStdString());
  ASSERT_TRUE(array);
  EXPECT_EQ(array->shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(*array->values, (std::vector<double>{0, 1, 2, 0, 0.5, 1}));
}

TEST(ExportNumbers, severalSchemesAreNumberedAndNothingIsSkippedSilently) {
  const QTemporaryDir folder;
  Dataset nothing;
  nothing.nothing = {"NoPE has no curves.", "NoPE 没有曲线。"};
  const ViewContext context = contextOf("relative_decay", {line(0.5), nothing, line(2)});
  const auto written = exportNumbers(context, folder.filePath("a.b.csv"));
  ASSERT_TRUE(written);
  EXPECT_EQ(*written, (QStringList{folder.filePath("a.b.1.csv"), folder.filePath("a.b.2.csv")}));
  QFile file(written->at(1));
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  const QByteArray text = file.readAll();
  EXPECT_TRUE(
      text.startsWith("# scheme: " + QByteArray::fromStdString(schemeText(context.answers()[2].question.scheme))))
      << text.toStdString();
  EXPECT_TRUE(text.endsWith("\nn,score\n0,0\n1,2\n2,4\n")) << text.toStdString();

  const Error error{ErrorCode::past_table, {"learned: position 512 is past the table", {}}};
  const auto refused = exportNumbers(withFailure(context, 2, error), folder.filePath("c.npy"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error(), error);
  EXPECT_FALSE(QFile::exists(folder.filePath("c.1.npy")));
}

TEST(ExportNumbers, ofTheSelectedSchemeAloneAreOneFile) {
  const QTemporaryDir folder;
  ViewContext context =
      contextOf("similarity", {oneMap(1, 2, {5, 7}, MapKind::diverging), oneMap(1, 2, {1, 9}, MapKind::diverging)});
  context.tile.options["schemes"] = std::string("selected");
  context.presentation.selected = 1;
  const QString path = folder.filePath("s.npy");
  // What the tile does not show cannot refuse what it shows.
  const auto written = exportNumbers(withFailure(context, 0, {ErrorCode::past_table, {"too far", {}}}), path);
  ASSERT_TRUE(written) << written.error().message.en;
  EXPECT_EQ(*written, QStringList{path});
  const auto array = files::readNpy(path.toStdString());
  ASSERT_TRUE(array);
  EXPECT_EQ(*array->values, (std::vector<double>{1, 9}));

  context.tile.options["schemes"] = std::string("all");
  const auto all = exportNumbers(context, path);
  ASSERT_TRUE(all);
  EXPECT_EQ(*all, (QStringList{folder.filePath("s.1.npy"), folder.filePath("s.2.npy")}));
}

/// A map that stops the job when the cell (1, 0) is asked for.
Dataset stoppingMap(const Job& job) {
  Dataset dataset = oneMap(1, 1, {0}, MapKind::diverging);
  dataset.maps.front().field = computedField(4, 2, [job](std::int64_t row, std::int64_t) {
    if (row == 1) job.stop();
    return 1.0f;
  });
  return dataset;
}

TEST(ExportNumbers, stoppedLeaveWholeFilesOnly) {
  const Dataset whole = oneMap(1, 1, {3}, MapKind::diverging);
  for (const char* name : {"t.csv", "t.npy"}) {
    const QTemporaryDir folder;
    const Job job;
    const auto files = numberFiles(contextOf("similarity", {whole, stoppingMap(job), whole}),
                                   folder.filePath(QString::fromLatin1(name)));
    ASSERT_TRUE(files) << files.error().message.en;
    ASSERT_EQ(files->paths.size(), 3);
    const auto written = writeNumbers(*files, job);
    ASSERT_TRUE(written) << written.error().message.en;
    EXPECT_EQ(*written, files->paths.mid(0, 1));
    EXPECT_EQ(QDir(folder.path()).entryList(QDir::Files).size(), 1) << "an unfinished file stayed";
  }
}

TEST(ExportNumbers, refusesWithASentence) {
  const QTemporaryDir folder;
  const auto other = exportNumbers(contextOf("relative_decay", {line(1)}), folder.filePath("x.txt"));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::file_type);
  const auto none = exportNumbers(ViewContext{}, folder.filePath("x.csv"));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::not_supported);
  const auto nowhere = exportNumbers(contextOf("relative_decay", {line(1)}), folder.filePath("no/such/folder/x.csv"));
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().code, ErrorCode::file_write);
}

}  // namespace
}  // namespace posiscope::ui
