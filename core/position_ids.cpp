// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/position_ids.h"

#include "core/random.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_set>

namespace posiscope {
namespace {

using Ids = std::vector<double>;

tl::unexpected<Error> refuse(ErrorCode code, const std::string& en, const std::string& zh) {
  return fail(code, "position_ids: " + en, "position_ids：" + zh);
}

Outcome checkCount(const char* key, std::size_t found, std::int64_t tokens) {
  if (static_cast<std::int64_t>(found) == tokens) return {};
  return refuse(ErrorCode::bad_shape, join(key, " must have seq_len ", tokens, " entries, got ", found),
                join(key, " 必须有 seq_len ", tokens, " 项，得到 ", found));
}

Outcome checkWhole(const char* key, const std::vector<double>& list, double minimum) {
  for (const double v : list)
    if (v != std::floor(v) || v < minimum)
      return refuse(ErrorCode::bad_value, join(key, " must hold whole numbers from ", minimum, ", got ", v),
                    join(key, " 的每一项必须是不小于 ", minimum, " 的整数，得到 ", v));
  return {};
}

Outcome checkRoom(const IdParams& p, std::int64_t tokens) {
  if (tokens <= p.range) return {};
  return refuse(ErrorCode::out_of_range,
                join("range must be at least the number of tokens ", tokens, ", got ", p.range),
                join("range 必须不小于词元数 ", tokens, "，得到 ", p.range));
}

/// Different numbers below `range` by Floyd's rule: one draw a token, whatever the range.
Ids drawn(const IdParams& p, std::int64_t tokens) {
  const Stream stream(static_cast<std::uint64_t>(p.seed), "position_ids/sorted_sample");
  std::unordered_set<std::int64_t> taken;
  for (std::int64_t top = p.range - tokens; top < p.range; ++top) {
    const auto bound = static_cast<std::uint64_t>(top + 1);
    const auto number = static_cast<std::int64_t>(stream.below(bound, static_cast<std::uint64_t>(top), 0));
    if (!taken.insert(number).second) taken.insert(top);
  }
  return {taken.begin(), taken.end()};
}

Expected<Ids> sortedSample(const IdParams& p, std::int64_t tokens) {
  if (Outcome ok = checkRoom(p, tokens); !ok) return fail(ok.error());
  Ids ids = p.draw.empty() ? drawn(p, tokens) : p.draw;
  if (Outcome ok = checkCount("draw", ids.size(), tokens); !ok) return fail(ok.error());
  if (Outcome ok = checkWhole("draw", ids, 0); !ok) return fail(ok.error());
  std::ranges::sort(ids);
  if (ids.back() >= static_cast<double>(p.range))
    return refuse(ErrorCode::out_of_range, join("draw must stay below range ", p.range, ", got ", ids.back()),
                  join("draw 的每一项必须小于 range ", p.range, "，得到 ", ids.back()));
  if (const auto twice = std::ranges::adjacent_find(ids); twice != ids.end())
    return refuse(ErrorCode::out_of_range, join("every position may be drawn once, got ", *twice, " twice"),
                  join("每个位置只能抽取一次，", *twice, " 出现了两次"));
  return ids;
}

struct Chunks {
  std::vector<double> lengths, skips;
};

/// Two chunks, as PoSE trains: the first of up to half the tokens stays, the second moves anywhere in the range.
Chunks drawnChunks(const IdParams& p, std::int64_t tokens) {
  const Stream stream(static_cast<std::uint64_t>(p.seed), "position_ids/pose");
  const auto half = static_cast<std::uint64_t>(std::max<std::int64_t>(tokens / 2, 1));
  const auto length = static_cast<std::int64_t>(stream.below(half, 0, 0)) + 1;
  const std::uint64_t room = static_cast<std::uint64_t>(p.range - tokens) + 1;
  const auto skip = static_cast<double>(stream.below(room, 0, 1));
  return {{static_cast<double>(length), static_cast<double>(tokens - length)}, {0, skip}};
}

Expected<Ids> pose(const IdParams& p, std::int64_t tokens) {
  if (Outcome ok = checkRoom(p, tokens); !ok) return fail(ok.error());
  if (p.lengths.size() != p.skips.size())
    return refuse(ErrorCode::bad_shape,
                  join("skips must have one entry a chunk, ", p.lengths.size(), ", got ", p.skips.size()),
                  join("skips 必须每块一项，共 ", p.lengths.size(), " 项，得到 ", p.skips.size()));
  const Chunks chunks = p.skips.empty() ? drawnChunks(p, tokens) : Chunks{p.lengths, p.skips};
  if (Outcome ok = checkWhole("lengths", chunks.lengths, 0); !ok) return fail(ok.error());
  if (Outcome ok = checkWhole("skips", chunks.skips, 0); !ok) return fail(ok.error());
  const double sum = std::accumulate(chunks.lengths.begin(), chunks.lengths.end(), 0.0);
  if (sum != static_cast<double>(tokens))
    return refuse(ErrorCode::bad_shape, join("lengths must add up to seq_len ", tokens, ", got ", sum),
                  join("lengths 之和必须等于 seq_len ", tokens, "，得到 ", sum));
  if (const auto back = std::ranges::adjacent_find(chunks.skips, std::greater<>{}); back != chunks.skips.end())
    return refuse(ErrorCode::out_of_range, join("skips must not decrease, got ", *(back + 1), " after ", *back),
                  join("skips 不能减小，", *back, " 之后得到 ", *(back + 1)));
  Ids ids;
  for (std::size_t c = 0; c < chunks.lengths.size(); ++c)
    for (double left = chunks.lengths[c]; left > 0; --left)
      ids.push_back(static_cast<double>(ids.size()) + chunks.skips[c]);
  if (ids.back() >= static_cast<double>(p.range))
    return refuse(ErrorCode::out_of_range, join("the last id must stay below range ", p.range, ", got ", ids.back()),
                  join("最后一个位置必须小于 range ", p.range, "，得到 ", ids.back()));
  return ids;
}

/// Real tokens are counted from `start`, padding holds `filler`.
Expected<Ids> counted(const IdParams& p, std::int64_t tokens, double start, double filler) {
  const std::vector<double> real =
      p.padding.empty() ? std::vector<double>(static_cast<std::size_t>(tokens), 1.0) : p.padding;
  if (Outcome ok = checkCount("padding", real.size(), tokens); !ok) return fail(ok.error());
  const auto odd = std::ranges::find_if(real, [](double v) { return v != 0 && v != 1; });
  if (odd != real.end())
    return refuse(ErrorCode::bad_value, join("padding entries must be 0 or 1, got ", *odd),
                  join("padding 的每一项必须是 0 或 1，得到 ", *odd));
  Ids ids;
  double next = start;
  for (const double v : real) ids.push_back(v == 1 ? next++ : filler);
  return ids;
}

}  // namespace

Expected<std::vector<double>> positionIds(const IdParams& p, std::int64_t tokens, double first) {
  switch (p.rule) {
    case IdRule::sorted_sample: return sortedSample(p, tokens);
    case IdRule::pose: return pose(p, tokens);
    case IdRule::roberta: {
      const auto filler = static_cast<double>(p.padding_idx);
      return counted(p, tokens, filler + 1, filler);
    }
    case IdRule::left_pad: return counted(p, tokens, 0, 1);
    case IdRule::offset: break;
  }
  Ids ids(static_cast<std::size_t>(tokens));
  std::iota(ids.begin(), ids.end(), first + p.offset);
  return ids;
}

}  // namespace posiscope
