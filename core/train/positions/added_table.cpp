// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/positions/added_table.h"

namespace posiscope::train::positions {

Outcome checkRows(std::string_view scheme, std::string_view table, std::int64_t needed, std::int64_t rows) {
  if (needed <= rows) return {};
  return fail(ErrorCode::past_table,
              join(scheme, ": ", table, " has ", rows, " rows, a sequence needs ", needed,
                   "; there is no row for the positions after the last one"),
              join(scheme, "：", table, " 只有 ", rows, " 行，序列需要 ", needed, " 行；其后的位置没有对应的行"));
}

}  // namespace posiscope::train::positions
