// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/encode.h"

#include <functional>
#include <string>
#include <vector>

namespace posiscope::verify {

/// How the manifests spell one scheme inside attention, and what becomes of the logits of masked keys.
enum class MaskedLogits { kept, zero, minus_infinity };

struct AttentionScheme {
  std::string names;   ///< of the manifests, separated by spaces
  std::string id;      ///< ours
  std::string params;  ///< beside `situation_params` and scale
  std::string inputs;  ///< beside `content_inputs`
  std::function<ParamValues(CaseReader&, const Shape&)> values;
  bool needs_embeddings = false;  ///< it acts on x: a case that gives q and k cannot mean it
  bool own_window = false;        ///< `window` is the scheme's parameter, not the mask's
  MaskedLogits masked = MaskedLogits::kept;
  bool scaled_bias = false;  ///< its bias is made with the scale of the logits: no other scale fits
};

/// Adds the quantities logits, attn and out of a scheme.
void addAttentionCases(std::vector<Quantity>& list, const AttentionScheme& scheme);

/// One of "logits", "attn", "out" of a scheme in a situation.
template <class T>
Expected<Answer> attentionAnswer(CaseReader& in, const AttentionScheme& scheme, const Situation& situation,
                                 const std::string& key, const Job& job);

// Manifest parameters → ours, for the schemes of this version.
ParamValues t5SimpleValues(CaseReader& in, const Shape& shape);
ParamValues t5LogValues(CaseReader& in, const Shape& shape);
ParamValues alibiValues(CaseReader& in, const Shape& shape);

}  // namespace posiscope::verify
