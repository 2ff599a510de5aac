// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/mapped_rotation.h"

namespace posiscope::schemes {
namespace {

struct DualChunkParams : MappedRotationParams {
  std::int64_t chunk_size = 192;  ///< c: the largest relative position, in tokens
  std::int64_t local_size = 16;   ///< l: distances up to it are exact across a border, in tokens
};

ParamTable<DualChunkParams> dualChunkTable() {
  using P = DualChunkParams;
  ParamTable<P> t;
  t.integer("chunk_size", &P::chunk_size, {1, 1 << 24, 16, 32768, true},
            {{"chunk size", "块大小"},
             {"The largest relative position; three quarters of the trained length is usual.",
              "相对位置的最大值；通常取训练长度的四分之三。"},
             "chunk_size",
             "tokens"});
  t.integer("local_size", &P::local_size, {0, 1 << 24, 0, 4096, false},
            {{"local size", "局部长度"},
             {"Distances up to it stay exact across a border; a chunk has chunk size − local size tokens.",
              "跨块边界时不超过该值的距离保持精确；每块有“块大小 − 局部长度”个词元。"},
             "local_size",
             "tokens"});
  addMappedRotation(t);
  return t;
}

struct DualChunk {
  Outcome check(const DualChunkParams& p, const Shape& shape) const {
    if (p.local_size >= p.chunk_size)
      return fail(ErrorCode::out_of_range,
                  join("dual_chunk: local_size must be below chunk_size ", p.chunk_size, ", got ", p.local_size),
                  join("dual_chunk：local_size 必须小于 chunk_size ", p.chunk_size, "，得到 ", p.local_size));
    return checkMappedRotation("dual_chunk", p, shape);
  }

  template <class T>
  Encoding<T> encode(const DualChunkParams& p, const Shape& shape) const {
    Encoding<T> encoding = mappedEncoding<T>(p, dualChunkMap(tokensOf(shape), p.chunk_size, p.local_size), shape);
    encoding.offset_only = false;  // it matters where a border lies between the two
    return encoding;
  }

  SchemeCost cost(const DualChunkParams&, const Shape& shape) const { return mappedCost(3, shape); }

  std::string substitution(const DualChunkParams& p, const Shape& shape) const {
    return join("c = ", p.chunk_size, ", l = ", p.local_size, ", s = ", p.chunk_size - p.local_size,
                ", b = ", screenNumber(p.base), ", r = ", shape.head_dim);
  }
};

}  // namespace

Scheme dualChunk() {
  return makeScheme(
      {.id = "dual_chunk",
       .name = {"Dual chunk attention", "双块注意力"},
       .family = Family::rotary,
       .year = 2024,
       .reference = "An et al. 2024, arXiv:2402.17463",
       .summary = {"RoPE that starts counting again in every chunk; distances to other chunks are capped.",
                   "在每一块内重新计数的 RoPE；到其他块的距离设有上限。"}},
      dualChunkTable(), DualChunk{});
}

}  // namespace posiscope::schemes
