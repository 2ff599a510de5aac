// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base_range.h"
#include "core/rotary_heads.h"
#include "core/schemes/rotary_scheme.h"
#include "core/schemes/schemes.h"
#include "core/screen_number.h"

#include <algorithm>

namespace posiscope::schemes {
namespace {

enum class BasesBy { head, layer };
enum class Spread { none, base, factor };

/// One rotation for all heads and layers, unless one of three ways to differ is used.
struct RopeParams : RotaryParams {
  std::vector<double> bases;
  BasesBy bases_by = BasesBy::head;
  Spread spread = Spread::none;
  double base_min = 1000;
  double base_max = 1e6;
  double factor_min = 1.2;
  double factor_max = 1.8;
  bool dual = false;
  double local_base = 10000;
  bool scale_local = false;
  std::int64_t period = 6;
  std::int64_t global_at = 5;
  bool last_global = false;
  std::int64_t local_window = 0;
};
using P = RopeParams;

constexpr Range any_base = base_range;

void addHeads(ParamTable<P>& t) {
  t.list("bases", &P::bases,
         {{"bases", "多个底数"},
          {"A base for each head or layer in place of the one base; empty means one for all.",
           "为每个头或每层各给一个底数，代替单一底数；空表示共用一个。"}})
      .unset({"one for all", "共用一个"});
  t.choice("bases_by", &P::bases_by, {{"head", {"head", "按头"}}, {"layer", {"layer", "按层"}}},
           {{"bases by", "多个底数的含义"}, {"What the list of bases counts.", "底数列表按什么计数。"}});
  t.choice("spread", &P::spread,
           {{"none", {"none", "无"}},
            {"base", {"bases, geometric", "底数按等比"}},
            {"factor", {"factors, linear (Ms-PoE)", "倍数按等差（Ms-PoE）"}}},
           {{"spread over heads", "各头之间的变化"},
            {"Lets the heads differ evenly from the first to the last.", "使各头从第一个到最后一个均匀变化。"}});
  t.real("base_min", &P::base_min, any_base, {{"first base", "首个底数"}, {"The base of head 0.", "第 0 个头的底数。"}})
      .when("spread", {"base"});
  t.real("base_max", &P::base_max, any_base,
         {{"last base", "末个底数"}, {"The base of the last head.", "最后一个头的底数。"}})
      .when("spread", {"base"});
  t.real("factor_min", &P::factor_min, {1e-3, 1e4, 1, 16, true},
         {{"first factor", "首个倍数"}, {"Divides the frequencies of head 0.", "第 0 个头的频率除以该值。"}})
      .when("spread", {"factor"});
  t.real("factor_max", &P::factor_max, {1e-3, 1e4, 1, 16, true},
         {{"last factor", "末个倍数"}, {"Divides the frequencies of the last head.", "最后一个头的频率除以该值。"}})
      .when("spread", {"factor"});
}

void addLayers(ParamTable<P>& t) {
  t.boolean("dual", &P::dual,
            {{"two kinds of layers", "两类层"},
             {"Every so many layers are global, with base and scaling above; the others are local, with a base of "
              "their own.",
              "每隔若干层为全局层，使用上面的底数与缩放；其余为局部层，使用自己的底数。"}});
  t.real("local_base", &P::local_base, any_base,
         {{"local base", "局部底数"}, {"The base of the local layers.", "局部层的底数。"}, "rope_local_base_freq"})
      .when("dual", {"true"});
  t.boolean("scale_local", &P::scale_local,
            {{"scale local layers", "缩放局部层"},
             {"Scaling holds in the local layers too; not so in Gemma 3.", "局部层也使用长度缩放；Gemma 3 不使用。"}})
      .when("dual", {"true"});
  t.integer("period", &P::period, {1, 4096, 1, 16, false},
            {{"period", "周期"},
             {"One layer in this many is global.", "每这么多层中有一层是全局层。"},
             "sliding_window_pattern",
             "layers"})
      .when("dual", {"true"});
  t.integer("global_at", &P::global_at, {0, 4095, 0, 15, false},
            {{"global at", "全局层位置"},
             {"Which layer of each period is global, from 0.", "每个周期中第几层是全局层，从 0 开始。"}})
      .when("dual", {"true"});
  t.boolean("last_global", &P::last_global,
            {{"last layer global", "最后一层为全局层"},
             {"The last layer is global wherever the period puts it, as in Gemma 4.",
              "不论周期如何，最后一层都是全局层，如 Gemma 4。"}})
      .when("dual", {"true"});
  t.integer("local_window", &P::local_window, {0, 1 << 24, 0, 4096, false},
            {{"local window", "局部窗口"},
             {"How far a local layer looks to each side; 0 means everywhere.", "局部层向每一侧能看多远；0 表示不限。"},
             "sliding_window",
             "tokens"})
      .unset({"everywhere", "不限"})
      .when("dual", {"true"});
}

ParamTable<P> ropeTable() {
  ParamTable<P> t;
  t.include(turnTable()).include(shareTable()).include(scalingTable());
  addHeads(t);
  addLayers(t);
  return t;
}

bool isLocal(const P& p, const Shape& shape) {
  if (!p.dual || (p.last_global && shape.layer == shape.num_layers - 1)) return false;
  return !isGlobalLayer(shape.layer, p.period, p.global_at);
}

/// What holds in the layer that is looked at, for all heads together.
RotaryParams inLayer(const P& p, const Shape& shape) {
  RotaryParams r = p;
  if (!p.bases.empty() && p.bases_by == BasesBy::layer) r.base = p.bases[static_cast<std::size_t>(shape.layer)];
  if (!isLocal(p, shape)) return r;
  r.base = p.local_base;
  if (p.scale_local) return r;
  // The share is part of the proportional form: without it the whole head turns, as in Gemma 4's sliding layers.
  if (r.scaling == RotaryScaling::proportional) {
    r.rotary_share = 1;
    r.rotary_dim = 0;
  }
  r.scaling = RotaryScaling::none;
  return r;
}

bool headsDiffer(const P& p) { return p.spread != Spread::none || (!p.bases.empty() && p.bases_by == BasesBy::head); }

/// The parameters of each head; one entry where all heads are alike.
std::vector<RotaryParams> byHead(const P& p, const Shape& shape) {
  const RotaryParams r = inLayer(p, shape);
  if (!headsDiffer(p)) return {r};
  std::vector<RotaryParams> heads(static_cast<std::size_t>(shape.num_heads), r);
  const std::vector<double> bases = p.spread == Spread::base   ? geometricBases(p.base_min, p.base_max, shape.num_heads)
                                    : p.spread == Spread::none ? p.bases
                                                               : std::vector<double>{};
  for (std::size_t h = 0; h < bases.size(); ++h) heads[h].base = bases[h];
  if (p.spread != Spread::factor) return heads;
  const std::vector<double> factors = linearFactors(p.factor_min, p.factor_max, shape.num_heads);
  for (std::size_t h = 0; h < factors.size(); ++h) {
    heads[h].scaling = RotaryScaling::linear;
    heads[h].factor = factors[h];
  }
  return heads;
}

Outcome checkBases(const P& p, const Shape& shape) {
  if (p.bases.empty()) return {};
  const bool by_head = p.bases_by == BasesBy::head;
  const std::int64_t wanted = by_head ? shape.num_heads : shape.num_layers;
  if (static_cast<std::int64_t>(p.bases.size()) != wanted)
    return fail(
        ErrorCode::bad_shape,
        join("rope: bases must have ", by_head ? "num_heads " : "num_layers ", wanted, " entries, got ",
             p.bases.size()),
        join("rope：bases 必须有 ", by_head ? "num_heads " : "num_layers ", wanted, " 项，得到 ", p.bases.size()));
  const auto wrong =
      std::ranges::find_if(p.bases, [](double b) { return !(b >= any_base.minimum && b <= any_base.maximum); });
  if (wrong != p.bases.end())
    return fail(rangeError("rope", "each of bases", any_base.minimum, any_base.maximum, *wrong));
  if (by_head && p.spread != Spread::none)
    return fail(ErrorCode::bad_value, "rope: bases by head and spread cannot both be given, got both",
                "rope：按头的 bases 与 spread 不能同时给出，得到两者");
  return {};
}

Outcome checkLayers(const P& p) {
  if (!p.dual || p.global_at < p.period) return {};
  return fail(ErrorCode::out_of_range, join("rope: global_at must be below period ", p.period, ", got ", p.global_at),
              join("rope：global_at 必须小于 period ", p.period, "，得到 ", p.global_at));
}

/// A share of no pair rotates nothing, as in the models that have one: such a head has no position.
bool turnsNothing(const RotaryParams& p, const Shape& shape) { return rotaryDim(p, shape.head_dim) == 0; }

Text noPairText(double share, std::int64_t head_dim) {
  return {join("The share ", screenNumber(share), " of a head of ", head_dim,
               " dimensions rounds down to none: nothing turns, there is no position here."),
          join("比例 ", screenNumber(share), " 在 ", head_dim,
               " 维的头中向下取整后为 0 维：没有任何量转动，这里没有位置信息。")};
}

struct Rope {
  Outcome check(const P& p, const Shape& shape) const {
    if (Outcome ok = checkBases(p, shape); !ok) return ok;
    if (Outcome ok = checkLayers(p); !ok) return ok;
    if (p.spread == Spread::factor && p.scaling != RotaryScaling::none && p.scaling != RotaryScaling::linear)
      return fail(ErrorCode::bad_value, "rope: factors by head take the place of linear scaling; scaling must be none",
                  "rope：按头的倍数取代线性缩放；scaling 必须为 none");
    for (const RotaryParams& head : byHead(p, shape))
      if (Outcome ok = turnsNothing(head, shape) ? Outcome{} : checkRotary("rope", head, shape.head_dim); !ok)
        return ok;
    return {};
  }

  template <class T>
  Encoding<T> encode(const P& p, const Shape& shape) const {
    const std::vector<RotaryParams> heads = byHead(p, shape);
    const RotaryParams& first = heads.front();
    if (turnsNothing(first, shape)) return unturned<T>(p, first, shape);
    RotationPart rotation = rotationOf(first, shape);
    rotation.sets = static_cast<std::int64_t>(heads.size());
    for (std::size_t h = 1; h < heads.size(); ++h) {
      const std::vector<double> more = inverseFrequencies(heads[h], rotation.rotary_dim, shape.keys());
      rotation.frequency.insert(rotation.frequency.end(), more.begin(), more.end());
    }
    Encoding<T> encoding;
    encoding.facts = rotaryFacts(first, shape);
    if (p.dual) encoding.facts.push_back({"global_layer", isLocal(p, shape) ? 0.0 : 1.0});
    encoding.warnings = rotaryWarnings(first, rotation.rotary_dim, shape.keys());
    encoding.rotation = std::move(rotation);
    encoding.logit_scale = rootScale(shape);
    if (isLocal(p, shape) && p.local_window > 0) encoding.reach.window = p.local_window;
    // DeepSeek's own code moves part of the temperature from cos and sin to the softmax scale.
    if (first.mscale_rule == MscaleRule::deepseek) encoding.logit_scale *= softmaxScaleMultiplier(first);
    return encoding;
  }

  std::string substitution(const P& p, const Shape& shape) const {
    const std::vector<RotaryParams> heads = byHead(p, shape);
    if (turnsNothing(heads.front(), shape)) return "r = 0";
    std::string text = rotarySubstitution(heads.front(), shape);
    if (heads.size() > 1 && p.spread == Spread::factor)
      text += join(", s₀ = ", screenNumber(heads.front().factor), "…", screenNumber(heads.back().factor));
    else if (heads.size() > 1)
      text += join(", b₀ = ", screenNumber(heads.front().base), "…", screenNumber(heads.back().base));
    return text;
  }

 private:
  template <class T>
  static Encoding<T> unturned(const P& p, const RotaryParams& layer, const Shape& shape) {
    Encoding<T> encoding;
    encoding.facts.push_back({"rotary_dim", 0.0});
    if (layer.rotary_share > 0) encoding.warnings.push_back(noPairText(layer.rotary_share, shape.head_dim));
    encoding.logit_scale = rootScale(shape);
    if (isLocal(p, shape) && p.local_window > 0) encoding.reach.window = p.local_window;
    if (layer.mscale_rule == MscaleRule::deepseek) encoding.logit_scale *= softmaxScaleMultiplier(layer);
    return encoding;
  }
};

}  // namespace

Scheme rope() {
  return makeScheme({.id = "rope",
                     .name = {"RoPE", "RoPE 旋转位置编码"},
                     .family = Family::rotary,
                     .year = 2021,
                     .reference = "Su et al. 2021, arXiv:2104.09864",
                     .summary = {"Turns each pair of query and key dimensions by an angle that grows with position.",
                                 "把查询和键的每个维度对旋转一个随位置增长的角度。"}},
                    ropeTable(), Rope{});
}

}  // namespace posiscope::schemes
