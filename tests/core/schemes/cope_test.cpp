// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/cope.h"

#include "tests/support/attending.h"

#include <gtest/gtest.h>

namespace posiscope {
namespace {

template <class T>
class CopeGolden : public testing::Test {};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(CopeGolden, Scalars);

struct Situation {
  const char* id;
  std::int64_t length, dim, npos;
  bool causal;
};

Shape shapeOf(const Situation& s) {
  Shape shape;
  shape.seq_len = s.length;
  shape.num_heads = 2;
  shape.head_dim = s.dim;
  return shape;
}

Mask maskOf(const Situation& s) {
  Mask mask;
  mask.causal = s.causal;
  return mask;
}

TYPED_TEST(CopeGolden, weights) {
  using T = TypeParam;
  for (const Situation& s : {Situation{"cope_L1", 1, 4, 4, true}, Situation{"cope_L8", 8, 8, 16, true},
                             Situation{"cope_L10_clamped", 10, 8, 3, true}}) {
    const std::string id = s.id;
    const auto encoding = test::encodingOf<T>(
        "cope", {{"npos", static_cast<double>(s.npos)}, {"position_table", test::golden("inputs/" + id + "__pos_emb")}},
        shapeOf(s));
    test::expectGolden(test::attending(encoding, test::goldenContent<T>(id), maskOf(s), shapeOf(s)).weights,
                       test::golden("golden/" + id + "__attn"), 2e-7, id);
  }
}

TYPED_TEST(CopeGolden, fromEmbeddings) {
  using T = TypeParam;
  Shape shape;
  shape.seq_len = 12;
  shape.num_heads = 4;
  shape.head_dim = 8;
  shape.d_model = 32;
  Mask mask;
  mask.causal = true;
  const auto encoding = test::encodingOf<T>(
      "cope", {{"npos", 6.0}, {"position_table", test::golden("inputs/attn_c_cope__pos_emb")}}, shape);
  test::expectGolden(test::attending(encoding, test::goldenEmbeddings<T>("attn_c_nope"), mask, shape).weights,
                     test::golden("golden/attn_c_cope__attn"), 2e-7, "cope");
}

/// Gates, positions and term of all heads.
struct Pieces {
  std::vector<double> gates, positions, term;
};
Pieces piecesOf(const Situation& s) {
  const Shape shape = shapeOf(s);
  const auto content = test::goldenContent<double>(s.id);
  const auto table = test::tableOf<double>(test::golden("inputs/" + std::string(s.id) + "__pos_emb"));
  const auto logits = test::attending(test::plainEncoding<double>(shape), content, {}, shape, {true, false, false, {}});
  Pieces pieces;
  for (std::int64_t row = 0; row < 2 * s.length; ++row) {
    const auto length = static_cast<std::size_t>(s.length);
    const std::span<const double> z(logits.logits.data() + row * s.length, length);
    std::vector<double> gates(length), positions(length), term(length);
    schemes::copeGates<double>(z, maskOf(s), shape, row % s.length, gates);
    schemes::copePositions<double>(gates, s.npos, positions);
    const std::span<const double> q(content.q.data() + row * s.dim, static_cast<std::size_t>(s.dim));
    schemes::copeTerm<double>(q, rowsOf(table), positions, term);
    pieces.gates.insert(pieces.gates.end(), gates.begin(), gates.end());
    pieces.positions.insert(pieces.positions.end(), positions.begin(), positions.end());
    pieces.term.insert(pieces.term.end(), term.begin(), term.end());
  }
  return pieces;
}

TEST(Cope, gatesPositionsAndTermOfTheReference) {
  const Pieces plain = piecesOf({"cope_L8", 8, 8, 16, true});
  test::expectGolden(plain.gates, test::golden("golden/cope_L8__gates"), 2e-7, "gates");
  test::expectGolden(plain.positions, test::golden("golden/cope_L8__pos"), 1e-6, "positions");
  test::expectGolden(plain.term, test::golden("golden/cope_L8__term"), 2e-6, "term");
  const Pieces clamped = piecesOf({"cope_L10_clamped", 10, 8, 3, true});
  test::expectGolden(clamped.positions, test::golden("golden/cope_L10_clamped__pos"), 5e-7, "clamped");
  const Pieces open = piecesOf({"cope_L6_noncausal", 6, 8, 8, false});
  test::expectGolden(open.positions, test::golden("golden/cope_L6_noncausal__pos"), 1e-6, "without mask");
}

TEST(Cope, equalRowsOfTheTableArePlainAttention) {
  const Situation s{"", 20, 8, 5, true};
  const auto content = test::randomContent<double>(shapeOf(s));
  const Array equal = makeArray({5, 8}, std::vector<double>(40, 0.7));
  const auto found =
      test::attending(test::encodingOf<double>("cope", {{"npos", 5.0}, {"position_table", equal}}, shapeOf(s)), content,
                      maskOf(s), shapeOf(s));
  const auto plain = test::attending(test::plainEncoding<double>(shapeOf(s)), content, maskOf(s), shapeOf(s));
  for (std::size_t e = 0; e < plain.weights.size(); ++e) ASSERT_NEAR(found.weights[e], plain.weights[e], 1e-14);
}

TEST(Cope, oneWholePositionHasNoNeighbour) {
  const Table<float> table{1, 2, {1, 2}};
  const std::vector<float> q{3, 4}, positions{0};
  std::vector<float> term(1);
  schemes::copeTerm<float>(q, rowsOf(table), positions, term);
  EXPECT_EQ(term[0], 11.0F);
}

TEST(Cope, termsAddUpToTheLogits) {
  const Situation s{"", 9, 8, 5, true};
  const Shape shape = shapeOf(s);
  const Mask mask = maskOf(s);
  const auto content = test::randomContent<double>(shape);
  const auto encoding = test::encodingOf<double>("cope", {{"npos", 5.0}}, shape);
  const HeadContent<double> head{0, {content.q.data(), 9, 8}, {content.k.data(), 9, 8}, {}, &shape, &mask};
  const auto score = encoding.logits.score.prepare(head);
  const auto fill = encoding.logits.terms.prepare(head);
  std::vector<double> first(9), second(9), whole(9);
  fill(0, 6, first);
  fill(1, 6, second);
  score(6, whole);
  for (std::size_t j = 0; j < 9; ++j) EXPECT_EQ(first[j] + second[j], whole[j]);
}

TEST(Cope, refusesATableOfAnotherShape) {
  const auto wrong = schemes::find("cope")->check({{"position_table", makeArray({2, 2}, std::vector<double>(4))}}, {});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message.en, "cope: position_table must have shape (64, 64), got (2, 2)");
}

}  // namespace
}  // namespace posiscope
