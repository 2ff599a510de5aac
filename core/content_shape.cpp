// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/content_shape.h"

#include "core/array.h"

namespace posiscope {
namespace {

constexpr std::int64_t any_size = -1;

std::vector<std::int64_t> wantedShape(std::string_view key, const Shape& s) {
  if (key == "q") return {s.num_heads, s.queries(), s.head_dim};
  if (key == "k") return {s.kvHeads(), s.keys(), s.head_dim};
  if (key == "v") return {s.kvHeads(), s.keys(), any_size};
  if (key == "x") return {s.keys(), s.d_model};
  if (key == "w_q") return {s.num_heads * s.head_dim, s.d_model};
  if (key == "w_k") return {s.kvHeads() * s.head_dim, s.d_model};
  return {any_size, s.d_model};  // w_v
}

/// Which of its dimensions are heads, queries and keys the axes tell, so only their number is known to be wrong.
Outcome checkAttentionShape(const std::vector<std::int64_t>& found) {
  if (found.size() >= 2 && found.size() <= 5) return {};
  return fail(ErrorCode::bad_shape, join("content: attention must have 2 to 5 dimensions, got ", shapeText(found)),
              join("内容：attention 必须有 2 到 5 维，得到 ", shapeText(found)));
}

}  // namespace

files::Numbers numbersIn(std::string_view key) {
  return key == "token_file" || key == "segment_file" ? files::Numbers::ids : files::Numbers::real;
}

Outcome checkContentShape(std::string_view key, const std::vector<std::int64_t>& found, const Shape& shape) {
  if (key == "attention") return checkAttentionShape(found);
  const std::vector<std::int64_t> wanted = wantedShape(key, shape);
  bool fits = found.size() == wanted.size();
  for (std::size_t a = 0; fits && a < wanted.size(); ++a) fits = wanted[a] == any_size || wanted[a] == found[a];
  if (fits) return {};
  std::string text = shapeText(wanted);
  if (const auto at = text.find("-1"); at != std::string::npos) text.replace(at, 2, "…");
  return fail(ErrorCode::bad_shape, join("content: ", key, " must have shape ", text, ", got ", shapeText(found)),
              join("内容：", key, " 的形状必须是 ", text, "，得到 ", shapeText(found)));
}

}  // namespace posiscope
