// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/absolute_terms.h"

#include "core/attention/projection.h"
#include "core/dot.h"
#include "core/parallel.h"

#include <array>
#include <cmath>

namespace posiscope::attention {

template <class T>
Expected<std::vector<T>> absoluteTerms(Rows<T> words, Rows<T> positions, Rows<T> w_q, Rows<T> w_k, const Shape& shape,
                                       const Job& job) {
  const std::int64_t length = shape.keys(), width = shape.head_dim;
  const std::int64_t map = length * length;
  const double cells =
      4.0 * static_cast<double>(shape.num_heads) * static_cast<double>(length) * static_cast<double>(length);
  if (Outcome ok = checkMemory("the four terms", cells * sizeof(T)); !ok) return fail(ok.error());
  std::vector<T> terms(static_cast<std::size_t>(cells));
  const T scale = static_cast<T>(1 / std::sqrt(static_cast<double>(width)));
  const auto stopped = [] { return fail(ErrorCode::cancelled, "attention: stopped", "注意力：已停止"); };
  for (std::int64_t h = 0; h < shape.num_heads; ++h) {
    const std::int64_t kv = h / (shape.num_heads / shape.kvHeads());
    std::array<Table<T>, 2> queries, keys;  // of the words, of the positions
    for (std::size_t part = 0; part < 2; ++part) {
      const Rows<T> from = part == 0 ? words : positions;
      queries[part] = makeTable<T>(length, width);
      keys[part] = makeTable<T>(length, width);
      if (!project(from, w_q, h * width, width, std::span<T>(queries[part].values), job) ||
          !project(from, w_k, kv * width, width, std::span<T>(keys[part].values), job))
        return stopped();
    }
    const bool complete = parallelBlocks(length, 16, job, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t term = 0; term < 4; ++term)
        for (std::int64_t i = begin; i < end; ++i)
          for (std::int64_t j = 0; j < length; ++j)
            terms[static_cast<std::size_t>((term * shape.num_heads + h) * map + i * length + j)] =
                scale * dot<T>(queries[static_cast<std::size_t>(term / 2)].row(i),
                               keys[static_cast<std::size_t>(term % 2)].row(j));
    });
    if (!complete) return stopped();
  }
  return terms;
}

template Expected<std::vector<float>> absoluteTerms(Rows<float>, Rows<float>, Rows<float>, Rows<float>, const Shape&,
                                                    const Job&);
template Expected<std::vector<double>> absoluteTerms(Rows<double>, Rows<double>, Rows<double>, Rows<double>,
                                                     const Shape&, const Job&);

}  // namespace posiscope::attention
