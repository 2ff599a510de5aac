// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fourier_features.h"
#include "core/grid.h"
#include "core/parallel.h"
#include "core/schemes/learned_weights.h"
#include "core/schemes/schemes.h"

#include <numbers>

namespace posiscope::schemes {
namespace {

enum class Form { gaussian, banded };
enum class Points { line, grid };
enum class Span { unit, centered, positions };

struct FourierParams {
  Form form = Form::gaussian;
  FourierOrder order = FourierOrder::code;
  double sigma = 10;
  Array directions;  ///< (d_model / 2, axes)
  std::int64_t num_freqs = 10;
  bool use_pi = true;
  bool include_input = false;
  Points points = Points::line;
  Span span = Span::unit;
  Array coordinates;  ///< (seq_len, axes)
  std::int64_t seed = 1;
};

void addForms(ParamTable<FourierParams>& t) {
  using P = FourierParams;
  t.choice("form", &P::form, {{"gaussian", {"Gaussian", "高斯"}}, {"banded", {"octaves (NeRF)", "倍频程（NeRF）"}}},
           {{"frequencies", "频率"},
            {"Random directions, or powers of two along each coordinate.", "随机方向，或沿每个坐标取 2 的幂。"}});
  t.choice("order", &P::order,
           {{"code", {"sines, then cosines", "先正弦，后余弦"}}, {"paper", {"cosine, sine in turn", "余弦、正弦交替"}}},
           {{"columns", "列的排列"},
            {"The order in the authors' code, or in their paper.", "作者代码中的次序，或论文中的次序。"}})
      .when("form", {"gaussian"});
  t.real("sigma", &P::sigma, {0, 1e6, 0.1, 100, true},
         {{"spread σ", "标准差 σ"},
          {"Standard deviation of the random frequencies, in turns per unit of length.",
           "随机频率的标准差，单位为每单位长度的圈数。"},
          "",
          "turns"})
      .when("form", {"gaussian"});
  t.array("directions", &P::directions,
          {{"frequencies B", "频率矩阵 B"},
           {"A fixed matrix of shape (d_model / 2, axes) instead of a drawn one.",
            "固定的矩阵，形状 (d_model / 2, 坐标数)，取代抽取的矩阵。"},
           "b"})
      .when("form", {"gaussian"});
  t.integer("num_freqs", &P::num_freqs, {1, 64, 1, 16, false},
            {{"octaves", "倍频程数"},
             {"How many doublings of the frequency; columns that are left over are zero.",
              "频率翻倍的次数；多出的列为零。"}})
      .when("form", {"banded"});
  t.boolean("use_pi", &P::use_pi,
            {{"factor π", "乘 π"},
             {"sin(2ᵏπv) of the paper; off: sin(2ᵏv) of the released code.",
              "论文的 sin(2ᵏπv)；关闭时为公开代码的 sin(2ᵏv)。"}})
      .when("form", {"banded"});
  t.boolean("include_input", &P::include_input,
            {{"with the coordinates", "保留坐标"},
             {"The coordinates themselves fill the first columns.", "最前面的列是坐标本身。"}})
      .when("form", {"banded"});
}

ParamTable<FourierParams> fourierTable() {
  using P = FourierParams;
  ParamTable<P> t;
  addForms(t);
  t.choice("points", &P::points, {{"line", {"sequence", "序列"}}, {"grid", {"grid", "网格"}}},
           {{"points", "点"},
            {"What a token's coordinates are: its position, or row and column of its patch.",
             "词元的坐标：它的位置，或图块的行与列。"}});
  t.choice(
      "span", &P::span,
      {{"unit", {"0 to 1", "0 到 1"}}, {"centered", {"−1 to 1", "−1 到 1"}}, {"positions", {"positions", "位置编号"}}},
      {{"coordinates span", "坐标范围"},
       {"Stretched to 0 … 1 or to centres in −1 … 1 whatever the length, or the bare positions.",
        "不论长度都拉伸到 0 … 1，或取 −1 … 1 中各格的中心，或直接用位置编号。"}});
  t.array("coordinates", &P::coordinates,
          {{"coordinates", "坐标"},
           {"Points of your own, (seq_len, axes), instead of the ones above.",
            "自己的点，(seq_len, 坐标数)，取代上面的设置。"},
           "v"})
      .unset({"as set above", "如上设置"});
  addSeed(t);
  return t;
}

std::int64_t axesOf(const FourierParams& p) {
  if (!p.coordinates.empty()) return p.coordinates.shape.back();
  return p.points == Points::grid ? 2 : 1;
}

FourierBands bandsOf(const FourierParams& p) { return {p.num_freqs, p.use_pi, p.include_input}; }

/// How far neighbours are apart along an axis of `count` steps.
double stepOf(Span span, double count) {
  return span == Span::unit ? 1 / count : span == Span::centered ? 2 / count : 1;
}

double coordinate(Span span, double position, double count) {
  return span == Span::centered ? (position + 0.5) * 2 / count - 1 : position * stepOf(span, count);
}

Outcome checkWidth(const FourierParams& p, const Shape& shape) {
  const std::int64_t axes = axesOf(p);
  if (p.form == Form::banded) {
    const std::int64_t width = bandsOf(p).width(axes);
    if (width <= shape.d_model) return {};
    return fail(ErrorCode::bad_shape,
                join("fourier: ", p.num_freqs, " octaves of ", axes, " coordinates need d_model of at least ", width,
                     ", got ", shape.d_model),
                join("fourier：", axes, " 个坐标的 ", p.num_freqs, " 个倍频程要求 d_model 至少为 ", width, "，得到 ",
                     shape.d_model));
  }
  if (shape.d_model % 2 != 0)
    return fail(ErrorCode::bad_shape,
                join("fourier: d_model must be even (as many sines as cosines), got ", shape.d_model),
                join("fourier：d_model 必须为偶数（正弦与余弦一样多），得到 ", shape.d_model));
  return checkWeights("fourier", "directions", p.directions, {shape.d_model / 2, axes});
}

struct Fourier {
  Outcome check(const FourierParams& p, const Shape& shape) const {
    if (!p.coordinates.empty() && (p.coordinates.rank() != 2 || p.coordinates.shape[0] != shape.keys()))
      return fail(
          ErrorCode::bad_shape,
          join("fourier: coordinates must be (seq_len ", shape.keys(), ", axes), got ", shapeText(p.coordinates.shape)),
          join("fourier：coordinates 的形状必须是（seq_len ", shape.keys(), ", 坐标数），得到 ",
               shapeText(p.coordinates.shape)));
    if (p.coordinates.empty() && p.points == Points::grid)
      if (const Expected<Grid> grid = gridOf("fourier", shape); !grid) return fail(grid.error());
    if (Outcome ok = checkWidth(p, shape); !ok) return ok;
    return room<float>(p, shape);
  }

  template <class T>
  Expected<Encoding<T>> encode(const FourierParams& p, const Shape& shape) const {
    if (Outcome ok = room<T>(p, shape); !ok) return fail(ok.error());
    const Table<double> points = pointsOf(p, shape);
    const std::vector<double> drawn =
        p.form == Form::gaussian
            ? weightsOf<double>(p.directions, shape.d_model / 2 * points.cols, {p.seed, "fourier/directions", p.sigma})
            : std::vector<double>{};
    const Rows<double> directions{drawn.data(), shape.d_model / 2, points.cols};
    const FourierBands bands = bandsOf(p);
    Encoding<T> encoding;
    encoding.input.table = makeTable<T>(shape.keys(), shape.d_model);
    parallelBlocks(shape.keys(), 16, Job{}, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t t = begin; t < end; ++t) {
        const std::span<const double> point = points.row(t);
        const std::span<T> out = encoding.input.table.row(t);
        if (p.form == Form::gaussian)
          fourierFeatures(p.order, directions, point, out);
        else
          bandedFeatures(bands, point, out);
      }
    });
    if (p.coordinates.empty() && p.points == Points::line) encoding.input.frequency = turning(p, shape, directions);
    encoding.logit_scale = rootScale(shape);
    encoding.offset_only = false;
    return encoding;
  }

  std::string substitution(const FourierParams& p, const Shape& shape) const {
    if (p.form == Form::banded) return join("k = 0…", p.num_freqs - 1, p.use_pi ? ", π" : "");
    return join(p.directions.empty() ? "σ = " + screenNumber(p.sigma) + ", " : "", "m = ", shape.d_model / 2);
  }

 private:
  static Table<double> pointsOf(const FourierParams& p, const Shape& shape) {
    if (!p.coordinates.empty()) return {shape.keys(), p.coordinates.shape[1], *p.coordinates.values};
    Table<double> points = makeTable<double>(shape.keys(), axesOf(p));
    const Grid grid = p.points == Points::grid ? *gridOf("fourier", shape) : Grid{};
    for (std::int64_t t = 0; t < points.rows; ++t) {
      const std::span<double> point = points.row(t);
      if (p.points == Points::line) {
        point[0] = coordinate(p.span, shape.first_position + static_cast<double>(t), static_cast<double>(shape.keys()));
        continue;
      }
      point[0] = coordinate(p.span, static_cast<double>(grid.row(t)), static_cast<double>(grid.height));
      point[1] = coordinate(p.span, static_cast<double>(grid.column(t)), static_cast<double>(grid.width));
    }
    return points;
  }

  /// Radians per token of each pair; none when the row holds the coordinate itself beside its waves.
  static std::vector<double> turning(const FourierParams& p, const Shape& shape, Rows<double> directions) {
    const double step = stepOf(p.span, static_cast<double>(shape.keys()));
    std::vector<double> frequency;
    if (p.form == Form::gaussian)
      for (std::int64_t j = 0; j < directions.rows; ++j)
        frequency.push_back(2 * std::numbers::pi * std::abs(directions.row(j)[0]) * step);
    else if (!p.include_input)
      for (std::int64_t k = 0; k < p.num_freqs; ++k)
        frequency.push_back(std::ldexp(p.use_pi ? std::numbers::pi : 1.0, static_cast<int>(k)) * step);
    return frequency;
  }

  template <class T>
  static Outcome room(const FourierParams& p, const Shape& shape) {
    const auto axes = static_cast<double>(axesOf(p));
    const auto width = static_cast<double>(shape.d_model);
    return checkMemory("fourier: the table", static_cast<double>(shape.keys()) * (width * sizeof(T) + axes * 8) +
                                                 width / 2 * axes * sizeof(double));
  }
};

}  // namespace

Scheme fourier() {
  return makeScheme(
      {.id = "fourier",
       .name = {"Fourier features", "傅里叶特征"},
       .family = Family::absolute,
       .year = 2020,
       .reference = "Tancik et al. 2020, arXiv:2006.10739; NeRF, Mildenhall et al. 2020, arXiv:2003.08934",
       .summary = {"Sines and cosines of a point's coordinates along random directions, or in octaves.",
                   "点的坐标沿随机方向（或按倍频程）的正弦和余弦。"}},
      fourierTable(), Fourier{});
}

}  // namespace posiscope::schemes
