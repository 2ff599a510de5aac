// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace posiscope::train {

/// A row-major matrix somewhere in memory; `stride` numbers from row to row.
template <class T>
struct MatrixRef {
  T* data = nullptr;
  std::int64_t stride = 0;
  bool transposed = false;
};

/// What is known to be zero or not asked for: products over a causal mask.
enum class ProductShape {
  full,
  lower_result,  ///< c above its diagonal need not be filled (it may be)
  lower_left,    ///< a is zero above its diagonal
  upper_left,    ///< a is zero below its diagonal
};

/// c = [c +] scale · a·b with c (rows, cols) and `depth` terms in each sum. An operand that is transposed is stored
/// as (columns, rows).
template <class T>
struct Product {
  std::int64_t rows = 0, cols = 0, depth = 0;
  MatrixRef<const T> a, b;
  MatrixRef<T> c;
  T scale = 1;
  bool add = false;
  ProductShape shape = ProductShape::full;
  const T* packed = nullptr;  ///< b as `pack` left it; b itself is then not looked at
};

/// The numbers that `pack` fills.
template <class T>
constexpr std::int64_t packedSize(std::int64_t depth, std::int64_t columns) {
  constexpr std::int64_t width = 64 / static_cast<std::int64_t>(sizeof(T));
  return depth * ((columns + width - 1) / width * width);
}

/// What a layer normalisation keeps for its derivative: (x − mean)/σ, [rows, width], and 1/σ, [rows].
template <class T>
struct NormState {
  T* normal;
  T* inverse;
};

/// One step of an optimiser for numbers that are all decayed or all not. Scalars in double, rounded to T once each.
struct AdamStep {
  double lr, beta1, beta2, eps, decay, clip;  ///< decay = lr·weight_decay or 0; clip multiplies the gradient
  double correction1, correction2;            ///< 1 − βᵗ
};
struct MomentumStep {
  double lr, momentum, decay, clip;
};

/// The loops in which training spends its time, serial, on raw memory: they are compiled once for every processor and
/// once for those with AVX2 and FMA, and nothing but pointers crosses that border.
template <class T>
struct Kernels {
  void (*product)(const Product<T>&);
  /// Prepares the right operand of many products, (depth, columns).
  void (*pack)(const MatrixRef<const T>& b, std::int64_t depth, std::int64_t columns, T* out);
  /// y = (x − mean)/√(variance + 1e-5) · gain + offset; rows side by side.
  void (*layerNorm)(std::int64_t rows, std::int64_t width, const T* x, const T* gain, const T* offset, T* y,
                    NormState<T> state);
  /// dx += the derivative; d_gain and d_offset, [width], grow by their sums over the rows.
  void (*layerNormBackward)(std::int64_t rows, std::int64_t width, const T* dy, const T* gain, NormState<const T> state,
                            T* dx, T* d_gain, T* d_offset);
  /// out = gelu(x), erf form; x becomes the slope there.
  void (*gelu)(std::int64_t count, T* x, T* out);
  /// Softmax of each row in place over its first `first + row` + 1 keys (causal) or all; later keys become 0.
  void (*softmax)(std::int64_t rows, std::int64_t keys, T* logits, bool causal);
  /// d becomes the gradient at the logits: a ⊙ (d − Σ a·d).
  void (*softmaxBackward)(std::int64_t rows, std::int64_t keys, const T* weights, T* d, bool causal);
  /// Loss of a row of logits, −log softmax[target], in double; the row becomes weight·(softmax − onehot).
  double (*crossEntropy)(std::int64_t classes, std::int64_t target, double weight, T* logits);
  void (*addRow)(std::int64_t rows, std::int64_t width, const T* row, T* y);
  void (*add)(std::int64_t count, const T* x, T* y);       ///< y += x
  void (*multiply)(std::int64_t count, const T* x, T* y);  ///< y ∗= x
  /// sums[c] = Σ over rows of y.
  void (*columnSums)(std::int64_t rows, std::int64_t width, std::int64_t stride, const T* y, T* sums);
  double (*squares)(std::int64_t count, const T* x);  ///< Σ x², in double, always in the same order
  void (*adam)(const AdamStep&, std::int64_t count, const T* gradient, T* m, T* v, T* p);
  void (*momentum)(const MomentumStep&, std::int64_t count, const T* gradient, T* u, T* p);
  /// The largest of at least one number.
  T (*largest)(std::int64_t count, const T* row);
  /// Each number becomes e^(number − top), exactly 0 below e⁻⁸⁷ in single precision; returns their sum.
  double (*exponentials)(std::int64_t count, T top, T* row);
};

/// The fastest this processor can run; both give results that differ by rounding only.
template <class T>
const Kernels<T>& kernels();

/// "avx2+fma" or "baseline".
const char* kernelName();

}  // namespace posiscope::train
