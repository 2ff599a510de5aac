// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/model_spec.h"

#include <cstdint>
#include <string>
#include <vector>

namespace posiscope::train {

enum class Role { word, position, other };

/// How the bench starts a parameter.
struct Initial {
  enum class Kind { constant, normal, uniform };
  Kind kind = Kind::constant;
  double value = 0;     ///< the constant, the standard deviation, or the end of the uniform range from 0
  double smallest = 0;  ///< a uniform draw is at least this

  static Initial constant(double value) { return {Kind::constant, value, 0}; }
  static Initial normal(double deviation) { return {Kind::normal, deviation, 0}; }
  static Initial fanIn(std::int64_t inputs);  ///< normal, 1/√inputs
};

/// One tensor in the flat array of a model's parameters.
struct Parameter {
  std::string name;
  std::vector<std::int64_t> shape;
  Initial initial;
  Role role = Role::other;
  bool decayed = false;  ///< by AdamW and SGD: weights of linear layers only
  std::int64_t offset = 0;

  std::int64_t size() const;
};

/// Where one layer's tensors start; −1 where there is none.
struct LayerOffsets {
  struct Linear {
    std::int64_t weight = -1, bias = -1;
  };
  struct Norm {
    std::int64_t gain = -1, offset = -1;
  };
  Norm norm1, norm2;
  Linear q, k, v, o, up, down;
};

/// All parameters of a model in the order of the flat array: words, layers, final norm, head, position.
struct Layout {
  std::vector<Parameter> parameters;
  std::int64_t size = 0;
  std::int64_t position = 0;  ///< where the position parameters start; they end the array
  std::vector<LayerOffsets> layers;
  LayerOffsets::Norm final_norm;
  LayerOffsets::Linear head;  ///< −1 when tied

  std::int64_t positionSize() const { return size - position; }
};

/// `position`: the encoding's own parameters, offsets not yet set.
Layout layoutOf(const ModelSpec& spec, const std::vector<Parameter>& position);

}  // namespace posiscope::train
