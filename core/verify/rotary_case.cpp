// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/rotary_case.h"

#include "core/attention/attention.h"
#include "core/brought_values.h"
#include "core/profile.h"

namespace posiscope::verify {
namespace {

Outcome roomFor(double numbers) { return checkMemory("the rotated vectors", numbers * sizeof(double)); }

}  // namespace

Expected<RotaryCase> encodeRotary(std::string_view id, const ParamValues& values, const Shape& shape) {
  Expected<Encoding<double>> encoding = encodeCase<double>(id, values, shape);
  if (!encoding) return fail(encoding.error());
  if (!encoding->rotation)
    return fail(ErrorCode::not_defined, join(id, ": nothing turns with these parameters"),
                join(id, "：这些参数下没有任何维度旋转"));
  RotaryCase r{std::string(id), shape, values, *std::move(encoding->rotation), encoding->logit_scale, {}};
  for (const EncodingFact& fact : encoding->facts) r.facts[fact.key] = fact.value;
  return r;
}

std::string ropeParams() {
  return "base rotary_pct rotary_dim layout pairing rope_type factor max_position original_max_position beta_fast "
         "beta_slow truncate attention_factor mscale mscale_all_dim mscale_rule low_freq_factor high_freq_factor "
         "short_factor long_factor share stateful longest_seen "
         "rotary_share scaling max_length original_length";
}

ParamValues ropeOf(CaseReader& in, const Shape&) { return withLengths(in, schemeValues(in, "rope", ropeParams())); }

ParamValues withLengths(CaseReader& in, ParamValues values) {
  const std::string scaling = values.contains("scaling") ? valueText(values["scaling"]) : "none";
  bringAlong("rope", {}, values);
  // The length that a model was trained on differs from model to model: none is assumed.
  for (const auto& [kind, length] : {std::pair{"dynamic", "max_length"},
                                     {"yarn", "original_length"},
                                     {"yarn_paper", "original_length"},
                                     {"llama3", "original_length"},
                                     {"longrope", "original_length"}})
    if (scaling == kind && !values.contains(length)) in.notSupported(join(scaling, " without ", length));
  return values;
}

RotationPart rotationAt(const RotationPart& part, std::vector<double> positions) {
  RotationPart moved = part;
  moved.position = std::move(positions);
  return moved;
}

std::vector<double> tokenPositions(CaseReader& in, std::int64_t tokens) {
  if (in.reference().positions) return in.positions();
  const double first = in.number("position_start", 0);
  std::vector<double> positions;
  for (std::int64_t t = 0; t < tokens; ++t) positions.push_back(first + static_cast<double>(t));
  return positions;
}

template <class T>
Expected<Answer> waves(const RotationPart& part, const std::string& key) {
  const std::int64_t width = part.endDim();
  const std::int64_t pairs = part.pairs();
  const std::int64_t tokens = static_cast<std::int64_t>(part.position.size()) / part.axes;
  if (Outcome ok = roomFor(static_cast<double>(tokens * part.sets) * static_cast<double>(width)); !ok)
    return fail(ok.error());
  std::vector<T> values;
  for (std::int64_t set = 0; set < part.sets; ++set) {
    std::vector<T> rows(static_cast<std::size_t>(tokens * width));
    for (std::int64_t t = 0; t < tokens; ++t)
      for (std::int64_t p = 0; p < pairs; ++p) rows[static_cast<std::size_t>(t * width + part.firstDim(p))] = 1;
    attention::rotate<T>(part, set, 0, false, rows, width);
    for (std::int64_t t = 0; t < tokens; ++t)
      for (std::int64_t p = 0; p < pairs; ++p) {
        if (key != "sin") values.push_back(rows[static_cast<std::size_t>(t * width + part.firstDim(p))]);
        if (key != "cos") values.push_back(rows[static_cast<std::size_t>(t * width + part.secondDim(p))]);
      }
  }
  std::vector<std::int64_t> shape{tokens, pairs};
  if (part.sets > 1) shape.insert(shape.begin(), part.sets);
  if (key == "complex") shape.push_back(2);
  return answer<T>(shape, values);
}

template <class T>
Expected<Answer> turned(CaseReader& in, const RotationPart& part, std::int64_t width, bool keys) {
  const std::int64_t tokens = static_cast<std::int64_t>(part.position.size()) / part.axes;
  const Array given = in.array("x");
  const bool by_head = given.rank() == 3;
  const Array x =
      by_head ? in.array("x", {part.sets > 1 ? part.sets : -1, tokens, width}) : in.array("x", {tokens, width});
  if (in.problem()) return fail(*in.problem());
  std::vector<T> rows = valuesAs<T>(x);
  const std::int64_t each = tokens * width;
  for (std::int64_t h = 0; h < (by_head ? x.shape[0] : 1); ++h)
    attention::rotate<T>(part, h, 0, keys, std::span<T>(rows.data() + h * each, static_cast<std::size_t>(each)), width);
  return answer<T>(x.shape, rows);
}

template <class T>
Expected<Answer> onesDecay(CaseReader& in, const RotationPart& part) {
  const std::vector<double> offsets = in.positions();
  if (in.problem()) return fail(*in.problem());
  if (Outcome ok = roomFor(static_cast<double>(offsets.size()) * static_cast<double>(part.sets)); !ok)
    return fail(ok.error());
  const RotationPart even = rotationAt(part, {0, 1});
  std::vector<double> values;
  for (std::int64_t set = 0; set < part.sets; ++set) {
    const std::optional<OffsetRotation> rotation = offsetRotation(even, set);
    for (const double n : offsets) values.push_back(onesScores(*rotation, n, 1, Job{}).front());
  }
  return answer<T>({part.sets, static_cast<std::int64_t>(offsets.size())}, values);
}

template <class T>
Answer frequencies(const RotationPart& part, bool by_set) {
  std::vector<std::int64_t> shape{part.axes * part.pairs()};
  if (by_set) shape.insert(shape.begin(), part.sets);
  return answer<T>(shape, part.frequency);
}

template Expected<Answer> waves<float>(const RotationPart&, const std::string&);
template Expected<Answer> waves<double>(const RotationPart&, const std::string&);
template Expected<Answer> turned<float>(CaseReader&, const RotationPart&, std::int64_t, bool);
template Expected<Answer> turned<double>(CaseReader&, const RotationPart&, std::int64_t, bool);
template Expected<Answer> onesDecay<float>(CaseReader&, const RotationPart&);
template Expected<Answer> onesDecay<double>(CaseReader&, const RotationPart&);
template Answer frequencies<float>(const RotationPart&, bool);
template Answer frequencies<double>(const RotationPart&, bool);

}  // namespace posiscope::verify
