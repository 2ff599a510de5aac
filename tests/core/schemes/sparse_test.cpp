// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/sparse.h"

#include "core/random.h"
#include "core/slopes.h"
#include "tests/support/encoded.h"

#include <algorithm>

namespace posiscope {
namespace {

Shape tokenShape(std::int64_t length) {
  Shape shape;
  shape.seq_len = length;
  shape.d_model = 6;
  shape.num_heads = 3;
  return shape;
}

using Ids = std::vector<std::int64_t>;

TEST(Segments, aFlagEndsOrStartsASegment) {
  const std::vector<bool> flags{true, false, true, false, false, true};
  EXPECT_EQ(segmentIds(flags, SegmentRule::end), (Ids{0, 1, 1, 2, 2, 2}));
  EXPECT_EQ(segmentIds(flags, SegmentRule::start), (Ids{0, 0, 1, 1, 1, 2}));
  EXPECT_EQ(restartIds(segmentIds(flags, SegmentRule::end)), (Ids{0, 0, 1, 0, 1, 2}));
}

TEST(Segments, noFlagsAndAllFlags) {
  for (const SegmentRule rule : {SegmentRule::end, SegmentRule::start}) {
    EXPECT_EQ(segmentIds(std::vector<bool>(4), rule), (Ids{0, 0, 0, 0}));
    EXPECT_EQ(segmentIds(std::vector<bool>(4, true), rule), (Ids{0, 1, 2, 3}));
    EXPECT_EQ(restartIds(segmentIds(std::vector<bool>(4, true), rule)), (Ids{0, 0, 0, 0}));
    EXPECT_TRUE(segmentIds({}, rule).empty());
    EXPECT_EQ(segmentIds({true}, rule), (Ids{0}));
  }
}

TEST(Segments, idsRestartOnceASegmentAndNeverExceedTheToken) {
  const Stream random(4, "segments test");
  for (std::uint64_t e = 0; e < 20; ++e) {
    std::vector<bool> flags(1 + random.below(40, e, 0));
    for (std::size_t i = 0; i < flags.size(); ++i) flags[i] = random.below(4, e, 1 + i) == 0;
    const Ids segments = segmentIds(flags, e % 2 == 0 ? SegmentRule::end : SegmentRule::start);
    const Ids ids = restartIds(segments);
    EXPECT_EQ(std::ranges::count(ids, 0), segments.back() + 1);
    for (std::size_t i = 0; i < ids.size(); ++i) EXPECT_LE(ids[i], static_cast<std::int64_t>(i));
  }
}

TEST(Sparse, patternsAreSymmetricExceptForBoundaryKeys) {
  for (const auto keep :
       {schemes::SparseKeep::window, schemes::SparseKeep::window_or_boundary,
        schemes::SparseKeep::window_or_boundary_key, schemes::SparseKeep::offsets, schemes::SparseKeep::same_segment}) {
    schemes::SparseParams p;
    p.keep = keep;
    p.window = 1;
    p.boundary_every = 5;
    const schemes::SparsePattern pattern(p, 17);
    bool symmetric = true;
    for (std::int64_t i = 0; i < 17; ++i)
      for (std::int64_t j = 0; j < 17; ++j) symmetric &= pattern.keeps(i, j) == pattern.keeps(j, i);
    EXPECT_EQ(symmetric, keep != schemes::SparseKeep::window_or_boundary_key);
  }
}

/// The bias of (head, i, j), whichever part it stands in.
double biasAt(const Encoding<double>& e, const Shape& s, std::int64_t head, std::int64_t i, std::int64_t j) {
  if (const auto* by_offset = std::get_if<OffsetBias<double>>(&e.logits.bias))
    return by_offset->at(head, i + s.queryOffset() - j);
  std::vector<double> row(static_cast<std::size_t>(s.keys()));
  std::get<PairBias<double>>(e.logits.bias).fill(head, i, row);
  return row[static_cast<std::size_t>(j)];
}

TEST(Sparse, aWindowOverTheWholeSequenceIsAlibi) {
  const Shape shape = tokenShape(9);
  for (const char* keep : {"window", "window_or_boundary"}) {
    const auto e = test::encoded("sparse", {{"keep", std::string(keep)}, {"window", 8.0}}, shape);
    const std::vector<double> slopes = alibiSlopes(3, 8);
    for (std::int64_t h = 0; h < 3; ++h)
      for (std::int64_t i = 0; i < 9; ++i)
        for (std::int64_t j = 0; j < 9; ++j)
          EXPECT_DOUBLE_EQ(biasAt(e, shape, h, i, j),
                           -slopes[static_cast<std::size_t>(h)] * static_cast<double>(std::abs(i - j)));
  }
}

TEST(Sparse, farKeysHaveNoBiasAndFlagsCountFromTheKeys) {
  Shape shape = tokenShape(9);
  shape.seq_len_q = 3;  // tokens 6, 7, 8
  const auto e = test::encoded("sparse",
                               {{"keep", std::string("window_or_boundary_key")},
                                {"window", 1.0},
                                {"slope", 0.5},
                                {"flags", std::vector<double>{0, 0, 1, 0, 0, 0, 0, 0, 0}}},
                               shape);
  EXPECT_EQ(biasAt(e, shape, 0, 1, 2), -0.5 * 5);
  EXPECT_EQ(biasAt(e, shape, 2, 1, 3), 0);
  EXPECT_EQ(biasAt(e, shape, 1, 1, 6), -0.5);
  EXPECT_FALSE(e.offset_only);
  EXPECT_TRUE(test::encoded("sparse", {{"keep", std::string("offsets")}}, shape).offset_only);
}

TEST(Sparse, rowsStandAtBoundariesOnly) {
  const Shape shape = tokenShape(6);
  ParamValues values{{"form", std::string("boundary_table")}, {"flags", std::vector<double>{0, 1, 0, 0, 1, 0}}};
  const Table<double> sines = test::encoded("sinusoidal", {}, shape).input.table;
  const Table<double> by_token = test::encoded("sparse", values, shape).input.table;
  values["index"] = std::string("segment");
  const Table<double> by_segment = test::encoded("sparse", values, shape).input.table;
  for (std::int64_t t = 0; t < 6; ++t)
    for (std::size_t c = 0; c < 6; ++c) {
      const bool flagged = t == 1 || t == 4;
      EXPECT_NEAR(by_token.row(t)[c], flagged ? sines.row(t)[c] : 0, 1e-14);
      EXPECT_NEAR(by_segment.row(t)[c], flagged ? sines.row(t == 4 ? 1 : 0)[c] : 0, 1e-14);
    }
}

TEST(Sparse, restartingPositionsRepeatInEverySegment) {
  const Shape shape = tokenShape(10);
  const Table<double> t =
      test::encoded("sparse", {{"form", std::string("restart_table")}, {"boundary_every", 4.0}}, shape).input.table;
  const Table<double> sines = test::encoded("sinusoidal", {}, shape).input.table;
  for (std::int64_t i = 0; i < 10; ++i)
    for (std::size_t c = 0; c < 6; ++c) EXPECT_NEAR(t.row(i)[c], sines.row(i % 4)[c], 1e-14);
}

TEST(Sparse, refusesInASentence) {
  EXPECT_EQ(test::refusal("sparse", {{"flags", std::vector<double>{1, 0}}}, tokenShape(3)),
            "sparse: flags must have seq_len 3 numbers, got 2");
  EXPECT_EQ(test::refusal("sparse", {{"offsets", std::vector<double>{0.5}}}, tokenShape(3)),
            "sparse: each of offsets must be -16777216 to 16777216, got 0.5");
}

}  // namespace
}  // namespace posiscope
