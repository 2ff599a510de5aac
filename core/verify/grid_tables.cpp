// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tables over grids and points: sines of several axes, learned rows and columns, Fourier features; the scaled table.
#include "core/fourier_features.h"
#include "core/verify/encode.h"
#include "core/verify/quantity.h"

namespace posiscope::verify {
namespace {

/// The table that the scheme adds; a formula, or a copy.
template <class T>
Expected<Answer> tableOf(CaseReader& in, const char* id, const ParamValues& values, const Shape& shape) {
  if (in.problem()) return fail(*in.problem());
  const Expected<Encoding<T>> encoding = encodeCase<T>(id, values, shape);
  if (!encoding) return fail(encoding.error());
  const Table<T>& table = encoding->input.table;
  return answer<T>({table.rows, table.cols}, table.values);
}

/// h × w patches.
Shape readGrid(CaseReader& in) {
  Shape shape;
  shape.grid_height = in.size("grid_height", {"h"});
  shape.grid_width = in.size("grid_width", {"w"});
  shape.seq_len = shape.grid_height * shape.grid_width;
  return shape;
}

template <class T>
Expected<Answer> sinusoidal2d(CaseReader& in) {
  Shape shape = readGrid(in);
  shape.d_model = in.size("d_model", {"dim"});
  ParamValues values = schemeValues(in, "sinusoidal_2d",
                                    "base temperature first_axis token_order freq layout pos_start offset normalize "
                                    "variant scale");
  values.emplace("variant", std::string("custom"));
  double prefix = in.boolean("cls_token", false) ? 1 : 0;
  if (in.has("prefix_tokens")) prefix = static_cast<double>(in.integer("prefix_tokens", 0, 1024));
  values["prefix_tokens"] = prefix;
  shape.seq_len += static_cast<std::int64_t>(prefix);
  for (const char* name : {"valid", "mask"})  // 1 = a pixel of the image, in both
    if (in.hasInput(name)) values["valid"] = in.array(name);
  return tableOf<T>(in, "sinusoidal_2d", values, shape);
}

template <class T>
Expected<Answer> learned2d(CaseReader& in) {
  Shape shape = readGrid(in);
  ParamValues values = schemeValues(in, "learned_2d", "mode order");
  const Array rows = in.array("row", {-1, -1});
  const Array columns = in.array("col", {-1, -1});
  if (in.problem()) return fail(*in.problem());
  const bool added = values.contains("mode") && values["mode"] == Value(std::string("added"));
  shape.d_model = added ? rows.shape[1] : rows.shape[1] + columns.shape[1];
  values["row_table"] = rows;
  values["column_table"] = columns;
  return tableOf<T>(in, "learned_2d", values, shape);
}

template <class T>
Expected<Answer> sinusoidalNd(CaseReader& in) {
  Shape shape;
  shape.d_model = in.size("d_model", {"dim"});
  shape.seq_len = 1;
  for (const double side : in.list("shape"))
    if (side >= 1 && side * static_cast<double>(shape.seq_len) <= 1 << 24)
      shape.seq_len *= static_cast<std::int64_t>(side);
  return tableOf<T>(in, "sinusoidal_nd", schemeValues(in, "sinusoidal_nd", "shape freq base layout"), shape);
}

template <class T>
Expected<Answer> gaussianFeatures(CaseReader& in) {
  ParamValues values = schemeValues(in, "fourier", "order");
  const Array points = in.array("v", {-1, -1});
  const Array directions = in.array("b", {-1, -1});
  if (in.problem()) return fail(*in.problem());
  Shape shape;
  shape.seq_len = points.shape[0];
  shape.d_model = 2 * directions.shape[0];
  values["coordinates"] = points;
  values["directions"] = directions;
  return tableOf<T>(in, "fourier", values, shape);
}

template <class T>
Expected<Answer> bandedFeaturesOf(CaseReader& in) {
  ParamValues values = schemeValues(in, "fourier", "num_freqs use_pi include_input");
  const Array points = in.array("v", {-1, -1});
  FourierBands bands;
  bands.num_freqs = in.integer("num_freqs", 1, 64, bands.num_freqs);
  bands.include_input = in.boolean("include_input", bands.include_input);
  if (in.problem()) return fail(*in.problem());
  Shape shape;
  shape.seq_len = points.shape[0];
  shape.d_model = bands.width(points.shape[1]);
  values["form"] = std::string("banded");
  values["coordinates"] = points;
  return tableOf<T>(in, "fourier", values, shape);
}

template <class T>
Expected<Answer> kernelOf(CaseReader& in) {
  const Array points = in.array("v", {-1, -1});
  const Array directions = in.array("b", {-1, points.rank() == 2 ? points.shape[1] : -1});
  if (in.problem()) return fail(*in.problem());
  const auto count = static_cast<double>(points.shape[0]);
  if (Outcome ok = checkMemory("the kernel", count * count * sizeof(double)); !ok) return fail(ok.error());
  const Table<double> kernel = fourierKernel({directions.data(), directions.shape[0], directions.shape[1]},
                                             {points.data(), points.shape[0], points.shape[1]});
  return answer<T>({kernel.rows, kernel.cols}, kernel.values);
}

template <class T>
Expected<Answer> scaledSinusoidal(CaseReader& in) {
  Shape shape;
  shape.seq_len = in.size("seq_len", {"seq_len"});
  shape.d_model = in.size("d_model", {"dim", "d_model"});
  shape.first_position = readFirstPosition(in);
  ParamValues values = schemeValues(in, "scaled_sinusoidal", "base");
  const bool named = in.has("scale") && in.reference().params["scale"].is_string();
  if (named) in.expect("scale", {"dim^-0.5", "rsqrt_d"});
  if (in.has("scale") && !named) {
    values["factor"] = std::string("trained");
    values["scale"] = in.number("scale");
  }
  return tableOf<T>(in, "scaled_sinusoidal", values, shape);
}

}  // namespace

void addGridTables(std::vector<Quantity>& list) {
  list.push_back(
      quantity("sincos2d sin2d sinusoidal_2d", "table",
               "h w dim base temperature first_axis token_order freq layout pos_start offset normalize cls_token "
               "prefix_tokens scale variant",
               "valid mask", []<class T>(CaseReader& in, const Job&) { return sinusoidal2d<T>(in); }));
  list.push_back(quantity("learned2d learned_2d", "table", "h w mode order", "row col",
                          []<class T>(CaseReader& in, const Job&) { return learned2d<T>(in); }));
  list.push_back(quantity("sincos_nd sinusoidal_nd", "table", "shape dim freq base layout", "",
                          []<class T>(CaseReader& in, const Job&) { return sinusoidalNd<T>(in); }));
  list.push_back(quantity("fourier", "features", "order", "v b",
                          []<class T>(CaseReader& in, const Job&) { return gaussianFeatures<T>(in); }));
  list.push_back(quantity("fourier", "nerf", "num_freqs use_pi include_input", "v",
                          []<class T>(CaseReader& in, const Job&) { return bandedFeaturesOf<T>(in); }));
  list.push_back(
      quantity("fourier", "kernel", "", "v b", []<class T>(CaseReader& in, const Job&) { return kernelOf<T>(in); }));
  list.push_back(quantity("scaled_sinusoidal", "table", "seq_len dim d_model position_start base scale", "",
                          []<class T>(CaseReader& in, const Job&) { return scaledSinusoidal<T>(in); }));
}

}  // namespace posiscope::verify
