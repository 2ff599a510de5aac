// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session_mask.h"

#include <utility>

namespace posiscope::session {
namespace {

using nlohmann::json;

constexpr std::pair<const char*, std::int64_t Mask::*> counts[]{{"window", &Mask::window},
                                                                {"prefix", &Mask::prefix},
                                                                {"chunk", &Mask::chunk},
                                                                {"side", &Mask::side},
                                                                {"window_shift", &Mask::shift},
                                                                {"padded_keys", &Mask::padded_keys},
                                                                {"padded_queries", &Mask::padded_queries}};

/// Flags as a text of 0 and 1: an L × L mask as a list of numbers would be three times as long.
std::string flagsText(const std::vector<std::uint8_t>& flags) {
  std::string text;
  for (const std::uint8_t flag : flags) text.push_back(flag ? '1' : '0');
  return text;
}

}  // namespace

json maskToJson(const Mask& mask) {
  const Mask usual;
  json object = json::object();
  if (mask.causal != usual.causal) object["causal"] = mask.causal;
  for (const auto& [key, member] : counts)
    if (mask.*member != usual.*member) object[key] = mask.*member;
  if (mask.padding != usual.padding) object["padding"] = mask.padding == Mask::Padding::start ? "start" : "end";
  if (!mask.key_padding.empty()) object["key_padding"] = flagsText(mask.key_padding);
  if (!mask.query_padding.empty()) object["query_padding"] = flagsText(mask.query_padding);
  if (!mask.blocked.empty()) object["blocked"] = flagsText(mask.blocked);
  return object;
}

std::int64_t* countOf(Mask& mask, std::string_view key) {
  for (const auto& [name, member] : counts)
    if (key == name) return &(mask.*member);
  return nullptr;
}

std::optional<std::vector<std::uint8_t>> flagsFromJson(const json& value, std::int64_t wanted) {
  const std::string text = value.is_string() ? value.get<std::string>() : std::string{};
  if (static_cast<std::int64_t>(text.size()) != wanted || text.find_first_not_of("01") != std::string::npos)
    return std::nullopt;
  std::vector<std::uint8_t> flags;
  for (const char c : text) flags.push_back(c == '1');
  return flags;
}

}  // namespace posiscope::session
