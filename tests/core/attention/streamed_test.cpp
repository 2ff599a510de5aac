// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/streamed_field.h"
#include "core/attention/streamed_offsets.h"
#include "core/random.h"
#include "tests/support/attending.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <thread>

namespace posiscope::attention {
namespace {

Shape shapeOf(std::int64_t keys, std::int64_t dim) {
  Shape shape;
  shape.seq_len = keys;
  shape.num_heads = 1;
  shape.head_dim = dim;
  shape.d_model = dim;
  return shape;
}

std::shared_ptr<const Encoding<float>> encoded(const char* scheme, const Shape& shape) {
  return std::make_shared<const Encoding<float>>(test::encodingOf<float>(scheme, {}, shape));
}

std::unique_ptr<const StreamedLogits> logitsOf(const char* scheme, const Shape& shape, const Mask& mask) {
  const ContentSpec spec;
  const RowPlace place{0, shape.keys(), shape.head_dim, 0};
  return contentLogits({encoded(scheme, shape), drawnRows(spec, "q", place, 1), drawnRows(spec, "k", place, 1), 0},
                       shape, mask);
}

/// One row's logits in double from the definitions: draws, angles, bias.
std::vector<double> directRow(const char* scheme, const Shape& shape, std::int64_t row) {
  const auto encoding = encoded(scheme, shape);
  const auto vectorOf = [&](const char* name, std::int64_t token) {
    const Stream stream(1, std::string("content/") + name);
    std::vector<double> v;
    for (std::int64_t d = 0; d < shape.head_dim; ++d)
      v.push_back(stream.normal(static_cast<std::uint64_t>(token * shape.head_dim + d)));
    if (encoding->rotation) rotate<double>(*encoding->rotation, 0, token, name[0] == 'k', v, shape.head_dim);
    return v;
  };
  const std::vector<double> q = vectorOf("q", row);
  const auto* bias = std::get_if<OffsetBias<float>>(&encoding->logits.bias);
  std::vector<double> logits;
  for (std::int64_t j = 0; j < shape.keys(); ++j) {
    const std::vector<double> k = vectorOf("k", j);
    double sum = 0;
    for (std::size_t d = 0; d < k.size(); ++d) sum += q[d] * k[d];
    logits.push_back(sum * encoding->logit_scale + (bias ? static_cast<double>(bias->at(0, row - j)) : 0.0));
  }
  return logits;
}

RowSum directSum(const std::vector<double>& logits, const Mask& mask, const Shape& shape, std::int64_t row) {
  RowSum sum;
  for (std::int64_t j = 0; j < shape.keys(); ++j)
    if (mask.allows(shape, row, j)) sum.add({logits[static_cast<std::size_t>(j)], 1});
  return sum;
}

double logOf(const RowSum& sum) { return sum.top + std::log(sum.sum); }

Mask causal() {
  Mask mask;
  mask.causal = true;
  return mask;
}

TEST(RowSum, joinsWhateverTheTops) {
  RowSum sum;
  sum.add({});
  EXPECT_EQ(sum.sum, 0);
  sum.add({-1000, 2});
  sum.add({-1001, 1});
  sum.add({});
  EXPECT_NEAR(logOf(sum), -1000 + std::log(2 + std::exp(-1)), 1e-12);
  sum.add({50, 3});
  EXPECT_NEAR(logOf(sum), 50 + std::log(3), 1e-12);
}

// 20 000 keys: many blocks, two shares, a rest in each.
TEST(StreamedLogits, sumsAreThoseOfTheWholeRowInDouble) {
  const Shape shape = shapeOf(20000, 8);
  Mask window;
  window.window = 700;
  Mask holes = causal();
  holes.window = 1000;
  holes.prefix = 5;
  const std::vector<std::int64_t> rows{0, 1, 511, 512, 16383, 16384, 19999};
  for (const char* scheme : {"none", "rope", "alibi"})
    for (const Mask& mask : {Mask{}, causal(), window, holes}) {
      const auto logits = logitsOf(scheme, shape, mask);
      const std::vector<RowSum> sums = logits->sums(rows, Job());
      ASSERT_EQ(sums.size(), rows.size());
      for (std::size_t r = 0; r < rows.size(); r += 2) {
        const RowSum direct = directSum(directRow(scheme, shape, rows[r]), mask, shape, rows[r]);
        EXPECT_NEAR(logOf(sums[r]), logOf(direct), 3e-6) << scheme << " row " << rows[r];
        // A row's sum does not depend on the rows beside it.
        const RowSum alone = logits->sums({&rows[r], 1}, Job()).front();
        EXPECT_NEAR(logOf(sums[r]), logOf(alone), 1e-6) << scheme << " row " << rows[r];
      }
    }
}

TEST(StreamedLogits, aDraftThatLooksAtEveryKeyIsTheTruth) {
  const Shape shape = shapeOf(300, 16);
  const std::vector<std::int64_t> rows{0, 3, 150, 299};
  for (const Mask& mask : {Mask{}, causal()}) {
    const auto logits = logitsOf("alibi", shape, mask);
    const std::vector<RowSum> sums = logits->sums(rows, Job()), drafts = logits->draft(rows);
    for (std::size_t r = 0; r < rows.size(); ++r) EXPECT_NEAR(logOf(drafts[r]), logOf(sums[r]), 1e-5);
  }
}

TEST(StreamedLogits, aDraftIsNearTheTruthWithAndWithoutABias) {
  const Shape shape = shapeOf(1 << 16, 8);
  const std::vector<std::int64_t> rows{9, 30000, 65535};
  for (const char* scheme : {"rope", "alibi"}) {
    const auto logits = logitsOf(scheme, shape, causal());
    const std::vector<RowSum> sums = logits->sums(rows, Job()), drafts = logits->draft(rows);
    for (std::size_t r = 0; r < rows.size(); ++r) EXPECT_NEAR(logOf(drafts[r]), logOf(sums[r]), 0.3) << scheme << r;
  }
}

TEST(StreamedField, cellsOfAMillionTokensAreThoseInDouble) {
  const Shape shape = shapeOf(1 << 20, 4);
  for (const char* scheme : {"rope", "alibi"}) {
    const StreamedField field(logitsOf(scheme, shape, causal()), StreamedField::Quantity::weights);
    const std::int64_t row = 1000003;
    const std::vector<double> logits = directRow(scheme, shape, row);
    const double norm = logOf(directSum(logits, causal(), shape, row));
    for (const std::int64_t col : {row, row - 1, row - 40, std::int64_t{500000}, std::int64_t{0}}) {
      const double expected = std::exp(logits[static_cast<std::size_t>(col)] - norm);
      EXPECT_NEAR(static_cast<double>(field.at(row, col)), expected, 1e-5 * expected + 1e-30) << scheme << " " << col;
    }
    EXPECT_EQ(field.at(row, row + 1), 0.0F);
  }
}

TEST(StreamedField, eachRowIsStreamedOnce) {
  const Shape shape = shapeOf(3000, 8);
  const StreamedField field(logitsOf("rope", shape, Mask{}), StreamedField::Quantity::weights);
  const FieldWindow window{100, 0, 50, 3000};
  EXPECT_FALSE(field.isFinal(window, 50));
  std::vector<float> out(50 * 60);
  field.sample(window, 50, 60, Reduction::mean, out);  // a draft
  EXPECT_EQ(field.streamedRows(), 0);
  EXPECT_TRUE(field.refine(window, 50, Job()));
  EXPECT_TRUE(field.isFinal(window, 50));
  EXPECT_EQ(field.streamedRows(), 50);
  field.refine(window, 50, Job());
  EXPECT_TRUE(field.refine({110, 500, 40, 20}, 40, Job())) << "another zoom into known rows";
  EXPECT_EQ(field.streamedRows(), 50);
  EXPECT_TRUE(field.refine({103, 0, 50, 3000}, 50, Job()));
  EXPECT_EQ(field.streamedRows(), 53) << "panned by three rows";
  field.at(120, 7);
  field.at(2000, 7);
  EXPECT_EQ(field.streamedRows(), 54);
}

TEST(StreamedField, aStoppedJobLeavesSoonAndKeepsNothing) {
  const Shape shape = shapeOf(1 << 20, 64);
  const StreamedField field(logitsOf("rope", shape, Mask{}), StreamedField::Quantity::weights);
  const FieldWindow whole{0, 0, 1 << 20, 1 << 20};
  const Job job;
  std::chrono::steady_clock::time_point stopped;
  std::thread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    stopped = std::chrono::steady_clock::now();
    job.stop();
  });
  EXPECT_FALSE(field.refine(whole, 800, job));
  const auto left = std::chrono::steady_clock::now();
  stopper.join();
  EXPECT_EQ(field.streamedRows(), 0);
  EXPECT_LT(left - stopped, std::chrono::milliseconds(250));  // 5 on a machine that does nothing else
}

/// At most four keys of the row under the middle.
TEST(StreamedField, samplesOfManyCellsAreOfFourKeys) {
  const Shape shape = shapeOf(640, 8);
  const StreamedField field(logitsOf("rope", shape, Mask{}), StreamedField::Quantity::weights);
  const FieldWindow whole{0, 0, 640, 640};
  field.refine(whole, 64, Job());
  for (const Reduction reduction : {Reduction::mean, Reduction::maximum, Reduction::minimum, Reduction::nearest}) {
    std::vector<float> out(64 * 64);
    field.sample(whole, 64, 64, reduction, out);
    const std::int64_t row = 10 * 7 + 5, first = 10 * 20;
    std::vector<float> cells;
    for (const std::int64_t key : {first, first + 3, first + 6, first + 9}) cells.push_back(field.at(row, key));
    const float mean = (cells[0] + cells[1] + cells[2] + cells[3]) / 4;
    const float expected = reduction == Reduction::mean      ? mean
                           : reduction == Reduction::maximum ? *std::ranges::max_element(cells)
                           : reduction == Reduction::minimum ? *std::ranges::min_element(cells)
                                                             : field.at(row, first + 5);
    EXPECT_NEAR(out[7 * 64 + 20], expected, 1e-6F * expected);
  }
}

TEST(StreamedField, outsideIsNaNAndOneCellAPixelIsExact) {
  const Shape shape = shapeOf(100, 8);
  const StreamedField field(logitsOf("alibi", shape, causal()), StreamedField::Quantity::weights);
  field.refine({0, 0, 100, 100}, 100, Job());
  std::vector<float> out(20 * 30);
  field.sample({90, 85, 20, 30}, 20, 30, Reduction::mean, out);
  for (std::int64_t y = 0; y < 20; ++y)
    for (std::int64_t x = 0; x < 30; ++x) {
      const float value = out[static_cast<std::size_t>(y * 30 + x)];
      if (90 + y >= 100 || 85 + x >= 100)
        EXPECT_TRUE(std::isnan(value));
      else
        EXPECT_NEAR(value, field.at(90 + y, 85 + x), 1e-6F);
    }
}

TEST(OffsetLogits, sumsOfAMillionOffsetsAreThoseInDouble) {
  const Shape shape = shapeOf(1 << 20, 8);
  const auto encoding = encoded("rope", shape);
  std::vector<float> profile = offsetProfile(*encoding, 0, 1, shape, Job());
  ASSERT_EQ(std::ssize(profile), 2 * shape.keys() - 1);
  // A peak that the first rows do not see, which must not swallow what they do.
  profile[static_cast<std::size_t>(shape.keys() - 1 + 600000)] = 300;
  Mask mask = causal();
  const auto logits = offsetLogits(profile, shape, mask);
  EXPECT_TRUE(logits->isQuick());
  const std::vector<std::int64_t> rows{0, 1, 1023, 1024, 500000, 600000, 1048575};
  const std::vector<RowSum> sums = logits->sums(rows, Job());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    RowSum direct;
    for (std::int64_t n = 0; n <= rows[r]; ++n)
      direct.add({static_cast<double>(profile[static_cast<std::size_t>(n + shape.keys() - 1)]), 1});
    EXPECT_NEAR(logOf(sums[r]), logOf(direct), 1e-9) << rows[r];
  }
}

TEST(OffsetLogits, whatDependsOnMoreThanTheOffsetHasNoProfile) {
  const Shape shape = shapeOf(64, 8);
  EXPECT_TRUE(offsetProfile(*encoded("sinusoidal", shape), 0, 1, shape, Job()).empty());
  Encoding<float> factored = *encoded("rope", shape);
  factored.query_factor.assign(64, 2.0);
  EXPECT_TRUE(offsetProfile(factored, 0, 1, shape, Job()).empty());
}

}  // namespace
}  // namespace posiscope::attention
