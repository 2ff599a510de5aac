// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Faults of learned tables – which row belongs to which position, and resampling – that were reported in public code,
// each with the right answer for us.
#include "core/grid.h"
#include "core/measures/list.h"
#include "core/models/model.h"
#include "tests/support/encoded.h"
#include "tests/support/rotated.h"
#include "tests/support/safetensors_bytes.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace posiscope {
namespace {

using std::string;

/// A folder with a RoBERTa of these rows; every number of the table's row r is r modulo 256.
models::Inspection roberta(std::int64_t rows, const string& more = {}) {
  const test::TemporaryFolder folder;
  folder.write("config.json", join(R"({"model_type":"roberta","hidden_size":2,"num_attention_heads":1,
    "max_position_embeddings":)",
                                   rows, R"(,"pad_token_id":1)", more, "}"));
  string bytes;
  for (std::int64_t r = 0; r < rows; ++r) bytes.append(2, static_cast<char>(r % 256));
  folder.write(
      "model.safetensors",
      test::safetensorsBytes(join(R"({"roberta.embeddings.position_embeddings.weight":{"dtype":"U8","shape":[)", rows,
                                  R"(,2],"data_offsets":[0,)", 2 * rows, "]}}"),
                             bytes));
  const auto inspection = models::inspect(folder.path());
  EXPECT_TRUE(inspection) << (inspection ? "" : inspection.error().message.en);
  models::Inspection found = inspection ? *inspection : models::Inspection{};
  EXPECT_EQ(found.schemes.size(), 1u);
  found.schemes.resize(1);
  return found;
}

// E01: the table has 514 rows for 512 tokens, and row 0 is never used.
TEST(PublicBugs, rowsOfPaddingBelongToNoToken) {
  const models::Inspection inspection = roberta(514);
  EXPECT_EQ(inspection.shape.seq_len, 512);
  EXPECT_EQ(inspection.train_length, 512);
  EXPECT_EQ(inspection.shape.first_position, 0);
  const auto said = [&](const string& part) {
    return std::ranges::any_of(inspection.reasons, [&](const Text& t) { return t.en.find(part) != string::npos; });
  };
  EXPECT_TRUE(said("the first token uses row 2: of 514 rows 512 belong to tokens"));
  EXPECT_TRUE(said("the table has 514 rows: the first 2 belong to no token, 512 can be used"));
  const Table<double> table = test::encoded("learned", inspection.schemes[0].values, inspection.shape).input.table;
  ASSERT_EQ(table.rows, 512) << "rows 0 and 1 are in no picture and no statistic";
  EXPECT_EQ(table.row(0)[0], 2);
  EXPECT_EQ(table.row(511)[0], 513 % 256);
  Shape longer = inspection.shape;
  longer.seq_len = 513;
  EXPECT_NE(test::refusal("learned", inspection.schemes[0].values, longer).find("past the table"), string::npos);
  // The rows in front follow the padding's id, not a constant.
  EXPECT_EQ(roberta(514, R"(,"pad_token_id":3)").shape.seq_len, 510);
}

// E02: padding was given growing positions.
TEST(PublicBugs, paddingTakesNoPosition) {
  Shape shape;
  shape.seq_len = 5;
  const RotationPart rotation = test::rotationOf("position_ids",
                                                 {{"rule", string("roberta")},
                                                  {"padding_idx", 0.0},
                                                  {"padding", std::vector<double>{1, 1, 1, 0, 0}}},  // 1 13 54 0 0
                                                 shape);
  EXPECT_EQ(rotation.position, (std::vector<double>{1, 2, 3, 0, 0}));
}

// E04: positions from 0 were passed to a model that counts from the padding.
TEST(PublicBugs, aTokenShowsItsPositionAndItsRow) {
  const models::Inspection inspection = roberta(514);
  Question question;
  question.measure = "position_table";
  question.scheme = inspection.schemes[0];
  question.shape = inspection.shape;
  const auto dataset = measures::find(question.measure)->compute(question, Job{});
  ASSERT_TRUE(dataset) << dataset.error().message.en;
  const Map& map = dataset->maps.at(0);
  EXPECT_EQ(map.rows.first, 0) << "position 0";
  EXPECT_EQ(map.term(0, 1), "E[2, 1]") << "row 2";
  EXPECT_EQ(map.term(511, 0), "E[513, 0]");
}

TEST(PublicBugs, exportedNumbersKeepTheRowsOfTheFile) {
  const models::Inspection inspection = roberta(514);
  Question question;
  question.measure = "position_table";
  question.scheme = inspection.schemes[0];
  question.shape = inspection.shape;
  const Dataset dataset = measures::find(question.measure)->compute(question, Job{}).value();
  const string text = csv(dataset);
  EXPECT_TRUE(text.starts_with("i,row,d0,d1\n0,2,2,2\n1,3,3,3\n")) << text.substr(0, 40);
  EXPECT_TRUE(text.ends_with("\n511,513,1,1\n"));
  // Where position and row are the same number, or a row is made of several, there is nothing to keep.
  question.scheme.values.erase("position_offset");
  EXPECT_TRUE(csv(measures::find(question.measure)->compute(question, Job{}).value()).starts_with("i,d0,d1\n0,0,0\n"));
  question.scheme.values["position_offset"] = 2.0;
  question.scheme.values["resample"] = string("linear");
  EXPECT_TRUE(csv(measures::find(question.measure)->compute(question, Job{}).value()).starts_with("i,d0,d1\n"));
}

/// A grid of one number a patch, y + 100·x, behind `prefix` rows of −7, resampled to another grid.
Table<double> resampled(std::int64_t from, const Grid& to, std::int64_t prefix, const char* kernel, bool antialias) {
  std::vector<double> numbers(static_cast<std::size_t>(prefix), -7.0);
  for (std::int64_t t = 0; t < from * from; ++t)
    numbers.push_back(static_cast<double>(t / from) + 100.0 * static_cast<double>(t % from));
  const ParamValues values{{"table", makeArray({prefix + from * from, 1}, numbers)},
                           {"resample", string(kernel)},
                           {"antialias", antialias},
                           {"resample_along", string("grid")},
                           {"prefix_tokens", static_cast<double>(prefix)}};
  Shape shape;
  shape.d_model = 1;
  shape.grid_height = to.height;
  shape.grid_width = to.width;
  shape.seq_len = prefix + to.patches();
  return test::encoded("learned", values, shape).input.table;
}

/// Far from the border a plane stays a plane: half-pixel centres, one scale for each axis. Linear and timm's cubic keep
/// it exactly; MAE's cubic (a = −0.75) is off by at most a twentieth of a step.
void expectPlane(const Table<double>& table, std::int64_t from, const Grid& to, std::int64_t prefix, double tolerance) {
  ASSERT_EQ(table.rows, prefix + to.patches());
  const auto centre = [from](std::int64_t at, std::int64_t side) {
    return (static_cast<double>(at) + 0.5) * static_cast<double>(from) / static_cast<double>(side) - 0.5;
  };
  for (std::int64_t t = 0; t < to.patches(); ++t) {
    const double y = centre(to.row(t), to.height);
    const double x = centre(to.column(t), to.width);
    const auto inner = [from](double at) { return at > 2 && at < static_cast<double>(from) - 3; };
    if (!inner(y) || !inner(x)) continue;
    ASSERT_NEAR(table.row(prefix + t)[0], y + 100 * x, tolerance) << to.row(t) << " " << to.column(t);
  }
}

void expectResampled(std::int64_t from, const Grid& to, std::int64_t prefix) {
  SCOPED_TRACE(join(from, " → ", to.height, " × ", to.width));
  expectPlane(resampled(from, to, prefix, "linear", false), from, to, prefix, 1e-9);
  expectPlane(resampled(from, to, prefix, "cubic", true), from, to, prefix, 1e-9);
  expectPlane(resampled(from, to, prefix, "cubic", false), from, to, prefix, 5.05);
}

// E05: the size was rounded down through a scale factor.
TEST(PublicBugs, resamplingReachesExactlyTheSizeAskedFor) {
  for (const std::int64_t side : {39, 43, 78}) expectResampled(37, {side, side}, 0);
  expectResampled(14, {61, 61}, 0);
}

// E06: one scale for both axes gave rectangles another size.
TEST(PublicBugs, resamplingToARectangleKeepsTheClassRow) {
  expectResampled(14, {20, 30}, 1);
  const Table<double> table = resampled(14, {20, 30}, 1, "cubic", false);
  ASSERT_EQ(table.rows, 601);
  EXPECT_EQ(table.row(0)[0], -7);
}

}  // namespace
}  // namespace posiscope
