// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/mapped_rotation.h"

namespace posiscope::schemes {
namespace {

struct ReropeParams : MappedRotationParams {
  std::int64_t window = 512;  ///< w: distances below it are exact, in tokens
};

struct LeakyReropeParams : ReropeParams {
  double factor = 16;  ///< k: farther distances grow this many times more slowly
};

template <class P>
ParamTable<P> windowTable() {
  ParamTable<P> t;
  t.integer("window", static_cast<std::int64_t P::*>(&P::window), {1, 1 << 24, 1, 8192, true},
            {{"exact window", "精确窗口"},
             {"Distances below it stay exact.", "小于该值的距离保持不变。"},
             "window_size",
             "tokens"});
  return t;
}

ParamTable<ReropeParams> reropeTable() {
  ParamTable<ReropeParams> t = windowTable<ReropeParams>();
  addMappedRotation(t);
  return t;
}

ParamTable<LeakyReropeParams> leakyTable() {
  using P = LeakyReropeParams;
  ParamTable<P> t = windowTable<P>();
  t.real("factor", &P::factor, {1, 1e9, 1, 64, true},
         {{"factor", "倍数"},
          {"Beyond the window a step of one token counts as 1/factor; 1 is plain RoPE.",
           "窗口之外每个词元只算作 1/factor 的距离；1 即普通 RoPE。"},
          "leaky_factor"});
  addMappedRotation(t);
  return t;
}

std::string windowText(const ReropeParams& p, const Shape& shape) {
  return join("w = ", p.window, ", b = ", screenNumber(p.base), ", r = ", shape.head_dim);
}

struct Rerope {
  Outcome check(const ReropeParams& p, const Shape& shape) const { return checkMappedRotation("rerope", p, shape); }

  template <class T>
  Encoding<T> encode(const ReropeParams& p, const Shape& shape) const {
    Encoding<T> encoding = mappedEncoding<T>(p, reropeMap(tokensOf(shape), p.window), shape);
    encoding.offset_only = p.logn_length == 0;
    return encoding;
  }

  SchemeCost cost(const ReropeParams&, const Shape& shape) const { return mappedCost(2, shape); }

  std::string substitution(const ReropeParams& p, const Shape& shape) const { return windowText(p, shape); }
};

struct LeakyRerope {
  Outcome check(const LeakyReropeParams& p, const Shape& shape) const {
    return checkMappedRotation("leaky_rerope", p, shape);
  }

  template <class T>
  Encoding<T> encode(const LeakyReropeParams& p, const Shape& shape) const {
    Encoding<T> encoding = mappedEncoding<T>(p, leakyReropeMap(tokensOf(shape), p.window, p.factor), shape);
    encoding.offset_only = p.logn_length == 0;
    return encoding;
  }

  SchemeCost cost(const LeakyReropeParams&, const Shape& shape) const { return mappedCost(2, shape); }

  std::string substitution(const LeakyReropeParams& p, const Shape& shape) const {
    return join(windowText(p, shape), ", k = ", screenNumber(p.factor));
  }
};

}  // namespace

Scheme rerope() {
  return makeScheme({.id = "rerope",
                     .name = {"ReRoPE", "ReRoPE 截断相对位置"},
                     .family = Family::rotary,
                     .year = 2023,
                     .reference = "Su 2023, kexue.fm/archives/9708",
                     .summary = {"RoPE with exact distances below a window and one single distance beyond it.",
                                 "窗口以内使用精确距离、窗口之外一律视为同一距离的 RoPE。"}},
                    reropeTable(), Rerope{});
}

Scheme leakyRerope() {
  return makeScheme({.id = "leaky_rerope",
                     .name = {"Leaky ReRoPE", "Leaky ReRoPE 缓增相对位置"},
                     .family = Family::rotary,
                     .year = 2023,
                     .reference = "Su 2023, kexue.fm/archives/9708",
                     .summary = {"RoPE with exact distances below a window and slowly growing ones beyond it.",
                                 "窗口以内使用精确距离、窗口之外距离缓慢增长的 RoPE。"}},
                    leakyTable(), LeakyRerope{});
}

}  // namespace posiscope::schemes
