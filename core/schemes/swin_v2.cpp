// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/swin_v2.h"

#include "core/dot.h"
#include "core/grid_offsets.h"
#include "core/lazy.h"
#include "core/parallel.h"
#include "core/schemes/learned_weights.h"
#include "core/screen_number.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace posiscope::schemes {
namespace {

/// A uniform start of PyTorch's linear layers has about this spread.
double linearDeviation(std::int64_t inputs) { return 1.0 / std::sqrt(static_cast<double>(inputs)); }

}  // namespace

double swinV2Coordinate(std::int64_t delta, std::int64_t side) {
  if (side <= 1 || delta == 0) return 0;
  const double t = 8.0 * static_cast<double>(delta) / static_cast<double>(side - 1);
  return std::copysign(std::log2(1.0 + std::abs(t)) / 3.0, t);
}

std::vector<double> swinV2Coordinates(const SwinV2Params& params, std::int64_t height, std::int64_t width) {
  const std::int64_t tall = params.pretrained_height > 0 ? params.pretrained_height : height;
  const std::int64_t wide = params.pretrained_width > 0 ? params.pretrained_width : width;
  std::vector<double> coordinates;
  for (std::int64_t dy = 1 - height; dy < height; ++dy)
    for (std::int64_t dx = 1 - width; dx < width; ++dx) {
      coordinates.push_back(swinV2Coordinate(dy, tall));
      coordinates.push_back(swinV2Coordinate(dx, wide));
    }
  return coordinates;
}

template <class T>
Table<T> swinV2OffsetBias(const SwinV2Params& p, const Shape& shape) {
  // A few hundred offsets: in double for both scalars.
  const auto w1 = weightsOf<double>(p.w1, 2 * p.hidden, {p.seed, "swin_v2/w1", linearDeviation(2)});
  const auto b1 = weightsOf<double>(p.b1, p.hidden, 0.0);
  const auto w2 =
      weightsOf<double>(p.w2, shape.num_heads * p.hidden, {p.seed, "swin_v2/w2", linearDeviation(p.hidden)});
  const Grid grid = gridOf("swin_v2", shape).value();  // checked before
  const std::vector<double> coordinates = swinV2Coordinates(p, grid.height, grid.width);
  const auto hidden_size = static_cast<std::size_t>(p.hidden);
  Table<T> bias = makeTable<T>(static_cast<std::int64_t>(coordinates.size() / 2), shape.num_heads);
  parallelBlocks(bias.rows, 64, Job{}, [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> hidden(hidden_size);
    for (std::int64_t offset = begin; offset < end; ++offset) {
      const double* c = coordinates.data() + 2 * offset;
      for (std::size_t u = 0; u < hidden_size; ++u)
        hidden[u] = std::max(0.0, w1[2 * u] * c[0] + w1[2 * u + 1] * c[1] + b1[u]);
      for (std::int64_t h = 0; h < shape.num_heads; ++h) {
        const std::span<const double> row(w2.data() + h * p.hidden, hidden_size);
        const double z = dot<double>(row, hidden);
        bias.row(offset)[static_cast<std::size_t>(h)] = static_cast<T>(16.0 / (1.0 + std::exp(-z)));
      }
    }
  });
  return bias;
}

template <class T>
std::vector<T> swinV2Bias(const SwinV2Params& params, const Shape& shape) {
  const Table<T> offsets = swinV2OffsetBias<T>(params, shape);
  const Grid grid = gridOf("swin_v2", shape).value();
  std::vector<T> bias;
  for (std::int64_t h = 0; h < shape.num_heads; ++h)
    for (std::int64_t i = 0; i < shape.keys(); ++i)
      for (std::int64_t j = 0; j < shape.keys(); ++j)
        bias.push_back(offsets.row(offsetRow(grid, i, j))[static_cast<std::size_t>(h)]);
  return bias;
}

template Table<float> swinV2OffsetBias(const SwinV2Params&, const Shape&);
template Table<double> swinV2OffsetBias(const SwinV2Params&, const Shape&);
template std::vector<float> swinV2Bias(const SwinV2Params&, const Shape&);
template std::vector<double> swinV2Bias(const SwinV2Params&, const Shape&);

namespace {

ParamTable<SwinV2Params> swinV2Table() {
  using P = SwinV2Params;
  ParamTable<P> t;
  t.integer(
       "pretrained_height", &P::pretrained_height, {0, 4096, 0, 64, false},
       {{"pretrained height", "预训练窗口高度"},
        {"Window height the model was trained with; 0 means the grid's.", "模型训练时的窗口高度；0 表示与网格相同。"},
        "",
        "patches"})
      .unset({"the grid's", "与网格同"});
  t.integer(
       "pretrained_width", &P::pretrained_width, {0, 4096, 0, 64, false},
       {{"pretrained width", "预训练窗口宽度"},
        {"Window width the model was trained with; 0 means the grid's.", "模型训练时的窗口宽度；0 表示与网格相同。"},
        "",
        "patches"})
      .unset({"the grid's", "与网格同"});
  t.integer("hidden", &P::hidden, {1, 1 << 16, 1, 1024, true},
            {{"hidden width", "隐藏层宽度"}, {"Width of the bias network.", "偏置网络的宽度。"}});
  t.array("w1", &P::w1,
          {{"first weights", "第一层权重"}, {"W1 of shape (hidden, 2).", "W1，形状 (hidden, 2)。"}, "W1"});
  t.array("b1", &P::b1, {{"first bias", "第一层偏置"}, {"b1 of shape (hidden,).", "b1，形状 (hidden,)。"}})
      .unset({"0", "0"});
  t.array("w2", &P::w2,
          {{"second weights", "第二层权重"}, {"W2 of shape (heads, hidden).", "W2，形状 (头数, hidden)。"}, "W2"});
  t.array("logit_scale", &P::logit_scale,
          {{"log scale", "对数缩放"},
           {"Logarithm of each head's scale, limited to ln 100.", "各头缩放系数的对数，上限为 ln 100。"}})
      .unset({"ln 10", "ln 10"});
  addSeed(t);
  return t;
}

/// 1/‖row‖ for every row; the 1e-12 of PyTorch's normalize keeps a zero vector at zero.
template <class T>
std::vector<T> inverseNorms(Rows<T> rows) {
  std::vector<T> norms;
  for (std::int64_t r = 0; r < rows.rows; ++r)
    norms.push_back(T(1) / std::max(std::sqrt(dot(rows.row(r), rows.row(r))), static_cast<T>(1e-12)));
  return norms;
}

template <class T>
typename OwnScore<T>::RowScore cosineScore(const HeadContent<T>& head, T scale) {
  return [q = head.q, k = head.k, scale, q_norms = inverseNorms(head.q), k_norms = inverseNorms(head.k)](
             std::int64_t i, std::span<T> logits) {
    const T factor = scale * q_norms[static_cast<std::size_t>(i)];
    for (std::size_t j = 0; j < logits.size(); ++j)
      logits[j] = factor * k_norms[j] * dot(q.row(i), k.row(static_cast<std::int64_t>(j)));
  };
}

struct SwinV2 {
  Outcome check(const SwinV2Params& p, const Shape& s) const {
    const Expected<Grid> grid = gridOf("swin_v2", s);
    if (!grid) return fail(grid.error());
    if (s.queries() != s.keys())
      return fail(ErrorCode::bad_shape,
                  join("swin_v2: every patch is a query, seq_len_q must be seq_len ", s.keys(), ", got ", s.queries()),
                  join("swin_v2：每个图块都是查询，seq_len_q 必须等于 seq_len ", s.keys(), "，得到 ", s.queries()));
    if (Outcome ok = checkWeights("swin_v2", "w1", p.w1, {p.hidden, 2}); !ok) return ok;
    if (Outcome ok = checkWeights("swin_v2", "b1", p.b1, {p.hidden}); !ok) return ok;
    if (Outcome ok = checkWeights("swin_v2", "w2", p.w2, {s.num_heads, p.hidden}); !ok) return ok;
    if (Outcome ok = checkWeights("swin_v2", "logit_scale", p.logit_scale, {s.num_heads}); !ok) return ok;
    return checkMemory("swin_v2: the bias",
                       static_cast<double>(offsetRows(*grid)) * static_cast<double>(s.num_heads + 2) * sizeof(double));
  }

  template <class T>
  Encoding<T> encode(const SwinV2Params& p, const Shape& shape) const {
    Encoding<T> encoding;
    encoding.logit_scale = 1.0;    // the cosine has a scale of its own for each head
    encoding.offset_only = false;  // of the two-dimensional offset, not of i − j
    auto logarithms = weightsOf<double>(p.logit_scale, shape.num_heads, std::log(10.0));
    encoding.logits.score.prepare = [logarithms](const HeadContent<T>& head) {
      const double logarithm = logarithms[static_cast<std::size_t>(head.head)];
      return cosineScore(head, static_cast<T>(std::exp(std::min(logarithm, std::log(100.0)))));
    };
    // The cosine knows no position: all of that is in the bias.
    encoding.logits.terms = {
        {{"cosine, content", "余弦，内容"}}, [score = encoding.logits.score.prepare](const HeadContent<T>& head) {
          return typename ScoreTerms<T>::Fill(
              [row_score = score(head)](std::size_t, std::int64_t i, std::span<T> row) { row_score(i, row); });
        }};
    const auto offsets = std::make_shared<const Lazy<Table<T>>>([p, shape] { return swinV2OffsetBias<T>(p, shape); });
    const Grid grid = gridOf("swin_v2", shape).value();
    encoding.logits.bias = PairBias<T>{[offsets, grid](std::int64_t head, std::int64_t i, std::span<T> row) {
      const Table<T>& table = offsets->get();
      for (std::size_t j = 0; j < row.size(); ++j)
        row[j] = table.row(offsetRow(grid, i, static_cast<std::int64_t>(j)))[static_cast<std::size_t>(head)];
    }};
    std::get<PairBias<T>>(encoding.logits.bias).term = [grid](std::int64_t head, std::int64_t i, std::int64_t j) {
      return join("16 · σ(MLP", subscript(head), "(Δy ", screenNumber(static_cast<double>(grid.row(i) - grid.row(j))),
                  ", Δx ", screenNumber(static_cast<double>(grid.column(i) - grid.column(j))), "))");
    };
    encoding.logits.patch_bias = patchBias<T>(p, shape, grid);
    return encoding;
  }

  SchemeCost cost(const SwinV2Params& p, const Shape& s) const {
    // The norms of queries and keys, and one division for each pair.
    return {.learned = 3 * p.hidden + s.num_heads * (p.hidden + 1),
            .per_token = s.head_dim * (s.num_heads + s.kvHeads()),
            .per_pair = s.num_heads};
  }

  std::string substitution(const SwinV2Params& p, const Shape& s) const {
    const Expected<Grid> grid = gridOf("swin_v2", s);
    if (!grid) return {};
    return join(grid->height, " × ", grid->width, ", MLP 2–", p.hidden, "–", s.num_heads);
  }

 private:
  template <class T>
  static PatchBias<T> patchBias(SwinV2Params p, const Shape& shape, const Grid& present) {
    if (p.pretrained_height == 0) p.pretrained_height = present.height;
    if (p.pretrained_width == 0) p.pretrained_width = present.width;
    const Text rule{"Another window asks the network at other offsets.", "其他窗口在其他偏移处询问网络。"};
    return {{p.pretrained_height, p.pretrained_width}, present, rule, [p, shape](const Grid& grid) {
              Shape asked = shape;
              asked.seq_len = grid.patches();
              asked.grid_height = grid.height;
              asked.grid_width = grid.width;
              return OffsetPicture<T>{2 * grid.height - 1, 2 * grid.width - 1, 1 - grid.height, 1 - grid.width,
                                      swinV2OffsetBias<T>(p, asked)};
            }};
  }
};

}  // namespace

Scheme swinV2() {
  return makeScheme({.id = "swin_v2",
                     .name = {"Swin V2 bias", "Swin V2 连续偏置"},
                     .family = Family::bias,
                     .year = 2022,
                     .reference = "Liu et al. 2022, arXiv:2111.09883",
                     .summary = {"Cosine attention plus a bias that a small network computes from the log-spaced "
                                 "offset of two patches.",
                                 "余弦注意力，加上由小型网络根据两图块对数间隔偏移计算的偏置。"}},
                    swinV2Table(), SwinV2{});
}

}  // namespace posiscope::schemes
