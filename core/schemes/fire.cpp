// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/fire.h"

#include "core/schemes/learned_weights.h"
#include "core/schemes/schemes.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace posiscope::schemes {

double fireLog(const FireParams& params, double x) { return std::log1p(std::abs(params.c) * x); }

double fireInput(const FireParams& params, double position, double distance) {
  return fireLog(params, distance) / (fireLog(params, std::max(position, params.threshold_length)) + params.epsilon);
}

namespace {

ParamTable<FireParams> fireTable() {
  using P = FireParams;
  ParamTable<P> t;
  t.real(
      "c", &P::c, {-1e6, 1e6, 0.001, 10, true},
      {{"c", "c"}, {"Learned; |c| stretches the distances inside the logarithm.", "可学习；|c| 在对数内拉伸距离。"}});
  t.real("threshold_length", &P::threshold_length, {0, 1e9, 1, 8192, true},
         {{"threshold", "阈值长度"},
          {"Queries up to this position share one normaliser, so short texts keep their detail.",
           "不超过此位置的查询共用一个归一化值，使短文本保留细节。"},
          "L",
          "tokens"});
  t.integer("width", &P::width, {1, 4096, 1, 256, true},
            {{"network width", "网络宽度"}, {"Hidden units of the network.", "网络的隐藏单元数。"}, "mlp_width"});
  t.real("epsilon", &P::epsilon, {1e-12, 1, 1e-9, 0.001, true},
         {{"epsilon", "ε"}, {"Keeps the normaliser away from zero.", "使归一化值不为零。"}, "eps"});
  addReading(t);
  t.array("w1", &P::w1, {{"first weights", "第一层权重"}, {"W1 of shape (width, 1).", "W1，形状 (width, 1)。"}, "W1"});
  t.array("b1", &P::b1, {{"first bias", "第一层偏置"}, {"b1 of shape (width,).", "b1，形状 (width,)。"}});
  t.array("w2", &P::w2,
          {{"second weights", "第二层权重"}, {"W2 of shape (heads, width).", "W2，形状 (头数, width)。"}, "W2"});
  t.array("b2", &P::b2, {{"second bias", "第二层偏置"}, {"b2 of shape (heads,).", "b2，形状 (头数,)。"}})
      .unset({"0", "0"});
  addSeed(t);
  return t;
}

/// W2·relu(W1·x + b1) + b2, in double for both scalars.
class Network {
 public:
  Network(const FireParams& p, std::int64_t heads)
      : w1_(weightsOf<double>(p.w1, p.width, {p.seed, "fire/w1", 1.0})),
        b1_(weightsOf<double>(p.b1, p.width, {p.seed, "fire/b1", 1.0})),
        w2_(weightsOf<double>(p.w2, heads * p.width,
                              {p.seed, "fire/w2", 1.0 / std::sqrt(static_cast<double>(p.width))})),
        b2_(weightsOf<double>(p.b2, heads, 0.0)) {}

  double at(std::int64_t head, double x) const {
    const double* w2 = w2_.data() + static_cast<std::size_t>(head) * w1_.size();
    double sum = b2_[static_cast<std::size_t>(head)];
    for (std::size_t u = 0; u < w1_.size(); ++u) sum += w2[u] * std::max(0.0, w1_[u] * x + b1_[u]);
    return sum;
  }

 private:
  std::vector<double> w1_, b1_, w2_, b2_;
};

template <class T>
struct FireRows {
  FireParams params;
  Network network;
  double first_position;     ///< of query 0
  std::int64_t offset;       ///< p_0 counted from key 0
  std::vector<double> logs;  ///< ψ of every distance
  Table<T> early;            ///< [heads, distances]: the bias of queries that share the threshold's normaliser

  void fill(std::int64_t head, std::int64_t i, std::span<T> row) const {
    const double position = first_position + static_cast<double>(i);
    const bool is_early = position <= params.threshold_length;
    const double norm = fireLog(params, std::max(position, params.threshold_length)) + params.epsilon;
    for (std::size_t j = 0; j < row.size(); ++j) {
      const auto distance =
          static_cast<std::size_t>(distanceOf(params.reading, i + offset - static_cast<std::int64_t>(j)));
      row[j] = is_early ? early.row(head)[distance] : static_cast<T>(network.at(head, logs[distance] / norm));
    }
  }
};

struct Fire {
  Outcome check(const FireParams& p, const Shape& shape) const {
    if (Outcome ok = checkWeights("fire", "w1", p.w1, {p.width, 1}); !ok) return ok;
    if (Outcome ok = checkWeights("fire", "b1", p.b1, {p.width}); !ok) return ok;
    if (Outcome ok = checkWeights("fire", "w2", p.w2, {shape.num_heads, p.width}); !ok) return ok;
    if (Outcome ok = checkWeights("fire", "b2", p.b2, {shape.num_heads}); !ok) return ok;
    return checkMemory("fire: the bias",
                       static_cast<double>(shape.keys()) * static_cast<double>(shape.num_heads + 1) * sizeof(double));
  }

  template <class T>
  Encoding<T> encode(const FireParams& p, const Shape& shape) const {
    const double first = shape.first_position + static_cast<double>(shape.queryOffset());
    auto rows = std::make_shared<FireRows<T>>(FireRows<T>{
        p, Network(p, shape.num_heads), first, shape.queryOffset(), {}, makeTable<T>(shape.num_heads, shape.keys())});
    const double norm = fireLog(p, p.threshold_length) + p.epsilon;
    for (std::int64_t d = 0; d < shape.keys(); ++d) {
      rows->logs.push_back(fireLog(p, static_cast<double>(d)));
      for (std::int64_t h = 0; h < shape.num_heads; ++h)
        rows->early.row(h)[static_cast<std::size_t>(d)] = static_cast<T>(rows->network.at(h, rows->logs.back() / norm));
    }
    Encoding<T> encoding;
    encoding.logits.bias = PairBias<T>{
        [rows](std::int64_t head, std::int64_t i, std::span<T> row) { rows->fill(head, i, row); },
        [p, first, offset = shape.queryOffset()](std::int64_t head, std::int64_t i, std::int64_t j) {
          const auto distance = static_cast<double>(distanceOf(p.reading, i + offset - j));
          const double position = std::max(first + static_cast<double>(i), p.threshold_length);
          return "MLP" + subscript(head) + "(ψ(" + screenNumber(distance) + ") / ψ(" + screenNumber(position) + "))";
        }};
    encoding.logit_scale = rootScale(shape);
    // Queries beyond the threshold are normalised by their own position.
    encoding.offset_only = first + static_cast<double>(shape.queries() - 1) <= p.threshold_length;
    return encoding;
  }

  SchemeCost cost(const FireParams& p, const Shape& shape) const {
    // The network runs for every pair: queries past the threshold have normalisers of their own. c and L are learned
    // too.
    const std::int64_t products = p.width * (shape.num_heads + 1);
    return {.learned = products + p.width + shape.num_heads + 2, .per_pair = products};
  }

  std::string substitution(const FireParams& p, const Shape& shape) const {
    return join("c = ", screenNumber(p.c), ", L = ", screenNumber(p.threshold_length), ", MLP 1–", p.width, "–",
                shape.num_heads);
  }
};

}  // namespace

Scheme fire() {
  return makeScheme({.id = "fire",
                     .name = {"FIRE", "FIRE 归一化距离偏置"},
                     .family = Family::bias,
                     .year = 2023,
                     .reference = "Li et al. 2023, arXiv:2310.04418",
                     .summary = {"A small network turns the log-distance, divided by that of the query's position, "
                                 "into a bias.",
                                 "小型网络把对数距离与查询位置的对数之比变成偏置。"}},
                    fireTable(), Fire{});
}

}  // namespace posiscope::schemes
