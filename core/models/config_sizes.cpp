// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/config_sizes.h"

#include "core/files/refusal.h"
#include "core/models/config.h"

#include <algorithm>
#include <cassert>

namespace posiscope::models {

std::optional<ConfigReader::Found<std::int64_t>> sizeOf(const ConfigReader& config, std::string_view field,
                                                        ConfigReader::Keys keys) {
  const ParamSpec* spec = findParam(shapeTable().specs(), field);
  return config.whole(keys, std::max<std::int64_t>(1, static_cast<std::int64_t>(spec->minimum)),
                      static_cast<std::int64_t>(spec->maximum));
}

std::optional<ConfigReader::Found<std::int64_t>> readSize(const ConfigReader& config, std::string_view field) {
  if (field == "d_model")
    return sizeOf(config, field, {"hidden_size", "n_embd", "n_embed", "d_model", "dim", "embed_dim"});
  if (field == "num_heads")
    return sizeOf(config, field, {"num_attention_heads", "n_head", "n_heads", "num_heads", "encoder_attention_heads"});
  if (field == "num_kv_heads")
    return sizeOf(config, field,
                  {"num_key_value_heads", "num_kv_heads", "n_head_kv", "n_kv_heads", "multi_query_group_num"});
  assert(field == "num_layers");
  return sizeOf(config, field, {"num_hidden_layers", "n_layer", "n_layers", "num_layers", "encoder_layers"});
}

Text quotientReason(const Shape& shape) {
  const std::string fact = join("head_dim ", shape.head_dim, " = d_model / num_heads");
  if (shape.d_model % shape.num_heads == 0) return files::same(fact);
  if (shape.d_model > shape.num_heads) return {fact + ", rounded down", fact + "，向下取整"};
  return {"head_dim 1, the least there is, as d_model / num_heads is below 1",
          "head_dim 1（最小值），因为 d_model / num_heads 小于 1"};
}

Text unevenKeyHeadsNote(const ConfigReader& config, const Shape& shape) {
  const std::string key = readSize(config, "num_kv_heads")->key;
  const auto heads = readSize(config, "num_heads");
  const std::string of = heads ? heads->key : "num_heads";
  return {join(config.file(), ": ", key, " must divide ", of, " ", shape.num_heads, ", got ", shape.num_kv_heads,
               "; all heads get keys of their own"),
          join(config.file(), "：", key, " 必须整除 ", of, "（", shape.num_heads, "），得到 ", shape.num_kv_heads,
               "；改为每个头各有自己的键")};
}

Text defaultSizesNote(std::string_view file, const Shape& shape) {
  const std::string taken =
      join("d_model ", shape.d_model, ", num_heads ", shape.num_heads, ", head_dim ", shape.head_dim);
  return {
      join(file, ": no usable sizes (hidden_size, num_attention_heads, head_dim); by default ", taken, " are taken"),
      join(file, "：没有可用的尺寸（hidden_size、num_attention_heads、head_dim）；采用默认的 d_model ", shape.d_model,
           "、num_heads ", shape.num_heads, "、head_dim ", shape.head_dim)};
}

}  // namespace posiscope::models
