// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding.h"
#include "core/param_table.h"

#include <array>
#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace posiscope {

enum class Family { none, absolute, rotary, bias, content, combination };
/// In the order in which they are shown.
inline constexpr std::array all_families{Family::none, Family::absolute, Family::rotary,
                                         Family::bias, Family::content,  Family::combination};
Text familyName(Family family);

/// What a scheme is called and where it comes from. The longer texts (formula, how to read, traps) live in
/// resources/schemes/ID.{en,zh}.md.
struct SchemeText {
  std::string id;
  Text name;
  Family family;
  int year;
  std::string reference;  ///< paper or model
  Text summary;           ///< one sentence
};

/// What one layer of a scheme costs beyond what the parts of its encoding show.
struct SchemeCost {
  std::int64_t learned = 0;    ///< numbers that training changes
  std::int64_t per_token = 0;  ///< multiply-adds for a token, all heads: in a transform, or before a score of its own
  std::int64_t per_pair = 0;   ///< multiply-adds for a query and a key beyond q·k, all heads, in a score of its own
};

/// One positional encoding: its facts, its parameters, its formula.
struct Scheme {
  SchemeText text;
  std::vector<ParamSpec> params;
  /// Are these values and this shape allowed together? Errors name the culprit, the found and the allowed.
  std::function<Outcome(const ParamValues&, const Shape&)> check;
  /// The encoding for the screen (angles in double, results in float) and for verification.
  std::function<Expected<Encoding<float>>(const ParamValues&, const Shape&)> encode;
  std::function<Expected<Encoding<double>>(const ParamValues&, const Shape&)> encode_double;
  /// The formula's symbols with the present values: "b = 500 000, r = 128, 64 pairs".
  std::function<std::string(const ParamValues&, const Shape&)> substitution;
  /// Of values and a shape that `check` accepts.
  std::function<SchemeCost(const ParamValues&, const Shape&)> cost;

  const std::string& id() const { return text.id; }
};

template <class T>
Expected<Encoding<T>> encode(const Scheme& scheme, const ParamValues& values, const Shape& shape) {
  if constexpr (std::is_same_v<T, double>)
    return scheme.encode_double(values, shape);
  else
    return scheme.encode(values, shape);
}

/// Builds a `Scheme` from a parameter struct `P` and its formula object `F`, which has
///   Outcome check(const P&, const Shape&) const;
///   template <class T> Encoding<T> encode(const P&, const Shape&) const;   // after check succeeded
///   std::string substitution(const P&, const Shape&) const;
///   SchemeCost cost(const P&, const Shape&) const;       // only where there is some
template <class P, class F>
Scheme makeScheme(SchemeText text, ParamTable<P> table, F formula) {
  const std::string id = text.id;
  auto shared = std::make_shared<const ParamTable<P>>(std::move(table));
  auto read = [shared, id, formula](const ParamValues& values, const Shape& shape) -> Expected<P> {
    if (Outcome ok = checkShape(shape); !ok) return fail(ok.error());
    Expected<P> p = shared->read(id, values);
    if (!p) return p;
    if (Outcome ok = formula.check(*p, shape); !ok) return fail(ok.error());
    return p;
  };
  Scheme scheme;
  scheme.text = std::move(text);
  scheme.params = shared->specs();
  scheme.check = [read](const ParamValues& v, const Shape& s) -> Outcome {
    const Expected<P> p = read(v, s);
    if (!p) return fail(p.error());
    return {};
  };
  scheme.encode = [read, formula](const ParamValues& v, const Shape& s) -> Expected<Encoding<float>> {
    const Expected<P> p = read(v, s);
    if (!p) return fail(p.error());
    return formula.template encode<float>(*p, s);
  };
  scheme.encode_double = [read, formula](const ParamValues& v, const Shape& s) -> Expected<Encoding<double>> {
    const Expected<P> p = read(v, s);
    if (!p) return fail(p.error());
    return formula.template encode<double>(*p, s);
  };
  scheme.substitution = [read, formula](const ParamValues& v, const Shape& s) -> std::string {
    const Expected<P> p = read(v, s);
    return p ? formula.substitution(*p, s) : std::string{};
  };
  scheme.cost = [read, formula](const ParamValues& v, const Shape& s) -> SchemeCost {
    if constexpr (requires(const P& p) { formula.cost(p, s); })
      if (const Expected<P> p = read(v, s)) return formula.cost(*p, s);
    return {};
  };
  return scheme;
}

}  // namespace posiscope
