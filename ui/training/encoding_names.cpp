// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/encoding_names.h"

#include "core/experiment.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace posiscope::ui {
namespace {

constexpr std::size_t scheme_strokes = 6;
constexpr std::size_t strokes = scheme_strokes + 2;

struct OwnStroke {
  std::string_view scheme;
  std::size_t stroke;
};

/// No two that meet in a ready experiment have the same. Where two meet elsewhere the first of this list keeps it.
constexpr std::array own_strokes{
    OwnStroke{"none", 0},    OwnStroke{"learned", 1},        OwnStroke{"sinusoidal", 2},
    OwnStroke{"rope", 3},    OwnStroke{"t5_log", 4},         OwnStroke{"alibi", 5},
    OwnStroke{"cope", 6},    OwnStroke{"conditional", 7},    OwnStroke{"learned_2d", 2},
    OwnStroke{"shaw", 6},    OwnStroke{"kerple", 5},         OwnStroke{"fire", 4},
    OwnStroke{"hybrid", 1},  OwnStroke{"transformer_xl", 7}, OwnStroke{"layerwise", 2},
    OwnStroke{"dynamic", 7}, OwnStroke{"sinusoidal_2d", 4},
};

std::size_t strokeOf(const std::vector<train::PositionSpec>& positions, std::size_t position) {
  std::array<bool, strokes> taken{};
  std::vector<std::optional<std::size_t>> of(positions.size());
  for (const OwnStroke& own : own_strokes) {
    const auto first = std::ranges::find(positions, own.scheme, &train::PositionSpec::scheme);
    if (first == positions.end() || taken[own.stroke]) continue;
    of[static_cast<std::size_t>(first - positions.begin())] = own.stroke;
    taken[own.stroke] = true;
  }
  for (std::optional<std::size_t>& stroke : of) {
    if (stroke) continue;
    const auto free = static_cast<std::size_t>(std::ranges::find(taken, false) - taken.begin());
    stroke = std::min(free, strokes - 1);
    taken[*stroke] = true;
  }
  return *of[position];
}

}  // namespace

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

QColor encodingColour(const train::ComparisonSpec& spec, std::size_t position, const Style& style) {
  const std::size_t stroke = strokeOf(spec.positions, position);
  if (stroke < scheme_strokes) return schemeColour(static_cast<int>(stroke));
  return stroke == scheme_strokes ? style.mute : style.ink;
}

QList<qreal> encodingDashes(const train::ComparisonSpec& spec, std::size_t position) {
  const std::size_t stroke = strokeOf(spec.positions, position);
  if (stroke < scheme_strokes) return schemeDashes(static_cast<int>(stroke));
  return stroke == scheme_strokes ? QList<qreal>{1, 3} : QList<qreal>{12, 3, 1, 3};
}

}  // namespace posiscope::ui
