// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameter.h"

#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace posiscope {

/// The names a parameter has for people.
struct ParamText {
  Text label;
  Text help;
  std::string alias = {};
  std::string unit = {};
};

/// Hard limits and slider span.
struct Range {
  double minimum;
  double maximum;
  double slider_minimum;
  double slider_maximum;
  bool logarithmic = false;
};

/// The one table of a struct's parameters: binds each member to its `ParamSpec`. Defaults are taken from the
/// struct's member initialisers, so they are written once.
template <class P>
class ParamTable {
 public:
  ParamTable& real(std::string key, double P::*member, Range range, ParamText text) {
    return number(ParamKind::real, std::move(key), member, range, std::move(text));
  }
  template <class Integer>
  ParamTable& integer(std::string key, Integer P::*member, Range range, ParamText text) {
    return number(ParamKind::integer, std::move(key), member, range, std::move(text));
  }
  ParamTable& boolean(std::string key, bool P::*member, ParamText text) {
    ParamSpec spec = named(ParamKind::boolean, std::move(key), std::move(text));
    spec.default_value = P{}.*member;
    return add(std::move(spec), {[member](P& p, const Value& v) { p.*member = std::get<bool>(v); },
                                 [member](const P& p) -> Value { return p.*member; }});
  }
  /// `choices` in the order of the enumeration's values, which start at 0.
  template <class Enum>
  ParamTable& choice(std::string key, Enum P::*member, std::vector<Choice> choices, ParamText text) {
    ParamSpec spec = named(ParamKind::choice, std::move(key), std::move(text));
    spec.choices = choices;
    spec.default_value = choices.at(static_cast<std::size_t>(P{}.*member)).key;
    const auto set = [member, choices](P& p, const Value& v) {
      for (std::size_t i = 0; i < choices.size(); ++i)
        if (choices[i].key == std::get<std::string>(v)) p.*member = static_cast<Enum>(i);
    };
    const auto get = [member, choices](const P& p) -> Value {
      return choices.at(static_cast<std::size_t>(p.*member)).key;
    };
    return add(std::move(spec), {set, get});
  }
  ParamTable& list(std::string key, std::vector<double> P::*member, ParamText text) {
    ParamSpec spec = named(ParamKind::list, std::move(key), std::move(text));
    spec.default_value = P{}.*member;
    return add(std::move(spec), {[member](P& p, const Value& v) { p.*member = std::get<std::vector<double>>(v); },
                                 [member](const P& p) -> Value { return p.*member; }});
  }
  /// A line that a person types, of at most `longest` bytes.
  ParamTable& text(std::string key, std::string P::*member, std::size_t longest, ParamText text) {
    ParamSpec spec = named(ParamKind::text, std::move(key), std::move(text));
    spec.maximum = static_cast<double>(longest);
    spec.default_value = P{}.*member;
    return add(std::move(spec), {[member](P& p, const Value& v) { p.*member = std::get<std::string>(v); },
                                 [member](const P& p) -> Value { return p.*member; }});
  }
  ParamTable& array(std::string key, Array P::*member, ParamText text) {
    ParamSpec spec = named(ParamKind::array, std::move(key), std::move(text));
    spec.default_value = Array{};
    return add(std::move(spec), {[member](P& p, const Value& v) { p.*member = std::get<Array>(v); },
                                 [member](const P& p) -> Value { return p.*member; }});
  }
  /// The parameters of a struct that P is derived from, with the defaults that P gives them.
  template <class Base>
  ParamTable& include(const ParamTable<Base>& base) {
    for (std::size_t i = 0; i < base.specs_.size(); ++i) {
      ParamSpec spec = base.specs_[i];
      spec.default_value = base.members_[i].get(P{});
      add(std::move(spec), {base.members_[i].set, base.members_[i].get});
    }
    return *this;
  }
  /// The parameter added last matters only while `key` has one of `values`.
  ParamTable& when(std::string key, std::vector<std::string> values) {
    specs_.back().depends_on = std::move(key);
    specs_.back().depends_values = std::move(values);
    return *this;
  }

  /// The list added last can be filled with `sentenceBoundaries`.
  ParamTable& takesSentenceEnds() {
    specs_.back().takes_sentence_ends = true;
    return *this;
  }

  /// The 0, the empty list or the empty text of the parameter added last stands for this.
  ParamTable& unset(Text text) {
    specs_.back().unset = std::move(text);
    return *this;
  }

  const std::vector<ParamSpec>& specs() const { return specs_; }

  /// The typed struct for these values. Errors: unknown_name, bad_value, out_of_range.
  Expected<P> read(std::string_view owner, const ParamValues& values) const {
    P result;
    for (const auto& [key, value] : values) {
      const ParamSpec* spec = findParam(specs_, key);
      if (!spec) {
        std::string known;
        for (const ParamSpec& s : specs_) known += (known.empty() ? "" : ", ") + s.key;
        return fail(ErrorCode::unknown_name,
                    join(owner, ": there is no parameter '", key, "'; known: ", known.empty() ? "none" : known),
                    join(owner, "：没有参数“", key, "”；可用参数：", known.empty() ? "无" : known));
      }
      if (Outcome ok = checkValue(owner, *spec, value); !ok) return fail(ok.error());
      members_[static_cast<std::size_t>(spec - specs_.data())].set(result, value);
    }
    return result;
  }

  /// The way back: what differs from the defaults.
  ParamValues values(const P& p) const {
    ParamValues result;
    for (std::size_t i = 0; i < specs_.size(); ++i) {
      Value value = members_[i].get(p);
      if (value != specs_[i].default_value) result.emplace(specs_[i].key, std::move(value));
    }
    return result;
  }

 private:
  template <class>
  friend class ParamTable;

  struct Member {
    std::function<void(P&, const Value&)> set;
    std::function<Value(const P&)> get;
  };

  template <class Number>
  ParamTable& number(ParamKind kind, std::string key, Number P::*member, Range range, ParamText text) {
    ParamSpec spec = named(kind, std::move(key), std::move(text));
    spec.minimum = range.minimum;
    spec.maximum = range.maximum;
    spec.slider_minimum = range.slider_minimum;
    spec.slider_maximum = range.slider_maximum;
    spec.logarithmic = range.logarithmic;
    spec.default_value = static_cast<double>(P{}.*member);
    return add(std::move(spec),
               {[member](P& p, const Value& v) { p.*member = static_cast<Number>(std::get<double>(v)); },
                [member](const P& p) -> Value { return static_cast<double>(p.*member); }});
  }
  static ParamSpec named(ParamKind kind, std::string key, ParamText text) {
    ParamSpec spec;
    spec.kind = kind;
    spec.key = std::move(key);
    spec.label = std::move(text.label);
    spec.help = std::move(text.help);
    spec.alias = std::move(text.alias);
    spec.unit = std::move(text.unit);
    return spec;
  }
  ParamTable& add(ParamSpec spec, Member member) {
    specs_.push_back(std::move(spec));
    members_.push_back(std::move(member));
    return *this;
  }

  std::vector<ParamSpec> specs_;
  std::vector<Member> members_;
};

}  // namespace posiscope
