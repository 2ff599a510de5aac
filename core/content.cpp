// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/content.h"

#include "core/parallel.h"
#include "core/random.h"

#include <cmath>
#include <mutex>
#include <string>
#include <vector>

namespace posiscope {
namespace {

ParamTable<ContentSpec> makeContentTable() {
  ParamTable<ContentSpec> t;
  t.choice("source", &ContentSpec::source,
           {{"ones", {"all ones", "全 1"}}, {"random", {"random", "随机"}}, {"arrays", {"arrays", "数组文件"}}},
           {{"content", "内容"}, {"Where queries, keys and embeddings come from.", "查询、键和词嵌入的来源。"}});
  t.integer("seed", &ContentSpec::seed, {0, 1e15, 0, 100, false},
            {{"seed", "随机种子"},
             {"The same seed gives the same numbers everywhere.", "相同的种子在任何地方都给出相同的数。"}});
  t.when("source", {"ones", "random"});
  t.real("word_std", &ContentSpec::word_std, {0, 1000, 0.001, 10, true},
         {{"embedding spread", "词嵌入标准差"},
          {"Standard deviation of the random embeddings x.", "随机词嵌入 x 的标准差。"}});
  t.when("source", {"random"});
  const auto array = [&](std::string key, Array ContentSpec::*member, Text label, Text help) {
    t.array(std::move(key), member, {std::move(label), std::move(help)}).when("source", {"arrays"});
  };
  array("q", &ContentSpec::q, {"queries", "查询"}, {"Queries [heads, L_q, head_dim].", "查询 [头, L_q, head_dim]。"});
  array("k", &ContentSpec::k, {"keys", "键"}, {"Keys [key heads, L_k, head_dim].", "键 [键头, L_k, head_dim]。"});
  array("v", &ContentSpec::v, {"values", "值"}, {"Values [key heads, L_k, width].", "值 [键头, L_k, 宽度]。"});
  array("x", &ContentSpec::x, {"embeddings", "词嵌入"}, {"Embeddings [L_k, d_model].", "词嵌入 [L_k, d_model]。"});
  array("w_q", &ContentSpec::w_q, {"query weights", "查询权重"},
        {"W_Q of shape (heads·head_dim, d_model).", "W_Q，形状 (头数·head_dim, d_model)。"});
  array("w_k", &ContentSpec::w_k, {"key weights", "键权重"},
        {"W_K of shape (key heads·head_dim, d_model).", "W_K，形状 (键头数·head_dim, d_model)。"});
  array("w_v", &ContentSpec::w_v, {"value weights", "值权重"},
        {"W_V of shape (key heads·width, d_model).", "W_V，形状 (键头数·宽度, d_model)。"});
  return t;
}

/// The arrays of one content stand beside each other: what they take together must stay below the limit.
template <class T>
class Room {
 public:
  Outcome take(std::string_view name, std::int64_t count) {
    names_ += join(names_.empty() ? "" : ", ", name);
    bytes_ += static_cast<double>(count) * sizeof(T);
    return checkMemory(join("content: ", names_), bytes_);
  }

 private:
  std::string names_;
  double bytes_ = 0;
};

constexpr std::int64_t any_size = -1;

/// The array's numbers, when its shape is the wanted one (−1 = any).
template <class T>
Expected<std::vector<T>> numbersOf(std::string_view name, const Array& array, std::vector<std::int64_t> wanted,
                                   Room<T>& room) {
  bool fits = array.shape.size() == wanted.size();
  for (std::size_t a = 0; fits && a < wanted.size(); ++a) fits = wanted[a] == any_size || wanted[a] == array.shape[a];
  if (!fits) {
    std::string text = shapeText(wanted);
    if (const auto at = text.find("-1"); at != std::string::npos) text.replace(at, 2, "…");
    return fail(ErrorCode::bad_shape,
                join("content: ", name, " must have shape ", text, ", got ", shapeText(array.shape)),
                join("内容：", name, " 的形状必须是 ", text, "，得到 ", shapeText(array.shape)));
  }
  if (Outcome ok = room.take(name, array.size()); !ok) return fail(ok.error());
  return std::vector<T>(array.values->begin(), array.values->end());
}

template <class T>
Outcome readInto(std::vector<T>& out, std::string_view name, const Array& array, std::vector<std::int64_t> wanted,
                 Room<T>& room) {
  if (array.empty()) return {};
  auto numbers = numbersOf<T>(name, array, std::move(wanted), room);
  if (!numbers) return fail(numbers.error());
  out = *std::move(numbers);
  return {};
}

template <class T>
Outcome readInto(Table<T>& out, std::string_view name, const Array& array, std::int64_t rows, std::int64_t cols,
                 Room<T>& room) {
  if (array.empty()) return {};
  if (Outcome ok = readInto(out.values, name, array, {rows, cols}, room); !ok) return ok;
  out.rows = array.shape[0];
  out.cols = array.shape[1];
  return {};
}

/// Normal numbers of the stream "content/NAME", the flat index being the example.
template <class T>
std::vector<T> drawnNow(std::int64_t seed, std::string_view name, std::int64_t count, double deviation) {
  const Stream stream(static_cast<std::uint64_t>(seed), join("content/", name));
  std::vector<T> values(static_cast<std::size_t>(count));
  parallelBlocks(count, 1 << 14, Job(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t e = begin; e < end; ++e)
      values[static_cast<std::size_t>(e)] = static_cast<T>(deviation * stream.normal(static_cast<std::uint64_t>(e)));
  });
  return values;
}

/// The numbers drawn lately. Drawing costs about as much as the attention on top of it (8 heads of 2048 tokens: 175
/// and 190 ms of processor time), and while a slider of a scheme moves, the content stays the same. The beginning of a
/// longer run is a shorter run, so a shorter sequence costs nothing either.
template <class T>
class RecentDraws {
 public:
  std::vector<T> get(std::int64_t seed, std::string_view name, std::int64_t count, double deviation) {
    if (count > largest_kept) return drawnNow<T>(seed, name, count, deviation);
    {
      const std::lock_guard lock(mutex_);
      for (const Run& run : runs_)
        if (run.seed == seed && run.name == name && run.deviation == deviation &&
            static_cast<std::int64_t>(run.values.size()) >= count)
          return {run.values.begin(), run.values.begin() + count};
    }
    std::vector<T> values = drawnNow<T>(seed, name, count, deviation);
    const std::lock_guard lock(mutex_);
    std::erase_if(runs_, [&](const Run& run) { return run.name == name && run.deviation == deviation; });
    runs_.push_back({seed, std::string(name), deviation, values});
    if (runs_.size() > most_runs) runs_.erase(runs_.begin());
    return values;
  }

 private:
  static constexpr std::int64_t largest_kept = 1 << 22;
  static constexpr std::size_t most_runs = 7;  // q, k, v, x and three projections

  struct Run {
    std::int64_t seed;
    std::string name;
    double deviation;
    std::vector<T> values;
  };
  std::mutex mutex_;
  std::vector<Run> runs_;
};

template <class T>
Expected<std::vector<T>> drawn(const ContentSpec& spec, std::string_view name, std::int64_t count, double deviation,
                               Room<T>& room) {
  if (Outcome ok = room.take(name, count); !ok) return fail(ok.error());
  static RecentDraws<T> recent;
  return recent.get(spec.seed, name, count, deviation);
}

template <class T>
Outcome drawInto(std::vector<T>& out, const ContentSpec& spec, std::string_view name, std::int64_t count,
                 Room<T>& room) {
  if (spec.source == ContentSource::ones) {
    if (Outcome ok = room.take(name, count); !ok) return ok;
    out.assign(static_cast<std::size_t>(count), T(1));
    return {};
  }
  auto values = drawn<T>(spec, name, count, 1.0, room);
  if (!values) return fail(values.error());
  out = *std::move(values);
  return {};
}

template <class T>
Expected<Content<T>> contentOfArrays(const ContentSpec& spec, const Shape& s, bool need_embeddings) {
  if (need_embeddings && spec.x.empty())
    return fail(ErrorCode::bad_shape,
                "content: this encoding changes the embeddings, so the arrays must give x (and w_q, w_k), got only q "
                "and k",
                "内容：该编码作用于词嵌入，因此数组必须给出 x（以及 w_q、w_k），但只有 q 和 k");
  if (spec.x.empty() && (spec.q.empty() || spec.k.empty()))
    return fail(ErrorCode::bad_shape,
                join("content: the arrays must give q and k, or x; got ",
                     spec.q.empty() ? (spec.k.empty() ? "none of them" : "only k") : "only q"),
                join("内容：数组必须给出 q 和 k，或者 x；",
                     spec.q.empty() ? (spec.k.empty() ? "两者都没有" : "只得到 k") : "只得到 q"));
  Content<T> c;
  Room<T> room;
  const std::int64_t d = s.head_dim;
  // Given queries and keys count also beside x, which gates may read. Only where position enters at the embeddings does
  // attention make its own, from x and the weights.
  const bool given = !spec.q.empty() && !spec.k.empty();
  if (given) {
    if (Outcome ok = readInto(c.q, "q", spec.q, {s.num_heads, s.queries(), d}, room); !ok) return fail(ok.error());
    if (Outcome ok = readInto(c.k, "k", spec.k, {s.kvHeads(), s.keys(), d}, room); !ok) return fail(ok.error());
  }
  if (!given || need_embeddings) {
    if (Outcome ok = readInto(c.w_q, "w_q", spec.w_q, s.num_heads * d, s.d_model, room); !ok) return fail(ok.error());
    if (Outcome ok = readInto(c.w_k, "w_k", spec.w_k, s.kvHeads() * d, s.d_model, room); !ok) return fail(ok.error());
  }
  if (Outcome ok = readInto(c.x, "x", spec.x, s.keys(), s.d_model, room); !ok) return fail(ok.error());
  if (Outcome ok = readInto(c.w_v, "w_v", spec.w_v, any_size, s.d_model, room); !ok) return fail(ok.error());
  if (Outcome ok = readInto(c.v, "v", spec.v, {s.kvHeads(), s.keys(), any_size}, room); !ok) return fail(ok.error());
  if (!c.v.empty()) c.value_dim = spec.v.shape[2];
  return c;
}

template <class T>
Expected<Table<T>> embeddingsOf(const ContentSpec& spec, const Shape& shape, Room<T>& room) {
  Table<T> x{shape.keys(), shape.d_model, {}};
  if (spec.source == ContentSource::arrays) {
    if (spec.x.empty())
      return fail(ErrorCode::bad_shape, "content: the embeddings are wanted, but the arrays do not give x",
                  "内容：需要词嵌入，但数组中没有 x");
    if (Outcome ok = readInto(x, "x", spec.x, shape.keys(), shape.d_model, room); !ok) return fail(ok.error());
    return x;
  }
  const std::int64_t count = shape.keys() * shape.d_model;
  if (spec.source == ContentSource::ones) {
    if (Outcome ok = drawInto(x.values, spec, "x", count, room); !ok) return fail(ok.error());
    return x;
  }
  auto values = drawn<T>(spec, "x", count, spec.word_std, room);
  if (!values) return fail(values.error());
  x.values = *std::move(values);
  return x;
}

}  // namespace

const ParamTable<ContentSpec>& contentTable() {
  static const ParamTable<ContentSpec> table = makeContentTable();
  return table;
}

template <class T>
Expected<Table<T>> makeEmbeddings(const ContentSpec& spec, const Shape& shape) {
  Room<T> room;
  return embeddingsOf<T>(spec, shape, room);
}

template <class T>
Expected<Content<T>> makeContent(const ContentSpec& spec, const Shape& s, bool need_embeddings) {
  if (Outcome ok = checkShape(s); !ok) return fail(ok.error());
  if (spec.source == ContentSource::arrays) return contentOfArrays<T>(spec, s, need_embeddings);
  Content<T> c;
  Room<T> room;
  if (!need_embeddings) {
    const std::int64_t keys = s.kvHeads() * s.keys() * s.head_dim;
    c.value_dim = s.head_dim;
    if (Outcome ok = drawInto(c.q, spec, "q", s.num_heads * s.queries() * s.head_dim, room); !ok)
      return fail(ok.error());
    if (Outcome ok = drawInto(c.k, spec, "k", keys, room); !ok) return fail(ok.error());
    if (Outcome ok = drawInto(c.v, spec, "v", keys, room); !ok) return fail(ok.error());
    return c;
  }
  auto x = embeddingsOf<T>(spec, s, room);
  if (!x) return fail(x.error());
  c.x = *std::move(x);
  // Also for `ones`: equal tokens through random projections, so that every difference comes from position.
  const double deviation = 1.0 / std::sqrt(static_cast<double>(s.d_model));
  const auto weight = [&](Table<T>& out, std::string_view name, std::int64_t heads) -> Outcome {
    auto values = drawn<T>(spec, name, heads * s.head_dim * s.d_model, deviation, room);
    if (!values) return fail(values.error());
    out = {heads * s.head_dim, s.d_model, *std::move(values)};
    return {};
  };
  if (Outcome ok = weight(c.w_q, "w_q", s.num_heads); !ok) return fail(ok.error());
  if (Outcome ok = weight(c.w_k, "w_k", s.kvHeads()); !ok) return fail(ok.error());
  if (Outcome ok = weight(c.w_v, "w_v", s.kvHeads()); !ok) return fail(ok.error());
  return c;
}

template Expected<Table<float>> makeEmbeddings(const ContentSpec&, const Shape&);
template Expected<Table<double>> makeEmbeddings(const ContentSpec&, const Shape&);
template Expected<Content<float>> makeContent(const ContentSpec&, const Shape&, bool);
template Expected<Content<double>> makeContent(const ContentSpec&, const Shape&, bool);

}  // namespace posiscope
