// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Positions at chosen pairs and tokens only, and a bias that a network makes of the distance.
#include "core/schemes/sparse.h"
#include "core/sinusoidal.h"
#include "tests/core/invariants/scores.h"

namespace posiscope {
namespace {

using schemes::SparseKeep;
using test::at;

constexpr int trials = 16;

Shape shapeOf(std::int64_t tokens) {
  Shape shape;
  shape.seq_len = tokens;
  shape.num_heads = 3;
  shape.head_dim = 4;
  shape.d_model = 10;
  return shape;
}

schemes::SparseParams drawnSparse(test::Drawn& drawn, std::int64_t tokens) {
  schemes::SparseParams p;
  p.window = drawn.oneOf<std::int64_t>({0, 1, 3, 40});
  p.offsets = {drawn.oneOf({0.0, 1.0}), std::floor(drawn.between(1, 9)), std::floor(drawn.between(9, 60))};
  p.rule = drawn.oneOf({SegmentRule::end, SegmentRule::start});
  const double share = drawn.oneOf({0.0, 0.2, 0.5, 1.0});
  for (std::int64_t t = 0; t < tokens; ++t) p.flags.push_back(drawn.between(0, 1) < share ? 1 : 0);
  return p;
}

ParamValues valuesOf(const schemes::SparseParams& p, const std::string& keep) {
  return {{"keep", keep},
          {"window", static_cast<double>(p.window)},
          {"offsets", p.offsets},
          {"flags", p.flags},
          {"rule", std::string(p.rule == SegmentRule::end ? "end" : "start")}};
}

/// What a scheme adds to the scaled products of one head, [L, L].
Table<double> addedBy(const std::string& id, const ParamValues& values, const Shape& shape, std::int64_t head) {
  Content<double> nothing;
  nothing.q.resize(static_cast<std::size_t>(shape.num_heads * shape.seq_len * shape.head_dim));
  nothing.k = nothing.q;
  return test::rowsOfHead(test::logitsOf(test::encodingOf<double>(id, values, shape), nothing, shape), shape, head);
}

const std::vector<std::pair<SparseKeep, std::string>> rules{
    {SparseKeep::window, "window"},
    {SparseKeep::window_or_boundary, "window_or_boundary"},
    {SparseKeep::window_or_boundary_key, "window_or_boundary_key"},
    {SparseKeep::offsets, "offsets"},
    {SparseKeep::same_segment, "same_segment"}};

TEST(ChosenPairInvariants, pairsKeepTheWholeBiasOrNoneOfIt) {
  test::Drawn drawn("sparse bias");
  for (int t = 0; t < trials; ++t) {
    const Shape shape = shapeOf(drawn.oneOf<std::int64_t>({1, 2, 7, 33}));
    schemes::SparseParams p = drawnSparse(drawn, shape.seq_len);
    const auto head = drawn.oneOf<std::int64_t>({0, 2});
    const Table<double> dense = addedBy("alibi", {}, shape, head);
    for (const auto& [keep, name] : rules) {
      p.keep = keep;
      const schemes::SparsePattern pattern(p, shape.seq_len);
      const Table<double> bias = addedBy("sparse", valuesOf(p, name), shape, head);
      for (std::int64_t i = 0; i < shape.seq_len; ++i)
        for (std::int64_t j = 0; j < shape.seq_len; ++j) {
          ASSERT_EQ(at(bias, i, j), pattern.keeps(i, j) ? at(dense, i, j) : 0) << name << ": " << i << ", " << j;
          if (keep != SparseKeep::window_or_boundary_key) {
            ASSERT_EQ(pattern.keeps(i, j), pattern.keeps(j, i)) << name << ": " << i << ", " << j;
          }
        }
    }
  }
}

TEST(ChosenPairInvariants, boundariesWidenAWindowOnEitherSideOrOnOne) {
  test::Drawn drawn("boundaries");
  for (int t = 0; t < trials; ++t) {
    const auto tokens = drawn.oneOf<std::int64_t>({1, 2, 7, 33});
    schemes::SparseParams p = drawnSparse(drawn, tokens);
    const auto patternOf = [&](SparseKeep keep) {
      p.keep = keep;
      return schemes::SparsePattern(p, tokens);
    };
    const auto near = patternOf(SparseKeep::window), either = patternOf(SparseKeep::window_or_boundary);
    const auto key = patternOf(SparseKeep::window_or_boundary_key), chosen = patternOf(SparseKeep::offsets);
    for (std::int64_t i = 0; i < tokens; ++i)
      for (std::int64_t j = 0; j < tokens; ++j) {
        const bool flagged = p.flags[static_cast<std::size_t>(j)] != 0;
        ASSERT_EQ(near.keeps(i, j), std::abs(i - j) <= p.window);
        ASSERT_EQ(key.keeps(i, j), near.keeps(i, j) || flagged) << i << ", " << j;
        ASSERT_EQ(either.keeps(i, j), key.keeps(i, j) || key.keeps(j, i)) << i << ", " << j;
        const bool listed = std::ranges::count(p.offsets, static_cast<double>(std::abs(i - j))) > 0;
        ASSERT_EQ(chosen.keeps(i, j), listed) << i << ", " << j;
      }
  }
}

TEST(ChosenPairInvariants, aWindowOverAllTokensIsDenseAndSegmentsOfOneTokenAreNothing) {
  for (const std::int64_t tokens : {1, 2, 7, 33}) {
    const Shape shape = shapeOf(tokens);
    const std::vector<double> dense = addedBy("alibi", {}, shape, 1).values;
    const auto all = static_cast<std::size_t>(tokens);
    for (const auto* keep : {"window", "window_or_boundary", "window_or_boundary_key"})
      EXPECT_EQ(addedBy("sparse", {{"keep", std::string(keep)}, {"window", static_cast<double>(tokens - 1)}}, shape, 1)
                    .values,
                dense)
          << keep;
    const ParamValues segments{{"keep", std::string("same_segment")}};
    ParamValues alone = segments, together = segments;
    alone["flags"] = std::vector<double>(all, 1);
    together["flags"] = std::vector<double>(all, 0);
    EXPECT_EQ(addedBy("sparse", together, shape, 1).values, dense);
    EXPECT_EQ(addedBy("sparse", alone, shape, 1).values, std::vector<double>(all * all));
  }
}

/// The row that the table should have: sines at a position, or zeros.
void expectRow(const Table<double>& table, std::int64_t row, bool is_there, double position) {
  const SinusoidalParams sines;
  std::vector<double> wanted(static_cast<std::size_t>(table.cols));
  if (is_there) sinusoidalRow<double>(sines, sinusoidalFrequencies(sines, table.cols), position, wanted);
  for (std::int64_t c = 0; c < table.cols; ++c)
    ASSERT_EQ(at(table, row, c), wanted[static_cast<std::size_t>(c)]) << row;
}

TEST(ChosenPairInvariants, tablesStandAtBoundariesOrBeginAgain) {
  test::Drawn drawn("sparse tables");
  for (int t = 0; t < trials; ++t) {
    const Shape shape = shapeOf(drawn.oneOf<std::int64_t>({1, 2, 7, 33}));
    const schemes::SparseParams p = drawnSparse(drawn, shape.seq_len);
    const auto tableOf = [&](const char* form, const char* index) {
      ParamValues values = valuesOf(p, "window");
      values["form"] = std::string(form);
      values["index"] = std::string(index);
      return test::encodingOf<double>("sparse", values, shape).input.table;
    };
    const Table<double> by_token = tableOf("boundary_table", "token"),
                        by_segment = tableOf("boundary_table", "segment");
    const Table<double> again = tableOf("restart_table", "token");
    double segment = 0, restart = 0;
    for (std::int64_t i = 0; i < shape.seq_len; ++i) {
      const auto flagged = [&](std::int64_t token) { return p.flags[static_cast<std::size_t>(token)] != 0; };
      if (i > 0) {
        const bool begins = p.rule == SegmentRule::end ? flagged(i - 1) : flagged(i);
        segment += begins ? 1 : 0;
        restart = begins ? 0 : restart + 1;
      }
      expectRow(by_token, i, flagged(i), static_cast<double>(i));
      expectRow(by_segment, i, flagged(i), segment);
      expectRow(again, i, true, restart);
    }
  }
}

ParamValues drawnNetwork(test::Drawn& drawn, std::int64_t heads) {
  const auto depth = drawn.oneOf<std::int64_t>({1, 2, 4}), width = drawn.oneOf<std::int64_t>({1, 3, 8});
  ParamValues values{{"depth", static_cast<double>(depth)},
                     {"width", static_cast<double>(width)},
                     {"log_distance", drawn.oneOf({true, false})},
                     {"w_in", drawn.array(width, 1)},
                     {"b_in", makeArray({width}, drawn.normals(width))},
                     {"w_out", drawn.array(heads, width)},
                     {"b_out", makeArray({heads}, drawn.normals(heads))}};
  if (depth > 1) {
    values["w_hidden"] = makeArray({depth - 1, width, width}, drawn.normals((depth - 1) * width * width));
    values["b_hidden"] = makeArray({depth - 1, width}, drawn.normals((depth - 1) * width));
  }
  return values;
}

/// The network hears one signed number: turning its sign mirrors the bias, not hearing it leaves one number.
TEST(ChosenPairInvariants, theNetworkOfTheDistanceHearsItsSignAndNothingElse) {
  test::Drawn drawn("dynamic_mlp_bias");
  for (int t = 0; t < trials; ++t) {
    const Shape shape = shapeOf(drawn.oneOf<std::int64_t>({2, 7, 33})), longer = shapeOf(shape.seq_len + 9);
    const ParamValues values = drawnNetwork(drawn, 3);
    const auto biasOf = [&](double sign, const Shape& s) {
      ParamValues changed = values;
      const Array& weights = std::get<Array>(values.at("w_in"));
      std::vector<double> numbers(weights.data(), weights.data() + weights.size());
      for (double& w : numbers) w *= sign;
      changed["w_in"] = makeArray(weights.shape, std::move(numbers));
      return std::get<OffsetBias<double>>(test::encodingOf<double>("dynamic_mlp_bias", changed, s).logits.bias);
    };
    const auto bias = biasOf(1, shape), mirrored = biasOf(-1, shape), deaf = biasOf(0, shape),
               long_one = biasOf(1, longer);
    double asymmetry = 0;
    for (std::int64_t h = 0; h < 3; ++h)
      for (std::int64_t n = 1 - shape.seq_len; n < shape.seq_len; ++n) {
        ASSERT_EQ(mirrored.at(h, n), bias.at(h, -n)) << n;
        ASSERT_EQ(deaf.at(h, n), bias.at(h, 0)) << n;
        ASSERT_EQ(long_one.at(h, n), bias.at(h, n)) << "the length has no part in it: " << n;
        asymmetry = std::max(asymmetry, std::abs(bias.at(h, n) - bias.at(h, -n)));
      }
    EXPECT_GT(asymmetry, 1e-6);
  }
}

}  // namespace
}  // namespace posiscope
