// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/missing_file.h"

#include "core/experiment.h"

#include <filesystem>

namespace posiscope {
namespace {

constexpr std::string_view ending = " is missing or has changed";

}  // namespace

bool saysFileIsMissing(const Error& error) {
  return error.code == ErrorCode::file_missing && error.message.en.ends_with(ending);
}

Outcome checkFound(const Text& owner, std::string_view key, const Value& value) {
  if (!isMissing(value)) return {};
  const std::string file = std::filesystem::path(std::get<Array>(value).source).filename().string();
  return fail(ErrorCode::file_missing, join(owner.en, ": ", key, ": the file ", file, ending),
              join(owner.zh, "：", key, "：文件 ", file, " 缺失或已改变"));
}

}  // namespace posiscope
