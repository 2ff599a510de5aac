// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula_rows.h"
#include "core/measures/axes.h"
#include "core/measures/encoded.h"
#include "core/measures/measures.h"
#include "core/measures/own_score_decay.h"
#include "core/measures/products.h"
#include "core/measures/rotary_decay.h"
#include "core/measures/terms.h"
#include "core/steps.h"

#include "core/screen_number.h"

#include <algorithm>
#include <cmath>

namespace posiscope::measures {
namespace {

struct Options {
  DecayCurves curves = DecayCurves::ones;
  bool normalise = true;
  std::vector<double> heads;
  bool negative = false;
  std::int64_t samples = 32;
};

const ParamTable<Options>& optionTable() {
  static const ParamTable<Options> table = [] {
    ParamTable<Options> t;
    t.choice("curves", &Options::curves,
             {{"ones", {"q = k = 1", "q = k = 1"}},
              {"same", {"q = k random", "q = k 随机"}},
              {"independent", {"q, k independent", "q、k 独立随机"}},
              {"bound", {"upper bound", "上界"}},
              {"all", {"all of them", "全部"}}},
             {{"content of rotary curves", "旋转编码曲线的内容"},
              {"What queries and keys the rotary curves stand for; they look very different.",
               "旋转编码的曲线代表怎样的查询与键；不同选择的形状差别很大。"}});
    t.boolean("normalise", &Options::normalise,
              {{"1 at offset 0", "偏移 0 处为 1"},
               {"Divides scores by the all-ones score at offset 0, the bound by its own; biases stay as they are.",
                "分数除以偏移 0 处的全 1 分数，上界除以自身；偏置保持原样。"}});
    t.list("heads", &Options::heads,
           {{"heads", "头"},
            {"The heads shown where heads differ; empty shows all, or eight spread ones when there are more.",
             "当各头不同时显示哪些头；留空显示全部，超过八个时均匀选取八个。"}})
        .unset({"all, or spread ones", "全部，或均匀选取"});
    t.boolean("negative", &Options::negative,
              {{"keys ahead too", "包括后方的键"},
               {"Also shows negative offsets: keys after the query.", "同时显示负偏移：位于查询之后的键。"}});
    t.integer(
         "samples", &Options::samples, {2, 1024, 2, 256, true},
         {{"samples", "样本数"}, {"How many random pairs of q and k are averaged.", "对多少组随机的 q 和 k 取平均。"}})
        .when("curves", {"same", "independent", "all"});
    return t;
  }();
  return table;
}

/// Offsets first … first + x.size() − 1.
struct Offsets {
  std::int64_t first = 0;
  std::vector<double> x;
};

Offsets offsetsOf(const Shape& shape, bool negative) {
  Offsets offsets;
  offsets.first = negative ? -(shape.keys() - 1) : 0;
  offsets.x.reserve(static_cast<std::size_t>(shape.keys() - offsets.first));
  for (std::int64_t n = offsets.first; n < shape.keys(); ++n) offsets.x.push_back(static_cast<double>(n));
  return offsets;
}

Outcome addRotation(Dataset& dataset, const RotationPart& rotation, const Question& question, const Options& options,
                    const Offsets& offsets, const Job& job) {
  const auto heads = headsShown(rotation.sets > 1 ? options.heads : std::vector<double>{}, rotation.sets, 8, question);
  if (!heads) return fail(heads.error());
  if (options.heads.empty()) addScopeOfHeads(dataset, *heads, rotation.sets);
  Steps steps(job, heads->size());
  for (const std::int64_t set : *heads) {
    const RotaryDecay wanted{options.curves, options.normalise, options.samples, question.content.seed};
    Outcome ok =
        addRotaryDecay(dataset, rotation, set, wanted, static_cast<double>(offsets.first), offsets.x, steps.next());
    if (!ok) return ok;
  }
  if (rotation.rotary_dim < question.shape.head_dim) {
    const std::string rest = readable(static_cast<double>(question.shape.head_dim - rotation.rotary_dim));
    dataset.remarks.push_back(
        {Verdict::neutral,
         {"Only the dimensions that turn are shown; the other " + rest + " add the same at every offset.",
          "只显示参与旋转的维度；其余 " + rest + " 维在所有偏移上贡献相同。"}});
  }
  return {};
}

/// How far a curve that starts high falls before it turns upward, and where it first drops below 0.
void addFalls(Dataset& dataset, const std::vector<double>& y) {
  for (std::size_t n = 1; n < y.size(); ++n)
    if (y[n] > y[n - 1]) {
      dataset.metrics.push_back(
          {"first_rise", {"first rise after offset", "首次回升的偏移"}, static_cast<double>(n - 1), "tokens"});
      break;
    }
  const auto below = std::ranges::find_if(y, [](double v) { return v < 0; });
  if (below != y.end())
    dataset.metrics.push_back({"first_negative",
                               {"first below 0 at offset", "首次低于 0 的偏移"},
                               static_cast<double>(below - y.begin()),
                               "tokens"});
}

/// Rows of a file may hold NaN: the means are of the pairs of the others.
void addLeftOut(Dataset& dataset, std::int64_t pairs) {
  if (pairs == 0) return;
  const std::string count = readable(static_cast<double>(pairs));
  const bool one = pairs == 1;
  dataset.remarks.push_back(
      {Verdict::warning,
       {count + (one ? " pair of rows is" : " pairs of rows are") +
            " left out of the means: the product is NaN or infinite, as numbers of the table are.",
        "取平均时略去了 " + count + " 对行：表中有 NaN 或无穷大的数值，其点积不是有限值。"}});
}

Outcome addTable(Dataset& dataset, const InputPart<float>& input, const Options& options, const Offsets& offsets,
                 const Job& job) {
  MeanProducts products;
  if (isToeplitz(input))
    products = {tableProfile(input, job), input.tableRows()};
  else if (const Outcome ok = checkAffordable(input, rowsOfMeans(input)); !ok)
    return ok;
  else
    products = meanProducts(input, job);
  if (products.mean.empty()) return stopped();
  // Only where all is 0 there is nothing to divide by; a start that is not known makes all of them unknown.
  const bool normalised = options.normalise && products.mean.front() != 0;
  if (normalised) {
    const double start = products.mean.front();
    for (double& v : products.mean) v /= start;
  }
  std::vector<double> y;
  for (const double n : offsets.x) y.push_back(products.mean[static_cast<std::size_t>(std::abs(n))]);
  dataset.curves.push_back({"table",
                            {"P(i) · P(i + n), mean over i", "P(i) · P(i + n)，对 i 取平均"},
                            CurveRole::line,
                            offsets.x,
                            std::move(y),
                            -1});
  dataset.curves.back().term = [normalised](double n) {
    const std::string product = "⟨P[i] · P[i + (" + screenNumber(n) + ")]⟩ᵢ";
    return normalised ? product + " / ⟨P[i] · P[i]⟩ᵢ" : product;
  };
  addFalls(dataset, products.mean);
  addLeftOut(dataset, products.left_out);
  if (products.sampled_rows < input.tableRows()) {
    const std::string taken = readable(static_cast<double>(products.sampled_rows));
    const std::string all = readable(static_cast<double>(input.tableRows()));
    dataset.scope = {"mean over " + taken + " of " + all + " rows", "对 " + all + " 行中的 " + taken + " 行取平均"};
  }
  return {};
}

Outcome addBias(Dataset& dataset, const EncodingPtr& encoding, const Question& question, const Options& options,
                const Offsets& offsets) {
  const auto& bias = std::get<OffsetBias<float>>(encoding->logits.bias);
  const auto heads = headsShown(options.heads, bias.heads, 8, question);
  if (!heads) return fail(heads.error());
  if (options.heads.empty()) addScopeOfHeads(dataset, *heads, bias.heads);
  for (const std::int64_t h : *heads) {
    std::vector<double> y(offsets.x.size());
    std::ranges::transform(offsets.x, y.begin(), [&](double n) {
      return static_cast<double>(bias.at(h, static_cast<std::int64_t>(n))) + 0.0;  // a slope times no distance is −0
    });
    const Text head = headText(h);
    dataset.curves.push_back({join("bias head ", h),
                              {"bias, " + head.en, "偏置，" + head.zh},
                              CurveRole::line,
                              offsets.x,
                              std::move(y),
                              static_cast<int>(h)});
    dataset.curves.back().term = [encoding, h](double n) {
      return biasTerm(std::get<OffsetBias<float>>(encoding->logits.bias), h, static_cast<std::int64_t>(n));
    };
  }
  return {};
}

Text whyNothing(const Encoding<float>& encoding) {
  if (isNothing(encoding))
    return {"Nothing depends on the distance here: every offset scores the same.",
            "这里没有任何量依赖距离：所有偏移的分数相同。"};
  if (encoding.logits.score.prepare && encoding.offset_only)
    return {
        "Here the score depends on what the tokens hold, beside their offset; look at the attention weights instead.",
        "除偏移之外，此方案的分数还取决于词元的内容；请改看注意力权重。"};
  return {"Here the score is not a function of the offset alone; look at the attention weights instead.",
          "此方案的分数不只是偏移的函数；请改看注意力权重。"};
}

/// The score of a formula of its own, where it has one and nothing else has been drawn.
Outcome addOwn(Dataset& dataset, const Encoding<float>& encoding, const Question& question, const Options& options,
               const Job& job) {
  const OwnScore<float>& score = encoding.logits.score;
  if (!score.prepare || score.reads_input || !encoding.offset_only || !dataset.curves.empty()) return {};
  const Outcome ok = addOwnScore(dataset, question, {options.normalise, options.negative, options.heads}, job);
  if (!dataset.curves.empty() && options.curves != DecayCurves::ones)
    dataset.remarks.push_back({Verdict::neutral,
                               {"Only queries and keys of ones are drawn: this score has a formula of its own.",
                                "只绘制全 1 的查询与键：该分数有自己的公式。"}});
  return ok;
}

bool hasFinite(const Curve& curve) {
  return std::ranges::any_of(curve.y, [](double v) { return std::isfinite(v); });
}

Expected<Dataset> answer(const Question& question, const Job& job) {
  const Expected<Options> options = optionTable().read(question.measure, question.options);
  if (!options) return fail(options.error());
  const Expected<EncodingPtr> encoding = encodingOf(question);
  if (!encoding) return fail(encoding.error());
  const Encoding<float>& e = **encoding;
  const Offsets offsets = offsetsOf(question.shape, options->negative);
  Dataset dataset;
  Outcome ok;
  Steps steps(job, (e.input.hasTable() ? 1U : 0U) + (e.rotation ? 1U : 0U) + (e.logits.score.prepare ? 1U : 0U));
  if (e.input.hasTable()) ok = addTable(dataset, e.input, *options, offsets, steps.next());
  if (ok && e.rotation) ok = addRotation(dataset, *e.rotation, question, *options, offsets, steps.next());
  if (ok && e.logits.score.prepare) ok = addOwn(dataset, e, question, *options, steps.next());
  const bool scores = !dataset.curves.empty();
  if (ok && std::holds_alternative<OffsetBias<float>>(e.logits.bias))
    ok = addBias(dataset, *encoding, question, *options, offsets);
  if (!ok) return fail(ok.error());
  if (dataset.curves.empty()) {
    dataset.nothing = whyNothing(e);
    return dataset;
  }
  if (question.shape.keys() < 2) {
    dataset = Dataset{};
    dataset.nothing = {"There is one position only: no key is at a distance.", "只有一个位置：没有隔开距离的键。"};
    return dataset;
  }
  if (std::ranges::none_of(dataset.curves, hasFinite)) {
    dataset = Dataset{};
    dataset.nothing = {"No offset has a finite score: numbers of the encoding are NaN or infinite.",
                       "没有任何偏移的分数是有限值：编码中有 NaN 或无穷大的数值。"};
    return dataset;
  }
  const Curve& curve = dataset.curves.front();
  const auto first = static_cast<std::int64_t>(curve.x.front());
  if (curve.key == "ones") addFalls(dataset, {curve.y.begin() - first, curve.y.end()});
  dataset.x = offsetAxis(first, !options->negative);
  if (!scores)
    dataset.y = valueAxis({"bias", "偏置"});
  else if (options->normalise)
    dataset.y = valueAxis({"relative score", "相对分数"});
  else
    dataset.y = valueAxis({"score", "分数"});
  addTrainedMark(dataset, question.train_length, true);
  return dataset;
}

}  // namespace

Measure relativeDecay() {
  return {"relative_decay",
          {"Relative decay", "相对衰减"},
          {"What the encoding alone says about a key n tokens back: the mean dot product of two rows, the rotary score "
           "of the stated content, or the bias of a head. Only a bias is bound to fall; rotary scores oscillate, and "
           "the bound is an envelope, not a score.",
           "仅凭编码，对前方第 n 个键说了什么：两行的平均点积、所注明内容的旋转分数，或某个头的偏置。"
           "只有偏置才必然下降；旋转分数会振荡，上界只是包络而不是分数。"},
          "[1 + curves, seq_len]: offset, then one row a curve (2·seq_len − 1 columns with `negative`)",
          optionTable().specs(),
          answer};
}

}  // namespace posiscope::measures
