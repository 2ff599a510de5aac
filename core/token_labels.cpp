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
#include <string_view>

namespace posiscope {

Expected<std::vector<std::string>> readLabels(const std::string& path, std::int64_t count) {
  const Expected<std::string> text = files::readText(path);
  if (!text) return fail(text.error());
  std::vector<std::string> labels;
  for (std::string_view rest = *text; !rest.empty() && static_cast<std::int64_t>(labels.size()) < count;) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    labels.emplace_back(line);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (static_cast<std::int64_t>(labels.size()) == count) return labels;
  return files::refuse(ErrorCode::bad_shape, path, {"the number of lines", "行数"},
                       {join("at least ", count, ", one for each key"), join("至少 ", count, "（每个键一行）")},
                       join(labels.size()));
}

std::vector<std::string> tokenLabels(const ContentSpec& spec, const Shape& shape) {
  std::vector<std::string> labels;
  if (spec.source == ContentSource::model) return modelTokenLabels(spec, shape);
  if (spec.source == ContentSource::attention)
    return spec.label_file.empty() ? labels : readLabels(spec.label_file, shape.keys()).value_or(labels);
  if (spec.source != ContentSource::tokens) return labels;
  const std::vector<std::string> words = splitTokens(spec.text);
  for (std::int64_t j = 0; j < shape.keys() && !words.empty(); ++j)
    labels.push_back(words[static_cast<std::size_t>(j) % words.size()]);
  return labels;
}

}  // namespace posiscope
