// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/head_inputs.h"
#include "core/measures/axes.h"
#include "core/measures/content_for.h"
#include "core/measures/first_tokens.h"
#include "core/measures/measures.h"
#include "core/parallel.h"

#include <algorithm>
#include <cmath>

namespace posiscope::measures {
namespace {

struct Options {
  std::int64_t head = 0;
  std::int64_t tokens = 0;
};

const ParamTable<Options>& optionTable() {
  static const ParamTable<Options> table = [] {
    ParamTable<Options> t;
    t.integer("head", &Options::head, {0, 1023, 0, 31, false},
              {{"head", "头"}, {"The head whose gates are drawn.", "绘制哪一个头的门。"}});
    t.integer("tokens", &Options::tokens, {0, 1 << 24, 0, 4096, false},
              {{"first tokens only", "仅前若干词元"},
               {"Computes only the start of a long sequence; 0 means all of it.", "只计算长序列的开头；0 表示全部。"},
               "",
               "tokens"})
        .unset({"all", "全部"});
    return t;
  }();
  return table;
}

/// What the pairs that the mask allows have in a stage.
struct Figures {
  double sum = 0;
  double count = 0;
  double at_ceiling = 0;
};

Figures figuresOf(const std::vector<float>& values, const ScoreStage& stage, const Question& q) {
  Figures figures;
  for (std::int64_t i = 0; i < q.shape.queries(); ++i)
    for (std::int64_t j = 0; j < q.shape.keys(); ++j) {
      if (!q.mask.allows(q.shape, i, j)) continue;
      const auto value = static_cast<double>(values[static_cast<std::size_t>(i * q.shape.keys() + j)]);
      figures.sum += value;
      figures.count += 1;
      if (value >= stage.ceiling) figures.at_ceiling += 1;
    }
  return figures;
}

void addFigures(Dataset& dataset, const std::vector<float>& values, const ScoreStage& stage, const Question& q) {
  const Figures figures = figuresOf(values, stage, q);
  if (figures.count == 0) return;
  dataset.metrics.push_back(
      {"mean " + stage.key, {"mean " + stage.value.en, "平均" + stage.value.zh}, figures.sum / figures.count, ""});
  if (!std::isfinite(stage.ceiling)) return;
  const double share = 100 * figures.at_ceiling / figures.count;
  dataset.metrics.push_back({"at_ceiling", {"pairs at the last row", "落在最后一行的词元对"}, share, "%"});
  if (figures.at_ceiling == 0) return;
  const std::string percent = readable(share);
  const std::string last = readable(stage.ceiling);
  dataset.remarks.push_back(
      {Verdict::warning,
       {percent + " % of the pairs have counted to " + last + ", the last row of the table: they cannot be told apart.",
        percent + "% 的词元对已数到表的最后一行 " + last + "：它们无法区分。"}});
}

/// One stage as a map; what the mask forbids is 0.
Outcome addStage(Dataset& dataset, const ScoreStages<float>& stages, std::size_t index,
                 const ScoreStages<float>::Fill& fill, const Question& q, std::int64_t head, const Job& job) {
  const std::int64_t keys = q.shape.keys();
  std::vector<float> values(static_cast<std::size_t>(q.shape.queries() * keys));
  const bool complete = parallelBlocks(q.shape.queries(), 64, job, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::span<float> row(values.data() + i * keys, static_cast<std::size_t>(keys));
      fill(index, i, row);
      for (std::int64_t j = 0; j < keys; ++j)
        if (!q.mask.allows(q.shape, i, j)) row[static_cast<std::size_t>(j)] = 0;
    }
  });
  if (!complete) return stopped();
  const ScoreStage& stage = stages.stages[index];
  addFigures(dataset, values, stage, q);
  dataset.maps.push_back(
      {stage.key, stage.name, storedField(q.shape.queries(), keys, std::move(values)), queryAxis(q.shape),
       keyAxis(q.shape), stage.value, stage.is_signed ? MapKind::diverging : MapKind::sequential,
       static_cast<int>(head),
       [key = stage.key](std::int64_t i, std::int64_t j) { return join(key, "[", i, ", ", j, "]"); }});
  return {};
}

Expected<Dataset> answer(const Question& question, const Job& job) {
  const Expected<Options> options = optionTable().read(question.measure, question.options);
  if (!options) return fail(options.error());
  const Expected<std::int64_t> head = headOf(options->head, question.shape.num_heads, question);
  if (!head) return fail(head.error());
  const Expected<FirstTokens> part = askedTokens(question, options->tokens);
  if (!part) return fail(part.error());
  const Question& q = part->question;
  Dataset dataset;
  const ScoreStages<float>& stages = part->encoding->logits.stages;
  if (!stages.prepare) {
    dataset.nothing = {"This scheme has no gates: no token decides how much it counts.",
                       "该方案没有门：没有词元决定自己计多少。"};
    return dataset;
  }
  const double cells = static_cast<double>(q.shape.queries()) * static_cast<double>(q.shape.keys());
  if (Outcome ok = checkMemory("the gates of one head", 4 * cells * static_cast<double>(stages.stages.size())); !ok)
    return fail(ok.error());
  const Expected<ContentFor> made = contentFor(*part, job);
  if (!made) return fail(made.error());
  const Encoding<float>& encoding = *made->encoding;
  const Content<float>& content = made->content;
  const auto inputs = attention::prepareHeads(encoding, content, q.shape, {*head}, false, job);
  if (!inputs) return fail(inputs.error());
  const auto fill = stages.prepare(attention::headContent(*inputs, 0, *head, q.shape, q.mask));
  for (std::size_t s = 0; s < stages.stages.size(); ++s) {
    const auto share = 1.0 / static_cast<double>(stages.stages.size());
    const Job step = job.part(static_cast<double>(s) * share, static_cast<double>(s + 1) * share);
    if (Outcome ok = addStage(dataset, stages, s, fill, q, *head, step); !ok) return fail(ok.error());
  }
  if (q.shape.keys() < question.shape.keys())
    dataset.scope = firstTokensText(q.shape.keys(), question.shape.keys(), false);
  return dataset;
}

}  // namespace

Measure gates() {
  return {"gates",
          {"Gates", "门控值"},
          {"How a head decides from the content what counts: its gates, what they add up to between query and key, and "
           "what that gives to the logits. Where a row changes slowly, the tokens in between were not counted.",
           "一个头如何根据内容决定计数：各个门、它们在查询与键之间的累计，以及由此得到的 logits。"
           "某一行变化缓慢之处，其间的词元没有被计数。"},
          "[stages, L_q, L_k] of `head`, 0 where the mask forbids; L = `tokens` when that is shorter",
          optionTable().specs(),
          answer,
          {"cope", "forget_gate"}};
}

}  // namespace posiscope::measures
