// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/grid.h"
#include "core/param_table.h"

#include <string_view>

namespace posiscope::schemes {

/// Two axes with two dimensions a pair each: the head must be a multiple of 4 wide.
inline Outcome checkGridHead(std::string_view owner, std::int64_t head_dim) {
  if (head_dim % 4 == 0) return {};
  return fail(ErrorCode::bad_shape, join(owner, ": head_dim must be a multiple of 4, got ", head_dim),
              join(owner, "：head_dim 必须是 4 的倍数，得到 ", head_dim));
}

/// The parameter for tokens before the patches that are not rotated.
template <class P>
void addPrefix(ParamTable<P>& table) {
  table.integer("prefix_tokens", &P::prefix_tokens, {0, 1024, 0, 8, false},
                {{"prefix tokens", "前缀词元"},
                 {"Class or register tokens before the patches; they are not turned.",
                  "图块之前的类别或寄存器词元；它们不旋转。"},
                 "num_prefix_tokens",
                 "tokens"});
}

}  // namespace posiscope::schemes
