// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dataset.h"

#include "core/shape.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace posiscope {
namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

bool shareAbscissa(const std::vector<Curve>& curves) {
  return std::ranges::all_of(curves, [&](const Curve& c) { return c.x == curves.front().x; });
}

template <class Real>
void append(std::string& text, Real value) {
  if (value == 0) value = 0;  // a slope times no distance is −0, which reads as if it meant something
  char buffer[40];
  text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

/// A name as a CSV field: quoted when it holds what separates fields.
std::string field(const std::string& name) {
  if (name.find_first_of(",\"\n") == std::string::npos) return name;
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string axisName(const Axis& axis) { return field(axis.symbol.empty() ? axis.name.en : axis.symbol); }

struct Extent {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
};

Extent largest(const std::vector<Map>& maps) {
  Extent extent;
  for (const Map& map : maps) {
    extent.rows = std::max(extent.rows, map.field->rows());
    extent.cols = std::max(extent.cols, map.field->cols());
  }
  return extent;
}

Array mapNumbers(const std::vector<Map>& maps) {
  const Extent extent = largest(maps);
  const auto count = static_cast<std::int64_t>(maps.size());
  std::vector<double> values(static_cast<std::size_t>(count * extent.rows * extent.cols), nan_value);
  double* out = values.data();
  for (const Map& map : maps) {
    for (std::int64_t r = 0; r < map.field->rows(); ++r)
      for (std::int64_t c = 0; c < map.field->cols(); ++c)
        out[r * extent.cols + c] = static_cast<double>(map.field->at(r, c));
    out += extent.rows * extent.cols;
  }
  if (count == 1) return makeArray({extent.rows, extent.cols}, std::move(values));
  return makeArray({count, extent.rows, extent.cols}, std::move(values));
}

Array curveNumbers(const std::vector<Curve>& curves) {
  const bool shared = shareAbscissa(curves);
  std::size_t points = 0;
  for (const Curve& c : curves) points = std::max(points, c.y.size());
  std::vector<double> values;
  const auto addRow = [&](const std::vector<double>& row) {
    values.insert(values.end(), row.begin(), row.end());
    values.insert(values.end(), points - std::min(points, row.size()), nan_value);
  };
  for (std::size_t c = 0; c < curves.size(); ++c) {
    if (!shared || c == 0) addRow(curves[c].x);
    addRow(curves[c].y);
  }
  const auto width = static_cast<std::int64_t>(points);
  const auto rows = points == 0 ? 0 : static_cast<std::int64_t>(values.size() / points);
  return makeArray({rows, width}, std::move(values));
}

std::string mapText(const std::vector<Map>& maps) {
  const bool several = maps.size() > 1;
  const Map& widest = *std::ranges::max_element(maps, {}, [](const Map& m) { return m.field->cols(); });
  std::string text = (several ? "map," : "") + axisName(maps.front().rows);
  for (std::int64_t c = 0; c < widest.field->cols(); ++c) {
    text += "," + (widest.cols.symbol.empty() ? std::string("c") : widest.cols.symbol);
    append(text, widest.cols.first + widest.cols.step * static_cast<double>(c));
  }
  text += '\n';
  for (const Map& map : maps)
    for (std::int64_t r = 0; r < map.field->rows(); ++r) {
      if (several) text += field(map.key) + ",";
      append(text, map.rows.first + map.rows.step * static_cast<double>(r));
      for (std::int64_t c = 0; c < widest.field->cols(); ++c) {
        text += ',';
        if (c < map.field->cols()) append(text, map.field->at(r, c));
      }
      text += '\n';
    }
  return text;
}

std::string curveText(const Dataset& dataset) {
  const std::vector<Curve>& curves = dataset.curves;
  std::string text;
  if (!shareAbscissa(curves)) {
    text = "curve,x,y\n";
    for (const Curve& curve : curves)
      for (std::size_t k = 0; k < curve.y.size(); ++k) {
        text += field(curve.key) + ",";
        append(text, curve.x[k]);
        text += ',';
        append(text, curve.y[k]);
        text += '\n';
      }
    return text;
  }
  text = axisName(dataset.x);
  for (const Curve& curve : curves) text += "," + field(curve.key);
  text += '\n';
  for (std::size_t k = 0; k < curves.front().x.size(); ++k) {
    append(text, curves.front().x[k]);
    for (const Curve& curve : curves) {
      text += ',';
      append(text, curve.y[k]);
    }
    text += '\n';
  }
  return text;
}

Array propertyNumbers(const std::vector<Property>& properties) {
  std::vector<double> values;
  for (const Property& p : properties) values.insert(values.end(), {p.value, p.tolerance});
  return makeArray({static_cast<std::int64_t>(properties.size()), 2}, std::move(values));
}

std::string propertyText(const std::vector<Property>& properties) {
  std::string text = "property,answer,value,unit,tolerance\n";
  const auto number = [&text](double value) {
    if (!std::isnan(value)) append(text, value);
  };
  for (const Property& p : properties) {
    text += field(p.key) + "," + field(p.word.en) + ",";
    number(p.value);
    text += "," + field(p.unit) + ",";
    number(p.tolerance);
    text += '\n';
  }
  return text;
}

}  // namespace

Outcome checkNumbers(const Dataset& dataset) {
  const Extent extent = largest(dataset.maps);
  // 12 bytes: what "-0.12345679," takes, the usual length of a single-precision number as text.
  return checkMemory("the map written out", 12.0 * static_cast<double>(dataset.maps.size()) *
                                                static_cast<double>(extent.rows) * static_cast<double>(extent.cols));
}

Array numbers(const Dataset& dataset) {
  if (!checkNumbers(dataset)) return {};
  if (!dataset.maps.empty()) return mapNumbers(dataset.maps);
  if (!dataset.curves.empty()) return curveNumbers(dataset.curves);
  if (!dataset.properties.empty()) return propertyNumbers(dataset.properties);
  std::vector<double> values;
  for (const Metric& metric : dataset.metrics) values.push_back(metric.value);
  const auto count = static_cast<std::int64_t>(values.size());
  return makeArray({count}, std::move(values));
}

std::string csv(const Dataset& dataset) {
  if (!checkNumbers(dataset)) return {};
  if (!dataset.maps.empty()) return mapText(dataset.maps);
  if (!dataset.curves.empty()) return curveText(dataset);
  if (!dataset.properties.empty()) return propertyText(dataset.properties);
  std::string text = "metric,value,unit\n";
  for (const Metric& metric : dataset.metrics) {
    text += field(metric.key) + ",";
    append(text, metric.value);
    text += "," + field(metric.unit) + "\n";
  }
  return text;
}

}  // namespace posiscope
