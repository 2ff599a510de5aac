// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/head_inputs.h"
#include "core/measures/axes.h"
#include "core/measures/content_for.h"
#include "core/measures/encoded.h"
#include "core/measures/first_tokens.h"
#include "core/measures/logit_terms.h"
#include "core/measures/measures.h"
#include "core/measures/model_terms.h"
#include "core/parallel.h"
#include "core/pooled_queries.h"
#include "core/screen_number.h"
#include "core/stored_bytes.h"

#include <algorithm>
#include <cmath>
#include <utility>

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
              {{"head", "头"}, {"The head whose logits are taken apart.", "拆解哪一个头的 logits。"}});
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

/// Shares of the variance of the logits over the allowed pairs: the covariance of each term with the sum, over the
/// variance of the sum. They add up to 1; a term that works against the others has a negative one. None where nothing
/// varies.
std::vector<double> shares(const std::vector<Map>& terms, const Field& sum, const Mask& mask, const Shape& shape) {
  std::vector<double> means(terms.size() + 1), covariances(terms.size() + 1);
  std::vector<const float*> values;
  for (const Map& term : terms) values.push_back(term.field->stored());
  values.push_back(sum.stored());
  const auto value = [&](std::size_t t, std::int64_t i, std::int64_t j) {
    return static_cast<double>(values[t][i * shape.keys() + j]);
  };
  double count = 0;
  const auto eachPair = [&](const auto& visit) {
    for (std::int64_t i = 0; i < shape.queries(); ++i)
      for (std::int64_t j = 0; j < shape.keys(); ++j)
        if (mask.allows(shape, i, j)) visit(i, j);
  };
  eachPair([&](std::int64_t i, std::int64_t j) {
    count += 1;
    for (std::size_t t = 0; t < means.size(); ++t) means[t] += value(t, i, j);
  });
  for (double& mean : means) mean /= std::max(count, 1.0);
  eachPair([&](std::int64_t i, std::int64_t j) {
    const double apart = value(terms.size(), i, j) - means.back();
    for (std::size_t t = 0; t < means.size(); ++t) covariances[t] += (value(t, i, j) - means[t]) * apart;
  });
  const double whole = covariances.back();
  covariances.pop_back();
  // What is left of equal logits is rounding.
  if (whole <= 1e-10 * count * means.back() * means.back() || whole == 0) return {};
  for (double& c : covariances) c /= whole;
  return covariances;
}

void addShares(Dataset& dataset, const Question& part) {
  const std::vector<Map> terms(dataset.maps.begin(), dataset.maps.end() - 1);
  const std::vector<double> found = shares(terms, *dataset.maps.back().field, part.mask, part.shape);
  Text list;
  for (std::size_t t = 0; t < found.size(); ++t) {
    const std::string share = readable(std::round(found[t] * 100)) + " %";
    list.en += (t > 0 ? "; " : "") + terms[t].label.en + " " + share;
    list.zh += (t > 0 ? "；" : "") + terms[t].label.zh + " " + share;
    dataset.metrics.push_back({"share " + terms[t].key,
                               {"share of the variance, " + terms[t].label.en, "方差占比，" + terms[t].label.zh},
                               found[t],
                               ""});
  }
  if (found.size() > 1)  // one term is all of it
    dataset.remarks.push_back(
        {Verdict::neutral,
         {"Shares of the variance of the logits: " + list.en + ".", "各项占 logits 方差的比例：" + list.zh + "。"}});
}

/// Root mean square of a term over the pairs that the mask allows: which one decides.
double spread(const std::vector<float>& values, const Mask& mask, const Shape& shape) {
  double sum = 0;
  double count = 0;
  for (std::int64_t i = 0; i < shape.queries(); ++i)
    for (std::int64_t j = 0; j < shape.keys(); ++j)
      if (mask.allows(shape, i, j)) {
        const auto value = static_cast<double>(values[static_cast<std::size_t>(i * shape.keys() + j)]);
        sum += value * value;
        count += 1;
      }
  return count > 0 ? std::sqrt(sum / count) : 0;
}

/// "s1[412, 7]": query and key as the axes number them.
std::function<std::string(std::int64_t, std::int64_t)> cellTerm(std::string name, const Question& part) {
  const Expected<EncodingPtr> encoding = encodingOf(part);
  const bool pooled = encoding && pooledQueries(**encoding, part.shape);
  const double first_query = pooled ? 0 : queryAxis(part.shape).first;
  return [name = std::move(name), first_query, first_key = keyAxis(part.shape).first](std::int64_t i, std::int64_t j) {
    return join(name, "[", screenNumber(first_query + static_cast<double>(i)), ", ",
                screenNumber(first_key + static_cast<double>(j)), "]");
  };
}

void addMap(Dataset& dataset, const std::string& key, const Text& name, std::vector<float> values, const Question& part,
            std::int64_t head) {
  dataset.metrics.push_back(
      {"rms " + key, {"size of " + name.en, "大小：" + name.zh}, spread(values, part.mask, part.shape), ""});
  dataset.maps.push_back({key,
                          name,
                          storedField(part.shape.queries(), part.shape.keys(), std::move(values)),
                          queryAxis(part.shape),
                          keyAxis(part.shape),
                          {"logit", "logit"},
                          MapKind::diverging,
                          static_cast<int>(head),
                          cellTerm(key == "logits" ? "Σₜ sₜ" : join("s", key.substr(key.find(' ') + 1)), part)});
}

double mapBytes(const Shape& shape) {
  return sizeof(float) * static_cast<double>(shape.queries()) * static_cast<double>(shape.keys());
}

/// Every term as a map, and their sum. `held`: bytes of what they are computed from.
Outcome addTerms(Dataset& dataset, const std::vector<LogitTerm>& terms, const Question& part, std::int64_t head,
                 double held, const Job& job) {
  const std::int64_t keys = part.shape.keys();
  const double bytes = held + mapBytes(part.shape) * static_cast<double>(terms.size() + 1);
  if (Outcome ok = checkMemory("score_terms: the terms of one head and what they are computed from", bytes); !ok)
    return ok;
  std::vector<float> sum(static_cast<std::size_t>(part.shape.queries() * keys));
  for (std::size_t t = 0; t < terms.size(); ++t) {
    std::vector<float> values(sum.size());
    const auto share = 1.0 / static_cast<double>(terms.size());
    const Job step = job.part(static_cast<double>(t) * share, static_cast<double>(t + 1) * share);
    const bool complete = parallelBlocks(part.shape.queries(), 64, step, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const std::span<float> row(values.data() + i * keys, static_cast<std::size_t>(keys));
        terms[t].fill(i, row);
        for (std::int64_t j = 0; j < keys; ++j)
          if (!part.mask.allows(part.shape, i, j)) row[static_cast<std::size_t>(j)] = 0;
        for (std::size_t j = 0; j < row.size(); ++j) sum[static_cast<std::size_t>(i * keys) + j] += row[j];
      }
    });
    if (!complete) return stopped();
    addMap(dataset, join("term ", t), terms[t].name, std::move(values), part, head);
  }
  addMap(dataset, "logits", {"logits, the sum", "logits，各项之和"}, std::move(sum), part, head);
  return {};
}

/// Why a score stays in one piece: its scheme tells no terms.
void addWholeScore(Dataset& dataset, const LogitsPart<float>& logits) {
  if (!logits.score.prepare || logits.terms.prepare) return;
  const Text& why = logits.score.no_angle;
  const bool known = !why.en.empty();
  dataset.remarks.push_back(
      {Verdict::neutral,
       {"The score is one term: even of two tokens at one position it depends on which position that is, so no part of "
        "it is content alone." +
            (known ? " " + why.en : ""),
        "分数只有一项：即使两个词元处于同一位置，分数仍取决于是哪个位置，因此没有单独的内容部分。" + why.zh}});
}

Expected<Dataset> answer(const Question& question, const Job& job) {
  const Expected<Options> options = optionTable().read(question.measure, question.options);
  if (!options) return fail(options.error());
  const Expected<std::int64_t> head = headOf(options->head, question.shape.num_heads, question);
  if (!head) return fail(head.error());
  Expected<FirstTokens> part = askedTokens(question, options->tokens);
  if (!part) return fail(part.error());
  Question& q = part->question;
  // A term and the sum there are always: asked before anything is made for them.
  if (Outcome ok = checkMemory("score_terms: the maps", 2 * mapBytes(q.shape)); !ok) return fail(ok.error());
  const Expected<ContentFor> made = contentFor(*part, job);
  if (!made) return fail(made.error());
  const Encoding<float>& encoding = *made->encoding;
  q.mask = narrowed(std::move(q.mask), encoding.reach);
  const Content<float>& content = made->content;
  const auto inputs = attention::prepareHeads(encoding, content, q.shape, {*head}, false, job);
  if (!inputs) return fail(inputs.error());

  Dataset dataset;
  const HeadAsked asked{encoding, content, q.shape, *head};
  auto terms = logitTerms(asked, attention::headContent(*inputs, 0, *head, q.shape, q.mask), job);
  if (!terms) return fail(terms.error());
  bool split = false;
  if (positionEntered(*part) && !encoding.logits.score.prepare) {
    const auto parts = modelTerms(*part, asked, terms->front(), job);
    if (!parts) return fail(parts.error());
    split = parts->has_value();
    if (split)
      terms->insert(terms->erase(terms->begin()), (*parts)->begin(), (*parts)->end());
    else
      terms->front().name = {"q·k, with position", "q·k，含位置"};
  }
  dataset.remarks = remarksOnTerms(*part, split);
  addWholeScore(dataset, encoding.logits);
  const double prepared = isAddedTable(encoding) ? 4 * mapBytes(q.shape) : 0;
  const double held = storedBytes(encoding) + storedBytes(content) + inputs->bytes() + prepared;
  if (Outcome ok = addTerms(dataset, *terms, q, *head, held, job); !ok) return fail(ok.error());
  addShares(dataset, q);
  if (q.shape.keys() < question.shape.keys())
    dataset.scope = firstTokensText(q.shape.keys(), question.shape.keys(), false);
  return dataset;
}

}  // namespace

Measure scoreTerms() {
  return {
      "score_terms",
      {"Terms of the logits", "logits 的各项"},
      {"The logits of one head taken apart: what content brings, what position brings, and what comes from both. "
       "The last map is their sum; the sizes and the shares of its variance in the figures tell which term decides.",
       "把一个头的 logits 拆开：内容的贡献、位置的贡献，以及两者共同的贡献。"
       "最后一幅图是各项之和；指标中的大小与方差占比说明哪一项起决定作用。"},
      "[terms + 1, L_q, L_k] of `head`, the sum last, 0 where the mask forbids; L = `tokens` when that is shorter",
      optionTable().specs(),
      answer,
      {"sinusoidal", "rope"},
      FiguresOf::attention,
      true};
}

}  // namespace posiscope::measures
