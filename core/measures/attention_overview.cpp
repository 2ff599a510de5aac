// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/buffers.h"
#include "core/measures/axes.h"
#include "core/measures/layers.h"
#include "core/measures/measures.h"
#include "core/measures/terms.h"

#include <algorithm>

namespace posiscope::measures {
namespace {

struct Options {
  std::int64_t tokens = 48;
};

const ParamTable<Options>& optionTable() {
  static const ParamTable<Options> table = [] {
    ParamTable<Options> t;
    t.integer("tokens", &Options::tokens, {0, 1 << 24, 8, 256, false},
              {{"first tokens only", "仅前若干词元"},
               {"Computes only the start of a long sequence; 0 means all of it. All maps are held at once.",
                "只计算长序列的开头；0 表示全部。所有图同时保存在内存中。"},
               "",
               "tokens"})
        .unset({"all", "全部"});
    return t;
  }();
  return table;
}

/// The weights of all heads of one layer, and what made them.
struct Layer {
  std::shared_ptr<const std::vector<float>> weights;  ///< [heads, L_q, L_k]
  EncodingPtr encoding;
  std::int64_t empty_rows = 0;
};
using Layers = std::vector<Layer>;

/// `remarks`: what must be said beside them, once.
Expected<Layers> layersOf(const Question& question, std::int64_t tokens, std::vector<Remark>& remarks, const Job& job) {
  Layers layers;
  const auto take = [&](std::int64_t, const Attended& attended, const Job& step) -> Outcome {
    Expected<attention::Attention<float>> result = attend(attended, {}, step);
    if (!result) return fail(result.error());
    for (Remark& remark : remarksOn(attended))
      if (std::ranges::find(remarks, remark.sentence, &Remark::sentence) == remarks.end())
        remarks.push_back(std::move(remark));
    // Layers that are alike are stored once.
    const bool alike = !layers.empty() && *layers.front().weights == result->weights;
    layers.push_back({alike ? layers.front().weights : lendBuffer(std::move(result->weights)), attended.encoding,
                      result->empty_rows});
    return {};
  };
  const auto maps = static_cast<double>(question.shape.num_layers * question.shape.num_heads);
  if (Outcome ok = eachLayer(question, tokens, maps, job, take); !ok) return fail(ok.error());
  return layers;
}

Text layerText(std::int64_t layer) { return {join("layer ", layer), join("层 ", layer)}; }

void addMaps(Dataset& dataset, const Layers& layers, const Question& part) {
  const Shape& shape = part.shape;
  const std::int64_t cells = shape.queries() * shape.keys();
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const Layer& layer = layers[l];
    const Text name = layerText(static_cast<std::int64_t>(l));
    const auto mask = std::make_shared<const Mask>(narrowed(part.mask, layer.encoding->reach));
    for (std::int64_t h = 0; h < shape.num_heads; ++h) {
      const Text head = headText(h);
      Map map{join("layer ", l, " head ", h),
              {name.en + " · " + head.en, name.zh + " · " + head.zh},
              storedField(shape.queries(), shape.keys(), layer.weights, layer.weights->data() + h * cells),
              queryAxis(shape),
              keyAxis(shape),
              {"weight", "权重"},
              MapKind::sequential,
              static_cast<int>(h)};
      map.term = attentionTerm(layer.encoding, shape, mask, h, false);
      dataset.maps.push_back(std::move(map));
    }
  }
}

/// Says so where a row of small maps is the same as the one above it.
void addAlike(Dataset& dataset, const Layers& layers) {
  const auto same = [&](const Layer& layer) { return layer.weights == layers.front().weights; };
  if (layers.size() < 2 || !std::ranges::all_of(layers, same)) return;
  const std::string count = readable(static_cast<double>(layers.size()));
  dataset.remarks.push_back(
      {Verdict::neutral,
       {"All " + count + " layers are alike: they have the same content, and this scheme does the same in each.",
        "全部 " + count + " 层都相同：各层内容相同，该方案在各层的作用也相同。"}});
}

Expected<Dataset> answer(const Question& question, const Job& job) {
  const Expected<Options> options = optionTable().read(question.measure, question.options);
  if (!options) return fail(options.error());
  const std::int64_t whole = question.shape.keys();
  // Some schemes of a grid are of that grid only: it is not cut where all of it is few maps' worth of cells.
  constexpr std::int64_t most_patches = 256;
  const bool uncut = question.shape.grid_height > 0 && whole <= most_patches;
  const std::int64_t asked = options->tokens > 0 && !uncut ? std::min(options->tokens, whole) : whole;
  const std::int64_t tokens = question.draft && !uncut ? draftTokens(asked) : asked;
  const Expected<FirstTokens> part = askedTokens(question, tokens);
  if (!part) return fail(part.error());
  Dataset dataset;
  const Expected<Layers> layers = layersOf(question, tokens, dataset.remarks, job);
  if (!layers) return fail(layers.error());
  const Shape& shape = part->question.shape;
  addMaps(dataset, *layers, part->question);
  addEmptyRows(dataset, std::ranges::max_element(*layers, {}, &Layer::empty_rows)->empty_rows, shape.queries());
  addAlike(dataset, *layers);
  if (layers->size() > 1)
    dataset.metrics.push_back({"layers", {"layers", "层数"}, static_cast<double>(layers->size()), "layers"});
  dataset.draft = question.draft && shape.keys() < asked;
  if (shape.keys() < whole) dataset.scope = firstTokensText(shape.keys(), whole, dataset.draft);
  if (dataset.draft) spreadDraft(dataset, asked);
  return dataset;
}

}  // namespace

Measure attentionOverview() {
  return {"attention_overview",
          {"All layers and heads", "全部层与头"},
          {"The attention of every head, one row of small maps for each layer: stripes along the diagonal look at "
           "neighbours, columns at certain tokens. Only a trained model differs from layer to layer by itself; other "
           "content is the same in all, so what differs there is the scheme.",
           "每个头的注意力，每层一行小图：沿对角线的条纹表示看邻近词元，竖条表示看特定词元。"
           "只有训练好的模型各层本身不同；其他内容在各层相同，若有差别则来自方案。"},
          "[layers · num_heads, L_q, L_k], layer by layer; L = `tokens` when that is shorter",
          optionTable().specs(),
          answer,
          {},
          FiguresOf::attention};
}

}  // namespace posiscope::measures
