// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/axes.h"
#include "core/measures/derived.h"
#include "core/measures/distances.h"
#include "core/measures/encoded.h"
#include "core/measures/linear_shift.h"
#include "core/measures/list.h"
#include "core/measures/offset_means.h"
#include "core/random.h"
#include "core/schemes/list.h"
#include "tests/support/answer_of.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>

namespace posiscope::measures {
namespace {

using test::answerOf;

Question question(const char* measure, const char* scheme, ParamValues values = {}, std::int64_t seq_len = 40) {
  return test::questionOf(measure, scheme, std::move(values), seq_len);
}

double metric(const Dataset& dataset, const std::string& key) {
  const auto found = std::ranges::find(dataset.metrics, key, &Metric::key);
  EXPECT_NE(found, dataset.metrics.end()) << key;
  return found == dataset.metrics.end() ? 0 : found->value;
}

std::vector<double> offsetsTo(std::int64_t count) {
  std::vector<double> offsets;
  for (std::int64_t n = 0; n < count; ++n) offsets.push_back(static_cast<double>(n));
  return offsets;
}

TEST(Distances, ofOffsetsAreThoseOfTheFormula) {
  const std::vector<double> w = frequencies(64, 10000);
  const std::vector<double> ours = offsetDistances(w, 400, Job{});
  const std::vector<double> formula = distanceCurve({64}, offsetsTo(400));
  ASSERT_EQ(ours.size(), 400U);
  for (std::size_t n = 0; n < 400; ++n) EXPECT_NEAR(ours[n], formula[n], 1e-12);
}

TEST(Distances, ofRowsFindTheNearestOfAll) {
  // 150 rows: several blocks, the last one not full.
  const Stream stream(3, "rows");
  Table<double> rows = makeTable<double>(150, 5);
  for (std::size_t e = 0; e < rows.values.size(); ++e) rows.values[e] = stream.normal(e);
  const Distances found = distancesOf(rows, Job{});
  const auto distance = [&](std::int64_t i, std::int64_t j) {
    double sum = 0;
    for (std::size_t d = 0; d < 5; ++d) sum += std::pow(rows.row(i)[d] - rows.row(j)[d], 2);
    return std::sqrt(sum);
  };
  for (std::int64_t i = 0; i < 150; ++i) {
    double nearest = INFINITY, at_offset = i == 0 ? 0 : INFINITY;
    for (std::int64_t j = 0; j < 150; ++j)
      if (j != i) nearest = std::min(nearest, distance(i, j));
    for (std::int64_t j = i; j < 150; ++j) at_offset = std::min(at_offset, distance(j, j - i));
    EXPECT_EQ(found.by_row[static_cast<std::size_t>(i)], nearest) << i;
    EXPECT_EQ(distance(i, found.nearest[static_cast<std::size_t>(i)]), nearest) << i;
    EXPECT_EQ(found.by_offset[static_cast<std::size_t>(i)], at_offset) << i;
  }
}

TEST(Distances, ofOffsetsReachOnlyAsFarAsTheSequence) {
  // Offset 4 is the nearest, but from rows 2 and 3 of 6 it leads outside.
  const Distances found = distancesByOffset({0, 3, 5, 6, 1, 4});
  EXPECT_EQ(found.by_row, (std::vector<double>{1, 1, 3, 3, 1, 1}));
  EXPECT_EQ(found.nearest, (std::vector<std::int64_t>{4, 5, 1, 2, 0, 1}));
}

TEST(Aliasing, onePairComesBackAfter710Tokens) {
  Question q = question("aliasing", "sinusoidal", {}, 1000);
  q.shape.d_model = 2;
  q.options["normalise"] = false;
  const Dataset dataset = answerOf(q);
  EXPECT_EQ(metric(dataset, "smallest_offset"), 710);
  EXPECT_NEAR(metric(dataset, "smallest_distance"), 6.03e-5, 1e-7);
  EXPECT_EQ(dataset.remarks.at(0).verdict, Verdict::warning);
  EXPECT_EQ(dataset.curves.at(0).x.front(), 1);
  EXPECT_EQ(dataset.curves[0].y.size(), 999U);
  q.options["normalise"] = true;  // rows of length 1: the same
  EXPECT_NEAR(metric(answerOf(q), "smallest_distance"), 6.03e-5, 1e-7);
}

TEST(Aliasing, wideTablesHaveTheirNeighboursNearest) {
  Question q = question("aliasing", "sinusoidal", {}, 4096);
  q.shape.d_model = 512;
  q.options["normalise"] = false;
  const Dataset dataset = answerOf(q);
  EXPECT_EQ(metric(dataset, "smallest_offset"), 1);
  EXPECT_NEAR(metric(dataset, "smallest_distance"), 3.71, 0.005);
  EXPECT_EQ(dataset.remarks.at(0).verdict, Verdict::good);
}

TEST(Aliasing, aRotationMovesUnitVectors) {
  Question q = question("aliasing", "rope", {}, 300);
  q.options["normalise"] = false;
  const Dataset dataset = answerOf(q);
  const std::vector<double> formula = distanceCurve({16}, offsetsTo(300));
  for (std::size_t n = 1; n < 300; ++n) EXPECT_NEAR(dataset.curves.at(0).y[n - 1], formula[n], 1e-12);
  EXPECT_EQ(dataset.curves[0].term(7), "2 · √Σₚ sin²(7 · θₚ / 2)");
}

TEST(Aliasing, findsPositionsThatAreEncodedAlike) {
  // A class token at 0 stands where the first patch stands.
  Question q = question("aliasing", "rope_2d", {{"prefix_tokens", 1.0}}, 13);
  q.shape.grid_height = 3;
  q.shape.grid_width = 4;
  const Dataset dataset = answerOf(q);
  EXPECT_EQ(metric(dataset, "twins"), 2);
  EXPECT_EQ(dataset.remarks.at(0).sentence.en,
            "2 of 13 positions have the same encoding as another one, 0 and 1 for instance.");
  q.options["against"] = std::string("position");
  const Dataset each = answerOf(q);
  EXPECT_EQ(each.curves.at(0).x.size(), 13U);
  EXPECT_NEAR(each.curves[0].y[1], 0, 1e-12);
  EXPECT_GT(each.curves[0].y[2], 0.01);
  EXPECT_EQ(each.x.symbol, "i");
}

TEST(Aliasing, ofALearnedTableComparesAllRows) {
  Question q = question("aliasing", "learned", {{"max_positions", 4096.0}}, 90);
  q.options = {{"normalise", false}, {"against", std::string("position")}};
  const Dataset dataset = answerOf(q);
  const Table<float>& table = (*encodingOf(q))->input.table;
  for (const std::int64_t i : {0, 17, 89}) {
    double nearest = INFINITY;
    for (std::int64_t j = 0; j < 90; ++j) {
      double sum = 0;
      for (std::size_t d = 0; d < 32; ++d) sum += std::pow(double{table.row(i)[d]} - double{table.row(j)[d]}, 2);
      if (j != i) nearest = std::min(nearest, std::sqrt(sum));
    }
    EXPECT_NEAR(dataset.curves.at(0).y[static_cast<std::size_t>(i)], nearest, 1e-12);
  }
  EXPECT_TRUE(dataset.scope.en.empty());
  EXPECT_NE(dataset.remarks.at(0).verdict, Verdict::warning);  // all are about √2 row lengths apart
  q.draft = true;
  q.shape.seq_len = 4096;
  const Dataset draft = answerOf(q);
  EXPECT_TRUE(draft.draft);
  EXPECT_LT(draft.curves.at(0).y.size(), 4096U);
  EXPECT_FALSE(draft.scope.en.empty());
}

TEST(Aliasing, theSentenceSaysWhatItsDistanceCountsIn) {
  Question q = question("aliasing", "sinusoidal");
  const Text relative = answerOf(q).remarks.at(0).sentence;
  EXPECT_NE(relative.en.find(" row lengths"), std::string::npos) << relative.en;
  EXPECT_NE(relative.zh.find(" 倍行长"), std::string::npos) << relative.zh;
  q.options["normalise"] = false;
  EXPECT_EQ(answerOf(q).remarks.at(0).sentence.en.find("row lengths"), std::string::npos);
}

TEST(Aliasing, isStoppedAndHasNothingToSayOfBiases) {
  const Job job;
  job.stop();
  for (const char* scheme : {"sinusoidal", "learned", "rope"})
    EXPECT_EQ(find("aliasing")->compute(question("aliasing", scheme), job).error().code, ErrorCode::cancelled)
        << scheme;
  EXPECT_FALSE(answerOf(question("aliasing", "alibi")).nothing.en.empty());
}

TEST(ShiftMatrix, ofSinesIsTheClosedForm) {
  for (const char* columns : {"interleaved", "concatenated"}) {
    Question q = question("shift_matrix", "sinusoidal", {{"columns", std::string(columns)}, {"scale", 0.5}}, 300);
    q.options["shift"] = 7.0;
    const Dataset dataset = answerOf(q);
    const Table<double> expected = shiftMatrix({32, 10000, columns == std::string("concatenated")}, 7);
    for (std::int64_t r = 0; r < 32; ++r)
      for (std::int64_t c = 0; c < 32; ++c)
        ASSERT_NEAR(dataset.maps.at(0).field->at(r, c), expected.row(r)[static_cast<std::size_t>(c)], 1e-6) << columns;
    EXPECT_LT(metric(dataset, "largest_error"), 1e-6) << columns;
    EXPECT_EQ(dataset.remarks.at(0).verdict, Verdict::good);
    EXPECT_EQ(dataset.scope.en, "largest error " + readable(metric(dataset, "largest_error"))) << "beside the figure";
  }
  const Dataset dataset = answerOf(question("shift_matrix", "sinusoidal"));
  EXPECT_EQ(dataset.maps.at(0).term(0, 1), "sin(1 · θ₀)");
  EXPECT_EQ(dataset.maps[0].term(1, 0), "−sin(1 · θ₀)");
  EXPECT_EQ(dataset.maps[0].term(0, 2), "0");
}

TEST(ShiftMatrix, findsSinesWithNegativeDirections) {
  const Question q = question("shift_matrix", "fourier", {}, 200);
  const Dataset dataset = answerOf(q);
  EXPECT_LT(metric(dataset, "largest_error"), 1e-5);
}

TEST(ShiftMatrix, ofALearnedTableDoesNotExist) {
  const Dataset dataset = answerOf(question("shift_matrix", "learned", {}, 200));
  EXPECT_GT(metric(dataset, "residual"), 0.9);
  EXPECT_EQ(dataset.remarks.at(0).verdict, Verdict::warning);
  EXPECT_EQ(dataset.maps.at(0).field->rows(), 32);
  // Fewer rows than columns: any table could be fitted exactly, and the rows left out still show the truth.
  EXPECT_GT(metric(answerOf(question("shift_matrix", "learned", {}, 20)), "residual"), 0.5);
}

TEST(ShiftMatrix, aFitFindsTheMatrixOfALinearTable) {
  // Odd widths lose their last cosine, so the closed form does not apply; the first 32 columns are still linear.
  Question q = question("shift_matrix", "sinusoidal", {}, 400);
  const InputPart<float>& sines = (*encodingOf(q))->input;
  InputPart<float> unnamed;
  unnamed.table = sines.table;
  EXPECT_FALSE(waveColumns(unnamed));
  const auto fitted = fitShift(unnamed, 3, false, Job{});
  ASSERT_TRUE(fitted);
  EXPECT_LT(fitted->residual, 1e-4);
  const Table<double> expected = shiftMatrix({32}, 3);
  // Fast pairs are known exactly; slow ones hardly move within 400 rows, so several matrices do.
  for (std::int64_t r = 0; r < 12; ++r)
    for (std::int64_t c = 0; c < 12; ++c)
      EXPECT_NEAR(fitted->matrix[static_cast<std::size_t>(r * 32 + c)], expected.row(r)[static_cast<std::size_t>(c)],
                  2e-3);
}

/// ‖M·P(p) − P(p + k)‖ of the rows that were not fitted, relative to those.
double missed(const FittedShift& fitted, const Table<float>& table, std::int64_t k) {
  double error = 0, size = 0;
  for (std::int64_t p = 1; p + k < table.rows; p += 2)
    for (std::int64_t r = 0; r < table.cols; ++r) {
      double there = 0;
      for (std::int64_t c = 0; c < table.cols; ++c)
        there += static_cast<double>(fitted.matrix[static_cast<std::size_t>(r * table.cols + c)]) *
                 static_cast<double>(table.row(p)[static_cast<std::size_t>(c)]);
      const auto target = static_cast<double>(table.row(p + k)[static_cast<std::size_t>(r)]);
      error += (there - target) * (there - target);
      size += target * target;
    }
  return std::sqrt(error / size);
}

TEST(ShiftMatrix, moreRowsThanDimensionsAreFittedBySmallEntries) {
  InputPart<float> sine;
  sine.table = makeTable<float>(300, 4);
  double with_next = 0, with_itself = 0;
  for (std::int64_t p = 0; p < 300; ++p) {
    std::ranges::fill(sine.table.row(p), static_cast<float>(std::sin(p)));
    if (p % 2 == 1 || p == 299) continue;
    with_next += std::sin(p) * std::sin(p + 1);
    with_itself += std::sin(p) * std::sin(p);
  }
  const auto line = fitShift(sine, 1, false, Job{});
  ASSERT_TRUE(line);
  for (const float entry : line->matrix) EXPECT_NEAR(entry, with_next / with_itself / 4, 1e-5);
  EXPECT_NEAR(line->residual, missed(*line, sine.table, 1), 1e-9);

  const InputPart<float>& learned = (*encodingOf(question("shift_matrix", "learned", {}, 512)))->input;
  const auto fitted = fitShift(learned, 1, false, Job{});
  ASSERT_TRUE(fitted);
  for (const float entry : fitted->matrix) EXPECT_LT(std::abs(entry), 0.4);
  EXPECT_NEAR(fitted->residual, missed(*fitted, learned.table, 1), 1e-9);
}

TEST(ShiftMatrix, ofARotationTurnsTheHead) {
  Question q = question("shift_matrix", "rope", {{"pairing", std::string("half")}, {"rotary_share", 0.5}});
  q.options["shift"] = 5.0;
  const std::shared_ptr<const Field> field = answerOf(q).maps.at(0).field;
  const Field& m = *field;
  EXPECT_NEAR(m.at(0, 0), std::cos(5.0), 1e-6);
  EXPECT_NEAR(m.at(0, 4), -std::sin(5.0), 1e-6);
  EXPECT_NEAR(m.at(4, 0), std::sin(5.0), 1e-6);
  EXPECT_EQ(m.at(12, 12), 1);
  EXPECT_EQ(m.at(12, 3), 0);
  q.options["shift"] = 40.0;
  EXPECT_EQ(find("shift_matrix")->compute(q, Job{}).error().message.en, "shift_matrix: shift must be 1 to 39, got 40");
  Question image = question("shift_matrix", "rope_2d", {}, 12);
  image.shape.grid_height = 3;
  image.shape.grid_width = 4;
  EXPECT_NE(answerOf(image).nothing.en.find("not evenly spaced"), std::string::npos);
}

TEST(BiasByOffset, showsEveryHeadSteepestFirst) {
  Question q = question("bias_by_offset", "alibi");
  q.shape.num_heads = 12;  // not a power of two: the slopes are not sorted
  const Dataset dataset = answerOf(q);
  ASSERT_EQ(dataset.curves.size(), 12U);
  for (std::size_t c = 1; c < 12; ++c) EXPECT_GE(dataset.curves[c].y[39], dataset.curves[c - 1].y[39]);
  EXPECT_EQ(dataset.maps.at(0).field->rows(), 12);
  EXPECT_EQ(dataset.maps[0].field->cols(), 40);
  EXPECT_FLOAT_EQ(dataset.maps[0].field->at(0, 3), -1.5F);  // slope ½
  EXPECT_FALSE(std::signbit(dataset.maps[0].field->at(0, 0))) << "a slope times no distance";
  q.options = {{"heads", std::vector<double>{2}}, {"negative", true}};
  const Dataset one = answerOf(q);
  ASSERT_EQ(one.curves.size(), 1U);
  EXPECT_EQ(one.curves[0].x.front(), -39);
  EXPECT_EQ(one.maps[0].field->cols(), 79);
}

TEST(BiasByOffset, averagesABiasThatDependsOnMore) {
  Question q = question("bias_by_offset", "fire", {{"threshold_length", 8.0}}, 30);
  const Dataset dataset = answerOf(q);
  ASSERT_EQ(dataset.curves.size(), 12U);  // four heads with a band each
  const auto& bias = std::get<PairBias<float>>((*encodingOf(q))->logits.bias);
  const Curve& line = dataset.curves[0];
  ASSERT_EQ(dataset.curves[1].role, CurveRole::band_low);
  double sum = 0, low = INFINITY, high = -INFINITY;
  std::vector<float> row(30);
  for (std::int64_t i = 7; i < 30; ++i) {
    bias.fill(line.head, i, row);
    const double value = row[static_cast<std::size_t>(i - 7)];
    sum += value, low = std::min(low, value), high = std::max(high, value);
  }
  EXPECT_NEAR(line.y[7], sum / 23, 1e-6);
  EXPECT_NEAR(dataset.curves[1].y[7], low, 1e-6);
  EXPECT_NEAR(dataset.curves[2].y[7], high, 1e-6);
  EXPECT_GE(metric(dataset, "spread"), high - low - 1e-6);
}

TEST(BiasByOffset, looksAtSomeQueriesOfLongSequences) {
  PairBias<float> bias{[](std::int64_t head, std::int64_t i, std::span<float> row) {
    for (std::size_t j = 0; j < row.size(); ++j)
      row[j] = static_cast<float>(head) - static_cast<float>(i - static_cast<std::int64_t>(j));
  }};
  Shape shape;
  shape.seq_len = 20000;
  shape.num_heads = 2;
  const auto means = offsetMeans(bias, shape, true, true, Job{});
  ASSERT_TRUE(means);
  EXPECT_LT(means->queries, 20000);
  EXPECT_TRUE(means->draft);
  ASSERT_EQ(means->offsets, 39999);
  for (const std::int64_t n : {-19999, -1, 0, 777, 19999}) {
    EXPECT_EQ(means->mean[static_cast<std::size_t>(n + 19999)], -static_cast<float>(n));
    EXPECT_EQ(means->low[static_cast<std::size_t>(n + 19999)], -static_cast<float>(n));
  }
  EXPECT_EQ(means->spread, 0);
}

}  // namespace
}  // namespace posiscope::measures
