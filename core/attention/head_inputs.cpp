// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/head_inputs.h"

#include "core/attention/projection.h"
#include "core/attention/rotation.h"
#include "core/parallel.h"
#include "core/steps.h"
#include "core/stored_bytes.h"
#include "core/xpos.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace posiscope::attention {
namespace {

constexpr std::int64_t block_tokens = 64;

template <class T>
bool hasInput(const InputPart<T>& input) {
  return input.transform || input.hasTable();
}

tl::unexpected<Error> sizeError(std::string_view name, std::int64_t found, std::int64_t wanted) {
  return fail(ErrorCode::bad_shape, join("attention: ", name, " must have ", wanted, " numbers, got ", found),
              join("注意力：", name, " 必须有 ", wanted, " 个数，得到 ", found));
}

Outcome checkSize(std::string_view name, std::size_t found, std::int64_t wanted) {
  if (static_cast<std::int64_t>(found) == wanted) return {};
  return sizeError(name, static_cast<std::int64_t>(found), wanted);
}

/// W must map d_model to heads·width; without W the columns of x are the heads.
template <class T>
Outcome checkWeight(std::string_view name, const Table<T>& weight, std::int64_t out, std::int64_t in) {
  if (weight.empty() ? out == in : weight.rows == out && weight.cols == in) return {};
  if (weight.empty())
    return fail(ErrorCode::bad_shape,
                join("attention: without ", name, " d_model must be heads × head_dim = ", out, ", got ", in),
                join("注意力：没有 ", name, " 时 d_model 必须等于头数 × head_dim = ", out, "，得到 ", in));
  return fail(
      ErrorCode::bad_shape,
      join("attention: ", name, " must have shape ", shapeText({out, in}), ", got ",
           shapeText({weight.rows, weight.cols})),
      join("注意力：", name, " 的形状必须是 ", shapeText({out, in}), "，得到 ", shapeText({weight.rows, weight.cols})));
}

/// A run of rows that several heads may share: which head of the content, and which set turns it.
struct Slot {
  std::int64_t source;
  std::int64_t set;
  bool operator==(const Slot&) const = default;
};

/// Distinct slots of the heads, and for each head the index of its slot.
struct Slots {
  std::vector<Slot> distinct;
  std::vector<std::size_t> of_head;

  void add(Slot slot) {
    const auto found = std::ranges::find(distinct, slot);
    of_head.push_back(static_cast<std::size_t>(found - distinct.begin()));
    if (found == distinct.end()) distinct.push_back(slot);
  }
};

/// The runs of rows that q, k and v of the heads need. A rotation that differs by head leaves nothing of q and k to
/// share.
struct HeadSlots {
  Slots q, k, v;

  HeadSlots(const Shape& shape, const std::vector<std::int64_t>& heads, bool by_set) {
    for (const std::int64_t head : heads) {
      q.add({head, by_set ? head : 0});
      k.add({keyHead(shape, head), by_set ? head : 0});
      v.add({keyHead(shape, head), 0});
    }
  }
};

template <class T>
HeadSlots slotsOf(const Encoding<T>& encoding, const Shape& shape, const std::vector<std::int64_t>& heads) {
  return {shape, heads, encoding.rotation && encoding.rotation->sets > 1};
}

/// Position that enters at the input can only reach q and k through x.
template <class T>
bool comeFromX(const Encoding<T>& encoding, const Content<T>& content) {
  return hasInput(encoding.input) || content.q.empty();
}

/// Fills one array of rows per slot: projected from x, or copied from the content when it will be rotated.
template <class T>
struct Source {
  Rows<T> x;                    ///< the tokens of these rows
  Rows<T> weight;               ///< empty = columns of x
  const std::vector<T>* given;  ///< the content's own rows; null = project x
  std::int64_t rows = 0;
  std::int64_t width = 0;
};

/// `held`: bytes that are there already.
template <class T>
Expected<std::vector<Rows<T>>> gather(std::string_view name, const Source<T>& source, const Slots& slots, bool writable,
                                      double held, std::vector<T>& storage, const Job& job) {
  const std::int64_t each = source.rows * source.width;
  std::vector<const T*> starts;
  if (source.given && !writable) {
    for (const Slot& slot : slots.distinct) starts.push_back(source.given->data() + slot.source * each);
  } else {
    const auto total = each * static_cast<std::int64_t>(slots.distinct.size());
    const double bytes = held + static_cast<double>(total) * sizeof(T);
    if (Outcome ok = checkMemory(join("attention: ", name, " and what they are made of"), bytes); !ok)
      return fail(ok.error());
    storage.resize(static_cast<std::size_t>(total));
    T* out = storage.data();
    Steps steps(job, slots.distinct.size());
    for (const Slot& slot : slots.distinct) {
      const std::span<T> rows(out, static_cast<std::size_t>(each));
      if (source.given)
        std::copy_n(source.given->data() + slot.source * each, each, out);
      else if (!project(source.x, source.weight, slot.source * source.width, source.width, rows, steps.next()))
        return fail(ErrorCode::cancelled, "attention: stopped", "注意力：已停止");
      starts.push_back(out);
      out += each;
    }
  }
  std::vector<Rows<T>> views;
  for (const std::size_t slot : slots.of_head) views.push_back({starts[slot], source.rows, source.width});
  return views;
}

/// Turns q and k of all slots, block by block of tokens, so that each angle is computed once.
template <class T>
bool rotateHeads(const RotationPart& rotation, const Shape& shape, const Slots& q_slots, const Slots& k_slots,
                 std::vector<T>& q, std::vector<T>& k, const Job& job) {
  const std::int64_t dim = shape.head_dim;
  const std::int64_t offset = shape.queryOffset();
  return parallelBlocks(shape.keys(), block_tokens, job, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t set = 0; set < rotation.sets; ++set) {
      const auto turns = [set](const Slot& slot) { return slot.set == set; };
      if (std::ranges::none_of(k_slots.distinct, turns)) continue;
      const Rotor rotor(rotation, set, begin, end - begin);
      for (std::size_t s = 0; s < k_slots.distinct.size(); ++s)
        if (turns(k_slots.distinct[s])) {
          T* rows = k.data() + (static_cast<std::int64_t>(s) * shape.keys() + begin) * dim;
          rotor.turn(std::span<T>(rows, static_cast<std::size_t>((end - begin) * dim)), dim, true);
        }
      const std::int64_t first = std::max(begin, offset);  // the first of these tokens that asks
      for (std::size_t s = 0; s < q_slots.distinct.size() && first < end; ++s)
        if (turns(q_slots.distinct[s])) {
          T* rows = q.data() + (static_cast<std::int64_t>(s) * shape.queries() + first - offset) * dim;
          rotor.turn(std::span<T>(rows, static_cast<std::size_t>((end - first) * dim)), dim, false, first - begin);
        }
    }
  });
}

/// Multiplies each query of each slot by its token's factor.
template <class T>
void scaleQueries(const std::vector<double>& factor, const Shape& shape, std::vector<T>& q) {
  const auto tokens = static_cast<std::size_t>(shape.queries());
  const auto offset = static_cast<std::size_t>(shape.queryOffset());
  const auto dim = static_cast<std::size_t>(shape.head_dim);
  assert(factor.size() >= offset + tokens);
  for (std::size_t row = 0; row * dim < q.size(); ++row) {
    const double by = factor[offset + row % tokens];
    for (T& v : std::span(q).subspan(row * dim, dim)) v = static_cast<T>(static_cast<double>(v) * by);
  }
}

/// Does the content fit the shape? `from_x`: q and k come from the embeddings.
template <class T>
Outcome checkContent(const Encoding<T>& encoding, const Content<T>& content, const Shape& shape, bool from_x) {
  if (!content.x.empty() && (content.x.rows != shape.keys() || content.x.cols != shape.d_model))
    return fail(ErrorCode::bad_shape,
                join("attention: x must have shape ", shapeText({shape.keys(), shape.d_model}), ", got ",
                     shapeText({content.x.rows, content.x.cols})),
                join("注意力：x 的形状必须是 ", shapeText({shape.keys(), shape.d_model}), "，得到 ",
                     shapeText({content.x.rows, content.x.cols})));
  if (encoding.logits.score.reads_input && content.x.empty())
    return fail(ErrorCode::bad_shape,
                "attention: this encoding reads the embeddings, but the content has q and k only, not x",
                "注意力：该编码要读取词嵌入，但内容只给出 q 和 k，没有 x");
  if (!from_x) {
    if (Outcome ok = checkSize("q", content.q.size(), shape.num_heads * shape.queries() * shape.head_dim); !ok)
      return ok;
    return checkSize("k", content.k.size(), shape.kvHeads() * shape.keys() * shape.head_dim);
  }
  if (content.x.empty())
    return fail(ErrorCode::bad_shape,
                "attention: this encoding changes the embeddings, but the content has q and k only, not x",
                "注意力：该编码作用于词嵌入，但内容只给出 q 和 k，没有 x");
  const InputPart<T>& input = encoding.input;
  if (!input.transform && input.hasTable() && (input.tableRows() != shape.keys() || input.tableCols() != shape.d_model))
    return fail(ErrorCode::bad_shape,
                join("attention: the position table must have shape ", shapeText({shape.keys(), shape.d_model}),
                     ", got ", shapeText({input.tableRows(), input.tableCols()})),
                join("注意力：位置表的形状必须是 ", shapeText({shape.keys(), shape.d_model}), "，得到 ",
                     shapeText({input.tableRows(), input.tableCols()})));
  if (Outcome ok = checkWeight("W_Q", content.w_q, shape.num_heads * shape.head_dim, shape.d_model); !ok) return ok;
  return checkWeight("W_K", content.w_k, shape.kvHeads() * shape.head_dim, shape.d_model);
}

/// The part of a projection that makes one head.
template <class T>
Rows<T> rowsOfHead(const Table<T>& weight, std::int64_t head, std::int64_t head_dim) {
  return {weight.values.data() + head * head_dim * weight.cols, head_dim, weight.cols};
}

/// Where the values come from: given, projected by W_V, or (without any projection) the columns of x.
template <class T>
Expected<Source<T>> valueSource(const Content<T>& content, const Shape& shape, Rows<T> x, bool from_x) {
  Source<T> source{x, rowsOf(content.w_v), nullptr, shape.keys(), 0};
  if (!content.v.empty()) {
    source.given = &content.v;
    source.width = valueWidth(content, shape);
    const Outcome ok = checkSize("v", content.v.size(), shape.kvHeads() * shape.keys() * content.value_dim);
    if (!ok) return fail(ok.error());
    return source;
  }
  const bool identity = from_x && content.w_q.empty() && content.w_k.empty();
  if (x.empty() || (content.w_v.empty() && !identity))
    return fail(ErrorCode::bad_shape, "attention: the output needs v, or x and W_V, and the content has neither",
                "注意力：计算输出需要 v，或者 x 和 W_V，但内容中都没有");
  source.width = valueWidth(content, shape);
  if (Outcome ok = checkWeight("W_V", content.w_v, source.width * shape.kvHeads(), shape.d_model); !ok)
    return fail(ok.error());
  return source;
}

}  // namespace

template <class T>
std::int64_t valueWidth(const Content<T>& content, const Shape& shape) {
  if (!content.v.empty()) return content.value_dim;
  return (content.w_v.empty() ? content.x.cols : content.w_v.rows) / shape.kvHeads();
}

template <class T>
double bytesOfHeads(const Encoding<T>& encoding, const Content<T>& content, const Shape& shape,
                    const std::vector<std::int64_t>& heads, bool need_values) {
  const HeadSlots slots = slotsOf(encoding, shape, heads);
  const bool from_x = comeFromX(encoding, content), turned = encoding.rotation.has_value();
  const auto rows = [](const Slots& of, std::int64_t each, std::int64_t width) {
    return static_cast<double>(of.distinct.size()) * static_cast<double>(each) * static_cast<double>(width);
  };
  double numbers = hasInput(encoding.input) ? static_cast<double>(content.x.values.size()) : 0;
  if (from_x || turned || !encoding.query_factor.empty()) numbers += rows(slots.q, shape.queries(), shape.head_dim);
  if (from_x || turned) numbers += rows(slots.k, shape.keys(), shape.head_dim);
  if (need_values && content.v.empty()) numbers += rows(slots.v, shape.keys(), valueWidth(content, shape));
  return numbers * sizeof(T);
}

template <class T>
Expected<HeadInputs<T>> prepareHeads(const Encoding<T>& encoding, const Content<T>& content, const Shape& shape,
                                     const std::vector<std::int64_t>& heads, bool need_values, const Job& job) {
  const bool from_x = comeFromX(encoding, content);
  if (Outcome ok = checkContent(encoding, content, shape, from_x); !ok) return fail(ok.error());

  if (encoding.rotation)
    if (Outcome ok = checkMagnitudes<T>(*encoding.rotation); !ok) return fail(ok.error());

  HeadInputs<T> result;
  result.x = rowsOf(content.x);
  const double given = storedBytes(encoding) + storedBytes(content);
  if (hasInput(encoding.input)) {
    const double copied = static_cast<double>(content.x.values.size()) * sizeof(T);
    if (Outcome ok = checkMemory("attention: the embeddings before and after the position", given + copied); !ok)
      return fail(ok.error());
    result.input = applyInput(encoding.input, rowsOf(content.x));
    result.x = rowsOf(result.input);
  }
  const HeadSlots slots = slotsOf(encoding, shape, heads);
  const std::int64_t offset = shape.queryOffset();
  const Rows<T> asking{result.x.empty() ? nullptr : result.x.data + offset * result.x.cols, shape.queries(),
                       result.x.cols};
  const Source<T> q{asking, rowsOf(content.w_q), from_x ? nullptr : &content.q, shape.queries(), shape.head_dim};
  const Source<T> k{result.x, rowsOf(content.w_k), from_x ? nullptr : &content.k, shape.keys(), shape.head_dim};
  const bool turned = encoding.rotation.has_value();
  const bool scaled = !encoding.query_factor.empty();
  Steps steps(job, (turned ? 3U : 2U) + (need_values ? 1U : 0U));
  auto queries = gather("q", q, slots.q, turned || scaled, given + result.bytes(), result.q_values, steps.next());
  if (!queries) return fail(queries.error());
  auto keys = gather("q, k", k, slots.k, turned, given + result.bytes(), result.k_values, steps.next());
  if (!keys) return fail(keys.error());
  result.q = *std::move(queries);
  result.k = *std::move(keys);
  if (from_x && !content.w_q.empty() && !content.w_k.empty())
    for (const std::int64_t head : heads) {
      result.w_q.push_back(rowsOfHead(content.w_q, head, shape.head_dim));
      result.w_k.push_back(rowsOfHead(content.w_k, keyHead(shape, head), shape.head_dim));
    }
  if (turned &&
      !rotateHeads(*encoding.rotation, shape, slots.q, slots.k, result.q_values, result.k_values, steps.next()))
    return fail(ErrorCode::cancelled, "attention: stopped", "注意力：已停止");
  if (scaled) scaleQueries(encoding.query_factor, shape, result.q_values);
  if (!need_values) return result;

  const auto source = valueSource(content, shape, result.x, from_x);
  if (!source) return fail(source.error());
  if (encoding.values.add && encoding.values.width != 0 && encoding.values.width != source->width)
    return fail(
        ErrorCode::bad_shape,
        join("attention: this encoding adds to values of width ", encoding.values.width, ", got ", source->width),
        join("注意力：该编码作用于宽度为 ", encoding.values.width, " 的值，得到 ", source->width));
  auto values = gather("q, k, v", *source, slots.v, false, given + result.bytes(), result.v_values, steps.next());
  if (!values) return fail(values.error());
  result.v = *std::move(values);
  result.value_dim = source->width;
  return result;
}

template double bytesOfHeads(const Encoding<float>&, const Content<float>&, const Shape&,
                             const std::vector<std::int64_t>&, bool);
template double bytesOfHeads(const Encoding<double>&, const Content<double>&, const Shape&,
                             const std::vector<std::int64_t>&, bool);
template std::int64_t valueWidth(const Content<float>&, const Shape&);
template std::int64_t valueWidth(const Content<double>&, const Shape&);
template Expected<HeadInputs<float>> prepareHeads(const Encoding<float>&, const Content<float>&, const Shape&,
                                                  const std::vector<std::int64_t>&, bool, const Job&);
template Expected<HeadInputs<double>> prepareHeads(const Encoding<double>&, const Content<double>&, const Shape&,
                                                   const std::vector<std::int64_t>&, bool, const Job&);

}  // namespace posiscope::attention
