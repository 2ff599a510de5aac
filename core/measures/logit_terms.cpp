// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/logit_terms.h"

#include "core/attention/absolute_terms.h"
#include "core/attention/head_inputs.h"
#include "core/attention/logits.h"
#include "core/measures/attended.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace posiscope::measures {
namespace {

/// The content term of a scheme without terms of its own: scale·q·k, or its own score as a whole.
LogitTerm contentTerm(const Encoding<float>& encoding, const HeadContent<float>& head, const Shape& shape,
                      const Job& job) {
  OwnScore<float>::RowScore score;
  if (encoding.logits.score.prepare) score = encoding.logits.score.prepare(head);
  const Text name = score ? Text{"score", "分数"} : Text{"q·k, content", "q·k，内容"};
  Encoding<float> bare;
  bare.logit_scale = encoding.logit_scale;
  return {name, [bare, score, head, &shape, &job](std::int64_t i, std::span<float> row) {
            const attention::Block block{head.head, i, i + 1, {0, shape.keys()}};
            attention::fillLogits(bare, score, head.q, head.k, shape, block, row.data(), job);
          }};
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

/// The same tokens all at one position, and what turning them apart adds to that.
Expected<std::vector<LogitTerm>> rotationTerms(const HeadAsked& asked, const LogitTerm& turned, const Job& job) {
  Encoding<float> still;
  still.logit_scale = asked.encoding.logit_scale;
  still.rotation = standingStill(asked.encoding.rotation);
  still.query_factor = asked.encoding.query_factor;
  auto prepared = attention::prepareHeads(still, asked.content, asked.shape, {asked.head}, false, job);
  if (!prepared) return fail(prepared.error());
  const auto inputs = std::make_shared<const attention::HeadInputs<float>>(*std::move(prepared));
  const auto content = [inputs, scale = still.logit_scale, shape = asked.shape](std::int64_t i, std::span<float> row) {
    Encoding<float> bare;
    bare.logit_scale = scale;
    attention::fillLogits(bare, {}, inputs->q.front(), inputs->k.front(), shape, {0, i, i + 1, {0, shape.keys()}},
                          row.data(), Job{});
  };
  const auto rotation = [content, fill = turned.fill](std::int64_t i, std::span<float> row) {
    std::vector<float> at_one_place(row.size());
    content(i, at_one_place);
    fill(i, row);
    std::ranges::transform(row, at_one_place, row.begin(), std::minus<>());
  };
  return std::vector<LogitTerm>{{{"q·k at equal positions", "同一位置的 q·k"}, content},
                                {{"what the rotation adds", "旋转带来的变化"}, rotation}};
}

}  // namespace

bool isAddedTable(const Encoding<float>& e) {
  return e.input.hasTable() && !e.input.transform && !e.rotation && !e.logits.score.prepare && e.query_factor.empty();
}

Expected<std::vector<LogitTerm>> logitTerms(const HeadAsked& asked, const HeadContent<float>& head, const Job& job) {
  const Encoding<float>& encoding = asked.encoding;
  const Shape& shape = asked.shape;
  std::vector<LogitTerm> terms;
  if (const ScoreTerms<float>& own = encoding.logits.terms; own.prepare) {
    const auto fill = own.prepare(head);
    for (std::size_t t = 0; t < own.names.size(); ++t)
      terms.push_back({own.names[t], [fill, t](std::int64_t i, std::span<float> row) { fill(t, i, row); }});
  } else if (isAddedTable(encoding)) {
    auto four = addedTableTerms(asked, job);
    if (!four) return four;
    terms = *std::move(four);
  } else {
    terms.push_back(contentTerm(encoding, head, shape, job));
    // Where the embeddings change too, what they bring and what the rotation adds do not part.
    if (encoding.rotation && !encoding.logits.score.prepare && !readsEmbeddings(encoding)) {
      auto two = rotationTerms(asked, terms.front(), job);
      if (!two) return two;
      terms = *std::move(two);
    }
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
