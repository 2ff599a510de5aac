// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is known beforehand of scores that have a formula of their own, for random weights and awkward sizes.
#include "tests/core/invariants/scores.h"

#include <algorithm>
#include <numeric>

namespace posiscope {
namespace {

using test::alongDiagonals;
using test::at;
using test::drawnContent;
using test::logitsOf;
using test::partOf;

constexpr int trials = 12;

Shape drawnShape(test::Drawn& drawn, std::int64_t least = 1) {
  Shape shape;
  shape.seq_len = drawn.oneOf<std::int64_t>({least, 2, 7, 16, 19});
  shape.num_heads = drawn.oneOf<std::int64_t>({1, 3, 4});
  shape.head_dim = drawn.oneOf<std::int64_t>({1, 2, 5, 8});
  shape.d_model = drawn.oneOf<std::int64_t>({2, 7, 12});
  return shape;
}

/// What a scheme adds to scaled products, of one head.
Table<double> addedTo(const std::string& id, const ParamValues& values, const Content<double>& content,
                      const Shape& shape, std::int64_t head) {
  const auto all = logitsOf(test::encodingOf<double>(id, values, shape), content, shape);
  const auto plain = logitsOf(test::plainEncoding<double>(shape), content, shape);
  Table<double> rows = makeTable<double>(shape.seq_len, shape.seq_len);
  const auto first = static_cast<std::size_t>(head * shape.seq_len * shape.seq_len);
  for (std::size_t e = 0; e < rows.values.size(); ++e) rows.values[e] = all[first + e] - plain[first + e];
  return rows;
}

TEST(ScoreInvariants, transformerXlWithoutWeightsIsPlainAttention) {
  test::Drawn drawn("txl plain");
  for (int t = 0; t < trials; ++t) {
    const Shape s = drawnShape(drawn);
    const auto zeros = [](std::int64_t r, std::int64_t c) {
      return makeArray({r, c}, std::vector<double>(static_cast<std::size_t>(r * c)));
    };
    const ParamValues values{{"bidirectional", drawn.oneOf({true, false})},
                             {"w_r", zeros(s.num_heads * s.head_dim, s.d_model)},
                             {"u", zeros(s.num_heads, s.head_dim)},
                             {"v", zeros(s.num_heads, s.head_dim)}};
    const Table<double> rest = addedTo("transformer_xl", values, drawnContent(drawn, s), s, s.num_heads - 1);
    for (const double v : rest.values) ASSERT_NEAR(v, 0, 1e-13);
  }
}

/// Term (c) asks the keys alone; queries and positions have no part in it.
TEST(ScoreInvariants, transformerXlContentBiasIsOneNumberAKey) {
  test::Drawn drawn("txl content bias");
  for (int t = 0; t < trials; ++t) {
    const Shape s = drawnShape(drawn);
    const ParamValues values{{"bidirectional", drawn.oneOf({true, false})},
                             {"w_r", drawn.array(s.num_heads * s.head_dim, s.d_model)},
                             {"u", drawn.array(s.num_heads, s.head_dim)},
                             {"v", drawn.array(s.num_heads, s.head_dim)}};
    const auto encoding = test::encodingOf<double>("transformer_xl", values, s);
    const std::int64_t head = s.num_heads - 1;
    const Content<double> content = drawnContent(drawn, s);
    const Table<double> term = partOf(encoding.logits.terms, 2, content, s, head);
    const double* u = std::get<Array>(values.at("u")).data() + head * s.head_dim;
    for (std::int64_t j = 0; j < s.seq_len; ++j) {
      const double* k = content.k.data() + (head * s.seq_len + j) * s.head_dim;
      const double wanted = std::inner_product(u, u + s.head_dim, k, 0.0) * encoding.logit_scale;
      for (std::int64_t i = 0; i < s.seq_len; ++i) ASSERT_NEAR(at(term, i, j), wanted, 1e-13) << i << ", " << j;
    }
  }
}

/// The same tokens with others before them: their position terms stay, and d alone is the same along diagonals.
TEST(ScoreInvariants, transformerXlCountsFromTheQuery) {
  test::Drawn drawn("txl shift");
  for (int t = 0; t < trials; ++t) {
    Shape s = drawnShape(drawn, 3);
    s.num_heads = 1;
    const ParamValues values{{"bidirectional", drawn.oneOf({true, false})},
                             {"clamp_len", drawn.oneOf({-1.0, 2.0, 5.0})},
                             {"w_r", drawn.array(s.head_dim, s.d_model)},
                             {"u", drawn.array(1, s.head_dim)},
                             {"v", drawn.array(1, s.head_dim)}};
    const Content<double> content = drawnContent(drawn, s);
    Shape later = s;
    later.seq_len += 5;
    Content<double> moved = drawnContent(drawn, later);
    std::ranges::copy(content.q, moved.q.begin() + 5 * s.head_dim);
    std::ranges::copy(content.k, moved.k.begin() + 5 * s.head_dim);
    const auto here = test::encodingOf<double>("transformer_xl", values, s);
    const auto there = test::encodingOf<double>("transformer_xl", values, later);
    for (const std::size_t term : {std::size_t{1}, std::size_t{3}}) {
      const Table<double> before = partOf(here.logits.terms, term, content, s, 0);
      const Table<double> after = partOf(there.logits.terms, term, moved, later, 0);
      double largest = 0;
      for (std::int64_t i = 0; i < s.seq_len; ++i)
        for (std::int64_t j = 0; j < s.seq_len; ++j) {
          ASSERT_NEAR(at(before, i, j), at(after, i + 5, j + 5), 1e-12) << term << ": " << i << ", " << j;
          largest = std::max(largest, std::abs(at(before, i, j)));
        }
      EXPECT_GT(largest, 0);
      if (term == 3) {
        EXPECT_LT(alongDiagonals(after), 1e-12);
      }
    }
  }
}

TEST(ScoreInvariants, shawIsOneNumberARowForOneVectorAndOneDiagonalForOneQuery) {
  test::Drawn drawn("shaw");
  for (int t = 0; t < trials; ++t) {
    const Shape s = drawnShape(drawn, 2);
    const std::int64_t head = s.num_heads - 1;
    const ParamValues one{{"max_distance", 0.0}, {"relative_keys", drawn.array(1, s.head_dim)}};
    const Table<double> rows = addedTo("shaw", one, drawnContent(drawn, s), s, head);
    for (std::int64_t i = 0; i < s.seq_len; ++i) {
      EXPECT_NE(at(rows, i, 0), 0);
      for (std::int64_t j = 0; j < s.seq_len; ++j) ASSERT_NEAR(at(rows, i, j), at(rows, i, 0), 1e-13);
    }
    const ParamValues many{{"max_distance", 3.0}, {"relative_keys", drawn.array(7, s.head_dim)}};
    EXPECT_LT(alongDiagonals(addedTo("shaw", many, drawnContent(drawn, s, true), s, head)), 1e-13);
    const double with_any = alongDiagonals(addedTo("shaw", many, drawnContent(drawn, s), s, head));
    EXPECT_TRUE(s.seq_len <= 2 || with_any > 1e-3) << with_any;
  }
}

TEST(ScoreInvariants, debertaContentToPositionFollowsTheQueryAlone) {
  test::Drawn drawn("deberta");
  for (int t = 0; t < trials; ++t) {
    const Shape s = drawnShape(drawn, 5);
    const double span = drawn.oneOf({2.0, 4.0, 9.0});
    const std::int64_t rows = 2 * static_cast<std::int64_t>(span);
    const auto table = [&] {
      return makeArray({s.num_heads, rows, s.head_dim}, drawn.normals(s.num_heads * rows * s.head_dim));
    };
    const ParamValues values{{"position_buckets", 0.0}, {"max_distance", span}, {"k_r", table()}, {"q_r", table()}};
    const auto encoding = test::encodingOf<double>("deberta", values, s);
    const auto term = [&](std::size_t which, bool equal) {
      return alongDiagonals(partOf(encoding.logits.terms, which, drawnContent(drawn, s, equal), s, s.num_heads - 1));
    };
    EXPECT_LT(term(1, true), 1e-13);
    EXPECT_GT(term(1, false), 0);
    EXPECT_GT(term(2, true), 0) << "p2c follows the key";
  }
}

/// How many rows are independent, by elimination with full pivoting.
std::int64_t rankOf(Table<double> m) {
  std::int64_t rank = 0;
  double first = 0;
  for (; rank < m.rows; ++rank) {
    std::int64_t row = rank, col = rank;
    for (std::int64_t i = rank; i < m.rows; ++i)
      for (std::int64_t j = rank; j < m.cols; ++j)
        if (std::abs(at(m, i, j)) > std::abs(at(m, row, col))) row = i, col = j;
    const double pivot = std::abs(at(m, row, col));
    first = std::max(first, pivot);
    if (pivot <= 1e-11 * first) break;
    std::swap_ranges(m.row(row).begin(), m.row(row).end(), m.row(rank).begin());
    for (std::int64_t i = 0; i < m.rows; ++i)
      std::swap(m.row(i)[static_cast<std::size_t>(col)], m.row(i)[static_cast<std::size_t>(rank)]);
    for (std::int64_t i = rank + 1; i < m.rows; ++i) {
      const double share = at(m, i, rank) / at(m, rank, rank);
      for (std::int64_t j = rank; j < m.cols; ++j) m.row(i)[static_cast<std::size_t>(j)] -= share * at(m, rank, j);
    }
  }
  return rank;
}

TEST(ScoreInvariants, tupeHasAtMostTheRankOfAHead) {
  for (const std::int64_t dim : {1, 2, 5, 8})
    for (const std::int64_t seed : {1, 2, 3}) {
      Shape s;
      s.seq_len = 20;
      s.num_heads = 2;
      s.head_dim = dim;
      s.d_model = 24;
      const ParamValues values{{"untie_cls", false}, {"relative", false}, {"seed", static_cast<double>(seed)}};
      const auto encoding = test::encodingOf<double>("tupe", values, s);
      Table<double> bias = makeTable<double>(20, 20);
      for (std::int64_t i = 0; i < 20; ++i) std::get<PairBias<double>>(encoding.logits.bias).fill(1, i, bias.row(i));
      EXPECT_LE(rankOf(bias), dim);
      EXPECT_GE(rankOf(bias), 1);
    }
}

TEST(ScoreInvariants, copeCountsByItsGates) {
  test::Drawn drawn("cope");
  Mask causal;
  causal.causal = true;
  for (int t = 0; t < trials; ++t) {
    const Shape s = drawnShape(drawn);
    const Content<double> content = drawnContent(drawn, s);
    const auto encoding = test::encodingOf<double>("cope", {{"npos", 64.0}}, s);
    const std::int64_t head = s.num_heads - 1;
    const Mask mask = drawn.oneOf({true, false}) ? causal : Mask{};
    const Table<double> gates = partOf(encoding.logits.stages, 0, content, s, head, mask);
    const Table<double> positions = partOf(encoding.logits.stages, 1, content, s, head, mask);
    for (std::int64_t i = 0; i < s.seq_len; ++i)
      for (std::int64_t j = 0; j < s.seq_len; ++j) {
        const double next = j + 1 < s.seq_len ? at(positions, i, j + 1) : 0;
        ASSERT_NEAR(at(positions, i, j) - next, at(gates, i, j), 1e-12) << i << ", " << j;
        EXPECT_EQ(at(gates, i, j) > 0, !mask.causal || j <= i);
        EXPECT_LT(at(gates, i, j), 1);
      }
  }
}

TEST(ScoreInvariants, onOnePatchTheDecomposedBiasIsOneProduct) {
  test::Drawn drawn("decomposed");
  for (const std::int64_t dim : {1, 2, 7, 16}) {
    Shape s;
    s.seq_len = s.grid_height = s.grid_width = 1;
    s.num_heads = 3;
    s.head_dim = dim;
    const Array rows = drawn.array(1, dim), columns = drawn.array(1, dim);
    const Content<double> content = drawnContent(drawn, s);
    for (std::int64_t head = 0; head < 3; ++head) {
      double wanted = 0;
      for (std::int64_t d = 0; d < dim; ++d)
        wanted += content.q[static_cast<std::size_t>(head * dim + d)] * (rows.data()[d] + columns.data()[d]);
      const auto found = addedTo("decomposed_2d", {{"rel_h", rows}, {"rel_w", columns}}, content, s, head);
      EXPECT_NEAR(at(found, 0, 0), wanted, 1e-13 * static_cast<double>(dim));
    }
  }
}

}  // namespace
}  // namespace posiscope
