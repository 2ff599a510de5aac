// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask.h"

#include <algorithm>
#include <cstdlib>

namespace posiscope {
namespace {

void addPadding(ParamTable<MaskRules>& t) {
  t.choice("padding", &MaskRules::padding,
           {{"none", {"none", "无"}}, {"end", {"at the end", "末尾"}}, {"start", {"at the start", "开头"}}},
           {{"padding", "填充"},
            {"Tokens that only fill a batch up; texts that are to be continued have them at the start.",
             "仅用来补齐批量的词元；需要续写的文本把它们放在开头。"}});
  t.integer("padded_keys", &MaskRules::padded_keys, {0, 1 << 24, 0, 512, false},
            {{"padded keys", "填充键数"},
             {"So many keys are padding, which no query sees.", "这么多个键是填充，任何查询都看不到。"},
             "",
             "tokens"});
  t.when("padding", {"end", "start"});
  t.integer("padded_queries", &MaskRules::padded_queries, {0, 1 << 24, 0, 512, false},
            {{"padded queries", "填充查询数"},
             {"The queries at so many positions are padding: their rows are all 0.",
              "这么多个位置上的查询是填充，其权重全为 0。"},
             "",
             "tokens"});
  t.when("padding", {"end", "start"});
}

ParamTable<MaskRules> makeTable() {
  ParamTable<MaskRules> t;
  t.choice("mask", &MaskRules::mask,
           {{"none", {"none", "无"}},
            {"causal", {"causal", "因果"}},
            {"window", {"sliding window", "滑动窗口"}},
            {"both", {"window, both sides", "双侧窗口"}},
            {"shifted", {"shifted windows", "移位窗口"}}},
           {{"mask", "掩码"}, {"Which keys a query may look at.", "每个查询可以看到哪些键。"}});
  t.integer(
      "window", &MaskRules::window, {0, 1 << 24, 1, 1 << 17, true},
      {{"window", "窗口"},
       {"Keys at most this many tokens away are seen, so one more with the query itself: models whose "
        "sliding_window W counts the query have W − 1 here.",
        "只看到距离不超过该词元数的键，连同查询自身再多一个：若模型的 sliding_window W 把查询也计入，这里应为 W − 1。"},
       "",
       "tokens"});
  t.when("mask", {"window", "both"});
  t.integer("side", &MaskRules::side, {1, 1 << 24, 1, 64, false},
            {{"window side", "窗口边长"},
             {"A query sees the keys of its own window: of the grid of the shape where both sides are set, else of the "
              "line of tokens.",
              "每个查询只看到自己窗口内的键：形状设了网格的两边时按网格切分，否则沿词元序列切分。"},
             "",
             "patches"});
  t.when("mask", {"shifted"});
  t.integer(
      "window_shift", &MaskRules::shift, {0, 1 << 24, 0, 32, false},
      {{"shift", "平移"},
       {"How far the cuts are moved; Swin takes half a window in every second layer. What is left at the two ends "
        "does not meet.",
        "切分线移动的距离；Swin 每隔一层取半个窗口。两端剩余的部分互不可见。"},
       "",
       "patches"});
  t.when("mask", {"shifted"});
  t.integer("prefix", &MaskRules::prefix, {0, 1 << 24, 0, 4096, false},
            {{"prefix", "前缀"},
             {"The first keys that every query sees, whatever the mask says.",
              "无论掩码如何，每个查询都能看到的前若干个键。"},
             "",
             "tokens"});
  t.when("mask", {"causal", "window", "both"});
  t.integer("chunk", &MaskRules::chunk, {0, 1 << 24, 0, 1 << 14, false},
            {{"chunk", "分块"},
             {"Only keys of the query's own chunk of this many tokens are seen; 0 means no chunks.",
              "只看到查询所在块内的键，每块这么多个词元；0 表示不分块。"},
             "attention_chunk_size",
             "tokens"})
      .unset({"no chunks", "不分块"});
  t.when("mask", {"causal", "window", "both"});
  addPadding(t);
  return t;
}

/// Do two places of an axis lie in the same window?
bool shareAxis(std::int64_t a, std::int64_t b, std::int64_t side, std::int64_t shift) {
  const auto window = [&](std::int64_t place) { return (place + side - shift % side) / side; };
  return window(a) == window(b);
}

}  // namespace

bool Mask::isPadding(const Shape& shape, std::int64_t position, std::int64_t padded) const {
  if (padding == Padding::none) return false;
  return padding == Padding::start ? position < padded : position >= shape.keys() - padded;
}

bool Mask::shareWindow(const Shape& shape, std::int64_t a, std::int64_t b) const {
  const std::int64_t height = shape.grid_height, width = shape.grid_width;
  if (height <= 0 || width <= 0) return shape.keys() <= side || shareAxis(a, b, side, shift);
  const std::int64_t cut = std::min({side, height, width});
  const std::int64_t moved = cut < side || cut == std::min(height, width) ? 0 : shift;
  return shareAxis(a / width, b / width, cut, moved) && shareAxis(a % width, b % width, cut, moved);
}

bool Mask::allows(const Shape& shape, std::int64_t i, std::int64_t j) const {
  if (!key_padding.empty() && !key_padding[static_cast<std::size_t>(j)]) return false;
  if (!query_padding.empty() && !query_padding[static_cast<std::size_t>(i)]) return false;
  if (!blocked.empty() && blocked[static_cast<std::size_t>(i * shape.keys() + j)]) return false;
  const std::int64_t p = i + shape.queryOffset();
  if (isPadding(shape, j, padded_keys) || isPadding(shape, p, padded_queries)) return false;
  if (j < prefix) return true;
  if (side > 0 && !shareWindow(shape, p, j)) return false;
  const std::int64_t n = p - j;
  if (causal && n < 0) return false;
  if (chunk > 0 && p / chunk != j / chunk) return false;
  return window < 0 || std::abs(n) <= window;
}

Mask::Span Mask::span(const Shape& shape, std::int64_t i) const {
  const std::int64_t keys = shape.keys();
  if (!query_padding.empty() && !query_padding[static_cast<std::size_t>(i)]) return {0, 0};
  const std::int64_t p = i + shape.queryOffset();
  if (isPadding(shape, p, padded_queries)) return {0, 0};
  std::int64_t begin = window >= 0 ? std::max<std::int64_t>(0, p - window) : 0;
  std::int64_t end = causal ? p + 1 : (window >= 0 ? p + window + 1 : keys);
  if (chunk > 0) {
    begin = std::max(begin, p / chunk * chunk);
    end = std::min(end, (p / chunk + 1) * chunk);
  }
  end = std::clamp<std::int64_t>(end, 0, keys);
  if (prefix > 0) {
    begin = 0;
    end = std::max(end, std::min(prefix, keys));
  }
  if (padding == Padding::start) begin = std::max(begin, padded_keys);
  if (padding == Padding::end) end = std::min(end, keys - padded_keys);
  return begin < end ? Span{begin, end} : Span{0, 0};
}

const ParamTable<MaskRules>& maskTable() {
  static const ParamTable<MaskRules> table = makeTable();
  return table;
}

MaskRules rulesOf(const Mask& mask) {
  using Rule = MaskRules::Rule;
  MaskRules rules;
  rules.mask = mask.window >= 0 ? (mask.causal ? Rule::window : Rule::both) : (mask.causal ? Rule::causal : Rule::none);
  if (mask.side > 0) {
    rules.mask = Rule::shifted;
    rules.side = mask.side;
  }
  rules.shift = mask.shift;
  if (mask.window >= 0) rules.window = mask.window;
  rules.prefix = mask.prefix;
  rules.chunk = mask.chunk;
  rules.padded_keys = mask.padded_keys;
  rules.padded_queries = mask.padded_queries;
  rules.padding = mask.padding;
  return rules;
}

Mask withRules(Mask mask, const MaskRules& rules) {
  using Rule = MaskRules::Rule;
  mask.causal = rules.mask == Rule::causal || rules.mask == Rule::window;
  mask.window = rules.mask == Rule::window || rules.mask == Rule::both ? rules.window : -1;
  mask.prefix = rules.prefix;
  mask.chunk = rules.chunk;
  mask.side = rules.mask == Rule::shifted ? rules.side : 0;
  mask.shift = rules.shift;
  mask.padded_keys = rules.padded_keys;
  mask.padded_queries = rules.padded_queries;
  mask.padding = rules.padding;
  return mask;
}

namespace {

/// A cut sequence may be the start of its grid, so the grid need only have room for it.
Outcome checkGrid(const Shape& shape) {
  const std::int64_t height = shape.grid_height, width = shape.grid_width;
  if ((height <= 0 && width <= 0) || (height > 0 && width > 0 && shape.keys() <= height * width)) return {};
  const std::string found = join(height, " × ", width, " and ", shape.keys(), " keys");
  const std::string found_zh = join(height, " × ", width, " 与 ", shape.keys(), " 个键");
  return fail(ErrorCode::bad_shape,
              "mask: shifted windows need a grid with both sides and room for the keys, or no grid; got " + found,
              "掩码：移位窗口要求网格的两边都已设置且放得下所有键，或者不设网格；得到 " + found_zh);
}

}  // namespace

Outcome checkMask(const Mask& mask, const Shape& shape) {
  if (const auto rules = maskTable().read("mask", maskTable().values(rulesOf(mask))); !rules)
    return fail(rules.error());
  if (mask.side > 0)
    if (Outcome ok = checkGrid(shape); !ok) return ok;
  const auto check = [](std::string_view what, std::size_t found, std::int64_t wanted) -> Outcome {
    if (found == 0 || static_cast<std::int64_t>(found) == wanted) return {};
    return fail(ErrorCode::bad_shape, join("mask: ", what, " must have ", wanted, " entries, got ", found),
                join("掩码：", what, " 必须有 ", wanted, " 项，得到 ", found));
  };
  if (Outcome ok = check("key_padding", mask.key_padding.size(), shape.keys()); !ok) return ok;
  if (Outcome ok = check("query_padding", mask.query_padding.size(), shape.queries()); !ok) return ok;
  return check("blocked", mask.blocked.size(), shape.queries() * shape.keys());
}

}  // namespace posiscope
