// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/probe.h"

#include "core/attention/attention.h"
#include "core/attention/head_inputs.h"
#include "core/attention/logits.h"
#include "core/attention/projection.h"
#include "core/formula_rows.h"
#include "core/random.h"
#include "core/xpos.h"

#include <algorithm>
#include <cmath>

namespace posiscope::measures {
namespace {

constexpr std::int64_t most_own_tokens = 1024;
/// Multiply-adds that asking every head may cost, and what a rotation of each head's own costs in rows of logits.
constexpr std::int64_t most_asked = 1 << 29;
constexpr std::int64_t rows_of_rotation = 64;

/// Rows of normal numbers. Every row of every draw has numbers of its own, whatever the number of rows.
template <class T>
Table<T> drawnRows(std::uint64_t seed, const std::string& name, std::int64_t rows, std::int64_t cols,
                   const ProbeContent& content, double deviation) {
  const Stream stream(seed, "probe/" + name);
  Table<T> table = makeTable<T>(rows, cols);
  constexpr std::int64_t rows_of_draw = 1 << 20;
  for (std::int64_t r = 0; r < rows; ++r) {
    std::int64_t drawn = content.draw * rows_of_draw + (content.tokens == Tokens::distinct ? r : 0);
    if (r == content.altered) drawn += rows_of_draw / 2;
    const std::span<T> row = table.row(r);
    for (std::int64_t c = 0; c < cols; ++c)
      row[static_cast<std::size_t>(c)] =
          static_cast<T>(deviation * stream.normal(static_cast<std::uint64_t>(drawn * cols + c)));
  }
  return table;
}

template <class T>
Table<T> projected(const Table<T>& x, const Table<T>& weight) {
  Table<T> out = makeTable<T>(x.rows, weight.rows);
  attention::project(rowsOf(x), rowsOf(weight), 0, weight.rows, std::span<T>(out.values), Job());
  return out;
}

/// Columns [first, first + width) of x; past the last one zeros.
template <class T>
Table<T> columns(const Table<T>& x, std::int64_t first, std::int64_t width) {
  Table<T> out = makeTable<T>(x.rows, width);
  const std::int64_t count = std::min(width, x.cols - first);
  for (std::int64_t r = 0; r < x.rows && count > 0; ++r)
    std::copy_n(x.row(r).begin() + first, count, out.row(r).begin());
  return out;
}

/// Projections of a token's size keep it: x normal, q normal.
template <class T>
Table<T> drawnWeight(std::uint64_t seed, const std::string& name, std::int64_t out, std::int64_t in,
                     std::int64_t draw) {
  return drawnRows<T>(seed, name, out, in, {Tokens::distinct, false, draw}, 1 / std::sqrt(static_cast<double>(in)));
}

Shape probeShape(Shape shape, std::int64_t tokens) {
  shape.seq_len = tokens;
  shape.seq_len_q = 0;
  shape.grid_height = shape.grid_width = 0;
  return shape;
}

}  // namespace

template <class T>
Probe<T>::Probe(Encoding<T> encoding, const Shape& shape, const ContentSpec& content)
    : encoding_(std::move(encoding)),
      shape_(shape),
      seed_(static_cast<std::uint64_t>(content.seed)),
      word_std_(content.word_std > 0 ? content.word_std : 1) {
  mask_.causal = true;
}

template <class T>
std::vector<std::int64_t> Probe<T>::heads(std::int64_t most) const {
  if (readsEmbeddings(encoding_)) most = std::min<std::int64_t>(most, 2);
  return spreadRows(shape_.num_heads, most);
}

template <class T>
AskedHeads Probe<T>::asked(std::int64_t most, std::int64_t rows) const {
  AskedHeads asked{heads(most), heads(most)};
  const bool own_score = static_cast<bool>(encoding_.logits.score.prepare);
  const bool turned_apart = encoding_.rotation && encoding_.rotation->sets > 1;
  if (!own_score && !turned_apart && !encoding_.logits.hasBias()) return asked;
  if (turned_apart) rows += rows_of_rotation;
  // A score of its own is prepared for each head, and so may be what a bias of pairs is made from.
  const bool prepared = own_score || std::holds_alternative<PairBias<T>>(encoding_.logits.bias);
  if (!prepared && shape_.num_heads * rows * tokens() * shape_.head_dim <= most_asked)
    asked.heads = spreadRows(shape_.num_heads, shape_.num_heads);
  asked.sample = std::ssize(asked.heads) < shape_.num_heads;
  return asked;
}

template <class T>
std::int64_t Probe<T>::blocks() const {
  return changesInput() ? (shape_.d_model + shape_.head_dim - 1) / shape_.head_dim : 1;
}

template <class T>
Table<T> Probe<T>::embeddings(const ProbeContent& content) const {
  // A table is looked at alone; a function of the tokens has no value without them.
  if (content.tokens == Tokens::neutral && encoding_.input.hasTable() && !encoding_.input.transform)
    return makeTable<T>(tokens(), shape_.d_model);
  return drawnRows<T>(seed_, "x", tokens(), shape_.d_model, content, word_std_);
}

template <class T>
void Probe<T>::fill(ProbedHead<T>& out, const ProbeContent& content) const {
  const std::int64_t dim = shape_.head_dim, key_head = attention::keyHead(shape_, out.head);
  if (content.tokens == Tokens::neutral) {
    if (changesInput()) {
      out.plain_q = columns(out.input, content.block * dim, dim);
    } else {
      out.plain_q = makeTable<T>(tokens(), dim);
      std::ranges::fill(out.plain_q.values, T(1));
    }
    out.plain_k = out.plain_q;
  } else if (!out.x.empty()) {
    out.w_q = drawnWeight<T>(seed_, join("w_q/", out.head), dim, shape_.d_model, content.draw);
    out.w_k = content.same_projection
                  ? out.w_q
                  : drawnWeight<T>(seed_, join("w_k/", key_head), dim, shape_.d_model, content.draw);
    out.plain_q = projected(out.input, out.w_q);
    out.plain_k = projected(out.input, out.w_k);
  } else {
    out.plain_q = drawnRows<T>(seed_, join("q/", out.head), tokens(), dim, content, 1);
    out.plain_k =
        content.same_projection ? out.plain_q : drawnRows<T>(seed_, join("k/", key_head), tokens(), dim, content, 1);
  }
}

template <class T>
void Probe<T>::turn(ProbedHead<T>& out, std::int64_t h) const {
  out.head = h;
  out.q = out.plain_q;
  out.k = out.plain_k;
  if (encoding_.rotation) {
    attention::rotate<T>(*encoding_.rotation, h, 0, false, out.q.values, shape_.head_dim);
    attention::rotate<T>(*encoding_.rotation, h, 0, true, out.k.values, shape_.head_dim);
  }
  if (!encoding_.query_factor.empty())
    for (std::int64_t t = 0; t < tokens(); ++t)
      for (T& v : out.q.row(t))
        v = static_cast<T>(static_cast<double>(v) * encoding_.query_factor[static_cast<std::size_t>(t)]);
}

template <class T>
ProbedHead<T> Probe<T>::head(std::int64_t head, const ProbeContent& content) const {
  ProbedHead<T> out;
  out.head = head;
  if (readsEmbeddings(encoding_)) {
    out.x = embeddings(content);
    out.input = changesInput() ? attention::applyInput(encoding_.input, rowsOf(out.x)) : out.x;
  }
  fill(out, content);
  turn(out, head);
  return out;
}

template <class T>
Table<T> Probe<T>::logits(const ProbedHead<T>& head, const std::vector<std::int64_t>& rows) const {
  typename OwnScore<T>::RowScore score;
  if (encoding_.logits.score.prepare) {
    HeadContent<T> content{head.head, rowsOf(head.q), rowsOf(head.k), rowsOf(head.input), &shape_, &mask_};
    content.w_q = rowsOf(head.w_q);
    content.w_k = rowsOf(head.w_k);
    score = encoding_.logits.score.prepare(content);
  }
  Table<T> out = makeTable<T>(static_cast<std::int64_t>(rows.size()), tokens());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const attention::Block block{head.head, rows[r], rows[r] + 1, {0, tokens()}};
    attention::fillLogits(encoding_, score, rowsOf(head.q), rowsOf(head.k), shape_, block,
                          out.row(static_cast<std::int64_t>(r)).data(), Job());
  }
  return out;
}

template <class T>
Expected<Probe<T>> probeOf(const Scheme& scheme, const ParamValues& values, const Shape& shape,
                           const ContentSpec& content, std::int64_t tokens) {
  std::vector<Shape> shapes;
  for (std::int64_t n = tokens; n >= 8; n /= 2) shapes.push_back(probeShape(shape, n));
  if (shape.seq_len <= most_own_tokens && shape.queries() == shape.keys()) shapes.push_back(shape);
  Expected<Probe<T>> refused = fail(ErrorCode::not_supported, "");
  for (const Shape& s : shapes) {
    Expected<Encoding<T>> encoding = encode<T>(scheme, values, s);
    if (encoding && encoding->rotation)
      if (Outcome ok = checkMagnitudes<T>(*encoding->rotation); !ok) encoding = fail(ok.error());
    if (encoding)
      if (Outcome ok = checkAffordable(encoding->input, s.keys()); !ok) encoding = fail(ok.error());
    if (encoding) return Probe<T>(*std::move(encoding), s, content);
    if (&s == &shapes.front()) refused = fail(encoding.error());
  }
  return refused;
}

std::vector<std::int64_t> spreadRows(std::int64_t tokens, std::int64_t count) {
  const std::int64_t shown = std::min(tokens, count);
  std::vector<std::int64_t> rows;
  for (std::int64_t r = 0; r < shown; ++r) rows.push_back(shown == 1 ? 0 : r * (tokens - 1) / (shown - 1));
  return rows;
}

template class Probe<float>;
template class Probe<double>;
template Expected<Probe<float>> probeOf(const Scheme&, const ParamValues&, const Shape&, const ContentSpec&,
                                        std::int64_t);
template Expected<Probe<double>> probeOf(const Scheme&, const ParamValues&, const Shape&, const ContentSpec&,
                                         std::int64_t);

}  // namespace posiscope::measures
