// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rotary encodings: frequencies, scalings, rotations. Everything rotated goes through attention::rotate.
#include "core/measures/derived.h"
#include "core/verify/rotary_case.h"

#include <algorithm>
#include <utility>

namespace posiscope::verify {
namespace {

Expected<RotaryCase> readRotary(CaseReader& in) {
  Shape shape;
  shape.num_heads = 1;
  shape.head_dim = in.size("head_dim", {"head_dim", "dim"});
  shape.seq_len = in.has("seq_len") ? in.size("seq_len", {"seq_len"}) : 1;
  const ParamValues values = ropeOf(in, shape);
  if (in.problem()) return fail(*in.problem());
  return encodeRotary("rope", values, shape);
}

/// NTK scalings have it among their facts; for all others it is the base itself.
double baseOf(const RotaryCase& r) {
  const auto fact = r.facts.find("effective_base");
  if (fact != r.facts.end()) return fact->second;
  return std::get<double>(valueOf(*findParam(schemes::find("rope")->params, "base"), r.values));
}

/// The numbers a manifest may expect beside the array, by its names.
Answer withScalars(Answer a, const RotaryCase& r) {
  a.scalars["attention_factor"] = r.part.attention_factor;
  a.scalars["effective_base"] = baseOf(r);
  for (const auto& [theirs, ours] : {std::pair{"corr_low", "yarn_low"},
                                     {"corr_high", "yarn_high"},
                                     {"softmax_scale_multiplier", "softmax_scale_multiplier"}})
    if (const auto fact = r.facts.find(ours); fact != r.facts.end()) a.scalars[theirs] = fact->second;
  return a;
}
Expected<Answer> withScalars(Expected<Answer> a, const RotaryCase& r) {
  if (!a) return a;
  return withScalars(*std::move(a), r);
}

/// Numbers of the parameters alone, without positions.
template <class T>
Expected<Answer> fromParameters(CaseReader& in, const std::string& key) {
  const Expected<RotaryCase> r = readRotary(in);
  if (!r) return fail(r.error());
  std::vector<double> values = r->part.frequency;
  if (key == "effective_base") values = {baseOf(*r)};
  if (key == "attention_factor") values = {r->part.attention_factor};
  if (key == "wavelengths") values = measures::wavelengths(values);
  if (key == "rotations") values = measures::rotations(values, in.number("length"));
  if (in.problem()) return fail(*in.problem());
  return withScalars(answer<T>({static_cast<std::int64_t>(values.size())}, values), *r);
}

/// half[j] = interleaved[perm[j]].
template <class T>
Expected<Answer> permutation(CaseReader& in) {
  const Expected<RotaryCase> r = readRotary(in);
  if (!r) return fail(r.error());
  RotationPart half = r->part, interleaved = r->part;
  half.pairing = Pairing::half;
  interleaved.pairing = Pairing::interleaved;
  std::vector<double> order(static_cast<std::size_t>(r->shape.head_dim));
  for (std::size_t d = 0; d < order.size(); ++d) order[d] = static_cast<double>(d);
  for (std::int64_t p = 0; p < half.pairs(); ++p) {
    order[static_cast<std::size_t>(half.firstDim(p))] = static_cast<double>(interleaved.firstDim(p));
    order[static_cast<std::size_t>(half.secondDim(p))] = static_cast<double>(interleaved.secondDim(p));
  }
  return answer<T>({r->shape.head_dim}, order);
}

template <class T>
Expected<Answer> cosAndSin(CaseReader& in, const std::string& key) {
  const std::vector<double> positions = in.positions();
  const Expected<RotaryCase> r = readRotary(in);
  if (!r) return fail(r.error());
  if (in.problem()) return fail(*in.problem());
  return withScalars(waves<T>(rotationAt(r->part, positions), key), *r);
}

template <class T>
Expected<Answer> rotated(CaseReader& in) {
  const Expected<RotaryCase> r = readRotary(in);
  if (!r) return fail(r.error());
  const Array x = in.array("x");
  const std::vector<double> positions = tokenPositions(in, x.rank() >= 2 ? x.shape[x.shape.size() - 2] : 0);
  if (in.problem()) return fail(*in.problem());
  return withScalars(turned<T>(in, rotationAt(r->part, positions), r->shape.head_dim), *r);
}

/// The matrix that acts on a column vector at position k: column d is the rotated unit vector d.
template <class T>
Expected<Answer> rotationMatrix(CaseReader& in) {
  const double k = in.number("k");
  const Expected<RotaryCase> r = readRotary(in);
  if (!r) return fail(r.error());
  if (in.problem()) return fail(*in.problem());
  const std::int64_t width = r->shape.head_dim;
  const auto cells = static_cast<double>(width) * static_cast<double>(width);
  if (Outcome ok = checkMemory("the rotation matrix", cells * sizeof(double)); !ok) return fail(ok.error());
  const RotationPart part = rotationAt(r->part, std::vector<double>(static_cast<std::size_t>(width), k));
  std::vector<T> columns(static_cast<std::size_t>(width * width));
  for (std::int64_t d = 0; d < width; ++d) columns[static_cast<std::size_t>(d * width + d)] = 1;
  attention::rotate<T>(part, 0, 0, false, columns, width);
  std::vector<T> matrix(columns.size());
  for (std::int64_t row = 0; row < width; ++row)
    for (std::int64_t col = 0; col < width; ++col)
      matrix[static_cast<std::size_t>(row * width + col)] = columns[static_cast<std::size_t>(col * width + row)];
  return answer<T>({width, width}, matrix);
}

/// Dot products of rotated q and k, through the attention.
template <class T>
Expected<Answer> scores(CaseReader& in, const Job& job) {
  in.expect("softmax_scale", {"rsqrt_d"});
  const std::vector<double> positions = in.positions();
  Expected<RotaryCase> r = readRotary(in);
  if (!r) return fail(r.error());
  const std::int64_t width = r->shape.head_dim;
  const auto tokens = static_cast<std::int64_t>(positions.size());
  Content<T> content;
  content.q = valuesAs<T>(in.array("q", {tokens, width}));
  content.k = valuesAs<T>(in.array("k", {tokens, width}));
  if (in.problem()) return fail(*in.problem());
  r->shape.seq_len = std::max<std::int64_t>(tokens, 1);
  r->shape.d_model = width;
  Expected<Encoding<T>> encoding = encodeCase<T>("rope", r->values, r->shape);
  if (!encoding) return fail(encoding.error());
  // The frequencies belong to the length that the case names; the positions may be few of its tokens.
  if (in.has("seq_len")) encoding->rotation->frequency = r->part.frequency;
  encoding->rotation->position = positions;
  if (!in.has("softmax_scale")) encoding->logit_scale = 1;  // plain dot products unless the case says otherwise
  attention::Wanted wanted;
  wanted.logits = true;
  wanted.weights = false;
  const Expected<attention::Attention<T>> result =
      attention::attend<T>(*encoding, content, Mask{}, r->shape, wanted, job);
  if (!result) return fail(result.error());
  return product<T>({tokens, tokens}, result->logits);
}

}  // namespace

void addRotary(std::vector<Quantity>& list) {
  const std::string names = "rope rope_scaled rope_interleaved rope_half rope_partial rope_proportional";
  const std::string params = "head_dim dim seq_len " + ropeParams();
  for (const std::string key : {"inv_freq", "wavelengths", "rotations", "effective_base", "attention_factor"})
    list.push_back(quantity(names, key, params + (key == "rotations" ? " length" : ""), "",
                            [key]<class T>(CaseReader& in, const Job&) { return fromParameters<T>(in, key); }));
  for (const std::string key : {"cos", "sin", "complex"})
    list.push_back(quantityAt(names, key, params, "",
                              [key]<class T>(CaseReader& in, const Job&) { return cosAndSin<T>(in, key); }));
  list.push_back(quantity(names, "permutation", params, "",
                          []<class T>(CaseReader& in, const Job&) { return permutation<T>(in); }));
  list.push_back(quantityAt(names, "rotated", params + " position_start", "x",
                            []<class T>(CaseReader& in, const Job&) { return rotated<T>(in); }));
  list.push_back(quantity(names, "matrix", params + " k", "",
                          []<class T>(CaseReader& in, const Job&) { return rotationMatrix<T>(in); }));
  list.push_back(quantityAt(names, "scores", params + " softmax_scale", "q k",
                            []<class T>(CaseReader& in, const Job& job) { return scores<T>(in, job); }));
}

}  // namespace posiscope::verify
