// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/logit_terms.h"

#include "core/attention/absolute_terms.h"
#include "core/attention/head_inputs.h"
#include "core/attention/logits.h"
#include "core/measures/attended.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <memory>

namespace posiscope::measures {
namespace {

using RowFill = std::function<void(std::int64_t i, std::span<float> row)>;

/// scale·q·k, or the own score as a whole. `head` must outlive it.
RowFill productOf(const Encoding<float>& encoding, const HeadContent<float>& head, const Shape& shape) {
  OwnScore<float>::RowScore score;
  if (encoding.logits.score.prepare) score = encoding.logits.score.prepare(head);
  Encoding<float> bare;
  bare.logit_scale = encoding.logit_scale;
  return [bare, score, head, &shape](std::int64_t i, std::span<float> row) {
    const attention::Block block{head.head, i, i + 1, {0, shape.keys()}};
    attention::fillLogits(bare, score, head.q, head.k, shape, block, row.data(), Job{});
  };
}

/// The head of a question with another encoding, and the queries and keys that it makes.
struct OtherHead {
  Encoding<float> encoding;
  attention::HeadInputs<float> inputs;
  HeadContent<float> content;
};

Expected<std::shared_ptr<const OtherHead>> otherHead(Encoding<float> encoding, const HeadAsked& asked, const Mask* mask,
                                                     const Job& job) {
  auto inputs = attention::prepareHeads(encoding, asked.content, asked.shape, {asked.head}, false, job);
  if (!inputs) return fail(inputs.error());
  const auto other = std::make_shared<OtherHead>(OtherHead{std::move(encoding), *std::move(inputs), {}});
  other->content = attention::headContent(other->inputs, 0, asked.head, asked.shape, *mask);
  return other;
}

/// The terms that a score of its own tells.
std::vector<LogitTerm> ownTerms(const ScoreTerms<float>& own, const HeadContent<float>& head) {
  std::vector<LogitTerm> terms;
  const auto fill = own.prepare(head);
  for (std::size_t t = 0; t < own.names.size(); ++t)
    terms.push_back({own.names[t], [fill, t](std::int64_t i, std::span<float> row) { fill(t, i, row); }});
  return terms;
}

/// Word and position, each as the query and as the key.
Expected<std::vector<LogitTerm>> addedTableTerms(const HeadAsked& asked, const Job& job) {
  const Encoding<float>& e = asked.encoding;
  const Content<float>& c = asked.content;
  std::vector<float> room;
  const Rows<float> positions = e.input.tableBlock(0, e.input.tableRows(), room);
  auto values = attention::absoluteTerms<float>(rowsOf(c.x), positions, rowsOf(c.w_q), rowsOf(c.w_k), asked.shape, job,
                                                {asked.head});
  if (!values) return fail(values.error());
  // The terms are those of 1/√head_dim, which tables have unless their scheme says otherwise.
  const auto factor = static_cast<float>(e.logit_scale * std::sqrt(static_cast<double>(asked.shape.head_dim)));
  const auto shared = std::make_shared<const std::vector<float>>(*std::move(values));
  const std::vector<Text> names{{"E·E, word to word", "E·E，词对词"},
                                {"E·P, word to position", "E·P，词对位置"},
                                {"P·E, position to word", "P·E，位置对词"},
                                {"P·P, position to position", "P·P，位置对位置"}};
  std::vector<LogitTerm> terms;
  for (std::size_t t = 0; t < names.size(); ++t)
    terms.push_back({names[t], [shared, factor, first = static_cast<std::int64_t>(t) * asked.shape.queries()](
                                   std::int64_t i, std::span<float> row) {
                       const float* from = shared->data() + (first + i) * static_cast<std::int64_t>(row.size());
                       std::transform(from, from + row.size(), row.begin(), [factor](float v) { return factor * v; });
                     }});
  return terms;
}

/// One step on the way from the content to the logits, and what the step is called.
struct Step {
  Text name;
  Encoding<float> encoding;
};

/// From the words alone at equal positions, by what is done to the embeddings and what turns, to the encoding itself:
/// without its factor on the queries, which is a step of its own. The last one is the head as it was asked for.
std::vector<Step> stepsTo(const Encoding<float>& whole) {
  const bool turns = whole.rotation.has_value();
  Encoding<float> still;
  still.logit_scale = whole.logit_scale;
  still.rotation = standingStill(whole.rotation);
  std::vector<Step> steps{
      {turns ? Text{"q·k, at equal positions", "q·k，同一位置"} : Text{"q·k, content", "q·k，内容"}, still}};
  if (whole.input.hasTable() || whole.input.transform) {
    still.input = whole.input;
    steps.push_back({{"what the changed embeddings add", "嵌入的改变带来的变化"}, still});
  }
  if (turns) {
    still.rotation = whole.rotation;
    steps.push_back({{"what the rotation adds", "旋转带来的变化"}, still});
  }
  if (!whole.query_factor.empty()) steps.push_back({{"what the factor of the queries adds", "查询系数带来的变化"}, {}});
  return steps;
}

/// The logits at the first step, then what each further step adds.
Expected<std::vector<LogitTerm>> termsByStep(const HeadAsked& asked, const HeadContent<float>& head, const Job& job) {
  std::vector<LogitTerm> terms;
  std::vector<Step> steps = stepsTo(asked.encoding);
  RowFill before;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    RowFill reached = productOf(asked.encoding, head, asked.shape);
    if (s + 1 < steps.size()) {
      auto other = otherHead(std::move(steps[s].encoding), asked, head.mask, job);
      if (!other) return fail(other.error());
      reached = [held = *other, fill = productOf((*other)->encoding, (*other)->content, asked.shape)](
                    std::int64_t i, std::span<float> row) { fill(i, row); };
    }
    std::vector<LogitTerm> less;
    if (before) less.push_back({{}, before});
    terms.push_back(remainder(std::move(steps[s].name), reached, std::move(less)));
    before = std::move(reached);
  }
  return terms;
}

/// A score of its own in its terms, and what a factor on the queries adds to all of them.
Expected<std::vector<LogitTerm>> termsOfScore(const HeadAsked& asked, const HeadContent<float>& head, const Job& job) {
  const ScoreTerms<float>& own = asked.encoding.logits.terms;
  const RowFill whole = productOf(asked.encoding, head, asked.shape);
  if (!own.prepare) return std::vector<LogitTerm>{{{"score", "分数"}, whole}};
  if (asked.encoding.query_factor.empty()) return ownTerms(own, head);
  Encoding<float> even = asked.encoding;
  even.query_factor.clear();
  const auto other = otherHead(std::move(even), asked, head.mask, job);
  if (!other) return fail(other.error());
  std::vector<LogitTerm> terms = ownTerms((*other)->encoding.logits.terms, (*other)->content);
  for (LogitTerm& term : terms)
    term.fill = [held = *other, fill = std::move(term.fill)](std::int64_t i, std::span<float> row) { fill(i, row); };
  terms.push_back(remainder({"what the factor of the queries adds", "查询系数带来的变化"}, whole, terms));
  return terms;
}

}  // namespace

bool isAddedTable(const Encoding<float>& e) {
  return e.input.hasTable() && !e.input.transform && !e.rotation && !e.logits.score.prepare && e.query_factor.empty();
}

LogitTerm remainder(Text name, std::function<void(std::int64_t i, std::span<float> row)> whole,
                    std::vector<LogitTerm> parts) {
  if (parts.empty()) return {std::move(name), std::move(whole)};
  return {std::move(name), [whole = std::move(whole), parts = std::move(parts)](std::int64_t i, std::span<float> row) {
            whole(i, row);
            std::vector<float> one(row.size());
            for (const LogitTerm& part : parts) {
              part.fill(i, one);
              std::ranges::transform(row, one, row.begin(), std::minus<>());
            }
          }};
}

Expected<std::vector<LogitTerm>> logitTerms(const HeadAsked& asked, const HeadContent<float>& head, const Job& job) {
  const Encoding<float>& encoding = asked.encoding;
  const Shape& shape = asked.shape;
  auto made = encoding.logits.score.prepare ? termsOfScore(asked, head, job)
              : isAddedTable(encoding)      ? addedTableTerms(asked, job)
                                            : termsByStep(asked, head, job);
  if (!made) return made;
  std::vector<LogitTerm> terms = *std::move(made);
  if (!encoding.logits.score.prepare && encoding.logits.terms.prepare) {
    std::ranges::move(ownTerms(encoding.logits.terms, head), std::back_inserter(terms));
    return terms;
  }
  const Text bias{"bias", "偏置"};
  if (const auto* pairs = std::get_if<PairBias<float>>(&encoding.logits.bias))
    terms.push_back({bias, [pairs, h = head.head](std::int64_t i, std::span<float> row) { pairs->fill(h, i, row); }});
  if (const auto* offsets = std::get_if<OffsetBias<float>>(&encoding.logits.bias))
    terms.push_back({bias, [offsets, h = head.head, &shape](std::int64_t i, std::span<float> row) {
                       for (std::size_t j = 0; j < row.size(); ++j)
                         row[j] = offsets->at(h, i + shape.queryOffset() - static_cast<std::int64_t>(j));
                     }});
  return terms;
}

}  // namespace posiscope::measures
