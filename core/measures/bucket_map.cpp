// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/axes.h"
#include "core/measures/encoded.h"
#include "core/measures/measures.h"
#include "core/parallel.h"
#include "core/screen_number.h"

#include <algorithm>

namespace posiscope::measures {
namespace {

struct Options {};

/// Maps above this are computed when asked.
constexpr double most_stored_cells = 8.0 * 1024 * 1024;

std::vector<float> fillRows(const RowLookup& lookup, const Shape& shape, const Job& job) {
  const std::int64_t keys = shape.keys();
  std::vector<float> rows(static_cast<std::size_t>(shape.queries() * keys));
  const bool complete = parallelBlocks(shape.queries(), 64, job, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      for (std::int64_t j = 0; j < keys; ++j)
        rows[static_cast<std::size_t>(i * keys + j)] = static_cast<float>(lookup.row(i, j));
  });
  return complete ? std::move(rows) : std::vector<float>{};
}

/// How many rows of the table this sequence reads, and a word about the rest.
void addUse(Dataset& dataset, const std::vector<float>& read, std::int64_t rows) {
  std::vector<bool> used(static_cast<std::size_t>(rows), false);
  for (const float row : read)
    if (row >= 0) used[static_cast<std::size_t>(row)] = true;
  const auto count = std::ranges::count(used, true);
  dataset.metrics.push_back({"rows_read", {"rows that are read", "被读取的行数"}, static_cast<double>(count), ""});
  if (count == rows) return;
  const std::string idle = readable(static_cast<double>(rows - count));
  const std::string all = readable(static_cast<double>(rows));
  dataset.remarks.push_back({Verdict::neutral,
                             {idle + " of the " + all + " rows are not read at this length.",
                              "在此长度下，" + all + " 行中有 " + idle + " 行没有被读取。"}});
}

/// Row by offset where the offset alone decides: the last query sees every distance behind it, the first one ahead.
void addCurve(Dataset& dataset, const RowLookup& lookup, const Shape& shape) {
  Curve curve{"row by offset", {"row by offset", "按偏移的行号"}, CurveRole::line, {}, {}, -1};
  const std::int64_t last = shape.queries() - 1;
  for (std::int64_t n = -(last); n < shape.keys(); ++n) {
    const std::int64_t i = n < 0 ? 0 : last;
    const std::int64_t j = i + shape.queryOffset() - n;
    if (j < 0 || j >= shape.keys()) continue;
    curve.x.push_back(static_cast<double>(n));
    curve.y.push_back(static_cast<double>(lookup.row(i, j)));
  }
  std::size_t constant = curve.y.size() - 1;
  while (constant > 0 && curve.y[constant - 1] == curve.y.back()) --constant;
  dataset.metrics.push_back(
      {"constant_from", {"one row from offset", "自此偏移起只读一行"}, curve.x[constant], "tokens"});
  dataset.x = offsetAxis(static_cast<std::int64_t>(curve.x.front()), false);
  dataset.y = valueAxis({"row of the table", "表的行号"});
  curve.term = [](double n) { return join("row(", screenNumber(n), ")"); };
  dataset.curves.push_back(std::move(curve));
}

Expected<Dataset> answer(const Question& question, const Job& job) {
  const Expected<Options> options = ParamTable<Options>().read(question.measure, question.options);
  if (!options) return fail(options.error());
  const Expected<EncodingPtr> encoding = encodingOf(question);
  if (!encoding) return fail(encoding.error());
  const RowLookup& lookup = (*encoding)->logits.lookup;
  Dataset dataset;
  if (lookup.rows == 0) {
    dataset.nothing = {"This scheme looks nothing up: no table is read by offset.",
                       "该方案不查表：没有按偏移读取的表。"};
    return dataset;
  }
  const Shape& shape = question.shape;
  dataset.metrics.push_back({"table_rows", {"rows of the table", "表的行数"}, static_cast<double>(lookup.rows), ""});
  std::shared_ptr<const Field> field;
  if (static_cast<double>(shape.queries()) * static_cast<double>(shape.keys()) <= most_stored_cells) {
    std::vector<float> rows = fillRows(lookup, shape, job);
    if (rows.empty()) return stopped();
    addUse(dataset, rows, lookup.rows);
    field = storedField(shape.queries(), shape.keys(), std::move(rows));
  } else {
    const Field::Limits limits{0, static_cast<float>(lookup.rows - 1), false};
    field = computedField(
        shape.queries(), shape.keys(),
        [e = *encoding](std::int64_t i, std::int64_t j) { return static_cast<float>(e->logits.lookup.row(i, j)); },
        limits);
  }
  if ((*encoding)->offset_only) addCurve(dataset, lookup, shape);
  dataset.maps.push_back({"rows",
                          {"row of the table", "表的行号"},
                          std::move(field),
                          queryAxis(shape),
                          keyAxis(shape),
                          {"row", "行号"},
                          MapKind::sequential,
                          -1,
                          [e = *encoding](std::int64_t i, std::int64_t j) {
                            return join("row(", i, ", ", j, ") of ", e->logits.lookup.rows);
                          }});
  return dataset;
}

}  // namespace

Measure bucketMap() {
  return {"bucket_map",
          {"Bucket map", "分桶图"},
          {"Each cell is the row of the learned table that a query reads for a key: a bucket, an offset, a patch "
           "distance. Equal colours share their numbers; where a band is wide, those distances cannot be told apart.",
           "每个格子是查询为某个键读取的可学习表的行号：一个桶、一个偏移或一个图块距离。"
           "颜色相同的格子共用同一组数；条带越宽，其中的距离越无法区分。"},
          "[L_q, L_k], −1 where no row is read",
          {},
          answer,
          {"t5_simple", "t5_log"}};
}

}  // namespace posiscope::measures
