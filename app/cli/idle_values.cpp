// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/idle_values.h"

namespace posiscope::cli {

std::vector<std::string> idleValues(std::string_view owner, const std::vector<ParamSpec>& specs,
                                    const std::vector<std::string>& given, const ParamValues& values) {
  std::vector<std::string> sentences;
  for (const std::string& key : given) {
    const ParamSpec* spec = findParam(specs, key);
    if (!spec || isRelevant(*spec, specs, values)) continue;
    // What decides may play no part itself: then it is what decides about that.
    const ParamSpec* choice = findParam(specs, spec->depends_on);
    while (choice && !isRelevant(*choice, specs, values)) choice = findParam(specs, choice->depends_on);
    if (!choice) continue;
    sentences.push_back(
        join(owner, ": ", key, " has no effect with ", choice->key, "=", valueText(valueOf(*choice, values))));
  }
  return sentences;
}

}  // namespace posiscope::cli
