// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pooled_queries.h"

#include "core/measures/axes.h"
#include "core/screen_number.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace posiscope {
namespace {

std::int64_t factOf(const Encoding<float>& encoding, const char* key) {
  const auto found = std::ranges::find(encoding.facts, key, &EncodingFact::key);
  return found == encoding.facts.end() ? 0 : static_cast<std::int64_t>(found->value);
}

Axis pooledAxis(const PooledQueries& pooled) {
  Axis axis;
  axis.name = {"pooled query", "池化查询"};
  axis.symbol = "i";
  std::vector<std::string> names;
  for (std::int64_t i = 0; i < pooled.count(); ++i) names.push_back(pooled.name(i));
  axis.names = std::make_shared<const std::vector<std::string>>(std::move(names));
  return axis;
}

/// The token of each query as a column beside the numbers of the maps.
void addTokens(Dataset& dataset, const PooledQueries& pooled, const Axis& axis) {
  Curve tokens{"token", {"token of the query", "查询所在的词元"}, CurveRole::mark, {}, {}};
  for (std::int64_t i = 0; i < pooled.count(); ++i) {
    tokens.x.push_back(static_cast<double>(i));
    tokens.y.push_back(pooled.position(i));
  }
  dataset.curves.push_back(std::move(tokens));
  dataset.x = axis;
  dataset.x.names = nullptr;
  dataset.y = measures::valueAxis({"token", "词元"});
}

/// Curves and maps over offsets, which the caller has found to be meaningless.
void leaveOutOffsets(Dataset& dataset) {
  const std::string offset = measures::offsetAxis(0, false).symbol;
  if (dataset.x.symbol == offset) {
    dataset.curves.clear();
    dataset.marks.clear();
    dataset.x = dataset.y = Axis{};
  }
  std::erase_if(dataset.maps, [&](const Map& map) { return map.cols.symbol == offset; });
}

}  // namespace

double PooledQueries::position(std::int64_t query) const {
  const std::int64_t patch = query - prefix;
  if (patch < 0) return first_position + static_cast<double>(query);
  const std::int64_t token = prefix + stride * (grid.row(patch) * keys.width + grid.column(patch));
  return first_position + static_cast<double>(token);
}

std::string PooledQueries::name(std::int64_t query) const {
  if (query < prefix) return "CLS";
  const std::int64_t patch = query - prefix;
  const std::int64_t step = std::max<std::int64_t>(stride, 1);
  const std::string cell = join("(", step * grid.row(patch), ", ", step * grid.column(patch), ")");
  return stride > 0 ? screenNumber(position(query)) + " " + cell : cell;
}

Text PooledQueries::place() const {
  if (stride == 0)
    return {join("the queries are pooled to a grid of ", grid.height, " × ", grid.width),
            join("查询经池化，构成 ", grid.height, " × ", grid.width, " 的网格")};
  return {join("the queries stand at rows and columns 0, ", stride, ", ", 2 * stride, " … of the ", keys.height, " × ",
               keys.width, " patches"),
          join("查询位于 ", keys.height, " × ", keys.width, " 个图块的第 0、", stride, "、", 2 * stride, " 等行与列")};
}

std::vector<EncodingFact> pooledFacts(const Grid& grid, std::int64_t stride) {
  return {{"query_height", static_cast<double>(grid.height)},
          {"query_width", static_cast<double>(grid.width)},
          {"query_stride", static_cast<double>(stride)}};
}

std::optional<PooledQueries> pooledQueries(const Encoding<float>& encoding, const Shape& shape) {
  const Grid grid{factOf(encoding, "query_height"), factOf(encoding, "query_width")};
  if (grid.patches() == 0) return std::nullopt;
  const Expected<Grid> keys = gridOf("", shape, encoding.prefix_tokens);
  if (!keys) return std::nullopt;
  return PooledQueries{grid, *keys, encoding.prefix_tokens, factOf(encoding, "query_stride"), shape.first_position};
}

bool labelPooled(Dataset& dataset, const PooledQueries& pooled, const Shape& shape) {
  const bool had_some = !dataset.maps.empty() || !dataset.curves.empty();
  leaveOutOffsets(dataset);
  if (had_some && dataset.maps.empty() && dataset.curves.empty()) {
    const Text place = pooled.place();
    dataset = Dataset{};
    dataset.nothing = {"Here an offset i − j means nothing: " + place.en + ".",
                       "此处偏移 i − j 没有意义：" + place.zh + "。"};
    return false;
  }
  const Axis axis = pooledAxis(pooled);
  const Text queries = measures::queryAxis(shape).name;
  bool some = false;
  for (Map& map : dataset.maps) {
    if (map.rows.symbol != axis.symbol || map.rows.name != queries || map.field->rows() != pooled.count()) continue;
    map.rows = axis;
    some = true;
  }
  if (some && dataset.curves.empty() && pooled.stride > 0) addTokens(dataset, pooled, axis);
  return some;
}

}  // namespace posiscope
