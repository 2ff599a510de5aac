// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding.h"
#include "core/job.h"

namespace posiscope::attention {

/// Consecutive query rows of one head and the keys they need.
struct Block {
  std::int64_t head = 0;
  std::int64_t first = 0;  ///< query rows [first, last)
  std::int64_t last = 0;
  Mask::Span keys{0, 0};  ///< a score of its own and a pair bias may fill more
};

/// Logits of a block: scale·q·k or the row score, plus the bias. `out` starts at the block's first row, rows are
/// L_k apart. `packed`, when given, are the keys as the kernels' `pack` leaves them: worth it for more than one block
/// of a head; some keys before the block's are then filled too. Stops early when the job is stopped.
template <class T>
void fillLogits(const Encoding<T>& encoding, const typename OwnScore<T>::RowScore& score, Rows<T> q, Rows<T> k,
                const Shape& shape, const Block& block, T* out, const Job& job, const T* packed = nullptr);

/// Output of a block: weights·v plus the values part. `weights` like `out` above, `out` is [rows, v.cols].
template <class T>
void fillOutput(const Encoding<T>& encoding, Rows<T> v, const Shape& shape, const Block& block, const T* weights,
                T* out, const Job& job);

}  // namespace posiscope::attention
