// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/presentation.h"

namespace posiscope::ui {

Presentation startPresentation() {
  Presentation start;
  // All of 131 072 positions in 300 pixel rows would be noise: the table starts where its stripes can be read.
  const Zoom first_positions{-0.5, 63.5, -0.5, 879.5};
  // Few enough tokens that each cell of the attention maps can be seen.
  const ParamValues few_tokens{{"tokens", 96.0}};
  start.tiles = {{"position_table", {}, first_positions, "i p"},
                 {"relative_decay", {}, {}},
                 {"attention_weights", few_tokens, {}},
                 {"spectrum", {}, {}}};
  return start;
}

}  // namespace posiscope::ui
