// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/refusal.h"
#include "core/session.h"
#include "tests/fuzz/memory_file.h"

#include <nlohmann/json.hpp>

using namespace posiscope;

/// Any text is a session that comes back equal once it is written, or one sentence.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto opened = session::fromText({reinterpret_cast<const char*>(bytes), size}, "/proc/self/fdinfo/s.json");
  if (!opened) {
    fuzz::require(files::isUtf8(opened.error().message.en), "a message that can be shown");
    return 0;
  }
  for (const Text& note : opened->notes)
    fuzz::require(files::isUtf8(note.en) && !note.zh.empty(), "notes in two languages");
  fuzz::require(checkShape(opened->experiment.shape).has_value(), "a legal shape");
  fuzz::require(checkMask(opened->experiment.mask, opened->experiment.shape).has_value(), "a mask that fits");
  const nlohmann::json written = session::toJson(opened->experiment);
  const auto again = session::fromText(written.dump(), "s.json");
  fuzz::require(again.has_value() && again->notes.empty(), "what we write is right");
  fuzz::require(session::toJson(again->experiment) == written, "what we write comes back");
  return 0;
}
