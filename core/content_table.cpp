// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/content.h"

namespace posiscope {
namespace {

void addArrays(ParamTable<ContentSpec>& t) {
  const auto array = [&](std::string key, Array ContentSpec::*member, Text label, Text help) {
    t.array(std::move(key), member, {std::move(label), std::move(help)}).when("source", {"arrays"});
  };
  array("q", &ContentSpec::q, {"queries", "查询"}, {"Queries [heads, L_q, head_dim].", "查询 [头, L_q, head_dim]。"});
  array("k", &ContentSpec::k, {"keys", "键"}, {"Keys [key heads, L_k, head_dim].", "键 [键头, L_k, head_dim]。"});
  array("v", &ContentSpec::v, {"values", "值"}, {"Values [key heads, L_k, width].", "值 [键头, L_k, 宽度]。"});
  array("x", &ContentSpec::x, {"embeddings", "词嵌入"}, {"Embeddings [L_k, d_model].", "词嵌入 [L_k, d_model]。"});
  array("w_q", &ContentSpec::w_q, {"query weights", "查询权重"},
        {"W_Q of shape (heads·head_dim, d_model).", "W_Q，形状 (头数·head_dim, d_model)。"});
  array("w_k", &ContentSpec::w_k, {"key weights", "键权重"},
        {"W_K of shape (key heads·head_dim, d_model).", "W_K，形状 (键头数·head_dim, d_model)。"});
  array("w_v", &ContentSpec::w_v, {"value weights", "值权重"},
        {"W_V of shape (key heads·width, d_model).", "W_V，形状 (键头数·宽度, d_model)。"});
}

void addAttention(ParamTable<ContentSpec>& t) {
  t.array(
      "attention", &ContentSpec::attention,
      {{"attention", "注意力"},
       {"Weights or logits [heads, L_q, L_k] or [L_q, L_k], with layers and a batch before them; rows that sum to 1 "
        "are weights.",
        "权重或 logits，形状 [头, L_q, L_k] 或 [L_q, L_k]，前面还可有层与批次；各行之和为 1 的是权重。"}});
  t.when("source", {"attention"});
  t.text("attention_axes", &ContentSpec::attention_axes, 64,
         {{"axes of the array", "数组的轴"},
          {"What each dimension counts, in order: batch, layer, head, query, key. The sizes follow.",
           "各维依次的含义：batch、layer、head、query、key；尺寸随之设定。"}})
      .unset({"… layer, head, query, key", "…… layer, head, query, key"});
  t.when("source", {"attention"});
  t.choice("attention_kind", &ContentSpec::attention_kind,
           {{"recognised", {"by row sums", "按各行之和"}},
            {"weights", {"weights", "权重"}},
            {"logits", {"logits", "logits"}}},
           {{"array holds", "数组内容"},
            {"Weights are shown as they are, logits go through the softmax. The sums do not tell weights of which keys "
             "were cut off or dropped out.",
             "权重按原样显示，logits 会经过 softmax。截去部分键或经过 dropout 的权重无法由各行之和识别。"}});
  t.when("source", {"attention"});
  t.integer("attention_batch", &ContentSpec::attention_batch, {0, 1e6, 0, 31, false},
            {{"batch entry", "批次序号"},
             {"Which text of the batch is looked at, from 0.", "查看批次中的第几条文本，从 0 开始。"}});
  t.when("source", {"attention"});
  t.text("label_file", &ContentSpec::label_file, 4096,
         {{"label file", "标签文件"},
          {"A text file (UTF-8) with what stands at each key, a line each; in cross attention the lines of the queries "
           "may follow.",
           "文本文件（UTF-8），每行是一个键处的词元；交叉注意力中，其后可接各查询的行。"}})
      .unset({"no labels", "无标签"});
  t.when("source", {"attention"});
}

void addSegments(ParamTable<ContentSpec>& t) {
  t.integer("second_segment", &ContentSpec::second_segment, {0, 1 << 24, 0, 512, false},
            {{"second segment from", "第二段起点"},
             {"The first token of the second segment, in a model that has segments (BERT); 0 means there is one only.",
              "第二段的第一个词元，用于有段的模型（BERT）；0 表示只有一段。"},
             "tokens"})
      .unset({"one segment", "只有一段"});
  t.when("source", {"model"});
  t.array("segment_file", &ContentSpec::segment_file,
          {{"segments from a file", "段文件"},
           {"Segment of each token [tokens], as .npy, in a model that has segments.",
            "每个词元所属的段 [词元]，.npy 文件，用于有段的模型。"},
           "tokens"});
  t.when("source", {"model"});
  t.text("segment_ids", &ContentSpec::segment_ids, 1 << 16,
         {{"segment ids", "段编号"},
          {"Segment of each token, typed like token ids, where no file gives them.",
           "每个词元所属的段，写法同词元编号；没有段文件时使用。"}})
      .unset({"by the second segment", "按第二段起点"});
  t.when("source", {"model"});
}

ParamTable<ContentSpec> makeContentTable() {
  ParamTable<ContentSpec> t;
  t.choice("source", &ContentSpec::source,
           {{"ones", {"all ones", "全 1"}},
            {"random", {"random", "随机"}},
            {"tokens", {"a sentence", "句子"}},
            {"arrays", {"arrays", "数组文件"}},
            {"model", {"a model", "模型"}},
            {"attention", {"an attention array", "注意力数组"}}},
           {{"content", "内容"}, {"Where queries, keys and embeddings come from.", "查询、键和词嵌入的来源。"}});
  t.integer("seed", &ContentSpec::seed, {0, 1e15, 0, 100, false},
            {{"seed", "随机种子"},
             {"The same seed gives the same numbers everywhere.", "相同的种子在任何地方都给出相同的数。"}});
  t.when("source", {"ones", "random", "tokens", "model"});
  t.text("text", &ContentSpec::text, 4096,
         {{"sentence", "句子"},
          {"Words between spaces, Chinese character by character; equal tokens get equal numbers. A longer sequence "
           "says it again.",
           "按空格分词，中文逐字；相同的词元取相同的数。序列更长时句子重复。"}});
  t.when("source", {"tokens"});
  t.real("word_std", &ContentSpec::word_std, {0, 1000, 0.001, 10, true},
         {{"embedding spread", "词嵌入标准差"},
          {"Standard deviation of the random embeddings x.", "随机词嵌入 x 的标准差。"}});
  t.when("source", {"ones", "random", "tokens"});
  t.choice("token_order", &ContentSpec::token_order,
           {{"plain", {"as drawn", "原顺序"}}, {"repeated", {"repeated", "重复"}}, {"shuffled", {"shuffled", "打乱"}}},
           {{"token order", "词元顺序"},
            {"Each token its own, the first few again and again, or the same tokens in another order: what changes is "
             "not content.",
             "各不相同的词元、反复出现的前几个词元，或换了顺序的同样词元：变化的部分与内容无关。"}});
  t.when("source", {"random", "model"});
  t.integer("repeat_after", &ContentSpec::repeat_after, {1, 1e6, 1, 64, true},
            {{"repeats after", "重复周期"},
             {"How many different tokens there are before they come again.", "多少个不同的词元之后开始重复。"},
             "tokens"});
  t.when("token_order", {"repeated"});
  t.text("model", &ContentSpec::model, 4096,
         {{"model folder", "模型文件夹"},
          {"A folder with config.json and .safetensors weights; opening a model fills it in.",
           "包含 config.json 与 .safetensors 权重的文件夹；打开模型时自动填入。"}});
  t.when("source", {"model"});
  t.array(
      "token_file", &ContentSpec::token_file,
      {{"tokens from a file", "词元文件"}, {"Token ids [tokens], as .npy.", "词元编号 [词元]，.npy 文件。"}, "tokens"});
  t.when("source", {"model"});
  t.text("token_ids", &ContentSpec::token_ids, 1 << 16,
         {{"token ids", "词元编号"},
          {"Whole numbers with spaces or commas, where no file gives them.",
           "以空格或逗号分隔的整数；没有词元文件时使用。"}})
      .unset({"of the file, else drawn from the seed", "取自词元文件，否则按随机种子抽取"});
  t.when("source", {"model"});
  addSegments(t);
  addArrays(t);
  addAttention(t);
  return t;
}

}  // namespace

const ParamTable<ContentSpec>& contentTable() {
  static const ParamTable<ContentSpec> table = makeContentTable();
  return table;
}

}  // namespace posiscope
