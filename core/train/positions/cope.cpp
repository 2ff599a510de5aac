// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/cope.h"

#include "core/train/buffer.h"
#include "core/train/kernels/kernels.h"
#include "core/train/positions/list.h"

#include <algorithm>

namespace posiscope::train::positions {
namespace {

struct Constants {
  std::int64_t npos = 32;
};

/// q·e[p], where p counts the gates σ(q·k/√d) from the key on.
template <class T>
class Cope : public Position<T> {
 public:
  Cope(const Constants& constants, const ModelSpec& spec)
      : npos_(constants.npos), layers_(spec.num_layers), heads_(spec.num_heads), head_dim_(spec.headDim()) {}

  std::vector<Parameter> parameters() const override {
    std::vector<Parameter> all;
    for (std::int64_t l = 0; l < layers_; ++l)
      all.push_back(
          {.name = join("layers.", l, ".pe.table"), .shape = {npos_, head_dim_}, .initial = Initial::normal(0.02)});
    return all;
  }
  Outcome fit(const Extent& extent) override {
    sequences_ = extent.sequences;
    gates_.resize(layers_ * sequences_ * heads_ * extent.length * extent.length);
    stride_ = wholeLines<T>(extent.length * npos_);
    terms_.resize(extent.groups() * stride_);
    slopes_.resize(extent.groups() * stride_);
    position_stride_ = wholeLines<T>(extent.length);
    positions_.resize(extent.groups() * position_stride_);
    return {};
  }
  void addToLogits(const Head<T>& head, T* s) override {
    const T* terms = termsOf(head);
    for (std::int64_t i = 0; i < head.length; ++i) {
      const auto seen = static_cast<std::size_t>(head.causal ? i + 1 : head.length);
      T* row = s + i * head.length;
      const std::span<T> gates{gatesOf(head) + i * head.length, seen};
      schemes::copeGates<T>(std::span<const T>{row, seen}, Mask{}, Shape{.seq_len = head.length}, i, gates);
      const T* positions = count(head, gates);
      const T* term = terms + i * npos_;
      for (std::size_t j = 0; j < seen; ++j) {
        const Place at = placeOf(positions[j]);
        row[j] += term[at.below] + at.share * (term[at.above] - term[at.below]);
      }
    }
  }
  void addToLogitsBackward(const Head<T>& head, T* ds, T* dq, T*, T* partial) override {
    const T* terms = termsOf(head);
    T* slopes = slopes_.data() + head.group * stride_;
    std::fill_n(slopes, head.length * npos_, T(0));
    for (std::int64_t i = 0; i < head.length; ++i)
      rowBackward(head, i, terms + i * npos_, ds + i * head.length, slopes + i * npos_);
    kernels<T>().product(
        {head.length, head_dim_, npos_, {slopes, npos_}, {table(head), head_dim_}, {dq, head.stride}, T(1), true});
    kernels<T>().product({npos_,
                          head_dim_,
                          head.length,
                          {slopes, npos_, true},
                          {head.q, head.stride},
                          {partial + head.layer * npos_ * head_dim_, head_dim_},
                          T(1),
                          true});
  }
  std::int64_t partialSize() const override { return layers_ * npos_ * head_dim_; }
  void finish(const T* sums, T* gradient) override { std::copy_n(sums, partialSize(), gradient); }

 private:
  /// Between which whole positions p lies.
  struct Place {
    std::int64_t below, above;
    T share;
  };
  Place placeOf(T position) const {
    const auto below = static_cast<std::int64_t>(position);
    return {below, std::min(below + 1, npos_ - 1), position - static_cast<T>(below)};
  }
  const T* table(const Head<T>& head) const { return this->values_ + head.layer * npos_ * head_dim_; }
  T* gatesOf(const Head<T>& head) {
    return gates_.data() + ((head.layer * sequences_ + head.sequence) * heads_ + head.head) * head.length * head.length;
  }
  /// q·e of every whole position, unscaled: [length, npos].
  const T* termsOf(const Head<T>& head) {
    T* terms = terms_.data() + head.group * stride_;
    kernels<T>().product(
        {head.length, npos_, head_dim_, {head.q, head.stride}, {table(head), head_dim_, true}, {terms, npos_}});
    return terms;
  }
  const T* count(const Head<T>& head, std::span<const T> gates) {
    T* positions = positions_.data() + head.group * position_stride_;
    schemes::copePositions<T>(gates, npos_, {positions, gates.size()});
    return positions;
  }
  /// Position t counts for every key up to t, so its gate gets the sum of their gradients.
  void rowBackward(const Head<T>& head, std::int64_t i, const T* term, T* ds, T* slope) {
    const std::int64_t seen = head.causal ? i + 1 : head.length;
    const T* gates = gatesOf(head) + i * head.length;
    const T* positions = count(head, {gates, static_cast<std::size_t>(seen)});
    T so_far = 0;
    for (std::int64_t j = 0; j < seen; ++j) {
      const Place at = placeOf(positions[j]);
      slope[at.below] += ds[j] * (T(1) - at.share);
      slope[at.above] += ds[j] * at.share;
      if (at.share != T(0)) so_far += ds[j] * (term[at.above] - term[at.below]);
      ds[j] += so_far * gates[j] * (T(1) - gates[j]);
    }
  }

  std::int64_t npos_, layers_, heads_, head_dim_;
  std::int64_t sequences_ = 0, stride_ = 0, position_stride_ = 0;
  Buffer<T> gates_;                       ///< [layers, sequences, heads, length, length]
  Buffer<T> terms_, slopes_, positions_;  ///< of each group
};

ParamTable<Constants> constantsTable() {
  ParamTable<Constants> t;
  t.integer(
      "npos", &Constants::npos, {1, 1 << 16, 2, 256, true},
      {{"positions", "位置数"},
       {"Rows of the position table; larger positions share the last one.", "位置表的行数，更大的位置共用最后一行。"},
       "npos_max"});
  return t;
}

}  // namespace

Trainable cope() {
  return makeTrainable<Cope>("cope", constantsTable(),
                             {"A vector for each counted position, in every layer; the gates come from q and k.",
                              "每层每个计数位置一个向量；门由 q 和 k 得出。"});
}

}  // namespace posiscope::train::positions
