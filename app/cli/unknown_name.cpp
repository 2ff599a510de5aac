// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/unknown_name.h"

#include "core/near_names.h"

namespace posiscope::cli {

Error unknownName(std::string_view kind, std::string_view word, const std::vector<std::string>& names) {
  return {ErrorCode::unknown_name, {join("there is no ", kind, " '", word, "'") + knownNames(word, names).en, {}}};
}

}  // namespace posiscope::cli
