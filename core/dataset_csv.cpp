// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The numbers of a dataset as CSV.
#include "core/csv_field.h"
#include "core/dataset_pieces.h"
#include "core/formula_field.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <vector>

namespace posiscope {
namespace {

bool shareAbscissa(const std::vector<Curve>& curves) {
  return std::ranges::all_of(curves, [&](const Curve& c) { return c.x == curves.front().x; });
}

template <class Real>
void append(std::string& text, Real value) {
  if (value == 0) value = 0;  // a slope times no distance is −0, which reads as if it meant something
  char buffer[40];
  text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

std::string axisName(const Axis& axis) { return csvField(axis.symbol.empty() ? axis.name.en : axis.symbol); }

/// Takes lines and passes them on about a megabyte at a time.
class Pieces {
 public:
  explicit Pieces(const std::function<Outcome(std::string_view)>& take) : take_(take) {}

  std::string& text() { return text_; }
  Outcome endLine() {
    constexpr std::size_t piece = 1 << 20;
    text_ += '\n';
    return text_.size() < piece ? Outcome{} : flush();
  }
  Outcome flush() {
    if (text_.empty()) return {};
    Outcome taken = take_(text_);
    text_.clear();
    return taken;
  }

 private:
  const std::function<Outcome(std::string_view)>& take_;
  std::string text_;
};

/// Columns that stand beside the numbers of maps: other names of their rows, such as the rows of a file.
std::vector<const Curve*> rowNames(const Dataset& dataset) {
  std::vector<const Curve*> names;
  if (dataset.x.symbol.empty() || dataset.x.symbol != dataset.maps.front().rows.symbol) return names;
  for (const Curve& curve : dataset.curves)
    if (curve.role == CurveRole::mark) names.push_back(&curve);
  return names;
}

void appendHeader(std::string& text, const Map& first, const Map& widest, bool several,
                  const std::vector<const Curve*>& names) {
  text += (several ? "map," : "") + axisName(first.rows);
  for (const Curve* name : names) text += "," + csvField(name->key);
  for (std::int64_t c = 0; c < widest.field->cols(); ++c) {
    text += "," + (widest.cols.symbol.empty() ? std::string("c") : widest.cols.symbol);
    append(text, widest.cols.first + widest.cols.step * static_cast<double>(c));
  }
}

Outcome mapPieces(const Dataset& dataset, const Job& job, const std::function<Outcome(std::string_view)>& take) {
  const std::vector<Map>& maps = dataset.maps;
  const std::vector<const Curve*> names = rowNames(dataset);
  const bool several = maps.size() > 1;
  const Map& widest = *std::ranges::max_element(maps, {}, [](const Map& m) { return m.field->cols(); });
  double rows = 0;
  for (const Map& map : maps) rows += static_cast<double>(map.field->rows());
  Pieces pieces(take);
  std::string& text = pieces.text();
  appendHeader(text, maps.front(), widest, several, names);
  if (Outcome ok = pieces.endLine(); !ok) return ok;
  RowReader reader;
  double done = 0;
  for (const Map& map : maps)
    for (std::int64_t r = 0; r < map.field->rows(); ++r) {
      if (several) text += csvField(map.key) + ",";
      append(text, map.rows.first + map.rows.step * static_cast<double>(r));
      for (const Curve* name : names) {
        text += ',';
        if (r < std::ssize(name->y)) append(text, name->y[static_cast<std::size_t>(r)]);
      }
      const Expected<std::vector<float>> cells = reader.row(*map.field, r);
      if (!cells) return fail(cells.error());
      for (std::int64_t c = 0; c < widest.field->cols(); ++c) {
        text += ',';
        if (c < map.field->cols()) append(text, (*cells)[static_cast<std::size_t>(c)]);
      }
      if (job.stopped()) return writingStopped();
      if (Outcome ok = pieces.endLine(); !ok) return ok;
      job.setProgress(++done / rows);
    }
  return pieces.flush();
}

std::string curveText(const Dataset& dataset) {
  const std::vector<Curve>& curves = dataset.curves;
  std::string text;
  if (!shareAbscissa(curves)) {
    text = "curve,x,y\n";
    for (const Curve& curve : curves)
      for (std::size_t k = 0; k < curve.y.size(); ++k) {
        text += csvField(curve.key) + ",";
        append(text, curve.x[k]);
        text += ',';
        append(text, curve.y[k]);
        text += '\n';
      }
    return text;
  }
  text = axisName(dataset.x);
  for (const Curve& curve : curves) text += "," + csvField(curve.key);
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

std::string propertyText(const std::vector<Property>& properties) {
  std::string text = "property,answer,value,unit,tolerance\n";
  const auto number = [&text](double value) {
    if (!std::isnan(value)) append(text, value);
  };
  for (const Property& p : properties) {
    text += csvField(p.key) + "," + csvField(p.word.en) + ",";
    number(p.value);
    text += "," + csvField(p.unit) + ",";
    number(p.tolerance);
    text += '\n';
  }
  return text;
}

std::string metricText(const std::vector<Metric>& metrics) {
  std::string text = "metric,value,unit\n";
  for (const Metric& metric : metrics) {
    text += csvField(metric.key) + ",";
    append(text, metric.value);
    text += "," + csvField(metric.unit) + "\n";
  }
  return text;
}

/// What is short enough to be made at once.
std::string shortText(const Dataset& dataset) {
  if (!dataset.curves.empty()) return curveText(dataset);
  if (!dataset.properties.empty()) return propertyText(dataset.properties);
  return metricText(dataset.metrics);
}

}  // namespace

tl::unexpected<Error> writingStopped() {
  return fail(ErrorCode::cancelled, "writing the numbers was stopped", "写出数值已停止");
}

Outcome csvPieces(const Dataset& dataset, const Job& job, const std::function<Outcome(std::string_view)>& take) {
  if (Outcome fits = checkNumbers(dataset); !fits) return fits;
  if (!dataset.maps.empty()) return mapPieces(dataset, job, take);
  if (job.stopped()) return writingStopped();
  if (Outcome ok = take(shortText(dataset)); !ok) return ok;
  job.setProgress(1);
  return {};
}

std::string csv(const Dataset& dataset) {
  std::string text;
  const Outcome whole = csvPieces(dataset, Job(), [&text](std::string_view piece) -> Outcome {
    text += piece;
    return {};
  });
  return whole ? text : std::string();
}

}  // namespace posiscope
