// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/axes.h"
#include "core/measures/derived.h"
#include "core/measures/encoded.h"
#include "core/measures/frequencies.h"
#include "core/measures/measures.h"
#include "core/measures/turning.h"
#include "core/parallel.h"
#include "core/screen_number.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numbers>

namespace posiscope::measures {
namespace {

/// Which numbers are rounded on the way to an angle, as code in the wild does it.
enum class Rounding {
  all,        ///< RN(RN(p) · RN(w)): everything in the format
  angle,      ///< RN(p · w)
  position,   ///< RN(p) · w
  frequency,  ///< p · RN(w)
};

struct Options {
  FloatFormat number_format = FloatFormat::bf16;
  Rounding rounding = Rounding::all;
  double tolerance = 0.1;
  std::int64_t head = 0;
};

const ParamTable<Options>& optionTable() {
  static const ParamTable<Options> table = [] {
    ParamTable<Options> t;
    t.choice("number_format", &Options::number_format,
             {{"bfloat16", {"bfloat16", "bfloat16"}},
              {"float16", {"float16", "float16"}},
              {"float32", {"float32", "float32"}}},
             {{"number format", "数值格式"},
              {"The format the arithmetic is done in: 8, 11 or 24 significant bits.",
               "运算所用的格式：8、11 或 24 位有效二进制位。"}});
    t.choice("rounding", &Options::rounding,
             {{"all", {"everything", "全部"}},
              {"angle", {"the angle", "角度"}},
              {"position", {"the position", "位置"}},
              {"frequency", {"the frequency", "频率"}}},
             {{"what is rounded", "舍入的量"},
              {"Position, frequency and their product; or one of them, the rest being exact.",
               "位置、频率及其乘积全部舍入；或只舍入其中之一，其余精确。"}});
    t.real("tolerance", &Options::tolerance, {1e-7, 2, 1e-4, 1, true},
           {{"tolerance", "容许误差"},
            {"From which error of a cosine on a position counts as wrong.", "余弦误差超过该值的位置视为出错。"}});
    t.integer(
        "head", &Options::head, {0, 1023, 0, 31, false},
        {{"head", "头"}, {"The head shown where the heads turn differently.", "当各头旋转不同时，显示哪一个头。"}});
    return t;
  }();
  return table;
}

/// The angles of an encoding, exact and as the format has them.
class Simulation {
 public:
  Simulation(TurningPtr turning, const Options& options)
      : turning_(std::move(turning)), format_(options.number_format), rounding_(options.rounding) {
    frequency_ = turning_->frequency;
    position_ = turning_->position;
    if (rounding_ == Rounding::all || rounding_ == Rounding::frequency) roundAll(frequency_);
    if (rounding_ == Rounding::all || rounding_ == Rounding::position) roundAll(position_);
  }

  const Turning& turning() const { return *turning_; }
  /// Infinite, or NaN, past the end of the format.
  double angle(std::int64_t token, std::int64_t pair) const {
    double sum = 0;
    for (std::int64_t a = 0; a < turning_->axes; ++a)
      if (turning_->reads(a, pair)) sum += product(position(a, token) * frequency(a, pair));
    return sum;
  }
  double position(std::int64_t axis, std::int64_t token) const {
    return position_[static_cast<std::size_t>(axis * turning_->tokens + token)];
  }
  double frequency(std::int64_t axis, std::int64_t pair) const {
    return frequency_[static_cast<std::size_t>(axis * turning_->pairs + pair)];
  }
  /// How far round the circle the two angles are apart, 0 to π; NaN where there is no angle left.
  double phaseError(std::int64_t token, std::int64_t pair) const {
    return std::abs(std::remainder(angle(token, pair) - turning_->angle(token, pair), 2 * std::numbers::pi));
  }
  bool isOff(std::int64_t token, std::int64_t pair, double tolerance) const {
    return !(cosineError(token, pair, tolerance) <= tolerance);
  }
  /// |cos − cos|, or a bound of it that is not above `enough`: most angles are near, and need no cosine.
  double cosineError(std::int64_t token, std::int64_t pair, double enough) const {
    const double exact = turning_->angle(token, pair);
    const double found = angle(token, pair);
    const double apart = std::abs(found - exact);
    return apart <= enough ? apart : std::abs(std::cos(found) - std::cos(exact));
  }

 private:
  double product(double value) const {
    return rounding_ == Rounding::all || rounding_ == Rounding::angle ? rounded(value, format_) : value;
  }
  void roundAll(std::vector<double>& values) const {
    for (double& v : values) v = rounded(v, format_);
  }

  TurningPtr turning_;
  FloatFormat format_;
  Rounding rounding_;
  std::vector<double> frequency_;  ///< as the format has them
  std::vector<double> position_;
};
using SimulationPtr = std::shared_ptr<const Simulation>;

std::string formatName(FloatFormat format) {
  return format == FloatFormat::bf16 ? "bfloat16" : format == FloatFormat::fp16 ? "float16" : "float32";
}

std::string numberOrInfinity(double value) { return std::isfinite(value) ? screenNumber(value) : "∞"; }

/// "1044.27 → 1 045, cos 0.306693 → −0.408165"
std::string bothAngles(const Simulation& s, std::int64_t token, std::int64_t pair) {
  const double exact = s.turning().angle(token, pair);
  const double found = s.angle(token, pair);
  const std::string angles = join(screenNumber(exact), " → ", numberOrInfinity(found));
  if (!std::isfinite(found)) return angles;
  return join(angles, ", cos ", screenNumber(std::cos(exact)), " → ", screenNumber(std::cos(found)));
}

/// The first token with a pair that is off by more than `tolerance`; nothing when the job was stopped, the number of
/// tokens when there is none.
std::optional<std::int64_t> firstOff(const Simulation& s, double tolerance, const Job& job) {
  const std::int64_t tokens = s.turning().tokens;
  std::atomic<std::int64_t> first = tokens;
  const bool done = parallelBlocks(tokens, 256, job, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t t = begin; t < std::min(end, first.load()); ++t)
      for (std::int64_t p = 0; p < s.turning().pairs; ++p) {
        if (!s.isOff(t, p, tolerance)) continue;
        std::int64_t before = first.load();
        while (t < before && !first.compare_exchange_weak(before, t)) {
        }
        return;
      }
  });
  if (!done) return std::nullopt;
  return first.load();
}

/// From where on the cosines are not to be trusted.
void addFirstOff(Dataset& dataset, const Simulation& s, std::int64_t token, double first_position,
                 const Options& options) {
  const std::string format = formatName(options.number_format);
  const std::string limit = readable(options.tolerance);
  if (token == s.turning().tokens) {
    dataset.remarks.push_back({Verdict::good,
                               {"In " + format + " no cosine is off by more than " + limit + " here.",
                                "用 " + format + " 计算时，此处没有余弦的误差超过 " + limit + "。"}});
    return;
  }
  const double position = first_position + static_cast<double>(token);
  std::int64_t pair = 0;
  while (!s.isOff(token, pair, options.tolerance)) ++pair;
  dataset.metrics.push_back({"first_wrong_position", {"first wrong position", "首个出错的位置"}, position, ""});
  const std::string where = readable(position);
  const std::string numbers = bothAngles(s, token, pair);
  dataset.remarks.push_back({Verdict::warning,
                             {join("In ", format, " a cosine is off by more than ", limit, " from position ", where,
                                   " on: pair ", pair, ", ", numbers, "."),
                              join("用 ", format, " 计算时，从位置 ", where, " 起有余弦的误差超过 ", limit, "：第 ",
                                   pair, " 对，", numbers, "。")}});
}

/// Positions that the format cannot count.
void addShared(Dataset& dataset, const Simulation& s, const Options& options) {
  const auto& positions = s.turning().position;
  const auto changed = std::ranges::find_if(
      positions, [&](double v) { return rounded(v, options.number_format) != v && v == std::floor(v); });
  const bool counts = options.rounding == Rounding::all || options.rounding == Rounding::position;
  if (!counts || changed == positions.end()) return;
  dataset.metrics.push_back(
      {"first_shared_position", {"first position that is another one", "首个被舍入为其他值的位置"}, *changed, ""});
  const std::string format = formatName(options.number_format);
  const std::string from = readable(*changed);
  const std::string to = numberOrInfinity(rounded(*changed, options.number_format));
  dataset.remarks.push_back(
      {Verdict::warning,
       {"In " + format + " position " + from + " becomes " + to + ": from there on positions share numbers.",
        "在 " + format + " 中位置 " + from + " 变成 " + to + "：从这里起，不同位置共用同一个数。"}});
}

void addMap(Dataset& dataset, const SimulationPtr& s, const Question& question, FloatFormat format, int head) {
  const Turning& t = s->turning();
  const std::string name = formatName(format);
  dataset.maps.push_back(
      {"phase_error",
       {"phase error in " + name, name + " 的相位误差"},
       computedField(t.tokens, t.pairs,
                     [s](std::int64_t i, std::int64_t p) { return static_cast<float>(s->phaseError(i, p)); }),
       positionAxis(question.shape),
       pairAxis(),
       {"phase error in " + name + " (rad)", name + " 的相位误差（rad）"},
       MapKind::sequential,
       head});
  dataset.maps.back().term = [s](std::int64_t i, std::int64_t p) { return bothAngles(*s, i, p); };
}

Expected<Dataset> answer(const Question& question, const Job& job) {
  const Expected<Options> options = optionTable().read(question.measure, question.options);
  if (!options) return fail(options.error());
  const Expected<EncodingPtr> encoding = encodingOf(question);
  if (!encoding) return fail(encoding.error());
  const Encoding<float>& e = **encoding;
  const std::int64_t sets = e.rotation ? e.rotation->sets : 1;
  const Expected<std::int64_t> set = headOf(options->head, sets, question);
  if (!set) return fail(set.error());
  Dataset dataset;
  const TurningPtr turning = turningOf(e, *set, question.shape);
  if (turning->pairs == 0) {
    dataset.nothing = nothingTurns(e);
    return dataset;
  }
  const auto simulation = std::make_shared<const Simulation>(turning, *options);
  const std::optional<std::int64_t> first = firstOff(*simulation, options->tolerance, job);
  if (!first) return stopped();
  addMap(dataset, simulation, question, options->number_format, sets > 1 ? static_cast<int>(*set) : -1);
  addFirstOff(dataset, *simulation, *first, question.shape.first_position, *options);
  addShared(dataset, *simulation, *options);
  return dataset;
}

}  // namespace

Measure precision() {
  return {"precision",
          {"Precision", "数值精度"},
          {"How far each pair's angle comes out wrong when it is computed in few bits, against the exact one: 0 is "
           "right, π the opposite direction. A large angle keeps its relative precision and loses its phase, so fast "
           "pairs of late positions go first; positions that the format cannot count become one another.",
           "用较少的二进制位计算时，每个维度对的角度与精确值相差多少：0 表示正确，π 表示方向相反。"
           "角度越大，相对精度不变而相位越不准，因此靠后位置的快速维度对最先出错；格式数不清的位置会彼此混同。"},
          "[seq_len, pairs], radians from 0 to π; NaN where the angle is past the largest number of the format",
          optionTable().specs(),
          answer,
          {"rope", "sinusoidal"}};
}

}  // namespace posiscope::measures
