// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/rope_config.h"

#include "core/brought_values.h"
#include "core/files/refusal.h"
#include "core/models/scheme_values.h"

#include <algorithm>
#include <iterator>

namespace posiscope::models {
namespace {

/// The object that describes the scaling. Files with layers of two kinds nest one object for each kind; the local
/// kind is read by layer_config.
std::optional<ConfigReader> scalingObject(const ConfigReader& root) {
  std::optional<ConfigReader> parameters = root.object("rope_parameters");
  if (!parameters) return root.object("rope_scaling");
  if (!parameters->has("full_attention")) return parameters;
  std::optional<ConfigReader> full = parameters->object("full_attention");
  return full ? full : parameters;
}

constexpr std::string_view known_scalings[] = {"linear",   "ntk",    "dynamic",     "yarn",
                                               "longrope", "llama3", "proportional"};
/// Every key of the scaling's object that is looked at, here or by layer_config.
constexpr std::string_view known_keys[] = {"rope_type",
                                           "type",
                                           "rope_theta",
                                           "rotary_emb_base",
                                           "rotary_embedding_base",
                                           "rope_freq_constant",
                                           "global_rope_theta",
                                           "rotary_dim",
                                           "partial_rotary_factor",
                                           "rotary_pct",
                                           "global_partial_rotary_factor",
                                           "factor",
                                           "original_max_position_embeddings",
                                           "attention_factor",
                                           "beta_fast",
                                           "beta_slow",
                                           "mscale",
                                           "mscale_all_dim",
                                           "truncate",
                                           "low_freq_factor",
                                           "high_freq_factor",
                                           "short_factor",
                                           "long_factor",
                                           "mrope_section",
                                           "mrope_interleaved",
                                           "llama_4_scaling_beta",
                                           "full_attention",
                                           "sliding_attention"};
constexpr std::size_t most_factors = 1 << 13;  // pairs of the widest head

class RopeReader {
 public:
  RopeReader(const ConfigReader& root, const ModelFamily& family, double max_length, Reason& reason)
      : root_(root), family_(family), max_length_(max_length), reason_(reason), scaling_(scalingObject(root)) {}

  RopeConfig read() {
    values_["pairing"] = std::string(family_.half_split ? "half" : "interleaved");
    noteOtherScaling();
    readBase();
    readShare();
    if (scaling_)
      readScaling();
    else if (family_.layers == LayerRule::gemma4)
      takeProportional();
    if (scaling_) scaling_->noteOthers(known_keys);
    return {choose(), original_length_};
  }

 private:
  /// Newer files have rope_parameters, older ones rope_scaling. Where both are there, one of them does not count.
  void noteOtherScaling() const {
    if (!scaling_ || !root_.has("rope_parameters")) return;
    const auto other = root_.has("rope_scaling") ? root_.object("rope_scaling") : std::nullopt;
    if (!other) return;
    std::string differing;
    for (const auto& [key, value] : other->object().items()) {
      const std::string same = key == "type" && scaling_->has("rope_type") ? "rope_type" : key;
      const auto there = scaling_->object().find(same);
      if (value.is_null() || (there != scaling_->object().end() && *there == value)) continue;
      differing += (differing.empty() ? "" : ", ") + files::escaped(key);
    }
    if (differing.empty()) return;
    root_.note(
        {join(root_.file(), ": rope_scaling says something else than rope_parameters (", differing,
              "); rope_parameters is taken"),
         join(root_.file(), "：rope_scaling 与 rope_parameters 不一致（", differing, "）；采用 rope_parameters")});
  }
  /// In the scaling's object or at the root, within the scheme's own limits.
  std::optional<ConfigReader::Found<double>> find(std::string_view parameter, ConfigReader::Keys keys) const {
    const ParamSpec& spec = paramOf("rope", parameter);
    if (scaling_)
      for (const std::string_view key : keys)
        if (scaling_->has(key)) return scaling_->number({key}, spec.minimum, spec.maximum);
    return root_.number(keys, spec.minimum, spec.maximum);
  }
  /// After `find` found nothing: the key it refused.
  std::optional<std::string> refused(ConfigReader::Keys keys) const {
    const auto inside = scaling_ ? scaling_->firstOf(keys) : std::nullopt;
    return inside ? inside : root_.firstOf(keys);
  }
  bool take(std::string_view parameter, ConfigReader::Keys keys) {
    const auto found = find(parameter, keys);
    if (!found) return false;
    values_[std::string(parameter)] = found->value;
    reason_.from(parameter, found->value, found->key);
    return true;
  }
  void readBase() {
    const ConfigReader::Keys keys{"rope_theta", "rotary_emb_base", "rotary_embedding_base", "rope_freq_constant",
                                  "global_rope_theta"};
    if (take("base", keys)) return;
    values_["base"] = family_.base;
    reason_.byDefault("base", family_.base, refused(keys));
  }
  void readShare() {
    if (take("rotary_dim", {"rotary_dim"})) return;
    if (take("rotary_share", {"partial_rotary_factor", "rotary_pct", "global_partial_rotary_factor"})) return;
    const auto wrong = refused({"rotary_dim", "partial_rotary_factor", "rotary_pct", "global_partial_rotary_factor"});
    if (family_.share == 1 && !wrong) return;
    if (family_.share != 1) values_["rotary_share"] = family_.share;
    reason_.byDefault("rotary_share", family_.share, wrong);
  }
  /// Gemma 4 without rope_parameters.
  void takeProportional() {
    values_["scaling"] = std::string("proportional");
    values_.emplace("rotary_share", 0.25);
    bringAlong("rope", {}, values_);
    reason_.byDefault("scaling", "proportional", std::nullopt);
    reason_.byDefault("rotary_share", valueText(values_["rotary_share"]), std::nullopt);
  }
  /// Which rotary scheme it is: by axes, of a part of the head, or of the head.
  SchemeChoice choose() {
    if (const auto sections = findSections()) {
      ParamValues axes{{"base", values_["base"]}, {"pairing", values_["pairing"]}, {"sections", sections->value}};
      if (const auto mixed = scaling_ ? scaling_->flag({"mrope_interleaved"}) : std::nullopt; mixed && mixed->value)
        axes["mode"] = std::string("interleaved");
      for (const char* share : {"rotary_dim", "rotary_share"})
        if (const auto found = values_.find(share); found != values_.end()) axes.insert(*found);
      if (values_.contains("scaling"))
        noteUnscaled({join(valueText(values_["scaling"]), " scaling beside sections is not computed"),
                      join("不计算带分段的 ", valueText(values_["scaling"]), " 缩放")});
      reason_.add({join("sections of time, height and width from ", sections->key),
                   join("时间、高、宽的分段，取自 ", sections->key)});
      return choiceOf("mrope", std::move(axes));
    }
    const auto part = root_.whole({"qk_rope_head_dim"}, 2, 1 << 14);
    if (!part) return choiceOf("rope", std::move(values_));
    values_.erase("rotary_share");
    values_["rotary_dim"] = static_cast<double>(part->value);
    reason_.from("rotary_dim", part->value, part->key);
    return choiceOf("rope_decoupled", std::move(values_));
  }
  std::optional<ConfigReader::Found<std::vector<double>>> findSections() const {
    if (scaling_ && scaling_->has("mrope_section")) return scaling_->numbers({"mrope_section"}, 0, 1 << 13, 3);
    return root_.numbers({"mrope_section"}, 0, 1 << 13, 3);
  }
  void noteUnscaled(const Text& why) {
    root_.note({join(root_.file(), ": ", why.en, "; the unscaled rotation is shown"),
                join(root_.file(), "：", why.zh, "；此处显示未缩放的旋转")});
  }
  void readScaling() {
    const auto type = scaling_->text({"rope_type", "type"});
    if (!type || type->value == "default" || type->value == "none" || type->value == "mrope") return;
    const std::string name = type->value == "su" ? "longrope" : type->value;
    if (std::ranges::find(known_scalings, name) == std::end(known_scalings)) {
      const std::string shown = files::escaped(name);
      return noteUnscaled({join(type->key, " '", shown, "' is a scaling this version does not compute"),
                           join(type->key, " “", shown, "” 是此版本无法计算的缩放")});
    }
    if (name == "longrope") return readLongrope(type->key);
    const bool has_factor = take("factor", {"factor"});
    if (name != "proportional" && !has_factor)
      return noteUnscaled({join(name, " scaling without a usable factor"), join(name, " 缩放没有可用的 factor")});
    values_["scaling"] = name;
    bringAlong("rope", {}, values_);
    reason_.from("scaling", name, type->key);
    if (name == "dynamic") readMaxLength(name);
    if (name == "yarn" || name == "llama3") readOriginalLength(name);
    if (name == "yarn") readYarn();
    if (name == "llama3") {
      // The library refuses a file without them.
      for (const std::string key : {"low_freq_factor", "high_freq_factor"})
        if (!take(key, {key})) noteTaken(name, key, key);
    }
  }
  /// The lists belong to the checkpoint: without them there is nothing to show.
  void readLongrope(const std::string& key) {
    for (const std::string list : {"short_factor", "long_factor"}) {
      const auto found = scaling_->numbers({list}, 1e-6, 1e6, most_factors);
      if (!found) {
        values_.erase("short_factor");
        return noteUnscaled({join("longrope scaling without a usable ", list), join("longrope 缩放没有可用的 ", list)});
      }
      values_[list] = found->value;
    }
    values_["scaling"] = std::string("longrope");
    reason_.from("scaling", "longrope", key);
    readOriginalLength("longrope");
    readMaxLength("longrope");
    take("attention_factor", {"attention_factor"});
  }
  /// A number the scaling cannot do without is our scheme's own, and is told.
  void noteTaken(const std::string& name, const std::string& key, std::string_view parameter) const {
    const std::string taken = valueText(paramOf("rope", parameter).default_value);
    root_.note({join(root_.file(), ": ", name, " scaling without a usable ", key, "; ", taken, " is taken"),
                join(root_.file(), "：", name, " 缩放没有可用的 ", key, "；改用 ", taken)});
  }
  void readMaxLength(const std::string& name) {
    if (max_length_ <= 0) return noteTaken(name, "max_position_embeddings", "max_length");
    values_["max_length"] = max_length_;
  }
  void readOriginalLength(const std::string& name) {
    if (take("original_length", {"original_max_position_embeddings"})) {
      original_length_ = std::get<double>(values_["original_length"]);
      return;
    }
    if (max_length_ <= 0) return noteTaken(name, "original_max_position_embeddings", "original_length");
    // Older library versions read it there.
    values_["original_length"] = max_length_;
    original_length_ = max_length_;
    root_.note({join(root_.file(), ": ", name, " without original_max_position_embeddings; max_position_embeddings ",
                     max_length_, " is taken"),
                join(root_.file(), "：", name, " 没有 original_max_position_embeddings；改用 max_position_embeddings ",
                     max_length_)});
  }
  void readYarn() {
    // The library reads "beta_fast or 32": an explicit 0 means the default.
    const auto given = [&](std::string_view key) {
      const auto found = scaling_->number({key}, 0, 1e6);
      return found && found->value > 0;
    };
    if (given("beta_fast")) take("beta_fast", {"beta_fast"});
    if (given("beta_slow")) take("beta_slow", {"beta_slow"});
    take("attention_factor", {"attention_factor"});
    take("mscale", {"mscale"});
    take("mscale_all_dim", {"mscale_all_dim"});
    if (const auto truncate = scaling_->flag({"truncate"})) values_["truncate"] = truncate->value;
  }

  const ConfigReader& root_;
  const ModelFamily& family_;
  double max_length_;
  Reason& reason_;
  std::optional<ConfigReader> scaling_;
  ParamValues values_;
  double original_length_ = 0;
};

}  // namespace

RopeConfig readRope(const ConfigReader& root, const ModelFamily& family, double max_length, Reason& reason) {
  return RopeReader(root, family, max_length, reason).read();
}

}  // namespace posiscope::models
