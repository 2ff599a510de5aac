// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/axes.h"
#include "core/measures/encoded.h"
#include "core/measures/measures.h"
#include "core/measures/offset_means.h"
#include "core/measures/terms.h"
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
  bool negative = false;
};

const ParamTable<Options>& optionTable() {
  static const ParamTable<Options> table = [] {
    ParamTable<Options> t;
    t.list("heads", &Options::heads,
           {{"heads", "头"},
            {"The heads drawn as curves; empty draws all of them, or spread ones where they have too many points.",
             "以曲线绘制哪些头；留空绘制全部，点数过多时均匀选取。"}})
        .unset({"all, or spread ones", "全部，或均匀选取"});
    t.boolean("negative", &Options::negative,
              {{"keys ahead too", "包括后方的键"},
               {"Also shows negative offsets: keys after the query.", "同时显示负偏移：位于查询之后的键。"}});
    return t;
  }();
  return table;
}

/// Points of all curves together.
constexpr std::int64_t most_points = 1 << 20;
/// With more heads than this the bands of a bias that is averaged would cover each other.
constexpr std::size_t most_bands = 4;

using Term = std::function<std::string(std::int64_t head, std::int64_t n)>;

Term termOf(const EncodingPtr& encoding) {
  if (std::holds_alternative<OffsetBias<float>>(encoding->logits.bias))
    return [encoding](std::int64_t head, std::int64_t n) {
      return biasTerm(std::get<OffsetBias<float>>(encoding->logits.bias), head, n);
    };
  return [](std::int64_t head, std::int64_t n) {
    return join("⟨β", subscript(head), "(i, i − (", screenNumber(static_cast<double>(n)), "))⟩ᵢ");
  };
}

void addMap(Dataset& dataset, const std::shared_ptr<const OffsetMeans>& means, const Term& term) {
  dataset.maps.push_back({"bias",
                          {"bias of all heads", "全部头的偏置"},
                          storedField(means->heads, means->offsets, means, means->mean.data()),
                          headAxis(),
                          offsetAxis(means->first, false),
                          {"bias", "偏置"},
                          MapKind::diverging,
                          -1});
  dataset.maps.back().term = [term, first = means->first](std::int64_t head, std::int64_t col) {
    return term(head, first + col);
  };
}

Curve curveOf(const OffsetMeans& means, const std::vector<float>& values, std::int64_t head, CurveRole role,
              std::string suffix) {
  Curve curve{join("head ", head, suffix), headText(head), role, {}, {}, static_cast<int>(head)};
  curve.x.resize(static_cast<std::size_t>(means.offsets));
  std::iota(curve.x.begin(), curve.x.end(), static_cast<double>(means.first));
  const auto row = values.begin() + head * means.offsets;
  curve.y.assign(row, row + means.offsets);
  return curve;
}

/// What is said about one head beside its curve.
struct Size {
  double sum = 0;
  float low = std::numeric_limits<float>::infinity();
  float high = -std::numeric_limits<float>::infinity();
};

std::vector<Size> sizesOf(const OffsetMeans& means) {
  std::vector<Size> sizes(static_cast<std::size_t>(means.heads));
  parallelBlocks(means.heads, 1, Job(), [&](std::int64_t head, std::int64_t) {
    Size& size = sizes[static_cast<std::size_t>(head)];
    const float* value = means.mean.data() + head * means.offsets;
    for (const float* end = value + means.offsets; value < end; ++value) {
      size.sum += static_cast<double>(*value);
      size.low = std::min(size.low, *value);
      size.high = std::max(size.high, *value);
    }
  });
  return sizes;
}

/// The steepest first, so that the order of the colours is that of the slopes; heads are not always sorted by them.
std::vector<std::int64_t> steepestFirst(std::vector<std::int64_t> heads, const std::vector<Size>& sizes) {
  std::ranges::stable_sort(heads, {}, [&](std::int64_t head) { return sizes[static_cast<std::size_t>(head)].sum; });
  return heads;
}

/// The curves of the heads, in this order: a line each, with its band where the bias varies at one offset.
void addCurves(Dataset& dataset, const OffsetMeans& means, const std::vector<std::int64_t>& heads, const Term& term) {
  const bool bands = !means.low.empty() && means.spread > 0 && heads.size() <= most_bands;
  const std::int64_t each = bands ? 3 : 1;
  dataset.curves.resize(heads.size() * static_cast<std::size_t>(each));
  parallelBlocks(std::ssize(heads), 1, Job(), [&](std::int64_t k, std::int64_t) {
    const std::int64_t head = heads[static_cast<std::size_t>(k)];
    Curve* curve = dataset.curves.data() + k * each;
    *curve = curveOf(means, means.mean, head, CurveRole::line, "");
    curve->term = [term, head](double n) { return term(head, std::llround(n)); };
    if (!bands) return;
    curve[1] = curveOf(means, means.low, head, CurveRole::band_low, " low");
    curve[2] = curveOf(means, means.high, head, CurveRole::band_high, " high");
  });
  dataset.x = offsetAxis(means.first, means.first >= 0);
  dataset.y = valueAxis({"bias", "偏置"});
}

void addSpread(Dataset& dataset, const OffsetMeans& means, std::int64_t queries) {
  if (means.low.empty()) return;
  dataset.metrics.push_back({"spread", {"largest spread at one offset", "同一偏移上的最大差距"}, means.spread, ""});
  if (means.spread > 0)
    dataset.remarks.push_back({Verdict::neutral,
                               {"Means over the queries: at one offset the bias of a head differs by up to " +
                                    readable(means.spread) + ", so it depends on more than the offset.",
                                "图中为对查询的平均：同一偏移上，一个头的偏置最多相差 " + readable(means.spread) +
                                    "，因此它不只取决于偏移。"}});
  if (means.queries >= queries) return;
  const std::string some = readable(static_cast<double>(means.queries));
  const std::string all = readable(static_cast<double>(queries));
  dataset.scope = {"mean over " + some + " of " + all + " queries", "对 " + all + " 个查询中的 " + some + " 个取平均"};
}

Text whyNothing(const Encoding<float>& encoding) {
  if (isNothing(encoding))
    return {"Nothing is added to the logits here: there is no bias.", "这里没有给 logits 加任何量：没有偏置。"};
  return {"This scheme adds no bias to the logits; position enters elsewhere.",
          "该方案不给 logits 加偏置；位置从别处进入。"};
}

Expected<Dataset> answer(const Question& question, const Job& job) {
  const Expected<Options> options = optionTable().read(question.measure, question.options);
  if (!options) return fail(options.error());
  const Expected<EncodingPtr> encoding = encodingOf(question);
  if (!encoding) return fail(encoding.error());
  const LogitsPart<float>& logits = (*encoding)->logits;
  const Shape& shape = question.shape;
  Dataset dataset;
  if (!logits.hasBias()) {
    dataset.nothing = whyNothing(**encoding);
    return dataset;
  }
  if (shape.keys() < 2) {
    dataset.nothing = {"There is one position only: no key is at a distance.", "只有一个位置：没有隔开距离的键。"};
    return dataset;
  }
  std::optional<OffsetMeans> means;
  if (const auto* offset = std::get_if<OffsetBias<float>>(&logits.bias))
    means = offsetMeans(*offset, options->negative);
  else
    means = offsetMeans(std::get<PairBias<float>>(logits.bias), shape, options->negative, question.draft, job);
  if (!means) return stopped();
  const auto heads =
      headsShown(options->heads, means->heads, std::max<std::int64_t>(8, most_points / means->offsets), question);
  if (!heads) return fail(heads.error());
  const auto shared = std::make_shared<const OffsetMeans>(std::move(*means));
  const Term term = termOf(*encoding);
  addMap(dataset, shared, term);
  const std::vector<Size> sizes = sizesOf(*shared);
  addCurves(dataset, *shared, steepestFirst(*heads, sizes), term);
  addSpread(dataset, *shared, shape.queries());
  dataset.draft = shared->draft;
  if (options->heads.empty()) addScopeOfHeads(dataset, *heads, shared->heads);
  const float low = std::ranges::min(sizes, {}, &Size::low).low, high = std::ranges::max(sizes, {}, &Size::high).high;
  dataset.metrics.push_back({"smallest_bias", {"smallest bias", "最小偏置"}, static_cast<double>(low), ""});
  dataset.metrics.push_back({"largest_bias", {"largest bias", "最大偏置"}, static_cast<double>(high), ""});
  addTrainedMark(dataset, question.train_length, true);
  return dataset;
}

}  // namespace

Measure biasByOffset() {
  return {
      "bias_by_offset",
      {"Bias by offset", "按偏移的偏置"},
      {"What each head adds to the logit of a key n tokens back: steep heads look near, flat ones look far. Where the "
       "bias depends on more than the offset, the curve is its mean over the queries and the band reaches from the "
       "smallest to the largest.",
       "每个头给前方第 n 个键的 logit 加上多少：陡的头只看近处，平的头看得远。"
       "当偏置不只取决于偏移时，曲线是对查询的平均，阴影从最小值到最大值。"},
      "[num_heads, seq_len], offset 0 first; with `negative` [num_heads, 2·seq_len − 1]",
      optionTable().specs(),
      answer,
      {"alibi", "t5_log"}};
}

}  // namespace posiscope::measures
