// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/token_names.h"

#include "core/carried_models.h"
#include "core/model_content.h"
#include "core/token_text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <tuple>

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

/// Which tokens are of another segment than the first; empty when all are of it.
Text segmentsScope(const ContentSpec& content, const Shape& shape) {
  if (!content.segment_file.empty() || !content.segment_ids.empty()) return {", segments as given", "，段按给定"};
  if (content.second_segment <= 0 || content.second_segment >= shape.keys()) return {};
  return {join(", second segment from token ", content.second_segment),
          join("，第二段从词元 ", content.second_segment, " 开始")};
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
  if (mask.padding == Mask::Padding::none) return {};
  const bool start = mask.padding == Mask::Padding::start;
  Text scope;
  for (const auto& [padded, en, zh] :
       {std::tuple{mask.padded_keys, "keys", "键"}, std::tuple{mask.padded_queries, "queries", "查询"}}) {
    const std::int64_t count = std::min(padded, shape.keys());
    if (count <= 0) continue;
    scope.en += join(scope.en.empty() ? "" : ", ", start ? "first " : "last ", count, " ", en, " are padding");
    scope.zh += join(scope.zh.empty() ? "" : "，", start ? "前 " : "后 ", count, " 个", zh, "为填充");
  }
  return scope;
}

void nameTokens(Dataset& dataset, const ContentSpec& content, const Shape& shape) {
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
