// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/optimiser_spec.h"

#include <cmath>
#include <numbers>

namespace posiscope::train {

double learningRate(const OptimiserSpec& spec, std::int64_t total, std::int64_t t) {
  const std::int64_t warmup = spec.warmup > 0 ? spec.warmup : total / 20;
  if (t <= warmup) return spec.lr * static_cast<double>(t) / static_cast<double>(warmup);
  if (t >= total) return spec.lr_min;
  const double done = static_cast<double>(t - warmup) / static_cast<double>(total - warmup);
  return spec.lr_min + (spec.lr - spec.lr_min) * 0.5 * (1 + std::cos(std::numbers::pi * done));
}

const ParamTable<OptimiserSpec>& optimiserTable() {
  static const ParamTable<OptimiserSpec> table = [] {
    using P = OptimiserSpec;
    ParamTable<P> t;
    t.choice("name", &P::kind, {{"adamw", {"AdamW", "AdamW"}}, {"sgd", {"SGD with momentum", "带动量的 SGD"}}},
             {{"optimiser", "优化器"}, {"How a gradient becomes a step.", "梯度如何变成一步更新。"}});
    t.real("lr", &P::lr, {0, 10, 1e-5, 0.1, true},
           {{"learning rate", "学习率"}, {"The largest one, reached after the warm-up.", "预热结束时达到的最大值。"}});
    t.real("lr_min", &P::lr_min, {0, 10, 1e-6, 0.1, true},
           {{"last learning rate", "最终学习率"},
            {"Reached at the last step, along a cosine.", "沿余弦曲线在最后一步达到。"}});
    t.integer("warmup", &P::warmup, {0, 1e9, 0, 1000, false},
              {{"warm-up", "预热步数"}, {"Steps of linear growth.", "学习率线性增长的步数。"}, "", "steps"})
        .unset({"steps/20", "步数/20"});
    t.real("weight_decay", &P::weight_decay, {0, 10, 0, 0.5, false},
           {{"weight decay", "权重衰减"},
            {"Shrinks the weights of linear layers only, never an embedding, a bias or a position.",
             "只收缩线性层的权重，不收缩嵌入、偏置和位置参数。"}});
    t.real("clip", &P::clip, {0, 1e9, 0.1, 10, true},
           {{"clipping", "梯度裁剪"}, {"The largest norm of all gradients together.", "全部梯度的最大总范数。"}})
        .unset({"no limit", "不限制"});
    t.real("beta1", &P::beta1, {0, 0.99999, 0.5, 0.999, false},
           {{"β₁", "β₁"}, {"Memory of the mean gradient.", "梯度均值的记忆。"}})
        .when("name", {"adamw"});
    t.real("beta2", &P::beta2, {0, 0.9999999, 0.9, 0.9999, false},
           {{"β₂", "β₂"}, {"Memory of the squared gradient.", "梯度平方的记忆。"}})
        .when("name", {"adamw"});
    t.real("eps", &P::eps, {1e-16, 1, 1e-10, 1e-4, true},
           {{"ε", "ε"}, {"Keeps the divisor away from zero.", "使除数不为零。"}})
        .when("name", {"adamw"});
    t.real("momentum", &P::momentum, {0, 0.99999, 0, 0.999, false},
           {{"momentum", "动量"}, {"Share of the last step that goes on.", "上一步更新延续的比例。"}})
        .when("name", {"sgd"});
    return t;
  }();
  return table;
}

}  // namespace posiscope::train
