// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/grid.h"

#include <cmath>

namespace posiscope {

Grid squarestGrid(std::int64_t patches) {
  auto height = static_cast<std::int64_t>(std::sqrt(static_cast<double>(patches)));
  while (height > 1 && patches % height != 0) --height;
  return height < 1 ? Grid{1, 1} : Grid{height, patches / height};
}

Expected<Grid> gridOf(std::string_view owner, const Shape& shape, std::int64_t prefix_tokens) {
  const std::int64_t patches = shape.keys() - prefix_tokens;
  const std::string before = prefix_tokens > 0 ? join(prefix_tokens, " + ") : std::string{};
  if (patches < 1)
    return fail(ErrorCode::bad_shape,
                join(owner, ": seq_len must hold ", prefix_tokens, " prefix tokens and a patch, got ", shape.keys()),
                join(owner, "：seq_len 必须容纳 ", prefix_tokens, " 个前缀词元和至少一个图块，得到 ", shape.keys()));
  std::int64_t height = shape.grid_height;
  std::int64_t width = shape.grid_width;
  if (height == 0 && width == 0) return squarestGrid(patches);
  if (height == 0 && patches % width == 0) height = patches / width;
  if (width == 0 && patches % height == 0) width = patches / height;
  if (height * width == patches) return Grid{height, width};
  const auto side = [](std::int64_t n) { return n == 0 ? std::string("?") : join(n); };
  const std::string wanted = join(before, side(height), " × ", side(width));
  const Text sides = prefix_tokens > 0
                         ? Text{"prefix tokens + grid_height × grid_width", "前缀词元 + grid_height × grid_width"}
                         : Text{"grid_height × grid_width", "grid_height × grid_width"};
  return fail(ErrorCode::bad_shape, join(owner, ": seq_len must be ", sides.en, " = ", wanted, ", got ", shape.keys()),
              join(owner, "：seq_len 必须等于 ", sides.zh, " = ", wanted, "，得到 ", shape.keys()));
}

}  // namespace posiscope
