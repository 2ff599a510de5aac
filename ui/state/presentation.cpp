// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/presentation.h"

namespace posiscope::ui {

Presentation startPresentation() {
  Presentation start;
  start.tiles = {{"position_table", {}, {}}, {"relative_decay", {}, {}}, {"attention_weights", {}, {}}, {"spectrum", {}, {}}};
  return start;
}

}  // namespace posiscope::ui
