// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/attended.h"
#include "core/measures/axes.h"
#include "core/measures/measures.h"
#include "core/measures/terms.h"
#include "core/measures/weight_figures.h"
#include "core/pooled_queries.h"
#include "core/token_labels.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>

namespace posiscope::measures {
namespace {

struct Options {
  std::int64_t query = -1;
  std::int64_t head = 0;
  std::int64_t tokens = 0;
};

const ParamTable<Options>& optionTable() {
  static const ParamTable<Options> table = [] {
    ParamTable<Options> t;
    t.integer("query", &Options::query, {-(1 << 24), 1 << 24, -1, 511, false},
              {{"query", "查询"},
               {"Which row of the attention map, counted from 0; −1 is the last one, −2 the one before it.",
                "注意力图的第几行，从 0 数起；−1 为最后一行，−2 为倒数第二行。"}});
    t.integer("head", &Options::head, {0, 1023, 0, 31, false},
              {{"head", "头"}, {"The head whose weights are shown.", "显示哪一个头的权重。"}});
    t.integer("tokens", &Options::tokens, {0, 1 << 24, 0, 8192, false},
              {{"first tokens only", "仅前若干词元"},
               {"Computes only the start of a long sequence; 0 means all of it.", "只计算长序列的开头；0 表示全部。"},
               "",
               "tokens"})
        .unset({"all", "全部"});
    return t;
  }();
  return table;
}

/// The row that is asked for. Error: out_of_range.
Expected<std::int64_t> rowOf(std::int64_t query, const Question& question, const Shape& shape) {
  const std::int64_t rows = shape.queries();
  if (query >= -rows && query < rows) return query < 0 ? query + rows : query;
  return fail(rangeError(question.measure, "query", static_cast<double>(-rows), static_cast<double>(rows - 1),
                         static_cast<double>(query)));
}

/// One row of one head with what its sentences need.
struct Row {
  std::int64_t query = 0;
  std::int64_t head = 0;
  std::vector<float> weights;        ///< [L_k]
  Mask::Span seen{};                 ///< keys between the first and the last that may be looked at
  std::vector<std::string> words{};  ///< of the keys; may be empty
  double asking = 0;                 ///< position of the query among the keys; NaN where it is none of them
  std::string asking_place{};        ///< its number on the axis of the queries
  std::string asking_word{};         ///< may be empty

  std::string place(std::int64_t token, double first_position) const {
    return readable(first_position + static_cast<double>(token));
  }
};

Text placeText(const std::string& place, const std::string& word) {
  if (word.empty()) return {place, " " + place};
  return {place + " “" + word + "”", " " + place + "“" + word + "”"};
}

std::string wordAt(const std::vector<std::string>& words, std::int64_t token) {
  return token < std::ssize(words) ? words[static_cast<std::size_t>(token)] : std::string();
}

Text keyText(const Row& row, const Shape& shape, std::int64_t key) {
  return placeText(row.place(key, shape.first_position), wordAt(row.words, key));
}

Text queryText(const Row& row) { return placeText(row.asking_place, row.asking_word); }

/// Which query asks: a token from some place on among the keys, one of another sequence, or one of a coarser grid.
void nameQuery(Row& row, const Attended& attended) {
  const Shape& shape = attended.shape();
  const auto pooled = attended.given ? std::nullopt : pooledQueries(*attended.encoding, shape);
  if (pooled) {
    row.asking = pooled->stride > 0 ? pooled->position(row.query) : std::numeric_limits<double>::quiet_NaN();
    row.asking_place = readable(static_cast<double>(row.query));
    row.asking_word = pooled->name(row.query);
    return;
  }
  const std::int64_t token = row.query + shape.queryOffset();
  row.asking = shape.first_position + static_cast<double>(token);
  row.asking_place = row.place(token, shape.first_position);
  row.asking_word = hasOwnQueries(attended.question.content, attended.mask, shape)
                        ? wordAt(ownQueryLabels(attended.question.content, shape), row.query)
                        : wordAt(row.words, token);
}

Curve rowCurve(const Row& row, const Attended& attended) {
  const Shape& shape = attended.shape();
  Curve curve{"weights", {}, CurveRole::line, {}, {}, static_cast<int>(row.head)};
  const Text query = queryText(row);
  const Text head = headText(row.head);
  curve.label = {"query " + query.en + ", " + head.en, "查询" + query.zh + "，" + head.zh};
  for (std::int64_t j = row.seen.begin; j < row.seen.end; ++j) {
    const bool allowed = attended.mask.allows(shape, row.query, j);
    curve.x.push_back(shape.first_position + static_cast<double>(j));
    curve.y.push_back(allowed ? static_cast<double>(row.weights[static_cast<std::size_t>(j)])
                              : std::numeric_limits<double>::quiet_NaN());
  }
  curve.term =
      [cell = attentionTerm(attended.encoding, shape, std::make_shared<const Mask>(attended.mask), row.head, false),
       i = row.query, first = shape.first_position](double x) { return cell(i, std::llround(x - first)); };
  return curve;
}

/// "Query 47 looks most at key 0 (0.41), key 46 (0.2) and key 12 (0.08)."
void addLargest(Dataset& dataset, const Row& row, const Shape& shape) {
  constexpr std::size_t most = 3;
  std::vector<std::int64_t> keys;
  for (std::int64_t j = row.seen.begin; j < row.seen.end; ++j)
    if (row.weights[static_cast<std::size_t>(j)] > 0) keys.push_back(j);
  const auto count = static_cast<std::ptrdiff_t>(std::min(most, keys.size()));
  const auto weight = [&](std::int64_t j) { return row.weights[static_cast<std::size_t>(j)]; };
  std::ranges::stable_sort(keys, std::ranges::greater{}, weight);
  Text list;
  for (std::ptrdiff_t k = 0; k < count; ++k) {
    const std::int64_t key = keys[static_cast<std::size_t>(k)];
    const Text place = keyText(row, shape, key);
    const std::string share = readable(std::round(static_cast<double>(weight(key)) * 1000) / 1000);
    list.en += (k == 0 ? "" : k + 1 < count ? ", " : " and ") + ("key " + place.en) + " (" + share + ")";
    list.zh += (k == 0 ? "键" : "、键") + place.zh + "（" + share + "）";
  }
  const Text query = queryText(row);
  dataset.remarks.push_back(
      {Verdict::neutral,
       {"Query " + query.en + " looks most at " + list.en + ".", "查询" + query.zh + " 最关注" + list.zh + "。"}});
}

/// Why the line is level, where it is: small embeddings leave small scores. Empty where keys can be told apart.
Text levelText(const Row& row, const Attended& attended) {
  constexpr float nearly = 1.02F;
  std::vector<float> seen;
  std::ranges::copy_if(row.weights, std::back_inserter(seen), [](float weight) { return weight > 0; });
  const auto [least, most] = std::ranges::minmax(seen);
  if (seen.size() < 2 || most > nearly * least) return {};
  const std::string count = readable(static_cast<double>(seen.size()));
  const bool embedded = !attended.content.x.empty() && attended.content.q.empty();
  return {"All " + count + " keys weigh nearly the same" +
              (embedded ? ": the embeddings are small; a larger word_std lets content count." : "."),
          count + " 个键的权重几乎相同" + (embedded ? "：词嵌入很小；调大 word_std 可让内容起作用。" : "。")};
}

/// Says so of a row that another program stored with NaN in it; false for any other.
bool addDamage(Dataset& dataset, const Row& row, const Text& query) {
  const auto missing = std::ranges::count_if(row.weights, [](float weight) { return std::isnan(weight); });
  if (missing == 0) return false;
  const std::string count = readable(static_cast<double>(missing));
  dataset.remarks.push_back({Verdict::warning,
                             {"Query " + query.en + " has NaN for " + count + " of its keys: it has no figures.",
                              "查询" + query.zh + " 有 " + count + " 个键的权重为 NaN：不计算其指标。"}});
  return true;
}

void addMetrics(Dataset& dataset, const Row& row) {
  const auto largest = std::ranges::max_element(row.weights);
  dataset.metrics = {{"entropy", {"entropy of the row", "该行的熵"}, rowEntropy(row.weights), "nats"},
                     {"largest", {"largest weight", "最大权重"}, static_cast<double>(*largest), ""},
                     {"largest_key",
                      {"key with the largest weight", "权重最大的键"},
                      dataset.x.first + static_cast<double>(largest - row.weights.begin() - row.seen.begin),
                      ""}};
}

void describe(Dataset& dataset, const Row& row, const Attended& attended) {
  const Shape& shape = attended.shape();
  dataset.curves.push_back(rowCurve(row, attended));
  dataset.x = keyAxis(shape);
  dataset.query = row.asking;
  dataset.x.first = dataset.curves.back().x.front();
  if (std::ssize(row.words) >= row.seen.end)
    dataset.x.names = std::make_shared<const std::vector<std::string>>(row.words.begin() + row.seen.begin,
                                                                       row.words.begin() + row.seen.end);
  const Text query = queryText(row);
  const Text head = headText(row.head);
  dataset.y = valueAxis({"weight, query " + query.en + ", " + head.en, "权重，查询" + query.zh + "，" + head.zh});
  if (addDamage(dataset, row, query)) return;
  addMetrics(dataset, row);
  dataset.scope = levelText(row, attended);
  if (dataset.scope.en.empty())
    addLargest(dataset, row, shape);
  else
    dataset.remarks.push_back({Verdict::neutral, dataset.scope});
}

Expected<Dataset> answer(const Question& question, const Job& job) {
  const Expected<Options> options = optionTable().read(question.measure, question.options);
  if (!options) return fail(options.error());
  if (const auto head = headOf(options->head, question.shape.num_heads, question); !head) return fail(head.error());
  Expected<FirstTokens> part = askedTokens(question, options->tokens);
  if (!part) return fail(part.error());
  const Expected<std::int64_t> query = rowOf(options->query, question, part->question.shape);
  if (!query) return fail(query.error());
  const auto attended = attendedBy(*std::move(part), AttentionPart::both, 1, job.part(0, 0.5));
  if (!attended) return fail(attended.error());
  const Shape& shape = attended->shape();
  attention::Wanted wanted;
  wanted.heads = {options->head};
  const Expected<attention::Attention<float>> result = attend(*attended, wanted, job.part(0.5, 1));
  if (!result) return fail(result.error());

  const auto from = result->weights.begin() + *query * shape.keys();
  Row row{*query,
          options->head,
          {from, from + shape.keys()},
          attended->mask.span(shape, *query),
          tokenLabels(attended->question.content, shape)};
  nameQuery(row, *attended);
  Dataset dataset;
  dataset.remarks = remarksOn(*attended);
  if (std::ranges::all_of(row.weights, [](float weight) { return weight == 0; })) {
    const Text place = queryText(row);
    dataset.nothing = {"Query " + place.en + " may look at no key; its weights are all 0.",
                       "查询" + place.zh + " 看不到任何键，其权重全为 0。"};
    return dataset;
  }
  describe(dataset, row, *attended);
  if (shape.keys() < question.shape.keys()) {
    const Text shown = firstTokensText(shape.keys(), question.shape.keys(), false);
    const bool more = !dataset.scope.en.empty();
    dataset.scope = {shown.en + (more ? " · " + dataset.scope.en : ""),
                     shown.zh + (more ? " · " + dataset.scope.zh : "")};
  }
  return dataset;
}

}  // namespace

Measure attentionRow() {
  return {
      "attention_row",
      {"One query", "单个查询"},
      {"One row of the attention map: how one query spreads its weight, which sums to 1, over the keys it may look at. "
       "A peak stands for a token it looks for, a slope for a distance it prefers; schemes on one content differ by "
       "position alone.",
       "注意力图的一行：一个查询如何把总和为 1 的权重分配到它能看到的各个键。"
       "尖峰表示它在找某个词元，斜坡表示它偏好某种距离；内容相同时，各方案的差别只来自位置。"},
      "[2, keys]: position of the key, weight, from the first to the last key that the query may look at (NaN for "
      "those between that it may not)",
      optionTable().specs(),
      answer,
      {"alibi", "rope"},
      FiguresOf::attention};
}

}  // namespace posiscope::measures
