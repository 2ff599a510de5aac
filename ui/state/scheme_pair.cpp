// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/scheme_pair.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <utility>

namespace posiscope::ui {
namespace {

struct Term {
  const char* key;
  int usual_place;
};
constexpr std::array terms{Term{"minuend", 0}, Term{"subtrahend", 1}};

const std::string* textOf(const TileState& tile, const std::string& key) {
  const auto found = tile.options.find(key);
  return found == tile.options.end() ? nullptr : std::get_if<std::string>(&found->second);
}

/// "2 alibi": a colour is a scheme's own for as long as it lives; the next one that gets it may be of another kind.
std::string identity(const SchemeChoice& choice) { return std::to_string(choice.colour) + " " + choice.id; }

int placeIn(const TileState& tile, const Term& term) {
  const std::string* text = textOf(tile, term.key);
  int number = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), number).ec != std::errc()) number = 0;
  return number > 0 ? number - 1 : term.usual_place;
}

bool showsDifference(const TileState& tile) {
  const std::string* shown = textOf(tile, "schemes");
  return shown && *shown == "difference";
}

}  // namespace

std::string schemeKey(const std::string& term) { return term + "_scheme"; }

int termIndex(const TileState& tile, const std::string& term, int place, const Experiment& experiment) {
  const std::string* kept = textOf(tile, schemeKey(term));
  if (!kept) return place;
  const auto found = std::ranges::find(experiment.schemes, *kept, identity);
  return found == experiment.schemes.end() ? -1 : static_cast<int>(found - experiment.schemes.begin());
}

TileState withKeptPair(TileState tile, const Experiment& experiment) {
  if (!showsDifference(tile)) return tile;
  for (const Term& term : terms) {
    const auto place = static_cast<std::size_t>(placeIn(tile, term));
    if (textOf(tile, schemeKey(term.key)) || place >= experiment.schemes.size()) continue;
    const std::string meant = identity(experiment.schemes[place]);
    // A file can give one colour to two of a kind: then only their places tell them apart.
    if (std::ranges::count(experiment.schemes, meant, identity) == 1) tile.options[schemeKey(term.key)] = meant;
  }
  return tile;
}

TileState withPresentPlaces(TileState tile, const Experiment& experiment) {
  for (const Term& term : terms) {
    if (!textOf(tile, schemeKey(term.key))) continue;
    tile.options[term.key] = std::to_string(termIndex(tile, term.key, placeIn(tile, term), experiment) + 1);
    tile.options.erase(schemeKey(term.key));
  }
  return tile;
}

bool sameList(const Experiment& a, const Experiment& b) {
  return std::ranges::equal(a.schemes, b.schemes, {}, identity, identity);
}

}  // namespace posiscope::ui
