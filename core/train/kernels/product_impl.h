// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The matrix product of the kernels. A library's packs both operands in every call; here a weight is packed once for
// all groups of a batch and the left operand is read where it lies, which matters for products this small.
#pragma once

#include "core/train/kernels/kernels.h"
#include "core/train/kernels/lanes.h"

#include <cstring>

namespace posiscope::train {
namespace {

/// Columns of a packed panel: two vectors.
template <class T>
constexpr std::int64_t panel_columns = 2 * Lanes<T>::count;
constexpr std::int64_t most_tile_rows = 6;   // 12 sums, 2 columns and a broadcast fill the 16 registers
constexpr std::int64_t depth_block = 256;    // a panel of so many rows stays in the first cache
constexpr std::int64_t columns_block = 128;  // so many columns of them in the second
constexpr std::int64_t rows_block = 128;

/// One tile of c: Rows × a panel. a(r, d) = a[r·row_step + d·depth_step].
template <class T, int Rows>
void tile(std::int64_t depth, const T* a, std::int64_t row_step, std::int64_t depth_step, const T* b, T scale, T* c,
          std::int64_t stride, bool add) {
  constexpr std::int64_t lanes = Lanes<T>::count;
  Vector<T> left[Rows] = {}, right[Rows] = {}, b_left, b_right;
  for (std::int64_t d = 0; d < depth; ++d, a += depth_step, b += 2 * lanes) {
    load<T>(b, b_left);
    load<T>(b + lanes, b_right);
#pragma GCC unroll 6
    for (int r = 0; r < Rows; ++r) {
      const T x = a[r * row_step];
      left[r] += x * b_left;
      right[r] += x * b_right;
    }
  }
#pragma GCC unroll 6
  for (int r = 0; r < Rows; ++r, c += stride) {
    left[r] *= scale;
    right[r] *= scale;
    if (add) {
      load<T>(c, b_left);
      load<T>(c + lanes, b_right);
      left[r] += b_left;
      right[r] += b_right;
    }
    store<T>(left[r], c);
    store<T>(right[r], c + lanes);
  }
}

template <class T>
void tileOf(std::int64_t rows, std::int64_t depth, const T* a, std::int64_t row_step, std::int64_t depth_step,
            const T* b, T scale, T* c, std::int64_t stride, bool add) {
  switch (rows) {
    case 1: return tile<T, 1>(depth, a, row_step, depth_step, b, scale, c, stride, add);
    case 2: return tile<T, 2>(depth, a, row_step, depth_step, b, scale, c, stride, add);
    case 3: return tile<T, 3>(depth, a, row_step, depth_step, b, scale, c, stride, add);
    case 4: return tile<T, 4>(depth, a, row_step, depth_step, b, scale, c, stride, add);
    case 5: return tile<T, 5>(depth, a, row_step, depth_step, b, scale, c, stride, add);
    default: return tile<T, 6>(depth, a, row_step, depth_step, b, scale, c, stride, add);
  }
}

/// Rows of the next tile: six, but 7 as 4 + 3 and 8 as 4 + 4, because narrow tiles wait for their sums.
inline std::int64_t tileRows(std::int64_t left) {
  if (left == 7 || left == 8) return 4;
  return left < most_tile_rows ? left : most_tile_rows;
}

/// Half a panel of an operand that is stored the other way round, square by square.
template <class T>
void packSquares(const T* from, std::int64_t stride, std::int64_t depth, T* out) {
  constexpr std::int64_t lanes = Lanes<T>::count;
  Vector<T> square[lanes];
  for (std::int64_t d = 0; d < depth; d += lanes) {
#pragma GCC unroll 8
    for (std::int64_t l = 0; l < lanes; ++l) load<T>(from + l * stride + d, square[l]);
    transpose(square);
#pragma GCC unroll 8
    for (std::int64_t l = 0; l < lanes; ++l) store<T>(square[l], out + (d + l) * panel_columns<T>);
  }
}

/// A panel: `depth` rows of b with `columns` columns, the rest of a panel's width zero.
template <class T>
void packPanel(const MatrixRef<const T>& b, std::int64_t first_depth, std::int64_t depth, std::int64_t first_column,
               std::int64_t columns, T* out) {
  constexpr std::int64_t width = panel_columns<T>;
  if (columns < width) std::memset(out, 0, static_cast<std::size_t>(depth * width) * sizeof(T));
  if (b.transposed) {
    const T* from = b.data + first_column * b.stride + first_depth;
    constexpr std::int64_t lanes = Lanes<T>::count;
    const std::int64_t squares = columns == width ? depth / lanes * lanes : 0;
    for (std::int64_t c = 0; c < width && squares > 0; c += lanes)
      packSquares(from + c * b.stride, b.stride, squares, out + c);
    for (std::int64_t d = squares; d < depth; ++d)
      for (std::int64_t c = 0; c < columns; ++c) out[d * width + c] = from[c * b.stride + d];
    return;
  }
  const T* from = b.data + first_depth * b.stride + first_column;
  if (columns == width) {
    for (std::int64_t d = 0; d < depth; ++d) std::memcpy(out + d * width, from + d * b.stride, width * sizeof(T));
    return;
  }
  for (std::int64_t d = 0; d < depth; ++d)
    for (std::int64_t c = 0; c < columns; ++c) out[d * width + c] = from[d * b.stride + c];
}

/// The numbers of a packed operand: whole panels over the whole depth, panel by panel.
template <class T>
void pack(const MatrixRef<const T>& b, std::int64_t depth, std::int64_t columns, T* out) {
  constexpr std::int64_t width = panel_columns<T>;
  for (std::int64_t c = 0; c < columns; c += width, out += depth * width)
    packPanel(b, 0, depth, c, columns - c < width ? columns - c : width, out);
}

/// Where the tiles of one block of a product lie.
template <class T>
struct Block {
  std::int64_t first_row, rows, first_depth, depth;
  const T* a;           ///< element (first_row, first_depth), or the packed rows
  bool is_packed;       ///< tile by tile, each depth after depth
  std::int64_t stride;  ///< of a's rows where they are not packed
};

/// One panel of columns against all rows of a block.
template <class T>
void panelProduct(const Product<T>& p, const Block<T>& block, const T* panel, std::int64_t first_column,
                  std::int64_t columns) {
  constexpr std::int64_t width = panel_columns<T>;
  for (std::int64_t r = 0; r < block.rows;) {
    const std::int64_t rows = tileRows(block.rows - r), first = block.first_row + r, last = first + rows - 1;
    const std::int64_t row = r;
    r += rows;
    if (p.shape == ProductShape::lower_result && first_column > last) continue;
    // Depths where the left operand is zero for every row of the tile.
    std::int64_t begin = 0, end = block.depth;
    if (p.shape == ProductShape::lower_left && block.first_depth + end > last + 1) end = last + 1 - block.first_depth;
    if (p.shape == ProductShape::upper_left && block.first_depth < first) begin = first - block.first_depth;
    if (end < 0) end = 0;
    if (begin > end) begin = end;
    const bool add = p.add || block.first_depth > 0;
    const std::int64_t row_step = block.is_packed ? 1 : block.stride, depth_step = block.is_packed ? rows : 1;
    const T* a = block.a + row * (block.is_packed ? block.depth : block.stride) + begin * depth_step;
    const T* b = panel + begin * width;
    T* c = p.c.data + first * p.c.stride + first_column;
    if (columns == width) {
      tileOf(rows, end - begin, a, row_step, depth_step, b, p.scale, c, p.c.stride, add);
      continue;
    }
    alignas(64) T room[most_tile_rows * width];
    tileOf(rows, end - begin, a, row_step, depth_step, b, p.scale, room, width, false);
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < columns; ++j)
        c[i * p.c.stride + j] = (add ? c[i * p.c.stride + j] : T(0)) + room[i * width + j];
  }
}

template <int Rows, class T>
T* copyRows(const T* from, std::int64_t stride, std::int64_t depth, T* room) {
  for (std::int64_t d = 0; d < depth; ++d, from += stride, room += Rows) std::memcpy(room, from, Rows * sizeof(T));
  return room;
}

/// The left operand stored the other way round, copied so that a tile's rows lie together and stay in the first cache.
template <class T>
void packRows(const Product<T>& p, Block<T>& block, T* room) {
  const T* from = p.a.data + block.first_depth * p.a.stride + block.first_row;
  block.a = room;
  block.is_packed = true;
  for (std::int64_t r = 0; r < block.rows;) {
    const std::int64_t rows = tileRows(block.rows - r);
    switch (rows) {
      case 6: room = copyRows<6>(from + r, p.a.stride, block.depth, room); break;
      case 4: room = copyRows<4>(from + r, p.a.stride, block.depth, room); break;
      default:
        for (std::int64_t d = 0; d < block.depth; ++d)
          for (std::int64_t i = 0; i < rows; ++i) *room++ = from[d * p.a.stride + r + i];
    }
    r += rows;
  }
}

template <class T>
void product(const Product<T>& p) {
  constexpr std::int64_t width = panel_columns<T>;
  alignas(64) T panels[depth_block * columns_block];
  alignas(64) T rows_room[depth_block * rows_block];
  const auto least = [](std::int64_t a, std::int64_t b) { return a < b ? a : b; };
  for (std::int64_t d = 0; d < p.depth; d += depth_block) {
    const std::int64_t depth = least(depth_block, p.depth - d);
    for (std::int64_t c = 0; c < p.cols; c += columns_block) {
      const std::int64_t columns = least(columns_block, p.cols - c);
      if (!p.packed)
        for (std::int64_t j = 0; j < columns; j += width)
          packPanel(p.b, d, depth, c + j, least(width, columns - j), panels + j * depth);
      for (std::int64_t r = 0; r < p.rows; r += rows_block) {
        Block<T> block{r, least(rows_block, p.rows - r), d, depth, p.a.data + r * p.a.stride + d, false, p.a.stride};
        if (p.a.transposed) packRows(p, block, rows_room);
        for (std::int64_t j = 0; j < columns; j += width) {
          const T* panel = p.packed ? p.packed + (c + j) * p.depth + d * width : panels + j * depth;
          panelProduct(p, block, panel, c + j, least(width, columns - j));
        }
      }
    }
  }
}

}  // namespace
}  // namespace posiscope::train
