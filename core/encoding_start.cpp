// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding_start.h"

#include <algorithm>
#include <variant>

namespace posiscope {
namespace {

template <class T>
OffsetBias<T> cut(const OffsetBias<T>& bias, std::int64_t tokens) {
  OffsetBias<T> result{bias.heads, tokens - 1, {}, bias.term};
  const std::int64_t width = 2 * bias.max_offset + 1;
  for (std::int64_t h = 0; h < bias.heads; ++h) {
    const auto middle = bias.values.begin() + h * width + bias.max_offset;
    result.values.insert(result.values.end(), middle - (tokens - 1), middle + tokens);
  }
  return result;
}

RotationPart cut(const RotationPart& rotation, std::int64_t tokens) {
  RotationPart result = rotation;
  result.position.clear();
  const auto whole = static_cast<std::int64_t>(rotation.position.size()) / rotation.axes;
  for (std::int64_t a = 0; a < rotation.axes; ++a) {
    const auto from = rotation.position.begin() + a * whole;
    result.position.insert(result.position.end(), from, from + tokens);
  }
  return result;
}

/// Parts that are numbers can be cut, and so can the rows of a bias; other functions know the shape they were made for.
template <class T>
bool canBeCut(const Encoding<T>& e) {
  return !e.input.transform && !e.logits.score.prepare && !e.values.add;
}

}  // namespace

template <class T>
std::optional<Encoding<T>> startOf(const Encoding<T>& e, std::int64_t tokens) {
  if (!canBeCut(e)) return std::nullopt;
  Encoding<T> result;
  if (!e.input.table.empty()) {
    result.input.table = makeTable<T>(tokens, e.input.table.cols);
    std::copy_n(e.input.table.values.begin(), result.input.table.values.size(), result.input.table.values.begin());
  }
  result.input.term = e.input.term;
  if (e.input.fill_row) {
    result.input.fill_row = e.input.fill_row;
    result.input.rows = tokens;
    result.input.cols = e.input.cols;
  }
  result.input.frequency = e.input.frequency;
  if (e.rotation) result.rotation = cut(*e.rotation, tokens);
  if (const auto* bias = std::get_if<OffsetBias<T>>(&e.logits.bias)) result.logits.bias = cut(*bias, tokens);
  // A row over fewer keys is the start of the whole row: a table of patches keeps the grid it was made for.
  if (const auto* bias = std::get_if<PairBias<T>>(&e.logits.bias)) result.logits.bias = *bias;
  result.logits.terms = e.logits.terms;  // those of the bias, as there is no score
  if (!e.query_factor.empty()) result.query_factor.assign(e.query_factor.begin(), e.query_factor.begin() + tokens);
  result.reach = e.reach;
  result.logit_scale = e.logit_scale;
  result.facts = e.facts;
  result.warnings = e.warnings;
  result.offset_only = e.offset_only;
  return result;
}

template std::optional<Encoding<float>> startOf(const Encoding<float>&, std::int64_t);
template std::optional<Encoding<double>> startOf(const Encoding<double>&, std::int64_t);

}  // namespace posiscope
