// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/content_tokens.h"

#include "core/model_content.h"
#include "core/token_labels.h"
#include "core/token_text.h"

#include <algorithm>
#include <map>

namespace posiscope {
namespace {

/// Equal numbers for equal words, counted as they come.
std::vector<std::int64_t> wordNumbers(const std::vector<std::string>& words) {
  std::map<std::string, std::int64_t> numbers;
  std::vector<std::int64_t> tokens;
  for (const std::string& word : words)
    tokens.push_back(numbers.emplace(word, static_cast<std::int64_t>(numbers.size())).first->second);
  return tokens;
}

/// Nothing where the model or its tokens cannot be had: whoever runs it says why.
std::optional<std::vector<std::int64_t>> modelTokens(const ContentSpec& content, const Shape& shape) {
  const auto model = contentModel(content, Job());
  if (!model) return std::nullopt;
  auto tokens = contentTokens(content, **model, shape.keys());
  if (!tokens) return std::nullopt;
  return *std::move(tokens);
}

}  // namespace

std::optional<std::vector<std::int64_t>> tokensOf(const ContentSpec& content, const Shape& shape) {
  if (content.source == ContentSource::arrays) return std::nullopt;
  if (content.source == ContentSource::model) return modelTokens(content, shape);
  if (content.source == ContentSource::attention) {
    const std::vector<std::string> labels = tokenLabels(content, shape);
    // Which words stand where a label is missing is not known, so neither is which are equal.
    const bool known = !labels.empty() && std::ranges::find(labels, unlabelled) == labels.end();
    return known ? std::optional(wordNumbers(labels)) : std::nullopt;
  }
  if (content.source == ContentSource::tokens) return wordNumbers(tokenLabels(content, shape));
  std::vector<std::int64_t> tokens(static_cast<std::size_t>(shape.keys()), 0);
  if (content.source == ContentSource::ones) return tokens;
  const TokensInOrder order(content.token_order, shape.keys(), content.repeat_after, content.seed);
  for (std::int64_t place = 0; place < shape.keys(); ++place) tokens[static_cast<std::size_t>(place)] = order.at(place);
  return tokens;
}

}  // namespace posiscope
