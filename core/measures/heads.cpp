// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/axes.h"
#include "core/measures/head_report.h"
#include "core/measures/measures.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <utility>

namespace posiscope::measures {
namespace {

using heads::Metrics;

/// One column of the table.
struct Column {
  std::string key;
  Text label;
  std::string formula;
  std::function<double(const HeadReport&)> value;
};

Column metric(std::string key, Text label, std::string formula, double Metrics::*member) {
  return {std::move(key), std::move(label), std::move(formula),
          [member](const HeadReport& report) { return report.metrics.*member; }};
}

std::vector<Column> massColumns() {
  return {
      metric("local_mass", {"near mass", "邻近权重"}, "⟨Σ A[i, j], |n| ≤ w⟩ᵢ", &Metrics::local_mass),
      metric("local_mass_uniform", {"near mass if uniform", "均匀时的邻近权重"}, "⟨Σ 1/nᵢ, |n| ≤ w⟩ᵢ",
             &Metrics::local_mass_uniform),
      metric("sink_mass", {"mass on the first key", "首个键的权重"}, "⟨A[i, 0]⟩ᵢ", &Metrics::sink_mass),
      metric("diag_score", {"on itself", "自身"}, "⟨A[i, i]⟩ᵢ", &Metrics::diag_score),
      metric("prev_score", {"on the previous", "前一词元"}, "⟨A[i, i − 1]⟩ᵢ", &Metrics::prev_score),
      metric("next_score", {"on the next", "后一词元"}, "⟨A[i, i + 1]⟩ᵢ", &Metrics::next_score),
      metric("col_top2_mass", {"two largest columns", "最大两列的权重"}, "max₂ ⟨A[i, j]⟩ᵢ", &Metrics::col_top2_mass),
      metric("col_top2_uniform", {"two largest if uniform", "均匀时的最大两列"}, "max₂ ⟨1/nᵢ⟩ᵢ",
             &Metrics::col_top2_uniform)};
}

std::vector<Column> spreadColumns() {
  return {
      metric("entropy_mean", {"entropy", "熵"}, "⟨−Σⱼ A ln A⟩ᵢ", &Metrics::entropy_mean),
      metric("entropy_norm_mean", {"relative entropy", "相对熵"}, "⟨−Σⱼ A ln A / ln nᵢ⟩ᵢ", &Metrics::entropy_norm_mean),
      metric("mean_distance", {"mean distance", "平均距离"}, "⟨Σⱼ A·|n|⟩ᵢ", &Metrics::mean_distance),
      metric("mean_distance_uniform", {"mean distance if uniform", "均匀时的平均距离"}, "⟨Σⱼ |n| / nᵢ⟩ᵢ",
             &Metrics::mean_distance_uniform)};
}

std::vector<Column> periodColumns() {
  const auto of = [](std::string key, Text label, std::string formula, auto value) {
    return Column{std::move(key), std::move(label), std::move(formula),
                  [value](const HeadReport& r) { return static_cast<double>(value(r.metrics.periodicity)); }};
  };
  using Found = const heads::Periodicity&;
  return {of("periodicity_score", {"periodicity", "周期性"}, "max r(k)", [](Found p) { return p.score; }),
          of("period", {"period", "周期"}, "min k, r(k) ≥ 0.9 max r", [](Found p) { return p.period; }),
          of("profile_cv", {"spread by distance", "按距离的离散度"}, "σ(P) / ⟨P⟩", [](Found p) { return p.cv; })};
}

std::vector<Column> patternColumns() {
  std::vector<Column> columns;
  const std::vector<Text> labels{
      {"previous token", "前一词元得分"}, {"duplicate token", "重复词元得分"}, {"induction", "归纳得分"}};
  for (std::size_t p = 0; p < labels.size(); ++p)
    columns.push_back({join(heads::patternId(heads::all_patterns[p]), "_score"), labels[p], "Σ A·P / Σ A",
                       [p](const HeadReport& report) { return report.pattern_shares[p]; }});
  return columns;
}

std::vector<Column> gridColumns() {
  return {{"grid_distance",
           {"distance on the grid", "网格距离"},
           "patch · ⟨Σⱼ A·√(Δy² + Δx²)⟩ᵢ",
           [](const HeadReport& report) { return report.grid_distance.value_or(std::nan("")); }}};
}

/// Those that a head has; all of them without one.
std::vector<Column> columnsOf(const HeadReport* report) {
  std::vector<Column> columns{
      {"kind", {"kind", "类型"}, "", [](const HeadReport& r) { return static_cast<double>(r.decision.kind); }}};
  columns.back().formula = "0 ?, 1 local, 2 global, 3 specific, 4 periodic, 5 mixed";
  const auto add = [&columns](std::vector<Column> group) { std::ranges::move(group, std::back_inserter(columns)); };
  add(spreadColumns());
  add(massColumns());
  add(periodColumns());
  if (!report || !report->pattern_shares.empty()) add(patternColumns());
  if (!report || report->grid_distance) add(gridColumns());
  return columns;
}

void addTable(Dataset& dataset, const std::vector<HeadReport>& reports, bool of_layers) {
  std::vector<Column> columns = columnsOf(&reports.front());
  if (of_layers)
    columns.insert(columns.begin(),
                   {{"layer", {"layer", "层"}, "", [](const HeadReport& r) { return static_cast<double>(r.layer); }}});
  for (const Column& column : columns) {
    Curve curve{column.key, column.label, CurveRole::line, {}, {}};
    for (std::size_t head = 0; head < reports.size(); ++head) {
      curve.x.push_back(static_cast<double>(head));
      curve.y.push_back(column.value(reports[head]));
    }
    curve.term = [formula = column.formula](double) { return formula; };
    dataset.curves.push_back(std::move(curve));
  }
  dataset.x = headAxis();
  // No head of the question, where each layer has its own.
  if (of_layers) dataset.x = valueAxis({"head, layer by layer", "头（逐层排列）"});
  dataset.y = valueAxis({"figure of the head", "该头的指标"});
}

/// The number that decided: the first condition of the kind that holds, or the last one that failed.
const heads::Condition& deciding(const heads::Decision& decision) {
  const auto found = std::ranges::find_if(
      decision.conditions, [&](const heads::Condition& c) { return c.kind == decision.kind && c.holds(); });
  return found == decision.conditions.end() ? decision.conditions.back() : *found;
}

/// The kind of each head, with what decided it.
void addKinds(Dataset& dataset, const HeadReports& reports) {
  const std::int64_t heads = std::ssize(reports.heads) / reports.layers;
  for (std::size_t at = 0; at < reports.heads.size(); ++at) {
    const HeadReport& report = reports.heads[at];
    const heads::Decision& decision = report.decision;
    const heads::Condition& condition = deciding(decision);
    const Text head = headText(static_cast<std::int64_t>(at) % heads);
    Property property{head.en, head};
    if (reports.layers > 1) {
      property.key = join("layer ", report.layer, " ", head.en);
      property.question = {join("layer ", report.layer, " · ", head.en), join("层 ", report.layer, " · ", head.zh)};
    }
    property.word = heads::kindName(decision.kind);
    property.value = condition.found;
    property.tolerance = condition.limit;
    property.sentence = evidenceOf(decision);
    dataset.properties.push_back(std::move(property));
  }
}

struct Options : HeadOptions {
  bool maps = false;
};

const ParamTable<Options>& optionTable() {
  static const ParamTable<Options> table = [] {
    ParamTable<Options> t;
    t.include(headOptionTable());
    t.boolean("maps", &Options::maps,
              {{"with the weights", "连同权重"},
               {"Also answers with the weights of each head, as maps.", "同时给出每个头的权重图。"}});
    t.real("patch", &Options::patch, {1e-6, 1e6, 1, 32, true},
           {{"side of a patch", "图块边长"},
            {"What the distance on the grid counts in: 1 gives patches, 16 the pixels of patches of 16 × 16.",
             "网格距离的单位：1 表示以图块计，16 表示以 16 × 16 图块的像素计。"}});
    return t;
  }();
  return table;
}

Expected<Dataset> answer(const Question& question, const Job& job) {
  const Expected<Options> options = optionTable().read(question.measure, question.options);
  if (!options) return fail(options.error());
  const bool of_layers = options->layers == LayersShown::all;
  if (of_layers && options->maps)
    return fail(ErrorCode::not_supported, "heads: the weights are given for one layer, so layers must be one, got all",
                "heads：权重图只针对一层给出，因此 layers 必须为 one，得到 all");
  Expected<HeadReports> reports = reportHeads(question, *options, job, options->maps);
  if (!reports) return fail(reports.error());
  Dataset dataset;
  dataset.maps = std::move(reports->maps);
  addTable(dataset, reports->heads, of_layers);
  addKinds(dataset, *reports);
  const Metrics& first = reports->heads.front().metrics;
  dataset.metrics.push_back(
      {"window", {"near: keys within", "邻近：距离不超过"}, static_cast<double>(first.window), "tokens"});
  const Text rows = first.damaged == 0 ? Text{"queries that see a key", "能看到键的查询"}
                                       : Text{"queries that see a key, without NaN", "能看到键且不含 NaN 的查询"};
  dataset.metrics.push_back({"rows", rows, static_cast<double>(first.rows), ""});
  if (of_layers)
    dataset.metrics.push_back({"layers", {"layers", "层数"}, static_cast<double>(reports->layers), "layers"});
  dataset.scope = reports->scope;
  dataset.draft = reports->draft;
  dataset.remarks = reports->remarks;
  return dataset;
}

}  // namespace

std::vector<Choice> headFigures() {
  std::vector<Choice> figures;
  for (const Column& column : columnsOf(nullptr)) figures.push_back({column.key, column.label});
  return figures;
}

Measure attentionHeads() {
  return {
      "heads",
      {"Heads", "注意力头"},
      {"Each head with what its weights do: how far it looks, how much it spreads, whether it keeps to some keys or "
       "comes back at a distance, and the kind that follows from the thresholds. A kind belongs to this content and "
       "this mask; a trained head may be of another kind on other text.",
       "每个头的权重特征：看多远、分散程度、是否固定看某些键或按某个距离重复，以及由阈值得出的类型。"
       "类型只针对当前内容与掩码；训练好的头在其他文本上可能属于另一类型。"},
      "[1 + figures, num_heads]: row 0 the head, row 1 the kind (0 undetermined, 1 local, 2 global, 3 specific "
      "position, 4 periodic, 5 mixed), then the figures; with known tokens and a causal mask also the scores for "
      "previous, duplicate and induction; where the sizes or the scheme have a grid, last the mean distance from patch "
      "to patch × `patch`; with `layers` all the heads of all layers, layer by layer, and the layer as row 1; with "
      "`maps` the weights [num_heads, L_q, L_k] instead",
      optionTable().specs(),
      answer,
      {"alibi", "t5_log"},
      FiguresOf::attention};
}

}  // namespace posiscope::measures
