// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base_range.h"
#include "core/grid.h"
#include "core/schemes/schemes.h"
#include "core/sinusoidal_axes.h"

namespace posiscope::schemes {
namespace {

struct BoxParams {
  std::vector<double> sizes;
  AxesColumns columns = AxesColumns::concatenated;
  SinusoidalFrequencies frequencies = SinusoidalFrequencies::paper;
  double base = 10000;
};

ParamTable<BoxParams> boxTable() {
  using P = BoxParams;
  ParamTable<P> t;
  t.list("sizes", &P::sizes,
         {{"sizes", "各轴长度"},
          {"Length of each axis, slowest first, e.g. [frames, height, width]; empty means the grid.",
           "各轴的长度，变化最慢的在前，例如 [帧数, 高, 宽]；留空表示网格。"},
          "shape"})
      .unset({"the grid", "网格"});
  t.choice("columns", &P::columns,
           {{"concatenated", {"sine and cosine blocks", "正弦块、余弦块"}},
            {"interleaved", {"interleaved", "交错"}},
            {"sin_then_cos", {"all sines, then all cosines", "先全部正弦，后全部余弦"}}},
           {{"columns", "列的排列"},
            {"The order of sines and cosines: inside each axis, or for all axes together.",
             "正弦和余弦的次序：在每个坐标轴之内，或所有轴一起排列。"},
            "layout"});
  t.choice("frequencies", &P::frequencies, {{"paper", {"paper", "论文"}}, {"endpoint", {"endpoint", "端点"}}},
           {{"frequencies", "频率间隔"},
            {"b^(−i/q), or tensor2tensor's b^(−i/(q − 1)).", "b^(−i/q)，或 tensor2tensor 的 b^(−i/(q − 1))。"},
            "freq"});
  t.real("base", &P::base, base_range,
         {{"base", "底数"}, {"Sets how slowly the last pair turns.", "决定最后一对转得有多慢。"}, "temperature"});
  return t;
}

/// The sides given, or the two of the grid. Errors: out_of_range, bad_shape.
Expected<std::vector<std::int64_t>> sidesOf(const BoxParams& p, const Shape& shape) {
  if (p.sizes.empty()) {
    const Expected<Grid> grid = gridOf("sinusoidal_nd", shape);
    if (!grid) return fail(grid.error());
    return std::vector<std::int64_t>{grid->height, grid->width};
  }
  std::vector<std::int64_t> sides;
  double tokens = 1;
  for (const double side : p.sizes) {
    if (!(side >= 1 && side <= 1 << 24) || side != static_cast<double>(static_cast<std::int64_t>(side)))
      return fail(rangeError("sinusoidal_nd", "each of sizes", 1, 1 << 24, side));
    sides.push_back(static_cast<std::int64_t>(side));
    tokens *= side;
  }
  if (tokens == static_cast<double>(shape.keys())) return sides;
  return fail(ErrorCode::bad_shape,
              join("sinusoidal_nd: seq_len must be the product of sizes ", valueText(p.sizes), " = ",
                   screenNumber(tokens), ", got ", shape.keys()),
              join("sinusoidal_nd：seq_len 必须等于 sizes ", valueText(p.sizes), " 之积 ", screenNumber(tokens),
                   "，得到 ", shape.keys()));
}

struct SinusoidalNd {
  Outcome check(const BoxParams& p, const Shape& shape) const {
    const auto sides = sidesOf(p, shape);
    if (!sides) return fail(sides.error());
    const auto axes = static_cast<std::int64_t>(sides->size());
    if (frequenciesPerAxis(shape.d_model, axes) == 0)
      return fail(
          ErrorCode::bad_shape,
          join("sinusoidal_nd: d_model must be at least ", 2 * axes, " (a sine and a cosine for each of ", axes,
               " axes), got ", shape.d_model),
          join("sinusoidal_nd：d_model 至少为 ", 2 * axes, "（", axes, " 个轴各有正弦和余弦），得到 ", shape.d_model));
    return room<float>(shape, axes);
  }

  template <class T>
  Expected<Encoding<T>> encode(const BoxParams& p, const Shape& shape) const {
    const std::vector<std::int64_t> sides = *sidesOf(p, shape);
    if (Outcome ok = room<T>(shape, static_cast<std::int64_t>(sides.size())); !ok) return fail(ok.error());
    std::vector<std::vector<double>> coordinates(sides.size());
    std::int64_t inner = 1;  // tokens between two steps of an axis; the last axis is the fastest
    for (std::size_t a = sides.size(); a-- > 0; inner *= sides[a])
      for (std::int64_t t = 0; t < shape.keys(); ++t)
        coordinates[a].push_back(static_cast<double>(t / inner % sides[a]));
    Encoding<T> encoding;
    encoding.input.table = sinusoidalAxesTable<T>({p.columns, p.frequencies, p.base}, coordinates, shape.d_model);
    encoding.logit_scale = rootScale(shape);
    encoding.offset_only = false;
    encoding.warnings = baseWarnings(p.base);
    return encoding;
  }

  std::string substitution(const BoxParams& p, const Shape& shape) const {
    const auto sides = sidesOf(p, shape);
    if (!sides) return {};
    std::string box;
    for (const std::int64_t side : *sides) box += (box.empty() ? "" : " × ") + join(side);
    return join("b = ", screenNumber(p.base), ", ", box,
                ", q = ", frequenciesPerAxis(shape.d_model, static_cast<std::int64_t>(sides->size())));
  }

 private:
  template <class T>
  static Outcome room(const Shape& shape, std::int64_t axes) {
    const double row = static_cast<double>(shape.d_model) * sizeof(T) + static_cast<double>(axes) * sizeof(double);
    return checkMemory("sinusoidal_nd: the table", static_cast<double>(shape.keys()) * row);
  }
};

}  // namespace

Scheme sinusoidalNd() {
  return makeScheme({.id = "sinusoidal_nd",
                     .name = {"Sinusoidal n-D", "多维正弦位置编码"},
                     .family = Family::absolute,
                     .year = 2018,
                     .reference = "tensor2tensor, Vaswani et al. 2018, arXiv:1803.07416",
                     .summary = {"Each axis of a video or volume has a block of sines and cosines of its own.",
                                 "视频或体数据的每个坐标轴各占一块正弦和余弦。"}},
                    boxTable(), SinusoidalNd{});
}

}  // namespace posiscope::schemes
