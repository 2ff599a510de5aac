// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rotary encodings: frequencies, scalings, rotations. Everything rotated goes through attention::rotate.
#include "core/measures/derived.h"
#include "core/verify/attention_case.h"

#include <algorithm>
#include <map>
#include <utility>

namespace posiscope::verify {
namespace {

/// A rotary case: the scheme's values and its encoding, always in double as far as the rotation goes.
struct Rotary {
  Shape shape;
  ParamValues values;
  RotationPart part;
  std::map<std::string, double> facts;
};

Expected<Rotary> encodeRotary(const ParamValues& values, const Shape& shape) {
  Expected<Encoding<double>> encoding = encodeCase<double>("rope", values, shape);
  if (!encoding) return fail(encoding.error());
  Rotary r{shape, values, *std::move(encoding->rotation), {}};
  for (const EncodingFact& fact : encoding->facts) r.facts[fact.key] = fact.value;
  return r;
}

Expected<Rotary> readRotary(CaseReader& in) {
  Shape shape;
  shape.num_heads = 1;
  shape.head_dim = in.size("head_dim", {"head_dim", "dim"});
  shape.seq_len = in.has("seq_len") ? in.size("seq_len", {"seq_len"}) : 1;
  const ParamValues values = ropeOf(in, shape);
  if (in.problem()) return fail(*in.problem());
  return encodeRotary(values, shape);
}

/// The scheme's rotation, moved to any list of positions.
RotationPart rotationAt(const Rotary& r, std::vector<double> positions) {
  RotationPart part = r.part;
  part.position = std::move(positions);
  return part;
}

/// NTK scalings have it among their facts; for all others it is the base itself.
double baseOf(const Rotary& r) {
  const auto fact = r.facts.find("effective_base");
  if (fact != r.facts.end()) return fact->second;
  return std::get<double>(valueOf(*findParam(schemes::find("rope")->params, "base"), r.values));
}

/// The numbers a manifest may expect beside the array, by its names.
Answer withScalars(Answer a, const Rotary& r) {
  a.scalars["attention_factor"] = r.part.attention_factor;
  a.scalars["effective_base"] = baseOf(r);
  for (const auto& [theirs, ours] : {std::pair{"corr_low", "yarn_low"},
                                     {"corr_high", "yarn_high"},
                                     {"softmax_scale_multiplier", "softmax_scale_multiplier"}})
    if (const auto fact = r.facts.find(ours); fact != r.facts.end()) a.scalars[theirs] = fact->second;
  return a;
}

/// Numbers of the parameters alone, without positions.
template <class T>
Expected<Answer> fromParameters(CaseReader& in, const std::string& key) {
  const Expected<Rotary> r = readRotary(in);
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
  const Expected<Rotary> r = readRotary(in);
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

Outcome roomFor(std::size_t tokens, std::int64_t width) {
  return checkMemory("the rotated vectors", static_cast<double>(tokens) * static_cast<double>(width) * sizeof(double));
}

/// cos, sin or both of each position and pair, attention factor included: what rotating (1, 0) gives.
template <class T>
Expected<Answer> cosAndSin(CaseReader& in, const std::string& key) {
  const std::vector<double> positions = in.positions();
  const Expected<Rotary> r = readRotary(in);
  if (!r) return fail(r.error());
  if (in.problem()) return fail(*in.problem());
  if (Outcome ok = roomFor(positions.size(), r->shape.head_dim); !ok) return fail(ok.error());
  const RotationPart part = rotationAt(*r, positions);
  const std::int64_t width = r->shape.head_dim;
  const auto tokens = static_cast<std::int64_t>(positions.size());
  std::vector<T> rows(static_cast<std::size_t>(tokens * width));
  for (std::int64_t t = 0; t < tokens; ++t)
    for (std::int64_t p = 0; p < part.pairs(); ++p) rows[static_cast<std::size_t>(t * width + part.firstDim(p))] = 1;
  attention::rotate<T>(part, 0, 0, false, rows, width);
  std::vector<T> values;
  for (std::int64_t t = 0; t < tokens; ++t)
    for (std::int64_t p = 0; p < part.pairs(); ++p) {
      if (key != "sin") values.push_back(rows[static_cast<std::size_t>(t * width + part.firstDim(p))]);
      if (key != "cos") values.push_back(rows[static_cast<std::size_t>(t * width + part.secondDim(p))]);
    }
  std::vector<std::int64_t> shape{tokens, part.pairs()};
  if (key == "complex") shape.push_back(2);
  return withScalars(answer<T>(shape, values), *r);
}

template <class T>
Expected<Answer> rotated(CaseReader& in) {
  const std::vector<double> positions = in.positions();
  const Expected<Rotary> r = readRotary(in);
  if (!r) return fail(r.error());
  const auto tokens = static_cast<std::int64_t>(positions.size());
  std::vector<T> x = valuesAs<T>(in.array("x", {tokens, r->shape.head_dim}));
  if (in.problem()) return fail(*in.problem());
  const RotationPart part = rotationAt(*r, positions);
  attention::rotate<T>(part, 0, 0, false, x, r->shape.head_dim);
  return withScalars(answer<T>({tokens, r->shape.head_dim}, x), *r);
}

/// The matrix that acts on a column vector at position k: column d is the rotated unit vector d.
template <class T>
Expected<Answer> rotationMatrix(CaseReader& in) {
  const double k = in.number("k");
  const Expected<Rotary> r = readRotary(in);
  if (!r) return fail(r.error());
  if (in.problem()) return fail(*in.problem());
  const std::int64_t width = r->shape.head_dim;
  if (Outcome ok = roomFor(static_cast<std::size_t>(width), width); !ok) return fail(ok.error());
  const RotationPart part = rotationAt(*r, std::vector<double>(static_cast<std::size_t>(width), k));
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
  Expected<Rotary> r = readRotary(in);
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

std::string ropeParams() {
  return "base rotary_pct rotary_dim layout rope_type factor max_position original_max_position beta_fast beta_slow "
         "truncate attention_factor mscale mscale_all_dim mscale_rule low_freq_factor high_freq_factor short_factor "
         "long_factor";
}

ParamValues ropeOf(CaseReader& in, const Shape&) {
  ParamValues values = schemeValues(in, "rope", ropeParams());
  const Value scaling = values.contains("scaling") ? values["scaling"] : Value(std::string("none"));
  // The length that a model was trained on differs from model to model: none is assumed.
  const bool by_length = scaling != Value(std::string("none")) && scaling != Value(std::string("linear")) &&
                         scaling != Value(std::string("ntk"));
  const char* length = scaling == Value(std::string("dynamic")) ? "max_position" : "original_max_position";
  if (by_length && !in.has(length)) in.notSupported(join(valueText(scaling), " without ", length));
  return values;
}

void addRotary(std::vector<Quantity>& list) {
  const std::string names = "rope rope_scaled rope_interleaved rope_half rope_partial";
  const std::string params = "head_dim dim seq_len " + ropeParams();
  for (const std::string key : {"inv_freq", "wavelengths", "rotations", "effective_base", "attention_factor"})
    list.push_back(quantity(names, key, params + (key == "rotations" ? " length" : ""), "",
                            [key]<class T>(CaseReader& in, const Job&) { return fromParameters<T>(in, key); }));
  for (const std::string key : {"cos", "sin", "complex"})
    list.push_back(quantityAt(names, key, params, "",
                              [key]<class T>(CaseReader& in, const Job&) { return cosAndSin<T>(in, key); }));
  list.push_back(quantity(names, "permutation", params, "",
                          []<class T>(CaseReader& in, const Job&) { return permutation<T>(in); }));
  list.push_back(
      quantityAt(names, "rotated", params, "x", []<class T>(CaseReader& in, const Job&) { return rotated<T>(in); }));
  list.push_back(quantity(names, "matrix", params + " k", "",
                          []<class T>(CaseReader& in, const Job&) { return rotationMatrix<T>(in); }));
  list.push_back(quantityAt(names, "scores", params + " softmax_scale", "q k",
                            []<class T>(CaseReader& in, const Job& job) { return scores<T>(in, job); }));
}

}  // namespace posiscope::verify
