// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One meaning, many spellings: the only place that knows what else manifests call a size, a grid, a scale, an input.
#include "core/verify/case_words.h"

#include "core/aliases.h"
#include "core/schemes/list.h"

#include <algorithm>

namespace posiscope::verify {
namespace {

using nlohmann::json;

bool knows(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

struct Spelling {
  std::string_view other;
  std::string_view name;
};

/// Sizes of a case that the shape's table has no other name for.
constexpr Spelling size_spellings[] = {
    {"dim", "d_model"}, {"channels", "d_model"}, {"seq_len_k", "seq_len"}, {"layers", "num_layers"}};
/// The scale of the logits, where a quantity has logits.
constexpr Spelling scale_spellings[] = {{"attn_scale", "scale"}, {"softmax_scale", "scale"}, {"logit_scale", "scale"}};
constexpr Spelling input_spellings[] = {{"relative_attention_bias", "table"},
                                        {"relative_position_bias_table", "table"},
                                        {"bias_p", "r1"},
                                        {"bias_a", "r2"}};

template <std::size_t N>
std::string_view spelt(const Spelling (&spellings)[N], std::string_view name) {
  const auto found = std::ranges::find(spellings, name, &Spelling::other);
  return found == std::end(spellings) ? name : found->name;
}

/// What a parameter of the case means, whatever it is called there: the scheme's own words come first.
class Meaning {
 public:
  Meaning(const Quantity& q, const Case& c)
      : measure_(c.scheme == "derived"), has_logits_(q.key == "logits" || q.key == "attn" || q.key == "out") {
    if (const Expected<ResolvedScheme> scheme = resolveScheme(c.scheme)) id_ = scheme->id;
    scheme_ = schemes::find(id_);
  }

  std::string operator()(const std::string& key) const {
    if (scheme_ && findParam(scheme_->params, key)) return key;
    if (std::string name = resolveParam(id_, key); name != key) return name;
    // Formulas of one head know a single width.
    if (measure_ && key == "head_dim") return "d_model";
    const std::string size = resolveShapeParam(key);
    if (size != key) return size;
    const std::string_view name = spelt(size_spellings, key);
    return std::string(has_logits_ ? spelt(scale_spellings, name) : name);
  }

 private:
  std::string id_;  ///< ours; empty for a measure
  const Scheme* scheme_ = nullptr;
  bool measure_;
  bool has_logits_;
};

void renameParams(const Quantity& q, Case& c) {
  const Meaning meaning(q, c);
  std::vector<std::string> keys;
  for (const auto& [key, value] : c.params.items()) keys.push_back(key);
  for (const std::string& key : keys) {
    if (knows(q.params, key)) continue;
    const auto asked = std::ranges::find(q.params, meaning(key), meaning);
    if (asked == q.params.end() || std::ranges::count(keys, meaning(key), meaning) > 1) continue;
    c.params[*asked] = c.params[key];
    c.params.erase(key);
  }
}

struct Sides {
  const char* height;
  const char* width;
};
constexpr Sides side_names[] = {{"h", "w"}, {"height", "width"}, {"grid_h", "grid_w"}, {"grid_height", "grid_width"}};
/// A list [height, width]; Swin's grid is its window.
constexpr const char* list_names[] = {"grid", "window"};

/// Takes height and width out of the case; null unless they stand there once, in words the quantity does not know.
json takeGrid(const Quantity& q, Case& c) {
  json taken;
  for (const Sides& s : side_names) {
    const bool known = knows(q.params, s.height) || knows(q.params, s.width);
    if (known || !c.params.contains(s.height) || !c.params.contains(s.width)) continue;
    if (!taken.is_null()) return nullptr;
    taken = json::array({c.params[s.height], c.params[s.width]});
  }
  const bool listed = c.params.contains("grid") && !knows(q.params, "grid");
  if (listed && (!taken.is_null() || !c.params["grid"].is_array() || c.params["grid"].size() != 2)) return nullptr;
  if (listed) taken = c.params["grid"];
  return taken;
}

void eraseGrid(const Quantity& q, Case& c) {
  for (const Sides& s : side_names)
    if (!knows(q.params, s.height) && !knows(q.params, s.width) && c.params.contains(s.height) &&
        c.params.contains(s.width)) {
      c.params.erase(s.height);
      c.params.erase(s.width);
    }
  if (!knows(q.params, "grid")) c.params.erase("grid");
}

void renameGrid(const Quantity& q, Case& c) {
  const json grid = takeGrid(q, c);
  if (grid.is_null()) return;
  for (const Sides& s : side_names) {
    if (!knows(q.params, s.height) || !knows(q.params, s.width)) continue;
    if (c.params.contains(s.height) || c.params.contains(s.width)) return;
    eraseGrid(q, c);
    c.params[s.height] = grid[0];
    c.params[s.width] = grid[1];
    return;
  }
  for (const char* name : list_names) {
    const bool window = name == std::string_view("window");
    if (!knows(q.params, name) || (window && !c.scheme.starts_with("swin"))) continue;
    if (c.params.contains(name)) return;
    eraseGrid(q, c);
    c.params[name] = grid;
    return;
  }
}

void renameInputs(const Quantity& q, Case& c) {
  for (const auto& [other, name] : input_spellings) {
    const auto given = c.inputs.find(std::string(other));
    if (given == c.inputs.end() || knows(q.inputs, other) || !knows(q.inputs, name)) continue;
    if (c.inputs.emplace(name, given->second).second) c.inputs.erase(given);
  }
}

}  // namespace

Case inWordsOf(const Quantity& q, Case c) {
  renameGrid(q, c);
  renameParams(q, c);
  renameInputs(q, c);
  return c;
}

}  // namespace posiscope::verify
