// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/grid.h"
#include "core/parallel.h"
#include "core/schemes/learned_weights.h"
#include "core/schemes/schemes.h"

#include <algorithm>
#include <memory>

namespace posiscope::schemes {
namespace {

enum class Padding { zero, circular, edge };

struct ConditionalParams {
  Padding padding = Padding::zero;
  std::int64_t kernel = 3;
  bool residual = true;
  std::int64_t stacked = 1;
  std::int64_t prefix_tokens = 0;
  double std = 0.1;
  Array weight;  ///< (d_model, kernel, kernel)
  Array bias;    ///< (d_model,)
  std::int64_t seed = 1;
};

ParamTable<ConditionalParams> conditionalTable() {
  using P = ConditionalParams;
  ParamTable<P> t;
  t.choice(
      "padding", &P::padding,
      {{"zero", {"zeros", "零"}}, {"circular", {"around the edge", "循环"}}, {"edge", {"edge repeated", "重复边缘"}}},
      {{"outside the picture", "图像之外"},
       {"What the kernel sees beyond the border; only zeros tell patches where they are.",
        "卷积核在边界之外看到什么；只有零能告诉图块自己在哪里。"}});
  t.integer("kernel", &P::kernel, {1, 31, 1, 15, false},
            {{"kernel", "卷积核"}, {"Width and height of the kernel, odd.", "卷积核的宽和高，奇数。"}, "", "patches"});
  t.boolean("residual", &P::residual,
            {{"residual", "残差"},
             {"Adds the convolution to x; off: replaces x by it.", "卷积结果加到 x 上；关闭时取代 x。"}});
  t.integer("stacked", &P::stacked, {1, 64, 1, 8, false},
            {{"times", "次数"},
             {"How often it is applied; each time the border reaches one patch further in.",
              "应用的次数；每次边界的影响向内推进一个图块。"}});
  t.integer(
      "prefix_tokens", &P::prefix_tokens, {0, 1024, 0, 8, false},
      {{"prefix tokens", "前缀词元数"},
       {"Tokens before the patches (class token) that are left as they are.", "图块之前保持不变的词元（类别词元）。"},
       "",
       "tokens"});
  t.real("std", &P::std, {0, 100, 0.01, 1, true},
         {{"std", "标准差"}, {"Spread of a kernel that is drawn.", "随机抽取的卷积核的标准差。"}});
  t.array("weight", &P::weight,
          {{"kernels", "卷积核权重"},
           {"One for each channel, (d_model, kernel, kernel).", "每个通道一个，(d_model, 核, 核)。"}});
  t.array("bias", &P::bias,
          {{"bias", "偏置"}, {"b of shape (d_model,); 0 when not given.", "b，形状 (d_model,)；未给出时为 0。"}})
      .unset({"0", "0"});
  addSeed(t);
  return t;
}

template <class T>
struct Convolution {
  Grid grid;
  std::int64_t kernel;
  std::int64_t channels;
  Padding padding;
  bool residual;
  std::vector<T> weight;  ///< [kernel, kernel, channels]: channels side by side
  std::vector<T> bias;

  /// The place that stands for `place` on an axis of `side` places; −1 = zero.
  std::int64_t inside(std::int64_t place, std::int64_t side) const {
    if (place >= 0 && place < side) return place;
    if (padding == Padding::edge) return std::clamp<std::int64_t>(place, 0, side - 1);
    return padding == Padding::circular ? (place % side + side) % side : -1;
  }

  /// One pass over the patches, not in place; a cross-correlation, the kernel is not flipped.
  void apply(const T* x, T* out) const {
    const std::int64_t reach = kernel / 2;
    parallelBlocks(grid.height, 1, Job{}, [&](std::int64_t y, std::int64_t) {
      for (std::int64_t column = 0; column < grid.width; ++column) {
        T* to = out + (y * grid.width + column) * channels;
        const T* centre = x + (y * grid.width + column) * channels;
        for (std::int64_t c = 0; c < channels; ++c)
          to[c] = bias[static_cast<std::size_t>(c)] + (residual ? centre[c] : T(0));
        for (std::int64_t tap = 0; tap < kernel * kernel; ++tap) {
          const std::int64_t row = inside(y + tap / kernel - reach, grid.height);
          const std::int64_t other = inside(column + tap % kernel - reach, grid.width);
          if (row < 0 || other < 0) continue;
          const T* from = x + (row * grid.width + other) * channels;
          const T* taps = weight.data() + tap * channels;
          for (std::int64_t c = 0; c < channels; ++c) to[c] += taps[c] * from[c];
        }
      }
    });
  }
};

struct Conditional {
  Outcome check(const ConditionalParams& p, const Shape& s) const {
    if (const Expected<Grid> grid = gridOf("conditional", s, p.prefix_tokens); !grid) return fail(grid.error());
    if (p.kernel % 2 == 0)
      return fail(ErrorCode::out_of_range, join("conditional: kernel must be odd, to have a centre, got ", p.kernel),
                  join("conditional：kernel 必须为奇数才有中心，得到 ", p.kernel));
    if (Outcome ok = checkWeights("conditional", "weight", p.weight, {s.d_model, p.kernel, p.kernel}); !ok) return ok;
    if (Outcome ok = checkWeights("conditional", "bias", p.bias, {s.d_model}); !ok) return ok;
    const double rows = static_cast<double>(s.keys()) + 2.0 * static_cast<double>(p.kernel * p.kernel);
    return checkMemory("conditional: the picture", rows * static_cast<double>(s.d_model) * sizeof(double));
  }

  template <class T>
  Encoding<T> encode(const ConditionalParams& p, const Shape& shape) const {
    auto convolution = std::make_shared<const Convolution<T>>(convolutionOf<T>(p, shape));
    const std::int64_t prefix = p.prefix_tokens * shape.d_model;
    Encoding<T> encoding;
    encoding.logit_scale = rootScale(shape);
    encoding.offset_only = false;
    encoding.prefix_tokens = p.prefix_tokens;
    encoding.input.entry = InputEntry::after_first_layer;
    encoding.input.patch_reach = p.stacked * (p.kernel / 2);
    encoding.input.transform = [convolution, prefix, times = p.stacked](Rows<T> x, std::span<T> out) {
      std::vector<T> from(x.data, x.data + x.rows * x.cols);
      for (std::int64_t pass = 0; pass < times; ++pass) {
        if (pass > 0) std::ranges::copy(out, from.begin());
        std::copy_n(from.begin(), prefix, out.begin());
        convolution->apply(from.data() + prefix, out.data() + prefix);
      }
    };
    return encoding;
  }

  SchemeCost cost(const ConditionalParams& p, const Shape& shape) const {
    const std::int64_t taps = shape.d_model * p.kernel * p.kernel;
    return {.learned = taps + shape.d_model, .per_token = taps * p.stacked};
  }

  std::string substitution(const ConditionalParams& p, const Shape& shape) const {
    const Expected<Grid> grid = gridOf("conditional", shape, p.prefix_tokens);
    if (!grid) return {};
    return join(grid->height, " × ", grid->width, ", ", p.kernel, " × ", p.kernel, p.stacked > 1 ? ", × " : "",
                p.stacked > 1 ? join(p.stacked) : "");
  }

 private:
  template <class T>
  static Convolution<T> convolutionOf(const ConditionalParams& p, const Shape& shape) {
    const std::int64_t taps = p.kernel * p.kernel;
    const std::vector<T> by_channel =
        weightsOf<T>(p.weight, shape.d_model * taps, {p.seed, "conditional/weight", p.std});
    Convolution<T> c{*gridOf("conditional", shape, p.prefix_tokens),
                     p.kernel,
                     shape.d_model,
                     p.padding,
                     p.residual,
                     std::vector<T>(by_channel.size()),
                     weightsOf<T>(p.bias, shape.d_model, 0.0)};
    for (std::int64_t channel = 0; channel < c.channels; ++channel)
      for (std::int64_t tap = 0; tap < taps; ++tap)
        c.weight[static_cast<std::size_t>(tap * c.channels + channel)] =
            by_channel[static_cast<std::size_t>(channel * taps + tap)];
    return c;
  }
};

}  // namespace

Scheme conditional() {
  return makeScheme(
      {.id = "conditional",
       .name = {"Conditional (PEG)", "条件位置编码（PEG）"},
       .family = Family::content,
       .year = 2021,
       .reference = "CPVT, Chu et al. 2021, arXiv:2102.10882",
       .summary = {"A small convolution over the patches; its zero padding tells them where the border is.",
                   "在图块上做一次小卷积；零填充让图块知道边界在哪里。"}},
      conditionalTable(), Conditional{});
}

}  // namespace posiscope::schemes
