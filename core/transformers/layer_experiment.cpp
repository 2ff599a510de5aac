// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/transformers/layer_experiment.h"

#include "core/schemes/list.h"

#include <cassert>

namespace posiscope::transformers {

Expected<Experiment> layerExperiment(const Model& model, const Prompt& prompt, const LayerTrace<double>& layer) {
  assert(!layer.q.empty() && !layer.k.empty());
  Experiment e;
  e.shape = shapeOf(model, prompt);
  e.shape.layer = layer.layer;
  e.mask = maskOf(model, prompt);
  e.train_length = model.train_length;
  const std::int64_t tokens = e.shape.keys();
  const std::int64_t width = e.shape.head_dim;
  e.content.source = ContentSource::arrays;
  e.content.q = makeArray({e.shape.num_heads, tokens, width}, layer.q);
  e.content.k = makeArray({e.shape.kvHeads(), tokens, width}, layer.k);
  e.content.v = makeArray({e.shape.kvHeads(), tokens, width}, layer.v);
  const auto encoding = schemes::find(model.scheme.id)->encode(model.scheme.values, e.shape);
  if (!encoding) return fail(encoding.error());
  SchemeChoice choice = model.scheme;
  if (encoding->input.hasTable() || encoding->input.transform) {
    choice = {};
    choice.id = "none";
    choice.label = displayName(model.scheme).en;
  }
  e.schemes = {std::move(choice)};
  return e;
}

}  // namespace posiscope::transformers
