// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/remarks.h"

#include <iostream>

namespace posiscope::cli {

void printRemarks(const std::string& scheme, const Dataset& dataset, bool tells_all) {
  for (const Remark& r : dataset.remarks)
    if (r.verdict == Verdict::warning || tells_all) std::cerr << scheme << ": " << r.sentence.en << '\n';
  if (!dataset.scope.en.empty()) std::cerr << scheme << ": " << dataset.scope.en << '\n';
}

}  // namespace posiscope::cli
