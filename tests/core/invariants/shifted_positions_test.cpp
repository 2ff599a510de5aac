// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The same tokens further along: which schemes cannot tell, and which must.
#include "tests/core/invariants/scores.h"

#include <functional>
#include <map>

namespace posiscope {
namespace {

constexpr int trials = 12;
constexpr double moved_by = 50;
const std::string interleaved = "interleaved", half = "half";

Shape drawnShape(test::Drawn& drawn, std::initializer_list<std::int64_t> lengths) {
  Shape shape;
  shape.seq_len = drawn.oneOf(lengths);
  shape.num_heads = drawn.oneOf<std::int64_t>({1, 3, 5});
  shape.head_dim = drawn.oneOf<std::int64_t>({2, 6, 10});
  shape.d_model = 12;
  return shape;
}

/// How far the logits of the same content move when the first token stands at `moved_by`.
double moves(const std::string& id, const ParamValues& values, Shape shape) {
  const auto here = test::encodingOf<double>(id, values, shape);
  const auto content = test::randomContent<double>(shape, readsEmbeddings(here));
  const auto before = test::logitsOf(here, content, shape);
  shape.first_position = moved_by;
  return test::farthestApart(before, test::logitsOf(test::encodingOf<double>(id, values, shape), content, shape));
}

ParamValues turning(test::Drawn& drawn, ParamValues values) {
  values["base"] = drawn.logarithmic(10, 1e6);
  values["pairing"] = drawn.oneOf({interleaved, half});
  return values;
}

/// Parameters of the schemes whose scores know offsets only.
const std::map<std::string, std::function<ParamValues(test::Drawn&, const Shape&)>> of_offsets{
    {"t5_simple",
     [](test::Drawn& d, const Shape&) {
       return ParamValues{{"max_distance", d.oneOf({0.0, 2.0, 30.0})}, {"sign", d.oneOf<std::string>({"i-j", "j-i"})}};
     }},
    {"sandwich",
     [](test::Drawn& d, const Shape&) {
       return ParamValues{{"bar_d", d.oneOf({2.0, 6.0, 50.0})}, {"base", d.logarithmic(2, 1e6)}};
     }},
    {"deberta",
     [](test::Drawn& d, const Shape&) {
       return ParamValues{{"position_buckets", d.oneOf({0.0, 4.0})}, {"max_relative_positions", 16.0}};
     }},
    {"relative_key",
     [](test::Drawn&, const Shape&) {
       return ParamValues{{"max_positions", 24.0}};
     }},
    {"relative_key_query",
     [](test::Drawn&, const Shape&) {
       return ParamValues{{"max_positions", 24.0}};
     }},
    {"dynamic_mlp_bias",
     [](test::Drawn& d, const Shape&) {
       return ParamValues{{"depth", d.oneOf({1.0, 3.0})}, {"width", 5.0}, {"log_distance", d.oneOf({true, false})}};
     }},
    {"rerope",
     [](test::Drawn& d, const Shape&) {
       return turning(d, {{"window", d.oneOf({1.0, 3.0, 30.0})}});
     }},
    {"leaky_rerope",
     [](test::Drawn& d, const Shape&) {
       return turning(d, {{"window", d.oneOf({1.0, 3.0, 30.0})}, {"factor", d.logarithmic(1, 50)}});
     }},
    {"xpos",
     [](test::Drawn& d, const Shape&) {
       return turning(d, {{"gamma", d.logarithmic(0.05, 2)},
                          {"scale_base", d.logarithmic(20, 2000)},
                          {"center_at", d.oneOf<std::string>({"floor", "ceil", "position"})},
                          {"center", d.between(-20, 80)}});
     }},
    {"kerple",
     [](test::Drawn& d, const Shape& s) {
       std::vector<double> r1, r2;
       for (std::int64_t h = 0; h < s.num_heads; ++h) {
         r1.push_back(d.logarithmic(0.01, 10));
         r2.push_back(d.between(0.05, 2));
       }
       return ParamValues{{"form", d.oneOf<std::string>({"log", "power"})}, {"r1", r1}, {"r2", r2}};
     }},
};

TEST(ShiftInvariants, scoresOfOffsetsStay) {
  for (const auto& [id, valuesOf] : of_offsets) {
    test::Drawn drawn("stay " + id);
    for (int t = 0; t < trials; ++t) {
      const Shape shape = drawnShape(drawn, {1, 2, 7, 19, 24});
      const ParamValues values = valuesOf(drawn, shape);
      ASSERT_LT(moves(id, values, shape), 1e-9) << id << ", " << shape.seq_len << " tokens";
      ASSERT_TRUE(test::encodingOf<double>(id, values, shape).offset_only) << id;
    }
  }
}

/// Its groups stand at multiples of their size: a shift by whole groups changes nothing, any other moves their edges.
TEST(ShiftInvariants, groupsOfSelfExtendStayUnderShiftsByWholeGroups) {
  test::Drawn drawn("self_extend");
  for (const double group : {1.0, 2.0, 5.0, 10.0, 25.0, 3.0, 4.0, 8.0}) {
    const Shape shape = drawnShape(drawn, {19, 24});
    const ParamValues values = turning(drawn, {{"group", group}, {"window", drawn.oneOf({1.0, 3.0, 6.0})}});
    const double largest = moves("self_extend", values, shape);
    const bool whole = std::fmod(moved_by, group) == 0;
    EXPECT_EQ(largest < 1e-9, whole) << group << ": " << largest;
  }
}

TEST(ShiftInvariants, addedPositionsMove) {
  const std::vector<std::pair<std::string, ParamValues>> schemes{
      {"sinusoidal", {}},
      {"learned", {}},
      {"tupe", {}},
      {"tupe", {{"untie_cls", false}, {"relative", false}}},
      {"hybrid", {}},
      {"hybrid", {{"table_kind", std::string("learned")}}},
      {"hybrid", {{"form", std::string("bias")}}},
      {"dynamic", {}},
      {"embedding_sum", {}},
      {"embedding_sum", {{"layer_norm", false}}},
      {"layerwise", {}},
      {"layerwise", {{"table_kind", std::string("learned")}}}};
  for (std::size_t s = 0; s < schemes.size(); ++s) {
    const auto& [id, values] = schemes[s];
    test::Drawn drawn("move " + id);
    for (int t = 0; t < 4; ++t) {
      const Shape shape = drawnShape(drawn, {2, 7, 19});
      ASSERT_GT(moves(id, values, shape), 1e-6) << id << " (" << s << "), " << shape.seq_len << " tokens";
      ASSERT_FALSE(test::encodingOf<double>(id, values, shape).offset_only) << id;
    }
  }
}

TEST(ShiftInvariants, theRelativeShareOfTheHybridStays) {
  test::Drawn drawn("hybrid");
  for (int t = 0; t < trials; ++t)
    EXPECT_LT(moves("hybrid", {{"alpha", 0.0}, {"max_distance", drawn.oneOf({0.0, 3.0, 40.0})}},
                    drawnShape(drawn, {1, 2, 7, 19})),
              1e-12);
}

TEST(ShiftInvariants, fireStaysUntilAQueryPassesItsThreshold) {
  test::Drawn drawn("fire");
  for (int t = 0; t < trials; ++t) {
    const Shape shape = drawnShape(drawn, {2, 7, 19});
    const double last = moved_by + static_cast<double>(shape.seq_len - 1);
    for (const double threshold : {0.0, 5.0, 30.0, last - 1, last, last + 40}) {
      const double largest = moves("fire", {{"c", drawn.logarithmic(0.05, 5)}, {"threshold_length", threshold}}, shape);
      EXPECT_EQ(largest > 1e-12, threshold < last) << threshold << " of " << last << ": " << largest;
    }
  }
}

}  // namespace
}  // namespace posiscope
