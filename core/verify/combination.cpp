// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What words and tables become together: hybrid, layer-wise, fusion, BERT's sum, convolution over patches; the four
// terms of an added table.
#include "core/attention/absolute_terms.h"
#include "core/verify/encode.h"
#include "core/verify/quantity.h"

namespace posiscope::verify {
namespace {

/// The embeddings after the input part.
template <class T>
Expected<Answer> inputOf(const char* id, const ParamValues& values, const Shape& shape, const Array& x) {
  const Expected<Encoding<T>> encoding = encodeCase<T>(id, values, shape);
  if (!encoding) return fail(encoding.error());
  const std::vector<T> words = valuesAs<T>(x);
  const Table<T> result = attention::applyInput<T>(encoding->input, {words.data(), shape.seq_len, shape.d_model});
  return product<T>({result.rows, result.cols}, result.values);
}

Shape readTokens(CaseReader& in) {
  Shape shape;
  shape.seq_len = in.size("seq_len", {"seq_len"});
  shape.d_model = in.size("d_model", {"d_model"});
  shape.first_position = readFirstPosition(in);
  return shape;
}

template <class T>
Expected<Answer> hybridTable(CaseReader& in) {
  const Shape shape = readTokens(in);
  in.expect("table", {"learned", "sinusoidal"});  // the case gives the table itself
  ParamValues values = schemeValues(in, "hybrid", "alpha beta max_relative_distance sign");
  values["position_table"] = in.array("table", {-1, shape.d_model});
  values["relative_table"] = in.array("rel_emb", {-1, shape.d_model});
  if (in.problem()) return fail(*in.problem());
  const Expected<Encoding<T>> encoding = encodeCase<T>("hybrid", values, shape);
  if (!encoding) return fail(encoding.error());
  return answer<T>({shape.seq_len, shape.d_model}, encoding->input.table.values);
}

/// Every layer's embeddings, [layers, L, d_model].
template <class T>
Expected<Answer> layers(CaseReader& in) {
  Shape shape = readTokens(in);
  in.expect("scale", {"scalar per layer", "vector per layer"});
  shape.num_layers = in.size("num_layers", {"num_layers"});
  const ParamValues values{{"position_table", in.array("base", {-1, shape.d_model})},
                           {"scales", in.array("scale")},
                           {"offsets", in.array("bias")}};
  const Array x = in.array("x", {shape.seq_len, shape.d_model});
  if (in.problem()) return fail(*in.problem());
  std::vector<double> all;
  for (shape.layer = 0; shape.layer < shape.num_layers; ++shape.layer) {
    const Expected<Answer> layer = inputOf<T>("layerwise", values, shape, x);
    if (!layer) return layer;
    all.insert(all.end(), layer->array.data(), layer->array.data() + layer->array.size());
  }
  return product<T>({shape.num_layers, shape.seq_len, shape.d_model}, all);
}

/// The rows of the case's tokens with all sines before all cosines: fusion itself makes them side by side.
Expected<Array> concatenatedSines(CaseReader& in, Shape shape) {
  ParamValues sines = schemeValues(in, "sinusoidal", "base");
  sines["columns"] = std::string("concatenated");
  if (in.number("d_position", 0) > 0) shape.d_model = in.size("d_model", {"d_position"});
  if (in.problem()) return fail(*in.problem());
  const Expected<Encoding<double>> encoding = encodeCase<double>("sinusoidal", sines, shape);
  if (!encoding) return fail(encoding.error());
  std::vector<double> room;
  const Rows<double> rows = encoding->input.tableBlock(0, shape.seq_len, room);
  return makeArray({shape.seq_len, shape.d_model},
                   std::vector<double>(rows.row(0).data(), rows.row(0).data() + shape.seq_len * shape.d_model));
}

template <class T>
Expected<Answer> fused(CaseReader& in) {
  Shape shape = readTokens(in);
  in.expect("table", {"sinusoidal, interleaved", "sinusoidal", "sinusoidal, concat", "sinusoidal, concatenated"});
  ParamValues values = schemeValues(in, "fusion", "mode scale_words d_position base");
  if (in.word("table", "").find("concat") != std::string::npos) {
    const Expected<Array> table = concatenatedSines(in, shape);
    if (!table) return fail(table.error());
    values["position_table"] = *table;
    shape.first_position = 0;  // its first row is already that of the first token
  }
  for (const auto& [theirs, ours] : {std::pair{"W", "weight"}, std::pair{"b", "bias"}})
    if (in.hasInput(theirs)) values[ours] = in.array(theirs);
  const Array x = in.array("x", {shape.seq_len, shape.d_model});
  if (in.problem()) return fail(*in.problem());
  return inputOf<T>("fusion", values, shape, x);
}

template <class T>
Expected<Answer> summed(CaseReader& in, bool normalised) {
  const Shape shape = readTokens(in);
  ParamValues values = schemeValues(in, "embedding_sum", "eps position_offset");
  values["layer_norm"] = normalised;
  for (const char* name : {"position_table", "segment_table", "gamma", "beta"})
    if (in.hasInput(name)) values[name] = in.array(name);
  if (in.hasInput("segment_ids")) values["segment_ids"] = valuesAs<double>(in.array("segment_ids"));
  const Array words = in.array("word", {shape.seq_len, shape.d_model});
  if (in.problem()) return fail(*in.problem());
  return inputOf<T>("embedding_sum", values, shape, words);
}

template <class T>
Expected<Answer> convolved(CaseReader& in) {
  Shape shape;
  shape.grid_height = in.size("grid_height", {"grid_h"});
  shape.grid_width = in.size("grid_width", {"grid_w"});
  shape.seq_len = shape.grid_height * shape.grid_width;
  shape.d_model = in.size("d_model", {"channels"});
  ParamValues values = schemeValues(in, "conditional", "kernel residual stacked");
  const std::string outside = in.word("padding", "zero 1");
  values["padding"] = outside.substr(0, outside.find(' '));
  values["weight"] = in.array("weight");
  if (in.hasInput("bias")) values["bias"] = in.array("bias");
  const Array x = in.array("x", {shape.grid_height, shape.grid_width, shape.d_model});
  if (in.problem()) return fail(*in.problem());
  Expected<Answer> result = inputOf<T>("conditional", values, shape, x);
  if (result) result->array.shape = {shape.grid_height, shape.grid_width, shape.d_model};
  return result;
}

template <class T>
Expected<Answer> decomposed(CaseReader& in, const Job& job) {
  const Situation s = readSituation(in, false);
  const Content<T> content = readContent<T>(in, s.shape);
  const std::vector<T> positions = valuesAs<T>(in.array("P", {s.shape.keys(), s.shape.d_model}));
  if (in.problem()) return fail(*in.problem());
  const std::int64_t length = s.shape.keys();
  const Expected<std::vector<T>> terms =
      attention::absoluteTerms<T>(rowsOf(content.x), {positions.data(), length, s.shape.d_model}, rowsOf(content.w_q),
                                  rowsOf(content.w_k), s.shape, job);
  if (!terms) return fail(terms.error());
  return product<T>({4, s.shape.num_heads, length, length}, *terms);
}

}  // namespace

void addCombinations(std::vector<Quantity>& list) {
  list.push_back(quantity("hybrid", "pe", "seq_len d_model position_start max_relative_distance alpha beta sign table",
                          "table rel_emb", []<class T>(CaseReader& in, const Job&) { return hybridTable<T>(in); }));
  list.push_back(quantity("layerwise", "out", "seq_len d_model position_start num_layers scale", "x base scale bias",
                          []<class T>(CaseReader& in, const Job&) { return layers<T>(in); }));
  list.push_back(quantity("fusion", "out", "mode seq_len d_model position_start d_position scale_words base table",
                          "x W b", []<class T>(CaseReader& in, const Job&) { return fused<T>(in); }));
  for (const bool normalised : {false, true})
    list.push_back(quantity("embedding_sum", normalised ? "out" : "sum",
                            "seq_len d_model position_start eps position_offset",
                            "word position_table segment_table segment_ids gamma beta",
                            [normalised]<class T>(CaseReader& in, const Job&) { return summed<T>(in, normalised); }));
  // constant_input only tells what x is.
  list.push_back(quantity("peg cpe conditional", "out",
                          "grid_h grid_w channels kernel padding residual stacked constant_input", "x weight bias",
                          []<class T>(CaseReader& in, const Job&) { return convolved<T>(in); }));
  // The terms are shown without the mask.
  list.push_back(quantity("absolute_decomposition", "terms", situation_params, "E W_Q W_K P",
                          []<class T>(CaseReader& in, const Job& job) { return decomposed<T>(in, job); }));
}

}  // namespace posiscope::verify
