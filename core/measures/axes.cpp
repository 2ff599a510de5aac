// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/axes.h"

#include "core/error.h"
#include "core/screen_number.h"

#include <cmath>

namespace posiscope::measures {
namespace {

Axis tokens(Text name, std::string symbol, double first) {
  Axis axis;
  axis.name = std::move(name);
  axis.symbol = std::move(symbol);
  axis.unit = "tokens";
  axis.first = first;
  return axis;
}

Axis counted(Text name, std::string symbol) {
  Axis axis;
  axis.name = std::move(name);
  axis.symbol = std::move(symbol);
  return axis;
}

}  // namespace

Axis positionAxis(const Shape& shape) { return tokens({"position", "位置"}, "i", shape.first_position); }
Axis queryAxis(const Shape& shape) {
  return tokens({"query", "查询"}, "i", shape.first_position + static_cast<double>(shape.queryOffset()));
}
Axis keyAxis(const Shape& shape) { return tokens({"key", "键"}, "j", shape.first_position); }
Axis dimensionAxis() { return counted({"dimension", "维度"}, "d"); }
Axis pairAxis() { return counted({"pair", "维度对"}, "p"); }
Axis headAxis() { return counted({"head", "头"}, "h"); }

Axis patchRowAxis() { return counted({"row", "行"}, "r"); }
Axis patchColumnAxis() { return counted({"column", "列"}, "c"); }

Axis rowOffsetAxis(std::int64_t first) {
  Axis axis = counted({"row offset", "行偏移"}, "Δr");
  axis.first = static_cast<double>(first);
  return axis;
}

Axis columnOffsetAxis(std::int64_t first) {
  Axis axis = counted({"column offset", "列偏移"}, "Δc");
  axis.first = static_cast<double>(first);
  return axis;
}

Axis offsetAxis(std::int64_t first, bool logarithmic) {
  Axis axis = tokens({"offset i − j", "偏移 i − j"}, "n", static_cast<double>(first));
  axis.logarithmic = logarithmic;
  return axis;
}

Axis valueAxis(Text name, std::string unit, bool logarithmic) {
  Axis axis;
  axis.name = std::move(name);
  axis.unit = std::move(unit);
  axis.logarithmic = logarithmic;
  return axis;
}

Text patchesText(std::int64_t height, std::int64_t width) {
  return {join(height, " × ", width, " patches"), join(height, " × ", width, " 个图块")};
}

Text headText(std::int64_t head) { return {join("head ", head), join("头 ", head)}; }

void addTrainedMark(Dataset& dataset, double train_length, bool vertical) {
  if (train_length <= 0) return;
  const std::string length = readable(train_length);
  dataset.marks.push_back({{"trained " + length, "训练长度 " + length}, vertical, train_length, train_length});
}

std::string readable(double value) {
  if (value == 0 || value == std::round(value) || !std::isfinite(value)) return screenNumber(value);
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 3);  // four digits
  return screenNumber(std::abs(value) >= 1000 ? std::round(value) : std::round(value / unit) * unit);
}

}  // namespace posiscope::measures
