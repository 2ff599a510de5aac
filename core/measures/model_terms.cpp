// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/model_terms.h"

#include "core/attention/head_inputs.h"
#include "core/attention/logits.h"
#include "core/model_content.h"
#include "core/transformers/first_layer.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace posiscope::measures {
namespace {

using transformers::FirstLayerParts;

/// scale·q·k of one part of the queries and one of the keys.
LogitTerm product(Text name, std::shared_ptr<const FirstLayerParts> parts, Rows<float> q, Rows<float> k,
                  const HeadAsked& asked) {
  return {std::move(name), [parts = std::move(parts), q, k, scale = asked.encoding.logit_scale, shape = asked.shape](
                               std::int64_t i, std::span<float> row) {
            Encoding<float> bare;
            bare.logit_scale = scale;
            attention::fillLogits(bare, {}, q, k, shape, {0, i, i + 1, {0, shape.keys()}}, row.data(), Job{});
          }};
}

}  // namespace

bool positionEntered(const FirstTokens& part) {
  return part.question.content.source == ContentSource::model && readsEmbeddings(*part.encoding);
}

Expected<std::optional<std::vector<LogitTerm>>> modelTerms(const FirstTokens& part, const HeadAsked& asked,
                                                           const LogitTerm& term, const Job& job) {
  using Terms = std::optional<std::vector<LogitTerm>>;
  // Above the first layer the layers below have mixed them. A rotation or a score of its own mixes them, too.
  if (part.question.shape.layer != 0 || !isAddedTable(*part.encoding)) return Terms();
  const Expected<ModelRun> run = modelRun(part.question, job, part.length);
  if (!run) return fail(run.error());
  auto found = transformers::firstLayerParts(run->model, run->prompt, *part.encoding, asked.head, job);
  if (!found) return fail(found.error());
  if (!*found) return Terms();
  const auto parts = std::make_shared<const FirstLayerParts>(**std::move(found));
  const Rows<float> word_q = rowsOf(parts->words.query), word_k = rowsOf(parts->words.key);
  const Rows<float> position_q = rowsOf(parts->positions.query), position_k = rowsOf(parts->positions.key);
  std::vector<LogitTerm> terms{
      product({"E·E, word to word", "E·E，词对词"}, parts, word_q, word_k, asked),
      product({"E·P, word to position", "E·P，词对位置"}, parts, word_q, position_k, asked),
      product({"P·E, position to word", "P·E，位置对词"}, parts, position_q, word_k, asked),
      product({"P·P, position to position", "P·P，位置对位置"}, parts, position_q, position_k, asked)};
  const bool segments = !run->model.plan.segments.empty();
  terms.push_back(
      remainder(segments ? Text{"biases and segments", "偏置参数与段"} : Text{"biases of the model", "模型的偏置参数"},
                term.fill, terms));
  return Terms(std::move(terms));
}

Expected<bool> keepModelPart(const FirstTokens& part, bool words, Content<float>& content, const Job& job) {
  const Shape& shape = part.question.shape;
  if (shape.layer != 0 || !isAddedTable(*part.encoding)) return false;
  const Expected<ModelRun> run = modelRun(part.question, job, part.length);
  if (!run) return fail(run.error());
  for (std::int64_t head = 0; head < shape.num_heads; ++head) {
    const auto found = transformers::firstLayerParts(run->model, run->prompt, *part.encoding, head, job);
    if (!found) return fail(found.error());
    if (!*found) return false;  // of the first head, as of all
    const transformers::HeadPart& kept = words ? (*found)->words : (*found)->positions;
    // Cached queries are the last ones.
    const std::int64_t query_cells = shape.queries() * shape.head_dim, key_cells = shape.keys() * shape.head_dim;
    std::copy_n(kept.query.values.end() - query_cells, query_cells, content.q.begin() + head * query_cells);
    std::copy_n(kept.key.values.begin(), key_cells, content.k.begin() + attention::keyHead(shape, head) * key_cells);
  }
  return true;
}

std::vector<Remark> remarksOnTerms(const FirstTokens& part, bool split) {
  const Question& q = part.question;
  if (q.content.source != ContentSource::model) return {};
  const std::string layer = join(q.shape.layer);
  if (split)
    return {
        {Verdict::neutral,
         {"Word and position are those of the model's own tables, after its norm, whose divisor both make together.",
          "词与位置取自模型自己的表，并经过其归一化；归一化的除数由两者共同决定。"}}};
  if (positionEntered(part))
    return {{Verdict::neutral,
             {"The added table is in the hidden states of layer " + layer +
                  " already: its queries and keys are not of content alone.",
              "第 " + layer + " 层的隐藏状态已包含相加的表：其查询和键并非只有内容。"}}};
  if (q.shape.layer == 0) return {};
  return {{Verdict::neutral,
           {"The hidden states of layer " + layer +
                " hold what the layers below have seen of the positions: what is called content here may carry them.",
            "第 " + layer + " 层的隐藏状态含有下面各层所见的位置信息：这里所说的内容可能带有位置。"}}};
}

}  // namespace posiscope::measures
