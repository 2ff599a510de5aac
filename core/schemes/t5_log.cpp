// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/buckets.h"
#include "core/schemes/offset_table.h"
#include "core/schemes/schemes.h"

namespace posiscope::schemes {
namespace {

struct LogParams : BucketParams, OffsetTableParams {};

ParamTable<LogParams> logTable() {
  using P = LogParams;
  ParamTable<P> t;
  t.integer<std::int64_t>("num_buckets", static_cast<std::int64_t P::*>(&P::num_buckets), {2, 1024, 4, 128, true},
                          {{"buckets", "桶数"},
                           {"Rows of the table; half of them count keys ahead when bidirectional.",
                            "偏置表的行数；双向时一半用于查询之后的键。"},
                           "relative_attention_num_buckets",
                           "buckets"});
  t.integer<std::int64_t>("max_distance", static_cast<std::int64_t P::*>(&P::max_distance),
                          {2, 1 << 20, 16, 4096, true},
                          {{"max distance", "最大距离"},
                           {"The logarithmic steps reach up to here; beyond, the bias is constant.",
                            "对数分桶延伸到此距离，更远处偏置不变。"},
                           "relative_attention_max_distance",
                           "tokens"});
  t.boolean("bidirectional", static_cast<bool P::*>(&P::bidirectional),
            {{"bidirectional", "双向"},
             {"On in encoders; off, every key ahead shares the bucket of distance 0.",
              "编码器为开；关闭时，查询之后的键都归入距离 0 的桶。"}});
  addOffsetTableParams(t, {"A trained table, num_buckets × num_heads.", "训练好的表，num_buckets × num_heads。"});
  return t;
}

struct LogBuckets {
  Outcome check(const LogParams& p, const Shape& shape) const {
    if (Outcome ok = checkBuckets("t5_log", p); !ok) return ok;
    return table(p).check("t5_log", shape, sizeof(float));
  }

  template <class T>
  Expected<Encoding<T>> encode(const LogParams& p, const Shape& shape) const {
    if (Outcome ok = checkOffsetBias("t5_log", shape, sizeof(T)); !ok) return fail(ok.error());
    const std::vector<std::int64_t> edges = bucketEdges(p.side(), p.max_distance);
    Encoding<T> encoding;
    // Buckets are counted by key − query, the opposite of our n.
    const auto row = [p = BucketParams(p), edges](std::int64_t n) { return bucketOf(p, edges, -n); };
    encoding.logits.bias = table(p).bias<T>(
        shape, row, [](std::int64_t n) { return join("bucket(", screenNumber(static_cast<double>(-n)), ")"); });
    encoding.logits.lookup = {p.num_buckets, [row, offset = shape.queryOffset()](std::int64_t i, std::int64_t j) {
                                return row(i + offset - j);
                              }};
    encoding.logit_scale = 1;  // T5 has no 1/√d: it is folded into the initial weights
    encoding.facts = {{"last_bucket_from", static_cast<double>(edges.back())}};
    return encoding;
  }

  SchemeCost cost(const LogParams& p, const Shape& shape) const { return {.learned = p.num_buckets * shape.num_heads}; }

  std::string substitution(const LogParams& p, const Shape& shape) const {
    return join("b: ", p.num_buckets, " × ", shape.num_heads,
                ", D = ", screenNumber(static_cast<double>(p.max_distance)));
  }

 private:
  static OffsetTable table(const LogParams& p) { return {p, p.num_buckets}; }
};

}  // namespace

Scheme t5Log() {
  return makeScheme({.id = "t5_log",
                     .name = {"T5 buckets", "T5 对数分桶偏置"},
                     .family = Family::bias,
                     .year = 2019,
                     .reference = "Raffel et al. 2019, arXiv:1910.10683",
                     .summary = {"A learned bias for each bucket of offsets; buckets widen like a logarithm.",
                                 "每个偏移桶一个可学习偏置，桶宽按对数增长。"}},
                    logTable(), LogBuckets{});
}

}  // namespace posiscope::schemes
