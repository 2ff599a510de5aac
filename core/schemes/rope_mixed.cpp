// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rotary_grid.h"
#include "core/schemes/grid_rotation.h"
#include "core/schemes/learned_weights.h"
#include "core/schemes/rotary_scheme.h"
#include "core/schemes/schemes.h"

#include <numbers>

namespace posiscope::schemes {
namespace {

struct RopeMixedParams : RotaryParams {
  RopeMixedParams() { base = 10; }
  Array freqs;  ///< (2, heads, head_dim/2), x first
  Array phi;    ///< (heads,), radians
  std::int64_t prefix_tokens = 0;
  std::int64_t seed = 1;
};
using P = RopeMixedParams;

ParamTable<P> ropeMixedTable() {
  ParamTable<P> t;
  t.include(turnTable());
  t.array("freqs", &P::freqs,
          {{"coefficients", "系数"},
           {"Learned angle per step, shape (2, heads, head_dim/2), x first; empty means the start values.",
            "学到的每步角度，形状 (2, 头数, head_dim/2)，x 在前；空表示初始值。"}})
      .unset({"the start values", "初始值"});
  t.array("phi", &P::phi,
          {{"directions", "方向"},
           {"Start direction φ of each head in radians, shape (heads,); 0 is axial.",
            "各头的初始方向 φ（弧度），形状 (头数,)；0 即按轴。"}});
  addPrefix(t);
  addSeed(t);
  return t;
}

std::vector<double> directions(const P& p, const Shape& shape) {
  if (!p.phi.empty()) return *p.phi.values;
  // Each layer learns directions of its own.
  const Stream stream(static_cast<std::uint64_t>(p.seed), join("rope_mixed/phi/", shape.layer));
  std::vector<double> phi;
  for (std::int64_t h = 0; h < shape.num_heads; ++h)
    phi.push_back(2 * std::numbers::pi * stream.unit(static_cast<std::uint64_t>(h), 0));
  return phi;
}

/// [sets, axes, pairs] with y first, of [2, heads, pairs] with x first.
std::vector<double> bySet(const std::vector<double>& coefficients, std::int64_t heads) {
  const std::size_t half = coefficients.size() / 2;
  const std::size_t pairs = half / static_cast<std::size_t>(heads);
  std::vector<double> frequency;
  for (std::size_t h = 0; h < static_cast<std::size_t>(heads); ++h)
    for (const std::size_t axis : {half, std::size_t{0}})
      for (std::size_t k = 0; k < pairs; ++k) frequency.push_back(coefficients[axis + h * pairs + k]);
  return frequency;
}

struct RopeMixed {
  Outcome check(const P& p, const Shape& shape) const {
    if (Outcome ok = checkGridHead("rope_mixed", shape.head_dim); !ok) return ok;
    if (Outcome ok = checkRotary("rope_mixed", p, shape.head_dim); !ok) return ok;
    if (Outcome ok = checkWeights("rope_mixed", "freqs", p.freqs, {2, shape.num_heads, shape.head_dim / 2}); !ok)
      return ok;
    if (Outcome ok = checkWeights("rope_mixed", "phi", p.phi, {shape.num_heads}); !ok) return ok;
    const Expected<Grid> grid = gridOf("rope_mixed", shape, p.prefix_tokens);
    return grid ? Outcome{} : fail(grid.error());
  }

  template <class T>
  Encoding<T> encode(const P& p, const Shape& shape) const {
    RotationPart rotation;
    rotation.pairing = p.pairing;
    rotation.rotary_dim = shape.head_dim;
    rotation.sets = shape.num_heads;
    rotation.axes = 2;
    rotation.frequency =
        bySet(p.freqs.empty() ? mixedFrequencies(p.base, shape.head_dim, directions(p, shape)) : *p.freqs.values,
              shape.num_heads);
    rotation.position = gridPositions(*gridOf("rope_mixed", shape, p.prefix_tokens), p.prefix_tokens);
    Encoding<T> encoding;
    encoding.warnings = rotaryWarnings(p, shape.head_dim, shape.keys());
    encoding.rotation = std::move(rotation);
    encoding.prefix_tokens = p.prefix_tokens;
    encoding.logit_scale = rootScale(shape);
    encoding.offset_only = false;  // of the offset in two dimensions
    return encoding;
  }

  SchemeCost cost(const P&, const Shape& shape) const { return {.learned = shape.num_heads * shape.head_dim}; }

  std::string substitution(const P& p, const Shape& shape) const {
    const Grid grid = *gridOf("rope_mixed", shape, p.prefix_tokens);
    const std::string start = p.freqs.empty() ? join(", θ = ", screenNumber(p.base)) : std::string{};
    return join(grid.height, " × ", grid.width, ", H = ", shape.num_heads, start, ", k = 0…", shape.head_dim / 2 - 1);
  }
};

}  // namespace

Scheme ropeMixed() {
  return makeScheme({.id = "rope_mixed",
                     .name = {"RoPE-Mixed", "混合方向 RoPE"},
                     .family = Family::rotary,
                     .year = 2024,
                     .reference = "Heo et al. 2024, arXiv:2403.13298",
                     .summary = {"Turns each pair along a direction of the image that each head learns.",
                                 "每个维度对沿图像中的一个方向旋转，方向由各头学习。"}},
                    ropeMixedTable(), RopeMixed{});
}

}  // namespace posiscope::schemes
