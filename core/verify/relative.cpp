// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Relative terms that meet the content: Shaw, Transformer-XL, Self-Extend.
#include "core/schemes/shaw.h"
#include "core/schemes/transformer_xl.h"
#include "core/verify/attention_case.h"
#include "core/verify/bias_case.h"

#include <algorithm>

namespace posiscope::verify {
namespace {

using schemes::ShawParams;
using schemes::TransformerXlParams;

/// One head's rows of a (heads, rows, width) block.
template <class T>
Rows<T> headOf(const std::vector<T>& block, std::int64_t head, std::int64_t rows, std::int64_t width) {
  return {block.data() + head * rows * width, rows, width};
}

ParamValues shawValues(CaseReader& in, const Shape& shape) {
  ParamValues values = schemeValues(in, "shaw", "max_relative_position sign");
  const std::int64_t rows = 2 * in.integer("max_relative_position", 0, 1 << 16) + 1;
  // Without a table of its own a term is absent, not drawn from a seed.
  for (const auto& [theirs, ours] : {std::pair{"aK", "relative_keys"}, std::pair{"aV", "relative_values"}}) {
    const auto zeros = static_cast<std::size_t>(rows * shape.head_dim);
    values[ours] = in.hasInput(theirs) ? in.array(theirs, {rows, shape.head_dim})
                                       : makeArray({rows, shape.head_dim}, std::vector<double>(zeros));
  }
  return values;
}

ShawParams shawParams(CaseReader& in) {
  in.expect("sign", {"j-i", "i-j"});
  ShawParams p;
  p.max_distance = in.integer("max_relative_position", 0, 1 << 16);
  p.sign = in.word("sign", "j-i") == "i-j" ? schemes::ShawSign::i_minus_j : schemes::ShawSign::j_minus_i;
  return p;
}

template <class T>
Expected<Answer> shawIndex(CaseReader& in) {
  const Situation s = readSituation(in, true);
  const ShawParams p = shawParams(in);
  if (in.problem()) return fail(*in.problem());
  if (Outcome ok = roomForPairs(s.shape, 1); !ok) return fail(ok.error());
  return answer<T>({s.shape.queries(), s.shape.keys()}, schemes::shawIndices(p, s.shape));
}

template <class T>
Expected<Answer> shawRelative(CaseReader& in) {
  const Shape s = readSituation(in, true).shape;
  const ShawParams p = shawParams(in);
  const std::int64_t rows = 2 * p.max_distance + 1;
  const std::vector<T> q = valuesAs<T>(in.array("Q", {s.num_heads, s.queries(), s.head_dim}));
  const std::vector<T> keys = valuesAs<T>(in.array("aK", {rows, s.head_dim}));
  if (in.problem()) return fail(*in.problem());
  if (Outcome ok = roomForPairs(s, static_cast<double>(s.num_heads)); !ok) return fail(ok.error());
  std::vector<T> values;
  for (std::int64_t h = 0; h < s.num_heads; ++h) {
    const Table<T> terms =
        schemes::shawTerms<T>(headOf(q, h, s.queries(), s.head_dim), {keys.data(), rows, s.head_dim});
    for (std::int64_t i = 0; i < s.queries(); ++i)
      for (std::int64_t j = 0; j < s.keys(); ++j)
        values.push_back(terms.row(i)[static_cast<std::size_t>(schemes::shawIndex(p, i + s.queryOffset() - j))]);
  }
  return product<T>({s.num_heads, s.queries(), s.keys()}, values);
}

const char* const txl_params = "mem_len clamp_len bidirectional R_layout";

/// Checks what the case says about itself and gives the typed parameters.
TransformerXlParams txlParams(CaseReader& in, const Shape& shape) {
  in.expect("R_layout", {"sin half then cos half"});
  if (in.has("mem_len") && in.integer("mem_len", 0, 1 << 24) != shape.queryOffset())
    in.wrong({ErrorCode::bad_shape,
              {join("mem_len must be seq_len_k − seq_len_q = ", shape.queryOffset()),
               join("mem_len 必须等于 seq_len_k − seq_len_q = ", shape.queryOffset())}});
  TransformerXlParams p;
  p.bidirectional = in.boolean("bidirectional", false);
  p.clamp_len = in.integer("clamp_len", -1, 1 << 24, -1);
  return p;
}

ParamValues txlValues(CaseReader& in, const Shape& s) {
  const TransformerXlParams p = txlParams(in, s);
  return {{"bidirectional", p.bidirectional},
          {"clamp_len", static_cast<double>(p.clamp_len)},
          {"w_r", in.array("W_R", {s.num_heads * s.head_dim, s.d_model})},
          {"u", in.array("u", {s.num_heads, s.head_dim})},
          {"v", in.array("v", {s.num_heads, s.head_dim})}};
}

template <class T>
Expected<Answer> txlTerms(CaseReader& in) {
  const Shape s = readSituation(in, true).shape;
  const TransformerXlParams p = txlParams(in, s);
  const std::vector<T> q = valuesAs<T>(in.array("Q", {s.num_heads, s.queries(), s.head_dim}));
  const std::vector<T> k = valuesAs<T>(in.array("K", {s.num_heads, s.keys(), s.head_dim}));
  const std::vector<T> w_r = valuesAs<T>(in.array("W_R", {s.num_heads * s.head_dim, s.d_model}));
  const std::vector<T> u = valuesAs<T>(in.array("u", {s.num_heads, s.head_dim}));
  const std::vector<T> v = valuesAs<T>(in.array("v", {s.num_heads, s.head_dim}));
  if (in.problem()) return fail(*in.problem());
  if (Outcome ok = roomForPairs(s, 4.0 * static_cast<double>(s.num_heads)); !ok) return fail(ok.error());
  const auto distances = schemes::distanceRows<T>(p, s.keys(), s.d_model);
  const std::int64_t layer = s.num_heads * s.queries() * s.keys();
  std::vector<T> values(static_cast<std::size_t>(4 * layer));
  std::int64_t e = 0;
  for (std::int64_t h = 0; h < s.num_heads; ++h) {
    const schemes::TransformerXlTerms<T> terms(p, distances, headOf(w_r, h, s.head_dim, s.d_model),
                                               headOf(u, h, 1, s.head_dim).row(0), headOf(v, h, 1, s.head_dim).row(0),
                                               headOf(q, h, s.queries(), s.head_dim),
                                               headOf(k, h, s.keys(), s.head_dim), s.queryOffset());
    for (std::int64_t i = 0; i < s.queries(); ++i)
      for (std::int64_t j = 0; j < s.keys(); ++j, ++e) {
        const std::array<T, 4> four = terms.at(i, j);
        for (std::int64_t t = 0; t < 4; ++t)
          values[static_cast<std::size_t>(t * layer + e)] = four[static_cast<std::size_t>(t)];
      }
  }
  return product<T>({4, s.num_heads, s.queries(), s.keys()}, values);
}

template <class T>
Expected<Answer> txlDistances(CaseReader& in) {
  Shape shape;
  shape.seq_len = in.size("seq_len", {"seq_len_k", "seq_len"});
  shape.d_model = in.size("d_model", {"d_model"});
  const TransformerXlParams p = txlParams(in, shape);
  if (in.problem()) return fail(*in.problem());
  const double cells = static_cast<double>(shape.seq_len) * static_cast<double>(shape.d_model);
  if (Outcome ok = checkMemory("R", cells * sizeof(double)); !ok) return fail(ok.error());
  return answer<T>({shape.seq_len, shape.d_model}, schemes::txlRows<T>(p, shape.seq_len, shape.d_model).values);
}

template <class T>
Expected<Answer> txlShift(CaseReader& in) {
  const Array x = in.array("x", {-1, -1});
  if (in.problem()) return fail(*in.problem());
  if (in.has("shape") && in.list("shape") != std::vector<double>(x.shape.begin(), x.shape.end()))
    in.notSupported("a shape that is not the input's");
  if (in.problem()) return fail(*in.problem());
  const std::vector<T> values = valuesAs<T>(x);
  return answer<T>(x.shape, schemes::relativeShift<T>({values.data(), x.shape[0], x.shape[1]}).values);
}

}  // namespace

void addRelative(std::vector<Quantity>& list) {
  const std::string sizes = std::string(situation_params) + " window ";
  addAttentionCases(list, {"shaw", "shaw", "max_relative_position sign", "aK aV", shawValues});
  list.push_back(quantity("shaw", "index", sizes + "max_relative_position sign", "",
                          []<class T>(CaseReader& in, const Job&) { return shawIndex<T>(in); }));
  list.push_back(quantity("shaw", "rel", sizes + "max_relative_position sign", "Q aK",
                          []<class T>(CaseReader& in, const Job&) { return shawRelative<T>(in); }));
  AttentionScheme txl{"transformer_xl txl", "transformer_xl", txl_params, "W_R u v", txlValues};
  txl.masked = MaskedLogits::minus_infinity;
  addAttentionCases(list, txl);
  // `out` of Transformer-XL is the bare shift in the manifests.
  std::erase_if(list, [](const Quantity& q) { return q.key == "out" && q.schemes.front() == "transformer_xl"; });
  list.push_back(
      quantity(txl.names, "out", "shape", "x", []<class T>(CaseReader& in, const Job&) { return txlShift<T>(in); }));
  list.push_back(quantity(txl.names, "R", "seq_len seq_len_k d_model clamp_len bidirectional R_layout", "",
                          []<class T>(CaseReader& in, const Job&) { return txlDistances<T>(in); }));
  list.push_back(quantity(txl.names, "terms", sizes + txl_params, "Q K W_R u v",
                          []<class T>(CaseReader& in, const Job&) { return txlTerms<T>(in); }));
}

}  // namespace posiscope::verify
