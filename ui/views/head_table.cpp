// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/head_table.h"

#include "ui/views/head_answer.h"
#include "ui/views/scheme_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <QStringList>

namespace posiscope::ui {
namespace {

constexpr double nothing_known = std::numeric_limits<double>::quiet_NaN();

const Curve* figureOf(const Dataset& dataset, const std::string& key) {
  const auto found = std::ranges::find(dataset.curves, key, &Curve::key);
  return found == dataset.curves.end() ? nullptr : &*found;
}

std::int64_t headCount(const Dataset& dataset) {
  const Curve* kinds = figureOf(dataset, "kind");
  return kinds ? static_cast<std::int64_t>(kinds->y.size()) : 0;
}

/// Where the heads of all layers are told, how many each has; else 0.
std::int64_t headsOfLayer(const Dataset& dataset) {
  const auto layers = std::ranges::find(dataset.metrics, "layers", &Metric::key);
  return layers == dataset.metrics.end() ? 0
                                         : headCount(dataset) / std::max<std::int64_t>(1, std::llround(layers->value));
}

void addSections(HeadTable& table, const ViewContext& context, const HeadChoice& choice) {
  const std::vector<Answer>& answers = context.answers();
  const std::vector<SchemeChoice>& schemes = context.result->request.experiment.schemes;
  for (std::size_t s = 0; s < std::min(answers.size(), schemes.size()); ++s) {
    if (choice.selected && static_cast<int>(s) != context.presentation.selected) continue;
    const QString name = table.style.text(displayName(schemes[s], schemes));
    if (!answers[s].dataset) {
      table.failures.push_back(failureText(name, answers[s].dataset.error(), table.style));
      continue;
    }
    const std::shared_ptr<const Dataset>& dataset = *answers[s].dataset;
    if (!dataset || headCount(*dataset) == 0) continue;
    table.per_layer = headsOfLayer(*dataset);
    table.sections.push_back({dataset, name, schemeColour(schemes[s].colour), static_cast<int>(s)});
    if (table.scope.isEmpty()) table.scope = table.style.text(dataset->scope);
  }
  std::vector<int> shown;
  for (const HeadSection& section : table.sections) shown.push_back(section.scheme);
  table.scope = withDrawnNotes(table.scope, schemes, shown, table.style);
}

/// The head, its kind, and every figure that some scheme has: not all have scores for patterns.
void addColumns(HeadTable& table) {
  const auto widest = std::ranges::max_element(
      table.sections, {}, [](const HeadSection& section) { return section.dataset->curves.size(); });
  if (widest == table.sections.end()) return;
  table.columns = {
      {"head", table.style.text(table.per_layer > 0 ? Text{"layer · head", "层 · 头"} : Text{"head", "头"}), 0}};
  for (const Curve& curve : widest->dataset->curves) {
    if (curve.key == "layer") continue;  // it stands before the head
    HeadColumn column{curve.key, table.style.text(curve.label), 0};
    for (const HeadSection& section : table.sections)
      if (const Curve* figure = figureOf(*section.dataset, curve.key))
        for (const double value : figure->y)
          if (std::isfinite(value)) column.largest = std::max(column.largest, value);
    table.columns.push_back(std::move(column));
  }
}

/// The heads of a section in the chosen order. Equal ones stay in theirs; what is not known stands last.
std::vector<std::int64_t> orderedHeads(const HeadTable& table, std::size_t section) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(headCount(*table.sections[section].dataset)));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  const auto by = std::ranges::find(table.columns, table.sort, &HeadColumn::key);
  if (by == table.columns.end()) return order;
  const auto column = static_cast<std::size_t>(by - table.columns.begin());
  const auto rank = [&](std::int64_t head) {
    const double value = table.value({section, head}, column);
    return std::pair(std::isnan(value), table.descending ? -value : value);
  };
  std::ranges::stable_sort(order, [&](std::int64_t a, std::int64_t b) {
    const auto [a_unknown, a_value] = rank(a);
    const auto [b_unknown, b_value] = rank(b);
    return a_unknown != b_unknown ? b_unknown : !a_unknown && a_value < b_value;
  });
  return order;
}

void addLines(HeadTable& table) {
  for (std::size_t section = 0; section < table.sections.size(); ++section) {
    if (table.sections.size() > 1) table.lines.push_back({section, -1});
    for (const std::int64_t head : orderedHeads(table, section)) table.lines.push_back({section, head});
  }
}

}  // namespace

std::optional<heads::Kind> HeadTable::kind(const HeadLine& line) const {
  return kindOf(*sections[line.section].dataset, line.head);
}

QString HeadTable::number(const HeadLine& line) const {
  const QString head = QString::number(headOf(line));
  return per_layer > 0 ? QString::number(layerOf(line)) + QStringLiteral(" · ") + head : head;
}

bool HeadTable::isHead(const HeadLine& line, std::int64_t head) const {
  return line.head >= 0 && headOf(line) == head && (per_layer == 0 || layerOf(line) == chosen / per_layer);
}

double HeadTable::value(const HeadLine& line, std::size_t column) const {
  if (line.head < 0 || column >= columns.size()) return nothing_known;
  if (column == 0) return static_cast<double>(line.head);
  const Curve* figure = figureOf(*sections[line.section].dataset, columns[column].key);
  const auto head = static_cast<std::size_t>(line.head);
  return figure && head < figure->y.size() ? figure->y[head] : nothing_known;
}

HeadTable makeHeadTable(const ViewContext& context, const HeadChoice& choice) {
  HeadTable table;
  table.style = context.style;
  table.stale = context.stale();
  table.sort = choice.sort;
  table.descending = choice.descending;
  table.chosen = context.presentation.head;
  if (context.answers().empty() || !anyVisible(context.experiment)) {
    table.stale = false;
    table.nothing = nothingText(context, true);
    return table;
  }
  addSections(table, context, choice);
  if (table.per_layer > 0) table.chosen += context.experiment.shape.layer * table.per_layer;
  addColumns(table);
  addLines(table);
  if (table.lines.empty() && table.failures.empty()) table.nothing = nothingText(context, table.stale);
  return table;
}

QString evidenceOf(const HeadTable& table, const HeadLine& line) {
  return evidenceOf(*table.sections[line.section].dataset, line.head, table.style);
}

QString headText(const HeadTable& table, const HeadLine& line) {
  const QString& scheme = table.sections[line.section].name;
  if (line.head < 0) return scheme;
  const Text text =
      table.per_layer > 0 ? Text{"%1 · layer %3 · head %2", "%1 · 层 %3 · 头 %2"} : Text{"%1 · head %2", "%1 · 头 %2"};
  const QString name = table.style.text(text).arg(scheme).arg(table.headOf(line));
  return (table.per_layer > 0 ? name.arg(table.layerOf(line)) : name) + QLatin1Char('\n') + evidenceOf(table, line);
}

}  // namespace posiscope::ui
