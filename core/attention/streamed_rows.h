// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/content.h"
#include "core/encoding.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

namespace posiscope::attention {

/// Makes rows [first, first + count) of queries, keys or embeddings where they are wanted, one after the other. Pure,
/// safe from several threads.
using FillRows = std::function<void(std::int64_t first, std::int64_t count, float* out)>;

/// Which rows of one array of a content: part (head) `part` of [parts, tokens, width], the last of them from `skip` on.
struct RowPlace {
  std::int64_t part = 0;
  std::int64_t tokens = 0;
  std::int64_t width = 0;
  std::int64_t skip = 0;
};

/// Every number the same.
FillRows constantRows(float value, std::int64_t width);
/// Rows that are stored; `owner` keeps them.
FillRows storedRows(std::shared_ptr<const void> owner, const float* rows, std::int64_t width);
/// The numbers of `makeContent` for the array `name` of a random content or a sentence, to float rounding, made anew
/// each time: nothing of the length of the sequence is kept but the order of shuffled tokens.
FillRows drawnRows(const ContentSpec& spec, std::string_view name, const RowPlace& place, double deviation);

/// (x + table)·Wᵀ for the `width` rows of W from `first_row`, or these columns of x + table where W is empty. Row i of
/// the result is of token i + skip. `encoding` has the table, if any.
struct Projection {
  FillRows x;  ///< of token, [d_model]
  std::int64_t d_model = 0;
  std::shared_ptr<const Encoding<float>> encoding;
  std::shared_ptr<const Table<float>> weight;
  std::int64_t first_row = 0;
  std::int64_t width = 0;
  std::int64_t skip = 0;
};
FillRows projectedRows(Projection projection);

}  // namespace posiscope::attention
