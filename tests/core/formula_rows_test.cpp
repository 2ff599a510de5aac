// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compute.h"
#include "core/dataset_pieces.h"
#include "core/formula_field.h"
#include "core/measures/list.h"
#include "core/screen_number.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

namespace posiscope {
namespace {

FormulaRows rowsOf(const std::string& text, std::int64_t rows = 400, std::int64_t cols = 30) {
  return {"own", {text, {"r", "c"}, {}}, rows, cols, [](std::int64_t row, std::int64_t col, std::span<double> at) {
            at[0] = static_cast<double>(row);
            at[1] = static_cast<double>(col);
          }};
}

TEST(FormulaRows, aRowIsTheFormulaAtItsCells) {
  const FormulaRows rows = rowsOf("sin(r) + c/8");
  std::vector<double> row(30);
  rows(7, std::span<double>(row));
  for (std::size_t c = 0; c < row.size(); ++c) EXPECT_EQ(row[c], std::sin(7.0) + static_cast<double>(c) / 8);
  EXPECT_EQ(rows.at(7, 3), row[3]);
  std::vector<float> single(30);
  rows(7, std::span<float>(single));
  EXPECT_EQ(single[3], static_cast<float>(row[3]));
  EXPECT_EQ(rows.rows(), 400);
  EXPECT_EQ(rows.cols(), 30);
}

TEST(FormulaRows, theFirstCellWithoutAValueIsNamedOnceItWasRead) {
  const FormulaRows rows = rowsOf("1/((r - 101)*(c + 1))");
  rows.begin();
  EXPECT_TRUE(rows.failure());
  std::vector<float> row(30);
  rows(102, std::span<float>(row));
  rows(101, std::span<float>(row));
  EXPECT_TRUE(std::isnan(row[4]));
  ASSERT_FALSE(rows.failure());
  EXPECT_EQ(rows.failure().error().message.en,
            "own: the formula must give finite numbers, got infinity at r = 101, c = 0");
  rows.begin();
  EXPECT_TRUE(rows.failure()) << "another question";
  rows.end();
  const FormulaRows corner = rowsOf("1/(r - 399)");
  corner.begin();
  EXPECT_FALSE(corner.failure()) << "the last row is looked at before anybody asks";
}

/// The answer about a table of 131072 × 4096 cells, which would take 2 GiB.
Expected<std::shared_ptr<const Dataset>> answerOf(const std::string& measure, const std::string& formula) {
  Request request;
  request.experiment.shape.seq_len = 131072;
  request.experiment.shape.d_model = 4096;
  request.experiment.schemes.emplace_back();
  request.experiment.schemes.back().id = "own";
  request.experiment.schemes.back().values = {{"formula", formula}};
  request.measures = {{measure, {}}};
  const auto result = compute(request, Job());
  if (!result) return fail(result.error());
  return (*result)->answers.at(0).at(0).dataset;
}

TEST(FormulaRows, aTableTooLargeToBeStoredIsDrawn) {
  const auto table = answerOf("position_table", "sin(pos*omega) + i");
  ASSERT_TRUE(table) << table.error().message.en;
  EXPECT_EQ((*table)->maps.at(0).field->at(131071, 4095), static_cast<float>(std::sin(131071.0) + 4095));
  const auto waves = answerOf("waves", "sin(pos*omega/(1 + i))");
  ASSERT_TRUE(waves) << waves.error().message.en;
  EXPECT_EQ((*waves)->curves.at(0).y.size(), 131072U);
}

TEST(FormulaRows, whatWouldTakeHoursIsASentence) {
  const auto similarity = answerOf("similarity", "sin(pos*omega) + i");
  ASSERT_FALSE(similarity);
  EXPECT_EQ(similarity.error().message.en,
            "own: the formula takes too long: it would be computed " + screenNumber(1073741824) +
                " times, once for each number that is asked for; shorten it or make the shape smaller");
}

/// A question about a table whose formula is so long that all of its cells take too long together.
Question slowQuestion(const std::string& measure) {
  Question q;
  q.measure = measure;
  q.scheme.id = "own";
  std::string formula = "sin(pos)";
  while (formula.size() < 490) formula += "+sin(i)";
  q.scheme.values = {{"formula", formula}};
  q.shape.seq_len = 50 * 50;
  q.shape.d_model = 2048;
  return q;
}

TEST(FormulaRows, whoeverReadsAllOfATableThatTakesTooLongRefusesFirst) {
  for (const char* id : {"similarity", "relative_decay", "norm_ratio", "aliasing", "grid_similarity", "shift_matrix",
                         "attention_weights", "attention_row", "attention_overview", "attention_by_offset", "heads",
                         "head_kinds", "score_terms", "shuffle_test"}) {
    SCOPED_TRACE(id);
    const Measure* measure = measures::find(id);
    ASSERT_TRUE(measure);
    Question q = slowQuestion(id);
    if (findParam(measure->options, "tokens")) q.options["tokens"] = 0.0;  // all of them
    const auto start = std::chrono::steady_clock::now();
    const Expected<Dataset> answer = measure->compute(q, Job());
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(3));
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::too_large);
    EXPECT_NE(answer.error().message.en.find("own: the formula takes too long: "), std::string::npos)
        << answer.error().message.en;
  }
}

TEST(FormulaRows, theSimilarityOfACheapFormulaIsDrawnWhateverItsSize) {
  Question q = slowQuestion("similarity");
  q.scheme.values = {{"formula", std::string("sin(pos/10)")}};
  q.shape.seq_len = 4200;
  const Expected<Dataset> cheap = measures::find("similarity")->compute(q, Job());
  ASSERT_TRUE(cheap) << cheap.error().message.en;
  EXPECT_NEAR(cheap->maps.at(0).field->at(3, 4199), 2048 * std::sin(0.3) * std::sin(419.9), 1e-2);
  q.scheme.values = slowQuestion("similarity").scheme.values;
  const Expected<Dataset> dear = measures::find("similarity")->compute(q, Job());
  ASSERT_FALSE(dear);
  EXPECT_EQ(dear.error().code, ErrorCode::too_large);
}

TEST(FormulaRows, aPictureOfItIsDrawnButNotWrittenOut) {
  const Expected<Dataset> table = measures::find("position_table")->compute(slowQuestion("position_table"), Job());
  ASSERT_TRUE(table) << table.error().message.en;
  EXPECT_NEAR(table->maps.at(0).field->at(7, 0), std::sin(7.0), 1e-5);
  const Outcome writable = checkNumbers(*table);
  ASSERT_FALSE(writable);
  EXPECT_EQ(writable.error().message.en,
            "own: the formula takes too long: it would be computed " + screenNumber(5120000) +
                " times, once for each number that is asked for; shorten it or make the shape smaller");
  EXPECT_TRUE(csv(*table).empty());
  EXPECT_TRUE(numbers(*table).empty());
}

/// A map of a formula, as the position table has it.
Dataset mapOf(const FormulaRows& rows) {
  Dataset dataset;
  dataset.maps.emplace_back();
  dataset.maps.back().field = formulaField(rows);
  return dataset;
}

TEST(FormulaRows, whatIsWrittenOutIsTheFormula) {
  const Array array = numbers(mapOf(rowsOf("r + c/8", 3, 2)));
  EXPECT_EQ(array.shape, (std::vector<std::int64_t>{3, 2}));
  EXPECT_EQ(*array.values, (std::vector<double>{0, 0.125, 1, 1.125, 2, 2.125}));
}

TEST(FormulaRows, aCellWithoutAValueEndsTheWriting) {
  const Dataset dataset = mapOf(rowsOf("1/((r - 101)*(r - 101) + (c - 2)*(c - 2))"));
  ASSERT_TRUE(checkNumbers(dataset));
  std::int64_t rows = 0;
  const auto count = [&rows](std::span<const double>) -> Outcome { return ++rows, Outcome{}; };
  const Outcome written = numberPieces(dataset, Job(), count);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message.en, "own: the formula must give finite numbers, got infinity at r = 101, c = 2");
  EXPECT_EQ(rows, 101);
  const Outcome text = csvPieces(dataset, Job(), [](std::string_view) -> Outcome { return {}; });
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::not_defined);
}

TEST(FormulaRows, writingEndsWithTheTimeOfOneFormula) {
  const std::shared_ptr<const Field> slow = formulaField(rowsOf("sin(r) + c"));
  const std::shared_ptr<const Field> given = storedField(2, 1, std::vector<float>{5, 6});
  RowReader reader(std::chrono::steady_clock::duration::zero());
  ASSERT_TRUE(reader.row(*slow, 0)) << "nothing was spent before";
  const Expected<std::vector<float>> second = reader.row(*slow, 1);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::too_large);
  ASSERT_TRUE(reader.row(*given, 1)) << "what is stored needs no time";
  EXPECT_EQ(RowReader().row(*slow, 1)->at(3), static_cast<float>(std::sin(1.0) + 3));
}

TEST(FormulaRows, OfAMillionTimesTheTimeAreRefusedBeforeTheyStart) {
  Question q;
  q.measure = "relative_decay";
  q.scheme.id = "own";
  q.shape.seq_len = 131072;
  q.shape.d_model = 4096;
  const auto start = std::chrono::steady_clock::now();
  const Expected<Dataset> answer = measures::find(q.measure)->compute(q, Job());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5)) << "ten until the clock ends it";
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::too_large);
}

}  // namespace
}  // namespace posiscope
