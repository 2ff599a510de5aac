// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/tupe.h"

#include "core/layer_norm.h"
#include "tests/support/attending.h"
#include "tests/support/encoded.h"

#include <cmath>
#include <numeric>

namespace posiscope {
namespace {

Shape shapeOf(std::int64_t keys, std::int64_t queries = 0) {
  Shape shape;
  shape.seq_len = keys;
  shape.seq_len_q = queries;
  shape.num_heads = 3;
  shape.head_dim = 4;
  shape.d_model = 10;
  return shape;
}

/// [queries][keys] of one head.
std::vector<std::vector<double>> biasOf(const ParamValues& values, const Shape& shape, std::int64_t head = 1) {
  const Encoding<double> encoding = test::encoded("tupe", values, shape);
  std::vector<std::vector<double>> rows(static_cast<std::size_t>(shape.queries()),
                                        std::vector<double>(static_cast<std::size_t>(shape.keys())));
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::get<PairBias<double>>(encoding.logits.bias).fill(head, static_cast<std::int64_t>(i), rows[i]);
  return rows;
}

TEST(Tupe, theClassTokenSeesAndIsSeenByOneNumber) {
  const auto untied = biasOf({{"relative", false}}, shapeOf(9));
  const auto tied = biasOf({{"relative", false}, {"untie_cls", false}}, shapeOf(9));
  for (std::size_t t = 0; t < 9; ++t) {
    EXPECT_EQ(untied[0][t], untied[0][0]);
    if (t > 0) {
      EXPECT_EQ(untied[t][0], untied[1][0]);
    }
  }
  EXPECT_NE(untied[0][0], untied[1][0]);
  // θ₂ is what [CLS] would have been to itself; everything away from [CLS] stays.
  EXPECT_EQ(untied[1][0], tied[0][0]);
  EXPECT_NE(tied[0][1], tied[0][2]);
  for (std::size_t i = 1; i < 9; ++i)
    for (std::size_t j = 1; j < 9; ++j) EXPECT_EQ(untied[i][j], tied[i][j]);
}

TEST(Tupe, bucketsLeaveTwoRowsToTheClassToken) {
  const BucketParams p{32, 128, true};
  const auto edges = bucketEdges(p.side(), p.max_distance);
  EXPECT_EQ(schemes::tupeBucket(p, edges, 0, 0), 16);
  EXPECT_EQ(schemes::tupeBucket(p, edges, 0, 7), 16);
  EXPECT_EQ(schemes::tupeBucket(p, edges, 7, 0), 32);
  for (std::int64_t i = 1; i < 300; ++i)
    for (std::int64_t j = 1; j < 300; j += 13) {
      EXPECT_EQ(schemes::tupeBucket(p, edges, i, j), bucketOf(p, edges, j - i));
      EXPECT_NE(schemes::tupeBucket(p, edges, i, j), 16);
    }
}

TEST(Tupe, theRelativeTableIsAddedByBucket) {
  std::vector<double> numbers(33 * 3);
  std::iota(numbers.begin(), numbers.end(), 0.0);
  const ParamValues with{{"relative_table", makeArray({33, 3}, numbers)}};
  const auto together = biasOf(with, shapeOf(9));
  const auto alone = biasOf({{"relative", false}}, shapeOf(9));
  EXPECT_NEAR(together[0][5] - alone[0][5], 16 * 3 + 1, 1e-12);
  EXPECT_NEAR(together[5][0] - alone[5][0], 32 * 3 + 1, 1e-12);
  EXPECT_NEAR(together[5][3] - alone[5][3], 2 * 3 + 1, 1e-12);
  EXPECT_NEAR(together[3][5] - alone[3][5], 18 * 3 + 1, 1e-12);
}

TEST(Tupe, withoutPositionsItIsPlainAttentionWithHalfTheVariance) {
  const Shape shape = shapeOf(6);
  const Array zeros = makeArray({12, 10}, std::vector<double>(120));
  const auto content = test::randomContent<double>(shape);
  const auto encoding = test::encodingOf<double>("tupe", {{"relative", false}, {"u_q", zeros}}, shape);
  Encoding<double> plain;
  plain.logit_scale = 1 / std::sqrt(8.0);
  const auto found = test::attending(encoding, content, {}, shape).weights;
  const auto wanted = test::attending(plain, content, {}, shape).weights;
  for (std::size_t e = 0; e < wanted.size(); ++e) ASSERT_NEAR(found[e], wanted[e], 1e-14);
}

TEST(Tupe, theQueryIsProjectedByItsOwnMatrixAndTheKeyByTheOther) {
  const Shape shape = shapeOf(5);
  const auto numbers = [](std::int64_t count, double step) {
    std::vector<double> values;
    for (std::int64_t e = 0; e < count; ++e) values.push_back(std::sin(step * static_cast<double>(e + 1)));
    return values;
  };
  const std::vector<double> table = numbers(6 * 10, 1.1), u_q = numbers(120, 0.7), u_k = numbers(120, 0.3);
  const std::vector<double> b_q = numbers(12, 2.0);
  const auto bias = biasOf({{"relative", false},
                            {"untie_cls", false},
                            {"position_table", makeArray({6, 10}, table)},
                            {"u_q", makeArray({12, 10}, u_q)},
                            {"u_k", makeArray({12, 10}, u_k)},
                            {"b_q", makeArray({12}, b_q)}},
                           shape);
  // The second of three heads, with four rows of each matrix; position t has row t + 1.
  const auto projected = [&](const std::vector<double>& matrix, std::size_t token, std::size_t d) {
    std::vector<double> row(table.begin() + static_cast<std::ptrdiff_t>((token + 1) * 10),
                            table.begin() + static_cast<std::ptrdiff_t>((token + 2) * 10));
    layerNorm<double>(row, {}, {}, 1e-5);
    return std::inner_product(row.begin(), row.end(), matrix.begin() + static_cast<std::ptrdiff_t>((4 + d) * 10), 0.0);
  };
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 5; ++j) {
      double wanted = 0;
      for (std::size_t d = 0; d < 4; ++d) wanted += (projected(u_q, i, d) + b_q[4 + d]) * projected(u_k, j, d);
      EXPECT_NEAR(bias[i][j], wanted / std::sqrt(8.0), 1e-12) << i << ", " << j;
    }
}

TEST(Tupe, cachedQueriesKeepTheirPositions) {
  const auto whole = biasOf({}, shapeOf(9));
  const auto last = biasOf({}, shapeOf(9, 3));
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 9; ++j) EXPECT_DOUBLE_EQ(last[i][j], whole[i + 6][j]);
}

TEST(Tupe, theTableHasOneRowMoreThanPositions) {
  const ParamValues values{{"position_table", makeArray({9, 10}, std::vector<double>(90, 1.0))}};
  EXPECT_EQ(test::refusal("tupe", values, shapeOf(8)), "accepted");
  EXPECT_EQ(test::refusal("tupe", values, shapeOf(9)),
            "tupe: position 8 is past the table; the table has positions 0 to 7");
}

TEST(Tupe, movedPositionsReadTheRowsTheyMoveTo) {
  Shape moved = shapeOf(6);
  moved.first_position = 3;
  for (const bool relative : {false, true}) {
    const ParamValues values{{"relative", relative}};
    const auto whole = biasOf(values, shapeOf(9)), here = biasOf(values, moved), unmoved = biasOf(values, shapeOf(6));
    for (std::size_t i = 1; i < 6; ++i)
      for (std::size_t j = 1; j < 6; ++j) {
        EXPECT_DOUBLE_EQ(here[i][j], whole[i + 3][j + 3]);
        EXPECT_NE(here[i][j], unmoved[i][j]);
      }
    // The class token has no position to be moved.
    EXPECT_EQ(here[0], unmoved[0]);
    EXPECT_EQ(here[4][0], unmoved[4][0]);
  }
  const Encoding<double> encoding = test::encoded("tupe", {{"relative", false}}, moved);
  const auto& bias = std::get<PairBias<double>>(encoding.logits.bias);
  EXPECT_EQ(bias.term(0, 2, 1), "s · U_Q P[6] · U_K P[5]");
  EXPECT_EQ(bias.term(0, 2, 0), "s · U_Q P[1] · U_K P[1]");
}

TEST(Tupe, positionsWithoutARowAreRefused) {
  Shape moved = shapeOf(6);
  moved.first_position = 3;
  const ParamValues nine{{"position_table", makeArray({10, 10}, std::vector<double>(100, 1.0))}};
  EXPECT_EQ(test::refusal("tupe", nine, moved), "accepted");
  moved.first_position = 4;
  EXPECT_EQ(test::refusal("tupe", nine, moved), "tupe: position 9 is past the table; the table has positions 0 to 8");
  for (const double first : {-1.0, 0.5}) {
    moved.first_position = first;
    EXPECT_NE(test::refusal("tupe", {}, moved).find("first_position must be a whole number of at least 0, got"),
              std::string::npos);
  }
}

TEST(LayerNorm, aRowHasMeanZeroAndVarianceOneBeforeGainAndOffset) {
  std::vector<double> row{1, 2, 4, 9};
  layerNorm<double>(row, {}, {}, 0);
  EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 0, 1e-15);
  EXPECT_NEAR(std::inner_product(row.begin(), row.end(), row.begin(), 0.0), 4, 1e-14);
  std::vector<float> constant(3, 5.0F);
  const std::vector<double> gain{2, 2, 2};
  const std::vector<double> offset{1, 0, -1};
  layerNorm<float>(constant, gain, offset, 1e-5);
  EXPECT_EQ(constant, (std::vector<float>{1, 0, -1}));
}

}  // namespace
}  // namespace posiscope
