// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/dump_flags.h"

#include "core/files/attention_array.h"
#include "core/files/npz.h"
#include "core/files/refusal.h"
#include "core/models/attention_file.h"
#include "core/models/attention_mask.h"

#include <filesystem>
#include <iostream>
#include <optional>
#include <utility>
#include <variant>

namespace posiscope::cli {
namespace {

/// Nothing where it cannot be read; the measure says what is wrong.
std::optional<files::AttentionArray> dumpOf(const ContentSpec& content) {
  if (content.source != ContentSource::attention) return std::nullopt;
  const auto axes = files::parseAxes(content.attention_axes);
  if (!axes) return std::nullopt;
  auto dump = files::attentionOf(content.attention, *axes, content.attention_kind);
  return dump ? std::optional(*std::move(dump)) : std::nullopt;
}

bool holdsArrays(const std::string& path) {
  std::error_code error;
  return !std::filesystem::is_directory(path, error) && path.find(".json") == std::string::npos;
}

}  // namespace

Expected<models::Inspection> inspectDump(const std::string& path, const ParamFlags& content) {
  const bool named = content.given("attention_axes") || content.given("attention_kind");
  if (!named || content.given("attention") || !holdsArrays(path)) return models::inspect(path);
  const Expected<ParamValues> given = content.values();
  if (!given) return fail(given.error());
  const Expected<ContentSpec> said = contentTable().read("content", *given);
  if (!said) return fail(said.error());
  return models::inspectAttention(path, said->attention_axes, said->attention_kind);
}

void takeSizesOfDump(Experiment& e) {
  if (e.content.source == ContentSource::attention) e.shape = models::withAttentionSizes(e).shape;
}

void takeMaskOfDump(Experiment& e) {
  const auto dump = dumpOf(e.content);
  if (!dump) return;
  models::FoundMask found = models::maskOf(*dump);
  e.mask = std::move(found.mask);
  for (const Text& note : found.notes) std::cerr << "attention: " << note.en << '\n';
}

void noteKindOfDump(const ContentSpec& content) {
  if (const auto dump = dumpOf(content)) std::cerr << "attention: " << dump->reason.en << '\n';
}

void noteEmptyArraysOfDump(const ContentSpec& content) {
  const std::string& source = content.attention.source;
  const std::size_t mark = source.rfind(".npz#");
  if (mark == std::string::npos) return;
  const auto all = files::describeNpz(source.substr(0, mark + 4));
  if (!all) return;
  std::string empty;
  for (const files::TensorEntry& entry : *all)
    if (files::holdsNoNumbers(entry)) empty += (empty.empty() ? "" : ", ") + files::escaped(entry.name);
  if (!empty.empty())
    std::cerr << "attention: " << files::escaped(source.substr(mark + 5)) << " is shown; no numbers are stored in "
              << empty << '\n';
}

}  // namespace posiscope::cli
