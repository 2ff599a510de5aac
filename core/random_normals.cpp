// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs of normal numbers. Box–Muller with the integers of Stream::draw, four 64-bit lanes at a time; the logarithm and
// the cosine in single precision from arguments that are reduced exactly.
#include "core/random.h"

#include <algorithm>
#include <cstddef>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace posiscope {
namespace {

#if defined(__x86_64__)
#define POSISCOPE_WIDE __attribute__((target("avx2,fma"))) inline

constexpr std::size_t lanes = 8;
constexpr std::uint64_t golden_gamma = 0x9E3779B97F4A7C15;

bool isWide() {
  static const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return wide;
}

POSISCOPE_WIDE __m256i all(std::uint64_t value) { return _mm256_set1_epi64x(static_cast<long long>(value)); }

/// The low 64 bits of a · b.
POSISCOPE_WIDE __m256i times(__m256i a, std::uint64_t b) {
  const __m256i low = all(b), high = all(b >> 32);
  const __m256i cross = _mm256_add_epi64(_mm256_mul_epu32(_mm256_srli_epi64(a, 32), low), _mm256_mul_epu32(a, high));
  return _mm256_add_epi64(_mm256_mul_epu32(a, low), _mm256_slli_epi64(cross, 32));
}

/// As `mix` in random.cpp.
POSISCOPE_WIDE __m256i mix(__m256i z) {
  z = times(_mm256_xor_si256(z, _mm256_srli_epi64(z, 30)), 0xBF58476D1CE4E5B9);
  z = times(_mm256_xor_si256(z, _mm256_srli_epi64(z, 27)), 0x94D049BB133111EB);
  return _mm256_xor_si256(z, _mm256_srli_epi64(z, 31));
}

/// Four numbers of single precision and four whole ones.
struct Four {
  __m128 value;
  __m128i whole;
};
struct Eight {
  __m256 value;
  __m256i whole;
};
POSISCOPE_WIDE Eight joined(const Four& a, const Four& b) {
  return {_mm256_set_m128(b.value, a.value), _mm256_set_m128i(b.whole, a.whole)};
}

/// The low halves of four 64-bit numbers.
POSISCOPE_WIDE __m128i narrowed(__m256i v) {
  return _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6)));
}

/// 1 − u = 2^whole · (1 + value) with 1 + value in [√½, √2); both exact before the rounding of value.
POSISCOPE_WIDE Four splitComplement(__m256i draw) {
  const __m256i count = _mm256_sub_epi64(all(std::uint64_t{1} << 53), _mm256_srli_epi64(draw, 11));
  // A whole number below 2^54 as a double: both halves behind exponents that make them whole, then their sum.
  const __m256d high =
      _mm256_castsi256_pd(_mm256_or_si256(_mm256_srli_epi64(count, 32), all(0x4530000000000000)));  // 2^84 + h·2^32
  const __m256d low = _mm256_castsi256_pd(
      _mm256_or_si256(_mm256_and_si256(count, all(0xFFFFFFFF)), all(0x4330000000000000)));  // 2^52 + l
  const __m256d exact = _mm256_add_pd(_mm256_sub_pd(high, _mm256_set1_pd(0x1p84 + 0x1p52)), low);
  const __m256i bits = _mm256_castpd_si256(exact);
  constexpr std::uint64_t root_half = 0x3FE6A09E667F3BCD;
  const __m256i exponent = _mm256_srli_epi64(_mm256_sub_epi64(bits, all(root_half)), 52);
  const __m256d mantissa = _mm256_castsi256_pd(_mm256_sub_epi64(bits, _mm256_slli_epi64(exponent, 52)));
  return {_mm256_cvtpd_ps(_mm256_sub_pd(mantissa, _mm256_set1_pd(1))),
          _mm_sub_epi32(narrowed(exponent), _mm_set1_epi32(53))};
}

/// The angle 2π·u as `whole` quarter turns and a rest of at most an eighth.
POSISCOPE_WIDE Four splitTurn(__m256i draw) {
  const __m256i count = _mm256_srli_epi64(draw, 11);
  const __m256i quarters = _mm256_srli_epi64(_mm256_add_epi64(count, all(std::uint64_t{1} << 50)), 51);
  const __m256i rest = _mm256_sub_epi64(count, _mm256_slli_epi64(quarters, 51));
  const __m256d exact =
      _mm256_sub_pd(_mm256_castsi256_pd(_mm256_add_epi64(rest, all(0x4338000000000000))), _mm256_set1_pd(0x1.8p52));
  return {_mm256_cvtpd_ps(_mm256_mul_pd(exact, _mm256_set1_pd(6.283185307179586477 * 0x1p-53))), narrowed(quarters)};
}

POSISCOPE_WIDE __m256 term(__m256 sum, __m256 x, float next) { return _mm256_fmadd_ps(sum, x, _mm256_set1_ps(next)); }

/// √(−2·ln(2^whole·(1 + value))): polynomial of Cephes' logf.
POSISCOPE_WIDE __m256 radius(const Eight& x) {
  const __m256 f = x.value, square = _mm256_mul_ps(f, f), exponent = _mm256_cvtepi32_ps(x.whole);
  __m256 p = _mm256_set1_ps(7.0376836292e-2F);
  for (const float next : {-1.1514610310e-1F, 1.1676998740e-1F, -1.2420140846e-1F, 1.4249322787e-1F, -1.6668057665e-1F,
                           2.0000714765e-1F, -2.4999993993e-1F, 3.3333331174e-1F})
    p = term(p, f, next);
  __m256 y = _mm256_mul_ps(_mm256_mul_ps(f, square), p);
  y = _mm256_fmadd_ps(exponent, _mm256_set1_ps(-2.12194440e-4F), y);
  y = _mm256_fnmadd_ps(square, _mm256_set1_ps(0.5F), y);
  const __m256 log = _mm256_fmadd_ps(exponent, _mm256_set1_ps(0.693359375F), _mm256_add_ps(f, y));
  return _mm256_sqrt_ps(_mm256_max_ps(_mm256_mul_ps(log, _mm256_set1_ps(-2)), _mm256_setzero_ps()));
}

/// cos(whole·π/2 + value): polynomials of Cephes' sinf and cosf.
POSISCOPE_WIDE __m256 cosine(const Eight& x) {
  const __m256 a = x.value, z = _mm256_mul_ps(a, a);
  const __m256 sine_part = term(term(_mm256_set1_ps(-1.9515295891e-4F), z, 8.3321608736e-3F), z, -1.6666654611e-1F);
  const __m256 sine = _mm256_fmadd_ps(_mm256_mul_ps(sine_part, z), a, a);
  const __m256 even =
      term(term(_mm256_set1_ps(2.443315711809948e-5F), z, -1.388731625493765e-3F), z, 4.166664568298827e-2F);
  const __m256 cosine_part = _mm256_fmadd_ps(_mm256_mul_ps(even, z), z, term(_mm256_set1_ps(-0.5F), z, 1));
  // One quarter: −sin, two: −cos, three: sin.
  const __m256i odd = _mm256_slli_epi32(x.whole, 31);
  const __m256i negative = _mm256_slli_epi32(_mm256_srli_epi32(_mm256_add_epi32(x.whole, _mm256_set1_epi32(1)), 1), 31);
  const __m256 value = _mm256_blendv_ps(cosine_part, sine, _mm256_castsi256_ps(odd));
  return _mm256_xor_ps(value, _mm256_castsi256_ps(negative));
}

/// Normals of the eight examples whose keys, key + e·γ, are these.
POSISCOPE_WIDE __m256 normalsOf(__m256i a, __m256i b) {
  a = mix(a);
  b = mix(b);
  const __m256i one = all(golden_gamma), two = all(2 * golden_gamma);
  const Eight length =
      joined(splitComplement(mix(_mm256_add_epi64(a, one))), splitComplement(mix(_mm256_add_epi64(b, one))));
  const Eight turn = joined(splitTurn(mix(_mm256_add_epi64(a, two))), splitTurn(mix(_mm256_add_epi64(b, two))));
  return _mm256_mul_ps(radius(length), cosine(turn));
}

__attribute__((target("avx2,fma"))) void wideNormals(std::uint64_t start, float deviation, std::span<float> out) {
  const auto lane = [start](std::uint64_t l) { return static_cast<long long>(start + l * golden_gamma); };
  __m256i a = _mm256_setr_epi64x(lane(0), lane(1), lane(2), lane(3));
  __m256i b = _mm256_setr_epi64x(lane(4), lane(5), lane(6), lane(7));
  const __m256 factor = _mm256_set1_ps(deviation);
  for (std::size_t done = 0; done < out.size(); done += lanes) {
    const __m256 values = _mm256_mul_ps(normalsOf(a, b), factor);
    if (out.size() - done >= lanes) {
      _mm256_storeu_ps(out.data() + done, values);
    } else {
      float rest[lanes];
      _mm256_storeu_ps(rest, values);
      std::copy_n(rest, out.size() - done, out.data() + done);
    }
    a = _mm256_add_epi64(a, all(lanes * golden_gamma));
    b = _mm256_add_epi64(b, all(lanes * golden_gamma));
  }
}
#undef POSISCOPE_WIDE
#endif

}  // namespace

void Stream::normals(std::uint64_t first, float deviation, std::span<float> out) const {
#if defined(__x86_64__)
  if (isWide()) return wideNormals(key_ + first * golden_gamma, deviation, out);
#endif
  for (std::size_t e = 0; e < out.size(); ++e)
    out[e] = static_cast<float>(static_cast<double>(deviation) * normal(first + e));
}

}  // namespace posiscope
