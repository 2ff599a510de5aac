// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/schemes.h"

namespace posiscope::schemes {
namespace {

struct NoParams {};

struct NoPosition {
  Outcome check(const NoParams&, const Shape&) const { return {}; }

  template <class T>
  Encoding<T> encode(const NoParams&, const Shape& shape) const {
    Encoding<T> encoding;
    encoding.logit_scale = rootScale(shape);
    return encoding;
  }

  std::string substitution(const NoParams&, const Shape& shape) const { return join("d = ", shape.head_dim); }
};

}  // namespace

Scheme none() {
  return makeScheme<NoParams>({.id = "none",
                               .name = {"NoPE", "NoPE（无位置编码）"},
                               .family = Family::none,
                               .year = 2023,
                               .reference = "Kazemnejad et al. 2023, arXiv:2305.19466",
                               .summary = {"No position at all: order is seen only through a causal mask.",
                                           "完全没有位置信息：只能借助因果掩码感知顺序。"}},
                              {}, NoPosition{});
}

}  // namespace posiscope::schemes
