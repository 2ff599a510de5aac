// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/ready_experiments.h"

namespace posiscope::train {
namespace {

ComparisonSpec comparison(std::vector<const char*> schemes) {
  ComparisonSpec spec;
  for (const char* scheme : schemes) spec.positions.push_back({scheme, {}});
  spec.seeds = {1, 2, 3};
  return spec;
}

ReadyExperiment orderBlindness() {
  ComparisonSpec spec = comparison({"none", "learned", "sinusoidal", "rope", "t5_log", "alibi", "cope"});
  spec.run = withUsualTask(spec.run, TaskKind::copy);
  spec.run.schedule.steps = 400;
  spec.run.schedule.evaluate_every = 20;
  return {"order",
          {"Order blindness", "看不见顺序"},
          {"Can a model repeat six symbols in their order when nothing tells it the order?",
           "如果没有任何东西告诉模型顺序，它能按原来的顺序复述六个符号吗？"},
          {"Accuracy, evaluation: without an encoding it stays on the line “order-blind”, the best guess of who knows "
           "which symbols there are but not where. A table, sinusoids, a rotation and T5's buckets leave the line "
           "within a hundred steps and are at 1 before step 200. ALiBi leaves it after 200 to 260 and is at 0.6 to "
           "0.97 in the end, depending on the seed. CoPE counts by the content of the query, and here all queries "
           "are alike: it stays on the line, too.",
           "看“准确率，评估集”：没有编码时曲线停在“不知顺序”这条线上，即只知道有哪些符号、不知道位置时的最好猜测。"
           "位置表、正弦编码、旋转编码和 T5 分桶在一百步内离开这条线，不到 200 步就达到 1。"
           "ALiBi 在 200 到 260 步之后才离开，最后达到 0.6 到 0.97，取决于种子。"
           "CoPE 按查询的内容计数，而这里所有查询都相同，因此它也停在这条线上。"},
          spec};
}

ReadyExperiment length() {
  ComparisonSpec spec = comparison({"none", "learned", "sinusoidal", "rope", "alibi", "t5_log"});
  spec.run = withUsualTask(spec.run, TaskKind::text);
  spec.run.schedule.steps = 600;
  return {"length",
          {"Beyond the training length", "超出训练长度"},
          {"Trained on 64 characters: which encodings still work on 96, 128, 256 and 512?",
           "只用 64 个字符训练：哪些编码在 96、128、256、512 个字符上仍然有效？"},
          {"“Beyond the length”: the learned table and the sinusoids jump at once, ALiBi stays flat, T5 rises from 2× on, "
           "RoPE holds to about 2× and then collapses. Of its three scalings, at evaluation only, NTK and YaRN put the "
           "collapse off, at 4× NTK further than YaRN; linear interpolation without further training is worse than "
           "nothing at this size.",
           "看“超出长度”：可学习的表和正弦编码立刻跳升，ALiBi 保持平坦，T5 从 2 倍起上升，RoPE 大约保持到 2 "
           "倍，随后崩溃。在它的三种只用于评估的缩放中，NTK 和 YaRN 推迟了崩溃，4 倍时 NTK 好于 "
           "YaRN；在这样小的模型上，不经继续训练的线性插值比什么都不做更差。"},
          spec};
}

ReadyExperiment inductionHeads() {
  ComparisonSpec spec = comparison({"none", "rope", "alibi", "t5_log"});
  spec.run = withUsualTask(spec.run, TaskKind::induction);
  spec.run.schedule.steps = 800;
  return {"induction",
          {"Induction heads", "归纳头"},
          {"When does a model begin to look for what followed the last time?",
           "模型从什么时候开始寻找“上次之后出现了什么”？"},
          {"With RoPE the accuracy jumps within about a hundred steps, around step 200. From its snapshot at step 256 on "
           "“Attention” shows a head of the first layer that looks one token back (previous token ≥ 0.5) and one of "
           "the second that looks at what followed last time (induction ≥ 0.7). With ALiBi it rises as early but "
           "slower, without so sharp a look back. Without an encoding the accuracy is at about 0.67 in the end. T5 "
           "may or may not get there in 800 steps, depending on the seed.",
           "使用 RoPE 时，准确率在第 200 步前后的大约一百步之内跳升。从第 256 步的快照起，“注意力”页显示第一层有一个头看前"
           "一个词元（前一词元 ≥ 0.5），第二层有一个头看上次之后出现的词元（归纳 ≥ 0.7）。ALiBi 上升得同样早，但更慢，"
           "往前看也没有这样集中。没有编码时准确率最后约为 0.67。T5 在 800 步内能否做到取决于种子。"},
          spec};
}

ReadyExperiment images() {
  ComparisonSpec spec = comparison({"none", "learned", "learned_2d", "conditional", "rope"});
  spec.run = withUsualTask(spec.run, TaskKind::image);
  spec.run.schedule.steps = 200;
  spec.run.schedule.evaluate_every = 10;
  return {
      "images",
      {"Where images keep their shape", "图像在哪里保持形状"},
      {"In pictures of 6 × 6 patches: which symbol lies below each patch?",
       "在 6 × 6 个图块的图像中：每个图块下方是什么符号？"},
      {"All encodings learn it within thirty to seventy steps; without one it is not learned: below is a "
       "place, not a content. Then look at “Beyond the length”, where the same weights see larger pictures, 8 × 8 at "
       "2×: the flat encodings, a table and a rotation of the patch number, have learned “six places later”, which "
       "is “below” only in pictures that are six patches wide. The conditional one keeps working, the table of rows "
       "and columns only partly: its rows and columns 7 and 8 were never trained.",
       "所有编码都在三十到七十步内学会；没有编码则学不会：“下方”是位置，不是内容。再看“超出长度”：同样的权重面对"
       "更大的图像（2× 时为 8 × 8）。按图块序号编码的表和旋转编码学到的是“往后六个位置”，"
       "只有在宽六个图块的图像中才等于“下方”。条件位置编码仍然有效，行列表只部分有效：它的第 7、8 行和列从未训练过。"},
      spec};
}

}  // namespace

const std::vector<ModelSize>& modelSizes() {
  static const std::vector<ModelSize> sizes{{"S", 64, 4, 2}, {"M", 128, 4, 4}, {"L", 256, 8, 4}};
  return sizes;
}

RunSpec withUsualTask(RunSpec run, TaskKind kind) {
  run.task = TaskSpec{};
  run.task.kind = kind;
  run.schedule.batch = Schedule{}.batch;
  run.schedule.evaluate_count = Schedule{}.evaluate_count;
  const bool repeats = kind == TaskKind::copy || kind == TaskKind::sort || kind == TaskKind::reverse;
  run.model.causal = !repeats && kind != TaskKind::image;
  if (!repeats) run.task.length = 32;
  if (kind == TaskKind::induction) run.task.symbols = 32;
  if (kind == TaskKind::retrieval) run.task.low = 1, run.task.high = 4;
  if (kind == TaskKind::image) run.task.symbols = 8;
  if (kind == TaskKind::index) run.schedule.batch = run.schedule.evaluate_count = 1;  // one example is all there is
  if (kind == TaskKind::text) {
    run.task.length = 64;
    run.schedule.batch = 16;
    run.schedule.evaluate_count = 32;
  }
  return run;
}

const std::vector<ReadyExperiment>& readyExperiments() {
  static const std::vector<ReadyExperiment> all{orderBlindness(), length(), inductionHeads(), images()};
  return all;
}

}  // namespace posiscope::train
