// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace posiscope {

/// The languages a text exists in.
enum class Language { english, chinese };

/// A text for people, in every language of the program. Written where the fact is written, so that a
/// parameter, measure or scheme is complete in one place.
struct Text {
  std::string en;
  std::string zh;

  const std::string& in(Language language) const { return language == Language::chinese ? zh : en; }
  bool operator==(const Text&) const = default;
};

}  // namespace posiscope
