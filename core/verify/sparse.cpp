// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Position at chosen places only: segments, keep masks, the bias and the table made of them.
#include "core/schemes/sparse.h"

#include "core/verify/attention_case.h"

#include <algorithm>

namespace posiscope::verify {
namespace {

constexpr std::string_view pattern_params = "kind window flags boundary offsets rule";

/// The parameters of a sparse case, ours.
ParamValues sparseValues(CaseReader& in, const Shape&) {
  ParamValues values = schemeValues(in, "sparse", "window offsets rule slope base index");
  if (in.has("kind")) values["keep"] = in.word("kind", "window");
  for (const char* name : {"flags", "boundary"})
    if (in.has(name)) values["flags"] = in.list(name);
  if (!values.contains("flags")) values["boundary_every"] = 0.0;
  return values;
}

std::vector<bool> flagsOf(CaseReader& in) {
  std::vector<bool> flags;
  for (const double flag : in.list("boundary")) flags.push_back(flag != 0);
  return flags;
}

template <class T>
Expected<Answer> ids(CaseReader& in, bool restarting) {
  in.expect("rule", {"end", "start"});
  const SegmentRule rule = in.word("rule", "end") == "start" ? SegmentRule::start : SegmentRule::end;
  std::vector<std::int64_t> numbers = segmentIds(flagsOf(in), rule);
  if (in.problem()) return fail(*in.problem());
  if (restarting) numbers = restartIds(numbers);
  return answer<T>({static_cast<std::int64_t>(numbers.size())}, numbers);
}

/// The bias that is kept, [L, L].
template <class T>
Expected<Answer> keptBias(CaseReader& in) {
  Shape shape;
  shape.num_heads = 1;
  shape.seq_len = in.size("seq_len", {"seq_len"});
  const ParamValues values = sparseValues(in, shape);
  if (in.problem()) return fail(*in.problem());
  const auto length = static_cast<std::size_t>(shape.seq_len);
  if (Outcome ok = checkMemory("the pairs", static_cast<double>(length * length) * sizeof(double)); !ok)
    return fail(ok.error());
  const Expected<Encoding<T>> encoding = encodeCase<T>("sparse", values, shape);
  if (!encoding) return fail(encoding.error());
  std::vector<T> bias(length * length);
  for (std::int64_t i = 0; i < shape.seq_len; ++i) {
    const std::span<T> row(bias.data() + static_cast<std::size_t>(i) * length, length);
    if (const auto* by_pair = std::get_if<PairBias<T>>(&encoding->logits.bias)) by_pair->fill(0, i, row);
    if (const auto* by_offset = std::get_if<OffsetBias<T>>(&encoding->logits.bias))
      for (std::int64_t j = 0; j < shape.seq_len; ++j) row[static_cast<std::size_t>(j)] = by_offset->at(0, i - j);
  }
  return answer<T>({shape.seq_len, shape.seq_len}, bias);
}

/// The pattern itself, [L, L]: a bias of 0 on the diagonal does not tell whether it was kept.
template <class T>
Expected<Answer> pattern(CaseReader& in) {
  static const std::vector<std::string> kinds{"window", "window_or_boundary", "window_or_boundary_key", "offsets",
                                              "same_segment"};
  schemes::SparseParams p;
  const std::int64_t length = in.size("seq_len", {"seq_len"});
  const auto kind = std::ranges::find(kinds, in.word("kind", ""));
  if (kind == kinds.end()) in.notSupported("this kind of sparse mask");
  p.keep = static_cast<schemes::SparseKeep>(kind - kinds.begin());
  p.window = in.integer("window", 0, 1 << 24, p.window);
  if (in.has("offsets")) p.offsets = in.list("offsets");
  if (in.has("flags")) p.flags = in.list("flags");
  p.boundary_every = 0;
  p.rule = in.word("rule", "end") == "start" ? SegmentRule::start : SegmentRule::end;
  if (in.problem()) return fail(*in.problem());
  const auto count = static_cast<double>(length);
  if (Outcome ok = checkMemory("the pairs", count * count * sizeof(double)); !ok) return fail(ok.error());
  const schemes::SparsePattern kept(p, length);
  std::vector<double> cells;
  for (std::int64_t i = 0; i < length; ++i)
    for (std::int64_t j = 0; j < length; ++j) cells.push_back(kept.keeps(i, j));
  return answer<T>({length, length}, cells);
}

template <class T>
Expected<Answer> boundaryTable(CaseReader& in) {
  Shape shape;
  shape.d_model = in.size("d_model", {"dim"});
  ParamValues values = sparseValues(in, shape);
  values["form"] = std::string("boundary_table");
  shape.seq_len = static_cast<std::int64_t>(in.list("boundary").size());
  if (in.problem()) return fail(*in.problem());
  const Expected<Encoding<T>> encoding = encodeCase<T>("sparse", values, shape);
  if (!encoding) return fail(encoding.error());
  return answer<T>({shape.seq_len, shape.d_model}, encoding->input.table.values);
}

}  // namespace

void addSparse(std::vector<Quantity>& list) {
  list.push_back(quantity("sparse", "segment_ids", "boundary rule", "",
                          []<class T>(CaseReader& in, const Job&) { return ids<T>(in, false); }));
  list.push_back(quantity("sparse", "reset_ids", "boundary rule", "",
                          []<class T>(CaseReader& in, const Job&) { return ids<T>(in, true); }));
  list.push_back(quantity("sparse", "keep", join("seq_len ", pattern_params), "",
                          []<class T>(CaseReader& in, const Job&) { return pattern<T>(in); }));
  list.push_back(quantity("sparse", "bias", join("seq_len slope ", pattern_params), "",
                          []<class T>(CaseReader& in, const Job&) { return keptBias<T>(in); }));
  list.push_back(quantity("sparse", "table", "boundary dim base index rule", "",
                          []<class T>(CaseReader& in, const Job&) { return boundaryTable<T>(in); }));
  AttentionScheme attention{"sparse", "sparse", join("slope ", pattern_params), "", sparseValues};
  attention.own_window = true;
  addAttentionCases(list, attention);
}

}  // namespace posiscope::verify
