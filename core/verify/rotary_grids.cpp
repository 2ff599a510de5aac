// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rotations over more than one axis: rope2d, rope_mixed, mrope.
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

template <class T>
Expected<Answer> ofGrid(CaseReader& in, const std::string& key) {
  const Shape shape = gridShape(in, "h", "w");
  const ParamValues values = schemeValues(in, "rope_2d", "base pair_layout pairing layout variant ref_shape");
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
Expected<Answer> logitsOf(CaseReader& in, const ParamValues& values, const Shape& shape, const Job& job) {
  const Content<T> content = readContent<T>(in, shape);
  if (in.problem()) return fail(*in.problem());
  const Expected<Encoding<T>> encoding = encodeCase<T>("rope_mixed", values, shape);
  if (!encoding) return fail(encoding.error());
  attention::Wanted wanted;
  wanted.logits = true;
  wanted.weights = false;
  const auto result = attention::attend<T>(*encoding, content, Mask{}, shape, wanted, job);
  if (!result) return fail(result.error());
  return product<T>({result->heads, result->queries, result->keys}, result->logits);
}

template <class T>
Expected<Answer> mixed(CaseReader& in, const std::string& key, const Job& job) {
  const Shape shape = gridShape(in, "height", "width");
  const ParamValues values = mixedValues(in, shape);
  if (in.problem()) return fail(*in.problem());
  const Expected<RotaryCase> r = encodeRotary("rope_mixed", values, shape);
  if (!r) return fail(r.error());
  const RotationPart& part = r->part;
  if (key == "freqs") return answer<T>({2, part.sets, part.pairs()}, xFirst(part));
  if (key == "rotated") return turned<T>(in, part, shape.head_dim);
  if (key == "logits") return logitsOf<T>(in, values, shape, job);
  std::vector<double> angles;
  for (std::int64_t h = 0; h < part.sets; ++h)
    for (std::int64_t t = 0; t < shape.keys(); ++t)
      for (std::int64_t p = 0; p < part.pairs(); ++p) angles.push_back(part.angle(h, t, p));
  return answer<T>({part.sets, shape.keys(), part.pairs()}, angles);
}

/// The manifest's [["text", n], ["vision", T, H, W], …] as our triples.
std::vector<double> segmentsOf(CaseReader& in) {
  std::vector<double> triples;
  if (!in.has("segments")) return triples;
  const auto isNumber = [](const nlohmann::json& v) { return v.is_number(); };
  for (const nlohmann::json& s : in.reference().params["segments"]) {
    const bool text = s.is_array() && s.size() == 2 && s[0] == "text";
    const bool media = s.is_array() && s.size() == 4 && s[0].is_string() && s[0] != "text";
    if (!(text || media) || !std::all_of(s.begin() + 1, s.end(), isNumber)) {
      in.notSupported(join("the segment ", s.dump()));
      return {};
    }
    for (std::size_t i = 1; i <= 3; ++i) triples.push_back(i < s.size() ? s[i].get<double>() : 0.0);
  }
  return triples;
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

template <class T>
Expected<Answer> media(CaseReader& in, const std::string& key) {
  ParamValues values = schemeValues(in, "mrope", "base sections mrope_section mode pairing layout");
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
  const std::string grid = "h w head_dim base variant pair_layout pairing layout ref_shape";
  const std::string mixed_params = "num_heads height width head_dim theta base pairing layout";
  const std::string media_params = "head_dim base sections mrope_section mode segments pairing layout";
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
  for (const std::string key : {"freqs", "angles", "rotated", "logits"})
    list.push_back(quantity("rope_mixed", key, mixed_params, "phi freqs x Q K",
                            [key]<class T>(CaseReader& in, const Job& job) { return mixed<T>(in, key, job); }));
}

}  // namespace posiscope::verify
