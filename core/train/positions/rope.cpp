// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rotary.h"

#include "core/train/buffer.h"
#include "core/train/positions/list.h"

#include <cmath>

namespace posiscope::train::positions {
namespace {

/// Rotates every head's q and k; gradients turn back by the same angles.
template <class T>
class Rope : public Position<T> {
 public:
  Rope(const RotaryParams& params, const ModelSpec& spec)
      : params_(params),
        width_(spec.d_model),
        head_dim_(spec.headDim()),
        rotary_dim_(rotaryDim(params, spec.headDim())),
        pairs_(rotary_dim_ / 2) {}

  static Outcome check(const RotaryParams& params, const ModelSpec& spec) {
    return checkRotary("rope", params, spec.headDim());
  }

  Outcome fit(const Extent& extent) override {
    cos_.resize(extent.length * pairs_);
    sin_.resize(extent.length * pairs_);
    const std::vector<double> frequencies = inverseFrequencies(params_, rotary_dim_, extent.length);
    const double factor = attentionFactor(params_);
    for (std::int64_t i = 0; i < extent.length; ++i)
      for (std::int64_t p = 0; p < pairs_; ++p) {
        const double angle = static_cast<double>(i) * frequencies[static_cast<std::size_t>(p)];
        cos_.data()[i * pairs_ + p] = static_cast<T>(std::cos(angle) * factor);
        sin_.data()[i * pairs_ + p] = static_cast<T>(std::sin(angle) * factor);
      }
    return {};
  }
  void rotate(const Sequences& s, T* q, T* k) override {
    turn(s, q, T(1));
    turn(s, k, T(1));
  }
  void rotateBackward(const Sequences& s, T* dq, T* dk) override {
    turn(s, dq, T(-1));
    turn(s, dk, T(-1));
  }

 private:
  void turn(const Sequences& s, T* rows, T direction) const {
    const std::int64_t step = params_.pairing == Pairing::half ? 1 : 2;
    const std::int64_t second = params_.pairing == Pairing::half ? pairs_ : 1;
    for (std::int64_t r = 0; r < s.rows(); ++r) {
      const T* cosine = cos_.data() + r % s.length * pairs_;
      const T* sine = sin_.data() + r % s.length * pairs_;
      for (T* head = rows + r * width_; head < rows + (r + 1) * width_; head += head_dim_)
        for (std::int64_t p = 0; p < pairs_; ++p) {
          T& a = head[p * step];
          T& b = head[p * step + second];
          const T turned = a * cosine[p] - direction * b * sine[p];
          b = b * cosine[p] + direction * a * sine[p];
          a = turned;
        }
    }
  }

  RotaryParams params_;
  std::int64_t width_, head_dim_, rotary_dim_, pairs_;
  Buffer<T> cos_, sin_;
};

ParamTable<RotaryParams> constantsTable() {
  using P = RotaryParams;
  ParamTable<P> t;
  t.choice("pairing", &P::pairing,
           {{"interleaved", {"neighbours (2p, 2p+1)", "相邻 (2p, 2p+1)"}},
            {"half", {"half a head apart (p, p + r/2)", "相隔半个头 (p, p + r/2)"}}},
           {{"pairing", "配对"}, {"Which two dimensions turn together.", "哪两个维度一起旋转。"}});
  t.real("base", &P::base, {1e-6, 1e9, 100, 1e6, true},
         {{"base", "底数"}, {"Sets how slowly the last pair turns.", "决定最后一对转得有多慢。"}, "rope_theta"});
  t.integer("rotary_dim", &P::rotary_dim, {0, 4096, 0, 256, false},
            {{"rotary dimensions", "旋转维度数"},
             {"Dimensions of a head that turn; the rest pass through.", "每个头中旋转的维度数，其余原样通过。"}})
      .unset({"the whole head", "整个头"});
  t.choice("scaling", &P::scaling,
           {{"none", {"none", "无"}},
            {"linear", {"interpolation", "插值"}},
            {"ntk", {"NTK-aware", "NTK 感知"}},
            {"dynamic", {"dynamic NTK", "动态 NTK"}},
            {"yarn", {"YaRN", "YaRN"}}},
           {{"scaling", "缩放"},
            {"How the frequencies change beyond the trained length; for evaluation and fine-tuning.",
             "超出训练长度时频率如何改变；用于评估和微调。"}});
  t.real("factor", &P::factor, {1, 1e6, 1, 32, true},
         {{"factor", "倍数"}, {"How many times the trained length.", "训练长度的多少倍。"}})
      .when("scaling", {"linear", "ntk", "dynamic", "yarn"});
  t.real("original_length", &P::original_length, {1, 1e9, 16, 8192, true},
         {{"trained length", "训练长度"}, {"Tokens of a training sequence.", "训练序列的词元数。"}, "", "tokens"})
      .when("scaling", {"yarn"});
  t.real("max_length", &P::max_length, {1, 1e9, 16, 8192, true},
         {{"longest unscaled", "不缩放的最大长度"},
          {"Dynamic NTK starts beyond so many tokens.", "超过此长度后动态 NTK 才开始。"},
          "",
          "tokens"})
      .when("scaling", {"dynamic"});
  return t;
}

}  // namespace

Trainable rope() {
  return makeTrainable<Rope>(
      "rope", constantsTable(),
      {"Nothing: q and k are rotated by given angles.", "没有可学习的部分：q 和 k 按给定角度旋转。"});
}

}  // namespace posiscope::train::positions
