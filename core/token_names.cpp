// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/token_names.h"

#include "core/carried_models.h"
#include "core/model_content.h"
#include "core/token_labels.h"
#include "core/token_text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <sstream>
#include <tuple>
#include <utility>

namespace posiscope {
namespace {

using Names = std::shared_ptr<const std::vector<std::string>>;

/// The words along an axis of positions; null where it is no axis of whole tokens, or reaches past the words.
Names namesAlong(const Axis& axis, std::int64_t cells, const std::vector<std::string>& words, const Shape& shape) {
  const double start = axis.first - shape.first_position;
  if ((axis.symbol != "i" && axis.symbol != "j") || axis.step != 1 || start != std::floor(start) || start < 0 ||
      start + static_cast<double>(cells) > static_cast<double>(words.size()))
    return nullptr;
  const auto first = words.begin() + static_cast<std::ptrdiff_t>(start);
  return std::make_shared<const std::vector<std::string>>(first, first + static_cast<std::ptrdiff_t>(cells));
}

/// Are the first tokens of more than one of the segments given? The file counts before what is typed.
bool haveSegments(const ContentSpec& content, std::int64_t tokens) {
  std::vector<double> ids(content.segment_file.data(), content.segment_file.data() + content.segment_file.size());
  std::string typed = ids.empty() ? content.segment_ids : "";
  std::ranges::replace(typed, ',', ' ');
  std::istringstream list(typed);
  for (double id = 0; list >> id;) ids.push_back(id);
  ids.resize(std::min(ids.size(), static_cast<std::size_t>(tokens)));
  return std::ranges::adjacent_find(ids, std::ranges::not_equal_to{}) != ids.end();
}

/// Which tokens are of another segment than the first; empty when all are of it.
Text segmentsScope(const ContentSpec& content, const Shape& shape) {
  if (!content.segment_file.empty() || !content.segment_ids.empty())
    return haveSegments(content, shape.keys()) ? Text{", segments as given", "，段按给定"} : Text{};
  if (content.second_segment <= 0 || content.second_segment >= shape.keys()) return {};
  return {join(", second segment from token ", content.second_segment),
          join("，第二段从词元 ", content.second_segment, " 开始")};
}

/// Queries and keys that are two sequences.
void nameBoth(Dataset& dataset, const ContentSpec& content, const Shape& shape) {
  const auto shared = [](std::vector<std::string> words) {
    return words.empty() ? Names{} : std::make_shared<const std::vector<std::string>>(std::move(words));
  };
  const Names keys = shared(tokenLabels(content, shape)), queries = shared(ownQueryLabels(content, shape));
  for (Map& map : dataset.maps) {
    if (map.rows.symbol != "i" || map.field->rows() != shape.queries()) continue;
    map.rows.names = queries;
    if (map.cols.symbol == "j" && map.field->cols() == shape.keys()) map.cols.names = keys;
  }
}

}  // namespace

Text modelScope(const ContentSpec& content, const Shape& shape, bool all_layers) {
  if (content.source != ContentSource::model || content.model.empty()) return {};
  std::filesystem::path folder(carriedPlace(content.model));
  if (folder.filename() == "config.json" || folder.filename().empty()) folder = folder.parent_path();
  const bool drawn = content.token_file.empty() && content.token_ids.empty();
  const std::string name = folder.filename().string();
  const Text layer = all_layers
                         ? Text{join("all ", shape.num_layers, " layers"), join("全部 ", shape.num_layers, " 层")}
                         : Text{join("layer ", shape.layer), join("第 ", shape.layer, " 层")};
  const Text segments = segmentsScope(content, shape);
  if (drawn && showsExample(content, shape.keys()))
    return {join(name, ", ", layer.en, ", evaluation example ", content.seed, segments.en),
            join(name, "，", layer.zh, "，评估样本 ", content.seed, segments.zh)};
  return {join(name, ", ", layer.en, drawn ? ", tokens drawn from the seed" : "", segments.en),
          join(name, "，", layer.zh, drawn ? "，词元按种子抽取" : "", segments.zh)};
}

Text repeatScope(const ContentSpec& content, const Shape& shape) {
  if (content.source != ContentSource::tokens) return {};
  const std::int64_t words = std::ssize(splitTokens(content.text));
  if (words == 0 || words >= shape.keys()) return {};
  return {join("the sentence repeats after ", words, words == 1 ? " token" : " tokens"),
          join("句子在 ", words, " 个词元后重复")};
}

Text paddingScope(const Mask& mask, const Shape& shape) {
  Text scope;
  const auto add = [&scope](const std::string& en, const std::string& zh) {
    scope.en += (scope.en.empty() ? "" : ", ") + en;
    scope.zh += (scope.zh.empty() ? "" : "，") + zh;
  };
  const bool start = mask.padding == Mask::Padding::start;
  // The queries are at the last positions: those at the start may be none of them.
  const std::int64_t queries = mask.padded_queries - (start ? shape.queryOffset() : 0);
  for (const auto& [padded, all, one, en, zh] : {std::tuple{mask.padded_keys, shape.keys(), "key", "keys", "键"},
                                                 std::tuple{queries, shape.queries(), "query", "queries", "查询"}}) {
    const std::int64_t count = mask.padding == Mask::Padding::none ? 0 : std::min(padded, all);
    const char* const end = start ? "first " : "last ";
    if (count > 0)
      add(count == 1 ? join("the ", end, one, " is padding") : join(end, count, " ", en, " are padding"),
          join(start ? "前 " : "后 ", count, " 个", zh, "为填充"));
  }
  for (const auto& [real, en, zh] :
       {std::tuple{&mask.key_padding, "keys", "键"}, std::tuple{&mask.query_padding, "queries", "查询"}}) {
    const auto count = std::ranges::count(*real, 0);
    if (count > 0)
      add(join(count, " of ", real->size(), " ", en, count == 1 ? " is padding" : " are padding"),
          join(real->size(), " 个", zh, "中有 ", count, " 个为填充"));
  }
  return scope;
}

void nameTokens(Dataset& dataset, const ContentSpec& content, const Mask& mask, const Shape& shape) {
  if (hasOwnQueries(content, mask, shape)) return nameBoth(dataset, content, shape);
  nameTokens(dataset, tokenLabels(content, shape), shape);
}

void nameTokens(Dataset& dataset, const std::vector<std::string>& words, const Shape& shape) {
  if (words.empty()) return;
  for (Map& map : dataset.maps) {
    // The maps of many heads share two lists.
    const Map& first = dataset.maps.front();
    const auto shared = [&](const Axis& axis, const Axis& before, std::int64_t cells, std::int64_t cells_before) {
      if (axis.names) return axis.names;  // the measure has put its tokens in another order
      const bool same = &map != &first && axis.symbol == before.symbol && axis.first == before.first &&
                        axis.step == before.step && cells == cells_before;
      return same ? before.names : namesAlong(axis, cells, words, shape);
    };
    map.rows.names = shared(map.rows, first.rows, map.field->rows(), first.field->rows());
    map.cols.names = shared(map.cols, first.cols, map.field->cols(), first.field->cols());
  }
}

}  // namespace posiscope
