// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/buffer.h"
#include "core/train/kernels/kernels.h"
#include "core/train/positions/list.h"
#include "core/train/positions/offset_scatter.h"

#include <algorithm>

namespace posiscope::train::positions {
namespace {

struct Constants {
  std::int64_t max_distance = 16;
};

/// A vector for each clipped offset beside the key, and one beside the value; the heads of a layer share them.
template <class T>
class Shaw : public Position<T> {
 public:
  Shaw(const Constants& constants, const ModelSpec& spec)
      : offsets_{constants.max_distance}, layers_(spec.num_layers), head_dim_(spec.headDim()) {}

  std::vector<Parameter> parameters() const override {
    std::vector<Parameter> all;
    for (std::int64_t l = 0; l < layers_; ++l)
      for (const char* name : {"rel_k", "rel_v"})
        all.push_back({.name = join("layers.", l, ".pe.", name),
                       .shape = {offsets_.classes(), head_dim_},
                       .initial = Initial::normal(0.02)});
    return all;
  }
  Outcome fit(const Extent& extent) override {
    stride_ = wholeLines<T>(extent.length * offsets_.classes());
    room_.resize(extent.groups() * stride_);
    return {};
  }
  void addToLogits(const Head<T>& head, T* s) override {
    // q meets every vector once, then each pair reads its own.
    T* terms = room_.data() + head.group * stride_;
    kernels<T>().product({head.length,
                          offsets_.classes(),
                          head_dim_,
                          {head.q, head.stride},
                          {keys(head), head_dim_, true},
                          {terms, offsets_.classes()}});
    for (std::int64_t i = 0; i < head.length; ++i)
      spreadClasses(offsets_, i, seen(head, i), head.scale, terms + i * offsets_.classes(), s + i * head.length);
  }
  void addToLogitsBackward(const Head<T>& head, T* ds, T* dq, T*, T* partial) override {
    const T* terms = collect(head, ds, head.scale);
    const std::int64_t classes = offsets_.classes();
    kernels<T>().product(
        {head.length, head_dim_, classes, {terms, classes}, {keys(head), head_dim_}, {dq, head.stride}, T(1), true});
    kernels<T>().product({classes,
                          head_dim_,
                          head.length,
                          {terms, classes, true},
                          {head.q, head.stride},
                          {partial + 2 * head.layer * tableSize(), head_dim_},
                          T(1),
                          true});
  }
  void addToValues(const Head<T>& head, const T* weights, T* z) override {
    const T* shares = collect(head, weights, T(1));
    kernels<T>().product({head.length,
                          head_dim_,
                          offsets_.classes(),
                          {shares, offsets_.classes()},
                          {keys(head) + tableSize(), head_dim_},
                          {z, head.stride},
                          T(1),
                          true});
  }
  void addToValuesBackward(const Head<T>& head, const T* weights, const T* dz, T* dweights, T* partial) override {
    const std::int64_t classes = offsets_.classes();
    const T* shares = collect(head, weights, T(1));
    kernels<T>().product({classes,
                          head_dim_,
                          head.length,
                          {shares, classes, true},
                          {dz, head.stride},
                          {partial + (2 * head.layer + 1) * tableSize(), head_dim_},
                          T(1),
                          true});
    T* terms = room_.data() + head.group * stride_;
    kernels<T>().product({head.length,
                          classes,
                          head_dim_,
                          {dz, head.stride},
                          {keys(head) + tableSize(), head_dim_, true},
                          {terms, classes}});
    for (std::int64_t i = 0; i < head.length; ++i)
      spreadClasses(offsets_, i, seen(head, i), T(1), terms + i * classes, dweights + i * head.length);
  }
  std::int64_t partialSize() const override { return layers_ * 2 * tableSize(); }
  void finish(const T* sums, T* gradient) override { std::copy_n(sums, partialSize(), gradient); }

 private:
  static std::int64_t seen(const Head<T>& head, std::int64_t i) { return head.causal ? i + 1 : head.length; }
  std::int64_t tableSize() const { return offsets_.classes() * head_dim_; }
  const T* keys(const Head<T>& head) const { return this->values_ + 2 * head.layer * tableSize(); }

  /// [length, classes]: what the pairs of each class have together.
  const T* collect(const Head<T>& head, const T* pairs, T factor) {
    T* room = room_.data() + head.group * stride_;
    std::fill_n(room, head.length * offsets_.classes(), T(0));
    for (std::int64_t i = 0; i < head.length; ++i)
      gatherClasses(offsets_, i, seen(head, i), factor, pairs + i * head.length, room + i * offsets_.classes());
    return room;
  }

  ClippedOffsets offsets_;
  std::int64_t layers_, head_dim_;
  std::int64_t stride_ = 0;
  Buffer<T> room_;  ///< [groups, length, classes]
};

ParamTable<Constants> constantsTable() {
  ParamTable<Constants> t;
  t.integer("max_distance", &Constants::max_distance, {0, 1 << 16, 0, 128, false},
            {{"largest offset", "最大相对位置"},
             {"Keys farther away than this share the last row of the tables.", "更远的键共用表中的最后一行。"},
             "max_relative_position",
             "tokens"});
  return t;
}

}  // namespace

Trainable shaw() {
  return makeTrainable<Shaw>(
      "shaw", constantsTable(),
      {"Two vectors for each clipped offset in every layer, one at the keys and one at the values.",
       "每层每个截断后的相对位置两个向量：一个加在键上，一个加在值上。"});
}

}  // namespace posiscope::train::positions
