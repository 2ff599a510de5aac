// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mrope.h"

#include "core/schemes/rotary_scheme.h"
#include "core/schemes/schemes.h"

#include <algorithm>
#include <cmath>

namespace posiscope::schemes {
namespace {

struct MropeParams : RotaryParams {
  MropeParams() {
    pairing = Pairing::half;
    base = 1e6;
  }
  std::vector<double> sections;
  MropeMode mode = MropeMode::chunked;
  std::vector<double> segments;
};
using P = MropeParams;

ParamTable<P> mropeTable() {
  ParamTable<P> t;
  t.include(turnTable()).include(shareTable());
  t.list("sections", &P::sections,
         {{"sections", "分段"},
          {"Pairs that turn by time, height and width; empty means in the usual proportions.",
           "按时间、高、宽旋转的维度对数；空表示按常用比例。"},
          "mrope_section"})
      .unset({"usual proportions", "常用比例"});
  t.choice(
      "mode", &P::mode,
      {{"chunked", {"chunked (Qwen2-VL)", "分块（Qwen2-VL）"}},
       {"interleaved", {"interleaved (Qwen3-VL)", "交错（Qwen3-VL）"}}},
      {{"order of the axes", "轴的排列"},
       {"Whether the pairs of an axis stand together or every third one.", "同一轴的维度对相连，还是每三个取一个。"}});
  t.list("segments", &P::segments,
         {{"segments", "片段"},
          {"Triples time,height,width in order; n tokens of text are n,0,0; empty means the grid, then text.",
           "依次为三元组 时间,高,宽；n 个词元的文本写作 n,0,0；空表示先网格后文本。"}})
      .unset({"the grid, then text", "先网格后文本"});
  return t;
}

/// The segments given, or one image of the shape's grid; what is left of the sequence is text.
Expected<std::vector<MediaSegment>> segmentsOf(const P& p, const Shape& shape) {
  Expected<std::vector<MediaSegment>> segments = mediaSegments(p.segments);
  if (!segments) return segments;
  if (p.segments.empty() && shape.grid_height > 0 && shape.grid_width > 0)
    segments->push_back({1, shape.grid_height, shape.grid_width});
  std::int64_t tokens = 0;
  for (const MediaSegment& s : *segments) tokens += s.tokens();
  if (tokens > shape.keys())
    return fail(ErrorCode::bad_shape,
                join("mrope: the segments have ", tokens, " tokens, seq_len must be at least that, got ", shape.keys()),
                join("mrope：各片段共有 ", tokens, " 个词元，seq_len 不能小于它，得到 ", shape.keys()));
  if (tokens < shape.keys()) segments->push_back({shape.keys() - tokens, 0, 0});
  return segments;
}

Expected<std::vector<std::int64_t>> axesOf(const P& p, const Shape& shape) {
  const std::int64_t pairs = rotaryDim(p, shape.head_dim) / 2;
  if (p.sections.empty()) return axisOfPairs("mrope", usualSections(p.mode, pairs), p.mode, pairs);
  std::vector<std::int64_t> sections;
  for (const double s : p.sections) {
    if (!(s >= 0 && s <= 1e6) || s != std::floor(s))
      return fail(ErrorCode::bad_value, join("mrope: sections must be whole numbers from 0 on, got ", s),
                  join("mrope：sections 必须是不小于 0 的整数，得到 ", s));
    sections.push_back(static_cast<std::int64_t>(s));
  }
  return axisOfPairs("mrope", sections, p.mode, pairs);
}

/// What interleaving cannot give the sections.
std::vector<Text> sectionWarnings(const P& p, const std::vector<std::int64_t>& axes) {
  std::vector<Text> warnings;
  for (const auto& [axis, name] : {std::pair{1, Text{"height", "高"}}, {2, {"width", "宽"}}}) {
    if (p.sections.size() != 3) break;
    const double wanted = p.sections[static_cast<std::size_t>(axis)];
    const auto found = std::ranges::count(axes, axis);
    if (static_cast<double>(found) == wanted) continue;
    warnings.push_back({join("Interleaving leaves every third pair to an axis: ", name.en, " has ", found, " of the ",
                             wanted, " pairs of its section, the others turn by time."),
                        join("交错排列时每三个维度对中只有一个归同一轴：", name.zh, "只得到其 ", wanted,
                             " 个维度对中的 ", found, " 个，其余按时间转动。")});
  }
  return warnings;
}

struct Mrope {
  Outcome check(const P& p, const Shape& shape) const {
    if (Outcome ok = checkRotary("mrope", p, shape.head_dim); !ok) return ok;
    if (const auto axes = axesOf(p, shape); !axes) return fail(axes.error());
    const auto segments = segmentsOf(p, shape);
    return segments ? Outcome{} : fail(segments.error());
  }

  template <class T>
  Encoding<T> encode(const P& p, const Shape& shape) const {
    const std::vector<std::int64_t> axes = *axesOf(p, shape);
    RotationPart rotation;
    rotation.pairing = p.pairing;
    rotation.rotary_dim = rotaryDim(p, shape.head_dim);
    rotation.axes = 3;
    const std::vector<double> w = inverseFrequencies(p, rotation.rotary_dim, shape.keys());
    rotation.frequency.assign(3 * w.size(), 0.0);
    for (std::size_t k = 0; k < w.size(); ++k)
      rotation.frequency[static_cast<std::size_t>(axes[k]) * w.size() + k] = w[k];
    rotation.position = mediaPositions(*segmentsOf(p, shape));
    for (double& position : rotation.position) position += shape.first_position;
    Encoding<T> encoding;
    encoding.facts = {{"time_pairs", static_cast<double>(std::ranges::count(axes, 0))},
                      {"height_pairs", static_cast<double>(std::ranges::count(axes, 1))},
                      {"width_pairs", static_cast<double>(std::ranges::count(axes, 2))}};
    encoding.warnings = rotaryWarnings(p, rotation.rotary_dim, shape.keys());
    for (Text& warning : sectionWarnings(p, axes)) encoding.warnings.push_back(std::move(warning));
    encoding.rotation = std::move(rotation);
    encoding.logit_scale = rootScale(shape);
    encoding.offset_only = false;  // two tokens of an image have three offsets
    return encoding;
  }

  std::string substitution(const P& p, const Shape& shape) const {
    const auto axes = axesOf(p, shape);
    return rotarySubstitution(p, shape) + join(", T:H:W = ", std::ranges::count(*axes, 0), ":",
                                               std::ranges::count(*axes, 1), ":", std::ranges::count(*axes, 2));
  }
};

}  // namespace

Scheme mrope() {
  return makeScheme({.id = "mrope",
                     .name = {"M-RoPE", "M-RoPE 多轴旋转"},
                     .family = Family::rotary,
                     .year = 2024,
                     .reference = "Wang et al. 2024 (Qwen2-VL), arXiv:2409.12191",
                     .summary = {"One rotation for text, images and video: each pair turns by time, row or column.",
                                 "文本、图像和视频共用一种旋转：每个维度对按时间、行或列之一转动。"}},
                    mropeTable(), Mrope{});
}

}  // namespace posiscope::schemes
