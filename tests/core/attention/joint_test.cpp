// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Parts of the encoding that stand beside the great four: factors on the queries, scores that read the embeddings.
#include "tests/support/attending.h"

#include <gtest/gtest.h>

namespace posiscope {
namespace {

Shape shapeOf() {
  Shape shape;
  shape.seq_len = 7;
  shape.seq_len_q = 4;
  shape.num_heads = 4;
  shape.num_kv_heads = 2;
  shape.head_dim = 3;
  shape.d_model = 12;
  return shape;
}

TEST(Joint, queryFactorsScaleRowsButNotTheBias) {
  const Shape shape = shapeOf();
  const auto content = test::randomContent<double>(shape);
  Encoding<double> encoding = test::plainEncoding<double>(shape);
  const auto plain = test::attending(encoding, content, {}, shape, {true, false, false, {}});
  encoding.logits.bias = PairBias<double>{[](std::int64_t, std::int64_t, std::span<double> row) {
    for (double& v : row) v = 10;
  }};
  encoding.query_factor = {9, 9, 9, 1, 2, 3, 4};  // the last four tokens ask
  for (const std::vector<std::int64_t>& heads : {std::vector<std::int64_t>{}, {3, 1}}) {
    const auto found = test::attending(encoding, content, {}, shape, {true, false, false, heads});
    for (std::size_t e = 0; e < found.logits.size(); ++e) {
      const std::size_t head = heads.empty() ? e / 28 : static_cast<std::size_t>(heads[e / 28]);
      const double factor = static_cast<double>(e / 7 % 4) + 1;
      ASSERT_NEAR(found.logits[e], factor * plain.logits[head * 28 + e % 28] + 10, 1e-13);
    }
  }
}

TEST(Joint, aScoreThatReadsTheEmbeddingsGetsThemBesideGivenQueries) {
  const Shape shape = shapeOf();
  auto content = test::randomContent<double>(shape);
  Encoding<double> encoding = test::plainEncoding<double>(shape);
  encoding.logits.score.reads_input = true;
  encoding.logits.score.prepare = [](const HeadContent<double>& head) -> OwnScore<double>::RowScore {
    return [x = head.x](std::int64_t, std::span<double> row) {
      for (std::size_t j = 0; j < row.size(); ++j) row[j] = x.row(static_cast<std::int64_t>(j))[0];
    };
  };
  EXPECT_TRUE(readsEmbeddings(encoding));
  const auto refused = attention::attend(encoding, content, {}, shape, {}, Job());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::bad_shape);
  content.x = makeTable<double>(7, 12);
  for (std::size_t e = 0; e < content.x.values.size(); ++e) content.x.values[e] = static_cast<double>(e);
  const auto found = test::attending(encoding, content, {}, shape, {true, false, false, {}});
  for (std::size_t e = 0; e < found.logits.size(); ++e) ASSERT_EQ(found.logits[e], static_cast<double>(e % 7 * 12));
}

}  // namespace
}  // namespace posiscope
