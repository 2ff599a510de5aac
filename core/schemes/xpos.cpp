// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/xpos.h"
#include "core/schemes/rotary_scheme.h"
#include "core/schemes/schemes.h"

#include <cmath>

namespace posiscope::schemes {
namespace {

enum class CenterAt { position, floor, ceil };

struct XposParams : RotaryParams {
  double gamma = 0.4;
  double scale_base = 512;
  CenterAt center_at = CenterAt::floor;
  double center = 0;
};
using P = XposParams;

ParamTable<P> xposTable() {
  ParamTable<P> t;
  t.include(turnTable()).include(shareTable());
  t.real("gamma", &P::gamma, {0.001, 100, 0.05, 2, true},
         {{"γ", "γ"}, {"The larger it is, the more alike the pairs decay.", "越大，各维度对的衰减越接近。"}});
  t.real("scale_base", &P::scale_base, {1, 1e8, 64, 8192, true},
         {{"scale base", "衰减尺度"},
          {"Distance over which pair p loses the factor ζ.", "经过这个距离，维度对 p 缩小到 ζ 倍。"},
          "xpos_scale_base",
          "tokens"});
  t.choice("center_at", &P::center_at,
           {{"position", {"a given position", "指定位置"}},
            {"floor", {"middle, rounded down", "中点，向下取整"}},
            {"ceil", {"middle, rounded up", "中点，向上取整"}}},
           {{"centre", "中心"},
            {"Where neither query nor key is scaled; scores do not depend on it.",
             "查询和键都不缩放的位置；分数与它无关。"}});
  t.real("center", &P::center, {-1e9, 1e9, 0, 1 << 16, false},
         {{"centre position", "中心位置"}, {"The position of the centre.", "中心所在的位置。"}, "", "tokens"})
      .when("center_at", {"position"});
  return t;
}

double centerOf(const P& p, const Shape& shape) {
  if (p.center_at == CenterAt::position) return p.center;
  const double half = static_cast<double>(shape.keys()) / 2.0;
  return shape.first_position + (p.center_at == CenterAt::floor ? std::floor(half) : std::ceil(half));
}

/// Products far from the centre leave the range of float although their quotient, the score, would not.
void warnOfRange(const P& p, const RotationPart& rotation, std::vector<Text>& warnings) {
  const double reach = std::floor(magnitudeReach<float>(rotation));
  if (farthestFromCentre(rotation) <= reach) return;
  const std::string tokens = screenNumber(reach);
  const bool middle = p.center_at != CenterAt::position;
  warnings.push_back({join("More than ", tokens,
                           " tokens from the centre the factors of xPos leave the range of single "
                           "precision",
                           middle ? "." : "; a centre in the middle doubles the reach."),
                      join("离中心超过 ", tokens, " 个词元时，xPos 的系数超出单精度范围",
                           middle ? "。" : "；把中心放在中点可使范围加倍。")});
}

struct Xpos {
  Outcome check(const P& p, const Shape& shape) const { return checkRotary("xpos", p, shape.head_dim); }

  template <class T>
  Encoding<T> encode(const P& p, const Shape& shape) const {
    RotationPart rotation = rotationOf(p, shape);
    for (const double zeta : xposZeta(p.gamma, rotation.rotary_dim))
      rotation.log_magnitude.push_back(std::log(zeta) / p.scale_base);
    rotation.magnitude_center = centerOf(p, shape);
    Encoding<T> encoding;
    encoding.facts = rotaryFacts(p, shape);
    encoding.facts.push_back({"smallest_zeta", xposZeta(p.gamma, rotation.rotary_dim).front()});
    encoding.warnings = rotaryWarnings(p, rotation.rotary_dim, shape.keys());
    warnOfRange(p, rotation, encoding.warnings);
    encoding.rotation = std::move(rotation);
    encoding.logit_scale = rootScale(shape);
    return encoding;
  }

  std::string substitution(const P& p, const Shape& shape) const {
    return rotarySubstitution(p, shape) + join(", γ = ", screenNumber(p.gamma), ", B = ", screenNumber(p.scale_base));
  }
};

}  // namespace

Scheme xpos() {
  return makeScheme({.id = "xpos",
                     .name = {"xPos", "xPos"},
                     .family = Family::rotary,
                     .year = 2022,
                     .reference = "Sun et al. 2022, arXiv:2212.10554",
                     .summary = {"RoPE whose pairs also shrink with the distance, the fast ones most.",
                                 "在 RoPE 之上让维度对随距离缩小，转得越快缩得越多。"}},
                    xposTable(), Xpos{});
}

}  // namespace posiscope::schemes
