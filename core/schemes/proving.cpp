// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/list.h"
#include "core/schemes/shaw.h"
#include "core/schemes/swin_v2.h"
#include "core/schemes/transformer_xl.h"

namespace posiscope::schemes {

const std::vector<Scheme>& proving() {
  static const std::vector<Scheme> list{shaw(), transformerXl(), swinV2()};
  return list;
}

}  // namespace posiscope::schemes
