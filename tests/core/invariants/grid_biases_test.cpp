// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Biases of patches by their two offsets, in windows and on grids that need not be square.
#include "core/schemes/grid_bias.h"
#include "tests/core/invariants/scores.h"

#include <set>

namespace posiscope {
namespace {

using test::at;
using test::pairBiasOf;

const std::vector<Grid> grids{{1, 1}, {1, 7}, {5, 2}, {3, 4}, {4, 4}};

Shape shapeOf(const Grid& grid, std::int64_t heads = 3) {
  Shape shape;
  shape.seq_len = grid.patches();
  shape.grid_height = grid.height;
  shape.grid_width = grid.width;
  shape.num_heads = heads;
  shape.head_dim = 5;
  return shape;
}

std::int64_t offsetsOf(const Grid& grid) { return (2 * grid.height - 1) * (2 * grid.width - 1); }

/// A cell for every pair of patches, the same wherever two patches stand alike.
void expectOfTwoOffsets(const Table<double>& bias, const Grid& grid) {
  for (std::int64_t i = 0; i < bias.rows; ++i)
    for (std::int64_t j = 0; j < bias.cols; ++j) {
      const std::int64_t dy = grid.row(i) - grid.row(j), dx = grid.column(i) - grid.column(j);
      const std::int64_t query = std::max<std::int64_t>(dy, 0) * grid.width + std::max<std::int64_t>(dx, 0);
      ASSERT_EQ(at(bias, i, j), at(bias, query, query - dy * grid.width - dx)) << i << ", " << j;
    }
}

/// Of schemes that read one row for each offset of query − key.
TEST(GridBiasInvariants, everyOffsetReadsItsOwnRowAndExchangingReadsFromTheEnd) {
  test::Drawn drawn("rows");
  for (const Grid& grid : grids)
    for (const auto* id : {"swin", "grid_bias"}) {
      SCOPED_TRACE(testing::Message() << id << ", " << grid.height << " × " << grid.width);
      const Shape shape = shapeOf(grid);
      const std::int64_t last = offsetsOf(grid) - 1, corner = grid.patches() - 1;
      const Array table = drawn.array(last + 1, 3);
      const auto encoding = test::encodingOf<double>(id, {{"table", table}}, shape);
      const auto& row = encoding.logits.lookup.row;
      ASSERT_EQ(encoding.logits.lookup.rows, last + 1);
      EXPECT_EQ(row(0, corner), 0);
      EXPECT_EQ(row(corner, 0), last);
      const Table<double> bias = pairBiasOf(encoding, shape, 2);
      expectOfTwoOffsets(bias, grid);
      std::set<std::int64_t> read;
      for (std::int64_t i = 0; i <= corner; ++i)
        for (std::int64_t j = 0; j <= corner; ++j) {
          read.insert(row(i, j));
          ASSERT_EQ(row(j, i), last - row(i, j));
          ASSERT_EQ(at(bias, i, j), table.data()[3 * row(i, j) + 2]);
          ASSERT_EQ(row(i, j) == last / 2, i == j);
        }
      EXPECT_EQ(std::ssize(read), last + 1);
    }
}

TEST(GridBiasInvariants, maxvitReadsFromTheEndAndLevitWithoutSigns) {
  for (const Grid& grid : grids) {
    schemes::GridBiasParams p;
    const schemes::GridBiasIndex beit(p, grid);
    p.kind = schemes::GridBiasKind::maxvit;
    const schemes::GridBiasIndex maxvit(p, grid);
    p.kind = schemes::GridBiasKind::levit;
    const schemes::GridBiasIndex levit(p, grid);
    EXPECT_EQ(maxvit.rows(), offsetsOf(grid));
    EXPECT_EQ(levit.rows(), grid.patches());
    std::set<std::int64_t> read;
    for (std::int64_t i = 0; i < grid.patches(); ++i)
      for (std::int64_t j = 0; j < grid.patches(); ++j) {
        ASSERT_EQ(maxvit.row(i, j), offsetsOf(grid) - 1 - beit.row(i, j));
        ASSERT_EQ(maxvit.row(i, j), beit.row(j, i));
        ASSERT_EQ(levit.row(i, j), levit.row(j, i));
        ASSERT_EQ(levit.row(i, j) == 0, i == j);
        read.insert(levit.row(i, j));
      }
    EXPECT_EQ(std::ssize(read), grid.patches());
  }
}

TEST(GridBiasInvariants, theClassTokenHasThreeRowsOfItsOwn) {
  for (const Grid& grid : grids) {
    schemes::GridBiasParams p;
    const schemes::GridBiasIndex patches(p, grid);
    p.class_token = true;
    const schemes::GridBiasIndex index(p, grid);
    const std::int64_t m = offsetsOf(grid);
    ASSERT_EQ(index.rows(), m + 3);
    for (std::int64_t t = 1; t <= grid.patches(); ++t) {
      EXPECT_EQ(index.row(0, t), m);
      EXPECT_EQ(index.row(t, 0), m + 1);
      for (std::int64_t j = 1; j <= grid.patches(); ++j) ASSERT_EQ(index.row(t, j), patches.row(t - 1, j - 1));
    }
    EXPECT_EQ(index.row(0, 0), m + 2);
  }
}

/// A query reads the keys of its window; what the roll brought together from both ends of the grid stays masked.
TEST(GridBiasInvariants, shiftedWindowsServeNeighboursOnly) {
  test::Drawn drawn("windows");
  for (const std::int64_t side : {2, 3})
    for (const auto& [down, across] : {std::pair{2, 2}, std::pair{2, 3}, std::pair{4, 2}})
      for (std::int64_t shift = 0; shift < side; ++shift) {
        const Grid grid{side * down, side * across};
        const Shape shape = shapeOf(grid);
        const Array table = drawn.array(offsetsOf({side, side}), 3);
        const auto encoding = test::encodingOf<double>(
            "swin", {{"window", static_cast<double>(side)}, {"shift", static_cast<double>(shift)}, {"table", table}},
            shape);
        SCOPED_TRACE(testing::Message() << grid.height << " × " << grid.width << ", " << side << ", " << shift);
        const Table<double> bias = pairBiasOf(encoding, shape, 1);
        for (std::int64_t i = 0; i < grid.patches(); ++i) {
          std::int64_t inside = 0;
          for (std::int64_t j = 0; j < grid.patches(); ++j) {
            const std::int64_t row = encoding.logits.lookup.row(i, j);
            const std::int64_t dy = grid.row(i) - grid.row(j), dx = grid.column(i) - grid.column(j);
            const bool near = std::abs(dy) < side && std::abs(dx) < side;
            inside += row >= 0 ? 1 : 0;
            ASSERT_EQ(at(bias, i, j) > -50, row >= 0 && near) << i << ", " << j;
            if (row < 0 || !near) continue;
            ASSERT_EQ(row, (dy + side - 1) * (2 * side - 1) + dx + side - 1) << i << ", " << j;
            ASSERT_EQ(at(bias, i, j), table.data()[3 * row + 1]);
          }
          ASSERT_EQ(inside, side * side) << i;
        }
      }
}

TEST(GridBiasInvariants, swinV2IsBoundedOnBothSides) {
  test::Drawn drawn("swin_v2");
  for (const Grid& grid : grids)
    for (const std::int64_t hidden : {1, 5, 16}) {
      const Shape shape = shapeOf(grid);
      const std::vector<double> scales{drawn.between(-2, 3), drawn.between(3, 4.5), drawn.between(5, 9)};
      ParamValues values{{"hidden", static_cast<double>(hidden)}, {"pretrained_width", drawn.oneOf({0.0, 1.0, 4.0})},
                         {"w1", drawn.array(hidden, 2)},          {"b1", makeArray({hidden}, drawn.normals(hidden))},
                         {"w2", drawn.array(3, hidden)},          {"logit_scale", makeArray({3}, scales)}};
      SCOPED_TRACE(testing::Message() << grid.height << " × " << grid.width << ", " << hidden);
      const auto encoding = test::encodingOf<double>("swin_v2", values, shape);
      Content<double> content = test::drawnContent(drawn, shape);
      const auto logits = test::logitsOf(encoding, content, shape);
      for (std::int64_t h = 0; h < 3; ++h) {
        const Table<double> bias = pairBiasOf(encoding, shape, h), sum = test::rowsOfHead(logits, shape, h);
        expectOfTwoOffsets(bias, grid);
        const double most = std::min(std::exp(scales[static_cast<std::size_t>(h)]), 100.0);
        for (std::size_t e = 0; e < bias.values.size(); ++e) {
          ASSERT_TRUE(bias.values[e] > 0 && bias.values[e] < 16) << bias.values[e];
          ASSERT_LE(std::abs(sum.values[e] - bias.values[e]), most * (1 + 1e-12));
        }
      }
      for (double& q : content.q) q *= 7.5;
      for (double& k : content.k) k *= 0.02;
      EXPECT_LT(test::farthestApart(test::logitsOf(encoding, content, shape), logits), 1e-11) << "a cosine has no size";
      values["w2"] = makeArray({3, hidden}, std::vector<double>(static_cast<std::size_t>(3 * hidden)));
      for (const double b : pairBiasOf(test::encodingOf<double>("swin_v2", values, shape), shape, 0).values)
        ASSERT_EQ(b, 8) << "half of 16 where the network says nothing";
    }
}

/// On one patch, zeros around it leave the centre of the kernel; repeating or wrapping the patch sums all of it.
TEST(GridBiasInvariants, onePatchMeetsTheCentreOfTheKernel) {
  test::Drawn drawn("conditional");
  for (const std::int64_t kernel : {1, 3, 5, 7})
    for (const std::int64_t width : {1, 2, 7}) {
      Shape shape = shapeOf({1, 1});
      shape.d_model = width;
      const std::int64_t taps = kernel * kernel;
      const Array weight = makeArray({width, kernel, kernel}, drawn.normals(width * taps));
      const Array bias = makeArray({width}, drawn.normals(width));
      const Table<double> x{1, width, drawn.normals(width)};
      const bool residual = drawn.oneOf({true, false});
      const auto times = drawn.oneOf<std::int64_t>({1, 2, 4});
      for (const auto* padding : {"zero", "edge", "circular"}) {
        const ParamValues values{{"padding", std::string(padding)},
                                 {"kernel", static_cast<double>(kernel)},
                                 {"residual", residual},
                                 {"stacked", static_cast<double>(times)},
                                 {"weight", weight},
                                 {"bias", bias}};
        const auto encoding = test::encodingOf<double>("conditional", values, shape);
        const Table<double> out = attention::applyInput(encoding.input, rowsOf(x));
        for (std::int64_t c = 0; c < width; ++c) {
          const double* mine = weight.data() + c * taps;
          double weight_sum = 0;
          for (std::int64_t tap = 0; tap < taps; ++tap) weight_sum += mine[tap];
          const double met = std::string(padding) == "zero" ? mine[taps / 2] : weight_sum;
          double wanted = x.values[static_cast<std::size_t>(c)];
          for (std::int64_t pass = 0; pass < times; ++pass)
            wanted = (residual ? wanted : 0) + met * wanted + bias.data()[c];
          ASSERT_NEAR(at(out, 0, c), wanted, 1e-12 * std::max(1.0, std::abs(wanted))) << padding << ", " << kernel;
        }
      }
    }
}

}  // namespace
}  // namespace posiscope
