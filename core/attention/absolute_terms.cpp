// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/absolute_terms.h"

#include "core/attention/head_inputs.h"
#include "core/attention/projection.h"
#include "core/dot.h"
#include "core/parallel.h"

#include <array>
#include <cmath>
#include <numeric>

namespace posiscope::attention {

namespace {

/// Queries and keys of one head, each made of the words alone and of the positions alone.
template <class T>
struct HeadParts {
  std::array<Table<T>, 2> queries, keys;
};

template <class T>
bool projectParts(const std::array<Rows<T>, 2>& from, Rows<T> w_q, Rows<T> w_k, const Shape& shape, std::int64_t head,
                  const Job& job, HeadParts<T>& parts) {
  const std::int64_t width = shape.head_dim;
  const std::int64_t key_head = keyHead(shape, head);
  for (std::size_t part = 0; part < 2; ++part) {
    const Rows<T> all = from[part];
    const Rows<T> asking{all.data + shape.queryOffset() * all.cols, shape.queries(), all.cols};
    parts.queries[part] = makeTable<T>(shape.queries(), width);
    parts.keys[part] = makeTable<T>(shape.keys(), width);
    if (!project(asking, w_q, head * width, width, std::span<T>(parts.queries[part].values), job) ||
        !project(all, w_k, key_head * width, width, std::span<T>(parts.keys[part].values), job))
      return false;
  }
  return true;
}

}  // namespace

template <class T>
Expected<std::vector<T>> absoluteTerms(Rows<T> words, Rows<T> positions, Rows<T> w_q, Rows<T> w_k, const Shape& shape,
                                       const Job& job, std::vector<std::int64_t> heads) {
  if (heads.empty()) {
    heads.resize(static_cast<std::size_t>(shape.num_heads));
    std::iota(heads.begin(), heads.end(), 0);
  }
  const auto count = static_cast<std::int64_t>(heads.size());
  const std::int64_t map = shape.queries() * shape.keys();
  const double cells =
      4.0 * static_cast<double>(count) * static_cast<double>(shape.queries()) * static_cast<double>(shape.keys());
  if (Outcome ok = checkMemory("the four terms", cells * sizeof(T)); !ok) return fail(ok.error());
  std::vector<T> terms(static_cast<std::size_t>(cells));
  const T scale = static_cast<T>(1 / std::sqrt(static_cast<double>(shape.head_dim)));
  for (std::int64_t h = 0; h < count; ++h) {
    HeadParts<T> parts;
    const bool complete =
        projectParts<T>({words, positions}, w_q, w_k, shape, heads[static_cast<std::size_t>(h)], job, parts) &&
        parallelBlocks(shape.queries(), 16, job, [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t term = 0; term < 4; ++term)
            for (std::int64_t i = begin; i < end; ++i)
              for (std::int64_t j = 0; j < shape.keys(); ++j)
                terms[static_cast<std::size_t>((term * count + h) * map + i * shape.keys() + j)] =
                    scale * dot<T>(parts.queries[static_cast<std::size_t>(term / 2)].row(i),
                                   parts.keys[static_cast<std::size_t>(term % 2)].row(j));
        });
    if (!complete) return fail(ErrorCode::cancelled, "attention: stopped", "注意力：已停止");
  }
  return terms;
}

template Expected<std::vector<float>> absoluteTerms(Rows<float>, Rows<float>, Rows<float>, Rows<float>, const Shape&,
                                                    const Job&, std::vector<std::int64_t>);
template Expected<std::vector<double>> absoluteTerms(Rows<double>, Rows<double>, Rows<double>, Rows<double>,
                                                     const Shape&, const Job&, std::vector<std::int64_t>);

}  // namespace posiscope::attention
