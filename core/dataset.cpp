// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dataset.h"

#include "core/dataset_pieces.h"
#include "core/formula_field.h"
#include "core/screen_number.h"
#include "core/shape.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace posiscope {
namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

bool shareAbscissa(const std::vector<Curve>& curves) {
  return std::ranges::all_of(curves, [&](const Curve& c) { return c.x == curves.front().x; });
}

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

/// Row by row, the missing cells of smaller maps as NaN.
Outcome mapPieces(const std::vector<Map>& maps, const Job& job,
                  const std::function<Outcome(std::span<const double>)>& take) {
  const Extent extent = largest(maps);
  const double rows = static_cast<double>(extent.rows) * static_cast<double>(maps.size());
  std::vector<double> row(static_cast<std::size_t>(extent.cols));
  RowReader reader;
  double done = 0;
  for (const Map& map : maps)
    for (std::int64_t r = 0; r < extent.rows; ++r) {
      std::ranges::fill(row, nan_value);
      if (r < map.field->rows()) {
        const Expected<std::vector<float>> cells = reader.row(*map.field, r);
        if (!cells) return fail(cells.error());
        std::ranges::copy(*cells, row.begin());
      }
      if (job.stopped()) return writingStopped();
      if (Outcome ok = take(row); !ok) return ok;
      job.setProgress(++done / rows);
    }
  return {};
}

Array mapNumbers(const Dataset& dataset) {
  std::vector<std::int64_t> shape = numbersShape(dataset);
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(count));
  const Outcome whole = mapPieces(dataset.maps, Job(), [&](std::span<const double> row) -> Outcome {
    values.insert(values.end(), row.begin(), row.end());
    return {};
  });
  if (!whole) return {};  // a typed formula has no value there, or takes too long
  return makeArray(std::move(shape), std::move(values));
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

Array propertyNumbers(const std::vector<Property>& properties) {
  std::vector<double> values;
  for (const Property& p : properties) values.insert(values.end(), {p.value, p.tolerance});
  return makeArray({static_cast<std::int64_t>(properties.size()), 2}, std::move(values));
}

}  // namespace

Outcome checkNumbers(const Dataset& dataset) {
  // What is stored has been computed, and fits into memory: it is written a row at a time, and nobody waits for it
  // only to be refused.
  const auto computed = [](const Map& map) { return !map.field->stored(); };
  const Extent extent = largest(dataset.maps);
  // 12 bytes: what "-0.12345679," takes, the usual length of a single-precision number as text.
  const double cells = static_cast<double>(std::ranges::count_if(dataset.maps, computed)) *
                       static_cast<double>(extent.rows) * static_cast<double>(extent.cols);
  const std::string count = screenNumber(cells);
  if (Outcome fits =
          checkMemory(join("the map written out, ", count, " numbers of about 12 bytes as text,"), 12.0 * cells);
      !fits) {
    Error problem = fits.error();
    problem.message.zh = join("写出该图（", count, " 个数，以文本计每个约 12 字节）", problem.message.zh);
    return fail(std::move(problem));
  }
  for (const Map& map : dataset.maps)
    if (const FormulaRows* formula = formulaRowsOf(*map.field))
      if (Outcome ok = formula->checkAffordable(formula->rows() * formula->cols()); !ok) return ok;
  return {};
}

std::vector<std::int64_t> numbersShape(const Dataset& dataset) {
  if (dataset.maps.empty()) return numbers(dataset).shape;
  const Extent extent = largest(dataset.maps);
  if (dataset.maps.size() == 1) return {extent.rows, extent.cols};
  return {static_cast<std::int64_t>(dataset.maps.size()), extent.rows, extent.cols};
}

Outcome numberPieces(const Dataset& dataset, const Job& job,
                     const std::function<Outcome(std::span<const double>)>& take) {
  if (Outcome fits = checkNumbers(dataset); !fits) return fits;
  if (!dataset.maps.empty()) return mapPieces(dataset.maps, job, take);
  if (job.stopped()) return writingStopped();
  const Array array = numbers(dataset);
  if (!array.empty())
    if (Outcome ok = take(*array.values); !ok) return ok;
  job.setProgress(1);
  return {};
}

Array numbers(const Dataset& dataset) {
  if (!checkNumbers(dataset)) return {};
  if (!dataset.maps.empty()) return mapNumbers(dataset);
  if (!dataset.curves.empty()) return curveNumbers(dataset.curves);
  if (!dataset.properties.empty()) return propertyNumbers(dataset.properties);
  std::vector<double> values;
  for (const Metric& metric : dataset.metrics) values.push_back(metric.value);
  const auto count = static_cast<std::int64_t>(values.size());
  return makeArray({count}, std::move(values));
}

}  // namespace posiscope
