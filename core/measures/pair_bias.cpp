// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/pair_bias.h"

#include "core/kept_rows.h"
#include "core/measures/axes.h"
#include "core/measures/terms.h"
#include "core/parallel.h"

namespace posiscope::measures {
namespace {

constexpr double most_stored_bytes = 64.0 * 1024 * 1024;

const PairBias<float>& biasOf(const EncodingPtr& encoding) {
  return std::get<PairBias<float>>(encoding->logits.bias);
}

}  // namespace

std::shared_ptr<const Field> pairBiasField(const EncodingPtr& encoding, std::int64_t head, const Shape& shape,
                                           const Job& job) {
  const std::int64_t queries = shape.queries();
  const std::int64_t keys = shape.keys();
  const auto fill = [encoding, head](std::int64_t i, std::span<float> row) { biasOf(encoding).fill(head, i, row); };
  if (4.0 * static_cast<double>(queries) * static_cast<double>(keys) > most_stored_bytes)
    return rowField(queries, keys, fill);
  std::vector<float> values(static_cast<std::size_t>(queries * keys));
  const bool complete = parallelBlocks(queries, 64, job, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) fill(i, {values.data() + i * keys, static_cast<std::size_t>(keys)});
  });
  return complete ? storedField(queries, keys, std::move(values)) : nullptr;
}

Map pairBiasMap(const EncodingPtr& encoding, std::int64_t head, const Shape& shape, const Job& job) {
  Map map{join("bias head ", head),
          headText(head),
          pairBiasField(encoding, head, shape, job),
          queryAxis(shape),
          keyAxis(shape),
          {"bias", "偏置"},
          MapKind::diverging,
          static_cast<int>(head)};
  map.term = [encoding, head](std::int64_t i, std::int64_t j) {
    return biasTerm(biasOf(encoding), encoding->logits.lookup, head, i, j);
  };
  return map;
}

}  // namespace posiscope::measures
