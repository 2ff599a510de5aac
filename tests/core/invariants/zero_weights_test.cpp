// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Learned weights that are all zero leave plain attention, whatever the shape.
#include "tests/core/invariants/scores.h"

#include <functional>
#include <map>

namespace posiscope {
namespace {

using Filled = std::function<Array(std::vector<std::int64_t>)>;

/// Every scheme with all of its weights from `filled`.
std::map<std::string, ParamValues> weighted(const Shape& s, const Filled& filled) {
  const std::int64_t heads = s.num_heads, dim = s.head_dim;
  const std::int64_t tall = 2 * s.grid_height - 1, wide = 2 * s.grid_width - 1;
  return {{"t5_simple", {{"max_distance", 3.0}, {"table", filled({7, heads})}}},
          {"t5_log", {{"table", filled({32, heads})}}},
          {"swin", {{"table", filled({tall * wide, heads})}}},
          {"grid_bias", {{"kind", std::string("maxvit")}, {"table", filled({tall * wide, heads})}}},
          {"decomposed_2d", {{"rel_h", filled({tall, dim})}, {"rel_w", filled({wide, dim})}}},
          {"dynamic_mlp_bias",
           {{"width", 4.0},
            {"depth", 2.0},
            {"w_in", filled({4, 1})},
            {"b_in", filled({4})},
            {"w_hidden", filled({1, 4, 4})},
            {"b_hidden", filled({1, 4})},
            {"w_out", filled({heads, 4})},
            {"b_out", filled({heads})}}},
          {"fire",
           {{"width", 4.0},
            {"w1", filled({4, 1})},
            {"b1", filled({4})},
            {"w2", filled({heads, 4})},
            {"b2", filled({heads})}}},
          {"shaw", {{"max_distance", 2.0}, {"relative_keys", filled({5, dim})}}},
          {"relative_key", {{"max_positions", 20.0}, {"table", filled({39, dim})}}},
          {"relative_key_query", {{"max_positions", 20.0}, {"table", filled({39, dim})}}},
          {"deberta",
           {{"position_buckets", 0.0},
            {"max_distance", 4.0},
            {"k_r", filled({heads, 8, dim})},
            {"q_r", filled({heads, 8, dim})}}}};
}

/// What the scheme multiplies products of content with.
double scaleOf(const std::string& id, const Shape& shape) {
  if (id == "t5_log") return 1;
  const double terms = id == "deberta" ? 3 : 1;
  return 1 / std::sqrt(terms * static_cast<double>(shape.head_dim));
}

TEST(ZeroWeightInvariants, nothingIsLeftOfThePosition) {
  test::Drawn drawn("zeros");
  const auto cells = [](const std::vector<std::int64_t>& shape) {
    std::int64_t count = 1;
    for (const std::int64_t side : shape) count *= side;
    return count;
  };
  const Filled zeros = [&](std::vector<std::int64_t> shape) {
    return makeArray(shape, std::vector<double>(static_cast<std::size_t>(cells(shape))));
  };
  const Filled numbers = [&](std::vector<std::int64_t> shape) { return makeArray(shape, drawn.normals(cells(shape))); };
  for (const auto& [height, width] : {std::pair{1, 1}, std::pair{1, 7}, std::pair{3, 2}, std::pair{3, 5}}) {
    Shape shape;
    shape.seq_len = height * width;
    shape.grid_height = height;
    shape.grid_width = width;
    shape.num_heads = drawn.oneOf<std::int64_t>({1, 3});
    shape.head_dim = drawn.oneOf<std::int64_t>({1, 2, 5});
    const Content<double> content = test::drawnContent(drawn, shape);
    const auto with_numbers = weighted(shape, numbers);
    for (const auto& [id, values] : weighted(shape, zeros)) {
      SCOPED_TRACE(testing::Message() << id << ", " << height << " × " << width);
      auto plain = test::encodingOf<double>("none", {}, shape);
      plain.logit_scale = scaleOf(id, shape);
      const auto wanted = test::logitsOf(plain, content, shape);
      const auto logits = [&, &id = id](const ParamValues& v) {
        return test::logitsOf(test::encodingOf<double>(id, v, shape), content, shape);
      };
      EXPECT_LT(test::farthestApart(logits(values), wanted), 1e-13);
      EXPECT_GT(test::farthestApart(logits(with_numbers.at(id)), wanted), 1e-6);
    }
  }
}

}  // namespace
}  // namespace posiscope
