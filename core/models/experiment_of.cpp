// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/model.h"
#include "core/schemes/list.h"

#include <algorithm>

namespace posiscope::models {
namespace {

/// The smallest colour no scheme has yet.
int freeColour(const std::vector<SchemeChoice>& schemes) {
  int colour = 0;
  while (std::ranges::find(schemes, colour, &SchemeChoice::colour) != schemes.end()) ++colour;
  return colour;
}

bool isPossible(const SchemeChoice& choice, const Shape& shape) {
  const Scheme* scheme = schemes::find(choice.id);
  return scheme && scheme->check(choice.values, shape).has_value();
}

}  // namespace

Experiment experimentOf(const Preset& preset) {
  Experiment e;
  e.shape = preset.shape;
  e.mask = preset.mask;
  e.train_length = preset.train_length;
  e.content = startExperiment().content;
  e.schemes = {preset.scheme};
  return e;
}

Experiment experimentOf(const Inspection& inspection, const Experiment& present) {
  Experiment e = present;
  if (inspection.schemes.empty()) return e;
  e.shape = inspection.shape;
  e.mask = inspection.mask;
  e.train_length = inspection.train_length;
  e.schemes = inspection.schemes;
  for (SchemeChoice& choice : e.schemes) choice.colour = -1;
  for (SchemeChoice& choice : e.schemes) choice.colour = freeColour(e.schemes);
  // The model takes the first places; those beside it stay for comparison where the new shape allows them.
  const std::size_t most = std::max(present.schemes.size(), inspection.schemes.size());
  for (std::size_t i = inspection.schemes.size(); i < present.schemes.size() && e.schemes.size() < most; ++i) {
    SchemeChoice choice = present.schemes[i];
    if (!isPossible(choice, e.shape)) continue;
    if (std::ranges::find(e.schemes, choice.colour, &SchemeChoice::colour) != e.schemes.end())
      choice.colour = freeColour(e.schemes);
    e.schemes.push_back(std::move(choice));
  }
  return e;
}

}  // namespace posiscope::models
