// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/list.h"

#include "core/schemes/schemes.h"

#include <algorithm>

namespace posiscope::schemes {

const std::vector<Scheme>& catalogue() {
  static const std::vector<Scheme> list{
#define SCHEME(name) name(),
#include "core/schemes/list.def"
#undef SCHEME
  };
  return list;
}

const Scheme* find(std::string_view id) {
  const auto found = std::ranges::find(catalogue(), id, &Scheme::id);
  return found == catalogue().end() ? nullptr : &*found;
}

}  // namespace posiscope::schemes
