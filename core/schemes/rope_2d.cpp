// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rotary_grid.h"
#include "core/schemes/grid_rotation.h"
#include "core/schemes/rotary_scheme.h"
#include "core/schemes/schemes.h"

#include <algorithm>
#include <numbers>

namespace posiscope::schemes {
namespace {

enum class Variant { axial, split_freq, normalized };

struct Rope2dParams : RotaryParams {
  Variant variant = Variant::axial;
  std::vector<double> ref_shape;
  std::int64_t prefix_tokens = 0;
};
using P = Rope2dParams;

ParamTable<P> rope2dTable() {
  ParamTable<P> t;
  t.include(turnTable());
  t.choice("variant", &P::variant,
           {{"axial", {"axial", "按轴"}},
            {"split_freq", {"axes share the list (Pixtral)", "两轴分用频率（Pixtral）"}},
            {"normalized", {"centres in −1 … 1 (DINOv3)", "中心归一到 −1 … 1（DINOv3）"}}},
           {{"variant", "变体"}, {"Which frequencies and coordinates each axis gets.", "每个轴使用哪些频率和坐标。"}});
  t.list("ref_shape", &P::ref_shape,
         {{"reference grid", "参考网格"},
          {"Coordinates are stretched to this height and width (EVA-02); empty means not.",
           "把坐标拉伸到这个高和宽（EVA-02）；空表示不拉伸。"},
          "pt_seq_len"})
      .unset({"none", "不拉伸"});
  addPrefix(t);
  return t;
}

Outcome checkReference(const std::vector<double>& ref_shape) {
  const bool sides =
      ref_shape.size() == 2 && std::ranges::all_of(ref_shape, [](double side) { return side > 0 && side <= 1e6; });
  if (ref_shape.empty() || sides) return {};
  const std::string found = valueText(ref_shape);
  return fail(ErrorCode::bad_value,
              join("rope_2d: ref_shape must be a height and a width above 0, such as [16,16], got ", found),
              join("rope_2d：ref_shape 必须是大于 0 的高和宽，如 [16,16]，得到 ", found));
}

struct Rope2d {
  Outcome check(const P& p, const Shape& shape) const {
    if (Outcome ok = checkGridHead("rope_2d", shape.head_dim); !ok) return ok;
    if (Outcome ok = checkRotary("rope_2d", p, shape.head_dim); !ok) return ok;
    if (Outcome ok = checkReference(p.ref_shape); !ok) return ok;
    const Expected<Grid> grid = gridOf("rope_2d", shape, p.prefix_tokens);
    return grid ? Outcome{} : fail(grid.error());
  }

  template <class T>
  Encoding<T> encode(const P& p, const Shape& shape) const {
    const Grid grid = *gridOf("rope_2d", shape, p.prefix_tokens);
    RotationPart rotation;
    rotation.pairing = p.pairing;
    rotation.rotary_dim = shape.head_dim;
    rotation.axes = 2;
    rotation.frequency = p.variant == Variant::split_freq ? splitFrequencies(p.base, shape.head_dim)
                                                          : axialFrequencies(p.base, shape.head_dim);
    if (p.variant == Variant::normalized) {
      for (double& w : rotation.frequency) w *= 2 * std::numbers::pi;
      rotation.position = normalizedPositions(grid, p.prefix_tokens);
    } else if (p.ref_shape.empty()) {
      rotation.position = gridPositions(grid, p.prefix_tokens);
    } else {
      rotation.position = gridPositions(grid, p.prefix_tokens, p.ref_shape[0] / static_cast<double>(grid.height),
                                        p.ref_shape[1] / static_cast<double>(grid.width));
    }
    Encoding<T> encoding;
    encoding.warnings = rotaryWarnings(p, shape.head_dim, shape.keys());
    encoding.rotation = std::move(rotation);
    encoding.prefix_tokens = p.prefix_tokens;
    encoding.logit_scale = rootScale(shape);
    encoding.offset_only = false;  // of the offset in two dimensions
    return encoding;
  }

  std::string substitution(const P& p, const Shape& shape) const {
    const Grid grid = *gridOf("rope_2d", shape, p.prefix_tokens);
    return join(grid.height, " × ", grid.width, ", b = ", screenNumber(p.base), ", q = ", shape.head_dim / 4);
  }
};

}  // namespace

Scheme rope2d() {
  return makeScheme({.id = "rope_2d",
                     .name = {"RoPE-2D", "二维 RoPE"},
                     .family = Family::rotary,
                     .year = 2023,
                     .reference = "Fang et al. 2023 (EVA-02), arXiv:2303.11331",
                     .summary = {"Turns half of the pairs by a patch's row and half by its column.",
                                 "一半维度对按图块的行旋转，另一半按列旋转。"}},
                    rope2dTable(), Rope2d{});
}

}  // namespace posiscope::schemes
