// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask.h"

#include <algorithm>
#include <cstdlib>

namespace posiscope {
namespace {

ParamTable<MaskRules> makeTable() {
  ParamTable<MaskRules> t;
  t.choice("mask", &MaskRules::mask,
           {{"none", {"none", "无"}},
            {"causal", {"causal", "因果"}},
            {"window", {"sliding window", "滑动窗口"}},
            {"both", {"window, both sides", "双侧窗口"}}},
           {{"mask", "掩码"}, {"Which keys a query may look at.", "每个查询可以看到哪些键。"}});
  t.integer("window", &MaskRules::window, {0, 1 << 24, 1, 1 << 17, true},
            {{"window", "窗口"},
             {"Keys at most this many tokens away are seen.", "只看到距离不超过该词元数的键。"},
             "",
             "tokens"});
  t.when("mask", {"window", "both"});
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
  return t;
}

}  // namespace

bool Mask::allows(const Shape& shape, std::int64_t i, std::int64_t j) const {
  if (!key_padding.empty() && !key_padding[static_cast<std::size_t>(j)]) return false;
  if (!query_padding.empty() && !query_padding[static_cast<std::size_t>(i)]) return false;
  if (!blocked.empty() && blocked[static_cast<std::size_t>(i * shape.keys() + j)]) return false;
  if (j < prefix) return true;
  const std::int64_t p = i + shape.queryOffset();
  const std::int64_t n = p - j;
  if (causal && n < 0) return false;
  if (chunk > 0 && p / chunk != j / chunk) return false;
  return window < 0 || std::abs(n) <= window;
}

Mask::Span Mask::span(const Shape& shape, std::int64_t i) const {
  const std::int64_t keys = shape.keys();
  if (!query_padding.empty() && !query_padding[static_cast<std::size_t>(i)]) return {0, 0};
  const std::int64_t p = i + shape.queryOffset();
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
  return {begin, end};
}

const ParamTable<MaskRules>& maskTable() {
  static const ParamTable<MaskRules> table = makeTable();
  return table;
}

MaskRules rulesOf(const Mask& mask) {
  using Rule = MaskRules::Rule;
  MaskRules rules;
  rules.mask = mask.window >= 0 ? (mask.causal ? Rule::window : Rule::both) : (mask.causal ? Rule::causal : Rule::none);
  if (mask.window >= 0) rules.window = mask.window;
  rules.prefix = mask.prefix;
  rules.chunk = mask.chunk;
  return rules;
}

Mask withRules(Mask mask, const MaskRules& rules) {
  using Rule = MaskRules::Rule;
  mask.causal = rules.mask == Rule::causal || rules.mask == Rule::window;
  mask.window = rules.mask == Rule::window || rules.mask == Rule::both ? rules.window : -1;
  mask.prefix = rules.prefix;
  mask.chunk = rules.chunk;
  return mask;
}

Outcome checkMask(const Mask& mask, const Shape& shape) {
  if (const auto rules = maskTable().read("mask", maskTable().values(rulesOf(mask))); !rules)
    return fail(rules.error());
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
