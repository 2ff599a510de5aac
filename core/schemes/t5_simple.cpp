// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/offset_table.h"
#include "core/schemes/schemes.h"

#include <algorithm>

namespace posiscope::schemes {
namespace {

enum class Sign { query_minus_key, key_minus_query };

struct SimpleParams : OffsetTableParams {
  std::int64_t max_distance = 16;
  Sign sign = Sign::query_minus_key;
};

ParamTable<SimpleParams> simpleTable() {
  using P = SimpleParams;
  ParamTable<P> t;
  t.integer("max_distance", &P::max_distance, {0, 1 << 20, 1, 512, true},
            {{"max distance", "最大距离"},
             {"Offsets beyond this share the last row on their side.", "超出此距离的偏移共用该侧最后一行。"},
             "max_relative_position",
             "tokens"});
  t.choice("sign", &P::sign, {{"i-j", {"i − j", "i − j"}}, {"j-i", {"j − i", "j − i"}}},
           {{"direction", "方向"},
            {"Which way rows are counted: query minus key, or key minus query.", "行号按查询减键还是键减查询计数。"}});
  addOffsetTableParams(
      t, {"A trained table, (2·max_distance + 1) × num_heads.", "训练好的表，(2·max_distance + 1) × num_heads。"});
  return t;
}

struct Simple {
  Outcome check(const SimpleParams& p, const Shape& shape) const { return table(p).check("t5_simple", shape, 4); }

  template <class T>
  Expected<Encoding<T>> encode(const SimpleParams& p, const Shape& shape) const {
    if (Outcome ok = checkOffsetBias("t5_simple", shape, sizeof(T)); !ok) return fail(ok.error());
    Encoding<T> encoding;
    const std::int64_t m = p.max_distance;
    const std::int64_t sign = p.sign == Sign::query_minus_key ? 1 : -1;
    const auto row = [m, sign](std::int64_t n) { return std::clamp(sign * n, -m, m) + m; };
    encoding.logits.bias = table(p).bias<T>(shape, row, [m, sign](std::int64_t n) {
      return join("clip(", screenNumber(static_cast<double>(sign * n)), ", ±", m, ") + ", m);
    });
    encoding.logits.lookup = {
        2 * m + 1, [row, offset = shape.queryOffset()](std::int64_t i, std::int64_t j) { return row(i + offset - j); }};
    encoding.logit_scale = rootScale(shape);
    return encoding;
  }

  SchemeCost cost(const SimpleParams& p, const Shape& shape) const {
    return {.learned = (2 * p.max_distance + 1) * shape.num_heads};
  }

  std::string substitution(const SimpleParams& p, const Shape& shape) const {
    return join("b: ", screenNumber(static_cast<double>(2 * p.max_distance + 1)), " × ", shape.num_heads,
                ", D = ", screenNumber(static_cast<double>(p.max_distance)));
  }

 private:
  static OffsetTable table(const SimpleParams& p) { return {p, 2 * p.max_distance + 1}; }
};

}  // namespace

Scheme t5Simple() {
  return makeScheme({.id = "t5_simple",
                     .name = {"T5 (one row a distance)", "T5 简化偏置（逐距离）"},
                     .family = Family::bias,
                     .year = 2019,
                     .reference = "simplified from Raffel et al. 2019, arXiv:1910.10683",
                     .summary = {"A learned bias for each offset and head, clipped at a largest distance.",
                                 "每个偏移、每个头一个可学习偏置，超过最大距离后截断。"}},
                    simpleTable(), Simple{});
}

}  // namespace posiscope::schemes
