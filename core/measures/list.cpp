// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/list.h"

#include "core/measures/measures.h"

#include <algorithm>

namespace posiscope::measures {

const std::vector<Measure>& catalogue() {
  static const std::vector<Measure> list = {
#define MEASURE(name) name(),
#include "core/measures/list.def"
#undef MEASURE
  };
  return list;
}

const Measure* find(std::string_view id) {
  const auto found = std::ranges::find(catalogue(), id, &Measure::id);
  return found == catalogue().end() ? nullptr : &*found;
}

}  // namespace posiscope::measures
