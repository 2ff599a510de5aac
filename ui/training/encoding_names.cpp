// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/encoding_names.h"

#include "core/experiment.h"

#include <vector>

namespace posiscope::ui {

QString encodingName(const train::ComparisonSpec& spec, std::size_t position, const Style& style) {
  std::vector<SchemeChoice> choices;
  for (const train::PositionSpec& p : spec.positions) {
    SchemeChoice choice;
    choice.id = p.scheme;
    choice.values = p.values;
    choices.push_back(std::move(choice));
  }
  return style.text(displayName(choices[position], choices));
}

QColor encodingColour(std::size_t position, const Style& style) {
  if (position < 6) return schemeColour(static_cast<int>(position));
  return position == 6 ? style.mute : style.ink;
}

QList<qreal> encodingDashes(std::size_t position) {
  if (position < 6) return schemeDashes(static_cast<int>(position));
  return position == 6 ? QList<qreal>{1, 3} : QList<qreal>{12, 3, 1, 3};
}

}  // namespace posiscope::ui
