// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/listing.h"

#include "core/files/json_text.h"
#include "core/files/reader.h"
#include "core/files/refusal.h"
#include "core/question_text.h"

#include <algorithm>

namespace posiscope::sweep {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::uint64_t largest_listing = std::uint64_t{1} << 30;

std::string pathOf(const std::string& folder) { return folder + "/sweep.json"; }

bool isTexts(const json& list) {
  return list.is_array() && std::ranges::all_of(list, [](const json& text) { return text.is_string(); });
}

/// Becomes a file's name.
bool isKey(const json& key) {
  return key.is_string() && key.get_ref<const std::string&>().size() == 16 &&
         key.get_ref<const std::string&>().find_first_not_of("0123456789abcdef") == std::string::npos;
}

/// Nothing for what this program would not have written.
std::optional<Listing> fromJson(const json& root) {
  if (!root.is_object() || root.value("posiscope_sweep", json()) != 1) return std::nullopt;
  const json axes = root.value("axes", json()), items = root.value("items", json());
  if (!isTexts(axes) || !items.is_array()) return std::nullopt;
  Listing listing{axes.get<std::vector<std::string>>(), {}};
  for (const json& item : items) {
    if (!item.is_object()) return std::nullopt;
    const json key = item.value("key", json()), place = item.value("place", json());
    const json measure = item.value("measure", json()), scheme = item.value("scheme", json());
    if (!isKey(key) || !measure.is_string() || !scheme.is_string() || !isTexts(place) || place.size() != axes.size())
      return std::nullopt;
    listing.items.push_back({key, measure, scheme, place.get<std::vector<std::string>>()});
  }
  return listing;
}

}  // namespace

Listing listingOf(const Sweep& sweep) {
  Listing listing{sweep.axes, {}};
  for (const Item& item : sweep.items) {
    // A measure with options reads like a scheme with values.
    SchemeChoice measure;
    measure.id = item.measure.id;
    measure.values = item.measure.options;
    listing.items.push_back({item.key, schemeText(measure), schemeText(item.experiment.schemes.front()), item.place});
  }
  return listing;
}

Outcome writeListing(const std::string& folder, const Listing& listing) {
  ordered_json root{{"posiscope_sweep", 1}, {"axes", listing.axes}, {"items", ordered_json::array()}};
  for (const Listing::Entry& e : listing.items)
    root["items"].push_back({{"key", e.key}, {"measure", e.measure}, {"scheme", e.scheme}, {"place", e.place}});
  return files::writeAtomically(pathOf(folder), root.dump(1, ' ', false, json::error_handler_t::replace) + "\n");
}

Expected<Listing> readListing(const std::string& folder) {
  const std::string path = pathOf(folder);
  const Expected<std::string> text = files::readText(path, largest_listing);
  if (!text) return fail(text.error());
  const Expected<files::JsonText> document = files::parseJson(*text, path);
  if (!document) return fail(document.error());
  std::optional<Listing> listing = fromJson(document->root);
  if (!listing)
    return files::refuse(ErrorCode::file_format, path, {"the file", "文件"},
                         {"the list of a sweep as posiscope sweep writes it", "posiscope sweep 写出的扫描列表"},
                         Text{"something else", "其他内容"});
  return *std::move(listing);
}

}  // namespace posiscope::sweep
