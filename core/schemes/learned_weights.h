// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/param_table.h"
#include "core/random.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace posiscope::schemes {

/// How the weights that a user does not give are made: normal numbers of the stream `name` of the seed.
struct Drawing {
  std::int64_t seed;
  std::string name;  ///< "shaw/relative_keys"
  double deviation;
};

/// `count` elements of the array given, from `first` on; otherwise drawn numbers, the flat index being the example, so
/// that one head's part is the same alone.
template <class T>
std::vector<T> weightsPart(const Array& given, std::int64_t first, std::int64_t count, const Drawing& drawing) {
  if (!given.empty()) return std::vector<T>(given.data() + first, given.data() + first + count);
  const Stream stream(static_cast<std::uint64_t>(drawing.seed), drawing.name);
  std::vector<T> values(static_cast<std::size_t>(count));
  for (std::size_t e = 0; e < values.size(); ++e)
    values[e] = static_cast<T>(drawing.deviation * stream.normal(static_cast<std::uint64_t>(first) + e));
  return values;
}

/// The array given, otherwise `count` drawn numbers.
template <class T>
std::vector<T> weightsOf(const Array& given, std::int64_t count, const Drawing& drawing) {
  return weightsPart<T>(given, 0, given.empty() ? count : given.size(), drawing);
}

/// The array given, otherwise `count` times the same number (biases that start at zero).
template <class T>
std::vector<T> weightsOf(const Array& given, std::int64_t count, double start) {
  if (!given.empty()) return std::vector<T>(given.values->begin(), given.values->end());
  return std::vector<T>(static_cast<std::size_t>(count), static_cast<T>(start));
}

/// A given array must have exactly this shape. Errors: bad_shape.
inline Outcome checkWeights(std::string_view owner, std::string_view key, const Array& array,
                            const std::vector<std::int64_t>& shape) {
  if (array.empty() || array.shape == shape) return {};
  return fail(ErrorCode::bad_shape,
              join(owner, ": ", key, " must have shape ", shapeText(shape), ", got ", shapeText(array.shape)),
              join(owner, "：", key, " 的形状必须是 ", shapeText(shape), "，得到 ", shapeText(array.shape)));
}

/// A model's layers have arrays of their own, which may be given as one: (num_layers, shape…) instead of the shape that
/// all layers share. Errors: bad_shape.
inline Outcome checkLayerWeights(std::string_view owner, std::string_view key, const Array& array,
                                 const std::vector<std::int64_t>& shape, std::int64_t num_layers) {
  std::vector<std::int64_t> layered{num_layers};
  layered.insert(layered.end(), shape.begin(), shape.end());
  if (array.shape == layered) return {};
  return checkWeights(owner, key, array, shape);
}

/// What `layer` has of such an array; the array itself where all share it. `rank`: of one layer's shape.
inline Array layerPart(const Array& array, int rank, std::int64_t layer) {
  if (array.empty() || array.rank() == rank) return array;
  const std::int64_t size = array.size() / array.shape.front();
  const double* begin = array.data() + layer * size;
  return makeArray({array.shape.begin() + 1, array.shape.end()}, {begin, begin + size});
}

/// The parameter `seed` of a scheme with weights.
template <class P>
void addSeed(ParamTable<P>& table) {
  table.integer(
      "seed", &P::seed, {0, 1e15, 0, 100, false},
      {{"seed", "随机种子"}, {"Draws the weights that are not given as arrays.", "用于生成未以数组给出的权重。"}});
}

}  // namespace posiscope::schemes
