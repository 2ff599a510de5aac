// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/view.h"

#include <cstddef>

namespace posiscope::ui {

const std::vector<Answer>& ViewContext::answers() const {
  static const std::vector<Answer> none;
  if (!result || measure < 0 || static_cast<std::size_t>(measure) >= result->answers.size()) return none;
  return result->answers[static_cast<std::size_t>(measure)];
}

bool ViewContext::stale() const { return result && !(result->request.experiment == experiment); }

}  // namespace posiscope::ui
