// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/head_report.h"

#include "core/content_tokens.h"
#include "core/measures/attended.h"
#include "core/measures/axes.h"
#include "core/measures/layers.h"
#include "core/measures/terms.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <utility>

namespace posiscope::measures {
namespace {

/// The tokens where the patterns are defined: a causal map of all of them.
std::optional<std::vector<std::int64_t>> patternTokens(const Attended& attended) {
  const bool causal = attended.mask.causal && attended.mask.prefix == 0;
  if (!causal || attended.shape().queries() != attended.shape().keys()) return std::nullopt;
  return tokensOf(attended.question.content, attended.shape());
}

std::int64_t tokensAsked(const Question& question, const HeadOptions& options) {
  const std::int64_t whole = question.shape.keys();
  return options.tokens > 0 ? std::min(options.tokens, whole) : whole;
}

Map mapOf(const Attended& attended, const std::shared_ptr<const Mask>& mask, std::int64_t head, Rows<float> weights) {
  const Shape& shape = attended.shape();
  std::vector<float> values(weights.data, weights.data + weights.rows * weights.cols);
  return {join("head ", head), headText(head),         storedField(shape.queries(), shape.keys(), std::move(values)),
          queryAxis(shape),    keyAxis(shape),         {"weight", "权重"},
          MapKind::sequential, static_cast<int>(head), attentionTerm(attended.encoding, shape, mask, head, false)};
}

/// On the axes of all tokens that were asked for; the figures of a draft are those of its tokens and stay.
void spread(std::vector<Map>& maps, std::int64_t tokens) {
  Dataset drafts;
  drafts.maps = std::move(maps);
  spreadDraft(drafts, tokens);
  maps = std::move(drafts.maps);
}

/// The grid whose patches the tokens are, behind the scheme's own first ones: where the sizes have one, or the scheme
/// reads one. `whole`: of the question, of which these may be the first tokens.
std::optional<Grid> patchesOf(const Attended& attended, const Shape& whole) {
  const Encoding<float>& encoding = *attended.encoding;
  const bool in_sizes = whole.grid_height > 0 || whole.grid_width > 0;
  const bool in_scheme = (encoding.rotation && encoding.rotation->axes == 2) || encoding.logits.patch_bias.picture;
  const bool given = attended.given != nullptr;
  if (!in_sizes && (given || !in_scheme)) return std::nullopt;
  if (attended.shape().queries() != attended.shape().keys()) return std::nullopt;
  const Expected<Grid> grid = gridOf(attended.question.measure, whole, encoding.prefix_tokens);
  return grid ? std::optional(*grid) : std::nullopt;
}

/// Judges every head of a layer and puts the reports behind the others.
Outcome addLayer(HeadReports& reports, const Attended& attended, const Shape& whole, const HeadOptions& options,
                 const Job& job, bool keep_weights) {
  const Shape& shape = attended.shape();
  const auto mask = std::make_shared<const Mask>(attended.question.mask);  // one for all heads: it can be large
  const auto tokens = patternTokens(attended);
  const auto grid = patchesOf(attended, whole);
  const auto excluded = static_cast<std::size_t>(options.leave_out);
  const std::size_t first = reports.heads.size();
  reports.heads.resize(first + static_cast<std::size_t>(shape.num_heads));
  if (keep_weights) reports.maps.resize(reports.heads.size());
  return eachHead(attended, job, [&](std::size_t head, std::int64_t index, Rows<float> weights) {
    HeadReport& report = reports.heads[first + head];
    report.layer = shape.layer;
    report.metrics = heads::headMetrics(weights, attended.mask, shape, options);
    report.decision = heads::decideKind(report.metrics, options);
    if (grid)
      report.grid_distance = heads::gridDistance(weights, *grid, options.patch, attended.encoding->prefix_tokens);
    if (keep_weights) reports.maps[first + head] = mapOf(attended, mask, index, weights);
    if (!tokens) return;
    for (const heads::Pattern pattern : heads::all_patterns)
      report.pattern_shares.push_back(heads::patternScores(weights, pattern, *tokens).mul[excluded]);
  });
}

/// What is said beside the reports of `shape`, a part of the question's.
void finish(HeadReports& reports, const Question& question, const Shape& shape, std::int64_t asked) {
  const std::int64_t whole = question.shape.keys();
  reports.draft = question.draft && shape.keys() < asked;
  if (shape.keys() < whole) reports.scope = firstTokensText(shape.keys(), whole, reports.draft);
  if (reports.draft) spread(reports.maps, asked);
}

/// "at least 0.5", or "below 0.38 (1.5 times what uniform attention gives them)".
Text limitText(const heads::Condition& c) {
  const std::string limit = readable(c.limit);
  const bool least = c.at_least == c.holds();
  Text text{(least ? "at least " : "below ") + limit, (least ? "不低于 " : "低于 ") + limit};
  if (!c.multiple) return text;
  const std::string multiple = readable(*c.multiple);
  text.en += " (" + multiple + " times what uniform attention gives them)";
  text.zh += "（均匀注意力相应值的 " + multiple + " 倍）";
  return text;
}

/// " 3 of 10 rows hold NaN and count in no figure.", where some do.
Text damageText(const heads::Decision& decision) {
  if (decision.damaged == 0) return {};
  const std::string some = readable(static_cast<double>(decision.damaged));
  const std::string all = readable(static_cast<double>(decision.rows));
  const bool one = decision.damaged == 1;
  return {" " + some + " of " + all +
              (one ? " rows holds NaN and counts in no figure." : " rows hold NaN and count in no figure."),
          all + " 行中有 " + some + " 行含有 NaN，不计入任何指标。"};
}

/// Of all layers.
Expected<HeadReports> reportAllHeads(const Question& question, const HeadOptions& options, const Job& job) {
  const std::int64_t asked = tokensAsked(question, options);
  HeadReports reports;
  reports.layers = 0;
  Shape shape = question.shape;
  const auto add = [&](std::int64_t, const Attended& attended, const Job& step) -> Outcome {
    shape = attended.shape();
    ++reports.layers;
    for (Remark& remark : remarksOn(attended))
      if (std::ranges::find(reports.remarks, remark.sentence, &Remark::sentence) == reports.remarks.end())
        reports.remarks.push_back(std::move(remark));
    return addLayer(reports, attended, question.shape, options, step, false);
  };
  const std::int64_t tokens = question.draft ? draftTokens(asked) : asked;
  if (Outcome ok = eachLayer(question, tokens, 1, job, add); !ok) return fail(ok.error());
  finish(reports, question, shape, asked);
  return reports;
}

}  // namespace

const ParamTable<HeadOptions>& headOptionTable() {
  static const ParamTable<HeadOptions> table = [] {
    ParamTable<HeadOptions> t;
    t.include(heads::thresholdTable());
    t.integer("tokens", &HeadOptions::tokens, {0, 1 << 24, 0, 8192, false},
              {{"first tokens only", "仅前若干词元"},
               {"Computes only the start of a long sequence; 0 means all of it.", "只计算长序列的开头；0 表示全部。"},
               "",
               "tokens"})
        .unset({"all", "全部"});
    t.choice("leave_out", &HeadOptions::leave_out,
             {{"none", {"nothing", "不排除"}},
              {"first", {"the first token", "首个词元"}},
              {"self", {"the query itself", "查询自身"}},
              {"both", {"both", "两者"}}},
             {{"scores without", "得分排除"},
              {"What the scores for previous, duplicate and induction do not count: many heads look there anyway.",
               "计算前一词元、重复词元与归纳得分时不计入的键：许多头无论如何都会看它们。"}});
    t.choice("layers", &HeadOptions::layers, {{"one", {"the chosen one", "所选的层"}}, {"all", {"all", "全部"}}},
             {{"layers", "层"},
              {"The heads of the layer of the shape, or of all layers.", "列出形状所选层的头，或所有层的头。"}});
    return t;
  }();
  return table;
}

Expected<HeadReports> reportHeads(const Question& question, const HeadOptions& options, const Job& job,
                                  bool keep_weights) {
  if (options.layers == LayersShown::all) return reportAllHeads(question, options, job);
  const std::int64_t asked = tokensAsked(question, options);
  Expected<FirstTokens> part = askedTokens(question, question.draft ? draftTokens(asked) : asked);
  if (!part) return fail(part.error());
  const double kept = keep_weights ? static_cast<double>(question.shape.num_heads) : 0;
  const auto attended = attendedBy(*std::move(part), AttentionPart::both, 1 + kept, job);
  if (!attended) return fail(attended.error());
  HeadReports reports;
  if (Outcome ok = addLayer(reports, *attended, question.shape, options, job, keep_weights); !ok)
    return fail(ok.error());
  reports.remarks = remarksOn(*attended);
  finish(reports, question, attended->shape(), asked);
  return reports;
}

Text evidenceOf(const heads::Decision& decision) {
  Text sentence = heads::kindName(decision.kind);
  sentence.en[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence.en[0])));
  const heads::Condition* before = nullptr;
  for (const heads::Condition& c : decision.conditions) {
    // What failed is the reason only where nothing fitted; of two conditions of which one is enough, the one that held.
    const bool decides = c.kind == decision.kind && (decision.kind != heads::Kind::undetermined || c.holds());
    const bool failed = decision.kind == heads::Kind::mixed && c.kind != heads::Kind::undetermined && !c.holds();
    if (!decides && !failed) continue;
    const Text limit = limitText(c);
    if (before && before->what == c.what) {  // one number, and a further limit
      sentence.en += " and " + limit.en;
      sentence.zh += "，且" + limit.zh;
    } else {
      sentence.en += (before ? "; " : ": ") + c.what.en + " is " + readable(c.found) + ", " + limit.en;
      sentence.zh += (before ? "；" : "：") + c.what.zh + "为 " + readable(c.found) + "，" + limit.zh;
    }
    before = &c;
  }
  const Text damaged = damageText(decision);
  return {sentence.en + "." + damaged.en, sentence.zh + "。" + damaged.zh};
}

}  // namespace posiscope::measures
