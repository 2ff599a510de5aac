// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session_arrays.h"

#include "core/carried_models.h"
#include "core/files/reader.h"
#include "core/files/refusal.h"
#include "core/missing_file.h"

#include <filesystem>

namespace posiscope::session {

using files::escaped;

FoundArray findArray(const ArrayReference& reference, const std::string& session_file, const Job& job) {
  const std::filesystem::path stored(reference.file);
  const std::filesystem::path folder = std::filesystem::path(session_file).parent_path();
  std::vector<std::filesystem::path> places{stored};
  // One of a model that comes with the program lies in another folder on every machine.
  if (const std::string carried = carriedPlace(reference.file); carried != reference.file) places.emplace_back(carried);
  const std::filesystem::path relative = stored.relative_path();
  for (auto first = relative.begin(); first != relative.end(); ++first) {
    std::filesystem::path place = folder;
    for (auto part = first; part != relative.end(); ++part) place /= *part;
    places.push_back(place);
  }
  FoundArray result;
  result.missing.path = reference.file;
  for (const auto& place : places) {
    Expected<Array> array = files::readArray(place.string(), job);
    if (array && array->shape == reference.array.shape &&
        (reference.digest.empty() || digest(*array) == reference.digest)) {
      result.array = *std::move(array);
      return result;
    }
    if (!array && array.error().code == ErrorCode::file_missing) continue;
    // A file elsewhere that only shares the name is another file, not the one of the session changed.
    if (place == stored || (stored.is_relative() && place == folder / stored))
      result.missing.changed = true;
    else if (result.missing.other.empty())
      result.missing.other = place.string();
  }
  return result;
}

Text describe(const MissingArray& missing) {
  const std::string where = missing.where;
  const Text file = fileInWords(escaped(missing.path, 4096));
  if (missing.changed)
    return {join(where, ": the file ", file.en, " has changed since the session was saved."),
            join(where, "：文件 ", file.zh, " 在会话保存后已改变。")};
  if (missing.other.empty())
    return {join(where, ": the file ", file.en, " is missing."), join(where, "：文件 ", file.zh, " 缺失。")};
  const Text other = fileInWords(escaped(missing.other, 4096));
  return {join(where, ": the file ", file.en, " is missing; ", other.en, " has its name but holds other numbers."),
          join(where, "：文件 ", file.zh, " 缺失；", other.zh, " 与它同名，但内容不同。")};
}

}  // namespace posiscope::session
