// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/logits.h"

#include "core/train/kernels/kernels.h"

#include <algorithm>
#include <span>
#include <variant>
#include <vector>

namespace posiscope::attention {
namespace {

// 64 rows × 1024 keys × 128 dimensions are 8 million multiplications, a millisecond or two: a stop is heard soon, and
// these keys (512 KiB) stay near.
constexpr std::int64_t tile_keys = 1024;

template <class T>
void multiply(Rows<T> q, Rows<T> k, const T* packed, T scale, const Shape& shape, const Block& block, T* out,
              const Job& job) {
  train::Product<T> product;
  product.rows = block.last - block.first;
  product.depth = q.cols;
  product.a = {q.data + block.first * q.cols, q.cols, false};
  product.scale = scale;
  // Packed keys are only found from the first one of a panel; the widest panel is that of single precision.
  constexpr std::int64_t panel = 16;
  const std::int64_t first = packed ? block.keys.begin / panel * panel : block.keys.begin;
  for (std::int64_t j = first; j < block.keys.end && !job.stopped(); j += tile_keys) {
    product.cols = std::min(tile_keys, block.keys.end - j);
    product.b = {k.data + j * k.cols, k.cols, true};
    if (packed) product.packed = packed + j * k.cols;
    product.c = {out + j, shape.keys(), false};
    train::kernels<T>().product(product);
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
                const Shape& shape, const Block& block, T* out, const Job& job, const T* packed) {
  if (score) {
    for (std::int64_t i = block.first; i < block.last && !job.stopped(); ++i)
      score(i, std::span<T>(out + (i - block.first) * shape.keys(), static_cast<std::size_t>(shape.keys())));
  } else {
    multiply(q, k, packed, static_cast<T>(encoding.logit_scale), shape, block, out, job);
  }
  if (const auto* offsets = std::get_if<OffsetBias<T>>(&encoding.logits.bias))
    addOffsetBias(*offsets, shape, block, out);
  if (const auto* pairs = std::get_if<PairBias<T>>(&encoding.logits.bias)) addPairBias(*pairs, shape, block, out, job);
}

template <class T>
void fillOutput(const Encoding<T>& encoding, Rows<T> v, const Shape& shape, const Block& block, const T* weights,
                T* out, const Job& job) {
  const std::int64_t rows = block.last - block.first;
  std::fill_n(out, rows * v.cols, T(0));
  train::Product<T> product;
  product.rows = rows;
  product.cols = v.cols;
  product.c = {out, v.cols, false};
  product.add = true;
  for (std::int64_t j = block.keys.begin; j < block.keys.end && !job.stopped(); j += tile_keys) {
    product.depth = std::min(tile_keys, block.keys.end - j);
    product.a = {weights + j, shape.keys(), false};
    product.b = {v.data + j * v.cols, v.cols, false};
    train::kernels<T>().product(product);
  }
  if (!encoding.values.add) return;
  for (std::int64_t r = 0; r < rows && !job.stopped(); ++r)
    encoding.values.add(block.head, block.first + r,
                        {weights + r * shape.keys(), static_cast<std::size_t>(shape.keys())},
                        {out + r * v.cols, static_cast<std::size_t>(v.cols)});
}

template void fillLogits(const Encoding<float>&, const OwnScore<float>::RowScore&, Rows<float>, Rows<float>,
                         const Shape&, const Block&, float*, const Job&, const float*);
template void fillLogits(const Encoding<double>&, const OwnScore<double>::RowScore&, Rows<double>, Rows<double>,
                         const Shape&, const Block&, double*, const Job&, const double*);
template void fillOutput(const Encoding<float>&, Rows<float>, const Shape&, const Block&, const float*, float*,
                         const Job&);
template void fillOutput(const Encoding<double>&, Rows<double>, const Shape&, const Block&, const double*, double*,
                         const Job&);

}  // namespace posiscope::attention
