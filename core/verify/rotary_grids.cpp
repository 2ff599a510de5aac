// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rotations over more than one axis: rope2d, rope_mixed, mrope.
#include "core/media_segments.h"
#include "core/mrope.h"
#include "core/rotary_grid.h"
#include "core/verify/attention_case.h"
#include "core/verify/rotary_case.h"

#include <algorithm>

namespace posiscope::verify {
namespace {

Shape gridShape(CaseReader& in, const char* height, const char* width) {
  Shape shape;
  shape.num_heads = in.has("num_heads") ? in.size("num_heads", {"num_heads"}) : 1;
  shape.head_dim = in.size("head_dim", {"head_dim"});
  shape.grid_height = in.integer(height, 1, 4096, 1);
  shape.grid_width = in.integer(width, 1, 4096, 1);
  shape.seq_len = shape.grid_height * shape.grid_width;
  shape.d_model = shape.num_heads * shape.head_dim;
  return shape;
}

/// Tokens before the patches, which do not turn, under the names that models give them.
constexpr const char* prefix_params = "prefix_tokens num_prefix_tokens cls_token class_token";

void readPrefix(CaseReader& in, Shape& shape, ParamValues& values) {
  double prefix = 0;
  for (const char* count : {"prefix_tokens", "num_prefix_tokens"})
    if (in.has(count)) prefix = static_cast<double>(in.integer(count, 0, 1024));
  for (const char* one : {"cls_token", "class_token"})
    if (in.boolean(one, false)) prefix = 1;
  values["prefix_tokens"] = prefix;
  shape.seq_len += static_cast<std::int64_t>(prefix);
}

template <class T>
Expected<Answer> ofGrid(CaseReader& in, const std::string& key) {
  Shape shape = gridShape(in, "h", "w");
  ParamValues values = schemeValues(in, "rope_2d", "base pair_layout pairing layout variant ref_shape");
  readPrefix(in, shape, values);
  if (in.problem()) return fail(*in.problem());
  const Expected<RotaryCase> r = encodeRotary("rope_2d", values, shape);
  if (!r) return fail(r.error());
  return key == "rotated" ? turned<T>(in, r->part, shape.head_dim) : waves<T>(r->part, key);
}

ParamValues mixedValues(CaseReader& in, const Shape& shape) {
  ParamValues values = schemeValues(in, "rope_mixed", "theta base pairing layout");
  if (in.hasInput("freqs")) values["freqs"] = in.array("freqs", {2, shape.num_heads, shape.head_dim / 2});
  if (in.hasInput("phi")) values["phi"] = in.array("phi", {shape.num_heads});
  return values;
}

/// The scheme's coefficients in the manifest's order: [x, y][head][pair].
std::vector<double> xFirst(const RotationPart& part) {
  std::vector<double> coefficients;
  for (const std::int64_t axis : {1, 0})
    for (std::int64_t h = 0; h < part.sets; ++h)
      for (std::int64_t p = 0; p < part.pairs(); ++p) coefficients.push_back(part.frequencyOf(h, axis, p));
  return coefficients;
}

template <class T>
Expected<Answer> pairsOf(CaseReader& in, const ParamValues& values, const Shape& shape, bool weights, const Job& job) {
  const Content<T> content = readContent<T>(in, shape);
  if (in.problem()) return fail(*in.problem());
  const Expected<Encoding<T>> encoding = encodeCase<T>("rope_mixed", values, shape);
  if (!encoding) return fail(encoding.error());
  attention::Wanted wanted;
  wanted.logits = !weights;
  wanted.weights = weights;
  const auto result = attention::attend<T>(*encoding, content, Mask{}, shape, wanted, job);
  if (!result) return fail(result.error());
  return product<T>({result->heads, result->queries, result->keys}, weights ? result->weights : result->logits);
}

template <class T>
Expected<Answer> mixed(CaseReader& in, const std::string& key, const Job& job) {
  Shape shape = gridShape(in, "height", "width");
  ParamValues values = mixedValues(in, shape);
  readPrefix(in, shape, values);
  if (in.problem()) return fail(*in.problem());
  const Expected<RotaryCase> r = encodeRotary("rope_mixed", values, shape);
  if (!r) return fail(r.error());
  const RotationPart& part = r->part;
  if (key == "freqs") return answer<T>({2, part.sets, part.pairs()}, xFirst(part));
  if (key == "rotated") return turned<T>(in, part, shape.head_dim);
  if (key == "logits" || key == "attn") return pairsOf<T>(in, values, shape, key == "attn", job);
  std::vector<double> angles;
  for (std::int64_t h = 0; h < part.sets; ++h)
    for (std::int64_t t = 0; t < shape.keys(); ++t)
      for (std::int64_t p = 0; p < part.pairs(); ++p) angles.push_back(part.angle(h, t, p));
  return answer<T>({part.sets, shape.keys(), part.pairs()}, angles);
}

/// The manifest's [["text", n], ["vision", T, H, W], …] as our triples.
std::vector<double> segmentsOf(CaseReader& in) {
  if (!in.has("segments")) return {};
  const nlohmann::json& given = in.reference().params["segments"];
  if (std::optional<std::vector<double>> triples = segmentTriples(given)) return *std::move(triples);
  in.notSupported(join("segments = ", given.dump()));
  return {};
}

template <class T>
Expected<Answer> axisOfPair(CaseReader& in) {
  const std::vector<double> given = in.list("sections");
  const std::string mode = in.word("mode", "chunked");
  in.expect("mode", {"chunked", "interleaved"});
  if (in.problem()) return fail(*in.problem());
  std::vector<std::int64_t> sections;
  std::int64_t pairs = 0;
  for (const double s : given) {
    sections.push_back(static_cast<std::int64_t>(std::clamp(s, -1.0, 1e6)));
    pairs += sections.back();
  }
  const auto axes =
      axisOfPairs("mrope", sections, mode == "chunked" ? MropeMode::chunked : MropeMode::interleaved, pairs);
  if (!axes) return fail(axes.error());
  return answer<T>({pairs}, *axes);
}

constexpr const char* media_names =
    "base sections mrope_section mode pairing layout rotary_pct rotary_share rotary_dim";

template <class T>
Expected<Answer> media(CaseReader& in, const std::string& key) {
  ParamValues values = schemeValues(in, "mrope", media_names);
  const std::vector<double> triples = segmentsOf(in);
  if (in.problem()) return fail(*in.problem());
  const auto segments = mediaSegments(triples);
  if (!segments) return fail(segments.error());
  Shape shape;
  shape.seq_len = 0;
  for (const MediaSegment& s : *segments) shape.seq_len += s.tokens();
  if (shape.seq_len < 1) in.notSupported("mrope without segments");
  if (key == "position_ids") {
    shape.head_dim = 6;  // any: the ids do not depend on it
    values = {{"segments", triples}};
  } else {
    shape.head_dim = in.size("head_dim", {"head_dim"});
    values["segments"] = triples;
  }
  if (in.problem()) return fail(*in.problem());
  const Expected<RotaryCase> r = encodeRotary("mrope", values, shape);
  if (!r) return fail(r.error());
  if (key == "position_ids") return answer<T>({3, shape.seq_len}, r->part.position);
  return key == "rotated" ? turned<T>(in, r->part, shape.head_dim) : waves<T>(r->part, key);
}

}  // namespace

void addRotaryGrids(std::vector<Quantity>& list) {
  const std::string grid = join("h w head_dim base variant pair_layout pairing layout ref_shape ", prefix_params);
  const std::string mixed_params = join("num_heads height width head_dim theta base pairing layout ", prefix_params);
  const std::string media_params = join("head_dim segments ", media_names);
  for (const std::string key : {"cos", "sin", "rotated"}) {
    const std::string input = key == "rotated" ? "x" : "";
    list.push_back(quantity("rope2d rope_2d", key, grid, input,
                            [key]<class T>(CaseReader& in, const Job&) { return ofGrid<T>(in, key); }));
    list.push_back(quantity("mrope", key, media_params, input,
                            [key]<class T>(CaseReader& in, const Job&) { return media<T>(in, key); }));
  }
  list.push_back(quantity("mrope", "position_ids", media_params, "",
                          []<class T>(CaseReader& in, const Job&) { return media<T>(in, "position_ids"); }));
  list.push_back(quantity("mrope", "axis_of_pair", media_params, "",
                          []<class T>(CaseReader& in, const Job&) { return axisOfPair<T>(in); }));
  for (const std::string key : {"freqs", "angles", "rotated", "logits", "attn"})
    list.push_back(quantity("rope_mixed", key, mixed_params, "phi freqs x Q K",
                            [key]<class T>(CaseReader& in, const Job& job) { return mixed<T>(in, key, job); }));
}

}  // namespace posiscope::verify
