// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/self_extend.h"

#include "core/attention/attention.h"
#include "core/dot.h"

#include <cmath>

namespace posiscope::schemes {
namespace {

/// Floor division: positions may start below zero.
std::int64_t groupOf(std::int64_t position, std::int64_t group) {
  return position >= 0 ? position / group : -((-position + group - 1) / group);
}

/// Added to the group of a far query, so that distances go on where the window ends.
std::int64_t farShift(const SelfExtendParams& p) { return p.window - groupOf(p.window, p.group); }

}  // namespace

std::int64_t selfExtendPosition(const SelfExtendParams& p, std::int64_t query, std::int64_t key) {
  if (query - key < p.window) return query - key;
  return groupOf(query, p.group) + farShift(p) - groupOf(key, p.group);
}

std::vector<std::int64_t> selfExtendPositions(const SelfExtendParams& params, const Shape& shape) {
  const auto first = static_cast<std::int64_t>(shape.first_position);
  std::vector<std::int64_t> positions;
  for (std::int64_t i = 0; i < shape.queries(); ++i)
    for (std::int64_t j = 0; j < shape.keys(); ++j)
      positions.push_back(selfExtendPosition(params, first + i + shape.queryOffset(), first + j));
  return positions;
}

namespace {

ParamTable<SelfExtendParams> selfExtendTable() {
  using P = SelfExtendParams;
  ParamTable<P> t;
  t.integer("group", &P::group, {1, 1 << 20, 1, 64, true},
            {{"group size", "分组大小"},
             {"Far positions are divided by it; 1 is plain RoPE.", "远处的位置除以该值；1 即普通 RoPE。"},
             "group_size",
             "tokens"});
  t.integer("window", &P::window, {1, 1 << 24, 1, 8192, true},
            {{"exact window", "精确窗口"},
             {"Distances below it stay exact.", "小于该值的距离保持不变。"},
             "window_size",
             "tokens"});
  t.real("base", &P::base, {1, 1e9, 100, 1e7, true},
         {{"base", "底数"}, {"Sets how slowly the last pair turns.", "决定最后一对转得有多慢。"}, "rope_theta"});
  t.choice(
      "pairing", &P::pairing, {{"interleaved", {"interleaved", "交错"}}, {"half", {"half-split", "前后各半"}}},
      {{"pairing", "维度对的排列"}, {"Which two dimensions of a head turn together.", "一个头中哪两个维度一起旋转。"}});
  return t;
}

/// Two rotations of the same content: by exact positions and by grouped ones.
struct TwoRotations {
  RotationPart near;
  RotationPart far_query;
  RotationPart far_key;
};

TwoRotations rotations(const SelfExtendParams& p, const Shape& shape) {
  RotationPart part;
  part.pairing = p.pairing;
  part.rotary_dim = shape.head_dim;
  part.frequency = inverseFrequencies(RotaryParams{.pairing = p.pairing, .base = p.base}, shape.head_dim, shape.keys());
  TwoRotations out{part, part, part};
  const auto first = static_cast<std::int64_t>(shape.first_position);
  for (std::int64_t t = first; t < first + shape.keys(); ++t) {
    const std::int64_t group = groupOf(t, p.group);
    out.near.position.push_back(static_cast<double>(t));
    out.far_key.position.push_back(static_cast<double>(group));
    out.far_query.position.push_back(static_cast<double>(group + farShift(p)));
  }
  return out;
}

template <class T>
Table<T> rotated(Rows<T> rows, const RotationPart& rotation, std::int64_t first_token, bool key) {
  Table<T> out{rows.rows, rows.cols, std::vector<T>(rows.data, rows.data + rows.rows * rows.cols)};
  attention::rotate<T>(rotation, 0, first_token, key, out.values, rows.cols);
  return out;
}

template <class T>
struct TurnedHead {
  Table<T> near_q, near_k, far_q, far_k;
};

template <class T>
typename OwnScore<T>::RowScore score(const SelfExtendParams& p, const TwoRotations& turns, T scale,
                                     const HeadContent<T>& head) {
  const std::int64_t offset = head.shape->queryOffset();
  auto turned = std::make_shared<const TurnedHead<T>>(
      TurnedHead<T>{rotated(head.q, turns.near, offset, false), rotated(head.k, turns.near, 0, true),
                    rotated(head.q, turns.far_query, offset, false), rotated(head.k, turns.far_key, 0, true)});
  return [turned, scale, offset, window = p.window](std::int64_t i, std::span<T> logits) {
    for (std::int64_t j = 0; j < static_cast<std::int64_t>(logits.size()); ++j)
      logits[static_cast<std::size_t>(j)] =
          scale * (i + offset - j < window ? dot(turned->near_q.row(i), turned->near_k.row(j))
                                           : dot(turned->far_q.row(i), turned->far_k.row(j)));
  };
}

struct SelfExtend {
  Outcome check(const SelfExtendParams& p, const Shape& shape) const {
    return checkRotary("self_extend", RotaryParams{.pairing = p.pairing, .base = p.base}, shape.head_dim);
  }

  template <class T>
  Encoding<T> encode(const SelfExtendParams& p, const Shape& shape) const {
    Encoding<T> encoding;
    encoding.logit_scale = 1.0 / std::sqrt(static_cast<double>(shape.head_dim));
    encoding.offset_only = false;  // beyond the window it depends on i and j, not on i − j alone
    encoding.logits.score.prepare = [p, turns = rotations(p, shape), scale = static_cast<T>(encoding.logit_scale)](
                                        const HeadContent<T>& head) { return score(p, turns, scale, head); };
    return encoding;
  }

  std::string substitution(const SelfExtendParams& p, const Shape& shape) const {
    return join("G = ", p.group, ", W = ", p.window, ", b = ", p.base, ", r = ", shape.head_dim);
  }
};

}  // namespace

Scheme selfExtend() {
  return makeScheme({.id = "self_extend",
                     .name = {"Self-Extend", "Self-Extend 分组外推"},
                     .family = Family::rotary,
                     .year = 2024,
                     .reference = "Jin et al. 2024, arXiv:2401.01325",
                     .summary = {"RoPE with exact distances nearby and positions shared by groups farther away.",
                                 "近处使用精确距离、远处按组共用位置的 RoPE。"}},
                    selfExtendTable(), SelfExtend{});
}

}  // namespace posiscope::schemes
