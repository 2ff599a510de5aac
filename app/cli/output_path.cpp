// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output_path.h"

#include "core/near_names.h"

#include <algorithm>
#include <filesystem>

namespace posiscope::cli {

std::string numberedPath(const std::string& path, std::size_t number) {
  if (path.empty()) return path;
  const std::filesystem::path p(path);
  const std::string name = p.stem().string() + "." + std::to_string(number) + p.extension().string();
  return (p.parent_path() / name).string();
}

Outcome checkOutput(const std::string& path, const std::vector<std::string>& endings, const std::string& flag) {
  if (path.empty()) return {};
  if (std::ranges::none_of(endings, [&](const std::string& e) { return path.ends_with(e); }))
    return fail(ErrorCode::bad_value, join(flag, " must end in ", listed(endings, " or "), ", got '", path, "'"));
  std::error_code unreadable;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (folder.empty() || std::filesystem::is_directory(folder, unreadable)) return {};
  return fail(ErrorCode::file_missing, join(flag, " must name a file in a folder that exists, got '", path,
                                            "': there is no folder '", folder.string(), "'"));
}

}  // namespace posiscope::cli
