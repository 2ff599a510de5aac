// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/safetensors_bytes.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace posiscope::test {

/// A tensor to be written: its numbers are those a small deterministic rule draws.
struct SmallTensor {
  std::vector<std::int64_t> shape = {};
  double centre = 0;  ///< gains are around 1
};
using SmallTensors = std::map<std::string, SmallTensor>;

/// The bytes of a number in F64, F32, BF16 or F16. All are numbers of BF16 and F16 alike: few bits, near 1.
inline std::string smallNumber(double value, const std::string& type) {
  if (type == "F64") {
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), &value, 8);
    return bytes;
  }
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if (type == "F32") {
    std::string bytes(4, '\0');
    std::memcpy(bytes.data(), &bits, 4);
    return bytes;
  }
  std::uint16_t half = static_cast<std::uint16_t>(bits >> 16);
  if (type == "F16")  // exact for these: the exponent is moved, seven bits of mantissa become ten
    half = value == 0 ? 0
                      : static_cast<std::uint16_t>(((bits >> 16) & 0x8000u) | ((((bits >> 23) & 0xFFu) - 112u) << 10) |
                                                   ((bits >> 13) & 0x3FFu));
  return {static_cast<char>(half & 0xFF), static_cast<char>(half >> 8)};
}

/// The header of a file of these tensors, `width` bytes a number, one behind the other; `bytes`: of all numbers.
inline std::string smallHeader(const SmallTensors& tensors, const std::string& type, std::uint64_t width,
                               std::uint64_t& bytes) {
  std::string header;
  for (const auto& [name, tensor] : tensors) {
    std::uint64_t count = 1;
    std::string shape;
    for (const std::int64_t dimension : tensor.shape) {
      count *= static_cast<std::uint64_t>(dimension);
      shape += (shape.empty() ? "" : ",") + std::to_string(dimension);
    }
    const std::uint64_t begin = bytes;
    bytes += count * width;
    header += (header.empty() ? "{\"" : ",\"") + name + R"(":{"dtype":")" + type + R"(","shape":[)" + shape +
              R"(],"data_offsets":[)" + std::to_string(begin) + "," + std::to_string(bytes) + "]}";
  }
  return header + "}";
}

/// A .safetensors file of these tensors. `type` changes how the numbers are stored, not which they are.
inline std::string smallModel(const SmallTensors& tensors, const std::string& type = "F32") {
  std::string data;
  for (const auto& [name, tensor] : tensors) {
    std::uint64_t state = 7;
    for (const char c : name) state = state * 31 + static_cast<unsigned char>(c);
    std::int64_t count = 1;
    for (const std::int64_t dimension : tensor.shape) count *= dimension;
    for (std::int64_t e = 0; e < count; ++e) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      data += smallNumber(tensor.centre + (static_cast<double>(state >> 58) - 32) / 64, type);
    }
  }
  std::uint64_t bytes = 0;
  return safetensorsBytes(smallHeader(tensors, type, smallNumber(0, type).size(), bytes), data);
}

/// The tensors of a Llama of two layers: d_model 8, 4 heads on 2 key heads of 4, hidden 12, vocabulary 10.
inline SmallTensors smallLlama() {
  SmallTensors tensors{{"model.embed_tokens.weight", {{10, 8}}}, {"model.norm.weight", {{8}, 1}}};
  for (const char* l : {"0", "1"}) {
    const std::string stem = std::string("model.layers.") + l + ".";
    tensors[stem + "input_layernorm.weight"] = {{8}, 1};
    tensors[stem + "post_attention_layernorm.weight"] = {{8}, 1};
    tensors[stem + "self_attn.q_proj.weight"] = {{16, 8}};
    tensors[stem + "self_attn.k_proj.weight"] = {{8, 8}};
    tensors[stem + "self_attn.v_proj.weight"] = {{8, 8}};
    tensors[stem + "self_attn.o_proj.weight"] = {{8, 16}};
    tensors[stem + "mlp.gate_proj.weight"] = {{12, 8}};
    tensors[stem + "mlp.up_proj.weight"] = {{12, 8}};
    tensors[stem + "mlp.down_proj.weight"] = {{8, 12}};
  }
  return tensors;
}

inline std::string smallLlamaConfig(const std::string& more = {}) {
  return R"({"model_type":"llama","hidden_size":8,"num_hidden_layers":2,"num_attention_heads":4,"head_dim":4,)"
         R"("num_key_value_heads":2,"intermediate_size":12,"vocab_size":10,"max_position_embeddings":64)" +
         more + "}";
}

}  // namespace posiscope::test
