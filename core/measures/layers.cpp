// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/layers.h"

#include "core/measures/content_for.h"
#include "core/model_content.h"
#include "core/steps.h"

#include <utility>
#include <vector>

namespace posiscope::measures {
namespace {

Question inLayer(Question question, std::int64_t layer) {
  question.shape.layer = layer;
  return question;
}

/// The part of each layer: the same tokens with the encoding that the scheme has there.
Expected<std::vector<FirstTokens>> partsOf(const Question& question, std::int64_t tokens) {
  std::vector<FirstTokens> parts;
  for (std::int64_t l = 0; l < question.shape.num_layers; ++l) {
    Expected<FirstTokens> part = askedTokens(inLayer(question, l), tokens);
    if (!part) return fail(part.error());
    parts.push_back(*std::move(part));
  }
  return parts;
}

Outcome eachOfModel(Question question, std::int64_t tokens, double maps, const Job& job, const LayerVisit& visit) {
  const auto model = contentModel(question.content, job);
  if (!model) return fail(model.error());
  question.shape.num_layers = (*model)->shape.num_layers;
  auto parts = partsOf(question, tokens);
  if (!parts) return fail(parts.error());
  const Shape& shape = parts->front().question.shape;
  const double cells = maps * static_cast<double>(shape.queries()) * static_cast<double>(shape.keys());
  if (Outcome ok = checkMemory("attention: the maps", cells * sizeof(float)); !ok) return ok;
  std::vector<EncodingPtr> encodings;
  for (const FirstTokens& part : *parts) encodings.push_back(part.encoding);
  auto contents = contentOfLayers(parts->front(), encodings, job.part(0, 0.5));
  if (!contents) return fail(contents.error());
  const Job rest = job.part(0.5, 1);
  Steps steps(rest, contents->size());
  for (std::size_t l = 0; l < contents->size(); ++l) {
    Attended attended{std::move((*parts)[l].question),
                      std::move((*contents)[l].encoding),
                      std::move((*contents)[l].content),
                      {},
                      {},
                      {}};
    attended.exact = std::move((*contents)[l].exact);
    attended.mask = narrowed(attended.question.mask, attended.encoding->reach);
    if (Outcome ok = visit(static_cast<std::int64_t>(l), attended, steps.next()); !ok) return ok;
  }
  return {};
}

}  // namespace

Outcome eachLayer(const Question& question, std::int64_t tokens, double maps, const Job& job, const LayerVisit& visit) {
  if (question.content.source == ContentSource::model) return eachOfModel(question, tokens, maps, job, visit);
  const std::int64_t layers = question.shape.num_layers;
  Steps steps(job, static_cast<std::size_t>(layers));
  for (std::int64_t l = 0; l < layers; ++l) {
    Expected<FirstTokens> part = askedTokens(inLayer(question, l), tokens);
    if (!part) return fail(part.error());
    const Job step = steps.next();
    const auto attended = attendedBy(*std::move(part), AttentionPart::both, maps, step.part(0, 0.5));
    if (!attended) return fail(attended.error());
    if (Outcome ok = visit(l, *attended, step.part(0.5, 1)); !ok) return ok;
  }
  return {};
}

}  // namespace posiscope::measures
