// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/config.h"

#include "core/chinese_text.h"
#include "core/files/json_text.h"
#include "core/files/refusal.h"
#include "core/models/checkpoint_config.h"
#include "core/models/config_sizes.h"
#include "core/models/layer_config.h"
#include "core/models/rope_config.h"
#include "core/models/scheme_values.h"
#include "core/models/window_config.h"
#include "core/schemes/list.h"

#include <algorithm>
#include <cmath>

namespace posiscope::models {
namespace {

using nlohmann::json;

class ModelReader {
 public:
  ModelReader(const ConfigReader& root, Inspection& inspection) : root_(root), to_(inspection) {}

  void read() {
    const auto type = root_.text({"model_type"});
    if (type) to_.model_type = files::escaped(type->value);
    const ModelFamily* family = familyOf(type ? type->value : std::string{});
    if (family && family->kind == PositionKind::windows) {
      readWindowStages(root_, to_, scheme_reason_, shape_reason_);
    } else {
      readShape();
      readLength(family);
    }
    if (family) {
      readScheme(*family);
      readMask(*family);
    }
    if (!scheme_reason_.empty()) to_.reasons.push_back(scheme_reason_.text());
    if (!shape_reason_.empty()) to_.reasons.push_back(shape_reason_.text());
    root_.noteSlips();
  }

 private:
  /// The layout of the pairs belongs to the kind: the same weights are kept in two orders.
  static Text kindOf(const ModelFamily& family) {
    const Text kind = positionKindName(family.kind);
    if (family.kind != PositionKind::rotary) return kind;
    return family.half_split ? Text{kind.en + ", half-split pairs", kind.zh + "，前后半配对"}
                             : Text{kind.en + ", adjacent pairs", kind.zh + "，相邻配对"};
  }
  /// model_type first; without one we know, the keys that only rotary models write.
  const ModelFamily* familyOf(const std::string& type) {
    if (const ModelFamily* family = findFamily(type)) {
      const Text kind = kindOf(*family);
      scheme_reason_.add({join("model_type ", type, " → ", kind.en), join("model_type ", type, " → ", kind.zh)});
      return family;
    }
    if (type.empty() && root_.has("dim") && root_.has("n_layers") && root_.has("n_heads")) {
      const Text kind = kindOf(originalRelease());
      scheme_reason_.add(
          {join("dim, n_layers and n_heads, the keys of an original release before conversion → ", kind.en),
           join("dim、n_layers 与 n_heads（转换之前的原始发布所用的键）→ ", kind.zh)});
      if (const auto scaled = root_.flag({"use_scaled_rope"}); scaled && scaled->value)
        root_.note({join(root_.file(), ": ", scaled->key,
                         " names a scaling without its numbers; the unscaled rotation "
                         "is shown"),
                    join(root_.file(), "：", scaled->key, " 表示有长度缩放，但没有给出数值；此处显示未缩放的旋转")});
      return &originalRelease();
    }
    const std::string shown = type.empty() ? "" : "'" + files::escaped(type) + "' ";
    for (const char* key :
         {"rope_parameters", "rope_scaling", "rope_theta", "rotary_emb_base", "rotary_dim", "rotary_pct"}) {
      if (!root_.has(key)) continue;
      const Text kind = positionKindName(PositionKind::rotary);
      scheme_reason_.add({join(key, " → ", kind.en), join(key, " → ", kind.zh)});
      root_.note(
          {join(root_.file(), ": model_type ", shown, "is not known; half-split pairs and a causal mask are assumed"),
           join(root_.file(), "：未知的 model_type ", shown, "；假定前后半配对与因果掩码")});
      return findFamily("llama");
    }
    root_.note({join(root_.file(), ": model_type ", shown, "is not known and no key tells its positional encoding"),
                join(root_.file(), "：未知的 model_type ", shown, "，也没有键说明其位置编码")});
    return nullptr;
  }

  /// True when it was there and right.
  bool takeSize(const char* field, std::int64_t& target,
                const std::optional<ConfigReader::Found<std::int64_t>>& found) {
    if (!found) return false;
    target = found->value;
    shape_reason_.from(field, found->value, found->key);
    return true;
  }
  /// Latent attention: a head is an unrotated and a rotated part, and `head_dim` in the file may mean either.
  bool takeLatentHead(Shape& shape) {
    const auto content = root_.whole({"qk_nope_head_dim"}, 0, 1 << 13);
    const auto rotated = root_.whole({"qk_rope_head_dim"}, 0, 1 << 13);
    if (!rotated || !content || rotated->value + content->value < 1) return false;
    shape.head_dim = content->value + rotated->value;
    shape_reason_.from("head_dim", shape.head_dim, content->key + " + " + rotated->key);
    return true;
  }
  void readShape() {
    Shape& shape = to_.shape;
    const bool width = takeSize("d_model", shape.d_model, readSize(root_, "d_model"));
    const bool heads = takeSize("num_heads", shape.num_heads, readSize(root_, "num_heads"));
    takeSize("num_layers", shape.num_layers, readSize(root_, "num_layers"));
    const bool head = takeLatentHead(shape) ||
                      takeSize("head_dim", shape.head_dim,
                               sizeOf(root_, "head_dim", {"head_dim", "d_kv", "kv_channels", "attention_head_size"}));
    if (!head && width && heads) {
      shape.head_dim = std::max<std::int64_t>(1, shape.d_model / shape.num_heads);
      shape_reason_.add(quotientReason(shape));
      if (shape.d_model % shape.num_heads != 0)
        root_.note(
            {join(root_.file(), ": the width ", shape.d_model, " is not a multiple of the ", shape.num_heads, " heads"),
             join(root_.file(), "：宽度 ", shape.d_model, " 不是头数 ", shape.num_heads, " 的倍数")});
    }
    if (takeSize("num_kv_heads", shape.num_kv_heads, readSize(root_, "num_kv_heads")) &&
        shape.num_heads % shape.num_kv_heads != 0) {
      root_.note(unevenKeyHeadsNote(root_, shape));
      shape.num_kv_heads = 0;
    }
    if (shape.num_kv_heads == shape.num_heads) shape.num_kv_heads = 0;
    if (!width && !heads && !head) root_.note(defaultSizesNote(root_.file(), shape));
  }
  void readLength(const ModelFamily* family) {
    constexpr double most = 1e18;
    const auto found = root_.number({"max_position_embeddings", "n_positions", "n_ctx", "max_seq_len", "seq_length",
                                     "model_max_length", "max_source_positions", "max_target_positions"},
                                    1, most);
    if (!found) return;
    max_length_ = std::floor(found->value);
    shape_reason_.from("seq_len", max_length_, found->key);
    if (max_length_ > longest_drawn) {
      root_.note({join(root_.file(), ": ", found->key, " is ", max_length_, "; only the first ", longest_drawn,
                       " positions are shown"),
                  join(root_.file(), "：", found->key, " 为 ", max_length_, "；只显示前 ", longest_drawn, " 个位置")});
      max_length_ = static_cast<double>(longest_drawn);
    }
    const std::int64_t unused = family && family->unused_rows > 0 ? rowOffset(*family) : 0;
    to_.shape.seq_len = std::max<std::int64_t>(1, static_cast<std::int64_t>(max_length_) - unused);
    to_.train_length = static_cast<double>(to_.shape.seq_len);
  }
  /// The row of the first token: behind the padding's, where the family counts from there.
  std::int64_t rowOffset(const ModelFamily& family) const {
    if (family.unused_rows == 0) return family.row_offset;
    const auto padding = root_.whole({"pad_token_id"}, 0, 1 << 16);
    return padding ? padding->value + 1 : family.row_offset;
  }
  void readMask(const ModelFamily& family) {
    to_.mask.causal = family.causal && !root_.flag({"is_encoder_decoder"}).value_or(ConfigReader::Found<bool>{}).value;
    if (own_windows_) return;
    const auto use = root_.flag({"use_sliding_window"});
    if (use ? !use->value : !family.windowed) return;
    const auto window = root_.whole({"sliding_window"}, 1, std::int64_t{1} << 40);
    if (!window || static_cast<double>(window->value) >= max_length_) return;
    // Theirs counts the query itself, ours the distance.
    to_.mask.window = window->value - 1;
    shape_reason_.from("window", to_.mask.window, window->key);
  }

  void readScheme(const ModelFamily& family) {
    const auto kind = root_.text({"position_embedding_type"});
    if (kind && kind->value != "absolute" && family.kind == PositionKind::learned) {
      if (kind->value == "rotary" || kind->value == "alibi")
        return readScheme(*findFamily(kind->value == "alibi" ? "bloom" : "llama"));
      return root_.note(
          {join(root_.file(), ": position_embedding_type '", files::escaped(kind->value),
                "' is not shown in this version"),
           join(root_.file(), "：此版本不显示 position_embedding_type “", files::escaped(kind->value), "”")});
    }
    switch (family.kind) {
      case PositionKind::rotary: return readRotary(family);
      case PositionKind::rotary_patches: return readPatches();
      case PositionKind::learned: return readLearned(family);
      case PositionKind::alibi: return readAlibi(family);
      case PositionKind::t5: return readBuckets();
      case PositionKind::windows: return;  // with the shape, which belongs to a stage
    }
  }
  void readRotary(const ModelFamily& family) {
    RopeConfig rope = readRope(root_, family, max_length_, scheme_reason_);
    if (rope.original_length > 0) to_.train_length = rope.original_length;
    auto [choice, own_windows] = withLayers(root_, family, to_.shape, rope.scheme, scheme_reason_);
    own_windows_ = own_windows;
    // What does not fit together (factor lists of another head width) is said, and the plain rotation is shown.
    if (const Outcome ok = schemes::find(choice.id)->check(choice.values, to_.shape);
        !ok && !rope.scheme.values.empty()) {
      root_.note({join(root_.file(), ": ", ok.error().message.en, "; the unscaled rotation is shown"),
                  join(root_.file(), "：", ok.error().message.zh, "；此处显示未缩放的旋转")});
      choice = plainOf(rope.scheme);
    }
    to_.schemes.push_back(std::move(choice));
  }
  /// Base, pairing and share alone.
  static SchemeChoice plainOf(const SchemeChoice& rope) {
    ParamValues values;
    for (const char* key : {"base", "pairing", "rotary_dim", "rotary_share"})
      if (const auto found = rope.values.find(key); found != rope.values.end()) values.insert(*found);
    if (rope.id != "mrope") return choiceOf(rope.id, std::move(values));
    values.insert({{"base", paramOf("mrope", "base").default_value}, {"pairing", std::string("half")}});
    return choiceOf("rope", std::move(values));
  }
  /// Pixtral: a square of patches; the axes share one list of frequencies.
  void readPatches() {
    ParamValues values{{"variant", std::string("split_freq")}, {"pairing", std::string("half")}};
    const ParamSpec& limits = paramOf("rope_2d", "base");
    const auto parameters = root_.object("rope_parameters");
    const ConfigReader& place = parameters && parameters->has("rope_theta") ? *parameters : root_;
    if (const auto base = place.number({"rope_theta"}, limits.minimum, limits.maximum)) {
      values["base"] = base->value;
      scheme_reason_.from("base", base->value, base->key);
    } else {
      scheme_reason_.byDefault("base", std::get<double>(limits.default_value), place.firstOf({"rope_theta"}));
    }
    const auto image = root_.whole({"image_size"}, 1, 1 << 16);
    const auto patch = root_.whole({"patch_size"}, 1, 1 << 16);
    const std::int64_t side = image && patch ? image->value / patch->value : 0;
    if (side > 0 && side * side <= longest_drawn) {
      to_.shape.grid_height = to_.shape.grid_width = side;
      to_.shape.seq_len = side * side;
      to_.train_length = static_cast<double>(side * side);
      shape_reason_.from("grid", join(side, " × ", side), image->key + " / " + patch->key);
    }
    to_.schemes.push_back(choiceOf("rope_2d", std::move(values)));
  }
  void readLearned(const ModelFamily& family) {
    ParamValues values{{"initial", std::string(family.causal ? "normal" : "truncated_normal")}};
    if (const auto std = root_.number({"initializer_range"}, 0, paramOf("learned", "std").maximum)) {
      values["std"] = std->value;
      scheme_reason_.from("std", std->value, std->key);
    }
    const std::int64_t first = rowOffset(family);
    if (first > 0) {
      values["position_offset"] = static_cast<double>(first);
      const std::int64_t usable = to_.shape.seq_len;
      scheme_reason_.add(
          {join("the first token uses row ", first, ": of ", usable + first, " rows ", usable, " belong to tokens"),
           join("第一个词元使用第 ", first, " 行：共 ", usable + first, " 行，其中 ", usable, " 行属于词元")});
    }
    values["max_positions"] = static_cast<double>(to_.shape.seq_len + first);
    to_.schemes.push_back(choiceOf("learned", std::move(values)));
  }
  void readAlibi(const ModelFamily& family) {
    ParamValues values{{"form", std::string(family.alibi_form)}};
    if (const auto attention = root_.object("attn_config")) {
      const auto on = attention->flag({"alibi"});
      if (on && !on->value)
        return root_.note({join(root_.file(), ": ", on->key, " is false; this model has a learned table"),
                           join(root_.file(), "：", on->key, " 为 false；该模型使用可学习位置表")});
      const ParamSpec& limits = paramOf("alibi", "max_bias");
      if (const auto bias = attention->number({"alibi_bias_max"}, limits.minimum, limits.maximum)) {
        values["max_bias"] = bias->value;
        scheme_reason_.from("max_bias", bias->value, bias->key);
      }
    }
    to_.schemes.push_back(choiceOf("alibi", std::move(values)));
  }
  void readBuckets() {
    ParamValues values;
    const auto take = [&](const std::string& parameter, std::string_view key, double usual) {
      const ParamSpec& limits = paramOf("t5_log", parameter);
      const auto found =
          root_.whole({key}, static_cast<std::int64_t>(limits.minimum), static_cast<std::int64_t>(limits.maximum));
      values[parameter] = found ? static_cast<double>(found->value) : usual;
      if (found)
        scheme_reason_.from(parameter, found->value, found->key);
      else
        scheme_reason_.byDefault(parameter, usual, root_.firstOf({key}));
    };
    take("num_buckets", "relative_attention_num_buckets", 32);
    take("max_distance", "relative_attention_max_distance", 128);
    scheme_reason_.add({"the encoder is shown", "显示编码器"});
    values["bidirectional"] = true;
    to_.schemes.push_back(choiceOf("t5_log", std::move(values)));
  }

  const ConfigReader& root_;
  Inspection& to_;
  Reason scheme_reason_;
  Reason shape_reason_;
  double max_length_ = 0;
  bool own_windows_ = false;  ///< of the layers: the mask has none then
};

}  // namespace

ConfigReader textTower(const ConfigReader& root) {
  const auto type = root.text({"model_type"});
  if (type && findFamily(type->value) && !root.has("text_config")) return root;
  for (const char* key : {"text_config", "llm_config", "language_config"}) {
    if (!root.has(key)) continue;
    if (auto tower = root.object(key)) {
      root.note({join(root.file(), ": only the text part is shown, from ", key),
                 join(root.file(), "：只显示文本部分，取自 ", key)});
      return *tower;
    }
  }
  return root;
}

namespace {

/// What an image part says of itself. Some name the type of the whole model, which tells of its text: that is dropped.
void readImagePart(const ConfigReader& object, Inspection& to) {
  ModelReader(object, to).read();
  if (to.schemes.empty() || to.schemes[0].id == "rope_2d") return;
  to.schemes.clear();
  to.reasons.clear();
  to.notes.push_back({join(object.file(), ": the positions of this image part are not shown in this version"),
                      join(object.file(), "：此版本不显示该图像部分的位置编码")});
}

/// Names the image part of a model whose text is shown, when it has positions of its own.
void noteImagePart(const json& root, const std::string& file, std::vector<Text>& notes) {
  constexpr const char* key = "vision_config";
  Inspection part;
  const ConfigReader whole(root, file, part.notes);
  const auto object = whole.has(key) ? whole.object(key) : std::nullopt;
  if (object) readImagePart(*object, part);
  if (part.schemes.empty()) return;
  const Text name = displayName(part.schemes[0]);
  notes.push_back({join(file, ": ", key, " has positions of its own, ", name.en, " (", part.reasons[0].en, "); open ",
                        file, "#", key, " to see them"),
                   joinChinese(file, "：", key, " 另有自己的位置编码 ", name.zh, "（", part.reasons[0].zh, "）；打开 ",
                               file, "#", key, " 即可查看")});
}

}  // namespace

Outcome readConfig(std::string_view text, const std::string& file, Inspection& inspection, const std::string& part) {
  const Expected<files::JsonText> parsed = files::parseJson(text, file);
  if (!parsed) return fail(parsed.error());
  if (!parsed->root.is_object())
    return files::refuse(ErrorCode::file_format, file, {"the content", "内容"}, {"a JSON object", "一个 JSON 对象"},
                         files::same(files::shown(parsed->root)));
  const std::string name = files::escaped(file, 4096);
  for (const std::string& key : parsed->repeated)
    inspection.notes.push_back({join(name, ": ", key, " is given twice; the last one counts"),
                                join(name, "：", key, " 给出了两次；以最后一个为准")});
  const ConfigReader root(parsed->root, name, inspection.notes);
  if (part.empty() && isCheckpoint(root)) {
    readCheckpoint(root, inspection);
    return {};
  }
  if (part.empty()) {
    ModelReader(textTower(root), inspection).read();
    noteImagePart(parsed->root, name, inspection.notes);
    return {};
  }
  const auto object = root.has(part) ? root.object(part) : std::nullopt;
  if (!object)
    return files::refuse(ErrorCode::bad_value, file, files::same(files::escaped(part)),
                         {"the name of an object in the file", "文件中一个对象的名称"},
                         Text{"no such object", "没有这个对象"});
  if (part == "vision_config")
    readImagePart(*object, inspection);
  else
    ModelReader(*object, inspection).read();
  return {};
}

}  // namespace posiscope::models
