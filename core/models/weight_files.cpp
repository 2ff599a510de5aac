// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/weight_files.h"

#include "core/files/reader.h"

#include <algorithm>
#include <filesystem>

namespace posiscope::models {

Expected<std::vector<std::string>> weightFiles(const std::string& path) {
  namespace fs = std::filesystem;
  const fs::path folder(path);
  std::error_code error;
  const fs::path index = folder / "model.safetensors.index.json";
  if (fs::exists(index, error)) return files::readShardIndex(index.string());
  if (fs::exists(folder / "model.safetensors", error))
    return std::vector<std::string>{(folder / "model.safetensors").string()};
  std::vector<std::string> found;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == ".safetensors") found.push_back(it->path().string());
  std::ranges::sort(found);
  return found;
}

}  // namespace posiscope::models
