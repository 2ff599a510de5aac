// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/grid.h"
#include "core/scheme.h"

namespace posiscope::schemes {

/// Whose table: the direction of the index, and which pairs share a row.
enum class GridBiasKind { beit, maxvit, levit };

struct GridBiasParams {
  GridBiasKind kind = GridBiasKind::beit;
  bool class_token = false;        ///< BEiT: token 0 is no patch
  std::int64_t stride = 1;         ///< LeViT: queries stand at every stride-th row and column
  std::int64_t source_height = 0;  ///< grid the table was trained on; 0 = the present one
  std::int64_t source_width = 0;
  double std = 0.5;
  std::int64_t seed = 1;
  Array table;

  bool withClass() const { return kind == GridBiasKind::beit && class_token; }
};

/// Which row each pair of tokens reads.
class GridBiasIndex {
 public:
  GridBiasIndex(const GridBiasParams& params, const Grid& grid)
      : kind_(params.kind),
        with_class_(params.withClass()),
        grid_(grid),
        stride_(params.kind == GridBiasKind::levit ? params.stride : 1),
        asking_{(grid.height + stride_ - 1) / stride_, (grid.width + stride_ - 1) / stride_} {}

  const Grid& asking() const { return asking_; }
  std::int64_t queries() const { return asking_.patches() + (with_class_ ? 1 : 0); }
  std::int64_t keys() const { return grid_.patches() + (with_class_ ? 1 : 0); }
  std::int64_t rows() const;
  /// BEiT: Swin's index, class → patch m, patch → class m + 1, class → class m + 2 with m = (2h − 1)(2w − 1).
  /// MaxViT: key − query, Swin's index from the end. LeViT: |Δy|·w + |Δx|, w of the keys.
  std::int64_t row(std::int64_t i, std::int64_t j) const;

 private:
  GridBiasKind kind_;
  bool with_class_;
  Grid grid_;
  std::int64_t stride_;
  Grid asking_;  ///< the queries
};

/// Bias tables by the two-dimensional offset: BEiT, MaxViT, LeViT and TinyViT.
Scheme gridBias();

}  // namespace posiscope::schemes
