// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/dump_flags.h"

#include "core/files/attention_array.h"
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
  auto dump = files::attentionOf(content.attention, *axes);
  return dump ? std::optional(*std::move(dump)) : std::nullopt;
}

bool holdsArrays(const std::string& path) {
  std::error_code error;
  return !std::filesystem::is_directory(path, error) && path.find(".json") == std::string::npos;
}

}  // namespace

Expected<models::Inspection> inspectDump(const std::string& path, const ParamFlags& content) {
  if (!content.given("attention_axes") || content.given("attention") || !holdsArrays(path))
    return models::inspect(path);
  const Expected<ParamValues> given = content.values();
  if (!given) return fail(given.error());
  return models::inspectAttention(path, std::get<std::string>(given->at("attention_axes")));
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

}  // namespace posiscope::cli
