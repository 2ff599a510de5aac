// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/run_spec.h"

#include "core/error.h"

namespace posiscope::train {

std::vector<RunSpec> ComparisonSpec::runs() const {
  std::vector<RunSpec> all;
  for (const PositionSpec& position : positions)
    for (const std::uint64_t seed : seeds) {
      RunSpec one = run;
      one.model.position = position;
      one.seed = one.data_seed = seed;
      all.push_back(std::move(one));
    }
  return all;
}

std::string runName(const RunSpec& run, std::size_t number) {
  return join(number < 10 ? "0" : "", number, "-", run.model.position.scheme, "-seed", run.seed);
}

const ParamTable<ModelSpec>& modelTable() {
  static const ParamTable<ModelSpec> table = [] {
    using P = ModelSpec;
    ParamTable<P> t;
    t.integer("d_model", &P::d_model, {2, 4096, 16, 256, true},
              {{"width", "宽度"}, {"Numbers of a token's vector.", "每个词元向量的维数。"}, "", "dimensions"});
    t.integer("num_heads", &P::num_heads, {1, 256, 1, 16, true},
              {{"heads", "头数"}, {"Attention heads of a layer.", "每层的注意力头数。"}});
    t.integer("num_layers", &P::num_layers, {1, 64, 1, 8, false},
              {{"layers", "层数"}, {"Blocks of attention and MLP.", "注意力与 MLP 组成的层数。"}});
    t.integer("mlp_ratio", &P::mlp_ratio, {1, 16, 1, 8, false},
              {{"MLP ratio", "MLP 倍数"},
               {"Hidden width of the MLP in widths of the model.", "MLP 隐藏宽度是模型宽度的多少倍。"}});
    t.boolean(
        "causal", &P::causal,
        {{"causal", "因果"},
         {"On: a decoder, which sees no later token; off: an encoder.", "开：解码器，看不到之后的词元；关：编码器。"}});
    t.boolean("tied", &P::tied,
              {{"tied head", "共享输出头"}, {"The logits use the word embeddings.", "输出层使用词嵌入的权重。"}});
    t.boolean("linear_bias", &P::linear_bias,
              {{"biases", "偏置"}, {"Whether linear layers have a bias.", "线性层是否带偏置。"}});
    t.real("embed_scale", &P::embed_scale, {0, 1000, 0.1, 32, true},
           {{"embedding scale", "嵌入缩放"}, {"Multiplies the word embeddings.", "词嵌入乘以此数。"}});
    return t;
  }();
  return table;
}

const ParamTable<Schedule>& scheduleTable() {
  static const ParamTable<Schedule> table = [] {
    using P = Schedule;
    ParamTable<P> t;
    t.integer("steps", &P::steps, {1, 1e9, 50, 5000, true},
              {{"steps", "步数"}, {"Updates of the parameters.", "参数更新的次数。"}});
    t.integer("batch", &P::batch, {1, 1 << 16, 1, 256, true},
              {{"batch", "批大小"}, {"Sequences of a step.", "每步的序列数。"}});
    t.integer("random_low", &P::random_low, {0, 1 << 16, 0, 256, false},
              {{"shortest length", "最短长度"},
               {"Each step draws its length from a range that starts here; 0: always the task's length.",
                "每步从以此为下限的范围中抽取长度；0：始终用任务的长度。"},
               "",
               "tokens"})
        .unset({"= length", "= 长度"});
    t.integer("random_high", &P::random_high, {0, 1 << 16, 0, 256, false},
              {{"longest length", "最长长度"}, {"Where that range ends.", "该范围的上限。"}, "", "tokens"})
        .unset({"= length", "= 长度"});
    t.integer(
        "evaluate_every", &P::evaluate_every, {1, 1e9, 1, 500, true},
        {{"evaluate every", "评估间隔"}, {"Steps between two evaluations.", "两次评估之间的步数。"}, "", "steps"});
    t.integer(
        "evaluate_count", &P::evaluate_count, {1, 1 << 20, 16, 1024, true},
        {{"evaluation examples", "评估样本数"}, {"Examples that are never trained on.", "从不用于训练的样本数。"}});
    t.boolean("snapshots", &P::snapshots,
              {{"snapshots", "快照"},
               {"Keeps the attention at steps 0, 1, 2, 4, 8 … and the last.",
                "在第 0、1、2、4、8… 步和最后一步保存注意力。"}});
    return t;
  }();
  return table;
}

const ParamTable<FineTune>& fineTuneTable() {
  static const ParamTable<FineTune> table = [] {
    using P = FineTune;
    ParamTable<P> t;
    t.integer(
         "steps", &P::steps, {0, 1e9, 0, 500, false},
         {{"fine-tuning steps", "微调步数"},
          {"Updates at the longer length, from the trained weights.", "从训练好的权重出发，在更长长度上的更新次数。"},
          "",
          "steps"})
        .unset({"none", "不微调"});
    t.real("factor", &P::factor, {1, 64, 1, 8, true},
           {{"length factor", "长度倍数"}, {"How many times the trained length.", "训练长度的多少倍。"}});
    t.integer("batch", &P::batch, {1, 1 << 16, 1, 64, true},
              {{"batch", "批大小"}, {"Sequences of a step.", "每步的序列数。"}});
    t.real("lr", &P::lr, {0, 10, 1e-5, 0.1, true},
           {{"learning rate", "学习率"}, {"The largest one of the fine-tuning.", "微调中的最大学习率。"}});
    return t;
  }();
  return table;
}

}  // namespace posiscope::train
