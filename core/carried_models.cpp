// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/carried_models.h"

#include "core/error.h"

#include <filesystem>
#include <utility>

namespace posiscope {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view folder_prefix = "trained-";  ///< of the folders "…/models/trained-rope"

FindCarriedModel& carrier() {
  static FindCarriedModel find;
  return find;
}

std::string placeOf(const std::string& name) { return carrier() ? carrier()(name) : std::string(); }

bool isCarriedFolder(const fs::path& folder) {
  return folder.parent_path().filename() == "models" && folder.filename().string().starts_with(folder_prefix);
}

std::string nameOf(const fs::path& folder) { return folder.filename().string().substr(folder_prefix.size()); }

}  // namespace

void setCarriedModels(FindCarriedModel find) { carrier() = std::move(find); }

std::string carriedPlace(const std::string& path) {
  if (path.starts_with(carried_prefix)) {
    const std::string place = placeOf(path.substr(carried_prefix.size()));
    return place.empty() ? path : place;
  }
  std::error_code error;
  if (fs::exists(path, error)) return path;
  const fs::path folder(path);
  const fs::path parent = folder.parent_path();
  const bool file_inside = isCarriedFolder(parent);
  if (!file_inside && !isCarriedFolder(folder)) return path;
  const std::string place = placeOf(nameOf(file_inside ? parent : folder));
  if (place.empty()) return path;
  return file_inside ? (fs::path(place) / folder.filename()).string() : place;
}

std::string carriedName(const std::string& folder) {
  if (!isCarriedFolder(folder)) return folder;
  const std::string name = nameOf(folder);
  return placeOf(name) == folder ? join(carried_prefix, name) : folder;
}

}  // namespace posiscope
