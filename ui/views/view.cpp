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

std::optional<Zoom> ViewContext::zoomOf(const std::vector<std::string>& axes) const {
  const bool fits = tile.zoom_axes.empty() || tile.zoom_axes == namesOf(axes);
  return fits ? tile.zoom : std::nullopt;
}

std::string namesOf(const std::vector<std::string>& axes) {
  std::string names;
  for (const std::string& axis : axes) names += (names.empty() ? "" : " ") + axis;
  return names;
}

}  // namespace posiscope::ui
