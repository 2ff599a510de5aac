// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/heads/metrics.h"
#include "core/measures/attended.h"
#include "core/measures/axes.h"
#include "core/measures/measures.h"
#include "core/parallel.h"
#include "core/screen_number.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace posiscope::measures {
namespace {

struct Options {
  std::vector<double> heads;
  std::int64_t tokens = 0;
};

const ParamTable<Options>& optionTable() {
  static const ParamTable<Options> table = [] {
    ParamTable<Options> t;
    t.list("heads", &Options::heads,
           {{"heads", "头"},
            {"The heads drawn; empty draws all of them, or spread ones where there are many.",
             "绘制哪些头；留空绘制全部，头数较多时均匀选取。"}});
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

/// Points of all curves together.
constexpr std::int64_t most_points = 1 << 20;
/// With more heads than this their bands would cover each other.
constexpr std::size_t most_bands = 4;
/// The band leaves out a tenth of the queries on each side: a single query makes no band.
constexpr double left_out = 0.1;

/// The weights of one head along each offset from the first to the last that the mask allows somewhere.
struct ByOffset {
  std::vector<double> offset, mean, low, high;
  bool damaged = false;  ///< some row has a NaN, and is left out

  /// Offsets between, which no pair has: curves must not be drawn across them.
  void skipTo(double next) {
    constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
    while (!offset.empty() && offset.back() + 1 < next) {
      offset.push_back(offset.back() + 1);
      for (std::vector<double>* y : {&mean, &low, &high}) y->push_back(nothing);
    }
  }
};

/// The value below which a share of the values lies, between neighbours in proportion. Reorders them.
double quantile(std::vector<float>& values, double share) {
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = values.begin() + static_cast<std::ptrdiff_t>(place);
  std::nth_element(values.begin(), below, values.end());
  const double rest = place - std::floor(place);
  if (rest == 0) return static_cast<double>(*below);
  const double next = static_cast<double>(*std::min_element(below + 1, values.end()));
  return static_cast<double>(*below) + rest * (next - static_cast<double>(*below));
}

ByOffset byOffset(Rows<float> weights, const Mask& mask, const Shape& shape) {
  ByOffset result;
  std::vector<float> values;
  std::vector<bool> looks;  // by query
  for (std::int64_t i = 0; i < shape.queries(); ++i) {
    looks.push_back(heads::looksAtSome(weights.row(i)));
    const auto isMissing = [](float weight) { return std::isnan(weight); };
    result.damaged = result.damaged || std::ranges::any_of(weights.row(i), isMissing);
  }
  for (std::int64_t n = -(shape.keys() - 1); n < shape.keys(); ++n) {
    values.clear();
    for (std::int64_t p = std::max(shape.queryOffset(), n); p < std::min(shape.keys(), shape.keys() + n); ++p)
      if (const std::int64_t i = p - shape.queryOffset();
          looks[static_cast<std::size_t>(i)] && mask.allows(shape, i, p - n))
        values.push_back(weights.row(i)[static_cast<std::size_t>(p - n)]);
    if (values.empty()) continue;
    result.skipTo(static_cast<double>(n));
    result.offset.push_back(static_cast<double>(n));
    result.mean.push_back(std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size()));
    result.low.push_back(quantile(values, left_out));
    result.high.push_back(quantile(values, 1 - left_out));
  }
  return result;
}

void addCurves(Dataset& dataset, const std::vector<std::int64_t>& heads, std::vector<ByOffset>& found) {
  for (std::size_t h = 0; h < heads.size(); ++h) {
    ByOffset& by = found[h];
    const auto add = [&](const char* suffix, CurveRole role, std::vector<double>& y) {
      dataset.curves.push_back({join("head ", heads[h], suffix), headText(heads[h]), role, by.offset, std::move(y),
                                static_cast<int>(heads[h])});
    };
    add("", CurveRole::line, by.mean);
    dataset.curves.back().term = [](double n) { return "⟨A[i, i − (" + screenNumber(n) + ")]⟩ᵢ"; };
    if (heads.size() > most_bands) continue;
    add(" low", CurveRole::band_low, by.low);
    add(" high", CurveRole::band_high, by.high);
  }
}

Expected<std::vector<ByOffset>> computed(const Attended& attended, const std::vector<std::int64_t>& heads,
                                         const Job& job) {
  std::vector<ByOffset> found(heads.size());
  const Outcome done = eachHead(attended, heads, job, [&](std::size_t place, std::int64_t, Rows<float> weights) {
    found[place] = byOffset(weights, attended.mask, attended.shape());
  });
  if (!done) return fail(done.error());
  return found;
}

Expected<Dataset> answer(const Question& question, const Job& job) {
  const Expected<Options> options = optionTable().read(question.measure, question.options);
  if (!options) return fail(options.error());
  const std::int64_t whole = question.shape.keys();
  const std::int64_t asked = options->tokens > 0 ? std::min(options->tokens, whole) : whole;
  const auto heads = headsShown(options->heads, question.shape.num_heads,
                                std::max<std::int64_t>(8, most_points / (2 * asked)), question);
  if (!heads) return fail(heads.error());
  Expected<FirstTokens> part = askedTokens(question, question.draft ? draftTokens(asked) : asked);
  if (!part) return fail(part.error());
  const auto attended = attendedBy(*std::move(part), AttentionPart::both, 1, job);
  if (!attended) return fail(attended.error());
  auto found = computed(*attended, *heads, job);
  if (!found) return fail(found.error());

  Dataset dataset;
  dataset.remarks = remarksOn(*attended);
  const std::int64_t keys = attended->shape().keys();
  dataset.draft = question.draft && keys < asked;
  if (found->front().offset.empty()) {
    dataset.nothing = found->front().damaged ? Text{"No row is free of NaN: there is nothing to average.",
                                                    "每一行都含有 NaN：没有可取平均的数值。"}
                                             : Text{"No query may look at any key.", "没有任何查询能看到键。"};
    return dataset;
  }
  dataset.x = offsetAxis(static_cast<std::int64_t>(found->front().offset.front()), found->front().offset.front() >= 0);
  dataset.y = valueAxis({"weight", "权重"});
  addCurves(dataset, *heads, *found);
  if (keys < whole) dataset.scope = firstTokensText(keys, whole, dataset.draft);
  if (dataset.draft) spreadDraft(dataset, asked);
  if (options->heads.empty()) addScopeOfHeads(dataset, *heads, question.shape.num_heads);
  addTrainedMark(dataset, question.train_length, true);
  return dataset;
}

}  // namespace

Measure attentionByOffset() {
  return {
      "attention_by_offset",
      {"Attention by offset", "按偏移的注意力"},
      {"The weight that a key n tokens back gets, averaged over the queries; the band holds the middle eight of ten "
       "queries. A flat curve with a wide band looks at content, a shaped one with a narrow band at position.",
       "位于查询之前第 n 个位置的键得到的权重，对查询取平均；阴影包含中间八成的查询。"
       "曲线平而阴影宽说明看的是内容，曲线有形状而阴影窄说明看的是位置。"},
      "[1 + 3·heads, offsets]: row 0 the offset n = i − j, then mean, 10 % and 90 % of each head (NaN where the "
      "mask allows no pair); with more than four heads the means only",
      optionTable().specs(),
      answer,
      {"alibi", "rope"},
      FiguresOf::attention};
}

}  // namespace posiscope::measures
