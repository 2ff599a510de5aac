// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/missing_file.h"

#include "core/experiment.h"

#include <filesystem>

namespace posiscope {

Outcome checkFound(const Text& owner, std::string_view key, const Value& value) {
  if (!isMissing(value)) return {};
  const std::string file = std::filesystem::path(std::get<Array>(value).source).filename().string();
  return fail(ErrorCode::file_missing, join(owner.en, ": ", key, ": the file ", file, " is missing or has changed"),
              join(owner.zh, "：", key, "：文件 ", file, " 缺失或已改变"));
}

}  // namespace posiscope
