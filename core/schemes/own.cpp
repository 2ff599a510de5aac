// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula.h"
#include "core/rotary.h"
#include "core/schemes/offset_table.h"
#include "core/schemes/own_formula.h"
#include "core/schemes/schemes.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace posiscope::schemes {
namespace {

enum class Kind { table, frequency, bias, list };

struct OwnParams {
  Kind kind = Kind::table;
  std::string formula;  ///< empty = the example of its kind
  std::vector<double> list{1, 0.3, 0.1, 0.03};
  Pairing pairing = Pairing::interleaved;
  double a = 4, b = 1, c = 0, k = 1, m = 1, s = 1;  ///< names that a formula may use
  double n = 1, p = 1, q = 1, r = 1, t = 1, w = 1;
  double alpha = 1, beta = 1, gamma = 1, lambda = 1, sigma = 1, tau = 1;
};

/// The numbers that a formula may name. They are given beforehand, not read from what is typed: a parameter is a flag,
/// a line of help and a key of sessions before there is a formula. Those that a formula does not mention are not shown.
constexpr std::pair<const char*, double OwnParams::*> names[] = {
    {"a", &OwnParams::a},           {"b", &OwnParams::b},         {"c", &OwnParams::c},
    {"k", &OwnParams::k},           {"m", &OwnParams::m},         {"s", &OwnParams::s},
    {"n", &OwnParams::n},           {"p", &OwnParams::p},         {"q", &OwnParams::q},
    {"r", &OwnParams::r},           {"t", &OwnParams::t},         {"w", &OwnParams::w},
    {"alpha", &OwnParams::alpha},   {"beta", &OwnParams::beta},   {"gamma", &OwnParams::gamma},
    {"lambda", &OwnParams::lambda}, {"sigma", &OwnParams::sigma}, {"tau", &OwnParams::tau}};

/// What is shown before anything is typed: the sinusoidal table, RoPE and ALiBi, with a as the base's power of ten.
const char* exampleOf(Kind kind) {
  switch (kind) {
    case Kind::table: return "b*sin(pos*10^(-a*2*floor(i/2)/d) + mod(i,2)*pi/2)";
    case Kind::frequency: return "b*10^(-a*2*pair/d)";
    case Kind::bias: return "-b*abs(offset)*2^(-8*(head+1)/heads)";
    case Kind::list: break;
  }
  return "";
}

std::vector<std::string> variablesOf(Kind kind) {
  if (kind == Kind::table) return {"pos", "i", "d"};
  if (kind == Kind::frequency) return {"pair", "d"};
  return {"offset", "head", "heads"};
}

Formula formulaOf(const OwnParams& p) {
  Formula formula{p.formula.empty() ? exampleOf(p.kind) : p.formula, variablesOf(p.kind), {}};
  for (const auto& [name, member] : names) formula.constants.emplace_back(name, p.*member);
  return formula;
}

/// The same with the largest value that single precision can compute with: a row of a table is multiplied with another
/// one, frequencies and biases stand alone.
Formula formulaOf(const OwnParams& p, const Shape& shape) {
  Formula formula = formulaOf(p);
  if (p.kind == Kind::table) formula.largest = std::sqrt(formula.largest / static_cast<double>(shape.d_model));
  return formula;
}

void addNames(ParamTable<OwnParams>& t) {
  for (const auto& [name, member] : names)
    t.real(name, member, {-1e9, 1e9, -10, 10, false},
           {{name, name}, {join("The number ", name, " of the formula."), join("公式中的数 ", name, "。")}})
        .when("kind", {"table", "frequency", "bias"});
}

ParamTable<OwnParams> ownTable() {
  using P = OwnParams;
  ParamTable<P> t;
  t.choice("kind", &P::kind,
           {{"table", {"table f(pos, i, d)", "表 f(pos, i, d)"}},
            {"frequency", {"frequency f(pair, d)", "频率 f(pair, d)"}},
            {"bias", {"bias f(offset, head)", "偏置 f(offset, head)"}},
            {"list", {"list of frequencies", "频率列表"}}},
           {{"kind", "类型"},
            {"What the formula gives: an added table, the frequencies of a rotation, or a bias on the logits.",
             "公式给出什么：相加的表、旋转的频率，或注意力分数的偏置。"}});
  t.text("formula", &P::formula, Formula::longest,
         {{"formula", "公式"},
          {"Names by kind: pos, i, d; pair, d; offset, head, heads; also pi, a, b, c, k, m, n, p, q, r, s, t, w, "
           "alpha, beta, gamma, lambda, sigma, tau. Empty means an example.",
           "可用名称随类型而定：pos、i、d；pair、d；offset、head、heads；以及 pi、a、b、c、k、m、n、p、q、r、s、t、w、"
           "alpha、beta、gamma、lambda、sigma、tau。空表示示例。"}})
      .unset({"an example", "示例"})
      .when("kind", {"table", "frequency", "bias"});
  t.list("list", &P::list,
         {{"frequencies", "频率"},
          {"Angle per token of each pair; other dimensions pass through.",
           "各维度对在相邻词元之间转过的角度；其余维度原样通过。"},
          "inv_freq",
          "radians per token"})
      .when("kind", {"list"});
  t.choice("pairing", &P::pairing,
           {{"interleaved", {"interleaved", "相邻配对"}}, {"half", {"half-split", "前后半配对"}}},
           {{"pairing", "配对方式"},
            {"Which two dimensions turn together: neighbours, or p and p + half.",
             "哪两个维度一起旋转：相邻两维，或 p 与 p + 一半。"}})
      .when("kind", {"frequency", "list"});
  addNames(t);
  return t;
}

/// The formula with the numbers of one point: "-b*abs(offset), offset = 405, b = 1".
std::string termOf(const Formula& formula, const std::vector<double>& point) {
  std::string text = formula.text;
  for (std::size_t v = 0; v < point.size(); ++v)
    if (mentions(formula.text, formula.variables[v]))
      text += join(", ", formula.variables[v], " = ", screenNumber(point[v]));
  for (const auto& [name, value] : formula.constants)
    if (mentions(formula.text, name)) text += join(", ", name, " = ", screenNumber(value));
  return text;
}

/// At how many points the formula of a kind is asked.
std::int64_t pointsOf(Kind kind, const Shape& shape) {
  if (kind == Kind::table) return shape.keys() * shape.d_model;
  if (kind == Kind::frequency) return shape.head_dim / 2;
  return shape.num_heads * (2 * shape.keys() - 1);
}

struct Own {
  Outcome check(const OwnParams& p, const Shape& shape) const {
    if (p.kind == Kind::list) return checkList(p, shape);
    if (p.kind == Kind::frequency)
      if (Outcome ok = checkRotary("own", RotaryParams{.pairing = p.pairing}, shape.head_dim); !ok) return ok;
    const std::int64_t points = pointsOf(p.kind, shape);
    // The values are double until they are cut to the precision asked for.
    const double bytes = static_cast<double>(points) * (sizeof(double) + sizeof(double));
    if (Outcome ok = checkMemory("own: the values", bytes); !ok) {
      Error problem = ok.error();
      problem.message.en += "; make seq_len or d_model smaller";
      problem.message.zh += "；请减小 seq_len 或 d_model";
      return fail(std::move(problem));
    }
    return checkFormula("own", formulaOf(p), points);
  }

  template <class T>
  Expected<Encoding<T>> encode(const OwnParams& p, const Shape& shape) const {
    Encoding<T> encoding;
    encoding.logit_scale = rootScale(shape);
    if (p.kind == Kind::list) {
      encoding.rotation = rotationOf(p, p.list, shape);
      return encoding;
    }
    const Expected<std::vector<double>> values = valuesOf(p, shape);
    if (!values) return fail(values.error());
    if (p.kind == Kind::table) {
      encoding.input.table = {shape.keys(), shape.d_model, std::vector<T>(values->begin(), values->end())};
      encoding.input.term = [formula = formulaOf(p), shape](std::int64_t row, std::int64_t column) {
        return termOf(formula, {shape.first_position + static_cast<double>(row), static_cast<double>(column),
                                static_cast<double>(shape.d_model)});
      };
      encoding.offset_only = false;
    } else if (p.kind == Kind::frequency) {
      encoding.rotation = rotationOf(p, *values, shape);
    } else {
      encoding.logits.bias = OffsetBias<T>{
          shape.num_heads, shape.keys() - 1, std::vector<T>(values->begin(), values->end()),
          [formula = formulaOf(p), heads = static_cast<double>(shape.num_heads)](std::int64_t head, std::int64_t n) {
            return termOf(formula, {static_cast<double>(n), static_cast<double>(head), heads});
          }};
    }
    return encoding;
  }

  std::string substitution(const OwnParams& p, const Shape&) const {
    if (p.kind == Kind::list) return join(p.list.size(), " pairs");
    const Formula formula = formulaOf(p);
    std::string text = formula.text;
    for (const auto& [name, value] : formula.constants)
      if (mentions(formula.text, name)) text += join(", ", name, " = ", screenNumber(value));
    return text;
  }

 private:
  static Outcome checkList(const OwnParams& p, const Shape& shape) {
    const auto most = static_cast<std::size_t>(shape.head_dim / 2);
    if (p.list.empty() || p.list.size() > most)
      return fail(ErrorCode::bad_shape,
                  join("own: list must have 1 to head_dim/2 = ", most, " frequencies, got ", p.list.size()),
                  join("own：list 必须有 1 到 head_dim/2 = ", most, " 个频率，得到 ", p.list.size()));
    for (const double w : p.list)
      if (!std::isfinite(static_cast<float>(w)))
        return fail(ErrorCode::bad_value, join("own: the frequencies in list must be finite, got ", w),
                    join("own：list 中的频率必须是有限的数，得到 ", w));
    return {};
  }

  static RotationPart rotationOf(const OwnParams& p, const std::vector<double>& frequency, const Shape& shape) {
    RotationPart rotation;
    rotation.pairing = p.pairing;
    rotation.rotary_dim = 2 * static_cast<std::int64_t>(frequency.size());
    rotation.frequency = frequency;
    for (std::int64_t t = 0; t < shape.keys(); ++t)
      rotation.position.push_back(shape.first_position + static_cast<double>(t));
    return rotation;
  }

  /// The formula at every point, in the order of the part it fills.
  static Expected<std::vector<double>> valuesOf(const OwnParams& p, const Shape& shape) {
    const std::int64_t points = pointsOf(p.kind, shape);
    const std::int64_t width = p.kind == Kind::table ? shape.d_model : 2 * shape.keys() - 1;
    return evaluateFormula("own", formulaOf(p, shape), points, [&, width](std::int64_t n, std::span<double> at) {
      const auto row = static_cast<double>(n / width), column = static_cast<double>(n % width);
      if (p.kind == Kind::table) {
        at[0] = shape.first_position + row;
        at[1] = column;
        at[2] = static_cast<double>(shape.d_model);
      } else if (p.kind == Kind::frequency) {
        at[0] = static_cast<double>(n);
        at[1] = static_cast<double>(shape.head_dim);
      } else {
        at[0] = column - static_cast<double>(shape.keys() - 1);
        at[1] = row;
        at[2] = static_cast<double>(shape.num_heads);
      }
    });
  }
};

const ParamTable<OwnParams>& sharedTable() {
  static const ParamTable<OwnParams> table = ownTable();
  return table;
}

}  // namespace

std::string exampleFormula(std::string_view scheme, std::string_view key, const ParamValues& values) {
  if (scheme != "own" || key != "formula") return {};
  const Expected<OwnParams> p = sharedTable().read("own", values);
  return p ? exampleOf(p->kind) : std::string();
}

bool isIdleName(std::string_view scheme, std::string_view key, const ParamValues& values) {
  if (scheme != "own" ||
      std::ranges::find(names, key, [](const auto& name) { return std::string_view(name.first); }) == std::end(names))
    return false;
  const Expected<OwnParams> p = sharedTable().read("own", values);
  return p && !mentions(formulaOf(*p).text, key);
}

Scheme own() {
  return makeScheme({.id = "own",
                     .name = {"Your own", "自定义"},
                     .family = Family::combination,
                     .year = 2026,
                     .reference = "A formula of your own",
                     .summary = {"A table, the frequencies of a rotation or a bias by a formula that you type.",
                                 "由你输入的公式给出的表、旋转频率或偏置。"}},
                    ownTable(), Own{});
}

}  // namespace posiscope::schemes
