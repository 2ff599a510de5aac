// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/attention_mask.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <span>

namespace posiscope::models {
namespace {

using files::AttentionKind;

enum class Cell : std::uint8_t { unknown, seen, masked };

/// What is masked in every map, by query and key. A row of nothing but NaN says nothing of its keys.
struct SharedCells {
  Shape shape;
  std::vector<Cell> cells;    ///< [queries, keys]
  bool whole = false;         ///< some row of each query was looked at
  std::int64_t maps = 0;      ///< that were looked at
  std::int64_t stricter = 0;  ///< of them those that mask more

  Cell at(std::int64_t i, std::int64_t j) const { return cells[static_cast<std::size_t>(i * shape.keys() + j)]; }
};

std::span<const double> rowOf(const SeenRows& seen, std::size_t r) {
  const auto keys = static_cast<std::size_t>(seen.rows.shape.back());
  return std::span(seen.rows.data(), seen.index.size() * keys).subspan(r * keys, keys);
}

bool isUndefined(std::span<const double> row) {
  return std::ranges::all_of(row, [](double v) { return std::isnan(v); });
}

/// What this array's masked numbers do not exceed. A mask leaves a gap below the logits; those that only fall off, as
/// under a steep bias by distance, leave none, and then −∞ alone is a mask.
double maskedLevel(const SeenRows& seen) {
  constexpr double gap = 1e3;
  double highest_masked = -INFINITY, lowest_seen = INFINITY;
  for (const double v : *seen.rows.values) {
    if (v <= masked_below)
      highest_masked = std::max(highest_masked, v);
    else if (!std::isnan(v))
      lowest_seen = std::min(lowest_seen, v);
  }
  return highest_masked > lowest_seen - gap ? -INFINITY : masked_below;
}

SharedCells sharedCells(const std::vector<std::int64_t>& shape, const SeenRows& seen) {
  SharedCells shared;
  shared.shape.seq_len = shape.back();
  shared.shape.seq_len_q = shape[shape.size() - 2];
  const std::int64_t keys = shape.back(), queries = shape[shape.size() - 2];
  shared.cells.assign(static_cast<std::size_t>(queries * keys), Cell::unknown);
  std::vector<bool> visited(static_cast<std::size_t>(queries));
  const double level = maskedLevel(seen);
  const auto eachRow = [&](auto&& take) {
    for (std::size_t r = 0; r < seen.index.size(); ++r)
      if (const std::span<const double> row = rowOf(seen, r); !isUndefined(row))
        take(seen.index[r] / queries, row, shared.cells.begin() + seen.index[r] % queries * keys);
  };
  for (const std::int64_t index : seen.index) visited[static_cast<std::size_t>(index % queries)] = true;
  shared.whole = std::ranges::all_of(visited, [](bool v) { return v; });
  eachRow([&](std::int64_t, std::span<const double> row, auto cell) {
    for (const double v : row) {
      if (v > level) *cell = Cell::seen;
      if (v <= level && *cell == Cell::unknown) *cell = Cell::masked;
      ++cell;
    }
  });
  std::int64_t last = -1, last_stricter = -1;
  eachRow([&](std::int64_t map, std::span<const double> row, auto cell) {
    if (map != last) ++shared.maps;
    last = map;
    if (map == last_stricter) return;
    for (const double v : row)
      if (const Cell here = *cell++; v <= level && here == Cell::seen) last_stricter = map;
    if (map == last_stricter) ++shared.stricter;
  });
  return shared;
}

/// Is a mask all that there is to say of the cells?
bool explains(const Mask& mask, const SharedCells& shared) {
  for (std::int64_t i = 0; i < shared.shape.queries(); ++i)
    for (std::int64_t j = 0; j < shared.shape.keys(); ++j)
      if (const Cell cell = shared.at(i, j); cell != Cell::unknown)
        if (mask.allows(shared.shape, i, j) != (cell == Cell::seen)) return false;
  return true;
}

bool isAheadMasked(const SharedCells& shared) {
  bool any = false;
  for (std::int64_t i = 0; i < shared.shape.queries(); ++i)
    for (std::int64_t j = i + shared.shape.queryOffset() + 1; j < shared.shape.keys(); ++j) {
      if (shared.at(i, j) == Cell::seen) return false;
      any = any || shared.at(i, j) == Cell::masked;
    }
  return any;
}

/// How far away the farthest key is that some query sees.
std::int64_t farthestSeen(const SharedCells& shared) {
  std::int64_t farthest = 0;
  for (std::int64_t i = 0; i < shared.shape.queries(); ++i)
    for (std::int64_t j = 0; j < shared.shape.keys(); ++j)
      if (shared.at(i, j) == Cell::seen) farthest = std::max(farthest, std::abs(i + shared.shape.queryOffset() - j));
  return farthest;
}

/// 0 for each key that no query sees; empty where all are seen.
std::vector<std::uint8_t> realKeys(const SharedCells& shared) {
  std::vector<std::uint8_t> real(static_cast<std::size_t>(shared.shape.keys()), 1);
  for (std::int64_t j = 0; j < shared.shape.keys(); ++j) {
    bool masked = false, seen = false;
    for (std::int64_t i = 0; i < shared.shape.queries(); ++i) {
      masked = masked || shared.at(i, j) == Cell::masked;
      seen = seen || shared.at(i, j) == Cell::seen;
    }
    real[static_cast<std::size_t>(j)] = masked && !seen ? 0 : 1;
  }
  if (std::ranges::count(real, 0) == 0) real.clear();
  return real;
}

/// 0 for each query that sees nothing, though the mask would let it; empty where there is none.
std::vector<std::uint8_t> realQueries(const SharedCells& shared, const Mask& mask) {
  std::vector<std::uint8_t> real(static_cast<std::size_t>(shared.shape.queries()), 1);
  for (std::int64_t i = 0; i < shared.shape.queries(); ++i) {
    bool allowed = false, seen = false;
    for (std::int64_t j = 0; j < shared.shape.keys(); ++j) {
      allowed = allowed || (mask.allows(shared.shape, i, j) && shared.at(i, j) == Cell::masked);
      seen = seen || shared.at(i, j) == Cell::seen;
    }
    real[static_cast<std::size_t>(i)] = allowed && !seen ? 0 : 1;
  }
  if (std::ranges::count(real, 0) == 0) real.clear();
  return real;
}

/// Padding in one piece at an end, which is set by a number and shown as one.
std::optional<Mask::Padding> endOf(const std::vector<std::uint8_t>& real) {
  const auto padded = std::ranges::count(real, 0);
  if (std::all_of(real.end() - padded, real.end(), [](auto flag) { return flag == 0; })) return Mask::Padding::end;
  if (std::all_of(real.begin(), real.begin() + padded, [](auto flag) { return flag == 0; }))
    return Mask::Padding::start;
  return std::nullopt;
}

void countPadding(Mask& mask, const Shape& shape) {
  if (!mask.key_padding.empty())
    if (const auto end = endOf(mask.key_padding)) {
      mask.padding = *end;
      mask.padded_keys = std::ranges::count(mask.key_padding, 0);
      mask.key_padding.clear();
    }
  if (mask.query_padding.empty()) return;
  const auto end = endOf(mask.query_padding);
  if (!end || (mask.padding != Mask::Padding::none && mask.padding != *end)) return;
  if (*end == Mask::Padding::start && shape.queryOffset() > 0) return;  // counted from the first key's position
  mask.padding = *end;
  mask.padded_queries = std::ranges::count(mask.query_padding, 0);
  mask.query_padding.clear();
}

/// The simplest mask that is all of it; without one, the cells themselves.
Mask namedMask(const SharedCells& shared) {
  const bool causal = isAheadMasked(shared);
  const std::int64_t farthest = farthestSeen(shared);
  for (const bool padded : {false, true})
    for (const bool windowed : {false, true}) {
      Mask mask;
      mask.causal = causal;
      if (windowed) mask.window = farthest;
      if (padded) mask.key_padding = realKeys(shared);
      mask.query_padding = realQueries(shared, mask);
      if (!explains(mask, shared)) continue;
      countPadding(mask, shared.shape);
      return mask;
    }
  Mask mask;
  mask.causal = causal;
  if (!shared.whole) return mask;  // cells that were not looked at cannot be told
  for (const Cell cell : shared.cells) mask.blocked.push_back(cell == Cell::masked ? 1 : 0);
  return mask;
}

Text reasonOf(const Mask& mask, const Shape& shape) {
  Text list;
  const auto add = [&list](const std::string& en, const std::string& zh) {
    list.en += (list.en.empty() ? "" : ", ") + en;
    list.zh += (list.zh.empty() ? "" : "、") + zh;
  };
  if (mask.causal) add("causal mask", "因果掩码");
  if (mask.window >= 0)
    add(join("window of ", mask.window, mask.window == 1 ? " token" : " tokens"), join(mask.window, " 个词元的窗口"));
  const std::int64_t keys = mask.padded_keys + std::ranges::count(mask.key_padding, 0);
  if (keys > 0)
    add(join("key padding (", keys, " of ", shape.keys(), ")"),
        join("键填充（", shape.keys(), " 个中的 ", keys, " 个）"));
  const std::int64_t queries = mask.padded_queries + std::ranges::count(mask.query_padding, 0);
  if (queries > 0)
    add(join("query padding (", queries, " of ", shape.queries(), ")"),
        join("查询填充（", shape.queries(), " 个中的 ", queries, " 个）"));
  if (const auto cells = std::ranges::count(mask.blocked, 1); cells > 0)
    add(join(cells, " of ", mask.blocked.size(), " cells masked one by one, in no pattern that has a name"),
        join("逐格屏蔽 ", mask.blocked.size(), " 格中的 ", cells, " 格（没有对应的命名规则）"));
  if (list.en.empty()) return {};
  return {join("logits that are −∞ or below ", masked_below, " → ", list.en),
          join("为 −∞ 或低于 ", masked_below, " 的 logits → ", list.zh)};
}

Text looksBackText() { return {"nothing is ahead of its query → causal mask", "没有键位于查询之后 → 因果掩码"}; }

Text stricterNote(const SharedCells& shared) {
  return {join(shared.stricter, " of ", shared.maps,
               " maps mask more keys than all of them do; the mask holds what all share, and the other masked keys "
               "count as seen, with weight 0."),
          join(shared.maps, " 张图中有 ", shared.stricter,
               " 张屏蔽的键多于所有图共有的部分；掩码只取共有的部分，其余被屏蔽的键按可见、权重为 0 计算。")};
}

}  // namespace

bool looksBack(const std::vector<std::int64_t>& shape, const SeenRows& seen, AttentionKind kind) {
  const std::int64_t keys = shape.back();
  const std::int64_t queries = shape[shape.size() - 2];
  bool any_ahead = false;
  for (std::size_t r = 0; r < seen.index.size(); ++r) {
    const std::span<const double> row = rowOf(seen, r);
    for (std::int64_t j = keys - queries + seen.index[r] % queries + 1; j < keys; ++j) {
      any_ahead = true;
      // NaN is no key that is looked at: a softmax of nothing, or a number that was lost.
      const double v = row[static_cast<std::size_t>(j)];
      if (!std::isnan(v) && (kind == AttentionKind::weights ? v != 0 : v > masked_below)) return false;
    }
  }
  return any_ahead;
}

FoundMask maskOf(const std::vector<std::int64_t>& shape, const SeenRows& seen, AttentionKind kind) {
  FoundMask found;
  if (seen.rows.empty() || shape[shape.size() - 2] > shape.back())
    return found;  // a mask has no more queries than keys
  if (kind == AttentionKind::weights) {
    // Where no query looks at anything, none looks ahead either, and that says nothing.
    const bool nothing = std::ranges::all_of(*seen.rows.values, [](double v) { return v == 0 || std::isnan(v); });
    found.mask.causal = !nothing && looksBack(shape, seen, kind);
    if (found.mask.causal) found.reasons.push_back(looksBackText());
    return found;
  }
  // Some rows of a map of any size tell no more than whether they look ahead.
  if (seen.rows.size() / shape.back() < shape[shape.size() - 2]) {
    found.mask.causal = looksBack(shape, seen, kind);
    if (found.mask.causal) found.reasons.push_back(looksBackText());
    return found;
  }
  const SharedCells shared = sharedCells(shape, seen);
  if (std::ranges::find(shared.cells, Cell::masked) != shared.cells.end()) {
    found.mask = namedMask(shared);
    if (Text reason = reasonOf(found.mask, shared.shape); !reason.en.empty())
      found.reasons.push_back(std::move(reason));
  }
  if (shared.stricter > 0) found.notes.push_back(stricterNote(shared));
  return found;
}

FoundMask maskOf(const files::AttentionArray& attention) {
  return maskOf(attention.array.shape, allRows(attention.array), attention.kind);
}

}  // namespace posiscope::models
