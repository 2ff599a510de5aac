// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask.h"

#include <algorithm>
#include <cstdlib>

namespace posiscope {

bool Mask::allows(const Shape& shape, std::int64_t i, std::int64_t j) const {
  if (!key_padding.empty() && !key_padding[static_cast<std::size_t>(j)]) return false;
  if (!query_padding.empty() && !query_padding[static_cast<std::size_t>(i)]) return false;
  if (!blocked.empty() && blocked[static_cast<std::size_t>(i * shape.keys() + j)]) return false;
  if (j < prefix) return true;
  const std::int64_t n = i + shape.queryOffset() - j;
  if (causal && n < 0) return false;
  return window < 0 || std::abs(n) <= window;
}

Mask::Span Mask::span(const Shape& shape, std::int64_t i) const {
  const std::int64_t keys = shape.keys();
  if (!query_padding.empty() && !query_padding[static_cast<std::size_t>(i)]) return {0, 0};
  const std::int64_t p = i + shape.queryOffset();
  std::int64_t begin = window >= 0 ? std::max<std::int64_t>(0, p - window) : 0;
  std::int64_t end = causal ? p + 1 : (window >= 0 ? p + window + 1 : keys);
  end = std::clamp<std::int64_t>(end, 0, keys);
  if (prefix > 0) {
    begin = 0;
    end = std::max(end, std::min(prefix, keys));
  }
  return {begin, end};
}

Outcome checkMask(const Mask& mask, const Shape& shape) {
  const auto check = [](std::string_view what, std::size_t found, std::int64_t wanted) -> Outcome {
    if (found == 0 || static_cast<std::int64_t>(found) == wanted) return {};
    return fail(ErrorCode::bad_shape, join("mask: ", what, " must have ", wanted, " entries, got ", found),
                join("掩码：", what, " 必须有 ", wanted, " 项，得到 ", found));
  };
  if (Outcome ok = check("key_padding", mask.key_padding.size(), shape.keys()); !ok) return ok;
  if (Outcome ok = check("query_padding", mask.query_padding.size(), shape.queries()); !ok) return ok;
  return check("blocked", mask.blocked.size(), shape.queries() * shape.keys());
}

}  // namespace posiscope
