// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/model_pairing.h"

#include "core/model_content.h"
#include "core/schemes/list.h"

#include <optional>
#include <string>

namespace posiscope::measures {
namespace {

/// "half"; nothing for a scheme that pairs no dimensions.
std::optional<std::string> pairingOf(const SchemeChoice& choice) {
  const Scheme* scheme = schemes::find(choice.id);
  const ParamSpec* spec = scheme ? findParam(scheme->params, "pairing") : nullptr;
  if (!spec) return std::nullopt;
  return valueText(valueOf(*spec, choice.values));
}

}  // namespace

void warnOfPairing(std::vector<Remark>& remarks, const Question& question) {
  if (question.content.source != ContentSource::model) return;
  const std::optional<std::string> asked = pairingOf(question.scheme);
  if (!asked) return;
  const auto model = contentModel(question.content, Job());
  if (!model) return;  // who runs it says why
  const std::optional<std::string> stored = pairingOf((*model)->scheme);
  if (!stored || *stored == *asked) return;
  remarks.push_back({Verdict::warning,
                     {join("The model's weights are stored for pairing=", *stored, ", the scheme here has pairing=",
                           *asked, ": it turns other pairs of dimensions than the model was trained with."),
                      join("模型的权重按 pairing=", *stored, " 存储，而此处方案为 pairing=", *asked,
                           "：旋转的维度对与训练时不同。")}});
}

}  // namespace posiscope::measures
