// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/base_table.h"
#include "core/schemes/learned_weights.h"
#include "core/schemes/schemes.h"

namespace posiscope::schemes {
namespace {

enum class Strength { scalar, vector };

struct LayerwiseParams {
  Strength strength = Strength::scalar;
  double scale_spread = 0.3;
  double offset_std = 0.02;
  BaseKind table_kind = BaseKind::sinusoidal;
  double base = 10000;
  double std = 0.02;
  Array position_table;
  Array scales;   ///< (num_layers,), (num_layers, 1) or (num_layers, d_model)
  Array offsets;  ///< (num_layers, d_model)
  std::int64_t seed = 1;
};

ParamTable<LayerwiseParams> layerwiseTable() {
  using P = LayerwiseParams;
  ParamTable<P> t;
  t.choice("strength", &P::strength,
           {{"scalar", {"one number a layer", "每层一个数"}}, {"vector", {"one number a channel", "每通道一个数"}}},
           {{"strength", "强度"},
            {"Whether a layer scales the whole table or every channel of it.", "每层缩放整张表，还是逐通道缩放。"}});
  t.real("scale_spread", &P::scale_spread, {0, 100, 0, 1, false},
         {{"spread of strengths", "强度的离散程度"},
          {"Drawn strengths are 1 plus normal numbers of this spread.", "随机抽取的强度为 1 加上此标准差的正态数。"}});
  t.real("offset_std", &P::offset_std, {0, 100, 0, 1, false},
         {{"spread of offsets", "偏移的离散程度"},
          {"Spread of the drawn offset of each layer.", "随机抽取的各层偏移的标准差。"}});
  addBaseTable(t);
  t.array("scales", &P::scales,
          {{"trained strengths", "训练所得强度"},
           {"One for each layer, (num_layers, 1), or for each channel, (num_layers, d_model).",
            "每层一个，(num_layers, 1)，或每通道一个，(num_layers, d_model)。"},
           "scale"});
  t.array("offsets", &P::offsets,
          {{"trained offsets", "训练所得偏移"},
           {"Of shape (num_layers, d_model).", "形状 (num_layers, d_model)。"},
           "bias"});
  addSeed(t);
  return t;
}

struct Layerwise {
  Outcome check(const LayerwiseParams& p, const Shape& s) const {
    if (Outcome ok = baseTableOf(p).check("layerwise", s, s.d_model); !ok) return ok;
    const std::vector<std::int64_t>& given = p.scales.shape;
    const bool fits = p.scales.empty() || given == std::vector{s.num_layers} ||
                      given == std::vector{s.num_layers, std::int64_t{1}} ||
                      given == std::vector{s.num_layers, s.d_model};
    if (!fits)
      return fail(ErrorCode::bad_shape,
                  join("layerwise: scales must be (num_layers ", s.num_layers, ", 1) or (num_layers ", s.num_layers,
                       ", d_model ", s.d_model, "), got ", shapeText(given)),
                  join("layerwise：scales 的形状必须是（num_layers ", s.num_layers, ", 1）或（num_layers ",
                       s.num_layers, ", d_model ", s.d_model, "），得到 ", shapeText(given)));
    if (Outcome ok = checkWeights("layerwise", "offsets", p.offsets, {s.num_layers, s.d_model}); !ok) return ok;
    const double tables = 2.0 * static_cast<double>(s.keys()) + 2.0 * static_cast<double>(s.num_layers);
    return checkMemory("layerwise: the tables", tables * static_cast<double>(s.d_model) * sizeof(double));
  }

  template <class T>
  Encoding<T> encode(const LayerwiseParams& p, const Shape& shape) const {
    const Table<double> base = baseTableOf(p).rows("layerwise", p.seed, shape, shape.d_model);
    const std::vector<double> scales = strengths(p, shape);
    const std::vector<double> offsets =
        weightsOf<double>(p.offsets, shape.num_layers * shape.d_model, {p.seed, "layerwise/offsets", p.offset_std});
    const double* offset = offsets.data() + shape.layer * shape.d_model;
    Encoding<T> encoding;
    encoding.input.entry = InputEntry::before_each_layer;
    encoding.input.table = makeTable<T>(shape.keys(), shape.d_model);
    for (std::int64_t t = 0; t < shape.keys(); ++t)
      for (std::size_t c = 0; c < scales.size(); ++c)
        encoding.input.table.row(t)[c] = static_cast<T>(scales[c] * base.row(t)[c] + offset[c]);
    encoding.logit_scale = rootScale(shape);
    encoding.offset_only = false;
    encoding.warnings = baseTableOf(p).warnings();
    return encoding;
  }

  SchemeCost cost(const LayerwiseParams& p, const Shape& shape) const {
    const bool scalar = p.scales.empty() ? p.strength == Strength::scalar : p.scales.size() == shape.num_layers;
    return {.learned = baseTableOf(p).learned(shape, shape.d_model) + shape.d_model + (scalar ? 1 : shape.d_model)};
  }

  std::string substitution(const LayerwiseParams& p, const Shape& shape) const {
    const std::string layer = join("ℓ = ", shape.layer);
    const bool one = p.scales.empty() ? p.strength == Strength::scalar : p.scales.size() == shape.num_layers;
    return one ? join(layer, ", s = ", screenNumber(strengths(p, shape).front())) : layer;
  }

 private:
  /// The strength of every channel in the shape's layer.
  static std::vector<double> strengths(const LayerwiseParams& p, const Shape& shape) {
    const bool scalar = p.scales.empty() ? p.strength == Strength::scalar : p.scales.size() == shape.num_layers;
    const std::int64_t each = scalar ? 1 : shape.d_model;
    std::vector<double> all =
        weightsOf<double>(p.scales, shape.num_layers * each, {p.seed, "layerwise/scales", p.scale_spread});
    if (p.scales.empty())
      for (double& value : all) value += 1;
    const auto begin = all.begin() + shape.layer * each;
    if (scalar) return std::vector<double>(static_cast<std::size_t>(shape.d_model), *begin);
    return {begin, begin + each};
  }
};

}  // namespace

Scheme layerwise() {
  return makeScheme(
      {.id = "layerwise",
       .name = {"Layer-wise", "逐层位置编码"},
       .family = Family::combination,
       .year = 2024,
       .reference = "a combination of this program",
       .summary = {"The same table is added in front of every layer, with a strength and an offset of the "
                   "layer's own.",
                   "在每一层之前加上同一张表，每层有自己的强度和偏移。"}},
      layerwiseTable(), Layerwise{});
}

}  // namespace posiscope::schemes
