// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/attention_file.h"
#include "core/models/checkpoint_config.h"
#include "core/models/model.h"
#include "core/schemes/list.h"

#include <algorithm>

namespace posiscope::models {
namespace {

/// The smallest colour no scheme has yet.
int freeColour(const std::vector<SchemeChoice>& schemes) {
  int colour = 0;
  while (std::ranges::find(schemes, colour, &SchemeChoice::colour) != schemes.end()) ++colour;
  return colour;
}

bool isPossible(const SchemeChoice& choice, const Shape& shape) {
  const Scheme* scheme = schemes::find(choice.id);
  return scheme && scheme->check(choice.values, shape).has_value();
}

/// Does nothing but a table's own sizes stand behind the inspection? Then it says nothing about heads or a mask.
bool isBareTable(const Inspection& inspection) {
  return inspection.kind == "npy" || inspection.kind == "npz" ||
         (inspection.kind == "safetensors" && inspection.model_type.empty());
}

/// The question about a table alone: its rows and its width; the rest stays where it can. Heads that are not as wide
/// together as the table are those of something else: one head takes their place.
void takeTable(const Inspection& inspection, Experiment& e) {
  Shape& shape = e.shape;
  shape.seq_len = inspection.shape.seq_len;
  shape.d_model = inspection.shape.d_model;
  shape.first_position = 0;  // of a table, the first row
  if (shape.num_heads * shape.head_dim != shape.d_model) {
    const auto widest = static_cast<std::int64_t>(findParam(shapeTable().specs(), "head_dim")->maximum);
    shape.head_dim = std::min(shape.d_model, widest);
    shape.num_heads = shape.num_layers = 1;
    shape.num_kv_heads = shape.layer = 0;
  }
  if (shape.seq_len_q > shape.seq_len) shape.seq_len_q = 0;
  if (shape.grid_height * shape.grid_width != shape.seq_len) shape.grid_height = shape.grid_width = 0;
  if (inspection.mask.causal) e.mask.causal = true;
  if (checkMask(e.mask, shape)) return;
  e.mask.key_padding.clear();  // made for a sequence of another length
  e.mask.query_padding.clear();
  e.mask.blocked.clear();
}

/// The question about attention that is given: its sizes, its mask, and no scheme.
void takeAttention(const Inspection& inspection, Experiment& e) {
  setAttentionSizes(inspection.shape, e.shape);
  e.shape.layer = 0;
  e.mask = inspection.mask;
  e.content.source = inspection.content->source;
  e.content.attention = inspection.content->attention;
  e.content.attention_axes = inspection.content->attention_axes;
  e.content.attention_kind = inspection.content->attention_kind;
  e.content.attention_batch = 0;
  e.content.label_file.clear();
  e.train_length = 0;
  e.schemes = inspection.schemes;
}

/// The scheme remembers what its model says. A table is the model itself, not a setting that could depart from it.
void rememberModel(SchemeChoice& choice) {
  choice.model_values = choice.values;
  std::erase_if(*choice.model_values, [](const auto& entry) { return std::holds_alternative<Array>(entry.second); });
}

}  // namespace

Experiment experimentOf(const Preset& preset) {
  Experiment e;
  e.shape = preset.shape;
  e.mask = preset.mask;
  e.train_length = preset.train_length;
  e.content = startExperiment().content;
  e.schemes = {preset.scheme};
  rememberModel(e.schemes.front());
  return e;
}

Experiment experimentOf(const Inspection& inspection, const Experiment& present) {
  Experiment e = present;
  if (inspection.schemes.empty()) return e;
  if (inspection.content) {
    takeAttention(inspection, e);
    return e;
  }
  if (e.content.source == ContentSource::attention) e.content.source = ContentSpec{}.source;  // it has its own sizes
  if (isBareTable(inspection)) {
    takeTable(inspection, e);
  } else {
    e.shape = inspection.shape;
    e.mask = inspection.mask;
  }
  // Its weights can be run, once that content is chosen.
  if (!inspection.model_type.empty() && !inspection.tensors.empty()) e.content.model = inspection.path;
  // One that the bench has trained is small, and its attention is what it was made for.
  if (inspection.model_type == checkpoint_type && !inspection.tensors.empty()) {
    e.content.source = ContentSource::model;
    e.content.token_file = {};
    e.content.token_ids.clear();
    e.content.segment_file = {};
    e.content.segment_ids.clear();
    e.content.second_segment = 0;
  }
  e.train_length = inspection.train_length;
  e.schemes = inspection.schemes;
  for (SchemeChoice& choice : e.schemes) {
    choice.colour = -1;
    if (!isBareTable(inspection)) rememberModel(choice);
  }
  for (SchemeChoice& choice : e.schemes) choice.colour = freeColour(e.schemes);
  // The model takes the first places; those beside it stay for comparison where the new shape allows them.
  const std::size_t most = std::max(present.schemes.size(), inspection.schemes.size());
  for (std::size_t i = inspection.schemes.size(); i < present.schemes.size() && e.schemes.size() < most; ++i) {
    SchemeChoice choice = present.schemes[i];
    if (!isPossible(choice, e.shape)) continue;
    if (std::ranges::find(e.schemes, choice.colour, &SchemeChoice::colour) != e.schemes.end())
      choice.colour = freeColour(e.schemes);
    e.schemes.push_back(std::move(choice));
  }
  return e;
}

}  // namespace posiscope::models
