// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/relative_key.h"

#include "tests/support/attending.h"
#include "tests/support/encoded.h"

namespace posiscope {
namespace {

Shape shapeOf(std::int64_t keys, std::int64_t queries = 0) {
  Shape shape;
  shape.seq_len = keys;
  shape.seq_len_q = queries;
  shape.num_heads = 3;
  shape.head_dim = 5;
  return shape;
}

std::vector<double> logitsOf(const std::string& id, const ParamValues& values, const Content<double>& content,
                             const Shape& shape) {
  return test::attending(test::encodingOf<double>(id, values, shape), content, {}, shape, {true, false, false, {}})
      .logits;
}

TEST(RelativeKey, aZeroTableIsPlainAttention) {
  const Shape shape = shapeOf(7);
  const Array zeros = makeArray({2 * 9 - 1, 5}, std::vector<double>(17 * 5));
  const auto content = test::randomContent<double>(shape);
  const auto plain =
      test::attending(test::plainEncoding<double>(shape), content, {}, shape, {true, false, false, {}}).logits;
  for (const std::string id : {"relative_key", "relative_key_query"}) {
    const auto found = logitsOf(id, {{"max_positions", 9.0}, {"table", zeros}}, content, shape);
    for (std::size_t e = 0; e < plain.size(); ++e) ASSERT_NEAR(found[e], plain[e], 1e-14) << id;
  }
}

TEST(RelativeKey, everyOffsetReadsItsOwnRow) {
  const Shape shape = shapeOf(6, 2);
  // Row r of the table is r in every dimension and q = 1: the added term is 5·r/√5.
  std::vector<double> numbers;
  for (int r = 0; r < 15; ++r) numbers.insert(numbers.end(), 5, r);
  const ParamValues values{{"max_positions", 8.0}, {"table", makeArray({15, 5}, numbers)}};
  Content<double> content;
  content.q.assign(3 * 2 * 5, 1.0);
  content.k.assign(3 * 6 * 5, 0.0);
  const auto found = logitsOf("relative_key", values, content, shape);
  for (std::int64_t i = 0; i < 2; ++i)
    for (std::int64_t j = 0; j < 6; ++j)
      EXPECT_NEAR(found[static_cast<std::size_t>(i * 6 + j)], std::sqrt(5.0) * static_cast<double>(i + 4 - j + 7),
                  1e-13);
}

TEST(RelativeKey, theKeysMeetTheSameVector) {
  const Shape shape = shapeOf(5);
  auto content = test::randomContent<double>(shape);
  const auto one = logitsOf("relative_key", {{"max_positions", 5.0}, {"seed", 4.0}}, content, shape);
  const Array table =
      makeArray({9, 5}, schemes::weightsOf<double>({}, 45, {4, "relative_key/table", 1 / std::sqrt(5.0)}));
  const auto both = logitsOf("relative_key_query", {{"max_positions", 5.0}, {"table", table}}, content, shape);
  for (std::size_t h = 0; h < 3; ++h)
    for (std::size_t i = 0; i < 5; ++i)
      for (std::size_t j = 0; j < 5; ++j) {
        double term = 0;
        for (std::size_t d = 0; d < 5; ++d) term += content.k[(h * 5 + j) * 5 + d] * table.data()[(i + 4 - j) * 5 + d];
        const std::size_t e = (h * 5 + i) * 5 + j;
        EXPECT_NEAR(both[e] - one[e], term / std::sqrt(5.0), 1e-13);
      }
}

TEST(RelativeKey, offsetsBeyondTheTableAreRefusedNotClipped) {
  for (const std::string id : {"relative_key", "relative_key_query"}) {
    EXPECT_EQ(test::refusal(id, {{"max_positions", 16.0}}, shapeOf(16)), "accepted");
    const Outcome outcome = schemes::find(id)->check({{"max_positions", 16.0}}, shapeOf(17));
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, ErrorCode::past_table);
    EXPECT_NE(outcome.error().message.en.find("16, got 17"), std::string::npos) << outcome.error().message.en;
  }
  EXPECT_EQ(test::refusal("relative_key",
                          {{"max_positions", 4.0}, {"table", makeArray({8, 5}, std::vector<double>(40))}}, shapeOf(3)),
            "relative_key: table must have shape (7, 5), got (8, 5)");
}

}  // namespace
}  // namespace posiscope
