// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/remarks.h"

#include <iostream>

namespace posiscope::cli {

void noteDamaged(const std::string& command, std::int64_t damaged, std::int64_t all, const std::string& holds) {
  if (damaged > 0) std::cerr << command << ": " << damaged << " of " << all << ' ' << holds << '\n';
}

void noteEmptyRows(const std::string& command, std::int64_t empty, std::int64_t queries, const std::string& therefore) {
  if (empty > 0)
    std::cerr << command << ": " << empty << " of " << queries << " queries may look at no key; " << therefore << '\n';
}

std::string remarkOwner(const Experiment& experiment, const std::string& scheme) {
  return experiment.content.source == ContentSource::attention ? "attention" : scheme;
}

void printRemarks(const std::string& scheme, const Dataset& dataset, bool tells_all) {
  for (const Remark& r : dataset.remarks)
    if (r.verdict == Verdict::warning || tells_all) std::cerr << scheme << ": " << r.sentence.en << '\n';
  if (!dataset.scope.en.empty()) std::cerr << scheme << ": " << dataset.scope.en << '\n';
}

}  // namespace posiscope::cli
