// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/refusal.h"
#include "core/models/config.h"
#include "core/schemes/list.h"
#include "tests/fuzz/memory_file.h"

using namespace posiscope;

/// Any text gives a legal shape and parameters inside their limits, or one sentence.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  models::Inspection inspection;
  const Outcome ok = models::readConfig({reinterpret_cast<const char*>(bytes), size}, "config.json", inspection);
  if (!ok) {
    fuzz::require(files::isUtf8(ok.error().message.en), "a message that can be shown");
    return 0;
  }
  fuzz::require(checkShape(inspection.shape).has_value(), "a legal shape");
  fuzz::require(shapeTable().read("shape", shapeTable().values(inspection.shape)).has_value(),
                "sizes within their limits");
  for (const Text& note : inspection.notes)
    fuzz::require(files::isUtf8(note.en) && !note.zh.empty(), "notes in two languages");
  for (const SchemeChoice& choice : inspection.schemes) {
    const Scheme* scheme = schemes::find(choice.id);
    fuzz::require(scheme, "a scheme we have");
    for (const auto& [key, value] : choice.values) {
      const ParamSpec* spec = findParam(scheme->params, key);
      fuzz::require(spec && checkValue("config", *spec, value), "a legal parameter");
    }
    scheme->check(choice.values, inspection.shape);
  }
  models::experimentOf(inspection, startExperiment());
  return 0;
}
