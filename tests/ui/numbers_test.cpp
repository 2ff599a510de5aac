// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/reader.h"
#include "tests/ui/synthetic.h"
#include "ui/figures/figure.h"

#include <gtest/gtest.h>

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
  EXPECT_EQ(file.readAll(), QByteArray("n,score\n0,0\n1,2\n2,4\n"));

  const Error error{ErrorCode::past_table, {"learned: position 512 is past the table", {}}};
  const auto refused = exportNumbers(withFailure(context, 2, error), folder.filePath("c.npy"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error(), error);
  EXPECT_FALSE(QFile::exists(folder.filePath("c.1.npy")));
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
