// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/sparse.h"

#include "core/schemes/offset_table.h"
#include "core/schemes/schemes.h"
#include "core/sinusoidal.h"
#include "core/slopes.h"

#include <algorithm>
#include <memory>

namespace posiscope::schemes {

std::vector<bool> sparseFlags(const SparseParams& p, std::int64_t keys) {
  std::vector<bool> flags(static_cast<std::size_t>(keys));
  for (std::int64_t t = 0; t < keys; ++t) {
    const auto at = static_cast<std::size_t>(t);
    if (!p.flags.empty())
      flags[at] = at < p.flags.size() && p.flags[at] != 0;
    else if (p.boundary_every > 0)
      flags[at] = (p.rule == SegmentRule::end ? t + 1 : t) % p.boundary_every == 0;
  }
  return flags;
}

SparsePattern::SparsePattern(const SparseParams& p, std::int64_t keys)
    : keep_(p.keep),
      window_(p.window),
      offset_(static_cast<std::size_t>(keys)),
      flags_(sparseFlags(p, keys)),
      segments_(segmentIds(flags_, p.rule)) {
  for (const double offset : p.offsets)
    if (std::abs(offset) < static_cast<double>(keys)) offset_[static_cast<std::size_t>(std::abs(offset))] = true;
}

bool SparsePattern::keeps(std::int64_t query, std::int64_t key) const {
  const std::int64_t distance = std::abs(query - key);
  const auto i = static_cast<std::size_t>(query), j = static_cast<std::size_t>(key);
  switch (keep_) {
    case SparseKeep::window: return distance <= window_;
    case SparseKeep::window_or_boundary: return distance <= window_ || flags_[i] || flags_[j];
    case SparseKeep::window_or_boundary_key: return distance <= window_ || flags_[j];
    case SparseKeep::offsets: return offset_[static_cast<std::size_t>(distance)];
    case SparseKeep::same_segment: break;
  }
  return segments_[i] == segments_[j];
}

namespace {

void addBiasParams(ParamTable<SparseParams>& t) {
  using P = SparseParams;
  t.choice("keep", &P::keep,
           {{"window", {"near", "邻近"}},
            {"window_or_boundary", {"near, or a boundary on either side", "邻近，或任一端为边界"}},
            {"window_or_boundary_key", {"near, or a boundary key", "邻近，或键为边界"}},
            {"offsets", {"chosen offsets", "指定偏移"}},
            {"same_segment", {"same segment", "同一段"}}},
           {{"kept where", "保留处"},
            {"Which pairs keep their bias; the others stay visible without one.",
             "哪些词元对保留偏置；其余仍可见，但没有偏置。"}})
      .when("form", {"bias"});
  t.integer("window", &P::window, {0, 1 << 24, 0, 256, false},
            {{"window", "窗口"}, {"Pairs up to this distance are near.", "距离不超过此值为邻近。"}, "", "tokens"})
      .when("keep", {"window", "window_or_boundary", "window_or_boundary_key"});
  t.list("offsets", &P::offsets,
         {{"offsets", "偏移"},
          {"Distances that keep their bias, e.g. [0,1,2,4,8].", "保留偏置的距离，例如 [0,1,2,4,8]。"}})
      .when("keep", {"offsets"});
  t.real("slope", &P::slope, {0, 1000, 0, 1, false},
         {{"slope", "斜率"},
          {"Of the bias −m·|n| in every head; 0 means ALiBi's slopes, one for each head.",
           "所有头共用的偏置 −m·|n| 的斜率；0 表示采用 ALiBi 的各头斜率。"}})
      .unset({"ALiBi's", "ALiBi 斜率"})
      .when("form", {"bias"});
}

ParamTable<SparseParams> sparseTable() {
  using P = SparseParams;
  ParamTable<P> t;
  t.choice("form", &P::form,
           {{"bias", {"bias of some pairs", "部分词元对的偏置"}},
            {"boundary_table", {"table at boundaries", "边界处的位置表"}},
            {"restart_table", {"positions restart", "位置重新计数"}}},
           {{"form", "形式"},
            {"A bias only for chosen pairs, a table only at boundaries, or a table that begins again in every segment.",
             "只给选中的词元对加偏置，只在边界处加位置向量，或每段从头计数。"}});
  addBiasParams(t);
  t.list("flags", &P::flags,
         {{"boundaries", "边界"},
          {"1 for every boundary token (end of a sentence, separator), else 0; one number a token.",
           "边界词元（句末、分隔符）为 1，其余为 0；每个词元一个数。"}})
      .takesSentenceEnds();
  t.integer(
       "boundary_every", &P::boundary_every, {0, 1 << 24, 0, 128, false},
       {{"boundary every", "边界间隔"},
        {"Distance of the boundaries when none are given; 0 means none.", "未给出边界时边界的间隔；0 表示没有边界。"},
        "",
        "tokens"})
      .unset({"none", "无"});
  t.choice("rule", &P::rule, {{"end", {"ends a segment", "结束一段"}}, {"start", {"starts a segment", "开始一段"}}},
           {{"a boundary", "边界的作用"},
            {"Whether the boundary token is the last one of its segment or the first one.",
             "边界词元是所在段的最后一个，还是第一个。"}});
  t.choice("index", &P::index, {{"token", {"of the token", "词元号"}}, {"segment", {"of the segment", "段号"}}},
           {{"position", "位置"}, {"The number a boundary's row stands for.", "边界处的行代表的编号。"}})
      .when("form", {"boundary_table"});
  t.real("base", &P::base, {1, 1e12, 100, 1e7, true},
         {{"base", "底数"}, {"Sets how slowly the last pair turns.", "决定最后一对转得有多慢。"}})
      .when("form", {"boundary_table", "restart_table"});
  return t;
}

bool byOffset(const SparseParams& p) { return p.keep == SparseKeep::window || p.keep == SparseKeep::offsets; }

std::vector<double> slopesOf(const SparseParams& p, const Shape& shape) {
  if (p.slope > 0) return std::vector<double>(static_cast<std::size_t>(shape.num_heads), p.slope);
  return alibiSlopes(shape.num_heads, 8);
}

/// "−0.25 · |405|"
std::string slopeTerm(double slope, std::int64_t n) {
  const auto offset = static_cast<double>(n);
  return "−" + screenFactor(slope, offset) + " · |" + screenNumber(offset) + "|";
}

template <class T>
void addBias(const SparseParams& p, const Shape& shape, Encoding<T>& encoding) {
  auto pattern = std::make_shared<const SparsePattern>(p, shape.keys());
  const std::vector<double> slopes = slopesOf(p, shape);
  if (byOffset(p)) {
    OffsetBias<T> bias{shape.num_heads, shape.keys() - 1, {}};
    for (const double slope : slopes)
      for (std::int64_t n = -bias.max_offset; n <= bias.max_offset; ++n)
        bias.values.push_back(pattern->keeps(std::abs(n), 0) ? static_cast<T>(-slope * static_cast<double>(std::abs(n)))
                                                             : T(0));
    bias.term = [pattern, slopes](std::int64_t head, std::int64_t n) {
      return pattern->keeps(std::abs(n), 0) ? slopeTerm(slopes[static_cast<std::size_t>(head)], n) : std::string("0");
    };
    encoding.logits.bias = std::move(bias);
    return;
  }
  encoding.offset_only = false;
  encoding.logits.bias = PairBias<T>{
      [pattern, slopes, offset = shape.queryOffset()](std::int64_t head, std::int64_t i, std::span<T> row) {
        const double slope = slopes[static_cast<std::size_t>(head)];
        for (std::int64_t j = 0; j < static_cast<std::int64_t>(row.size()); ++j) {
          const auto distance = static_cast<double>(std::abs(i + offset - j));
          row[static_cast<std::size_t>(j)] = pattern->keeps(i + offset, j) ? static_cast<T>(-slope * distance) : T(0);
        }
      },
      [pattern, slopes, offset = shape.queryOffset()](std::int64_t head, std::int64_t i, std::int64_t j) {
        const std::int64_t n = i + offset - j;
        return pattern->keeps(i + offset, j) ? slopeTerm(slopes[static_cast<std::size_t>(head)], n) : std::string("0");
      }};
}

/// Sines at chosen rows: the flagged tokens, or all of them counted anew in each segment.
template <class T>
Table<T> tableOf(const SparseParams& p, const Shape& shape) {
  SinusoidalParams sines;
  sines.base = p.base;
  const std::vector<double> frequencies = sinusoidalFrequencies(sines, shape.d_model);
  const std::vector<bool> flags = sparseFlags(p, shape.keys());
  const std::vector<std::int64_t> segments = segmentIds(flags, p.rule);
  const std::vector<std::int64_t> restarts = restartIds(segments);
  Table<T> table = makeTable<T>(shape.keys(), shape.d_model);
  for (std::int64_t t = 0; t < shape.keys(); ++t) {
    const auto at = static_cast<std::size_t>(t);
    if (p.form == SparseForm::restart_table)
      sinusoidalRow<T>(sines, frequencies, static_cast<double>(restarts[at]), table.row(t));
    else if (flags[at])
      sinusoidalRow<T>(sines, frequencies,
                       p.index == SparseIndex::segment ? static_cast<double>(segments[at])
                                                       : shape.first_position + static_cast<double>(t),
                       table.row(t));
  }
  return table;
}

struct Sparse {
  Outcome check(const SparseParams& p, const Shape& s) const {
    if (!p.flags.empty() && static_cast<std::int64_t>(p.flags.size()) != s.keys())
      return fail(ErrorCode::bad_shape,
                  join("sparse: flags must have seq_len ", s.keys(), " numbers, got ", p.flags.size()),
                  join("sparse：flags 必须有 seq_len ", s.keys(), " 个数，得到 ", p.flags.size()));
    for (const double offset : p.offsets)
      if (!(std::abs(offset) <= 1 << 24) || offset != std::floor(offset))
        return fail(rangeError("sparse", "each of offsets", -(1 << 24), 1 << 24, offset));
    if (p.form == SparseForm::bias && byOffset(p)) return checkOffsetBias("sparse", s, sizeof(double));
    const double width = p.form == SparseForm::bias ? 4 : static_cast<double>(s.d_model);
    return checkMemory("sparse: the table", static_cast<double>(s.keys()) * width * sizeof(double));
  }

  template <class T>
  Encoding<T> encode(const SparseParams& p, const Shape& shape) const {
    Encoding<T> encoding;
    encoding.logit_scale = rootScale(shape);
    if (p.form == SparseForm::bias) {
      addBias(p, shape, encoding);
    } else {
      encoding.input.table = tableOf<T>(p, shape);
      encoding.offset_only = false;
    }
    const std::vector<std::int64_t> segments = segmentIds(sparseFlags(p, shape.keys()), p.rule);
    encoding.facts = {{"segments", static_cast<double>(segments.back() + 1)}};
    return encoding;
  }

  std::string substitution(const SparseParams& p, const Shape& shape) const {
    const std::vector<std::int64_t> segments = segmentIds(sparseFlags(p, shape.keys()), p.rule);
    const std::string count = "S = " + screenNumber(static_cast<double>(segments.back() + 1));
    if (p.form != SparseForm::bias) return join("b = ", screenNumber(p.base), ", ", count);
    return p.slope > 0 ? join("m = ", screenNumber(p.slope), ", ", count) : count;
  }
};

}  // namespace

Scheme sparse() {
  return makeScheme({.id = "sparse",
                     .name = {"Sparse", "稀疏位置编码"},
                     .family = Family::combination,
                     .year = 2024,
                     .reference = "a combination of this program",
                     .summary = {"Position only at chosen neighbourhoods, offsets, segments or sentence boundaries.",
                                 "只在选定的邻域、偏移、段或句子边界处给出位置。"}},
                    sparseTable(), Sparse{});
}

}  // namespace posiscope::schemes
