// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/streamed_rows.h"

#include "core/drawn_part.h"
#include "core/random.h"
#include "core/token_text.h"
#include "core/train/kernels/kernels.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace posiscope::attention {
namespace {

constexpr std::int64_t block_tokens = 64;

std::span<float> rowsAt(float* out, std::int64_t count, std::int64_t width) {
  return {out, static_cast<std::size_t>(count * width)};
}

/// Each word of a sentence has numbers of its own, so few that all are kept.
FillRows sentenceRows(const ContentSpec& spec, std::string_view name, const RowPlace& place, double deviation) {
  const std::vector<std::string> words = splitTokens(spec.text);
  std::map<std::string, std::vector<float>> of_word;
  auto sentence = std::make_shared<std::vector<float>>();
  for (const std::string& word : words) {
    std::vector<float>& row = of_word[word];
    if (row.empty()) {
      row.resize(static_cast<std::size_t>(place.width));
      Stream(static_cast<std::uint64_t>(spec.seed), join("content/", name, "/", word))
          .normals(static_cast<std::uint64_t>(place.part * place.width), static_cast<float>(deviation), row);
    }
    sentence->insert(sentence->end(), row.begin(), row.end());
  }
  return [sentence, place, count = std::ssize(words)](std::int64_t first, std::int64_t rows, float* out) {
    for (std::int64_t r = first; r < first + rows; ++r, out += place.width)
      std::copy_n(sentence->data() + (place.skip + r) % count * place.width, place.width, out);
  };
}

}  // namespace

FillRows constantRows(float value, std::int64_t width) {
  return [value, width](std::int64_t, std::int64_t count, float* out) { std::fill_n(out, count * width, value); };
}

FillRows storedRows(std::shared_ptr<const void> owner, const float* rows, std::int64_t width) {
  return [owner = std::move(owner), rows, width](std::int64_t first, std::int64_t count, float* out) {
    std::copy_n(rows + first * width, count * width, out);
  };
}

FillRows drawnRows(const ContentSpec& spec, std::string_view name, const RowPlace& place, double deviation) {
  if (spec.source == ContentSource::tokens) return sentenceRows(spec, name, place, deviation);
  const Stream stream(static_cast<std::uint64_t>(spec.seed), join("content/", name));
  const auto draw = [stream, place, deviation](std::int64_t token, std::int64_t count, float* out) {
    stream.normals(static_cast<std::uint64_t>(firstOfPart(place.part) + token * place.width),
                   static_cast<float>(deviation), rowsAt(out, count, place.width));
  };
  if (spec.token_order == TokenOrder::plain)
    return [draw, skip = place.skip](std::int64_t first, std::int64_t count, float* out) {
      draw(first + skip, count, out);
    };
  const auto order =
      std::make_shared<const TokensInOrder>(spec.token_order, place.tokens, spec.repeat_after, spec.seed);
  return [draw, order, place](std::int64_t first, std::int64_t count, float* out) {
    for (std::int64_t r = first; r < first + count; ++r, out += place.width) draw(order->at(place.skip + r), 1, out);
  };
}

FillRows projectedRows(Projection projection) {
  return [p = std::move(projection)](std::int64_t first, std::int64_t count, float* out) {
    thread_local std::vector<float> x, room;
    for (std::int64_t done = 0; done < count; done += block_tokens) {
      const std::int64_t rows = std::min(block_tokens, count - done);
      const std::int64_t token = first + done + p.skip;
      x.resize(static_cast<std::size_t>(rows * p.d_model));
      p.x(token, rows, x.data());
      if (p.encoding && p.encoding->input.hasTable()) {
        const float* added = p.encoding->input.tableBlock(token, token + rows, room).data;
        for (std::size_t e = 0; e < x.size(); ++e) x[e] += added[e];
      }
      float* to = out + done * p.width;
      if (!p.weight || p.weight->empty()) {
        for (std::int64_t r = 0; r < rows; ++r)
          std::copy_n(x.data() + r * p.d_model + p.first_row, p.width, to + r * p.width);
        continue;
      }
      train::Product<float> product;
      product.rows = rows;
      product.cols = p.width;
      product.depth = p.d_model;
      product.a = {x.data(), p.d_model, false};
      product.b = {p.weight->values.data() + p.first_row * p.d_model, p.d_model, true};
      product.c = {to, p.width, false};
      train::kernels<float>().product(product);
    }
  };
}

}  // namespace posiscope::attention
