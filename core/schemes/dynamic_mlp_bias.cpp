// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dot.h"
#include "core/parallel.h"
#include "core/schemes/learned_weights.h"
#include "core/schemes/offset_table.h"
#include "core/schemes/schemes.h"

#include <cmath>

namespace posiscope::schemes {
namespace {

struct MlpBiasParams {
  std::int64_t depth = 2;  ///< layers with an activation
  std::int64_t width = 32;
  bool log_distance = true;
  Array w_in, b_in;          ///< (width, 1), (width,)
  Array w_hidden, b_hidden;  ///< (depth − 1, width, width), (depth − 1, width)
  Array w_out, b_out;        ///< (heads, width), (heads,)
  std::int64_t seed = 1;
};

ParamTable<MlpBiasParams> mlpBiasTable() {
  using P = MlpBiasParams;
  ParamTable<P> t;
  t.integer("depth", &P::depth, {1, 16, 1, 6, false},
            {{"depth", "深度"}, {"Layers with an activation, before the last one.", "最后一层之前带激活函数的层数。"}});
  t.integer("width", &P::width, {1, 1024, 1, 256, true},
            {{"width", "宽度"}, {"Units of each of these layers.", "这些层的单元数。"}});
  t.boolean("log_distance", &P::log_distance,
            {{"log distance", "对数距离"},
             {"Feeds sign(n)·ln(|n| + 1) instead of n; raw distances reach thousands.",
              "输入 sign(n)·ln(|n| + 1) 而不是 n；原始距离可达数千。"}});
  t.array("w_in", &P::w_in,
          {{"first weights", "第一层权重"}, {"Weights of shape (width, 1).", "权重，形状 (width, 1)。"}, "W0"});
  t.array("b_in", &P::b_in, {{"first bias", "第一层偏置"}, {"Bias of shape (width,).", "偏置，形状 (width,)。"}, "b0"});
  t.array("w_hidden", &P::w_hidden,
          {{"hidden weights", "隐藏层权重"},
           {"Weights of shape (depth − 1, width, width).", "权重，形状 (depth − 1, width, width)。"}});
  t.array(
      "b_hidden", &P::b_hidden,
      {{"hidden biases", "隐藏层偏置"}, {"Biases of shape (depth − 1, width).", "偏置，形状 (depth − 1, width)。"}});
  t.array("w_out", &P::w_out,
          {{"last weights", "末层权重"}, {"Weights of shape (heads, width).", "权重，形状 (头数, width)。"}});
  t.array("b_out", &P::b_out, {{"last bias", "末层偏置"}, {"Bias of shape (heads,).", "偏置，形状 (头数,)。"}})
      .unset({"0", "0"});
  addSeed(t);
  return t;
}

/// x·σ(x); the exponential never overflows into NaN.
double silu(double x) { return x / (1.0 + std::exp(-x)); }

/// The network of one number, in double for both scalars.
class Network {
 public:
  Network(const MlpBiasParams& p, std::int64_t heads) : width_(p.width) {
    const auto drawing = [&p](const char* name, std::int64_t inputs) {
      return Drawing{p.seed, join("dynamic_mlp_bias/", name), 1.0 / std::sqrt(static_cast<double>(inputs))};
    };
    const std::int64_t hidden = p.depth - 1;
    w_in_ = weightsOf<double>(p.w_in, width_, drawing("w_in", 1));
    b_in_ = weightsOf<double>(p.b_in, width_, drawing("b_in", 1));
    w_hidden_ = weightsOf<double>(p.w_hidden, hidden * width_ * width_, drawing("w_hidden", width_));
    b_hidden_ = weightsOf<double>(p.b_hidden, hidden * width_, drawing("b_hidden", width_));
    w_out_ = weightsOf<double>(p.w_out, heads * width_, drawing("w_out", width_));
    b_out_ = weightsOf<double>(p.b_out, heads, 0.0);
  }

  /// One value a head.
  void evaluate(double x, std::span<double> out) const {
    const auto width = static_cast<std::size_t>(width_);
    std::vector<double> units(width);
    std::vector<double> next(width);
    for (std::size_t u = 0; u < width; ++u) units[u] = silu(w_in_[u] * x + b_in_[u]);
    for (std::size_t layer = 0; layer * width < b_hidden_.size(); ++layer) {
      for (std::size_t u = 0; u < width; ++u) {
        const std::size_t unit = layer * width + u;
        next[u] = silu(dot<double>({w_hidden_.data() + unit * width, width}, units) + b_hidden_[unit]);
      }
      units.swap(next);
    }
    for (std::size_t h = 0; h < out.size(); ++h)
      out[h] = dot<double>({w_out_.data() + h * width, width}, units) + b_out_[h];
  }

 private:
  std::int64_t width_;
  std::vector<double> w_in_, b_in_, w_hidden_, b_hidden_, w_out_, b_out_;
};

double inputOf(const MlpBiasParams& p, std::int64_t n) {
  const auto distance = static_cast<double>(n);
  return p.log_distance ? std::copysign(std::log1p(std::abs(distance)), distance) : distance;
}

struct MlpBias {
  Outcome check(const MlpBiasParams& p, const Shape& shape) const {
    const auto ok = [](std::string_view key, const Array& array, const std::vector<std::int64_t>& wanted) {
      return checkWeights("dynamic_mlp_bias", key, array, wanted);
    };
    const std::int64_t hidden = p.depth - 1;
    for (const Outcome& outcome :
         {ok("w_in", p.w_in, {p.width, 1}), ok("b_in", p.b_in, {p.width}),
          ok("w_hidden", p.w_hidden, {hidden, p.width, p.width}), ok("b_hidden", p.b_hidden, {hidden, p.width}),
          ok("w_out", p.w_out, {shape.num_heads, p.width}), ok("b_out", p.b_out, {shape.num_heads})})
      if (!outcome) return outcome;
    return checkOffsetBias("dynamic_mlp_bias", shape, sizeof(double));
  }

  template <class T>
  Encoding<T> encode(const MlpBiasParams& p, const Shape& shape) const {
    const Network network(p, shape.num_heads);
    const std::int64_t farthest = shape.keys() - 1;
    Table<double> by_offset = makeTable<double>(2 * farthest + 1, shape.num_heads);
    parallelBlocks(by_offset.rows, 64, Job{}, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t r = begin; r < end; ++r) network.evaluate(inputOf(p, r - farthest), by_offset.row(r));
    });
    Encoding<T> encoding;
    encoding.logits.bias = offsetBias<T>(shape, [&](std::int64_t head) {
      return [&by_offset, farthest, h = static_cast<std::size_t>(head)](std::int64_t n) {
        return by_offset.row(n + farthest)[h];
      };
    });
    std::get<OffsetBias<T>>(encoding.logits.bias).term = [logarithm = p.log_distance](std::int64_t head,
                                                                                      std::int64_t n) {
      const std::string offset = screenNumber(static_cast<double>(n));
      const std::string input = logarithm ? std::string(n < 0 ? "−" : "") + "ln(1 + |" + offset + "|)" : offset;
      return "MLP" + subscript(head) + "(" + input + ")";
    };
    encoding.logit_scale = rootScale(shape);
    return encoding;
  }

  SchemeCost cost(const MlpBiasParams& p, const Shape& shape) const {
    return {.learned = 2 * p.width + (p.depth - 1) * p.width * (p.width + 1) + shape.num_heads * (p.width + 1)};
  }

  std::string substitution(const MlpBiasParams& p, const Shape& shape) const {
    std::string layers = "MLP 1";
    for (std::int64_t l = 0; l < p.depth; ++l) layers += join("–", p.width);
    return join(layers, "–", shape.num_heads);
  }
};

}  // namespace

Scheme dynamicMlpBias() {
  return makeScheme({.id = "dynamic_mlp_bias",
                     .name = {"Dynamic MLP bias", "动态 MLP 偏置"},
                     .family = Family::bias,
                     .year = 2021,
                     .reference = "Wang et al. 2021 (CrossFormer), arXiv:2108.00154; x-transformers",
                     .summary = {"A small network of the signed distance gives every head's bias.",
                                 "由带符号距离的小型网络给出每个头的偏置。"}},
                    mlpBiasTable(), MlpBias{});
}

}  // namespace posiscope::schemes
