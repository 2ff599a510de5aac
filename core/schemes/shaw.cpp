// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/shaw.h"

#include "core/dot.h"
#include "core/schemes/learned_weights.h"

#include <algorithm>
#include <cmath>

namespace posiscope::schemes {

std::int64_t shawIndex(const ShawParams& params, std::int64_t n) {
  const std::int64_t k = params.max_distance;
  return std::clamp(params.sign == ShawSign::j_minus_i ? -n : n, -k, k) + k;
}

std::vector<std::int64_t> shawIndices(const ShawParams& params, const Shape& shape) {
  std::vector<std::int64_t> indices;
  for (std::int64_t i = 0; i < shape.queries(); ++i)
    for (std::int64_t j = 0; j < shape.keys(); ++j) indices.push_back(shawIndex(params, i + shape.queryOffset() - j));
  return indices;
}

template <class T>
Table<T> shawTerms(Rows<T> q, Rows<T> relative_keys) {
  Table<T> terms = makeTable<T>(q.rows, relative_keys.rows);
  for (std::int64_t i = 0; i < q.rows; ++i)
    for (std::int64_t r = 0; r < relative_keys.rows; ++r)
      terms.row(i)[static_cast<std::size_t>(r)] = dot(q.row(i), relative_keys.row(r));
  return terms;
}

template Table<float> shawTerms(Rows<float>, Rows<float>);
template Table<double> shawTerms(Rows<double>, Rows<double>);

namespace {

ParamTable<ShawParams> shawTable() {
  using P = ShawParams;
  ParamTable<P> t;
  t.integer("max_distance", &P::max_distance, {0, 1 << 16, 0, 128, false},
            {{"largest offset", "最大相对位置"},
             {"Keys farther away than this share the last row of the tables.", "更远的键共用表中的最后一行。"},
             "max_relative_position",
             "tokens"});
  t.choice("sign", &P::sign, {{"j-i", {"j − i", "j − i"}}, {"i-j", {"i − j", "i − j"}}},
           {{"direction", "方向"},
            {"Whether the row grows with the key's or with the query's position.",
             "行号随键的位置增大，还是随查询的位置增大。"}});
  t.array("relative_keys", &P::relative_keys,
          {{"key table", "键的相对位置表"},
           {"a^K of shape (2k + 1, head_dim), or one for each layer.", "a^K，形状 (2k + 1, head_dim)，或每层一个。"},
           "aK"});
  t.array("relative_values", &P::relative_values,
          {{"value table", "值的相对位置表"},
           {"a^V of shape (2k + 1, head_dim), or one for each layer.", "a^V，形状 (2k + 1, head_dim)，或每层一个。"},
           "aV"});
  addSeed(t);
  return t;
}

struct Shaw {
  Outcome check(const ShawParams& p, const Shape& shape) const {
    const std::vector<std::int64_t> table{2 * p.max_distance + 1, shape.head_dim};
    if (Outcome ok = checkLayerWeights("shaw", "relative_keys", p.relative_keys, table, shape.num_layers); !ok)
      return ok;
    if (Outcome ok = checkLayerWeights("shaw", "relative_values", p.relative_values, table, shape.num_layers); !ok)
      return ok;
    const auto rows = static_cast<double>(table[0]);
    const double widest = static_cast<double>(std::max(2 * shape.head_dim, shape.queries()));
    return checkMemory("shaw: the tables and their products", rows * widest * sizeof(double));
  }

  template <class T>
  Encoding<T> encode(const ShawParams& p, const Shape& shape) const {
    Encoding<T> encoding;
    encoding.logit_scale = 1.0 / std::sqrt(static_cast<double>(shape.head_dim));
    const auto keys = table<T>(p, shape, p.relative_keys, "relative_keys");
    const auto scale = static_cast<T>(encoding.logit_scale);
    encoding.logits.score = keyScore<T>(p, keys, scale);
    encoding.logits.terms = keyTerms<T>(p, keys, scale);
    encoding.logits.lookup = {keys->rows, [p, offset = shape.queryOffset()](std::int64_t i, std::int64_t j) {
                                return shawIndex(p, i + offset - j);
                              }};
    encoding.values = valueTerm<T>(p, shape);
    return encoding;
  }

  SchemeCost cost(const ShawParams& p, const Shape& shape) const {
    // q meets every row of the first table, every row of the second meets its share of the weights.
    const std::int64_t table = (2 * p.max_distance + 1) * shape.head_dim;
    return {.learned = 2 * table, .per_token = 2 * shape.num_heads * table, .per_pair = 2 * shape.num_heads};
  }

  std::string substitution(const ShawParams& p, const Shape& shape) const {
    return join("k = ", p.max_distance, ", ", 2 * p.max_distance + 1, " × ", shape.head_dim);
  }

 private:
  template <class T>
  static std::shared_ptr<const Table<T>> table(const ShawParams& p, const Shape& shape, const Array& given,
                                               const char* name) {
    const std::int64_t rows = 2 * p.max_distance + 1;
    // As wide as the scaled dot product of normal q and k, so that the term can be seen.
    const Drawing drawing{p.seed, join("shaw/", name), 1.0 / std::sqrt(static_cast<double>(shape.head_dim))};
    return std::make_shared<const Table<T>>(
        Table<T>{rows, shape.head_dim, weightsOf<T>(layerPart(given, 2, shape.layer), rows * shape.head_dim, drawing)});
  }

  template <class T>
  static ScoreTerms<T> keyTerms(const ShawParams& p, std::shared_ptr<const Table<T>> keys, T scale) {
    return {{{"q·k, content", "q·k，内容"}, {"q·a, offset", "q·a，偏移"}},
            [p, scale, keys](const HeadContent<T>& head) -> typename ScoreTerms<T>::Fill {
              auto terms = std::make_shared<const Table<T>>(shawTerms(head.q, rowsOf(*keys)));
              return [p, scale, terms, q = head.q, k = head.k, offset = head.shape->queryOffset()](
                         std::size_t term, std::int64_t i, std::span<T> row) {
                for (std::int64_t j = 0; j < k.rows; ++j)
                  row[static_cast<std::size_t>(j)] =
                      scale * (term == 0 ? dot(q.row(i), k.row(j))
                                         : terms->row(i)[static_cast<std::size_t>(shawIndex(p, i + offset - j))]);
              };
            }};
  }

  template <class T>
  static OwnScore<T> keyScore(const ShawParams& p, std::shared_ptr<const Table<T>> keys, T scale) {
    return {[p, scale, keys](const HeadContent<T>& head) {
      auto terms = std::make_shared<const Table<T>>(shawTerms(head.q, rowsOf(*keys)));
      return typename OwnScore<T>::RowScore([p, scale, terms, q = head.q, k = head.k,
                                             offset = head.shape->queryOffset()](std::int64_t i, std::span<T> logits) {
        const std::span<const T> term = terms->row(i);
        for (std::int64_t j = 0; j < k.rows; ++j)
          logits[static_cast<std::size_t>(j)] =
              scale * (dot(q.row(i), k.row(j)) + term[static_cast<std::size_t>(shawIndex(p, i + offset - j))]);
      });
    }};
  }

  template <class T>
  static ValuesPart<T> valueTerm(const ShawParams& p, const Shape& shape) {
    ValuesPart<T> part;
    part.width = shape.head_dim;
    part.add = [p, offset = shape.queryOffset(), rows = table<T>(p, shape, p.relative_values, "relative_values")](
                   std::int64_t, std::int64_t i, std::span<const T> weights, std::span<T> out) {
      // All keys of one offset class share a row: first their weight, then one product for each row.
      std::vector<double> shares(static_cast<std::size_t>(rows->rows));
      for (std::size_t j = 0; j < weights.size(); ++j)
        shares[static_cast<std::size_t>(shawIndex(p, i + offset - static_cast<std::int64_t>(j)))] +=
            static_cast<double>(weights[j]);
      for (std::int64_t r = 0; r < rows->rows; ++r)
        for (std::size_t d = 0; d < out.size(); ++d)
          out[d] += static_cast<T>(shares[static_cast<std::size_t>(r)]) * rows->row(r)[d];
    };
    return part;
  }
};

}  // namespace

Scheme shaw() {
  return makeScheme({.id = "shaw",
                     .name = {"Shaw relative positions", "Shaw 相对位置"},
                     .family = Family::bias,
                     .year = 2018,
                     .reference = "Shaw, Uszkoreit and Vaswani 2018, arXiv:1803.02155",
                     .summary = {"A learned vector for each clipped offset is added to the key and to the value.",
                                 "每个截断后的相对位置对应一个学习到的向量，分别加到键和值上。"}},
                    shawTable(), Shaw{});
}

}  // namespace posiscope::schemes
