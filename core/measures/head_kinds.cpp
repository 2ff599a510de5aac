// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/axes.h"
#include "core/measures/head_report.h"
#include "core/measures/measures.h"

#include <algorithm>

namespace posiscope::measures {
namespace {

/// The heads of a kind, named: "3 of 8 heads: 0, 2, 5.", or "3 of 24 heads: layer 0: 2, 5; layer 2: 1."
Text namesOf(const std::vector<std::size_t>& members, const HeadReports& reports) {
  const std::size_t all = reports.heads.size();
  const std::size_t per_layer = all / static_cast<std::size_t>(std::max<std::int64_t>(1, reports.layers));
  Text text{join(members.size(), " of ", all, " heads"), join(all, " 个头中的 ", members.size(), " 个")};
  for (std::size_t m = 0; m < members.size(); ++m) {
    const std::int64_t layer = reports.heads[members[m]].layer;
    const bool next_layer = m == 0 || layer != reports.heads[members[m - 1]].layer;
    if (reports.layers > 1 && next_layer) {
      text.en += join(m == 0 ? ": " : "; ", "layer ", layer);
      text.zh += join(m == 0 ? "：" : "；", "层 ", layer);
    }
    text.en += join(next_layer ? ": " : ", ", members[m] % per_layer);
    text.zh += join(next_layer ? "：" : "、", members[m] % per_layer);
  }
  return {text.en + ".", text.zh + "。"};
}

Property propertyOf(heads::Kind kind, const HeadReports& reports) {
  std::vector<std::size_t> members;
  for (std::size_t head = 0; head < reports.heads.size(); ++head)
    if (reports.heads[head].decision.kind == kind) members.push_back(head);
  Property property{heads::kindId(kind), heads::kindName(kind)};
  const std::string count = readable(static_cast<double>(members.size()));
  property.word = {count, count};
  property.value = static_cast<double>(members.size());
  property.unit = "heads";
  property.sentence = namesOf(members, reports);
  return property;
}

Expected<Dataset> answer(const Question& question, const Job& job) {
  const Expected<HeadOptions> options = headOptionTable().read(question.measure, question.options);
  if (!options) return fail(options.error());
  const Expected<HeadReports> reports = reportHeads(question, *options, job);
  if (!reports) return fail(reports.error());
  Dataset dataset;
  for (const heads::Kind kind : heads::all_kinds) dataset.properties.push_back(propertyOf(kind, *reports));
  if (options->layers == LayersShown::all)
    dataset.metrics.push_back({"layers", {"layers", "层数"}, static_cast<double>(reports->layers), "layers"});
  dataset.scope = reports->scope;
  dataset.draft = reports->draft;
  dataset.remarks = reports->remarks;
  return dataset;
}

}  // namespace

Measure headKinds() {
  return {"head_kinds",
          {"Kinds of heads", "注意力头的类型"},
          {"How many heads of this scheme are of each kind, in one layer or in all, for the content and mask of the "
           "left panel. With random "
           "content the kinds show what position alone brings about; the schemes differ, the content does not.",
           "在左侧所选的内容与掩码下，该方案（一层或所有层）各类型的头各有多少。"
           "随机内容下，类型反映的是位置本身的作用：方案不同，内容相同。"},
          "[6, 2]: undetermined, local, global, specific position, periodic, mixed; number of heads, with `layers` all "
          "of all layers, then NaN",
          headOptionTable().specs(),
          answer,
          {"alibi", "t5_log"},
          FiguresOf::attention};
}

}  // namespace posiscope::measures
