// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/rotary_scheme.h"
#include "core/schemes/schemes.h"
#include "core/screen_number.h"

#include <cmath>

namespace posiscope::schemes {
namespace {

struct RopeDecoupledParams : RotaryParams {
  RopeDecoupledParams() { rotary_share = 1.0 / 3.0; }  // DeepSeek: 64 of 192
  bool rescale_softmax = true;
};
using P = RopeDecoupledParams;

ParamTable<P> ropeDecoupledTable() {
  ParamTable<P> t;
  t.include(turnTable()).include(shareTable()).include(scalingTable());
  t.boolean("rescale_softmax", &P::rescale_softmax,
            {{"rescale the softmax", "调整 softmax 缩放"},
             {"Multiplies the logits by g(factor, mscale_all_dim)², as most programs do.",
              "把 logits 乘以 g(factor, mscale_all_dim)²，多数程序如此。"}});
  return t;
}

/// The last dimensions of a head; given, or the share, rounded down to whole pairs.
std::int64_t rotatedWidth(const P& p, const Shape& shape) {
  if (p.rotary_dim > 0) return p.rotary_dim;
  return 2 * static_cast<std::int64_t>(std::floor(p.rotary_share * static_cast<double>(shape.head_dim) / 2.0));
}

/// The rotated part as a head of its own.
RotaryParams inner(const P& p) {
  RotaryParams r = p;
  r.rotary_dim = 0;
  r.rotary_share = 1;
  return r;
}
Shape innerShape(const P& p, const Shape& shape) {
  Shape part = shape;
  part.head_dim = rotatedWidth(p, shape);
  return part;
}

struct RopeDecoupled {
  Outcome check(const P& p, const Shape& shape) const {
    const std::int64_t r = rotatedWidth(p, shape);
    if (r % 2 != 0 || r > shape.head_dim)
      return fail(
          ErrorCode::bad_shape,
          join("rope_decoupled: rotary_dim must be an even number up to head_dim ", shape.head_dim, ", got ", r),
          join("rope_decoupled：rotary_dim 必须是不超过 head_dim ", shape.head_dim, " 的偶数，得到 ", r));
    return r == 0 ? Outcome{} : checkRotary("rope_decoupled", inner(p), r);
  }

  template <class T>
  Encoding<T> encode(const P& p, const Shape& shape) const {
    Encoding<T> encoding;
    // Of the total width: the unrotated part is as much of the score as the rotated one.
    encoding.logit_scale = rootScale(shape);
    const Shape part = innerShape(p, shape);
    if (part.head_dim == 0) {
      if (p.rotary_share > 0)
        encoding.warnings.push_back(
            {join("The share ", screenNumber(p.rotary_share), " of a head of ", shape.head_dim,
                  " dimensions rounds down to no pair: nothing turns, there is no position here."),
             join("比例 ", screenNumber(p.rotary_share), " 在 ", shape.head_dim,
                  " 维的头中向下取整后没有维度对：没有任何量转动，这里没有位置信息。")});
      return encoding;
    }
    const RotaryParams r = inner(p);
    RotationPart rotation = rotationOf(r, part);
    rotation.first_dim = shape.head_dim - part.head_dim;
    if (p.rescale_softmax) encoding.logit_scale *= softmaxScaleMultiplier(r);
    encoding.facts = rotaryFacts(r, part);
    encoding.facts.push_back({"first_dim", static_cast<double>(rotation.first_dim)});
    encoding.warnings = rotaryWarnings(r, part.head_dim, shape.keys());
    encoding.rotation = std::move(rotation);
    return encoding;
  }

  std::string substitution(const P& p, const Shape& shape) const {
    const Shape part = innerShape(p, shape);
    const std::string widths = join("dₙ = ", shape.head_dim - part.head_dim, ", dᵣ = ", part.head_dim);
    return part.head_dim == 0 ? widths : widths + ", " + rotarySubstitution(inner(p), part);
  }
};

}  // namespace

Scheme ropeDecoupled() {
  return makeScheme({.id = "rope_decoupled",
                     .name = {"Decoupled RoPE (MLA)", "解耦 RoPE（MLA）"},
                     .family = Family::rotary,
                     .year = 2024,
                     .reference = "DeepSeek-AI 2024 (DeepSeek-V2), arXiv:2405.04434",
                     .summary = {"Position turns a small part of each head of its own; the rest carries content only.",
                                 "位置只旋转每个头中单独的一小部分，其余部分只承载内容。"}},
                    ropeDecoupledTable(), RopeDecoupled{});
}

}  // namespace posiscope::schemes
