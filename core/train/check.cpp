// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/check.h"

#include "core/parameter.h"

#include <algorithm>

namespace posiscope::train {

Outcome checkModel(const ModelSpec& spec) {
  struct Limit {
    const char* key;
    std::int64_t value, minimum, maximum;
  };
  for (const Limit& l : {Limit{"vocab", spec.vocab, 1, 1 << 20}, Limit{"classes", spec.outputs(), 1, 1 << 20},
                         Limit{"d_model", spec.d_model, 2, 4096}, Limit{"num_heads", spec.num_heads, 1, 256},
                         Limit{"num_layers", spec.num_layers, 1, 64}, Limit{"mlp_ratio", spec.mlp_ratio, 1, 16}})
    if (l.value < l.minimum || l.value > l.maximum)
      return fail(rangeError("train", l.key, static_cast<double>(l.minimum), static_cast<double>(l.maximum),
                             static_cast<double>(l.value)));
  if (spec.d_model % spec.num_heads != 0)
    return fail(ErrorCode::bad_shape,
                join("train: d_model must be a multiple of num_heads ", spec.num_heads, ", got ", spec.d_model),
                join("train：d_model 必须是 num_heads ", spec.num_heads, " 的倍数，得到 ", spec.d_model));
  if (spec.tied && spec.outputs() != spec.vocab)
    return fail(
        ErrorCode::bad_shape,
        join("train: a tied head has as many classes as there are tokens, ", spec.vocab, "; got ", spec.outputs()),
        join("train：共享权重的输出头的类别数必须等于词表大小 ", spec.vocab, "，得到 ", spec.outputs()));
  return {};
}

Outcome checkBatch(const ModelSpec& spec, const Batch& batch) {
  const auto numbers = static_cast<std::size_t>(batch.rows());
  if (batch.sequences < 1 || batch.length < 1 || batch.tokens.size() != numbers || batch.targets.size() != numbers)
    return fail(ErrorCode::bad_shape,
                join("train: a batch of ", batch.sequences, " × ", batch.length,
                     " must have as many tokens and targets, got ", batch.tokens.size(), " and ", batch.targets.size()),
                join("train：", batch.sequences, " × ", batch.length, " 的批次必须有同样多的词元和目标，得到 ",
                     batch.tokens.size(), " 和 ", batch.targets.size()));
  if (batch.grid && batch.grid->patches() != batch.length)
    return fail(ErrorCode::bad_shape,
                join("train: a grid of ", batch.grid->height, " × ", batch.grid->width, " patches must make up the ",
                     batch.length, " tokens of a sequence"),
                join("train：", batch.grid->height, " × ", batch.grid->width, " 的网格必须恰好组成序列的 ",
                     batch.length, " 个词元"));
  const auto outside = [](const std::vector<std::int32_t>& values, std::int64_t low, std::int64_t high) {
    return std::ranges::find_if(values, [=](std::int32_t v) { return v < low || v >= high; });
  };
  if (const auto bad = outside(batch.tokens, 0, spec.vocab); bad != batch.tokens.end())
    return fail(rangeError("train", "token", 0, static_cast<double>(spec.vocab - 1), *bad));
  if (const auto bad = outside(batch.targets, -1, spec.outputs()); bad != batch.targets.end())
    return fail(rangeError("train", "target", -1, static_cast<double>(spec.outputs() - 1), *bad));
  return {};
}

}  // namespace posiscope::train
