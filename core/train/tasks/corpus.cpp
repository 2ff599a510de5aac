// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A small grammar, so that text can be trained on without a file: "the [adj] A prep the place verb the [adj] B[ and the
// A verb the place]. "
#include "core/train/tasks/list.h"

#include <array>

namespace posiscope::train::tasks {
namespace {

constexpr std::array who{"cat", "dog", "child", "teacher", "robot", "sailor", "farmer", "king"};
constexpr std::array adjective{"old", "red", "small", "quiet", "clever", "tired"};
constexpr std::array verb{"sees", "likes", "follows", "finds", "calls", "helps"};
constexpr std::array place{"house", "river", "garden", "market", "tower", "harbour"};
constexpr std::array preposition{"near", "behind", "inside", "beyond"};

template <std::size_t N>
std::string pick(const std::array<const char*, N>& words, Draws& draws) {
  return words[static_cast<std::size_t>(draws.below(static_cast<std::int64_t>(N)))];
}

/// The order of the draws is part of the corpus.
std::string sentence(Draws& draws) {
  const auto perhapsAdjective = [&] { return draws.below(2) == 1 ? pick(adjective, draws) + " " : std::string(); };
  const std::string first = pick(who, draws);
  const std::string second = pick(who, draws);
  std::string text = "the " + perhapsAdjective() + first;
  text += " " + pick(preposition, draws);
  text += " the " + pick(place, draws);
  text += " " + pick(verb, draws);
  text += " the " + perhapsAdjective() + second;
  if (draws.below(2) == 1) {
    text += " and the " + first + " " + pick(verb, draws);
    text += " the " + pick(place, draws);
  }
  return text + ". ";
}

}  // namespace

std::string corpusText(std::uint64_t seed, std::int64_t sentences) {
  const Stream stream(seed, "corpus");
  Draws draws(stream, 0);
  std::string text;
  for (std::int64_t s = 0; s < sentences; ++s) text += sentence(draws);
  return text;
}

}  // namespace posiscope::train::tasks
