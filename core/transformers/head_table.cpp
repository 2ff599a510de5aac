// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/transformers/head_table.h"

#include "core/parallel.h"

namespace posiscope::transformers {
namespace {

HeadRow rowOf(const LayerTrace<float>& layer, std::int64_t head, const Mask& mask, const Shape& shape,
              const Prompt& prompt, const heads::Thresholds& thresholds) {
  const std::int64_t cells = shape.queries() * shape.keys();
  const Rows<float> weights{layer.attention.weights.data() + head * cells, shape.queries(), shape.keys()};
  HeadRow row{layer.layer, head, heads::headMetrics(weights, mask, shape, thresholds), {}, {}};
  row.decision = heads::decideKind(row.metrics, thresholds);
  if (!mask.causal) return row;
  for (const heads::Pattern pattern : heads::all_patterns)
    row.pattern_shares.push_back(heads::patternScores(weights, pattern, prompt.tokens).mul[0]);
  return row;
}

}  // namespace

Expected<std::vector<HeadRow>> headTable(const Model& model, const Prompt& prompt, const heads::Thresholds& thresholds,
                                         const Job& job) {
  std::vector<HeadRow> rows;
  const Mask mask = maskOf(model, prompt);
  const Outcome done = runLayers<float>(
      model, prompt, {.attention_weights = true},
      [&](LayerTrace<float> layer, const Encoding<float>& encoding) {
        Shape shape = shapeOf(model, prompt);
        shape.layer = layer.layer;
        const Mask seen = narrowed(mask, encoding.reach);
        const auto first = rows.size();
        rows.resize(first + static_cast<std::size_t>(shape.num_heads));
        parallelBlocks(shape.num_heads, 1, Job(), [&](std::int64_t head, std::int64_t) {
          rows[first + static_cast<std::size_t>(head)] = rowOf(layer, head, seen, shape, prompt, thresholds);
        });
      },
      job);
  if (!done) return fail(done.error());
  return rows;
}

}  // namespace posiscope::transformers
