// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The bodies of the kernels. Included by one file for each instruction set, which first renames the namespace Eigen:
// two copies of one template, compiled for different processors, must not share a name.
#pragma once

#include "core/train/kernels/kernels.h"
#include "core/train/kernels/product_impl.h"

#include <cmath>
#include <Eigen/Core>
#include <unsupported/Eigen/SpecialFunctions>

namespace posiscope::train {
namespace {

template <class T>
using Line = Eigen::Map<Eigen::Array<T, 1, Eigen::Dynamic>>;
template <class T>
using ConstLine = Eigen::Map<const Eigen::Array<T, 1, Eigen::Dynamic>>;

/// Σ f(i): sixteen sums side by side, so the order depends neither on vectors nor on addresses.
template <class T, class F>
T laneSum(std::int64_t count, const F& f) {
  constexpr int lanes = 16;
  T sums[lanes] = {};
  std::int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    for (int l = 0; l < lanes; ++l) sums[l] += f(i + l);
  for (int l = 0; i < count; ++i, ++l) sums[l] += f(i);
  for (int half = lanes / 2; half > 0; half /= 2)
    for (int l = 0; l < half; ++l) sums[l] += sums[l + half];
  return sums[0];
}

template <class T>
void layerNorm(std::int64_t rows, std::int64_t width, const T* x, const T* gain, const T* offset, T* y,
               NormState<T> state) {
  const T share = T(1) / static_cast<T>(width);
  for (std::int64_t r = 0; r < rows; ++r, x += width, y += width) {
    T* normal = state.normal + r * width;
    const T mean = laneSum<T>(width, [&](std::int64_t i) { return x[i]; }) * share;
    const T variance = laneSum<T>(width, [&](std::int64_t i) { return (x[i] - mean) * (x[i] - mean); }) * share;
    const T inverse = T(1) / std::sqrt(variance + T(1e-5));
    state.inverse[r] = inverse;
    for (std::int64_t i = 0; i < width; ++i) {
      normal[i] = (x[i] - mean) * inverse;
      y[i] = normal[i] * gain[i] + offset[i];
    }
  }
}

template <class T>
void layerNormBackward(std::int64_t rows, std::int64_t width, const T* dy, const T* gain, NormState<const T> state,
                       T* dx, T* d_gain, T* d_offset) {
  const T share = T(1) / static_cast<T>(width);
  const ConstLine<T> gains(gain, width);
  Line<T> gain_sums(d_gain, width), offset_sums(d_offset, width);
  for (std::int64_t r = 0; r < rows; ++r, dy += width, dx += width) {
    const T* normal = state.normal + r * width;
    const T mean = laneSum<T>(width, [&](std::int64_t i) { return dy[i] * gain[i]; }) * share;
    const T along = laneSum<T>(width, [&](std::int64_t i) { return dy[i] * gain[i] * normal[i]; }) * share;
    const ConstLine<T> d(dy, width), n(normal, width);
    Line<T>(dx, width) += state.inverse[r] * (d * gains - mean - n * along);
    gain_sums += d * n;
    offset_sums += d;
  }
}

template <class T>
void gelu(std::int64_t count, T* x, T* out) {
  // Blocks that stay in the first cache.
  constexpr std::int64_t block = 256, lanes = Lanes<T>::count;
  alignas(64) T share_store[block], density[block];
  for (std::int64_t begin = 0; begin < count; begin += block) {
    const std::int64_t size = count - begin < block ? count - begin : block;
    Line<T> in(x + begin, size), share(share_store, size);
    share = T(0.5) * (T(1) + (in * T(0.70710678118654752440)).erf());
    Line<T>(density, size) = T(-0.5) * in * in;
    for (std::int64_t i = 0; i < size; i += lanes) {  // up to a whole vector: the rest is nobody's
      Vector<T> v;
      load<T>(density + i, v);
      exponential(v);
      store<T>(v, density + i);
    }
    Line<T>(out + begin, size) = in * share;
    in = share + in * (T(0.39894228040143267794) * Line<T>(density, size));
  }
}

/// row[j] = e^(row[j] − top) for the first `count`; their sum. Sums of 512 numbers are added in double: 10⁵ keys lose
/// no digits. A row's end goes through a whole vector too, so that no number depends on where in memory its row lies.
template <class T>
double exponentials(std::int64_t count, T top, T* row) {
  constexpr std::int64_t lanes = Lanes<T>::count, run = 512;
  double sum = 0;
  std::int64_t j = 0;
  Vector<T> sums{}, v;
  for (; j + lanes <= count; j += lanes) {
    if (j > 0 && j % run == 0) {
      sum += static_cast<double>(sumOf<T>(sums));
      sums = Vector<T>{};
    }
    load<T>(row + j, v);
    v -= top;
    exponential(v);
    sums += v;
    store<T>(v, row + j);
  }
  if (j < count) {
    T tail[lanes] = {};
    for (std::int64_t l = j; l < count; ++l) tail[l - j] = row[l];
    load<T>(tail, v);
    v -= top;
    exponential(v);
    store<T>(v, tail);
    for (std::int64_t l = j; l < count; ++l) row[l] = tail[l - j];
    for (std::int64_t l = count; l < j + lanes; ++l) tail[l - j] = 0;
    load<T>(tail, v);
    sums += v;
  }
  return sum + static_cast<double>(sumOf<T>(sums));
}

template <class T>
T largest(std::int64_t count, const T* row) {
  constexpr std::int64_t lanes = Lanes<T>::count;
  if (count < lanes) {
    T top = row[0];
    for (std::int64_t j = 1; j < count; ++j) top = row[j] > top ? row[j] : top;
    return top;
  }
  Vector<T> tops, v;
  load<T>(row, tops);
  for (std::int64_t j = lanes; j + lanes <= count; j += lanes) {
    load<T>(row + j, v);
    tops = v > tops ? v : tops;
  }
  load<T>(row + count - lanes, v);
  tops = v > tops ? v : tops;
  T all[lanes];
  store<T>(tops, all);
  return largest<T>(lanes - 1, all) > all[lanes - 1] ? largest<T>(lanes - 1, all) : all[lanes - 1];
}

template <class T>
void softmax(std::int64_t rows, std::int64_t keys, T* logits, bool causal) {
  for (std::int64_t r = 0; r < rows; ++r, logits += keys) {
    const std::int64_t seen = causal ? r + 1 : keys;
    const T inverse = T(1) / static_cast<T>(exponentials(seen, largest(seen, logits), logits));
    for (std::int64_t j = 0; j < seen; ++j) logits[j] *= inverse;
    for (std::int64_t j = seen; j < keys; ++j) logits[j] = 0;
  }
}

template <class T>
void softmaxBackward(std::int64_t rows, std::int64_t keys, const T* weights, T* d, bool causal) {
  for (std::int64_t r = 0; r < rows; ++r, weights += keys, d += keys) {
    const std::int64_t seen = causal ? r + 1 : keys;
    const T along = laneSum<T>(seen, [&](std::int64_t j) { return weights[j] * d[j]; });
    for (std::int64_t j = 0; j < seen; ++j) d[j] = weights[j] * (d[j] - along);
    for (std::int64_t j = seen; j < keys; ++j) d[j] = 0;
  }
}

template <class T>
double crossEntropy(std::int64_t classes, std::int64_t target, double weight, T* logits) {
  const T top = largest(classes, logits);
  const double at_target = static_cast<double>(logits[target]) - static_cast<double>(top);
  exponentials(classes, top, logits);
  const double sum = laneSum<double>(classes, [&](std::int64_t c) { return static_cast<double>(logits[c]); });
  const T share = static_cast<T>(weight / sum);
  for (std::int64_t c = 0; c < classes; ++c) logits[c] *= share;
  logits[target] -= static_cast<T>(weight);
  return std::log(sum) - at_target;
}

template <class T>
void addRow(std::int64_t rows, std::int64_t width, const T* row, T* y) {
  for (std::int64_t r = 0; r < rows; ++r, y += width)
    for (std::int64_t i = 0; i < width; ++i) y[i] += row[i];
}

template <class T>
void add(std::int64_t count, const T* x, T* y) {
  for (std::int64_t i = 0; i < count; ++i) y[i] += x[i];
}

template <class T>
void multiply(std::int64_t count, const T* x, T* y) {
  for (std::int64_t i = 0; i < count; ++i) y[i] *= x[i];
}

template <class T>
void columnSums(std::int64_t rows, std::int64_t width, std::int64_t stride, const T* y, T* sums) {
  for (std::int64_t i = 0; i < width; ++i) sums[i] = 0;
  for (std::int64_t r = 0; r < rows; ++r, y += stride)
    for (std::int64_t i = 0; i < width; ++i) sums[i] += y[i];
}

template <class T>
double squares(std::int64_t count, const T* x) {
  return laneSum<double>(count, [&](std::int64_t i) { return static_cast<double>(x[i]) * static_cast<double>(x[i]); });
}

template <class T>
void adam(const AdamStep& s, std::int64_t count, const T* gradient, T* m, T* v, T* p) {
  const T clip = static_cast<T>(s.clip), keep = static_cast<T>(1 - s.decay);
  const T beta1 = static_cast<T>(s.beta1), rest1 = static_cast<T>((1 - s.beta1) * s.clip);
  const T beta2 = static_cast<T>(s.beta2), rest2 = static_cast<T>(1 - s.beta2);
  const T rate = static_cast<T>(s.lr / s.correction1), root = static_cast<T>(1 / std::sqrt(s.correction2));
  const T eps = static_cast<T>(s.eps);
  const ConstLine<T> g(gradient, count);
  Line<T> mean(m, count), square(v, count), parameter(p, count);
  mean = beta1 * mean + rest1 * g;
  square = beta2 * square + rest2 * (clip * g).square();
  parameter = keep * parameter - rate * mean / (square.sqrt() * root + eps);
}

template <class T>
void momentum(const MomentumStep& s, std::int64_t count, const T* gradient, T* u, T* p) {
  Line<T> velocity(u, count), parameter(p, count);
  velocity = static_cast<T>(s.momentum) * velocity + static_cast<T>(s.clip) * ConstLine<T>(gradient, count);
  parameter = static_cast<T>(1 - s.decay) * parameter - static_cast<T>(s.lr) * velocity;
}

template <class T>
constexpr Kernels<T> all{
    product<T>,      pack<T>,    layerNorm<T>,   layerNormBackward<T>, gelu<T>,       softmax<T>, softmaxBackward<T>,
    crossEntropy<T>, addRow<T>,  add<T>,         multiply<T>,          columnSums<T>, squares<T>, adam<T>,
    momentum<T>,     largest<T>, exponentials<T>};

}  // namespace
}  // namespace posiscope::train
