// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/token_labels.h"

#include "core/content.h"
#include "core/files/reader.h"
#include "core/files/refusal.h"
#include "core/model_content.h"
#include "core/token_text.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>

namespace posiscope {

Expected<Labels> readLabels(const std::string& path, std::int64_t count) {
  const Expected<std::string> text = files::readText(path);
  if (!text) return fail(text.error());
  std::vector<std::string> labels;
  for (std::string_view rest = withoutMark(*text); !rest.empty() && std::ssize(labels) < count;) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    labels.emplace_back(line);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  const std::size_t lines = labels.size();
  if (std::ssize(labels) == count) return Labels{std::move(labels)};
  labels.resize(static_cast<std::size_t>(count), unlabelled);
  const std::string name = files::escaped(path, 4096);
  return Labels{
      std::move(labels),
      {join(name, ": the number of lines must be at least ", count, ", one for each key, got ", lines,
            "; the keys without one are marked “", unlabelled, "”"),
       join(name, "：行数必须至少为 ", count, "（每个键一行），得到 ", lines, "；没有标签的键标为“", unlabelled, "”")}};
}

std::vector<std::string> tokenLabels(const ContentSpec& spec, const Shape& shape) {
  std::vector<std::string> labels;
  if (spec.source == ContentSource::model) return modelTokenLabels(spec, shape);
  if (spec.source == ContentSource::attention)
    return spec.label_file.empty() ? labels : readLabels(spec.label_file, shape.keys()).value_or(Labels{}).names;
  if (spec.source != ContentSource::tokens) return labels;
  const std::vector<std::string> words = splitTokens(spec.text);
  for (std::int64_t j = 0; j < shape.keys() && !words.empty(); ++j)
    labels.push_back(words[static_cast<std::size_t>(j) % words.size()]);
  return labels;
}

}  // namespace posiscope
