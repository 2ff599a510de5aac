// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/train/extent.h"

namespace posiscope::train::positions {

/// Encodings of images need to know the grid. Error: bad_shape.
inline Outcome checkGrid(std::string_view scheme, const Extent& extent) {
  if (extent.grid) return {};
  return fail(ErrorCode::bad_shape, join(scheme, ": needs a grid of patches (an image task), the sequences are text"),
              join(scheme, "：需要图块网格（图像任务），而这里的序列是文本"));
}

}  // namespace posiscope::train::positions
