// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/answer_of.h"

#include <algorithm>

namespace posiscope::test {

/// One line of a property card; that it is not there fails the test.
inline Property property(const Question& q, const std::string& key) {
  const Dataset card = answerOf(q);
  const auto found = std::ranges::find(card.properties, key, &Property::key);
  if (found != card.properties.end()) return *found;
  ADD_FAILURE() << q.scheme.id << " has no " << key;
  return {};
}

inline bool says(const Property& p, const std::string& words) {
  return p.sentence.en.find(words) != std::string::npos;
}

}  // namespace posiscope::test
