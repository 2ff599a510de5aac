// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mrope.h"

#include <algorithm>
#include <cmath>

namespace posiscope {
namespace {

constexpr double most_tokens = 1 << 24;

bool isCount(double value, double least) {
  return value >= least && value <= most_tokens && value == std::floor(value);
}

tl::unexpected<Error> badSections(std::string_view owner, const std::vector<std::int64_t>& sections,
                                  std::int64_t pairs) {
  std::string found;
  for (const std::int64_t s : sections) found += join(found.empty() ? "" : ",", s);
  return fail(ErrorCode::bad_shape,
              join(owner, ": sections must be three counts (time, height, width) that add up to the ", pairs,
                   " pairs of a head, got [", found, "]"),
              join(owner, "：sections 必须是三个计数（时间、高、宽），总和等于每个头的 ", pairs, " 个维度对，得到 [",
                   found, "]"));
}

/// Pair j ≡ axis mod 3 belongs to the axis while j < 3·section.
std::vector<std::int64_t> interleaved(const std::vector<std::int64_t>& sections, std::int64_t pairs) {
  std::vector<std::int64_t> axis(static_cast<std::size_t>(pairs), 0);
  for (const std::int64_t a : {1, 2})
    for (std::int64_t j = a; j < std::min(pairs, 3 * sections[static_cast<std::size_t>(a)]); j += 3)
      axis[static_cast<std::size_t>(j)] = a;
  return axis;
}

std::vector<std::int64_t> chunked(const std::vector<std::int64_t>& sections) {
  std::vector<std::int64_t> axis;
  for (std::size_t a = 0; a < sections.size(); ++a)
    axis.insert(axis.end(), static_cast<std::size_t>(sections[a]), static_cast<std::int64_t>(a));
  return axis;
}

}  // namespace

Expected<std::vector<MediaSegment>> mediaSegments(const std::vector<double>& triples) {
  if (triples.size() % 3 != 0)
    return fail(ErrorCode::bad_value,
                join("mrope: segments must be triples (time, height, width), got ", triples.size(), " numbers"),
                join("mrope：segments 必须是三元组（时间、高、宽），得到 ", triples.size(), " 个数"));
  std::vector<MediaSegment> segments;
  double tokens = 0;
  for (std::size_t i = 0; i < triples.size(); i += 3) {
    const double t = triples[i], h = triples[i + 1], w = triples[i + 2];
    const bool text = h == 0 && w == 0;
    tokens += text ? t : t * h * w;
    if (!isCount(t, 1) || !(text || (isCount(h, 1) && isCount(w, 1))) || tokens > most_tokens)
      return fail(
          ErrorCode::out_of_range,
          join("mrope: a segment must have whole counts from 1 on (text of n tokens is n,0,0), got ", t, ",", h, ",",
               w),
          join("mrope：每个片段的计数必须是不小于 1 的整数（n 个词元的文本为 n,0,0），得到 ", t, ",", h, ",", w));
    segments.push_back({static_cast<std::int64_t>(t), static_cast<std::int64_t>(h), static_cast<std::int64_t>(w)});
  }
  return segments;
}

std::vector<double> mediaPositions(const std::vector<MediaSegment>& segments) {
  std::vector<double> time, rows, columns;
  std::int64_t next = 0;
  const auto add = [&](std::int64_t t, std::int64_t h, std::int64_t w) {
    time.push_back(static_cast<double>(t));
    rows.push_back(static_cast<double>(h));
    columns.push_back(static_cast<double>(w));
  };
  for (const MediaSegment& s : segments) {
    if (s.isText())
      for (std::int64_t i = 0; i < s.time; ++i) add(next + i, next + i, next + i);
    for (std::int64_t t = 0; t < s.time && !s.isText(); ++t)
      for (std::int64_t h = 0; h < s.height; ++h)
        for (std::int64_t w = 0; w < s.width; ++w) add(next + t, next + h, next + w);
    next += std::max({s.time, s.height, s.width});
  }
  time.insert(time.end(), rows.begin(), rows.end());
  time.insert(time.end(), columns.begin(), columns.end());
  return time;
}

std::vector<std::int64_t> usualSections(MropeMode mode, std::int64_t pairs) {
  const std::int64_t each = mode == MropeMode::chunked ? pairs * 3 / 8 : pairs * 5 / 16;
  return {pairs - 2 * each, each, each};
}

Expected<std::vector<std::int64_t>> axisOfPairs(std::string_view owner, const std::vector<std::int64_t>& sections,
                                                MropeMode mode, std::int64_t pairs) {
  const bool counts = sections.size() == 3 && std::ranges::all_of(sections, [](auto s) { return s >= 0; });
  if (!counts || sections[0] + sections[1] + sections[2] != pairs) return badSections(owner, sections, pairs);
  return mode == MropeMode::chunked ? chunked(sections) : interleaved(sections, pairs);
}

}  // namespace posiscope
