// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/extent.h"

namespace posiscope::train {

const Job& neverStopped() {
  static const Job job;
  return job;
}

}  // namespace posiscope::train
