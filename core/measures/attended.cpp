// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/attended.h"

#include "core/formula_rows.h"
#include "core/measures/axes.h"
#include "core/measures/content_for.h"
#include "core/measures/model_pairing.h"
#include "core/measures/model_terms.h"
#include "core/parallel.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace posiscope::measures {
namespace {

/// Weights held at once while head after head is looked at: 64 MB, so that short sequences take all heads together.
constexpr std::int64_t most_cells = 1 << 24;

/// A score of its own that is its first term, q·k: schemes that have terms list the content first.
OwnScore<float> contentScore(const Encoding<float>& encoding) {
  OwnScore<float> score;
  score.reads_input = encoding.logits.score.reads_input;
  score.prepare = [prepare = encoding.logits.terms.prepare](const HeadContent<float>& head) {
    return OwnScore<float>::RowScore([fill = prepare(head)](std::int64_t i, std::span<float> row) { fill(0, i, row); });
  };
  return score;
}

Encoding<float> withoutPosition(const Encoding<float>& encoding) {
  Encoding<float> plain;
  plain.logit_scale = encoding.logit_scale;
  plain.reach = encoding.reach;
  plain.rotation = standingStill(encoding.rotation);
  if (encoding.logits.score.prepare && encoding.logits.terms.prepare) plain.logits.score = contentScore(encoding);
  return plain;
}

/// Where a table is added, x = 0 leaves the table alone; elsewhere tokens that are all alike leave what is done to them
/// by their place.
void removeWords(Attended& attended, bool from_x) {
  const InputPart<float>& input = attended.encoding->input;
  const bool table_alone = input.hasTable() && !input.transform;
  Content<float>& c = attended.content;
  attended.note = from_x ? (table_alone ? ", x = 0" : ", x = 1") : ", q = k = 1";
  std::ranges::fill(c.x.values, table_alone ? 0.0F : 1.0F);
  std::ranges::fill(c.q, 1.0F);
  std::ranges::fill(c.k, 1.0F);
}

/// Takes the position out.
void keepContent(Attended& attended) {
  const LogitsPart<float>& logits = attended.encoding->logits;
  if (logits.score.prepare && !logits.terms.prepare) {
    attended.nothing = {"The score of this scheme mixes content and position: there is no content alone.",
                        "该方案的分数把内容与位置合在一起：没有单独的内容部分。"};
    return;
  }
  // Schemes say in the name of their first term what it is.
  attended.content_is_product = !logits.score.prepare || logits.terms.names.front().en.find("q·k") != std::string::npos;
  attended.encoding = std::make_shared<const Encoding<float>>(withoutPosition(*attended.encoding));
}

/// Why the queries and keys of a model's layer are not parted, where a table was added before it.
Text whyWhole(std::int64_t layer) {
  if (layer == 0)
    return {
        "The queries and keys of this model's first layer are no sum of words and positions: content and position "
        "cannot be told apart.",
        "该模型第一层的查询和键不是词与位置之和：内容与位置无法分开。"};
  return {join("The layers below layer ", layer,
               " have mixed the words with the added table: content and position cannot be told apart there."),
          join("第 ", layer, " 层以下的各层已把词与相加的表混在一起：此处内容与位置无法分开。")};
}

Expected<Attended> attendedAsGiven(FirstTokens part, AttentionPart which) {
  auto given = givenAttention(part.question.content, part.question.shape);
  if (!given) return fail(given.error());
  Attended attended{std::move(part.question), std::move(part.encoding), {}, {}, {}, {}, *std::move(given)};
  attended.mask = attended.question.mask;
  if (which != AttentionPart::both)
    attended.nothing = {"The attention is given as a whole: content and position cannot be told apart.",
                        "注意力是整体给出的：内容与位置无法分开。"};
  return attended;
}

Outcome attendInto(const ExactLayer& layer, const Question& q, const attention::Wanted& wanted, const Job& job,
                   attention::Attention<float>& out) {
  attention::Attention<double> exact;
  if (Outcome ok = attention::attendInto(layer.encoding, layer.content, q.mask, q.shape, wanted, job, exact); !ok)
    return ok;
  out.heads = exact.heads;
  out.queries = exact.queries;
  out.keys = exact.keys;
  out.value_dim = exact.value_dim;
  out.empty_rows = exact.empty_rows;
  out.logits.assign(exact.logits.begin(), exact.logits.end());
  out.weights.assign(exact.weights.begin(), exact.weights.end());
  out.output.assign(exact.output.begin(), exact.output.end());
  return {};
}

Outcome attendInto(const Attended& attended, const attention::Wanted& wanted, const Job& job,
                   attention::Attention<float>& out) {
  const Question& q = attended.question;
  if (attended.given) return attendInto(*attended.given, q.mask, q.shape, wanted, job, out);
  if (attended.exact) return attendInto(*attended.exact, q, wanted, job, out);
  return attention::attendInto(*attended.encoding, attended.content, q.mask, q.shape, wanted, job, out);
}

}  // namespace

std::optional<RotationPart> standingStill(const std::optional<RotationPart>& rotation) {
  if (!rotation || rotation->attention_factor == 1) return std::nullopt;
  RotationPart still = *rotation;
  std::ranges::fill(still.position, 0.0);
  still.log_magnitude.clear();
  return still;
}

Expected<Attended> attendedBy(FirstTokens part, AttentionPart which, double maps, const Job& job) {
  if (job.stopped()) return stopped();
  const Question& q = part.question;
  const double cells = maps * static_cast<double>(q.shape.queries()) * static_cast<double>(q.shape.keys());
  if (Outcome ok = checkMemory("attention: the maps", cells * sizeof(float)); !ok) return fail(ok.error());
  if (q.content.source == ContentSource::attention) return attendedAsGiven(std::move(part), which);
  Expected<ContentFor> made = contentFor(part, job);
  if (!made) return fail(made.error());
  const bool entered = made->encoding != part.encoding;  // before the layer
  bool split = false;
  if (entered && which != AttentionPart::both) {
    const auto kept = keepModelPart(part, which == AttentionPart::content, made->content, job);
    if (!kept) return fail(kept.error());
    split = *kept;
  }
  std::vector<Remark> remarks;
  if (split || (which == AttentionPart::content && !entered)) remarks = remarksOnTerms(part, split);
  Attended attended{std::move(part.question), std::move(made->encoding), std::move(made->content), {}, {}, {}};
  attended.mask = narrowed(attended.question.mask, attended.encoding->reach);
  if (made->exact && which == AttentionPart::both) {
    if (Outcome ok = checkMemory("attention: the maps", cells * (sizeof(float) + sizeof(double))); !ok)
      return fail(ok.error());
    attended.exact = std::move(made->exact);
  }
  const Content<float>& c = attended.content;
  attended.remarks = std::move(remarks);
  if (which == AttentionPart::position && !split) removeWords(attended, !c.x.empty() && c.q.empty());
  if (entered && which != AttentionPart::both && !split) attended.nothing = whyWhole(attended.shape().layer);
  if (which == AttentionPart::content) keepContent(attended);
  return attended;
}

Expected<Attended> attendedUnmade(FirstTokens part, AttentionPart which) {
  const InputPart<float>& input = part.encoding->input;
  if (Outcome ok = checkAffordable(input, input.tableRows()); !ok) return fail(ok.error());
  Attended attended{std::move(part.question), std::move(part.encoding), {}, {}, {}, {}};
  attended.mask = narrowed(attended.question.mask, attended.encoding->reach);
  if (which == AttentionPart::position) removeWords(attended, readsEmbeddings(*attended.encoding));
  if (which == AttentionPart::content) keepContent(attended);
  return attended;
}

std::vector<Remark> remarksOn(const Attended& attended) {
  if (!attended.given) {
    std::vector<Remark> remarks = attended.remarks;
    warnOfPairing(remarks, attended.question);
    return remarks;
  }
  return remarksOn(*attended.given, attended.question.content, attended.mask, attended.shape());
}

Expected<attention::Attention<float>> attend(const Attended& attended, const attention::Wanted& wanted,
                                             const Job& job) {
  attention::Attention<float> result;
  if (Outcome ok = attendInto(attended, wanted, job, result); !ok) return fail(ok.error());
  return result;
}

Outcome eachHead(const Attended& attended, const std::vector<std::int64_t>& heads, const Job& job,
                 const HeadVisit& visit) {
  const Shape& shape = attended.shape();
  const std::int64_t map = shape.queries() * shape.keys();
  const auto all = static_cast<std::int64_t>(heads.size());
  // What is made in double precision takes three times the memory.
  const std::int64_t cells = attended.exact ? most_cells / 3 : most_cells;
  const std::int64_t together = std::clamp<std::int64_t>(cells / map, 1, all);
  attention::Attention<float> result;
  for (std::int64_t first = 0; first < all; first += together) {
    const std::int64_t count = std::min(together, all - first);
    const auto share = [&](std::int64_t place) { return static_cast<double>(place) / static_cast<double>(all); };
    const Job step = job.part(share(first), share(first + count));
    attention::Wanted wanted;
    wanted.heads.assign(heads.begin() + first, heads.begin() + first + count);
    if (Outcome ok = attendInto(attended, wanted, step.part(0, 0.6), result); !ok) return ok;
    const bool finished = parallelBlocks(count, 1, step.part(0.6, 1), [&](std::int64_t taken, std::int64_t) {
      const auto place = static_cast<std::size_t>(first + taken);
      visit(place, heads[place], {result.weights.data() + taken * map, shape.queries(), shape.keys()});
    });
    if (!finished || job.stopped()) return stopped();
  }
  return {};
}

Outcome eachHead(const Attended& attended, const Job& job, const HeadVisit& visit) {
  std::vector<std::int64_t> heads(static_cast<std::size_t>(attended.shape().num_heads));
  std::iota(heads.begin(), heads.end(), 0);
  return eachHead(attended, heads, job, visit);
}

void addEmptyRows(Dataset& dataset, std::int64_t empty, std::int64_t queries) {
  dataset.metrics.push_back(
      {"empty_rows", {"queries without any key", "没有任何键的查询"}, static_cast<double>(empty), ""});
  if (empty == 0) return;
  const std::string some = readable(static_cast<double>(empty));
  const std::string all = readable(static_cast<double>(queries));
  dataset.remarks.push_back({Verdict::warning,
                             {some + " of " + all + " queries may look at no key; their weights are all 0.",
                              all + " 个查询中有 " + some + " 个看不到任何键，其权重全为 0。"}});
}

}  // namespace posiscope::measures
