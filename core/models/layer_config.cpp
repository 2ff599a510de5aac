// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/layer_config.h"

#include "core/models/scheme_values.h"
#include "core/rotary_heads.h"

#include <algorithm>
#include <cmath>

namespace posiscope::models {
namespace {

constexpr std::size_t most_layers = 4096;
constexpr double most_tokens = 1 << 24;
/// max_window_layers of Qwen when the file has none.
constexpr std::int64_t usual_full_layers = 28;

class LayerReader {
 public:
  LayerReader(const ConfigReader& root, const ModelFamily& family, const Shape& shape, SchemeChoice rope,
              Reason& reason)
      : root_(root),
        rule_(family.layers),
        layers_(shape.num_layers),
        head_dim_(shape.head_dim),
        rope_(std::move(rope)),
        reason_(reason) {}

  LayeredScheme read() {
    if (rope_.id != "rope") return {std::move(rope_)};
    noteGlobalHead();
    readKinds();
    readLateWindows();
    readLocalBase();
    const bool own_windows = !kinds_.empty() || rule_ != LayerRule::alike;
    if (local_base_ > 0) return {dual(), own_windows};
    return {isPattern() ? pattern() : std::move(rope_), own_windows};
  }

 private:
  /// Gemma 4: the full layers have wider heads, while ours are alike in all layers.
  void noteGlobalHead() const {
    const auto global = root_.whole({"global_head_dim"}, 1, 1 << 14);
    if (!global || global->value == head_dim_) return;
    root_.note(
        {join(root_.file(), ": ", global->key, " ", global->value,
              " of the full layers is not used; every "
              "layer is shown with head_dim ",
              head_dim_, ", so set it to ", global->value, " to see a full one"),
         join(root_.file(), "：全注意力层的 ", global->key, " ", global->value, " 未被使用；所有层均按 head_dim ",
              head_dim_, " 显示，若要查看全注意力层，请将其设为 ", global->value)});
  }
  bool isDualRule() const {
    return rule_ == LayerRule::gemma3 || rule_ == LayerRule::gemma4 || rule_ == LayerRule::modernbert;
  }
  /// 0 for a layer that looks at everything, 1 for the others; empty when the file does not say.
  void readKinds() {
    const auto types = root_.texts({"layer_types"}, most_layers);
    if (!types || types->value.empty()) return;
    if (static_cast<std::int64_t>(types->value.size()) != layers_)
      return root_.note(
          {join(root_.file(), ": ", types->key, " has ", types->value.size(), " entries for ", layers_,
                " layers; it is not used"),
           join(root_.file(), "：", types->key, " 有 ", types->value.size(), " 项，而层数为 ", layers_, "；不予使用")});
    for (const std::string& type : types->value) kinds_.push_back(type == "full_attention" ? 0 : 1);
    types_slide_ = std::ranges::find(types->value, "sliding_attention") != types->value.end();
    if (rule_ == LayerRule::gemma4) kinds_.back() = 0;  // whatever the file says
    reason_.from("kinds of layers", join(std::ranges::count(kinds_, 0), " full of ", kinds_.size()), types->key);
  }
  /// Without layer_types the first max_window_layers layers see everything.
  void readLateWindows() {
    if (rule_ != LayerRule::qwen || !kinds_.empty() || !usesWindow() || !root_.has("sliding_window")) return;
    const auto given = root_.whole({"max_window_layers"}, 0, 1 << 20);
    const std::int64_t full = given ? given->value : usual_full_layers;
    for (std::int64_t l = 0; l < layers_; ++l) kinds_.push_back(l < full ? 0 : 1);
    if (given)
      reason_.from("kinds of layers", join(std::min(full, layers_), " full of ", layers_), given->key);
    else
      reason_.byDefault("max_window_layers", full, root_.firstOf({"max_window_layers"}));
  }
  /// Qwen has a window only where it is switched on.
  bool usesWindow() const {
    const auto use = root_.flag({"use_sliding_window"});
    return use ? use->value : rule_ != LayerRule::qwen;
  }
  void readLocalBase() {
    const ParamSpec& limits = paramOf("rope", "local_base");
    std::optional<ConfigReader::Found<double>> base =
        root_.number({"rope_local_base_freq", "local_rope_theta"}, limits.minimum, limits.maximum);
    std::optional<std::string> refused = root_.firstOf({"rope_local_base_freq", "local_rope_theta"});
    if (const auto parameters = root_.object("rope_parameters"); !base && parameters)
      if (const auto local =
              parameters->has("sliding_attention") ? parameters->object("sliding_attention") : std::nullopt) {
        base = local->number({"rope_theta"}, limits.minimum, limits.maximum);
        if (!refused) refused = local->firstOf({"rope_theta"});
      }
    const bool by_rule = isDualRule();
    if (base) {
      local_base_ = base->value;
      reason_.from("local_base", base->value, base->key);
    } else if (by_rule) {
      local_base_ = 10000;
      reason_.byDefault("local_base", local_base_, refused);
    }
  }

  /// Distance that is still seen to each side; 0 = no window is given.
  double window() {
    if (const auto both = root_.number({"local_attention"}, 1, most_tokens)) {
      reason_.from("window", std::floor(both->value / 2), both->key);
      return std::floor(both->value / 2);
    }
    const auto sliding = root_.number({"sliding_window"}, 1, most_tokens);
    if (!sliding || !usesWindow()) {
      const Text why = sliding ? Text{"use_sliding_window is not true", "use_sliding_window 不为 true"}
                               : Text{"sliding_window gives no size", "sliding_window 未给出大小"};
      if (types_slide_)
        root_.note(
            {join(root_.file(), ": layer_types gives layers a window, but ", why.en, "; every layer sees everything"),
             join(root_.file(), "：layer_types 给一些层指定了窗口，但 ", why.zh, "；所有层都看到全部")});
      return 0;
    }
    // Theirs counts the query itself, ours the distance.
    reason_.from("window", sliding->value - 1, sliding->key);
    return sliding->value - 1;
  }

  /// How the global layers come back.
  struct Rhythm {
    std::int64_t period;
    std::int64_t global_at;
  };
  /// The rhythms that may be meant, the likeliest first; empty when nothing tells one.
  std::vector<Rhythm> rhythms() {
    if (const auto given = root_.whole({"global_attn_every_n_layers", "sliding_window_pattern"}, 1, most_layers)) {
      reason_.from("period", given->value, given->key);
      return {{given->value, given->key.ends_with("sliding_window_pattern") ? given->value - 1 : 0}};
    }
    if (!kinds_.empty()) {
      const auto first = std::ranges::find(kinds_, 0);
      if (first == kinds_.end()) return {};
      const auto second = std::find(first + 1, kinds_.end(), 0);
      // One global layer, alone or beside the last one, comes back after the last one.
      const Rhythm once{std::max<std::int64_t>(layers_, 1), first - kinds_.begin()};
      return second == kinds_.end() ? std::vector{once} : std::vector{{second - first, first - kinds_.begin()}, once};
    }
    if (rule_ == LayerRule::modernbert) return {{3, 0}};
    return isDualRule() ? std::vector<Rhythm>{{6, 5}} : std::vector<Rhythm>{};
  }
  /// Do all layers follow it? The last one may be global besides.
  bool fits(const Rhythm& rhythm) const {
    if (rhythm.global_at >= rhythm.period) return false;
    for (std::int64_t l = 0; l < std::ssize(kinds_); ++l) {
      const bool full = kinds_[static_cast<std::size_t>(l)] == 0;
      const bool last = l + 1 == std::ssize(kinds_);
      if (isGlobalLayer(l, rhythm.period, rhythm.global_at) != full && !(last && full)) return false;
    }
    return true;
  }
  /// period, global_at and last_global; false when the global layers do not come back evenly.
  bool readPeriod(ParamValues& values) {
    const std::vector<Rhythm> possible = rhythms();
    const auto found = std::ranges::find_if(possible, [this](const Rhythm& r) { return fits(r); });
    if (found == possible.end()) return false;
    values["period"] = static_cast<double>(found->period);
    values["global_at"] = static_cast<double>(found->global_at);
    const bool full = rule_ == LayerRule::gemma4 || (!kinds_.empty() && kinds_.back() == 0);
    values["last_global"] = full && !isGlobalLayer(layers_ - 1, found->period, found->global_at);
    return true;
  }

  SchemeChoice dual() {
    ParamValues values = rope_.values;
    if (!readPeriod(values)) {
      root_.note(
          {join(root_.file(), ": rope_parameters differs by layer in no even rhythm; that of full_attention is shown"),
           join(root_.file(), "：rope_parameters 因层而异且没有规律；此处显示 full_attention 的参数")});
      return std::move(rope_);
    }
    values["dual"] = true;
    values["local_base"] = local_base_;
    // An old flat rope_scaling holds in all layers of ModernBERT and in the global ones of Gemma 3.
    if (rule_ == LayerRule::modernbert && !root_.has("rope_parameters")) values["scale_local"] = true;
    values["local_window"] = window();
    return choiceOf("rope", std::move(values));
  }

  bool isPattern() const {
    const bool by_rule = rule_ != LayerRule::alike && rule_ != LayerRule::qwen;
    return by_rule || root_.has("no_rope_layers") || root_.has("no_rope_layer_interval") ||
           std::ranges::find(kinds_, 1) != kinds_.end() || hasScalingBeta();
  }
  /// Ministral 3 scales its queries by a key among those of the rotation.
  bool hasScalingBeta() const {
    const auto parameters = root_.object("rope_parameters");
    return parameters && parameters->has("llama_4_scaling_beta");
  }
  void readQueryScaling(ParamValues& values) {
    const auto take = [&](const ConfigReader& place, const char* parameter, std::string_view key) {
      const ParamSpec& limits = paramOf("layer_pattern", parameter);
      const auto found = place.number({key}, limits.minimum, limits.maximum);
      if (!found) return false;
      values[parameter] = found->value;
      reason_.from(parameter, found->value, found->key);
      return true;
    };
    if (rule_ == LayerRule::llama4) {
      if (const auto on = root_.flag({"attn_temperature_tuning"}); on && !on->value) return;
      values["scaled_queries"] = std::string("unrotated");
      take(root_, "floor_scale", "floor_scale");
      take(root_, "attn_scale", "attn_scale");
    } else if (hasScalingBeta()) {
      const ConfigReader parameters = *root_.object("rope_parameters");
      if (!take(parameters, "attn_scale", "llama_4_scaling_beta")) return;
      values["scaled_queries"] = std::string("all");
      values["kind"] = std::string("ministral3");
      take(parameters, "floor_scale", "original_max_position_embeddings");
    }
  }
  void applyRule(ParamValues& values) const {
    const auto word = [](const char* text) { return std::string(text); };
    switch (rule_) {
      case LayerRule::alternating:
        values.insert({{"rope_rule", word("all")}, {"full_rule", word("pattern")}, {"pattern", 2.0}});
        break;
      case LayerRule::cohere2:
        values.insert({{"rope_rule", word("limited")}, {"full_rule", word("pattern")}, {"pattern", 4.0}});
        break;
      case LayerRule::smollm3: values["full_rule"] = word("all"); break;
      case LayerRule::llama4: break;
      default: values.insert({{"rope_rule", word("all")}, {"full_rule", word("all")}}); break;
    }
  }
  SchemeChoice pattern() {
    ParamValues values = rope_.values;
    applyRule(values);
    if (!kinds_.empty()) values["layer_kinds"] = kinds_;
    if (const auto flags = root_.numbers({"no_rope_layers"}, 0, 1, most_layers);
        flags && static_cast<std::int64_t>(flags->value.size()) == layers_) {
      // The key's name notwithstanding, 1 means that the layer rotates.
      values["rope_layers"] = flags->value;
      reason_.from("rotating layers", std::ranges::count(flags->value, 1.0), flags->key);
    }
    if (const auto interval = root_.whole({"no_rope_layer_interval"}, 1, most_layers)) {
      values["rope_rule"] = std::string("interval");
      values["interval"] = static_cast<double>(interval->value);
      reason_.from("interval", interval->value, interval->key);
    }
    if (const auto period = root_.whole({"sliding_window_pattern"}, 1, most_layers); period && kinds_.empty())
      values["pattern"] = static_cast<double>(period->value);
    readLimit(values);
    readQueryScaling(values);
    return choiceOf("layer_pattern", std::move(values));
  }
  void readLimit(ParamValues& values) {
    if (const auto chunk = root_.number({"attention_chunk_size"}, 1, most_tokens)) {
      values["chunk_size"] = chunk->value;
      reason_.from("chunk_size", chunk->value, chunk->key);
      return;
    }
    if (rule_ == LayerRule::llama4) return;
    const double seen = window();
    if (seen <= 0) {
      // Without a window every layer looks at everything, and those that rotate because they have one all do.
      values.erase("layer_kinds");
      values["full_rule"] = std::string("all");
      if (rule_ == LayerRule::cohere2) values["rope_rule"] = std::string("all");
      return;
    }
    values["limit"] = std::string("window");
    values["window"] = seen;
    const auto used = root_.flag({"use_sliding_window"});
    if (rule_ == LayerRule::smollm3 && kinds_.empty() && used && used->value)
      values["full_rule"] = std::string("rotated");
  }

  const ConfigReader& root_;
  LayerRule rule_;
  std::int64_t layers_;
  std::int64_t head_dim_;
  SchemeChoice rope_;
  Reason& reason_;
  std::vector<double> kinds_;
  bool types_slide_ = false;  ///< layer_types names layers with a window, not of another kind
  double local_base_ = 0;
};

}  // namespace

LayeredScheme withLayers(const ConfigReader& root, const ModelFamily& family, const Shape& shape, SchemeChoice rope,
                         Reason& reason) {
  return LayerReader(root, family, shape, std::move(rope), reason).read();
}

}  // namespace posiscope::models
