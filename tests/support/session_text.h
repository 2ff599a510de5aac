// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <string>

namespace posiscope::session {

inline Opened readText(const std::string& text) {
  auto opened = fromText(text, "s.json");
  EXPECT_TRUE(opened) << (opened ? "" : opened.error().message.en);
  return opened ? *opened : Opened{};
}

/// A session whose root has these members beside the version.
inline Opened readRoot(const std::string& members) { return readText(R"({"posiscope_session":1,)" + members + "}"); }

inline bool hasNote(const Opened& opened, const std::string& part) {
  return std::ranges::any_of(
      opened.notes, [&](const Text& note) { return note.en.find(part) != std::string::npos && !note.zh.empty(); });
}

inline std::string allNotes(const Opened& opened) {
  std::string text;
  for (const Text& note : opened.notes) text += note.en + "\n";
  return text;
}

}  // namespace posiscope::session
