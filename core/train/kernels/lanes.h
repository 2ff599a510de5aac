// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Vectors of 32 bytes, as the kernels use them. Without AVX the compiler makes two of each; no function takes or
// returns one by value, because that would be another convention for each instruction set.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

namespace posiscope::train {
namespace {

/// Eight floats or four doubles.
template <class T>
struct Lanes {
  typedef T Vector __attribute__((vector_size(32)));
  static constexpr std::int64_t count = 32 / sizeof(T);
};
template <class T>
using Vector = typename Lanes<T>::Vector;

template <class T>
inline void load(const T* from, Vector<T>& v) {
  std::memcpy(&v, from, sizeof v);
}
template <class T>
inline void store(const Vector<T>& v, T* to) {
  std::memcpy(to, &v, sizeof v);
}

/// eˣ in place to about one unit in the last place, for x ≤ 88; below −87, where it would be less than 1e−38, it is 0;
/// of NaN it is NaN. x = n·ln 2 + r with |r| ≤ ln 2 / 2, a polynomial for eʳ (Cephes), 2ⁿ through the exponent's bits.
inline void exponential(Vector<float>& given) {
  typedef std::uint32_t Whole __attribute__((vector_size(32)));
  const Vector<float> lowest = Vector<float>{} - 87.0f;
  const Vector<float> x = given < lowest ? lowest : given;
  constexpr float to_whole = 12582912.0f;  // 1.5·2²³: adding it leaves no bits behind the point
  const Vector<float> shifted = x * 1.44269504088896341f + to_whole;
  const Vector<float> n = shifted - to_whole;
  const Vector<float> r = (x - n * 0.693359375f) - n * -2.12194440e-4f;
  Vector<float> p = r * 1.9875691500e-4f + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = (p * r) * r + r + 1.0f;
  Whole bits, power;
  std::memcpy(&bits, &p, sizeof bits);
  std::memcpy(&power, &shifted, sizeof power);
  bits += power << 23;  // the low bits of `shifted` are n
  std::memcpy(&p, &bits, sizeof p);
  p = given < lowest ? Vector<float>{} : p;
  given = given == given ? p : given;
}
inline void exponential(Vector<double>& x) {
  for (int l = 0; l < 4; ++l) x[l] = std::exp(x[l]);
}

/// A square of vectors, rows and columns exchanged: every round puts rows i and i + half together like two hands of
/// cards, and after log₂ rounds each number is in its place.
inline void transpose(Vector<float>* rows) {
  Vector<float> next[8];
  for (int round = 0; round < 3; ++round) {
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
      next[2 * i] = __builtin_shufflevector(rows[i], rows[i + 4], 0, 8, 1, 9, 2, 10, 3, 11);
      next[2 * i + 1] = __builtin_shufflevector(rows[i], rows[i + 4], 4, 12, 5, 13, 6, 14, 7, 15);
    }
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) rows[i] = next[i];
  }
}
inline void transpose(Vector<double>* rows) {
  Vector<double> next[4];
  for (int round = 0; round < 2; ++round) {
#pragma GCC unroll 2
    for (int i = 0; i < 2; ++i) {
      next[2 * i] = __builtin_shufflevector(rows[i], rows[i + 2], 0, 4, 1, 5);
      next[2 * i + 1] = __builtin_shufflevector(rows[i], rows[i + 2], 2, 6, 3, 7);
    }
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) rows[i] = next[i];
  }
}

/// The sum of the lanes, always in the same order.
template <class T>
inline T sumOf(const Vector<T>& v) {
  T sums[Lanes<T>::count];
  store<T>(v, sums);
  for (std::int64_t half = Lanes<T>::count / 2; half > 0; half /= 2)
    for (std::int64_t l = 0; l < half; ++l) sums[l] += sums[l + half];
  return sums[0];
}

}  // namespace
}  // namespace posiscope::train
