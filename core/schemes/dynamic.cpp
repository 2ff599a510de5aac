// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/dynamic.h"

#include "core/dot.h"
#include "core/parallel.h"
#include "core/schemes/base_table.h"
#include "core/schemes/learned_weights.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace posiscope::schemes {

std::int64_t dynamicHidden(const DynamicParams& params, const Shape& shape) {
  return params.hidden > 0 ? params.hidden : std::max<std::int64_t>(1, shape.d_model / 2);
}

std::int64_t dynamicSpan(const DynamicParams& params) { return (params.causal ? 1 : 2) * params.context_window + 1; }

template <class T>
Table<T> dynamicWindows(Rows<T> x, std::int64_t w, bool causal) {
  Table<T> windows = makeTable<T>(x.rows, ((causal ? 1 : 2) * w + 1) * x.cols);
  for (std::int64_t i = 0; i < x.rows; ++i) {
    const std::int64_t first = std::max<std::int64_t>(0, i - w);
    const std::int64_t count = (causal ? i + 1 : std::min(x.rows, i + w + 1)) - first;
    std::copy_n(x.data + first * x.cols, count * x.cols, windows.row(i).begin());
  }
  return windows;
}

template <class T>
DynamicWeights<T> dynamicWeights(const DynamicParams& p, const Shape& shape) {
  const std::int64_t hidden = dynamicHidden(p, shape);
  const std::int64_t inputs = dynamicSpan(p) * shape.d_model;
  const auto drawing = [&](const char* name, double deviation) {
    return Drawing{p.seed, join("dynamic/", name), deviation};
  };
  const auto spread = [](std::int64_t fan_in) { return 1.0 / std::sqrt(static_cast<double>(fan_in)); };
  const auto first_row = static_cast<std::int64_t>(shape.first_position);
  DynamicWeights<T> weights;
  weights.base = {shape.keys(), shape.d_model,
                  weightsPart<T>(p.base_table, first_row * shape.d_model, shape.keys() * shape.d_model,
                                 drawing("base_table", 0.02))};
  weights.w1 = {hidden, inputs, weightsOf<T>(p.w1, hidden * inputs, drawing("w1", spread(inputs)))};
  weights.w2 = {shape.d_model, hidden, weightsOf<T>(p.w2, shape.d_model * hidden, drawing("w2", spread(hidden)))};
  weights.b1 = weightsOf<T>(p.b1, hidden, 0.0);
  weights.b2 = weightsOf<T>(p.b2, shape.d_model, 0.0);
  return weights;
}

template <class T>
Table<T> dynamicAdjustment(const DynamicWeights<T>& weights, Rows<T> windows) {
  Table<T> adjustment = makeTable<T>(windows.rows, weights.w2.rows);
  parallelBlocks(windows.rows, 16, Job{}, [&](std::int64_t begin, std::int64_t end) {
    std::vector<T> hidden(weights.b1.size());
    for (std::int64_t i = begin; i < end; ++i) {
      for (std::size_t u = 0; u < hidden.size(); ++u) {
        const T z = dot(windows.row(i), weights.w1.row(static_cast<std::int64_t>(u))) + weights.b1[u];
        hidden[u] = T(0.5) * z * (T(1) + std::erf(z / std::numbers::sqrt2_v<T>));
      }
      for (std::size_t d = 0; d < weights.b2.size(); ++d)
        adjustment.row(i)[d] = std::tanh(dot<T>(hidden, weights.w2.row(static_cast<std::int64_t>(d))) + weights.b2[d]);
    }
  });
  return adjustment;
}

template Table<float> dynamicWindows(Rows<float>, std::int64_t, bool);
template Table<double> dynamicWindows(Rows<double>, std::int64_t, bool);
template DynamicWeights<float> dynamicWeights(const DynamicParams&, const Shape&);
template DynamicWeights<double> dynamicWeights(const DynamicParams&, const Shape&);
template Table<float> dynamicAdjustment(const DynamicWeights<float>&, Rows<float>);
template Table<double> dynamicAdjustment(const DynamicWeights<double>&, Rows<double>);

namespace {

ParamTable<DynamicParams> dynamicTable() {
  using P = DynamicParams;
  ParamTable<P> t;
  t.integer("context_window", &P::context_window, {0, 1024, 0, 16, false},
            {{"context window", "上下文窗口"},
             {"Neighbours on each side that bend a token's position.", "每侧参与调整该词元位置的邻居数。"},
             "window",
             "tokens"});
  t.boolean("causal", &P::causal,
            {{"earlier tokens only", "只看之前的词元"},
             {"The neighbours are those before a token: in a decoder the others would show it its answer.",
              "邻居只取该词元之前的；在解码器中，其余的会让它看到答案。"}});
  t.integer("hidden", &P::hidden, {0, 1 << 16, 0, 4096, false},
            {{"hidden width", "隐藏层宽度"},
             {"Width of the network; 0 means d_model / 2.", "网络的宽度；0 表示 d_model / 2。"}})
      .unset({"d_model / 2", "d_model / 2"});
  t.array("base_table", &P::base_table,
          {{"base table", "基础位置表"},
           {"At least first_position + seq_len rows of width d_model; position t is row t.",
            "至少 first_position + seq_len 行，宽 d_model；位置 t 为第 t 行。"},
           "base"});
  t.array("w1", &P::w1,
          {{"first weights", "第一层权重"},
           {"W1 of shape (hidden, (2w + 1)·d_model); w + 1 with earlier tokens only.",
            "W1，形状 (hidden, (2w + 1)·d_model)；只看之前的词元时为 w + 1。"},
           "W1"});
  t.array("b1", &P::b1, {{"first bias", "第一层偏置"}, {"b1 of shape (hidden,).", "b1，形状 (hidden,)。"}})
      .unset({"0", "0"});
  t.array("w2", &P::w2,
          {{"second weights", "第二层权重"}, {"W2 of shape (d_model, hidden).", "W2，形状 (d_model, hidden)。"}, "W2"});
  t.array("b2", &P::b2, {{"second bias", "第二层偏置"}, {"b2 of shape (d_model,).", "b2，形状 (d_model,)。"}})
      .unset({"0", "0"});
  addSeed(t);
  return t;
}

struct Dynamic {
  Outcome check(const DynamicParams& p, const Shape& s) const {
    const std::int64_t hidden = dynamicHidden(p, s);
    const std::int64_t inputs = dynamicSpan(p) * s.d_model;
    if (p.base_table.empty()) {
      if (Outcome ok = checkDrawnRows("dynamic", s); !ok) return ok;
    } else if (p.base_table.rank() == 2 && p.base_table.shape[1] == s.d_model) {
      if (Outcome ok = checkTableRows("dynamic", s, p.base_table.shape[0]); !ok) return ok;
    } else if (Outcome ok = checkWeights("dynamic", "base_table", p.base_table, {s.keys(), s.d_model}); !ok) {
      return ok;
    }
    if (Outcome ok = checkWeights("dynamic", "w1", p.w1, {hidden, inputs}); !ok) return ok;
    if (Outcome ok = checkWeights("dynamic", "b1", p.b1, {hidden}); !ok) return ok;
    if (Outcome ok = checkWeights("dynamic", "w2", p.w2, {s.d_model, hidden}); !ok) return ok;
    if (Outcome ok = checkWeights("dynamic", "b2", p.b2, {s.d_model}); !ok) return ok;
    const double widest = static_cast<double>(std::max(s.keys(), hidden)) * static_cast<double>(inputs);
    return checkMemory("dynamic: the windows", widest * sizeof(double));
  }

  template <class T>
  Encoding<T> encode(const DynamicParams& p, const Shape& shape) const {
    auto weights = std::make_shared<const DynamicWeights<T>>(dynamicWeights<T>(p, shape));
    Encoding<T> encoding;
    encoding.logit_scale = 1.0 / std::sqrt(static_cast<double>(shape.head_dim));
    encoding.offset_only = false;
    encoding.input.table = weights->base;
    encoding.input.transform = [weights, w = p.context_window, causal = p.causal](Rows<T> x, std::span<T> out) {
      // The windows are read from x, never from rows that are already changed.
      const Table<T> adjustment = dynamicAdjustment(*weights, rowsOf(dynamicWindows(x, w, causal)));
      for (std::size_t e = 0; e < out.size(); ++e)
        out[e] = x.data[e] + weights->base.values[e] * (T(1) + adjustment.values[e]);
    };
    return encoding;
  }

  SchemeCost cost(const DynamicParams& p, const Shape& shape) const {
    const std::int64_t hidden = dynamicHidden(p, shape), width = shape.d_model;
    const std::int64_t products = hidden * dynamicSpan(p) * width + width * hidden;
    const std::int64_t rows = p.base_table.empty() ? shape.keys() : p.base_table.shape[0];
    return {.learned = rows * width + products + hidden + width, .per_token = products + width};
  }

  std::string substitution(const DynamicParams& p, const Shape& shape) const {
    return join("w = ", p.context_window, ", MLP ", dynamicSpan(p) * shape.d_model, "–", dynamicHidden(p, shape), "–",
                shape.d_model);
  }
};

}  // namespace

Scheme dynamic() {
  return makeScheme({.id = "dynamic",
                     .name = {"Dynamic table", "动态位置编码"},
                     .family = Family::combination,
                     .year = 2024,
                     .reference = "a hybrid of this program",
                     .summary = {"A position table that a small network bends by the neighbouring tokens.",
                                 "由小型网络根据邻近词元调整的位置表。"}},
                    dynamicTable(), Dynamic{});
}

}  // namespace posiscope::schemes
