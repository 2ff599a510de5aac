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

Text fileInWords(std::string_view path) {
  for (const std::string_view kind : {".safetensors#", ".npz#"}) {
    const std::size_t dot = path.rfind(kind);
    if (dot == std::string_view::npos) continue;
    const std::string_view file = path.substr(0, dot + kind.size() - 1), tensor = path.substr(dot + kind.size());
    return {join(file, " (tensor ", tensor, ")"), join(file, " (张量 ", tensor, ")")};
  }
  return {std::string(path), std::string(path)};
}

Outcome checkFound(const Text& owner, std::string_view key, const Value& value) {
  if (!isMissing(value)) return {};
  const Text file = fileInWords(std::filesystem::path(std::get<Array>(value).source).filename().string());
  return fail(ErrorCode::file_missing, join(owner.en, ": ", key, ": the file ", file.en, ending),
              join(owner.zh, "：", key, "：文件 ", file.zh, " 缺失或已改变"));
}

}  // namespace posiscope
