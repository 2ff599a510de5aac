// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/content.h"
#include "core/measures/first_tokens.h"

#include <memory>
#include <vector>

namespace posiscope::measures {

/// The queries and keys of a model's layer and the encoding they meet, both in double precision.
struct ExactLayer {
  Content<double> content;
  Encoding<double> encoding;
};

/// What a question's encoding works on, and the encoding as it applies to that: in a layer of a trained model an added
/// table has entered before, so the queries and keys are given and nothing is added again.
struct ContentFor {
  Content<float> content;
  EncodingPtr encoding;
  /// The same unrounded, where a model was run in double precision: rounding q, k and their products moves a trained
  /// model's weights by more than its own run does.
  std::shared_ptr<const ExactLayer> exact = nullptr;
};
/// The content of the start of a sequence, or of a whole one. Errors: those of the content; for a model also
/// not_supported where the score itself reads embeddings.
Expected<ContentFor> contentFor(const FirstTokens& part, const Job& job);

/// That of every layer of the question's model, in their order, from one run; `encodings` are those of the layers.
/// `part` is of any layer. The numbers are those of `contentFor` of the layer. Errors: the same.
Expected<std::vector<ContentFor>> contentOfLayers(const FirstTokens& part, const std::vector<EncodingPtr>& encodings,
                                                  const Job& job);

/// What a run of the model depends on: the question without the measure and what is asked of it.
Question runOf(Question question);

}  // namespace posiscope::measures
