// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/task_spec.h"

namespace posiscope::train {
namespace {

void addKind(ParamTable<TaskSpec>& t) {
  t.choice("name", &TaskSpec::kind,
           {{"copy", {"copy", "复制"}},
            {"sort", {"sort", "排序"}},
            {"reverse", {"reverse", "反转"}},
            {"induction", {"induction", "归纳"}},
            {"retrieval", {"retrieval at a distance", "按距离取回"}},
            {"modular", {"modular addition", "模加法"}},
            {"brackets", {"bracket depth", "括号深度"}},
            {"index", {"index probe", "位置探针"}},
            {"image", {"small images", "小图像"}},
            {"text", {"character text", "字符文本"}}},
           {{"task", "任务"}, {"What the model learns to predict.", "模型学习预测什么。"}});
}

void addSizes(ParamTable<TaskSpec>& t) {
  using P = TaskSpec;
  const std::vector<std::string> sequences{"copy",      "sort",     "reverse", "induction",
                                           "retrieval", "brackets", "index",   "text"};
  t.integer("length", &P::length, {1, 1 << 16, 4, 512, true},
            {{"length", "长度"},
             {"Symbols to repeat (copy, sort, reverse), otherwise tokens of a sequence.",
              "要重复的符号数（复制、排序、反转），其他任务为序列的词元数。"},
             "",
             "tokens"})
      .when("name", sequences);
  t.integer("symbols", &P::symbols, {1, 1 << 16, 2, 64, true},
            {{"symbols", "符号数"}, {"Different symbols that are drawn.", "抽取的不同符号数。"}})
      .when("name", {"copy", "sort", "reverse", "induction", "retrieval", "image"});
  t.integer("low", &P::low, {1, 1 << 16, 1, 64, false},
            {{"shortest", "最短"}, {"Shortest period or distance.", "最短的周期或距离。"}, "", "tokens"})
      .when("name", {"induction", "retrieval"});
  t.integer("high", &P::high, {1, 1 << 16, 1, 64, false},
            {{"longest", "最长"}, {"Longest period or distance.", "最长的周期或距离。"}, "", "tokens"})
      .when("name", {"induction", "retrieval"});
}

void addKinds(ParamTable<TaskSpec>& t) {
  using P = TaskSpec;
  t.integer("modulus", &P::modulus, {2, 4096, 5, 113, false},
            {{"modulus", "模数"}, {"p of a ± b mod p.", "a ± b mod p 中的 p。"}})
      .when("name", {"modular"});
  t.choice(
       "operation", &P::operation, {{"add", {"a + b", "a + b"}}, {"sub", {"a − b", "a − b"}}},
       {{"operation", "运算"}, {"Addition needs no position, subtraction does.", "加法不需要位置，减法需要。"}, "op"})
      .when("name", {"modular"});
  t.integer(
       "max_depth", &P::max_depth, {1, 4096, 2, 32, false},
       {{"largest depth", "最大深度"}, {"At this depth the next bracket closes.", "到此深度后下一个括号必为右括号。"}})
      .when("name", {"brackets"});
  t.boolean(
       "bos", &P::bos,
       {{"first token marked", "标记首词元"},
        {"The first token can be told from the others, which are all equal.", "首词元可与其余完全相同的词元区分。"}})
      .when("name", {"index"});
  t.choice("target", &P::target,
           {{"below", {"the symbol below", "下方的符号"}}, {"index", {"the patch's own number", "图块自身的编号"}}},
           {{"target", "目标"}, {"What is predicted at every patch.", "在每个图块处预测什么。"}})
      .when("name", {"image"});
  t.integer("grid_height", &P::grid_height, {1, 256, 2, 16, false},
            {{"rows", "行数"}, {"Rows of patches.", "图块的行数。"}, "", "patches"})
      .when("name", {"image"});
  t.integer("grid_width", &P::grid_width, {1, 256, 2, 16, false},
            {{"columns", "列数"}, {"Columns of patches.", "图块的列数。"}, "", "patches"})
      .when("name", {"image"});
  t.text("file", &P::file, 4096,
         {{"text file", "文本文件"}, {"Any file; its bytes are the alphabet.", "任意文件；其中出现的字节构成字母表。"}})
      .unset({"the built-in corpus", "内置语料"})
      .when("name", {"text"});
}

}  // namespace

const ParamTable<TaskSpec>& taskTable() {
  static const ParamTable<TaskSpec> table = [] {
    ParamTable<TaskSpec> t;
    addKind(t);
    addSizes(t);
    addKinds(t);
    return t;
  }();
  return table;
}

}  // namespace posiscope::train
