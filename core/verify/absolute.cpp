// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tables that are added to the embeddings: sinusoidal, learned.
#include "core/sampling.h"
#include "core/sampling_moments.h"
#include "core/verify/encode.h"
#include "core/verify/quantity.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace posiscope::verify {
namespace {

/// The rows of a scheme's table at any list of positions: each is asked for alone, so that fractional, negative
/// and repeated ones come from the same code as a sequence.
template <class T>
Expected<Answer> tableAt(CaseReader& in, const char* id, const ParamValues& values, std::int64_t width) {
  const std::vector<double> positions = in.positions();
  if (in.problem()) return fail(*in.problem());
  const double bytes = static_cast<double>(positions.size()) * static_cast<double>(width) * sizeof(double);
  if (Outcome ok = checkMemory("the table", bytes); !ok) return fail(ok.error());
  std::vector<T> rows;
  rows.reserve(positions.size() * static_cast<std::size_t>(width));
  Shape shape;
  shape.seq_len = 1;
  shape.d_model = width;
  for (const double position : positions) {
    shape.first_position = position;
    const Expected<Encoding<T>> encoding = encodeCase<T>(id, values, shape);
    if (!encoding) return fail(encoding.error());
    std::vector<T> room;
    const std::span<const T> row = encoding->input.tableBlock(0, 1, room).row(0);
    rows.insert(rows.end(), row.begin(), row.end());
  }
  return answer<T>({static_cast<std::int64_t>(positions.size()), width}, rows);
}

template <class T>
Expected<Answer> sinusoidalRows(CaseReader& in) {
  const std::int64_t width = in.size("d_model", {"dim", "d_model"});
  return tableAt<T>(in, "sinusoidal", sinusoidalValues(in, width), width);
}

template <class T>
Expected<Answer> learnedRows(CaseReader& in) {
  const bool sized = in.has("dim") || in.has("d_model");
  std::int64_t width = sized ? in.size("d_model", {"dim", "d_model"}) : -1;
  const std::int64_t rows = in.has("max_positions") ? in.integer("max_positions", 1, 1 << 24) : -1;
  const Array table = in.array("table", {rows, width});
  if (table.rank() == 2) width = table.shape[1];
  ParamValues values = schemeValues(in, "learned", "position_offset");
  values["table"] = table;
  return tableAt<T>(in, "learned", values, width);
}

/// Height and width of `key`. Errors: file_format, out_of_range.
std::pair<double, double> sidesOf(CaseReader& in, const char* key) {
  const std::vector<double> sides = in.list(key);
  if (sides.size() == 2 && std::ranges::all_of(sides, [](double s) { return s == std::floor(s) && s >= 1; }))
    return {sides[0], sides[1]};
  in.wrong({ErrorCode::file_format,
            {join("params.", key, " must be [height, width]"), join("params.", key, " 必须是 [高, 宽]")}});
  return {1, 1};
}

/// A table stretched over another sequence or grid.
template <class T>
Expected<Answer> resampledRows(CaseReader& in, bool grid) {
  const Array table = in.array("table", {-1, -1});
  ParamValues values = schemeValues(in, "learned", "antialias align_corners prefix_tokens");
  values["resample"] = in.word("mode", "linear");
  values["table"] = table;
  Shape shape;
  const double prefix = in.number("prefix_tokens", 0);
  if (grid) {
    const auto [old_height, old_width] = sidesOf(in, "old_hw");
    const auto [height, width] = sidesOf(in, "new_hw");
    values["resample_along"] = std::string("grid");
    values["table_height"] = old_height;
    values["table_width"] = old_width;
    shape.grid_height = static_cast<std::int64_t>(std::min(height, 4096.0));
    shape.grid_width = static_cast<std::int64_t>(std::min(width, 4096.0));
    shape.seq_len = shape.grid_height * shape.grid_width + static_cast<std::int64_t>(std::clamp(prefix, 0.0, 1e6));
  } else {
    shape.seq_len = in.integer("new_len", 1, 1 << 24);
  }
  if (in.problem()) return fail(*in.problem());
  shape.d_model = table.shape[1];
  const Expected<Encoding<T>> encoding = encodeCase<T>("learned", values, shape);
  if (!encoding) return fail(encoding.error());
  return answer<T>({shape.seq_len, shape.d_model}, encoding->input.table.values);
}

template <class T>
Expected<Answer> initialStatistics(CaseReader& in) {
  const std::string kind = in.word("dist", "normal");
  in.expect("dist", {"normal", "truncated_normal"});
  const double deviation = in.number("std");
  const double cut = kind == "truncated_normal" ? in.number("cut", 2) : 0;
  if (kind == "normal" && in.has("cut")) in.notSupported("a cut of dist = normal");
  if (in.problem()) return fail(*in.problem());
  if (!(deviation > 0) || !(cut >= 0) || (kind == "truncated_normal" && cut == 0))
    return fail(ErrorCode::out_of_range,
                join("init_stats: std and cut must be positive, got ", deviation, " and ", cut),
                join("init_stats：std 和 cut 必须为正数，得到 ", deviation, " 和 ", cut));
  const SampleMoments m = normalMoments(deviation, cut);
  return answer<T>({5}, std::vector<double>{m.mean, m.deviation, m.within_nominal, m.excess_kurtosis, m.bound});
}

template <class T>
Expected<Answer> truncatedQuantiles(CaseReader& in) {
  const double deviation = in.number("std");
  const double low = in.number("lo", -2);
  const double high = in.number("hi", 2);
  std::vector<double> values = in.list("u");
  if (in.problem()) return fail(*in.problem());
  for (double& u : values) {
    if (!(u >= 0 && u <= 1)) return fail(rangeError("truncnorm_quantile", "u", 0, 1, u));
    u = deviation * truncatedNormalQuantile(u, low, high);
  }
  return answer<T>({static_cast<std::int64_t>(values.size())}, values);
}

}  // namespace

void addAbsolute(std::vector<Quantity>& list) {
  list.push_back(quantityAt("sinusoidal", "table", "dim d_model base layout freq scale", "",
                            []<class T>(CaseReader& in, const Job&) { return sinusoidalRows<T>(in); }));
  list.push_back(quantityAt("learned", "lookup", "max_positions position_offset dim d_model", "table",
                            []<class T>(CaseReader& in, const Job&) { return learnedRows<T>(in); }));
  list.push_back(quantity("learned", "resample_1d", "new_len mode align_corners antialias prefix_tokens", "table",
                          []<class T>(CaseReader& in, const Job&) { return resampledRows<T>(in, false); }));
  list.push_back(quantity("learned", "resample_2d", "old_hw new_hw mode align_corners antialias prefix_tokens", "table",
                          []<class T>(CaseReader& in, const Job&) { return resampledRows<T>(in, true); }));
  // rows and dim only say how large a sample is meant; they do not enter the numbers.
  list.push_back(quantity("learned", "init_stats", "dist std rows dim cut", "",
                          []<class T>(CaseReader& in, const Job&) { return initialStatistics<T>(in); }));
  list.push_back(quantity("learned", "truncnorm_quantile", "std lo hi u", "",
                          []<class T>(CaseReader& in, const Job&) { return truncatedQuantiles<T>(in); }));
}

}  // namespace posiscope::verify
