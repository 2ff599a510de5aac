// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/preset_parts.h"
#include "core/models/scheme_values.h"

#include <algorithm>

namespace posiscope::models {

Shape modelShape(std::int64_t seq_len, std::int64_t d_model, std::int64_t heads, std::int64_t kv_heads,
                 std::int64_t head_dim, std::int64_t layers) {
  Shape shape;
  shape.seq_len = seq_len;
  shape.d_model = d_model;
  shape.num_heads = heads;
  shape.num_kv_heads = kv_heads;
  shape.head_dim = head_dim;
  shape.num_layers = layers;
  return shape;
}

Shape pictureShape(std::int64_t side, std::int64_t prefix_tokens, std::int64_t d_model, std::int64_t heads,
                   std::int64_t head_dim, std::int64_t layers) {
  Shape shape = modelShape(side * side + prefix_tokens, d_model, heads, 0, head_dim, layers);
  shape.grid_height = shape.grid_width = side;
  return shape;
}

SchemeChoice learnedChoice(const char* initial, double rows, double unused_rows) {
  return choiceOf(
      "learned",
      {{"initial", std::string(initial)}, {"std", 0.02}, {"max_positions", rows}, {"position_offset", unused_rows}});
}

SchemeChoice ropeChoice(double base, ParamValues more) {
  more["base"] = base;
  more.emplace("pairing", std::string("half"));
  return choiceOf("rope", std::move(more));
}

Mask causalMask(std::int64_t window) {
  Mask mask;
  mask.causal = true;
  mask.window = window;
  return mask;
}

const std::vector<Preset>& presets() {
  static const std::vector<Preset> list = [] {
    std::vector<Preset> all;
    for (auto part :
         {tableAndBiasModels(), plainRotaryModels(), scaledRotaryModels(), mixedRotaryModels(), perceptionModels()})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
  return list;
}

const Preset* findPreset(std::string_view id) {
  const auto found = std::ranges::find(presets(), id, &Preset::id);
  return found == presets().end() ? nullptr : &*found;
}

}  // namespace posiscope::models
