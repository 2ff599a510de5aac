// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Biases of patches on a grid: Swin, the other index tables, the decomposed bias.
#include "core/grid_offsets.h"
#include "core/schemes/decomposed_2d.h"
#include "core/schemes/grid_bias.h"
#include "core/schemes/swin.h"
#include "core/verify/attention_case.h"
#include "core/verify/bias_case.h"

namespace posiscope::verify {
namespace {

Shape shapeOf(CaseReader& in, const Grid& grid, std::int64_t prefix) {
  Shape s;
  s.grid_height = grid.height;
  s.grid_width = grid.width;
  s.seq_len = grid.patches() + prefix;
  s.num_heads = in.has("num_heads") ? in.size("num_heads", {"num_heads"}) : 1;
  if (in.has("head_dim")) s.head_dim = in.size("head_dim", {"head_dim"});
  return s;
}

ParamValues givenTable(CaseReader& in, const Shape&) {
  return in.hasInput("table") ? ParamValues{{"table", in.array("table")}} : ParamValues{};
}

/// The rows that a scheme reads, or its bias.
template <class T>
Expected<Answer> gridAnswer(CaseReader& in, const char* id, const ParamValues& values, const Shape& s, bool index) {
  if (in.problem()) return fail(*in.problem());
  const Expected<Encoding<T>> encoding = encodeCase<T>(id, values, s);
  if (!encoding) return fail(encoding.error());
  return index ? rowsRead<T>(encoding->logits.lookup, s) : biasAnswer<T>(*encoding, s);
}

/// For each window, which of its pairs come from different regions, [windows, M², M²].
template <class T>
Expected<Answer> blockedPairs(CaseReader& in) {
  const Grid grid = readGrid(in, "grid", 1);
  schemes::SwinParams p;
  const Grid window = readGrid(in, "window", 1);
  if (window.height != window.width) in.notSupported("a window that is not square");
  p.window = window.height;
  p.shift = in.integer("shift", 0, 4096, 0);
  if (in.problem()) return fail(*in.problem());
  const Expected<schemes::SwinWindows> windows = schemes::SwinWindows::cut(grid, p);
  if (!windows) return fail(windows.error());
  const std::int64_t tokens = windows->window().patches();
  const double cells = static_cast<double>(grid.patches()) * static_cast<double>(tokens);
  if (Outcome ok = checkMemory("the mask", cells * sizeof(double)); !ok) return fail(ok.error());
  std::vector<double> blocked;
  for (std::int64_t w = 0; w < windows->count(); ++w)
    for (std::int64_t a = 0; a < tokens; ++a)
      for (std::int64_t b = 0; b < tokens; ++b)
        blocked.push_back(windows->regionOf({w, a}) != windows->regionOf({w, b}));
  return answer<T>({windows->count(), tokens, tokens}, blocked);
}

void addSwin(std::vector<Quantity>& list) {
  for (const bool index : {true, false})
    list.push_back(quantity("swin", index ? "index" : "bias", "window num_heads", "table",
                            [index]<class T>(CaseReader& in, const Job&) {
                              const Shape s = shapeOf(in, readGrid(in, "window", 1), 0);
                              return gridAnswer<T>(in, "swin", givenTable(in, s), s, index);
                            }));
  list.push_back(quantity("swin", "blocked", "grid window shift", "",
                          []<class T>(CaseReader& in, const Job&) { return blockedPairs<T>(in); }));
  for (const std::string key : {"logits", "attn", "out"})
    list.push_back(quantity("swin", key, "window num_heads head_dim scale", "Q K V table",
                            [key]<class T>(CaseReader& in, const Job& job) {
                              const Situation s{shapeOf(in, readGrid(in, "window", 1), 0), {}};
                              return attentionAnswer<T>(in, {"swin", "swin", "", "", givenTable}, s, key, job);
                            }));
}

/// BEiT's table always knows the class token in the manifests.
ParamValues gridBiasValues(CaseReader& in, const Shape& s) {
  ParamValues values = schemeValues(in, "grid_bias", "kind stride");
  values["class_token"] = in.boolean("class_token", in.word("kind", "beit") == "beit");
  values.merge(givenTable(in, s));
  return values;
}

Shape gridBiasShape(CaseReader& in) {
  const Grid grid{in.integer("height", 1, 4096), in.integer("width", 1, 4096)};
  in.expect("kind", {"beit", "maxvit", "levit"});
  const std::string kind = in.word("kind", "beit");
  Shape s = shapeOf(in, grid, kind == "beit" && in.boolean("class_token", true) ? 1 : 0);
  const std::int64_t stride = in.integer("stride", 1, 64, 1);
  if (kind == "levit") s.seq_len_q = ((grid.height + stride - 1) / stride) * ((grid.width + stride - 1) / stride);
  return s;
}

template <class T>
Expected<Answer> resizedTable(CaseReader& in) {
  const Grid source = readGrid(in, "source", 1);
  const Grid target = readGrid(in, "target", 1);
  const std::int64_t extra = in.integer("extra_rows", 0, 1024, 0);
  const std::int64_t heads = in.size("num_heads", {"num_heads"});
  const Array array = in.array("table", {source.patches() + extra, heads});
  if (in.problem()) return fail(*in.problem());
  const Table<double> table{array.shape[0], heads, *array.values};
  const Table<double> resized = resizedOffsets(table, source.height, source.width, target.height, target.width);
  return answer<T>({resized.rows, heads}, resized.values);
}

void addGridBias(std::vector<Quantity>& list) {
  for (const bool index : {true, false})
    list.push_back(quantity("grid_bias", index ? "index" : "bias", "kind height width stride class_token num_heads",
                            "table", [index]<class T>(CaseReader& in, const Job&) {
                              const Shape s = gridBiasShape(in);
                              return gridAnswer<T>(in, "grid_bias", gridBiasValues(in, s), s, index);
                            }));
  list.push_back(quantity("grid_bias", "resized", "source target num_heads extra_rows", "table",
                          []<class T>(CaseReader& in, const Job&) { return resizedTable<T>(in); }));
}

struct DecomposedCase {
  Grid asking, keys;
  Shape shape;
};

DecomposedCase readDecomposed(CaseReader& in) {
  DecomposedCase c{readGrid(in, "q_size", 1), readGrid(in, "k_size", 1), {}};
  const std::int64_t prefix = in.boolean("class_token", false) ? 1 : 0;
  c.shape = shapeOf(in, c.keys, prefix);
  c.shape.seq_len_q = c.asking.patches() + prefix;
  c.shape.d_model = c.shape.num_heads * c.shape.head_dim;
  return c;
}

ParamValues decomposedValues(CaseReader& in, const DecomposedCase& c) {
  ParamValues values = schemeValues(in, "decomposed_2d", "class_token");
  values["query_height"] = static_cast<double>(c.asking.height);
  values["query_width"] = static_cast<double>(c.asking.width);
  const Grid rows = in.has("table_rows") ? readGrid(in, "table_rows", 1) : Grid{-1, -1};
  values["rel_h"] = in.array("rel_h", {rows.height, c.shape.head_dim});
  values["rel_w"] = in.array("rel_w", {rows.width, c.shape.head_dim});
  return values;
}

struct DecomposedContent {
  Array q, k, v;
};

/// Bias or logits of every head from the scheme's own rows. No sequence has more queries than keys, so attention cannot
/// be asked where pooling left fewer keys.
template <class T>
std::vector<T> decomposedLogits(const DecomposedCase& c, const schemes::DecomposedParams& p,
                                const DecomposedContent& content, bool bias_only) {
  const Shape& s = c.shape;
  const auto axes = schemes::decomposedAxes<T>(p, c.keys, s.head_dim);
  const std::vector<T> q = valuesAs<T>(content.q);
  std::vector<T> k = valuesAs<T>(content.k);
  k.resize(static_cast<std::size_t>(s.num_heads * s.keys() * s.head_dim));
  std::vector<T> logits(static_cast<std::size_t>(s.num_heads * s.queries() * s.keys()));
  for (std::int64_t h = 0; h < s.num_heads; ++h)
    for (std::int64_t i = 0; i < s.queries(); ++i)
      schemes::fillDecomposed<T>(
          axes, {q.data() + h * s.queries() * s.head_dim, s.queries(), s.head_dim},
          {k.data() + h * s.keys() * s.head_dim, s.keys(), s.head_dim}, {!bias_only, true, true}, i,
          {logits.data() + (h * s.queries() + i) * s.keys(), static_cast<std::size_t>(s.keys())});
  return logits;
}

/// Weights, then the values they gather, in place of the attention that could not be asked.
template <class T>
Answer attended(const DecomposedCase& c, std::vector<T> weights, const Array& values) {
  Shape s = c.shape;
  s.seq_len_q = 0;  // without a mask no row depends on the number of queries
  const std::int64_t rows = c.shape.num_heads * c.shape.queries();
  for (std::int64_t r = 0; r < rows; ++r)
    attention::softmaxRow<T>(Mask{}, s, 0, {weights.data() + r * s.keys(), static_cast<std::size_t>(s.keys())});
  if (values.empty()) return product<T>({s.num_heads, c.shape.queries(), s.keys()}, weights);
  const std::int64_t width = values.shape[2];
  std::vector<T> out(static_cast<std::size_t>(rows * width));
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t j = 0; j < s.keys(); ++j)
      for (std::int64_t d = 0; d < width; ++d)
        out[static_cast<std::size_t>(r * width + d)] +=
            weights[static_cast<std::size_t>(r * s.keys() + j)] *
            static_cast<T>(values.data()[(r / c.shape.queries() * s.keys() + j) * width + d]);
  return product<T>({s.num_heads, c.shape.queries(), width}, out);
}

/// Bias, logits, weights or output.
template <class T>
Expected<Answer> decomposedAnswer(CaseReader& in, const std::string& key, const Job& job) {
  const DecomposedCase c = readDecomposed(in);
  const Shape& s = c.shape;
  const ParamValues values = decomposedValues(in, c);
  if (s.queries() <= s.keys() && key != "bias") {
    const AttentionScheme scheme{"decomposed_2d", "decomposed_2d", "", "",
                                 [&values](CaseReader&, const Shape&) { return values; }};
    return attentionAnswer<T>(in, scheme, {s, {}}, key, job);
  }
  DecomposedContent content{in.array("Q", {s.num_heads, s.queries(), s.head_dim}), {}, {}};
  if (key != "bias") content.k = in.array("K", {s.num_heads, s.keys(), s.head_dim});
  if (key == "out") content.v = in.array("V", {s.num_heads, s.keys(), -1});
  if (in.problem()) return fail(*in.problem());
  if (Outcome ok = roomForPairs(s, static_cast<double>(s.num_heads)); !ok) return fail(ok.error());
  schemes::DecomposedParams p;
  p.class_token = in.boolean("class_token", false);
  p.query_height = c.asking.height;
  p.query_width = c.asking.width;
  p.rel_h = std::get<Array>(values.at("rel_h"));
  p.rel_w = std::get<Array>(values.at("rel_w"));
  std::vector<T> logits = decomposedLogits<T>(c, p, content, key == "bias");
  if (key == "attn" || key == "out") return attended<T>(c, std::move(logits), content.v);
  return product<T>({s.num_heads, s.queries(), s.keys()}, logits);
}

/// The rows of one axis's table, [queries, keys] of that axis.
template <class T>
Expected<Answer> axisRows(CaseReader& in, bool height) {
  const DecomposedCase c = readDecomposed(in);
  if (in.problem()) return fail(*in.problem());
  const std::int64_t queries = height ? c.asking.height : c.asking.width;
  const std::int64_t keys = height ? c.keys.height : c.keys.width;
  std::vector<std::int64_t> rows;
  for (std::int64_t y = 0; y < queries; ++y)
    for (std::int64_t z = 0; z < keys; ++z) rows.push_back(schemes::decomposedRow(y, queries, z, keys));
  return answer<T>({queries, keys}, rows);
}

template <class T>
Expected<Answer> resizedAxis(CaseReader& in, bool height) {
  const DecomposedCase c = readDecomposed(in);
  const Array array = in.array(height ? "rel_h" : "rel_w", {-1, c.shape.head_dim});
  if (in.problem()) return fail(*in.problem());
  const std::int64_t rows = height ? schemes::decomposedRows(c.asking.height, c.keys.height)
                                   : schemes::decomposedRows(c.asking.width, c.keys.width);
  return answer<T>({rows, c.shape.head_dim}, resizedRows({array.shape[0], array.shape[1], *array.values}, rows).values);
}

void addDecomposed(std::vector<Quantity>& list) {
  const std::string params = "num_heads q_size k_size head_dim table_rows class_token";
  for (const bool height : {true, false}) {
    list.push_back(quantity("decomposed_2d", height ? "index_h" : "index_w", params, "",
                            [height]<class T>(CaseReader& in, const Job&) { return axisRows<T>(in, height); }));
    list.push_back(quantity("decomposed_2d", height ? "resized_h" : "resized_w", params, "rel_h rel_w",
                            [height]<class T>(CaseReader& in, const Job&) { return resizedAxis<T>(in, height); }));
  }
  for (const std::string key : {"bias", "logits", "attn", "out"})
    list.push_back(
        quantity("decomposed_2d", key, params, "Q K V rel_h rel_w",
                 [key]<class T>(CaseReader& in, const Job& job) { return decomposedAnswer<T>(in, key, job); }));
}

}  // namespace

void addGrids(std::vector<Quantity>& list) {
  addSwin(list);
  addGridBias(list);
  addDecomposed(list);
}

}  // namespace posiscope::verify
