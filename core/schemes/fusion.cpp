// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dot.h"
#include "core/parallel.h"
#include "core/schemes/base_table.h"
#include "core/schemes/learned_weights.h"
#include "core/schemes/schemes.h"

#include <algorithm>
#include <memory>

namespace posiscope::schemes {
namespace {

enum class Mode { add, concat_project, gate_mix, gate_add };

struct FusionParams {
  Mode mode = Mode::add;
  bool scale_words = false;
  std::int64_t d_position = 0;  ///< 0 = d_model
  BaseKind table_kind = BaseKind::sinusoidal;
  double base = 10000;
  double std = 0.02;
  Array position_table;
  Array weight;  ///< (d_model, d_model + d_position), words first
  Array bias;    ///< (d_model,)
  std::int64_t seed = 1;
};

ParamTable<FusionParams> fusionTable() {
  using P = FusionParams;
  const std::vector<std::string> weighted{"concat_project", "gate_mix", "gate_add"};
  ParamTable<P> t;
  t.choice("mode", &P::mode,
           {{"add", {"add", "相加"}},
            {"concat_project", {"concatenate and project", "拼接后投影"}},
            {"gate_mix", {"gate between both", "门控混合"}},
            {"gate_add", {"gated addition", "门控相加"}}},
           {{"mode", "方式"}, {"How word and position become one vector.", "词向量与位置向量如何合成一个向量。"}});
  t.boolean(
      "scale_words", &P::scale_words,
      {{"words × √d_model", "词向量 × √d_model"},
       {"Multiplies the words first, as the original Transformer does.", "先放大词向量，与最初的 Transformer 相同。"}});
  t.integer("d_position", &P::d_position, {0, 1 << 17, 0, 4096, false},
            {{"position width", "位置宽度"},
             {"Width of the position vectors; 0 means d_model.", "位置向量的宽度；0 表示 d_model。"},
             "",
             "dimensions"})
      .unset({"d_model", "d_model"})
      .when("mode", {"concat_project"});
  addBaseTable(t);
  t.array("weight", &P::weight,
          {{"weights", "权重"},
           {"W of shape (d_model, d_model + d_position), words first.",
            "W，形状 (d_model, d_model + d_position)，词在前。"},
           "W"})
      .when("mode", weighted);
  t.array("bias", &P::bias, {{"bias", "偏置"}, {"b of shape (d_model,).", "b，形状 (d_model,)。"}, "b"})
      .unset({"0", "0"})
      .when("mode", weighted);
  addSeed(t);
  return t;
}

std::int64_t positionWidth(const FusionParams& p, const Shape& shape) {
  return p.d_position > 0 && p.mode == Mode::concat_project ? p.d_position : shape.d_model;
}

template <class T>
struct FusionWeights {
  Mode mode;
  T word_scale;
  Table<T> positions;
  Table<T> weight;
  std::vector<T> bias;
};

/// One token: x [d_model] → out [d_model]; `word` is room for the scaled word.
template <class T>
void fuse(const FusionWeights<T>& w, std::span<const T> x, std::span<const T> position, std::span<T> word,
          std::span<T> out) {
  for (std::size_t c = 0; c < x.size(); ++c) word[c] = w.word_scale * x[c];
  for (std::size_t c = 0; c < x.size(); ++c) {
    if (w.mode == Mode::add) {
      out[c] = word[c] + position[c];
      continue;
    }
    const std::span<const T> row = w.weight.row(static_cast<std::int64_t>(c));
    const T z = dot<T>(row.first(x.size()), word) + dot(row.subspan(x.size()), position) + w.bias[c];
    if (w.mode == Mode::concat_project) {
      out[c] = z;
      continue;
    }
    const T gate = T(1) / (T(1) + std::exp(-z));
    out[c] = w.mode == Mode::gate_mix ? gate * word[c] + (T(1) - gate) * position[c] : word[c] + gate * position[c];
  }
}

struct Fusion {
  Outcome check(const FusionParams& p, const Shape& s) const {
    const std::int64_t width = positionWidth(p, s);
    if (p.mode != Mode::concat_project && p.d_position > 0 && p.d_position != s.d_model)
      return fail(ErrorCode::bad_shape,
                  join("fusion: only concat_project takes another position width; d_position must be d_model ",
                       s.d_model, ", got ", p.d_position),
                  join("fusion：只有 concat_project 可用其他位置宽度；d_position 必须等于 d_model ", s.d_model,
                       "，得到 ", p.d_position));
    if (Outcome ok = baseTableOf(p).check("fusion", s, width); !ok) return ok;
    if (Outcome ok = checkWeights("fusion", "weight", p.weight, {s.d_model, s.d_model + width}); !ok) return ok;
    if (Outcome ok = checkWeights("fusion", "bias", p.bias, {s.d_model}); !ok) return ok;
    const double rows = 3.0 * static_cast<double>(s.keys()) + 2.0 * static_cast<double>(s.d_model);
    return checkMemory("fusion: the tables", rows * static_cast<double>(s.d_model + width) * sizeof(double));
  }

  template <class T>
  Encoding<T> encode(const FusionParams& p, const Shape& shape) const {
    const std::int64_t width = positionWidth(p, shape);
    const Table<double> table = baseTableOf(p).rows("fusion", p.seed, shape, width);
    const Table<T> positions{table.rows, table.cols, std::vector<T>(table.values.begin(), table.values.end())};
    Encoding<T> encoding;
    if (width == shape.d_model) encoding.input.table = positions;
    if (p.mode != Mode::add || p.scale_words) encoding.input.transform = transform(weightsFor(p, shape, positions));
    encoding.logit_scale = rootScale(shape);
    encoding.offset_only = false;
    encoding.warnings = baseTableOf(p).warnings();
    return encoding;
  }

  SchemeCost cost(const FusionParams& p, const Shape& shape) const {
    const std::int64_t width = positionWidth(p, shape);
    const std::int64_t table = baseTableOf(p).learned(shape, width);
    // Adding needs no weights; scaled words are one product more.
    if (p.mode == Mode::add) return {.learned = table, .per_token = p.scale_words ? 2 * shape.d_model : 0};
    const std::int64_t products = shape.d_model * (shape.d_model + width);
    return {.learned = table + products + shape.d_model, .per_token = products + 2 * shape.d_model};
  }

  std::string substitution(const FusionParams& p, const Shape& shape) const {
    const std::string factor = p.scale_words ? screenNumber(std::sqrt(static_cast<double>(shape.d_model))) : "1";
    if (p.mode == Mode::add) return "s = " + factor;
    return join("s = ", factor, ", W: ", shape.d_model, " × ", shape.d_model + positionWidth(p, shape));
  }

 private:
  template <class T>
  static FusionWeights<T> weightsFor(const FusionParams& p, const Shape& shape, const Table<T>& positions) {
    const std::int64_t inputs = shape.d_model + positions.cols;
    const T scale = static_cast<T>(p.scale_words ? std::sqrt(static_cast<double>(shape.d_model)) : 1);
    FusionWeights<T> w{p.mode, scale, positions, {}, {}};
    if (p.mode == Mode::add) return w;
    w.weight = {shape.d_model, inputs,
                weightsOf<T>(p.weight, shape.d_model * inputs,
                             {p.seed, "fusion/weight", 1 / std::sqrt(static_cast<double>(inputs))})};
    w.bias = weightsOf<T>(p.bias, shape.d_model, 0.0);
    return w;
  }

  template <class T>
  static std::function<void(Rows<T>, std::span<T>)> transform(FusionWeights<T> given) {
    auto weights = std::make_shared<const FusionWeights<T>>(std::move(given));
    return [weights](Rows<T> x, std::span<T> out) {
      const auto width = static_cast<std::size_t>(x.cols);
      parallelBlocks(x.rows, 16, Job{}, [&](std::int64_t begin, std::int64_t end) {
        std::vector<T> word(width);
        for (std::int64_t t = begin; t < end; ++t)
          fuse<T>(*weights, x.row(t), weights->positions.row(t), word,
                  out.subspan(static_cast<std::size_t>(t) * width, width));
      });
    };
  }
};

}  // namespace

Scheme fusion() {
  return makeScheme({.id = "fusion",
                     .name = {"Fusion of word and position", "词与位置的融合"},
                     .family = Family::combination,
                     .year = 2017,
                     .reference = "addition: Vaswani et al. 2017, arXiv:1706.03762; the others are this program's",
                     .summary = {"Word and position are added, concatenated and projected, or mixed by a gate.",
                                 "词向量与位置向量相加、拼接后投影，或由门控混合。"}},
                    fusionTable(), Fusion{});
}

}  // namespace posiscope::schemes
