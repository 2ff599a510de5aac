// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/sweep.h"

#include <algorithm>
#include <charconv>
#include <numeric>

namespace posiscope::sweep {
namespace {

bool readWhole(std::string_view text, std::int64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

}  // namespace

Expected<Shard> parseShard(std::string_view text) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  Shard shard;
  if (slash == text.size() || !readWhole(text.substr(0, slash), shard.index) ||
      !readWhole(text.substr(slash + 1), shard.count) || shard.index < 1 || shard.index > shard.count)
    return fail(ErrorCode::bad_value, join("--shard must be i/n with i from 1 to n, such as 2/8; got '", text, "'"),
                join("--shard 必须为 i/n，其中 i 为 1 到 n，例如 2/8；得到“", text, "”"));
  return shard;
}

std::vector<std::size_t> itemsOf(const Sweep& sweep, const Shard& shard) {
  std::vector<std::size_t> order(sweep.items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t n) { return sweep.items[n].key; });
  std::vector<std::size_t> mine;
  const auto step = static_cast<std::size_t>(shard.count);
  for (std::size_t n = static_cast<std::size_t>(shard.index - 1); n < order.size(); n += step) mine.push_back(order[n]);
  std::ranges::sort(mine);
  return mine;
}

}  // namespace posiscope::sweep
