// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/random.h"
#include "tests/support/encoded.h"

#include <cmath>
#include <numbers>
#include <numeric>

namespace posiscope {
namespace {

Shape gridShape(std::int64_t height, std::int64_t width, std::int64_t d_model, std::int64_t prefix = 0) {
  Shape shape;
  shape.seq_len = height * width + prefix;
  shape.grid_height = height;
  shape.grid_width = width;
  shape.d_model = d_model;
  return shape;
}

ParamValues variant(const char* name) { return {{"variant", std::string(name)}}; }

Table<double> tableOf(const ParamValues& values, const Shape& shape) {
  return test::encoded("sinusoidal_2d", values, shape).input.table;
}

double product(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

const std::vector<std::pair<std::int64_t, std::int64_t>> grids{{1, 1}, {1, 6}, {5, 1}, {3, 5}, {7, 4}};

TEST(Sinusoidal2d, isTheFormulaOnRandomGridsBasesAndWidths) {
  const Stream random(11, "sinusoidal_2d test");
  for (std::uint64_t e = 0; e < 12; ++e) {
    const auto h = static_cast<std::int64_t>(1 + random.below(6, e, 0));
    const auto w = static_cast<std::int64_t>(1 + random.below(6, e, 1));
    const auto q = static_cast<std::int64_t>(1 + random.below(9, e, 2));
    const double base = 2 + 9998 * random.unit(e, 3);
    ParamValues values = variant("mae");
    values["base"] = base;
    const Table<double> t = tableOf(values, gridShape(h, w, 4 * q));
    for (std::int64_t y = 0; y < h; ++y)
      for (std::int64_t x = 0; x < w; ++x)
        for (std::int64_t i = 0; i < q; ++i) {
          const double frequency = std::pow(base, -static_cast<double>(i) / static_cast<double>(q));
          const auto row = t.row(y * w + x);
          const auto at = [&](std::int64_t c) { return row[static_cast<std::size_t>(c)]; };
          EXPECT_NEAR(at(i), std::sin(static_cast<double>(x) * frequency), 1e-13);
          EXPECT_NEAR(at(q + i), std::cos(static_cast<double>(x) * frequency), 1e-13);
          EXPECT_NEAR(at(2 * q + i), std::sin(static_cast<double>(y) * frequency), 1e-13);
          EXPECT_NEAR(at(3 * q + i), std::cos(static_cast<double>(y) * frequency), 1e-13);
        }
  }
}

TEST(Sinusoidal2d, patchesRunAlongTheRows) {
  // facebook's and Hugging Face's bug: the first axis slowest, against row-major pixels. d = 4: one frequency, 1.
  const Table<double> t = tableOf(variant("timm_interleaved"), gridShape(3, 4, 4));  // sin y, cos y, sin x, cos x
  for (std::size_t patch = 0; patch < 4; ++patch) {
    EXPECT_DOUBLE_EQ(t.row(static_cast<std::int64_t>(patch))[0], 0);
    EXPECT_DOUBLE_EQ(t.row(static_cast<std::int64_t>(patch))[2], std::sin(static_cast<double>(patch)));
  }
}

TEST(Sinusoidal2d, mocoIsTheTransposeOfMae) {
  for (const auto& [h, w] : grids) {
    const Table<double> mae = tableOf(variant("mae"), gridShape(h, w, 24));
    const Table<double> moco = tableOf(variant("moco_v3"), gridShape(h, w, 24));
    for (std::int64_t y = 0; y < h; ++y)
      for (std::int64_t x = 0; x < w; ++x) EXPECT_TRUE(std::ranges::equal(mae.row(y * w + x), moco.row(x * h + y)));
  }
}

TEST(Sinusoidal2d, layoutsArePermutationsOfOneAnother) {
  const Shape shape = gridShape(3, 5, 32);
  const std::size_t q = 8;
  const Table<double> blocks = tableOf(variant("timm_interleaved"), shape);
  const Table<double> grouped = tableOf(variant("timm"), shape);
  ParamValues custom = variant("custom");
  custom["first_axis"] = std::string("y");
  custom["columns"] = std::string("interleaved");
  const Table<double> side_by_side = tableOf(custom, shape);
  for (std::int64_t t = 0; t < 15; ++t)
    for (std::size_t i = 0; i < q; ++i)
      for (std::size_t axis = 0; axis < 2; ++axis) {
        const double sine = blocks.row(t)[2 * q * axis + i], cosine = blocks.row(t)[2 * q * axis + q + i];
        EXPECT_EQ(grouped.row(t)[q * axis + i], sine);
        EXPECT_EQ(grouped.row(t)[q * (2 + axis) + i], cosine);
        EXPECT_EQ(side_by_side.row(t)[2 * q * axis + 2 * i], sine);
        EXPECT_EQ(side_by_side.row(t)[2 * q * axis + 2 * i + 1], cosine);
      }
}

TEST(Sinusoidal2d, lengthIsConstantAndTheProductDependsOnTheOffsetOnly) {
  for (const char* name :
       {"mae", "moco_v3", "big_vision", "timm", "timm_reversed", "detr", "detr_raw", "deformable_detr"}) {
    const Table<double> t = tableOf(variant(name), gridShape(4, 6, 20));
    const bool by_column = std::string(name) == "moco_v3" || std::string(name) == "timm_reversed";
    const auto token = [&](std::int64_t y, std::int64_t x) { return by_column ? x * 4 + y : y * 6 + x; };
    for (std::int64_t k = 0; k < 24; ++k) EXPECT_NEAR(product(t.row(k), t.row(k)), 10, 1e-12) << name;
    EXPECT_NEAR(product(t.row(token(0, 0)), t.row(token(2, 3))), product(t.row(token(1, 2)), t.row(token(3, 5))), 1e-12)
        << name;
    EXPECT_NEAR(product(t.row(token(0, 3)), t.row(token(2, 0))), product(t.row(token(0, 0)), t.row(token(2, 3))), 1e-12)
        << name << ": symmetric in each direction";
  }
}

TEST(Sinusoidal2d, detrCountsFromOneAndStretchesToAFullTurn) {
  const Table<double> t = tableOf(variant("detr"), gridShape(3, 5, 4));
  for (std::int64_t patch = 0; patch < 15; ++patch) {
    const double y = static_cast<double>(patch / 5 + 1) / (3 + 1e-6) * 2 * std::numbers::pi;
    const double x = static_cast<double>(patch % 5 + 1) / (5 + 1e-6) * 2 * std::numbers::pi;
    EXPECT_NEAR(t.row(patch)[0], std::sin(y), 1e-14);
    EXPECT_NEAR(t.row(patch)[3], std::cos(x), 1e-14);
  }
  const Table<double> half = tableOf(variant("deformable_detr"), gridShape(3, 5, 4));
  EXPECT_NEAR(half.row(0)[0], std::sin(0.5 / (3 + 1e-6) * 2 * std::numbers::pi), 1e-14);
}

TEST(Sinusoidal2d, paddingIsNotCounted) {
  const Shape shape = gridShape(3, 4, 8);
  ParamValues masked = variant("detr");
  masked["valid"] = makeArray({3, 4}, std::vector<double>(12, 1));
  EXPECT_EQ(tableOf(masked, shape).values, tableOf(variant("detr"), shape).values);
  // A 2 × 3 picture inside: its pixels have the rows of a picture of that size.
  std::vector<double> valid(12, 0);
  for (const std::size_t pixel : {0, 1, 2, 4, 5, 6}) valid[pixel] = 1;
  masked["valid"] = makeArray({3, 4}, valid);
  const Table<double> padded = tableOf(masked, shape);
  const Table<double> small = tableOf(variant("detr"), gridShape(2, 3, 8));
  for (std::int64_t y = 0; y < 2; ++y)
    for (std::int64_t x = 0; x < 3; ++x)
      for (std::size_t c = 0; c < 8; ++c) EXPECT_NEAR(padded.row(y * 4 + x)[c], small.row(y * 3 + x)[c], 1e-14);
  for (const double value : padded.values) EXPECT_TRUE(std::isfinite(value));  // the column of padding has count 0
}

TEST(Sinusoidal2d, prefixTokensHaveNoPosition) {
  ParamValues values = variant("mae");
  values["prefix_tokens"] = 2.0;
  const Table<double> t = tableOf(values, gridShape(3, 3, 8, 2));
  const Table<double> patches = tableOf(variant("mae"), gridShape(3, 3, 8));
  ASSERT_EQ(t.rows, 11);
  for (std::size_t e = 0; e < 16; ++e) EXPECT_EQ(t.values[e], 0);
  EXPECT_TRUE(std::equal(patches.values.begin(), patches.values.end(), t.values.begin() + 16));
}

TEST(Sinusoidal2d, refusesInASentence) {
  EXPECT_EQ(test::refusal("sinusoidal_2d", {}, gridShape(3, 3, 10)),
            "sinusoidal_2d: d_model must be a multiple of 4 (sine and cosine of two axes), got 10");
  Shape wrong = gridShape(3, 3, 8);
  wrong.seq_len = 10;
  EXPECT_EQ(test::refusal("sinusoidal_2d", {}, wrong),
            "sinusoidal_2d: seq_len must be grid_height × grid_width = 3 × 3, got 10");
  EXPECT_EQ(test::refusal("sinusoidal_2d", {{"valid", makeArray({3, 2}, std::vector<double>(6))}}, gridShape(2, 3, 8)),
            "sinusoidal_2d: valid must have the grid's shape (2, 3), got (3, 2)");
}

}  // namespace
}  // namespace posiscope
