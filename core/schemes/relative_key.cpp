// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/relative_key.h"

#include "core/dot.h"

#include <memory>

namespace posiscope::schemes {
namespace {

/// One head's view of the sequence and of the table.
template <class T>
struct OffsetVectors {
  Rows<T> q, k;
  std::shared_ptr<const Table<T>> table;
  std::int64_t centre;  ///< the row that query 0 reads for key 0
  T scale;

  std::span<const T> of(std::int64_t i, std::int64_t j) const { return std::as_const(*table).row(centre + i - j); }
};

/// Term 0 meets the content, 1 the query and 2 the key with the vector of the offset.
template <class T>
T termOf(const OffsetVectors<T>& v, std::size_t term, std::int64_t i, std::int64_t j) {
  if (term == 0) return dot(v.q.row(i), v.k.row(j));
  return dot(term == 1 ? v.q.row(i) : v.k.row(j), v.of(i, j));
}

}  // namespace

ParamTable<RelativeKeyParams> RelativeKey::params() const {
  using P = RelativeKeyParams;
  ParamTable<P> t;
  t.integer("max_positions", &P::max_positions, {1, 1 << 20, 16, 8192, true},
            {{"positions", "位置数"},
             {"The longest sequence; a longer one reads past the table and is refused.",
              "允许的最长序列；更长的序列会读到表外，因此被拒绝。"},
             "max_position_embeddings",
             "tokens"});
  t.array("table", &P::table,
          {{"table", "相对位置表"},
           {"Vectors of the offsets, (2·max_positions − 1) × head_dim.",
            "各偏移的向量，形状 (2·max_positions − 1, head_dim)。"},
           "distance_embedding"});
  addSeed(t);
  return t;
}

Outcome RelativeKey::check(const RelativeKeyParams& p, const Shape& shape) const {
  const std::vector<std::int64_t> wanted{2 * p.max_positions - 1, shape.head_dim};
  if (Outcome ok = checkWeights(id_, "table", p.table, wanted); !ok) return ok;
  if (shape.keys() > p.max_positions)
    return fail(ErrorCode::past_table,
                join(id_, ": seq_len must be at most max_positions ", p.max_positions, ", got ", shape.keys(),
                     "; offsets beyond the table are not clipped"),
                join(id_, "：seq_len 不能超过 max_positions ", p.max_positions, "，得到 ", shape.keys(),
                     "；超出表的偏移不会被截断"));
  const double cells = static_cast<double>(wanted[0]) * static_cast<double>(wanted[1]);
  return checkMemory(join(id_, ": the table"), cells * sizeof(double));
}

template <class T>
Encoding<T> RelativeKey::encode(const RelativeKeyParams& p, const Shape& shape) const {
  const std::int64_t rows = 2 * p.max_positions - 1;
  const Drawing drawing{p.seed, id_ + "/table", rootScale(shape)};
  const auto table = std::make_shared<const Table<T>>(
      Table<T>{rows, shape.head_dim, weightsOf<T>(p.table, rows * shape.head_dim, drawing)});
  Encoding<T> encoding;
  encoding.logit_scale = rootScale(shape);
  const std::int64_t centre = shape.queryOffset() + p.max_positions - 1;
  const auto vectors = [table, centre, scale = static_cast<T>(encoding.logit_scale)](const HeadContent<T>& head) {
    return OffsetVectors<T>{head.q, head.k, table, centre, scale};
  };
  encoding.logits.score.prepare = [vectors, with_keys = with_keys_](const HeadContent<T>& head) {
    return typename OwnScore<T>::RowScore([v = vectors(head), with_keys](std::int64_t i, std::span<T> logits) {
      for (std::int64_t j = 0; j < v.k.rows; ++j) {
        T sum = termOf(v, 0, i, j) + termOf(v, 1, i, j);
        if (with_keys) sum += termOf(v, 2, i, j);
        logits[static_cast<std::size_t>(j)] = v.scale * sum;
      }
    });
  };
  encoding.logits.terms.names = {{"q·k, content", "q·k，内容"}, {"q·a, query and offset", "q·a，查询与偏移"}};
  if (with_keys_) encoding.logits.terms.names.push_back({"k·a, key and offset", "k·a，键与偏移"});
  encoding.logits.terms.prepare = [vectors](const HeadContent<T>& head) {
    return typename ScoreTerms<T>::Fill([v = vectors(head)](std::size_t term, std::int64_t i, std::span<T> row) {
      for (std::int64_t j = 0; j < v.k.rows; ++j) row[static_cast<std::size_t>(j)] = v.scale * termOf(v, term, i, j);
    });
  };
  encoding.logits.lookup = {rows, [centre](std::int64_t i, std::int64_t j) { return centre + i - j; }};
  return encoding;
}

template Encoding<float> RelativeKey::encode(const RelativeKeyParams&, const Shape&) const;
template Encoding<double> RelativeKey::encode(const RelativeKeyParams&, const Shape&) const;

SchemeCost RelativeKey::cost(const RelativeKeyParams& p, const Shape& shape) const {
  // The query meets the vector of every offset, and so does the key where it is asked.
  return {.learned = (2 * p.max_positions - 1) * shape.head_dim,
          .per_pair = (with_keys_ ? 2 : 1) * shape.num_heads * shape.head_dim};
}

std::string RelativeKey::substitution(const RelativeKeyParams& p, const Shape& shape) const {
  return join("a: ", screenNumber(static_cast<double>(2 * p.max_positions - 1)), " × ", shape.head_dim);
}

Scheme relativeKey() {
  const RelativeKey formula("relative_key", false);
  return makeScheme({.id = "relative_key",
                     .name = {"Relative key", "相对键（relative_key）"},
                     .family = Family::bias,
                     .year = 2020,
                     .reference = "Huang et al. 2020, arXiv:2009.13658; Hugging Face Transformers",
                     .summary = {"Each query also meets a learned vector of the offset, one for every offset.",
                                 "每个查询还与该偏移的可学习向量相乘，每个偏移各有一个向量。"}},
                    formula.params(), formula);
}

}  // namespace posiscope::schemes
