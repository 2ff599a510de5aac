// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/dynamic.h"
#include "core/schemes/list.h"

namespace posiscope::schemes {

const std::vector<Scheme>& proving() {
  static const std::vector<Scheme> list{dynamic()};
  return list;
}

}  // namespace posiscope::schemes
