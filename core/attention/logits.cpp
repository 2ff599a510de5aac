// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/logits.h"

#include <algorithm>
#include <Eigen/Core>
#include <span>
#include <variant>
#include <vector>

namespace posiscope::attention {
namespace {

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using ConstRows = Eigen::Map<const Matrix<T>, 0, Eigen::OuterStride<>>;
template <class T>
using MutableRows = Eigen::Map<Matrix<T>, 0, Eigen::OuterStride<>>;

// 64 rows × 1024 keys × 128 dimensions are 8 million multiplications, a millisecond or two: a stop is heard soon, and
// these keys (512 KiB) stay near.
constexpr std::int64_t tile_keys = 1024;

template <class T>
void multiply(Rows<T> q, Rows<T> k, T scale, const Shape& shape, const Block& block, T* out, const Job& job) {
  const std::int64_t rows = block.last - block.first;
  const ConstRows<T> queries(q.data + block.first * q.cols, rows, q.cols, Eigen::OuterStride<>(q.cols));
  for (std::int64_t j = block.keys.begin; j < block.keys.end && !job.stopped(); j += tile_keys) {
    const std::int64_t count = std::min(tile_keys, block.keys.end - j);
    const ConstRows<T> keys(k.data + j * k.cols, count, k.cols, Eigen::OuterStride<>(k.cols));
    MutableRows<T>(out + j, rows, count, Eigen::OuterStride<>(shape.keys())).noalias() =
        scale * (queries * keys.transpose());
  }
}

template <class T>
void addOffsetBias(const OffsetBias<T>& bias, const Shape& shape, const Block& block, T* out) {
  for (std::int64_t i = block.first; i < block.last; ++i, out += shape.keys()) {
    const std::int64_t width = 2 * bias.max_offset + 1;
    const T* diagonal = bias.values.data() + block.head * width + bias.max_offset + i + shape.queryOffset();
    for (std::int64_t j = block.keys.begin; j < block.keys.end; ++j) out[j] += diagonal[-j];
  }
}

template <class T>
void addPairBias(const PairBias<T>& bias, const Shape& shape, const Block& block, T* out, const Job& job) {
  std::vector<T> row(static_cast<std::size_t>(shape.keys()));
  for (std::int64_t i = block.first; i < block.last && !job.stopped(); ++i, out += shape.keys()) {
    bias.fill(block.head, i, row);
    for (std::int64_t j = block.keys.begin; j < block.keys.end; ++j) out[j] += row[static_cast<std::size_t>(j)];
  }
}

}  // namespace

template <class T>
void fillLogits(const Encoding<T>& encoding, const typename OwnScore<T>::RowScore& score, Rows<T> q, Rows<T> k,
                const Shape& shape, const Block& block, T* out, const Job& job) {
  if (score) {
    for (std::int64_t i = block.first; i < block.last && !job.stopped(); ++i)
      score(i, std::span<T>(out + (i - block.first) * shape.keys(), static_cast<std::size_t>(shape.keys())));
  } else {
    multiply(q, k, static_cast<T>(encoding.logit_scale), shape, block, out, job);
  }
  if (const auto* offsets = std::get_if<OffsetBias<T>>(&encoding.logits.bias))
    addOffsetBias(*offsets, shape, block, out);
  if (const auto* pairs = std::get_if<PairBias<T>>(&encoding.logits.bias)) addPairBias(*pairs, shape, block, out, job);
}

template <class T>
void fillOutput(const Encoding<T>& encoding, Rows<T> v, const Shape& shape, const Block& block, const T* weights,
                T* out, const Job& job) {
  const std::int64_t rows = block.last - block.first;
  MutableRows<T> sum(out, rows, v.cols, Eigen::OuterStride<>(v.cols));
  sum.setZero();
  for (std::int64_t j = block.keys.begin; j < block.keys.end && !job.stopped(); j += tile_keys) {
    const std::int64_t count = std::min(tile_keys, block.keys.end - j);
    sum.noalias() += ConstRows<T>(weights + j, rows, count, Eigen::OuterStride<>(shape.keys())) *
                     ConstRows<T>(v.data + j * v.cols, count, v.cols, Eigen::OuterStride<>(v.cols));
  }
  if (!encoding.values.add) return;
  for (std::int64_t r = 0; r < rows && !job.stopped(); ++r)
    encoding.values.add(block.head, block.first + r,
                        {weights + r * shape.keys(), static_cast<std::size_t>(shape.keys())},
                        {out + r * v.cols, static_cast<std::size_t>(v.cols)});
}

template void fillLogits(const Encoding<float>&, const OwnScore<float>::RowScore&, Rows<float>, Rows<float>,
                         const Shape&, const Block&, float*, const Job&);
template void fillLogits(const Encoding<double>&, const OwnScore<double>::RowScore&, Rows<double>, Rows<double>,
                         const Shape&, const Block&, double*, const Job&);
template void fillOutput(const Encoding<float>&, Rows<float>, const Shape&, const Block&, const float*, float*,
                         const Job&);
template void fillOutput(const Encoding<double>&, Rows<double>, const Shape&, const Block&, const double*, double*,
                         const Job&);

}  // namespace posiscope::attention
