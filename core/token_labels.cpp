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
namespace {

/// A label is shown whole: escaping makes a byte at most ten.
std::string shownLabel(std::string_view line) { return files::escaped(line, 10 * line.size() + 1); }

/// UTF-16 without a mark is full of NUL, which UTF-8 text is not.
bool isText(std::string_view line) { return files::isUtf8(line) && line.find('\0') == std::string_view::npos; }

/// Every line of the file; empty ones at its end are none.
Expected<std::vector<std::string>> readLines(const std::string& path) {
  const Expected<std::string> text = files::readText(path);
  if (!text) return fail(text.error());
  std::vector<std::string> lines;
  std::size_t filled = 0;
  for (std::string_view rest = withoutMark(*text); !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!isText(line))
      return files::refuse(ErrorCode::file_format, path,
                           {join("line ", lines.size() + 1), join("第 ", lines.size() + 1, " 行")},
                           {"UTF-8 text", "UTF-8 文本"}, line);
    lines.push_back(shownLabel(line));
    if (!line.empty()) filled = lines.size();
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  lines.resize(filled);
  return lines;
}

Text countNote(const std::string& path, std::int64_t lines, std::int64_t keys, std::int64_t own_queries) {
  const std::string name = files::escaped(path, 4096);
  const std::string own = own_queries > 0 ? join(", or ", keys + own_queries, " with the queries after the keys") : "";
  const std::string own_zh = own_queries > 0 ? join("，或 ", keys + own_queries, " 行（键之后接查询）") : std::string();
  if (lines < keys)
    return {join(name, ": the number of lines must be at least ", keys, ", one for each key", own, ", got ", lines,
                 "; the keys without one are marked “", unlabelled, "”"),
            join(name, "：行数必须至少为 ", keys, "（每个键一行）", own_zh, "，得到 ", lines, "；没有标签的键标为“",
                 unlabelled, "”")};
  return {join(name, ": there are ", lines, " lines and ", keys, " keys", own, "; lines after the first ", keys,
               " are not used"),
          join(name, "：文件有 ", lines, " 行，键有 ", keys, " 个", own_zh, "；前 ", keys, " 行之后的内容不使用")};
}

}  // namespace

Expected<Labels> readLabels(const std::string& path, std::int64_t keys, std::int64_t own_queries) {
  Expected<std::vector<std::string>> lines = readLines(path);
  if (!lines) return fail(lines.error());
  const std::int64_t count = std::ssize(*lines);
  Labels labels;
  if (own_queries > 0 && count == keys + own_queries)
    labels.queries.assign(lines->begin() + keys, lines->end());
  else if (count != keys)
    (count < keys ? labels.shortage : labels.excess) = countNote(path, count, keys, own_queries);
  labels.names = *std::move(lines);
  labels.names.resize(static_cast<std::size_t>(keys), unlabelled);
  return labels;
}

bool hasOwnQueries(const ContentSpec& content, const Mask& mask, const Shape& shape) {
  // One query has no key ahead of it that a causal mask could hide: it is the token that comes next.
  return content.source == ContentSource::attention && shape.queries() > 1 && shape.queries() != shape.keys() &&
         !mask.causal;
}

std::vector<std::string> ownQueryLabels(const ContentSpec& content, const Shape& shape) {
  if (content.label_file.empty()) return {};
  return readLabels(content.label_file, shape.keys(), shape.queries()).value_or(Labels{}).queries;
}

Text excessLabels(const ContentSpec& content, const Mask& mask, const Shape& whole) {
  if (content.source != ContentSource::attention || content.label_file.empty()) return {};
  const std::int64_t own_queries = hasOwnQueries(content, mask, whole) ? whole.queries() : 0;
  return readLabels(content.label_file, whole.keys(), own_queries).value_or(Labels{}).excess;
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
