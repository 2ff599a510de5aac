// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rotations over two and three axes, on grids and sequences of any size.
#include "core/mrope.h"
#include "tests/core/invariants/drawn.h"
#include "tests/support/rotated.h"

#include <gtest/gtest.h>
#include <array>
#include <map>
#include <set>

namespace posiscope {
namespace {

using test::dotOf;
using test::scoreOf;
using test::turned;

const std::string interleaved = "interleaved", half = "half";

Shape gridShape(std::int64_t height, std::int64_t width, std::int64_t dim) {
  Shape shape;
  shape.seq_len = height * width;
  shape.grid_height = height;
  shape.grid_width = width;
  shape.head_dim = dim;
  return shape;
}

ParamValues drawnTurn(test::Drawn& drawn) {
  return {{"base", drawn.logarithmic(10, 1e6)}, {"pairing", drawn.oneOf({interleaved, half})}};
}

void expectNormsKept(const RotationPart& r, const std::vector<double>& x, std::int64_t tokens) {
  for (std::int64_t t = 0; t < tokens; ++t) {
    const std::vector<double> after = turned(r, x, t);
    ASSERT_NEAR(dotOf(after, after), dotOf(x, x), 1e-12 * dotOf(x, x)) << t;
  }
}

TEST(GridRotationInvariants, scoresOfPatchesSeeTheirTwoOffsets) {
  test::Drawn drawn("rope_2d");
  for (const auto& [height, width] : {std::pair{1, 1}, std::pair{1, 7}, std::pair{5, 2}, std::pair{3, 4}})
    for (const auto* variant : {"axial", "split_freq", "normalized"})
      for (const std::int64_t dim : {4, 12, 20}) {
        const auto prefix = drawn.oneOf<std::int64_t>({0, 1, 4});
        Shape shape = gridShape(height, width, dim);
        shape.seq_len += prefix;
        ParamValues values = drawnTurn(drawn);
        values["variant"] = std::string(variant);
        values["prefix_tokens"] = static_cast<double>(prefix);
        if (drawn.oneOf({true, false})) values["ref_shape"] = std::vector<double>{drawn.between(1, 20), 16};
        SCOPED_TRACE(testing::Message() << variant << ", " << height << " × " << width << ", " << dim);
        const RotationPart r = test::rotationOf("rope_2d", values, shape);
        const std::vector<double> x = drawn.normals(dim), y = drawn.normals(dim);
        expectNormsKept(r, x, shape.seq_len);
        std::map<std::pair<std::int64_t, std::int64_t>, double> scores;
        for (std::int64_t i = 0; i < height * width; ++i)
          for (std::int64_t j = 0; j < height * width; ++j) {
            const double score = scoreOf(r, x, y, prefix + i, prefix + j);
            const auto [known, is_new] = scores.try_emplace({i / width - j / width, i % width - j % width}, score);
            ASSERT_NEAR(score, known->second, 1e-10) << i << ", " << j;
          }
        std::set<std::int64_t> different;
        for (const auto& [offset, score] : scores) different.insert(std::llround(1e6 * score));
        EXPECT_TRUE(height * width == 1 || different.size() > 1);
        for (std::int64_t t = 0; t < prefix; ++t) EXPECT_EQ(turned(r, x, t), x) << "a class token does not turn";
      }
}

TEST(GridRotationInvariants, normalizedCentresForgetTheSizeOfAPatch) {
  test::Drawn drawn("sizes");
  for (const auto& [small, large] : {std::pair{2, 3}, std::pair{2, 5}, std::pair{3, 7}, std::pair{4, 5}})
    for (const std::int64_t dim : {4, 12, 20}) {
      const ParamValues turn = drawnTurn(drawn);
      const std::vector<double> x = drawn.normals(dim), y = drawn.normals(dim);
      const auto nextRow = [&](const char* variant, std::int64_t side) {
        ParamValues values = turn;
        values["variant"] = std::string(variant);
        return scoreOf(test::rotationOf("rope_2d", values, gridShape(side, side, dim)), x, y, side, 0);
      };
      EXPECT_NEAR(nextRow("axial", small), nextRow("axial", large), 1e-12);
      EXPECT_NEAR(nextRow("split_freq", small), nextRow("split_freq", large), 1e-12);
      EXPECT_GT(std::abs(nextRow("normalized", small) - nextRow("normalized", large)), 1e-6) << small << ", " << large;
    }
}

/// The halves of the pairs exchanged: what turned with the rows turns with the columns.
std::vector<double> exchanged(const RotationPart& r, const std::vector<double>& x) {
  std::vector<double> out = x;
  const std::int64_t quarter = r.pairs() / 2;
  for (std::int64_t p = 0; p < r.pairs(); ++p) {
    const std::int64_t other = (p + quarter) % r.pairs();
    out[static_cast<std::size_t>(r.firstDim(other))] = x[static_cast<std::size_t>(r.firstDim(p))];
    out[static_cast<std::size_t>(r.secondDim(other))] = x[static_cast<std::size_t>(r.secondDim(p))];
  }
  return out;
}

TEST(GridRotationInvariants, exchangingHeightAndWidthTransposes) {
  test::Drawn drawn("transposed");
  for (const auto& [height, width] : {std::pair{1, 7}, std::pair{5, 2}, std::pair{3, 4}})
    for (const auto* variant : {"axial", "normalized"})
      for (const std::int64_t dim : {4, 12, 20}) {
        ParamValues values = drawnTurn(drawn);
        values["variant"] = std::string(variant);
        const RotationPart upright = test::rotationOf("rope_2d", values, gridShape(height, width, dim));
        const RotationPart lying = test::rotationOf("rope_2d", values, gridShape(width, height, dim));
        const std::vector<double> x = drawn.normals(dim), y = drawn.normals(dim);
        const auto there = [&, w = width, h = height](std::int64_t t) { return t % w * h + t / w; };
        for (std::int64_t i = 0; i < height * width; ++i)
          for (std::int64_t j = 0; j < height * width; ++j)
            ASSERT_NEAR(scoreOf(upright, x, y, i, j),
                        scoreOf(lying, exchanged(lying, x), exchanged(lying, y), there(i), there(j)), 1e-10);
      }
}

/// Text, an image, text, a video, text; any of them may be missing.
std::vector<MediaSegment> drawnSegments(test::Drawn& drawn) {
  const auto count = [&](double most) { return static_cast<std::int64_t>(drawn.between(1, most + 1)); };
  std::vector<MediaSegment> segments;
  for (const MediaSegment& s :
       {MediaSegment{count(4), 0, 0}, MediaSegment{1, count(4), count(5)}, MediaSegment{count(3), 0, 0},
        MediaSegment{count(3), count(3), count(3)}, MediaSegment{count(4), 0, 0}})
    if (drawn.oneOf({true, true, false})) segments.push_back(s);
  if (segments.empty()) segments.push_back({1, 2, 3});
  return segments;
}

struct DrawnMedia {
  std::vector<MediaSegment> segments;
  Shape shape;
  ParamValues values;
};

DrawnMedia drawnMedia(test::Drawn& drawn) {
  DrawnMedia m{drawnSegments(drawn), {}, drawnTurn(drawn)};
  m.shape.seq_len = 0;
  std::vector<double> triples;
  for (const MediaSegment& s : m.segments) {
    m.shape.seq_len += s.tokens();
    for (const std::int64_t side : {s.time, s.height, s.width}) triples.push_back(static_cast<double>(side));
  }
  m.values["segments"] = triples;
  m.shape.head_dim = drawn.oneOf<std::int64_t>({6, 10, 34, 128});
  m.values["mode"] = drawn.oneOf<std::string>({"chunked", "interleaved"});
  if (std::get<std::string>(m.values["mode"]) == "chunked" && drawn.oneOf({true, false})) {
    const auto pairs = static_cast<double>(m.shape.head_dim / 2), time = std::floor(drawn.between(0, pairs + 1));
    const double rows = std::floor(drawn.between(0, pairs - time + 1));
    m.values["sections"] = std::vector<double>{time, rows, pairs - time - rows};
  }
  return m;
}

constexpr int trials = 40;

TEST(MediaRotationInvariants, scoresInsideAnImageSeeThreeOffsetsAndNoShift) {
  test::Drawn drawn("mrope");
  for (int t = 0; t < trials; ++t) {
    DrawnMedia m = drawnMedia(drawn);
    SCOPED_TRACE(testing::Message() << "trial " << t << ", " << m.shape.seq_len << " tokens");
    const RotationPart r = test::rotationOf("mrope", m.values, m.shape);
    m.shape.first_position = drawn.between(-100, 1000);
    const RotationPart later = test::rotationOf("mrope", m.values, m.shape);
    const std::vector<double> x = drawn.normals(m.shape.head_dim), y = drawn.normals(m.shape.head_dim);
    expectNormsKept(r, x, m.shape.seq_len);
    for (std::int64_t i = 0; i < m.shape.seq_len; ++i)
      ASSERT_NEAR(scoreOf(r, x, y, i, 0), scoreOf(later, x, y, i, 0), 1e-9) << i;
    std::int64_t first = 0;
    for (const MediaSegment& s : m.segments) {
      const auto placeOf = [&s](std::int64_t token) -> std::array<std::int64_t, 3> {
        if (s.isText()) return {token, 0, 0};
        return {token / (s.height * s.width), token / s.width % s.height, token % s.width};
      };
      std::map<std::array<std::int64_t, 3>, double> scores;
      for (std::int64_t i = 0; i < s.tokens(); ++i)
        for (std::int64_t j = 0; j < s.tokens(); ++j) {
          const auto a = placeOf(i), b = placeOf(j);
          const double score = scoreOf(r, x, y, first + i, first + j);
          const auto known = scores.try_emplace({a[0] - b[0], a[1] - b[1], a[2] - b[2]}, score).first;
          ASSERT_NEAR(score, known->second, 1e-10) << i << ", " << j;
        }
      first += s.tokens();
    }
  }
}

/// A picture takes as many positions as its longest side, not as many as its patches.
TEST(MediaRotationInvariants, whatFollowsAPictureStandsBehindItsLongestSide) {
  test::Drawn drawn("mrope positions");
  for (int t = 0; t < trials; ++t) {
    const DrawnMedia m = drawnMedia(drawn);
    const RotationPart r = test::rotationOf("mrope", m.values, m.shape);
    const auto position = [&](std::int64_t axis, std::int64_t token) {
      return r.position[static_cast<std::size_t>(axis * m.shape.seq_len + token)];
    };
    double start = 0;
    std::int64_t first = 0;
    for (const MediaSegment& s : m.segments) {
      for (std::int64_t axis = 0; axis < 3; ++axis) EXPECT_EQ(position(axis, first), start) << axis;
      for (std::int64_t i = first; s.isText() && i < first + s.tokens(); ++i)
        for (std::int64_t axis = 0; axis < 3; ++axis)
          ASSERT_EQ(position(axis, i), start + static_cast<double>(i - first)) << axis;
      start += static_cast<double>(s.isText() ? s.time : std::max({s.time, s.height, s.width}));
      first += s.tokens();
    }
  }
}

TEST(MediaRotationInvariants, textAloneIsPlainRope) {
  test::Drawn drawn("mrope text");
  for (int t = 0; t < trials; ++t) {
    DrawnMedia m = drawnMedia(drawn);
    const ParamValues plain{{"base", m.values["base"]}, {"pairing", m.values["pairing"]}};
    m.values.erase("segments");
    const RotationPart media = test::rotationOf("mrope", m.values, m.shape);
    const RotationPart text = test::rotationOf("rope", plain, m.shape);
    const std::vector<double> x = drawn.normals(m.shape.head_dim);
    for (std::int64_t i = 0; i < m.shape.seq_len; ++i) {
      const auto a = turned(media, x, i), b = turned(text, x, i);
      for (std::size_t d = 0; d < x.size(); ++d) ASSERT_NEAR(a[d], b[d], 1e-12) << i;
    }
  }
}

}  // namespace
}  // namespace posiscope
