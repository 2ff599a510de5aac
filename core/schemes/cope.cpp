// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/cope.h"

#include "core/dot.h"
#include "core/schemes/learned_weights.h"
#include "core/schemes/schemes.h"

#include <algorithm>
#include <cmath>

namespace posiscope::schemes {

template <class T>
void copeGates(std::span<const T> logits, const Mask& mask, const Shape& shape, std::int64_t i, std::span<T> gates) {
  for (std::size_t j = 0; j < logits.size(); ++j)
    gates[j] = mask.allows(shape, i, static_cast<std::int64_t>(j)) ? T(1) / (T(1) + std::exp(-logits[j])) : T(0);
}

template <class T>
void copePositions(std::span<const T> gates, std::int64_t npos, std::span<T> positions) {
  double sum = 0;  // thousands of gates: float would lose the digits that the interpolation needs
  for (std::size_t j = gates.size(); j-- > 0;) {
    sum += static_cast<double>(gates[j]);
    positions[j] = static_cast<T>(std::min(sum, static_cast<double>(npos - 1)));
  }
}

template <class T>
void copeTerm(std::span<const T> q, Rows<T> table, std::span<const T> positions, std::span<T> term) {
  std::vector<T> products;  // q·e for every whole position
  for (std::int64_t p = 0; p < table.rows; ++p) products.push_back(dot(q, table.row(p)));
  for (std::size_t j = 0; j < positions.size(); ++j) {
    const auto below = static_cast<std::size_t>(positions[j]);
    const std::size_t above = std::min(below + 1, products.size() - 1);
    const T share = positions[j] - static_cast<T>(below);
    term[j] = products[below] + share * (products[above] - products[below]);
  }
}

template void copeGates(std::span<const float>, const Mask&, const Shape&, std::int64_t, std::span<float>);
template void copeGates(std::span<const double>, const Mask&, const Shape&, std::int64_t, std::span<double>);
template void copePositions(std::span<const float>, std::int64_t, std::span<float>);
template void copePositions(std::span<const double>, std::int64_t, std::span<double>);
template void copeTerm(std::span<const float>, Rows<float>, std::span<const float>, std::span<float>);
template void copeTerm(std::span<const double>, Rows<double>, std::span<const double>, std::span<double>);

namespace {

ParamTable<CopeParams> copeTable() {
  using P = CopeParams;
  ParamTable<P> t;
  t.integer(
      "npos", &P::npos, {1, 1 << 20, 1, 512, true},
      {{"positions", "位置数"},
       {"Rows of the position table; larger positions share the last one.", "位置表的行数，更大的位置共用最后一行。"},
       "npos_max"});
  t.array("position_table", &P::position_table,
          {{"position table", "位置表"},
           {"e of shape (npos, head_dim), or one for each layer.", "e，形状 (npos, head_dim)，或每层一个。"},
           "pos_emb"});
  addSeed(t);
  return t;
}

/// The two terms of one head's logits. The table and the content must outlive it.
template <class T>
class CopeRow {
 public:
  CopeRow(std::shared_ptr<const Table<T>> table, T scale, const HeadContent<T>& head)
      : table_(std::move(table)), scale_(scale), q_(head.q), k_(head.k), shape_(*head.shape), mask_(head.mask) {}

  void content(std::int64_t i, std::span<T> logits) const {
    for (std::int64_t j = 0; j < k_.rows; ++j) logits[static_cast<std::size_t>(j)] = scale_ * dot(q_.row(i), k_.row(j));
  }
  void counted(std::int64_t i, std::span<const T> logits, std::span<T> term) const {
    std::vector<T> positions(logits.size());
    stage(Stage::position, i, logits, positions);
    copeTerm<T>(q_.row(i), rowsOf(*table_), positions, term);
  }

  enum class Stage : std::size_t { gate, position, logit };
  void stage(Stage wanted, std::int64_t i, std::span<const T> logits, std::span<T> out) const {
    if (wanted == Stage::logit) return counted(i, logits, out);
    copeGates<T>(logits, *mask_, shape_, i, out);
    if (wanted == Stage::gate) return;
    copePositions<T>(std::vector<T>(out.begin(), out.end()), table_->rows, out);
  }

 private:
  std::shared_ptr<const Table<T>> table_;
  T scale_;
  Rows<T> q_, k_;
  Shape shape_;
  const Mask* mask_;
};

struct Cope {
  Outcome check(const CopeParams& p, const Shape& shape) const {
    return checkLayerWeights("cope", "position_table", p.position_table, {p.npos, shape.head_dim}, shape.num_layers);
  }

  template <class T>
  Encoding<T> encode(const CopeParams& p, const Shape& shape) const {
    const Drawing drawing{p.seed, "cope/position_table", 1.0 / std::sqrt(static_cast<double>(shape.head_dim))};
    const Array given = layerPart(p.position_table, 2, shape.layer);
    auto table = std::make_shared<const Table<T>>(
        Table<T>{p.npos, shape.head_dim, weightsOf<T>(given, p.npos * shape.head_dim, drawing)});
    Encoding<T> encoding;
    encoding.logit_scale = rootScale(shape);
    const auto scale = static_cast<T>(encoding.logit_scale);
    encoding.logits.score.prepare = [table, scale](const HeadContent<T>& head) {
      return
          typename OwnScore<T>::RowScore([row = CopeRow<T>(table, scale, head)](std::int64_t i, std::span<T> logits) {
            std::vector<T> term(logits.size());
            row.content(i, logits);
            row.counted(i, logits, term);
            for (std::size_t j = 0; j < logits.size(); ++j) logits[j] += term[j];
          });
    };
    encoding.logits.terms.names = {{"q·k, content", "q·k，内容"}, {"counted position", "计数位置"}};
    encoding.logits.terms.prepare = [table, scale](const HeadContent<T>& head) {
      return typename ScoreTerms<T>::Fill(
          [row = CopeRow<T>(table, scale, head)](std::size_t term, std::int64_t i, std::span<T> out) {
            row.content(i, out);
            if (term == 1) row.counted(i, std::vector<T>(out.begin(), out.end()), out);
          });
    };
    encoding.logits.stages = stagesOf<T>(table, scale);
    return encoding;
  }

  SchemeCost cost(const CopeParams& p, const Shape& shape) const {
    // q meets every row of the table; each pair has a gate, a running sum and an interpolation.
    return {.learned = p.npos * shape.head_dim,
            .per_token = shape.num_heads * p.npos * shape.head_dim,
            .per_pair = 3 * shape.num_heads};
  }

  std::string substitution(const CopeParams& p, const Shape& shape) const {
    return join("p ≤ ", p.npos - 1, ", d = ", shape.head_dim);
  }

 private:
  template <class T>
  static ScoreStages<T> stagesOf(std::shared_ptr<const Table<T>> table, T scale) {
    ScoreStages<T> stages;
    stages.stages = {
        {"gate", {"gates g", "门 g"}, {"gate", "门"}},
        {"position",
         {"positions p = Σ g", "位置 p = Σ g"},
         {"counted position", "计数位置"},
         false,
         static_cast<double>(table->rows - 1)},
        {"logit", {"logits q·e[p]", "logit q·e[p]"}, {"logit", "logit"}, true},
    };
    stages.prepare = [table, scale](const HeadContent<T>& head) {
      return typename ScoreStages<T>::Fill(
          [row = CopeRow<T>(table, scale, head)](std::size_t stage, std::int64_t i, std::span<T> out) {
            std::vector<T> logits(out.size());
            row.content(i, logits);
            row.stage(static_cast<typename CopeRow<T>::Stage>(stage), i, logits, out);
          });
    };
    return stages;
  }
};

}  // namespace

Scheme cope() {
  return makeScheme({.id = "cope",
                     .name = {"CoPE", "上下文位置编码 CoPE"},
                     .family = Family::content,
                     .year = 2024,
                     .reference = "Golovneva et al. 2024, arXiv:2405.18719",
                     .summary = {"Gates decide which tokens count, so a position is how much has been counted.",
                                 "由门控决定哪些词元被计数，位置就是累计的数量。"}},
                    copeTable(), Cope{});
}

}  // namespace posiscope::schemes
