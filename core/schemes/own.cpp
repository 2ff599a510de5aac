// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compiled_formula.h"
#include "core/formula_rows.h"
#include "core/rotary.h"
#include "core/schemes/offset_table.h"
#include "core/schemes/own_formula.h"
#include "core/schemes/own_params.h"
#include "core/schemes/schemes.h"
#include "core/sinusoidal.h"

#include <algorithm>
#include <cmath>

namespace posiscope::schemes {
namespace {

/// The formula with the largest value that single precision can compute with: a row of a table is multiplied with
/// another one, frequencies and biases stand alone.
Formula formulaOf(const OwnParams& p, const Shape& shape) {
  Formula formula = formulaOf(p);
  if (p.kind == OwnKind::table) formula.largest = std::sqrt(formula.largest / static_cast<double>(shape.d_model));
  return formula;
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
std::int64_t pointsOf(OwnKind kind, const Shape& shape) {
  if (kind == OwnKind::table) return shape.keys() * shape.d_model;
  if (kind == OwnKind::frequency) return shape.head_dim / 2;
  return shape.num_heads * (2 * shape.keys() - 1);
}

struct Own {
  Outcome check(const OwnParams& p, const Shape& shape) const {
    if (p.kind == OwnKind::list) return checkList(p, shape);
    if (p.kind == OwnKind::frequency)
      if (Outcome ok = checkRotary("own", RotaryParams{.pairing = p.pairing}, shape.head_dim); !ok) return ok;
    if (Outcome ok = checkNumbers(p); !ok) return ok;
    // What is not stored is computed while it is looked at, so its size is no matter.
    if (!isStored<float>(p, shape)) return checkFormula("own", formulaOf(p), 1);
    const std::int64_t points = pointsOf(p.kind, shape);
    // The values are double until they are cut to the precision asked for.
    const double bytes = static_cast<double>(points) * (sizeof(double) + sizeof(double));
    if (Outcome ok = checkMemory("own: the values", bytes); !ok) return ok;
    return checkFormula("own", formulaOf(p), points);
  }

  template <class T>
  Expected<Encoding<T>> encode(const OwnParams& p, const Shape& shape) const {
    Encoding<T> encoding;
    encoding.logit_scale = rootScale(shape);
    if (p.kind == OwnKind::list) {
      encoding.rotation = rotationOf(p, p.list, shape);
      return encoding;
    }
    if (p.kind == OwnKind::table) {
      Expected<InputPart<T>> input = inputOf<T>(p, shape);
      if (!input) return fail(std::move(input.error()));
      encoding.input = *std::move(input);
      encoding.offset_only = false;
      return encoding;
    }
    const Expected<std::vector<double>> values = valuesOf(p, shape);
    if (!values) return fail(values.error());
    if (p.kind == OwnKind::frequency) {
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

  std::string substitution(const OwnParams& p) const {
    if (p.kind == OwnKind::list) return join(p.list.size(), " pairs");
    const Formula formula = formulaOf(p);
    std::string text = formula.text;
    for (const auto& [name, value] : formula.constants)
      if (mentions(formula.text, name)) text += join(", ", name, " = ", screenNumber(value));
    return text;
  }

 private:
  /// Is the table small enough, and the formula quick enough, to compute all of it at once?
  template <class T>
  static bool isStored(const OwnParams& p, const Shape& shape) {
    if (p.kind != OwnKind::table) return true;
    const auto points = static_cast<double>(pointsOf(p.kind, shape));
    const auto characters = static_cast<double>(formulaOf(p).text.size());
    return points * sizeof(T) <= storedTableLimit() && points * characters <= Formula::most_characters;
  }

  template <class T>
  static Expected<InputPart<T>> inputOf(const OwnParams& p, const Shape& shape) {
    const Formula formula = formulaOf(p, shape);
    const auto at = [first = shape.first_position, d = static_cast<double>(shape.d_model)](
                        std::int64_t row, std::int64_t column, std::span<double> variables) {
      variables[0] = first + static_cast<double>(row);
      variables[1] = static_cast<double>(column);
      variables[2] = d;
    };
    InputPart<T> input;
    input.term = [formula, at](std::int64_t row, std::int64_t column) {
      std::vector<double> point(formula.variables.size());
      at(row, column, point);
      return termOf(formula, point);
    };
    if (isStored<T>(p, shape)) {
      const Expected<std::vector<double>> values = valuesOf(p, shape);
      if (!values) return fail(values.error());
      input.table = {shape.keys(), shape.d_model, std::vector<T>(values->begin(), values->end())};
      return input;
    }
    const FormulaRows rows("own", formula, shape.keys(), shape.d_model, at);
    rows.begin();
    Outcome found = rows.failure();
    rows.end();
    if (!found) return fail(std::move(found.error()));
    input.rows = shape.keys();
    input.cols = shape.d_model;
    input.fill_row = rows;
    return input;
  }

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
    const std::int64_t width = p.kind == OwnKind::table ? shape.d_model : 2 * shape.keys() - 1;
    return evaluateFormula("own", formulaOf(p, shape), points, [&, width](std::int64_t n, std::span<double> at) {
      const auto row = static_cast<double>(n / width), column = static_cast<double>(n % width);
      if (p.kind == OwnKind::table) {
        at[0] = shape.first_position + row;
        at[1] = column;
        at[2] = static_cast<double>(shape.d_model);
      } else if (p.kind == OwnKind::frequency) {
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

/// The parameters for a shape that allows them. Errors: those of readOwn and of Own::check.
Expected<OwnParams> legal(const ParamValues& values, const Shape& shape) {
  if (Outcome ok = checkShape(shape); !ok) return fail(ok.error());
  Expected<OwnParams> p = readOwn(values);
  if (!p) return p;
  if (Outcome ok = Own{}.check(*p, shape); !ok) return fail(ok.error());
  return p;
}

template <class T>
Expected<Encoding<T>> encodeOwn(const ParamValues& values, const Shape& shape) {
  const Expected<OwnParams> p = legal(values, shape);
  if (!p) return fail(p.error());
  return Own{}.encode<T>(*p, shape);
}

}  // namespace

std::optional<FormulaEnd> formulaEnd(std::string_view scheme, const ParamValues& values, const Shape& shape,
                                     std::int64_t most, std::int64_t& step) {
  step = 1;
  if (scheme != "own") return std::nullopt;
  const Expected<OwnParams> p = readOwn(values);
  if (!p || p->kind == OwnKind::list || !checkFormula("own", formulaOf(*p), 1)) return std::nullopt;
  const Formula formula = formulaOf(*p, shape);
  CompiledFormula compiled(formula);
  const std::span<double> at = compiled.variables();
  const auto refused = [&]() -> std::optional<Error> {
    const double value = compiled.value();
    if (std::abs(value) <= formula.largest) return std::nullopt;
    return formulaNotFinite("own", formula, value, at);
  };
  if (p->kind == OwnKind::frequency) {  // the same at every length
    at[1] = static_cast<double>(shape.head_dim);
    for (at[0] = 0; at[0] < static_cast<double>(shape.head_dim / 2); ++at[0])
      if (std::optional<Error> error = refused()) return FormulaEnd{0, *std::move(error)};
    return std::nullopt;
  }
  constexpr std::int64_t most_across = 9, most_points = 1 << 20;
  const std::int64_t across = p->kind == OwnKind::table ? shape.d_model : shape.num_heads;
  const std::int64_t tried = std::min(across, most_across);
  step = std::max<std::int64_t>(1, most * tried / most_points);
  at[2] = static_cast<double>(across);
  for (std::int64_t n = 0; n < most; n += step)
    for (std::int64_t k = 0; k < tried; ++k) {
      at[1] = static_cast<double>(tried == 1 ? 0 : k * (across - 1) / (tried - 1));
      for (const double sign : {1.0, -1.0}) {
        if (p->kind == OwnKind::table && sign < 0) continue;
        at[0] =
            p->kind == OwnKind::table ? shape.first_position + static_cast<double>(n) : sign * static_cast<double>(n);
        if (std::optional<Error> error = refused()) return FormulaEnd{n, *std::move(error)};
      }
    }
  return std::nullopt;
}

Scheme own() {
  Scheme scheme;
  scheme.text = {.id = "own",
                 .name = {"Your own", "自定义"},
                 .family = Family::combination,
                 .year = 2026,
                 .reference = "A formula of your own",
                 .summary = {"A table, the frequencies of a rotation or a bias by a formula that you type.",
                             "由你输入的公式给出的表、旋转频率或偏置。"}};
  // Not makeScheme: which values there may be depends on the formula among them (see paramsOf).
  scheme.params = ownTable().specs();
  scheme.check = [](const ParamValues& values, const Shape& shape) -> Outcome {
    const Expected<OwnParams> p = legal(values, shape);
    if (!p) return fail(p.error());
    return {};
  };
  scheme.encode = encodeOwn<float>;
  scheme.encode_double = encodeOwn<double>;
  scheme.substitution = [](const ParamValues& values, const Shape& shape) {
    const Expected<OwnParams> p = legal(values, shape);
    return p ? Own{}.substitution(*p) : std::string{};
  };
  scheme.cost = [](const ParamValues&, const Shape&) { return SchemeCost{}; };
  return scheme;
}

}  // namespace posiscope::schemes
