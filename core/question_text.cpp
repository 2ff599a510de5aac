// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/question_text.h"

#include "core/experiment.h"
#include "core/files/refusal.h"

#include <vector>

namespace posiscope {
namespace {

std::string entry(const std::string& key, const Value& value) {
  constexpr std::size_t longest = 40;
  return key + "=" + files::escaped(valueText(value), longest);
}

/// "seq_len=512,d_model=512": the parameters that count with these values.
std::string valuesText(const std::vector<ParamSpec>& specs, const ParamValues& values) {
  std::string text;
  for (const ParamSpec& spec : specs)
    if (isRelevant(spec, specs, values)) text += (text.empty() ? "" : ",") + entry(spec.key, valueOf(spec, values));
  return text;
}

std::string measureText(const Question& question) {
  std::string text = question.measure;
  for (const auto& [key, value] : question.options) text += "," + entry(key, value);
  return text;
}

}  // namespace

std::string schemeText(const SchemeChoice& choice) {
  std::string text = choice.id;
  for (const auto& [key, value] : choice.values) text += "," + entry(key, value);
  return text;
}

std::string questionComment(const Question& question) {
  const auto line = [](const char* name, const std::string& text) { return join("# ", name, ": ", text, "\n"); };
  std::string text = line("scheme", schemeText(question.scheme)) + line("measure", measureText(question)) +
                     line("shape", valuesText(shapeTable().specs(), shapeTable().values(question.shape))) +
                     line("mask", valuesText(maskTable().specs(), maskTable().values(rulesOf(question.mask)))) +
                     line("content", valuesText(contentTable().specs(), contentTable().values(question.content)));
  if (question.train_length > 0) text += line("train_length", valueText(Value(question.train_length)));
  return text;
}

}  // namespace posiscope
