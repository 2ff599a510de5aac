// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/json_text.h"
#include "core/files/reader.h"
#include "core/files/refusal.h"

#include <filesystem>
#include <set>

namespace posiscope::files {
namespace {

using nlohmann::json;

constexpr std::uint64_t largest_index = 64u << 20;

bool isPlainName(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find_first_of("/\\:") == std::string::npos &&
         name.find('\0') == std::string::npos && name.ends_with(".safetensors");
}

/// Links are resolved first. The download cache of Hugging Face keeps snapshots/ID/name as links to blobs/, two
/// folders up: that is the one place outside that is allowed.
bool isInside(const std::filesystem::path& folder, const std::filesystem::path& file) {
  std::error_code error;
  const auto real_folder = std::filesystem::canonical(folder.empty() ? "." : folder, error);
  if (error) return false;
  const auto parent = std::filesystem::weakly_canonical(file, error).parent_path();
  return !error && (parent == real_folder || parent == real_folder.parent_path().parent_path() / "blobs");
}

}  // namespace

Expected<std::vector<std::string>> readShardIndex(const std::string& path) {
  const Expected<std::string> text = readText(path, largest_index);
  if (!text) return fail(text.error());
  const Expected<JsonText> parsed = parseJson(*text, path);
  if (!parsed) return fail(parsed.error());
  const json* map =
      parsed->root.is_object() && parsed->root.contains("weight_map") ? &parsed->root["weight_map"] : nullptr;
  if (!map || !map->is_object())
    return refuse(ErrorCode::file_format, path, same("weight_map"),
                  {"an object of tensor and file names", "由张量名与文件名组成的对象"},
                  map ? shown(*map) : "no such key");
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::set<std::string> names;
  for (const auto& [tensor, name] : map->items()) {
    if (!name.is_string() || !isPlainName(name.get<std::string>()))
      return refuse(ErrorCode::file_format, path, same("weight_map '" + escaped(tensor) + "'"),
                    {"the plain name of a .safetensors file", "一个 .safetensors 文件的纯文件名"}, same(shown(name)));
    names.insert(name.get<std::string>());
  }
  std::vector<std::string> files;
  for (const std::string& name : names) {
    files.push_back((folder / name).string());
    if (!isInside(folder, files.back()))
      return refuse(ErrorCode::file_format, path, same("weight_map"), {"files inside its folder", "其文件夹内的文件"},
                    Text{"a link that leads outside: " + escaped(name), "指向外部的链接：" + escaped(name)});
  }
  return files;
}

}  // namespace posiscope::files
