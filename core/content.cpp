// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/content.h"

#include "core/content_shape.h"
#include "core/drawn_part.h"
#include "core/missing_file.h"
#include "core/model_content.h"
#include "core/parallel.h"
#include "core/random.h"
#include "core/token_text.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace posiscope {
namespace {

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

/// The array's numbers, when its shape is the wanted one.
template <class T>
Outcome readInto(std::vector<T>& out, std::string_view name, const Array& array, const Shape& shape, Room<T>& room) {
  if (array.empty()) return {};
  if (Outcome ok = checkContentShape(name, array.shape, shape); !ok) return ok;
  if (Outcome ok = room.take(name, array.size()); !ok) return ok;
  out.assign(array.values->begin(), array.values->end());
  return {};
}

template <class T>
Outcome readInto(Table<T>& out, std::string_view name, const Array& array, const Shape& shape, Room<T>& room) {
  if (array.empty()) return {};
  if (Outcome ok = readInto(out.values, name, array, shape, room); !ok) return ok;
  out.rows = array.shape[0];
  out.cols = array.shape[1];
  return {};
}

/// Normal numbers of the stream "content/NAME" for an array of parts of `count` numbers, each from its own number
/// `first` on.
template <class T>
void drawParts(std::span<T> out, std::int64_t count, std::int64_t seed, std::string_view name, std::int64_t first,
               double deviation) {
  const Stream stream(static_cast<std::uint64_t>(seed), join("content/", name));
  parallelBlocks(static_cast<std::int64_t>(out.size()), 1 << 14, Job(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t at = begin, numbers = 0; at < end; at += numbers) {
      const std::int64_t part = at / count, skipped = at - part * count;
      numbers = std::min(end - at, count - skipped);
      const auto example = static_cast<std::uint64_t>(firstOfPart(part) + first + skipped);
      const std::span<T> to = out.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(numbers));
      if constexpr (std::is_same_v<T, float>)
        stream.normals(example, static_cast<float>(deviation), to);
      else
        for (std::size_t e = 0; e < to.size(); ++e) to[e] = static_cast<T>(deviation * stream.normal(example + e));
    }
  });
}

/// An array of `parts`, each of `count` numbers.
struct Parts {
  std::int64_t parts = 1;
  std::int64_t count = 0;

  std::int64_t size() const { return parts * count; }
};

template <class T>
std::vector<T> drawnNow(std::int64_t seed, std::string_view name, const Parts& wanted, double deviation) {
  std::vector<T> values(static_cast<std::size_t>(wanted.size()));
  drawParts<T>(values, wanted.count, seed, name, 0, deviation);
  return values;
}

/// The numbers drawn lately. Drawing costs about as much as the attention on top of it (8 heads of 2048 tokens: 175
/// and 190 ms of processor time), and while a slider of a scheme moves, the content stays the same. The beginning of
/// longer parts is that of shorter ones, so a shorter sequence costs nothing either.
template <class T>
class RecentDraws {
 public:
  std::vector<T> get(std::int64_t seed, std::string_view name, const Parts& wanted, double deviation) {
    if (wanted.size() > largest_kept) return drawnNow<T>(seed, name, wanted, deviation);
    {
      const std::lock_guard lock(mutex_);
      for (const Run& run : runs_)
        if (run.seed == seed && run.name == name && run.deviation == deviation && run.drawn.parts >= wanted.parts &&
            run.drawn.count >= wanted.count)
          return startOf(run, wanted);
    }
    std::vector<T> values = drawnNow<T>(seed, name, wanted, deviation);
    const std::lock_guard lock(mutex_);
    std::erase_if(runs_, [&](const Run& run) { return run.name == name && run.deviation == deviation; });
    runs_.push_back({seed, std::string(name), deviation, wanted, values});
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
    Parts drawn;
    std::vector<T> values;
  };

  static std::vector<T> startOf(const Run& run, const Parts& wanted) {
    std::vector<T> values;
    values.reserve(static_cast<std::size_t>(wanted.size()));
    for (std::int64_t part = 0; part < wanted.parts; ++part) {
      const auto first = run.values.begin() + part * run.drawn.count;
      values.insert(values.end(), first, first + wanted.count);
    }
    return values;
  }

  std::mutex mutex_;
  std::vector<Run> runs_;
};

template <class T>
Expected<std::vector<T>> drawn(const ContentSpec& spec, std::string_view name, const Parts& wanted, double deviation,
                               Room<T>& room) {
  if (Outcome ok = room.take(name, wanted.size()); !ok) return fail(ok.error());
  static RecentDraws<T> recent;
  return recent.get(spec.seed, name, wanted, deviation);
}

/// The tokens of one array of the content: [parts, tokens, width], the last `places` of them.
struct TokenRows {
  std::int64_t parts = 1;  ///< heads
  std::int64_t tokens = 0;
  std::int64_t places = 0;
  std::int64_t width = 0;

  std::int64_t count() const { return parts * places * width; }
};

/// The sentence said again and again: each different token has numbers of its own, wherever it stands.
template <class T>
Expected<std::vector<T>> sentenceRows(const ContentSpec& spec, std::string_view name, const TokenRows& rows,
                                      double deviation, Room<T>& room) {
  const std::vector<std::string> words = splitTokens(spec.text);
  if (words.empty())
    return fail(ErrorCode::bad_value, "content: the sentence has no tokens, it must have at least one",
                "内容：句子中没有词元，至少要有一个");
  if (Outcome ok = room.take(name, rows.count()); !ok) return fail(ok.error());
  std::vector<T> values(static_cast<std::size_t>(rows.count()));
  const auto count = static_cast<std::int64_t>(words.size());
  parallelBlocks(rows.places, 16, Job(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t place = begin; place < end; ++place) {
      const std::string& word = words[static_cast<std::size_t>((rows.tokens - rows.places + place) % count)];
      const Stream stream(static_cast<std::uint64_t>(spec.seed), join("content/", name, "/", word));
      for (std::int64_t part = 0; part < rows.parts; ++part)
        for (std::int64_t c = 0; c < rows.width; ++c)
          values[static_cast<std::size_t>((part * rows.places + place) * rows.width + c)] =
              static_cast<T>(deviation * stream.normal(static_cast<std::uint64_t>(part * rows.width + c)));
    }
  });
  return values;
}

/// The last tokens of each part, as they are when all are asked for: a query with cached keys is the same query.
template <class T>
Expected<std::vector<T>> drawLast(const ContentSpec& spec, std::string_view name, const TokenRows& rows,
                                  double deviation, Room<T>& room) {
  if (Outcome ok = room.take(name, rows.count()); !ok) return fail(ok.error());
  std::vector<T> values(static_cast<std::size_t>(rows.count()));
  drawParts<T>(values, rows.places * rows.width, spec.seed, name, (rows.tokens - rows.places) * rows.width, deviation);
  return values;
}

/// The tokens in the order of the content. Where they are shuffled or come again, all are drawn even where only the
/// last ask, as a query is that of its token.
template <class T>
Expected<std::vector<T>> drawTokens(const ContentSpec& spec, std::string_view name, const TokenRows& rows,
                                    double deviation, Room<T>& room) {
  if (spec.source == ContentSource::tokens) return sentenceRows<T>(spec, name, rows, deviation, room);
  if (spec.token_order == TokenOrder::plain)
    return rows.places == rows.tokens ? drawn<T>(spec, name, {rows.parts, rows.places * rows.width}, deviation, room)
                                      : drawLast<T>(spec, name, rows, deviation, room);
  const auto drawn_tokens = drawn<T>(spec, name, {rows.parts, rows.tokens * rows.width}, deviation, room);
  if (!drawn_tokens) return drawn_tokens;
  const TokensInOrder order(spec.token_order, rows.tokens, spec.repeat_after, spec.seed);
  std::vector<T> values;
  values.reserve(static_cast<std::size_t>(rows.count()));
  for (std::int64_t part = 0; part < rows.parts; ++part)
    for (std::int64_t place = rows.tokens - rows.places; place < rows.tokens; ++place) {
      const auto first = drawn_tokens->begin() + (part * rows.tokens + order.at(place)) * rows.width;
      values.insert(values.end(), first, first + rows.width);
    }
  return values;
}

template <class T>
Outcome drawInto(std::vector<T>& out, const ContentSpec& spec, std::string_view name, const TokenRows& rows,
                 Room<T>& room) {
  if (spec.source == ContentSource::ones) {
    if (Outcome ok = room.take(name, rows.count()); !ok) return ok;
    out.assign(static_cast<std::size_t>(rows.count()), T(1));
    return {};
  }
  auto values = drawTokens<T>(spec, name, rows, 1.0, room);
  if (!values) return fail(values.error());
  out = *std::move(values);
  return {};
}

/// Where one array is waited for, what the others give would be other numbers than those of the session.
Outcome checkFiles(const ContentSpec& spec) {
  const std::vector<ParamSpec>& specs = contentTable().specs();
  const ParamValues values = contentTable().values(spec);
  for (const auto& [key, value] : values) {
    if (!isRelevant(*findParam(specs, key), specs, values)) continue;
    if (Outcome found = checkFound({"content", "内容"}, key, value); !found) return found;
  }
  return {};
}

template <class T>
Expected<Content<T>> contentOfArrays(const ContentSpec& spec, const Shape& s, bool need_embeddings) {
  if (Outcome found = checkFiles(spec); !found) return fail(found.error());
  if (need_embeddings && spec.x.empty())
    return fail(ErrorCode::bad_shape,
                "content: this encoding changes the embeddings, so the arrays must give x (and w_q, w_k), got none",
                "内容：该编码作用于词嵌入，因此数组必须给出 x（以及 w_q、w_k），但没有 x");
  if (spec.x.empty() && (spec.q.empty() || spec.k.empty()))
    return fail(ErrorCode::bad_shape,
                join("content: the arrays must give q and k, or x; got ",
                     spec.q.empty() ? (spec.k.empty() ? "none of them" : "only k") : "only q"),
                join("内容：数组必须给出 q 和 k，或者 x；",
                     spec.q.empty() ? (spec.k.empty() ? "两者都没有" : "只得到 k") : "只得到 q"));
  Content<T> c;
  Room<T> room;
  // Given queries and keys count also beside x, which gates may read. Only where position enters at the embeddings does
  // attention make its own, from x and the weights.
  const bool given = !spec.q.empty() && !spec.k.empty();
  if (given) {
    if (Outcome ok = readInto(c.q, "q", spec.q, s, room); !ok) return fail(ok.error());
    if (Outcome ok = readInto(c.k, "k", spec.k, s, room); !ok) return fail(ok.error());
  }
  if (!given || need_embeddings) {
    if (Outcome ok = readInto(c.w_q, "w_q", spec.w_q, s, room); !ok) return fail(ok.error());
    if (Outcome ok = readInto(c.w_k, "w_k", spec.w_k, s, room); !ok) return fail(ok.error());
  }
  if (Outcome ok = readInto(c.x, "x", spec.x, s, room); !ok) return fail(ok.error());
  if (Outcome ok = readInto(c.w_v, "w_v", spec.w_v, s, room); !ok) return fail(ok.error());
  if (Outcome ok = readInto(c.v, "v", spec.v, s, room); !ok) return fail(ok.error());
  if (!c.v.empty()) c.value_dim = spec.v.shape[2];
  return c;
}

template <class T>
Expected<Table<T>> embeddingsOf(const ContentSpec& spec, const Shape& shape, Room<T>& room) {
  if (spec.source == ContentSource::attention) return onlyAttentionGiven();
  Table<T> x{shape.keys(), shape.d_model, {}};
  if (spec.source == ContentSource::arrays) {
    if (Outcome found = checkFiles(spec); !found) return fail(found.error());
    if (spec.x.empty())
      return fail(ErrorCode::bad_shape, "content: the embeddings are wanted, but the arrays do not give x",
                  "内容：需要词嵌入，但数组中没有 x");
    if (Outcome ok = readInto(x, "x", spec.x, shape, room); !ok) return fail(ok.error());
    return x;
  }
  if (spec.source == ContentSource::model) {
    const Expected<Table<float>> words = modelEmbeddings(spec, shape);
    if (!words) return fail(words.error());
    x.values.assign(words->values.begin(), words->values.end());
    return x;
  }
  const TokenRows rows{1, shape.keys(), shape.keys(), shape.d_model};
  if (spec.source == ContentSource::ones) {
    if (Outcome ok = drawInto(x.values, spec, "x", rows, room); !ok) return fail(ok.error());
    return x;
  }
  auto values = drawTokens<T>(spec, "x", rows, spec.word_std, room);
  if (!values) return fail(values.error());
  x.values = *std::move(values);
  return x;
}

}  // namespace

tl::unexpected<Error> onlyAttentionGiven() {
  return fail(ErrorCode::not_supported,
              "content: an attention array has no queries, keys or embeddings, which are needed here; choose another "
              "content",
              "内容：注意力数组中没有查询、键或词嵌入，而此处需要它们；请选择其他内容");
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
  if (spec.source == ContentSource::attention) return onlyAttentionGiven();
  if (spec.source == ContentSource::model)
    return fail(ErrorCode::not_supported,
                "content: queries and keys of a model depend on its layers and its scheme; only a run of it gives them",
                "内容：模型的查询和键取决于各层及其方案，只有运行模型才能得到");
  Content<T> c;
  Room<T> room;
  if (!need_embeddings) {
    const TokenRows keys{s.kvHeads(), s.keys(), s.keys(), s.head_dim};
    const TokenRows queries{s.num_heads, s.keys(), s.queries(), s.head_dim};
    c.value_dim = s.head_dim;
    if (Outcome ok = drawInto(c.q, spec, "q", queries, room); !ok) return fail(ok.error());
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
    auto values = drawn<T>(spec, name, {1, heads * s.head_dim * s.d_model}, deviation, room);
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
