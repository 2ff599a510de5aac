// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/reader.h"
#include "core/files/refusal.h"
#include "core/files/source_file.h"

#include <filesystem>

namespace posiscope::files {

Expected<std::string> readText(const std::string& path, std::uint64_t limit) {
  Expected<SourceFile> file = SourceFile::open(path);
  if (!file) return fail(file.error());
  if (file->size() > limit)
    return refuse(ErrorCode::too_large, path, {"the file's size", "文件大小"},
                  {join("at most ", limit, " bytes"), join("不超过 ", limit, " 字节")}, join(file->size()));
  return file->text(0, file->size());
}

Expected<Array> readArray(const std::string& path) {
  std::error_code error;
  const std::size_t hash = path.rfind(".safetensors#");
  // A file may have '#' in its name; a path that exists is that file.
  if (hash == std::string::npos || std::filesystem::exists(path, error)) {
    if (!path.ends_with(".safetensors")) return readNpy(path);
    return refuse(ErrorCode::unknown_name, path, {"the path", "路径"},
                  {"followed by '#' and the name of a tensor", "后接 '#' 与张量名称的"}, Text{"none", "没有名称"});
  }
  const std::size_t end = path.find('#', hash);
  const Expected<Safetensors> file = Safetensors::open(path.substr(0, end));
  if (!file) return fail(file.error());
  const std::string name = path.substr(end + 1);
  if (const TensorEntry* tensor = file->find(name)) return file->read(*tensor);
  return refuse(ErrorCode::unknown_name, file->path(), {"the tensor", "张量"},
                {"one of those in the file", "文件中已有的"}, "'" + name + "'");
}

}  // namespace posiscope::files
