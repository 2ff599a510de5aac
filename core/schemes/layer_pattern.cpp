// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layer_pattern.h"

#include "core/schemes/query_scaling.h"
#include "core/schemes/rotary_scheme.h"
#include "core/schemes/schemes.h"

#include <algorithm>

namespace posiscope::schemes {
namespace {

enum class RopeRule { interval, all, limited };
enum class FullRule { unrotated, pattern, rotated, all };
enum class Limit { chunk, window };
enum class ScaledQueries { none, unrotated, all };

/// "Rotates" and "looks at everything" are two separate facts of a layer; neither follows from the other.
struct LayerPatternParams : RotaryParams, QueryScalingParams {
  RopeRule rope_rule = RopeRule::interval;
  std::int64_t interval = 4;
  std::vector<double> rope_layers;
  FullRule full_rule = FullRule::unrotated;
  std::int64_t pattern = 4;
  bool last_full = false;
  std::vector<double> layer_kinds;
  Limit limit = Limit::chunk;
  std::int64_t chunk_size = 8192;
  std::int64_t window = 1023;
  ScaledQueries scaled_queries = ScaledQueries::none;
};
using P = LayerPatternParams;

void addRopeRule(ParamTable<P>& t) {
  t.choice("rope_rule", &P::rope_rule,
           {{"interval", {"all but every n-th", "除每第 n 层外"}},
            {"all", {"all", "全部"}},
            {"limited", {"those that look at a part", "只看局部的层"}}},
           {{"layers that rotate", "旋转的层"}, {"Which layers use RoPE.", "哪些层使用 RoPE。"}});
  t.integer("interval", &P::interval, {1, 4096, 1, 16, false},
            {{"interval", "间隔"},
             {"Every layer of this number has no rotation.", "每隔这么多层有一层不旋转。"},
             "no_rope_layer_interval",
             "layers"})
      .when("rope_rule", {"interval"});
  t.list("rope_layers", &P::rope_layers,
         {{"rotating layers", "旋转层列表"},
          {"1 for each layer that rotates, 0 for the others; wins over the rule; empty means the rule.",
           "每层一项：1 表示旋转，0 表示不旋转；优先于规则；空表示按规则。"},
          "no_rope_layers"})
      .unset({"the rule", "不旋转"});
}

void addFullRule(ParamTable<P>& t) {
  t.choice("full_rule", &P::full_rule,
           {{"unrotated", {"those without rotation", "不旋转的层"}},
            {"pattern", {"every n-th", "每第 n 层"}},
            {"rotated", {"those that rotate", "旋转的层"}},
            {"all", {"all", "全部"}}},
           {{"layers that see everything", "看到全部的层"},
            {"Which layers look at all keys; the others look at a part.", "哪些层看所有的键；其余层只看一部分。"}});
  t.integer("pattern", &P::pattern, {1, 4096, 1, 16, false},
            {{"pattern", "周期"},
             {"Every layer of this number looks at everything.", "每隔这么多层有一层看到全部。"},
             "sliding_window_pattern",
             "layers"})
      .when("full_rule", {"pattern"});
  t.boolean("last_full", &P::last_full,
            {{"last layer full", "最后一层看全部"},
             {"The last layer looks at everything whatever the rule says.", "不论规则如何，最后一层都看到全部。"}});
  t.list("layer_kinds", &P::layer_kinds,
         {{"kinds of layers", "层类型列表"},
          {"0 for each layer that looks at everything, 1 for the others; wins over the rule; empty means the rule.",
           "每层一项：0 表示看到全部，1 表示只看局部；优先于规则；空表示按规则。"},
          "layer_types"})
      .unset({"the rule", "看到全部"});
  t.choice("limit", &P::limit, {{"chunk", {"chunks", "分块"}}, {"window", {"window", "窗口"}}},
           {{"limit", "限制方式"},
            {"What a layer that looks at a part sees: its own chunk, or a window around the query.",
             "只看局部的层看到什么：自己所在的块，或查询周围的窗口。"}});
  t.integer(
       "chunk_size", &P::chunk_size, {1, 1 << 24, 16, 1 << 16, true},
       {{"chunk", "块长"},
        {"Tokens of a chunk; the first one of each sees only itself.", "每块的词元数；每块的第一个词元只看到自己。"},
        "attention_chunk_size",
        "tokens"})
      .when("limit", {"chunk"});
  t.integer("window", &P::window, {0, 1 << 24, 0, 1 << 14, false},
            {{"window", "窗口"},
             {"Distance that is still seen; a sliding_window of W tokens is W − 1.",
              "仍能看到的距离；W 个词元的 sliding_window 为 W − 1。"},
             "sliding_window",
             "tokens"})
      .when("limit", {"window"});
}

void addQueryScaling(ParamTable<P>& t) {
  t.choice(
      "scaled_queries", &P::scaled_queries,
      {{"none", {"none", "无"}}, {"unrotated", {"those without rotation", "不旋转的层"}}, {"all", {"all", "全部"}}},
      {{"layers that scale queries", "缩放查询的层"},
       {"Which layers multiply each query by a factor that grows with its position: those without rotation in "
        "Llama 4, all in Ministral 3.",
        "哪些层把每个查询乘以随其位置增长的系数：Llama 4 中为不旋转的层，Ministral 3 中为全部。"}});
  addQueryScalingKind(t);
  t.when("scaled_queries", {"unrotated", "all"});
  addQueryScalingNumbers(t);
}

ParamTable<P> layerPatternTable() {
  ParamTable<P> t;
  addRopeRule(t);
  addFullRule(t);
  addQueryScaling(t);
  t.include(turnTable()).include(shareTable()).include(scalingTable());
  return t;
}

bool isGiven(const std::vector<double>& list, const Shape& shape) {
  return list[static_cast<std::size_t>(shape.layer)] != 0;
}

bool isFull(const P& p, const Shape& shape);

bool rotates(const P& p, const Shape& shape) {
  if (!p.rope_layers.empty()) return isGiven(p.rope_layers, shape);
  switch (p.rope_rule) {
    case RopeRule::interval: return rotatesByInterval(shape.layer, p.interval);
    case RopeRule::all: return true;
    case RopeRule::limited: break;
  }
  return !isFull(p, shape);
}

bool isFull(const P& p, const Shape& shape) {
  if (!p.layer_kinds.empty()) return !isGiven(p.layer_kinds, shape);
  if (p.last_full && shape.layer == shape.num_layers - 1) return true;
  switch (p.full_rule) {
    case FullRule::unrotated: return !rotates(p, shape);
    case FullRule::rotated: return rotates(p, shape);
    case FullRule::pattern: return isFullByPattern(shape.layer, shape.num_layers, p.pattern, p.last_full);
    case FullRule::all: break;
  }
  return true;
}

bool scalesQueries(const P& p, const Shape& shape) {
  return p.scaled_queries == ScaledQueries::all || (p.scaled_queries == ScaledQueries::unrotated && !rotates(p, shape));
}

Outcome checkFlags(std::string_view name, const std::vector<double>& flags, const Shape& shape) {
  if (flags.empty()) return {};
  if (static_cast<std::int64_t>(flags.size()) != shape.num_layers)
    return fail(
        ErrorCode::bad_shape,
        join("layer_pattern: ", name, " must have num_layers ", shape.num_layers, " entries, got ", flags.size()),
        join("layer_pattern：", name, " 必须有 num_layers ", shape.num_layers, " 项，得到 ", flags.size()));
  const auto wrong = std::ranges::find_if(flags, [](double f) { return f != 0 && f != 1; });
  if (wrong == flags.end()) return {};
  return fail(ErrorCode::bad_value, join("layer_pattern: the entries of ", name, " must be 0 or 1, got ", *wrong),
              join("layer_pattern：", name, " 的每一项必须是 0 或 1，得到 ", *wrong));
}

struct LayerPattern {
  Outcome check(const P& p, const Shape& shape) const {
    if (Outcome ok = checkFlags("rope_layers", p.rope_layers, shape); !ok) return ok;
    if (Outcome ok = checkFlags("layer_kinds", p.layer_kinds, shape); !ok) return ok;
    const bool by_kind = p.rope_layers.empty() && p.rope_rule == RopeRule::limited;
    const bool by_rotation =
        p.layer_kinds.empty() && (p.full_rule == FullRule::unrotated || p.full_rule == FullRule::rotated);
    if (by_kind && by_rotation)
      return fail(
          ErrorCode::bad_value,
          "layer_pattern: rope_rule 'limited' needs a full_rule of its own (pattern or all), because each of "
          "the two rules would follow the other",
          "layer_pattern：rope_rule 为“limited”时 full_rule 必须独立给出（pattern 或 all），否则两条规则互相引用");
    return checkRotary("layer_pattern", p, shape.head_dim);
  }

  template <class T>
  Encoding<T> encode(const P& p, const Shape& shape) const {
    Encoding<T> encoding;
    encoding.logit_scale = rootScale(shape);
    const bool turns = rotates(p, shape);
    const bool full = isFull(p, shape);
    encoding.facts = {{"rotates", turns ? 1.0 : 0.0}, {"full", full ? 1.0 : 0.0}};
    if (!full && p.limit == Limit::chunk) encoding.reach.chunk = p.chunk_size;
    if (!full && p.limit == Limit::window) encoding.reach.window = p.window;
    if (scalesQueries(p, shape)) {
      encoding.query_factor = queryFactors(p, shape.first_position, shape.keys());
      encoding.offset_only = false;
      encoding.facts.push_back({"last_factor", encoding.query_factor.back()});
    }
    if (!turns) return encoding;
    RotationPart rotation = rotationOf(p, shape);
    for (const EncodingFact& fact : rotaryFacts(p, shape)) encoding.facts.push_back(fact);
    encoding.warnings = rotaryWarnings(p, rotation.rotary_dim, shape.keys());
    encoding.rotation = std::move(rotation);
    return encoding;
  }

  std::string substitution(const P& p, const Shape& shape) const {
    const std::string layer = join("l = ", shape.layer, "/", shape.num_layers);
    const std::string reach = isFull(p, shape) ? std::string(", ∞")
                              : p.limit == Limit::chunk
                                  ? join(", c = ", screenNumber(static_cast<double>(p.chunk_size)))
                                  : join(", w = ", screenNumber(static_cast<double>(p.window)));
    const std::string turn = rotates(p, shape) ? ", " + rotarySubstitution(p, shape) : std::string(", θ = 0");
    return layer + reach + turn + (scalesQueries(p, shape) ? ", " + queryScalingSubstitution(p, shape) : std::string());
  }
};

}  // namespace

Scheme layerPattern() {
  return makeScheme({.id = "layer_pattern",
                     .name = {"Layer pattern", "层间模式"},
                     .family = Family::rotary,
                     .year = 2025,
                     .reference = "Meta 2025 (Llama 4); Yang et al. 2025, arXiv:2501.18795",
                     .summary = {"Some layers rotate, some have no position; some see everything, some only a part.",
                                 "有的层旋转，有的层没有位置；有的层看到全部，有的层只看局部。"}},
                    layerPatternTable(), LayerPattern{});
}

}  // namespace posiscope::schemes
