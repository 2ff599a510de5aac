// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/mapped_rotation.h"

#include "core/attention/attention.h"
#include "core/dot.h"
#include "core/schemes/placed_terms.h"

namespace posiscope::schemes {
namespace {

RotaryParams rotaryOf(const MappedRotationParams& p) { return {.pairing = p.pairing, .base = p.base}; }

template <class T>
Table<T> turned(Rows<T> rows, RotationPart rotation, const std::vector<double>& positions, std::int64_t first_token,
                bool key) {
  Table<T> out{rows.rows, rows.cols, std::vector<T>(rows.data, rows.data + rows.rows * rows.cols)};
  rotation.position = positions;
  attention::rotate<T>(rotation, 0, first_token, key, out.values, rows.cols);
  return out;
}

/// q and k of a head as one branch sees them.
template <class T>
struct TurnedHead {
  Table<T> q, k;
};

template <class T>
typename OwnScore<T>::RowScore scoreOf(std::shared_ptr<const PositionMap> map, const RotationPart& rotation, T scale,
                                       const HeadContent<T>& head) {
  const std::int64_t offset = head.shape->queryOffset();
  auto turns = std::make_shared<std::vector<TurnedHead<T>>>();
  for (const PositionMap::Branch& b : map->branches)
    turns->push_back({turned(head.q, rotation, b.query, offset, false), turned(head.k, rotation, b.key, 0, true)});
  return [map = std::move(map), turns = std::move(turns), scale, offset](std::int64_t i, std::span<T> logits) {
    for (std::int64_t j = 0; j < static_cast<std::int64_t>(logits.size()); ++j) {
      const TurnedHead<T>& branch = (*turns)[map->branch_of(i + offset, j)];
      logits[static_cast<std::size_t>(j)] = scale * dot(branch.q.row(i), branch.k.row(j));
    }
  };
}

/// Nothing turns where both tokens stand at one position.
template <class T>
typename OwnScore<T>::RowScore unturnedScore(T scale, const HeadContent<T>& head) {
  return [scale, q = head.q, k = head.k](std::int64_t i, std::span<T> row) {
    for (std::int64_t j = 0; j < k.rows; ++j) row[static_cast<std::size_t>(j)] = scale * dot(q.row(i), k.row(j));
  };
}

}  // namespace

Outcome checkMappedRotation(std::string_view owner, const MappedRotationParams& p, const Shape& shape) {
  if (p.logn_length == 1)
    return fail(ErrorCode::out_of_range, join(owner, ": logn_length must be 0 or at least 2, got 1"),
                join(owner, "：logn_length 必须为 0 或至少为 2，得到 1"));
  return checkRotary(owner, rotaryOf(p), shape.head_dim);
}

template <class T>
Encoding<T> mappedEncoding(const MappedRotationParams& p, PositionMap map, const Shape& shape) {
  RotationPart rotation;
  rotation.pairing = p.pairing;
  rotation.rotary_dim = shape.head_dim;
  rotation.frequency = inverseFrequencies(rotaryOf(p), shape.head_dim, shape.keys());
  Encoding<T> encoding;
  encoding.logit_scale = rootScale(shape);
  if (p.logn_length > 0) {
    const QueryScalingParams scaling{.kind = QueryScaling::logn, .train_length = static_cast<double>(p.logn_length)};
    encoding.query_factor = queryFactors(scaling, shape.first_position, shape.keys());
  }
  encoding.warnings = baseWarnings(p.base);
  const auto last = shape.keys() - 1;
  encoding.facts = {{"farthest_position", map.at(last, 0)}};
  encoding.logits.score.no_angle = {
      "Here the angle belongs to a query and a key together, not to the position of one token.",
      "此处的角度由查询与键共同决定，而不属于单个词元的位置。"};
  const auto scale = static_cast<T>(encoding.logit_scale);
  encoding.logits.score.prepare = [map = std::make_shared<const PositionMap>(std::move(map)),
                                   rotation = std::move(rotation),
                                   scale](const HeadContent<T>& head) { return scoreOf(map, rotation, scale, head); };
  encoding.logits.terms = placedTerms<T>(
      [scale](const HeadContent<T>& head) { return unturnedScore(scale, head); }, encoding.logits.score.prepare,
      {{"q·k, at equal positions", "q·k，同一位置"}, {"what the rotation adds", "旋转带来的变化"}});
  return encoding;
}

template Encoding<float> mappedEncoding(const MappedRotationParams&, PositionMap, const Shape&);
template Encoding<double> mappedEncoding(const MappedRotationParams&, PositionMap, const Shape&);

}  // namespace posiscope::schemes
