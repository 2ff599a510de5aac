// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A table that is not stored gives the numbers of a stored one, in everything that reads it.
#include "core/kept_rows.h"
#include "core/measures/list.h"
#include "core/sinusoidal.h"
#include "core/wave_field.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>

namespace posiscope {
namespace {

/// Lowers the limit while it lives.
class StoredUpTo {
 public:
  explicit StoredUpTo(double bytes) : before_(storedTableLimit()) { setStoredTableLimit(bytes); }
  ~StoredUpTo() { setStoredTableLimit(before_); }
  StoredUpTo(const StoredUpTo&) = delete;
  StoredUpTo& operator=(const StoredUpTo&) = delete;

 private:
  double before_;
};

Shape shapeOf(std::int64_t seq_len, std::int64_t d_model) {
  Shape shape;
  shape.seq_len = seq_len;
  shape.d_model = d_model;
  shape.num_heads = 1;
  shape.head_dim = d_model;
  shape.first_position = 3;
  return shape;
}

/// Written out, the default base is another cache key for the same numbers: neither form is answered by the other.
Dataset answerOf(const Measure& measure, const Shape& shape, const ParamValues& options, bool stored) {
  const StoredUpTo limit(stored ? 1e9 : 0);
  Question q;
  q.measure = measure.id;
  q.options = options;
  q.scheme.id = "sinusoidal";
  if (!stored) q.scheme.values["base"] = 10000.0;
  q.shape = shape;
  const Expected<Dataset> dataset = measure.compute(q, Job{});
  EXPECT_TRUE(dataset) << (dataset ? "" : dataset.error().message.en);
  return dataset ? *dataset : Dataset{};
}

void expectTheSame(const Measure& measure, const Shape& shape, const ParamValues& options) {
  SCOPED_TRACE(join(measure.id, " d_model ", shape.d_model));
  const Dataset a = answerOf(measure, shape, options, true);
  const Dataset b = answerOf(measure, shape, options, false);
  EXPECT_EQ(numbers(a).shape, numbers(b).shape);
  EXPECT_EQ(csv(a), csv(b));
  EXPECT_EQ(a.scope.en, b.scope.en);
  ASSERT_EQ(a.metrics.size(), b.metrics.size());
  for (std::size_t m = 0; m < a.metrics.size(); ++m) EXPECT_EQ(a.metrics[m].value, b.metrics[m].value);
}

TEST(UnstoredTable, everyMeasureGivesTheSameNumbers) {
  for (const std::int64_t d_model : {32, 33})  // an odd width has no profile and goes through its rows
    for (const Measure& measure : measures::catalogue()) expectTheSame(measure, shapeOf(300, d_model), {});
  const auto choice = [](const char* value) { return Value(std::string(value)); };
  expectTheSame(*measures::find("similarity"), shapeOf(70, 33), {{"normalize", choice("cosine")}});
  expectTheSame(*measures::find("norm_ratio"), shapeOf(70, 33), {{"words", choice("sample")}});
  expectTheSame(*measures::find("attention_weights"), shapeOf(70, 33), {{"tokens", 40.0}});
}

TEST(UnstoredTable, mapsAreMadeWhenAsked) {
  const Dataset dataset = answerOf(*measures::find("position_table"), shapeOf(300, 32), {}, false);
  ASSERT_EQ(dataset.maps.size(), 1U);
  EXPECT_EQ(dataset.maps[0].field->stored(), nullptr);
  EXPECT_EQ(dataset.maps[0].field->rows(), 300);
  EXPECT_EQ(dataset.maps[0].field->cols(), 32);
  const Field::Limits limits = dataset.maps[0].field->limits();
  EXPECT_LT(limits.minimum, -0.99F);
  EXPECT_GT(limits.maximum, 0.99F);
}

/// The scheme's table: not stored, and stored.
std::pair<std::shared_ptr<const Field>, std::shared_ptr<const Field>> tablesOf(const char* scheme, ParamValues values,
                                                                               std::int64_t d_model) {
  const auto table = [&](bool stored) {
    const StoredUpTo limit(stored ? 1e9 : 0);
    Question q;
    q.measure = "position_table";
    q.scheme.id = scheme;
    q.scheme.values = values;
    q.scheme.values["base"] = stored ? 9000.0 : 9000.000001;  // another cache key for about the same numbers
    q.shape = shapeOf(4000, d_model);
    const Expected<Dataset> dataset = measures::find(q.measure)->compute(q, Job{});
    EXPECT_TRUE(dataset) << (dataset ? "" : dataset.error().message.en);
    return dataset ? dataset->maps.at(0).field : nullptr;
  };
  return {table(false), table(true)};
}

// Four of the 400 cells under a pixel would be off by up to 1.
TEST(UnstoredTable, aPixelIsTheMeanOfAllItsCells) {
  const auto choice = [](const char* value) { return Value(std::string(value)); };
  struct Case {
    const char* scheme;
    ParamValues values;
    std::int64_t d_model;
  };
  for (const auto& [scheme, values, d_model] :
       {Case{"sinusoidal", {}, 32}, Case{"sinusoidal", {{"scale", 1.5}, {"columns", choice("concatenated")}}, 33},
        Case{"sinusoidal", {{"frequencies", choice("endpoint")}}, 33}, Case{"scaled_sinusoidal", {}, 32}}) {
    SCOPED_TRACE(join(scheme, " d_model ", d_model));
    const auto [made, stored] = tablesOf(scheme, values, d_model);
    ASSERT_TRUE(made && stored);
    ASSERT_EQ(made->stored(), nullptr);
    EXPECT_TRUE(averagesAll(*made)) << "the note under the picture says so";
    for (const std::int64_t width : {std::int64_t{7}, d_model, std::int64_t{100}}) {
      std::vector<float> got(static_cast<std::size_t>(10 * width)), wanted(got.size());
      const FieldWindow whole{0, 0, 4000, static_cast<double>(d_model)};
      made->sample(whole, 10, width, Reduction::mean, got);
      stored->sample(whole, 10, width, Reduction::mean, wanted);
      for (std::size_t k = 0; k < got.size(); ++k) ASSERT_NEAR(got[k], wanted[k], 3e-6) << k << " of width " << width;
    }
    EXPECT_NEAR(made->limits().maximum, stored->limits().maximum, 1e-3);
  }
}

TEST(UnstoredTable, doublesAgreeToo) {
  const SinusoidalParams params;
  const InputPart<double> stored = sinusoidalInput<double>(params, 100, 24, 0.5);
  const StoredUpTo limit(0);
  const InputPart<double> made = sinusoidalInput<double>(params, 100, 24, 0.5);
  ASSERT_TRUE(made.table.empty());
  std::vector<double> room;
  const Rows<double> rows = made.tableBlock(0, 100, room);
  EXPECT_EQ(std::vector<double>(rows.data, rows.data + 2400), stored.table.values);
}

TEST(UnstoredTable, oneThatCouldNeverBeStoredIsAnswered) {
  Question q;
  q.measure = "position_table";
  q.scheme.id = "sinusoidal";
  q.shape = shapeOf(1 << 20, 4096);  // 16 GiB as a table
  EXPECT_LT(sinusoidalBytes<float>(1 << 20, 4096), 16.0 * 1024 * 1024);
  const Expected<Dataset> answer = measures::find(q.measure)->compute(q, Job{});
  ASSERT_TRUE(answer);
  const Dataset& dataset = *answer;
  const float last = dataset.maps.at(0).field->at((1 << 20) - 1, 1);
  EXPECT_NEAR(last, std::cos((1 << 20) + 2.0), 1e-6);
  const Outcome writable = checkNumbers(dataset);
  ASSERT_FALSE(writable);
  EXPECT_EQ(writable.error().code, ErrorCode::too_large);
}

TEST(KeptRows, eachRowIsMadeOnceWhileAPictureIsSampledLineByLine) {
  int made = 0;
  const auto field = rowField(1000, 50, [&made](std::int64_t row, std::span<float> out) {
    ++made;
    for (std::size_t c = 0; c < out.size(); ++c) out[c] = static_cast<float>(row) + static_cast<float>(c) / 64;
  });
  std::vector<float> out(10 * 20);
  field->sample({0, 0, 1000, 50}, 10, 20, Reduction::mean, out);
  EXPECT_LE(made, 2 * 10);
  EXPECT_EQ(field->at(999, 49), 999 + 49.0F / 64);
  EXPECT_EQ(field->at(3, 7), 3 + 7.0F / 64);
}

TEST(KeptRows, matricesAreNotMistakenForEachOther) {
  const auto constant = [](float value) {
    return [value](std::int64_t, std::span<float> out) { std::fill(out.begin(), out.end(), value); };
  };
  const KeptRows ones(4, 3, constant(1));
  EXPECT_EQ(ones.row(2)[1], 1);
  const KeptRows twos(4, 3, constant(2));
  EXPECT_EQ(twos.row(2)[1], 2);
  EXPECT_EQ(ones.row(2)[1], 1);
}

}  // namespace
}  // namespace posiscope
