// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/axes.h"
#include "core/measures/head_report.h"
#include "core/measures/measures.h"

#include <algorithm>

namespace posiscope::measures {
namespace {

/// The heads of a kind, named: "3 of 8 heads: 0, 2, 5".
Text namesOf(const std::vector<std::size_t>& members, std::size_t all) {
  Text text{join(members.size(), " of ", all, " heads"), join(all, " 个头中的 ", members.size(), " 个")};
  for (std::size_t m = 0; m < members.size(); ++m) {
    text.en += join(m == 0 ? ": " : ", ", members[m]);
    text.zh += join(m == 0 ? "：" : "、", members[m]);
  }
  return {text.en + ".", text.zh + "。"};
}

Property propertyOf(heads::Kind kind, const std::vector<HeadReport>& reports) {
  std::vector<std::size_t> members;
  for (std::size_t head = 0; head < reports.size(); ++head)
    if (reports[head].decision.kind == kind) members.push_back(head);
  Property property{heads::kindId(kind), heads::kindName(kind)};
  const std::string count = readable(static_cast<double>(members.size()));
  property.word = {count, count};
  property.value = static_cast<double>(members.size());
  property.unit = "heads";
  property.sentence = namesOf(members, reports.size());
  return property;
}

Expected<Dataset> answer(const Question& question, const Job& job) {
  const Expected<HeadOptions> options = headOptionTable().read(question.measure, question.options);
  if (!options) return fail(options.error());
  const Expected<HeadReports> reports = reportHeads(question, *options, job);
  if (!reports) return fail(reports.error());
  Dataset dataset;
  for (const heads::Kind kind : heads::all_kinds) dataset.properties.push_back(propertyOf(kind, reports->heads));
  dataset.scope = reports->scope;
  dataset.draft = reports->draft;
  dataset.remarks = reports->remarks;
  return dataset;
}

}  // namespace

Measure headKinds() {
  return {"head_kinds",
          {"Kinds of heads", "注意力头的类型"},
          {"How many heads of this scheme are of each kind, for the content and mask of the left panel. With random "
           "content the kinds show what position alone brings about; the schemes differ, the content does not.",
           "在左侧所选的内容与掩码下，该方案各类型的头各有多少。"
           "随机内容下，类型反映的是位置本身的作用：方案不同，内容相同。"},
          "[6, 2]: undetermined, local, global, specific position, periodic, mixed; number of heads, then NaN",
          headOptionTable().specs(),
          answer,
          {"alibi", "t5_log"},
          FiguresOf::attention};
}

}  // namespace posiscope::measures
