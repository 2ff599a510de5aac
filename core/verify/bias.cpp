// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Biases by offset: T5 in both forms, ALiBi.
#include "core/buckets.h"
#include "core/slopes.h"
#include "core/verify/attention_case.h"
#include "core/verify/bias_case.h"

namespace posiscope::verify {
namespace {

template <class T>
Expected<Answer> t5SimpleIndex(CaseReader& in) {
  const Situation s = readSituation(in, false);
  const ParamValues values = t5SimpleValues(in, s.shape);
  if (in.problem()) return fail(*in.problem());
  const Expected<Encoding<T>> encoding = encodeCase<T>("t5_simple", values, s.shape);
  if (!encoding) return fail(encoding.error());
  return rowsRead<T>(encoding->logits.lookup, s.shape);
}

BucketParams readBuckets(CaseReader& in) {
  BucketParams p;
  p.num_buckets = in.integer("num_buckets", 0, 1 << 20, p.num_buckets);
  p.max_distance = in.integer("max_distance", 0, 1 << 24, p.max_distance);
  p.bidirectional = in.boolean("bidirectional", p.bidirectional);
  return p;
}

template <class T>
Expected<Answer> buckets(CaseReader& in) {
  const BucketParams p = readBuckets(in);
  const Array relative = in.array("relative_position");
  if (in.problem()) return fail(*in.problem());
  if (Outcome ok = checkBuckets("t5_log", p); !ok) return fail(ok.error());
  const std::vector<std::int64_t> edges = bucketEdges(p.side(), p.max_distance);
  std::vector<double> values;
  for (std::int64_t e = 0; e < relative.size(); ++e)
    values.push_back(static_cast<double>(bucketOf(p, edges, static_cast<std::int64_t>(relative.data()[e]))));
  return answer<T>(relative.shape, values);
}

template <class T>
Expected<Answer> edgesOfOneSide(CaseReader& in) {
  BucketParams p;
  p.bidirectional = false;
  p.num_buckets = in.integer("num_buckets_one_side", 0, 1 << 20);
  p.max_distance = in.integer("max_distance", 0, 1 << 24);
  if (in.problem()) return fail(*in.problem());
  if (Outcome ok = checkBuckets("t5_log", p); !ok) return fail(ok.error());
  const std::vector<std::int64_t> edges = bucketEdges(p.side(), p.max_distance);
  return answer<T>({static_cast<std::int64_t>(edges.size())}, edges);
}

template <class T>
Expected<Answer> slopesOfHeads(CaseReader& in) {
  const std::int64_t heads = in.size("num_heads", {"num_heads"});
  const double max_bias = in.number("max_bias", 8);
  if (in.problem()) return fail(*in.problem());
  return answer<T>({heads}, alibiSlopes(heads, max_bias));
}

}  // namespace

ParamValues t5SimpleValues(CaseReader& in, const Shape&) {
  ParamValues values = schemeValues(in, "t5_simple", "max_distance sign");
  if (in.hasInput("table")) values["table"] = in.array("table");
  return values;
}

ParamValues t5LogValues(CaseReader& in, const Shape&) {
  ParamValues values = schemeValues(in, "t5_log", "num_buckets max_distance bidirectional");
  if (in.hasInput("table")) values["table"] = in.array("table");
  return values;
}

ParamValues alibiValues(CaseReader& in, const Shape&) {
  ParamValues values = schemeValues(in, "alibi", "form max_bias alibi_bias_max");
  // Padding moves the positions in one form only; a case that gives it alone means that form.
  const bool padded = in.has("key_padding");
  if (padded && !in.has("form") && !in.has("head_dim")) values["form"] = std::string("key_only");
  if (padded && values.contains("form") && values["form"] == Value(std::string("key_only")))
    values["key_padding"] = in.list("key_padding");
  return values;
}

void addBias(std::vector<Quantity>& list) {
  const std::string sizes = "seq_len seq_len_q seq_len_k num_heads ";
  addBiasCase(list, {"t5_simple", "t5_simple", "max_distance sign", "table", t5SimpleValues});
  addBiasCase(list, {"t5_log t5", "t5_log", "num_buckets max_distance bidirectional", "table", t5LogValues});
  addBiasCase(list, {"alibi", "alibi", "form max_bias alibi_bias_max key_padding", "", alibiValues});
  list.push_back(quantity("t5_simple", "index", sizes + "max_distance sign", "",
                          []<class T>(CaseReader& in, const Job&) { return t5SimpleIndex<T>(in); }));
  list.push_back(quantity("t5_log t5", "bucket", "num_buckets max_distance bidirectional", "relative_position",
                          []<class T>(CaseReader& in, const Job&) { return buckets<T>(in); }));
  list.push_back(quantity("t5_log t5", "edges", "num_buckets_one_side max_distance", "",
                          []<class T>(CaseReader& in, const Job&) { return edgesOfOneSide<T>(in); }));
  list.push_back(quantity("alibi", "slopes", "num_heads max_bias", "",
                          []<class T>(CaseReader& in, const Job&) { return slopesOfHeads<T>(in); }));
}

}  // namespace posiscope::verify
