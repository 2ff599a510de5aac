// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/deberta.h"

#include "core/attention/projection.h"
#include "core/dot.h"
#include "core/schemes/learned_weights.h"
#include "core/schemes/schemes.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

namespace posiscope::schemes {

std::int64_t DebertaParams::span() const {
  if (max_distance > 0) return max_distance;
  return position_buckets > 0 ? position_buckets : max_relative_positions;
}

LogBucketParams DebertaParams::buckets() const {
  return {position_buckets, max_relative_positions, far_end == DebertaFarEnd::microsoft};
}

std::int64_t debertaIndex(const DebertaParams& params, std::int64_t n) {
  const std::int64_t k = params.span();
  const std::int64_t relative = params.position_buckets > 0 ? logBucketOf(params.buckets(), n) : n;
  return std::clamp<std::int64_t>(relative + k, 0, 2 * k - 1);
}

template <class T>
DebertaTermsOf<T>::DebertaTermsOf(const DebertaParams& params, Rows<T> q, Rows<T> k, Rows<T> k_r, Rows<T> q_r,
                                  std::int64_t query_offset)
    : params_(params), q_(q), k_(k), k_r_(k_r), q_r_(q_r), query_offset_(query_offset), lowest_(k.rows - 1) {
  for (std::int64_t n = -lowest_; n <= lowest_; ++n) index_.push_back(debertaIndex(params, n));
}

template <class T>
std::array<T, 3> DebertaTermsOf<T>::at(std::int64_t i, std::int64_t j) const {
  const std::int64_t n = i + query_offset_ - j;
  const auto row = [&](std::int64_t offset) { return index_[static_cast<std::size_t>(offset + lowest_)]; };
  std::array<T, 3> terms{dot(q_.row(i), k_.row(j)), T(0), T(0)};
  if (params_.terms == DebertaTerms::both || params_.terms == DebertaTerms::c2p)
    terms[1] = dot(q_.row(i), k_r_.row(row(n)));
  if (params_.terms == DebertaTerms::both || params_.terms == DebertaTerms::p2c)
    terms[2] = dot(k_.row(j), q_r_.row(row(params_.p2c == DebertaIndexing::code ? n : -n)));
  return terms;
}

template class DebertaTermsOf<float>;
template class DebertaTermsOf<double>;

namespace {

void addRules(ParamTable<DebertaParams>& t) {
  using P = DebertaParams;
  t.integer("position_buckets", &P::position_buckets, {0, 1 << 16, 0, 512, false},
            {{"buckets", "桶数"},
             {"Log buckets of v2 and v3; 0 gives every offset a row of its own, as v1 does.",
              "v2 和 v3 的对数桶；0 表示像 v1 那样每个偏移各占一行。"}});
  t.integer("max_relative_positions", &P::max_relative_positions, {1, 1 << 20, 16, 2048, true},
            {{"largest offset", "最大偏移"},
             {"Where the log buckets end; without buckets, half the rows of the table.",
              "对数桶的终点；没有桶时为表行数的一半。"},
             "",
             "tokens"});
  t.integer("max_distance", &P::max_distance, {0, 1 << 20, 0, 1024, false},
            {{"span k", "跨度 k"},
             {"The table has 2k rows; 0 means the buckets, or else the largest offset.",
              "表有 2k 行；0 表示取桶数，没有桶时取最大偏移。"},
             "att_span"})
      .unset({"by buckets", "取桶数"});
  t.choice("position_terms", &P::terms,
           {{"c2p_p2c", {"c2p and p2c", "c2p 与 p2c"}},
            {"c2p", {"c2p only", "仅 c2p"}},
            {"p2c", {"p2c only", "仅 p2c"}},
            {"none", {"none", "无"}}},
           {{"position terms", "位置项"},
            {"Content to position, position to content; each widens the scale's divisor.",
             "内容到位置、位置到内容；每多一项，缩放的除数就增大。"},
            "pos_att_type"});
  t.choice("p2c", &P::p2c,
           {{"code", {"δ(i, j), the code", "δ(i, j)，代码"}}, {"paper", {"δ(j, i), the paper", "δ(j, i)，论文"}}},
           {{"p2c index", "p2c 索引"},
            {"Paper and released code disagree; for released weights only the code's form is right.",
             "论文与公开代码不一致；对公开权重只有代码的形式正确。"}})
      .when("position_terms", {"c2p_p2c", "p2c"});
  t.choice("far_end", &P::far_end,
           {{"microsoft", {"clamped first (Microsoft)", "先截断（Microsoft）"}},
            {"hugging_face", {"not clamped (Hugging Face)", "不截断（Hugging Face）"}}},
           {{"far end", "远端"},
            {"What the log bucket does with offsets beyond the largest.", "对数桶如何处理超出最大值的偏移。"}});
}

ParamTable<DebertaParams> debertaTable() {
  using P = DebertaParams;
  ParamTable<P> t;
  addRules(t);
  t.boolean("share_att_key", &P::share_att_key,
            {{"shared projections", "共享投影"},
             {"The content's W_Q and W_K also project the relative table (v2, v3), where the content has them.",
              "当内容带有 W_Q 和 W_K 时，也用它们投影相对位置表（v2、v3）。"}});
  t.array("table", &P::table,
          {{"relative table", "相对位置表"},
           {"Embeddings of the offsets, (2k, d_model).", "各偏移的向量，形状 (2k, d_model)。"},
           "rel_embeddings"});
  t.array("w_k", &P::w_k,
          {{"key projection", "键投影"},
           {"Makes K^r of the table, (heads·head_dim, d_model).", "由表得到 K^r，形状 (头数·head_dim, d_model)。"},
           "pos_proj"});
  t.array("w_q", &P::w_q,
          {{"query projection", "查询投影"},
           {"Makes Q^r of the table, (heads·head_dim, d_model).", "由表得到 Q^r，形状 (头数·head_dim, d_model)。"},
           "pos_q_proj"});
  t.array("k_r", &P::k_r,
          {{"K^r", "K^r"},
           {"Projected rows, (heads, 2k, head_dim), instead of table and projection.",
            "已投影的各行，形状 (头数, 2k, head_dim)，代替表与投影。"},
           "K_r"})
      .unset({"projected table", "由表投影"});
  t.array("q_r", &P::q_r,
          {{"Q^r", "Q^r"},
           {"Projected rows, (heads, 2k, head_dim), instead of table and projection.",
            "已投影的各行，形状 (头数, 2k, head_dim)，代替表与投影。"},
           "Q_r"})
      .unset({"projected table", "由表投影"});
  addSeed(t);
  return t;
}

/// How the rows of K^r or Q^r come about: given, or the table times a projection of the scheme or of the content.
template <class T>
class ProjectedRows {
 public:
  ProjectedRows(const DebertaParams& p, const Shape& shape, const Array& given, const Array& weight, const char* name)
      : rows_(2 * p.span()),
        width_(shape.head_dim),
        d_model_(shape.d_model),
        given_(given),
        table_(p.table),
        weight_(weight),
        from_content_(p.share_att_key && weight.empty()),
        table_drawing_{p.seed, "deberta/table", 1.0},
        weight_drawing_{p.seed, join("deberta/", name), 1.0 / std::sqrt(static_cast<double>(d_model_))} {}

  /// The rows of one head, [2k, head_dim]. What is drawn is drawn here: not every question needs every head.
  Table<T> ofHead(std::int64_t head, Rows<T> content_weight) const {
    const std::int64_t first = head * rows_ * width_;
    if (!given_.empty()) return {rows_, width_, weightsPart<T>(given_, first, rows_ * width_, table_drawing_)};
    const Table<T> table{rows_, d_model_, weightsOf<T>(table_, rows_ * d_model_, table_drawing_)};
    Table<T> own;
    if (!from_content_ || content_weight.empty()) {
      const std::int64_t size = width_ * d_model_;
      own = {width_, d_model_, weightsPart<T>(weight_, head * size, size, weight_drawing_)};
      content_weight = rowsOf(own);
    }
    Table<T> result = makeTable<T>(rows_, width_);
    attention::project<T>(rowsOf(table), content_weight, 0, width_, result.values, Job{});
    return result;
  }

 private:
  std::int64_t rows_, width_, d_model_;
  Array given_, table_, weight_;
  bool from_content_;
  Drawing table_drawing_, weight_drawing_;
};

template <class T>
struct DebertaWeights {
  DebertaParams params;
  ProjectedRows<T> keys, queries;
};

/// The terms of one head with the rows they look at.
template <class T>
struct HeadTerms {
  Table<T> k_r, q_r;
  std::optional<DebertaTermsOf<T>> terms;
};

template <class T>
std::shared_ptr<const HeadTerms<T>> termsOfHead(const DebertaWeights<T>& weights, const HeadContent<T>& head) {
  auto result = std::make_shared<HeadTerms<T>>();
  result->k_r = weights.keys.ofHead(head.head, head.w_k);
  result->q_r = weights.queries.ofHead(head.head, head.w_q);
  result->terms.emplace(weights.params, head.q, head.k, rowsOf(result->k_r), rowsOf(result->q_r),
                        head.shape->queryOffset());
  return result;
}

struct Deberta {
  Outcome check(const DebertaParams& p, const Shape& shape) const {
    if (p.position_buckets > 0)
      if (Outcome ok = checkLogBuckets("deberta", p.buckets()); !ok) return ok;
    const std::int64_t rows = 2 * p.span();
    const std::vector<std::int64_t> weight{shape.num_heads * shape.head_dim, shape.d_model};
    const std::vector<std::int64_t> projected{shape.num_heads, rows, shape.head_dim};
    if (Outcome ok = checkWeights("deberta", "table", p.table, {rows, shape.d_model}); !ok) return ok;
    if (Outcome ok = checkWeights("deberta", "w_k", p.w_k, weight); !ok) return ok;
    if (Outcome ok = checkWeights("deberta", "w_q", p.w_q, weight); !ok) return ok;
    if (Outcome ok = checkWeights("deberta", "k_r", p.k_r, projected); !ok) return ok;
    if (Outcome ok = checkWeights("deberta", "q_r", p.q_r, projected); !ok) return ok;
    const auto cells = static_cast<double>(rows + weight[0]) * static_cast<double>(shape.d_model);
    return checkMemory("deberta: table and projections", cells * 2 * sizeof(double));
  }

  template <class T>
  Encoding<T> encode(const DebertaParams& p, const Shape& shape) const {
    auto weights = std::make_shared<const DebertaWeights<T>>(DebertaWeights<T>{
        p, ProjectedRows<T>(p, shape, p.k_r, p.w_k, "w_k"), ProjectedRows<T>(p, shape, p.q_r, p.w_q, "w_q")});
    Encoding<T> encoding;
    encoding.logit_scale = 1.0 / std::sqrt(static_cast<double>(termCount(p) * shape.head_dim));
    const auto scale = static_cast<T>(encoding.logit_scale);
    encoding.logits.score.prepare = [weights, scale](const HeadContent<T>& head) {
      return typename OwnScore<T>::RowScore(
          [head = termsOfHead(*weights, head), scale](std::int64_t i, std::span<T> logits) {
            for (std::size_t j = 0; j < logits.size(); ++j) {
              const auto [c2c, c2p, p2c] = head->terms->at(i, static_cast<std::int64_t>(j));
              logits[j] = scale * (c2c + c2p + p2c);
            }
          });
    };
    encoding.logits.terms = {
        {{"c2c, q·k, content to content", "c2c，q·k，内容到内容"},
         {"c2p, content to position", "c2p，内容到位置"},
         {"p2c, position to content", "p2c，位置到内容"}},
        [weights, scale](const HeadContent<T>& head) {
          return typename ScoreTerms<T>::Fill(
              [head = termsOfHead(*weights, head), scale](std::size_t term, std::int64_t i, std::span<T> row) {
                for (std::size_t j = 0; j < row.size(); ++j)
                  row[j] = scale * head->terms->at(i, static_cast<std::int64_t>(j))[term];
              });
        }};
    encoding.logits.lookup = {2 * p.span(), [p, offset = shape.queryOffset()](std::int64_t i, std::int64_t j) {
                                return debertaIndex(p, i + offset - j);
                              }};
    return encoding;
  }

  SchemeCost cost(const DebertaParams& p, const Shape& shape) const {
    const std::int64_t width = shape.num_heads * shape.head_dim;
    const std::int64_t projections = p.share_att_key ? 0 : 2 * width * shape.d_model;
    return {.learned = 2 * p.span() * shape.d_model + projections, .per_pair = (termCount(p) - 1) * width};
  }

  std::string substitution(const DebertaParams& p, const Shape& shape) const {
    return join("k = ", p.span(), ", 1/√(", termCount(p), "·", shape.head_dim, ")");
  }

 private:
  static std::int64_t termCount(const DebertaParams& p) {
    return p.terms == DebertaTerms::both ? 3 : p.terms == DebertaTerms::none ? 1 : 2;
  }
};

}  // namespace

Scheme deberta() {
  return makeScheme({.id = "deberta",
                     .name = {"DeBERTa", "DeBERTa 解耦注意力"},
                     .family = Family::bias,
                     .year = 2020,
                     .reference = "He et al. 2020, arXiv:2006.03654; v3 arXiv:2111.09543",
                     .summary = {"Content and offset have vectors of their own; queries meet both, keys meet both.",
                                 "内容与相对位置各有向量，查询和键分别与两者相乘。"}},
                    debertaTable(), Deberta{});
}

}  // namespace posiscope::schemes
