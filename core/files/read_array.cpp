// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/npz.h"
#include "core/files/reader.h"
#include "core/files/refusal.h"
#include "core/files/source_file.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

namespace posiscope::files {

namespace {

/// A path of "model.safetensors#tensor.name", or the same of an .npz, in its two parts; the name is empty when the path
/// has none.
struct TensorPath {
  std::string file;
  std::string tensor;
  bool named = false;
};

TensorPath splitTensorPath(const std::string& path) {
  std::size_t dot = path.rfind(".safetensors#");
  if (dot == std::string::npos) dot = path.rfind(".npz#");
  std::error_code error;
  // A file may have '#' in its name; a path that exists is that file.
  if (dot == std::string::npos || std::filesystem::exists(path, error)) return {path, {}, false};
  const std::size_t hash = path.find('#', dot);
  return {path.substr(0, hash), path.substr(hash + 1), true};
}

bool holdsSeveral(const std::string& path) { return path.ends_with(".safetensors") || path.ends_with(".npz"); }

/// A file of named arrays, .safetensors or .npz.
class NamedArrays {
 public:
  static Expected<NamedArrays> open(const std::string& path, const Job& job) {
    NamedArrays file;
    file.path_ = path;
    file.job_ = job;
    if (path.ends_with(".npz")) {
      Expected<std::vector<TensorEntry>> entries = describeNpz(path, job);
      if (!entries) return fail(entries.error());
      file.entries_ = *std::move(entries);
      return file;
    }
    Expected<Safetensors> tensors = Safetensors::open(path, job);
    if (!tensors) return fail(tensors.error());
    file.entries_ = tensors->tensors();
    file.tensors_ = *std::move(tensors);
    return file;
  }

  const std::string& path() const { return path_; }
  const std::vector<TensorEntry>& entries() const { return entries_; }
  const TensorEntry* find(std::string_view name) const {
    const auto found = std::ranges::find(entries_, name, &TensorEntry::name);
    return found == entries_.end() ? nullptr : &*found;
  }
  Expected<Array> read(const TensorEntry& entry) const {
    return tensors_ ? tensors_->read(entry) : readNpz(path_, entry.name, job_);
  }

 private:
  std::string path_;
  std::vector<TensorEntry> entries_;
  std::optional<Safetensors> tensors_;
  Job job_;
};

/// The first tensors of a file by name, for a sentence.
Text namesOf(const NamedArrays& file) {
  constexpr std::size_t most = 12;
  Text names;
  const std::size_t count = file.entries().size();
  for (std::size_t i = 0; i < std::min(most, count); ++i) {
    const std::string name = "'" + escaped(file.entries()[i].name) + "'";
    names.en += (i ? ", " : "") + name;
    names.zh += (i ? "、" : "") + name;
  }
  if (count <= most) return names;
  return {join(names.en, " and ", count - most, " more"), join(names.zh, " 等 ", count, " 个")};
}

tl::unexpected<Error> refuseTensor(const NamedArrays& file, const std::string& name) {
  const Text names = namesOf(file);
  return refuse(ErrorCode::unknown_name, file.path(), {"the tensor", "张量"},
                {"one of " + names.en, names.zh + " 之一"}, "'" + name + "'");
}

/// The only tensor of a file. A file with more needs the name of one.
Expected<TensorEntry> findSingle(const NamedArrays& file) {
  if (file.entries().size() == 1) return file.entries().front();
  const Text names = namesOf(file);
  return refuse(ErrorCode::unknown_name, file.path(), {"the path", "路径"},
                {"followed by '#' and one of the tensors " + names.en, "后接 '#' 与张量名称（" + names.zh + "）的"},
                Text{"no name", "没有名称"});
}

Expected<TensorEntry> findTensor(const NamedArrays& file, const TensorPath& parts) {
  if (!parts.named) return findSingle(file);
  if (const TensorEntry* tensor = file.find(parts.tensor)) return *tensor;
  return refuseTensor(file, parts.tensor);
}

Expected<NamedArrays> openFilled(const std::string& path, const Job& job) {
  Expected<NamedArrays> file = NamedArrays::open(path, job);
  if (!file || !file->entries().empty()) return file;
  return refuse(ErrorCode::unknown_name, path, {"the number of tensors", "张量的数目"}, {"at least 1", "至少 1"}, "0");
}

}  // namespace

Expected<std::string> readText(const std::string& path, std::uint64_t limit) {
  Expected<SourceFile> file = SourceFile::open(path);
  if (!file) return fail(file.error());
  if (file->size() > limit)
    return refuse(ErrorCode::too_large, path, {"the file's size", "文件大小"},
                  {join("at most ", limit, " bytes"), join("不超过 ", limit, " 字节")}, join(file->size()));
  return file->text(0, file->size());
}

Expected<Array> readArray(const std::string& path, const Job& job) {
  const TensorPath parts = splitTensorPath(path);
  if (!holdsSeveral(parts.file)) return readNpy(path, job);
  const Expected<NamedArrays> file = openFilled(parts.file, job);
  if (!file) return fail(file.error());
  return findTensor(*file, parts).and_then([&](const TensorEntry& tensor) { return file->read(tensor); });
}

Expected<TensorEntry> describeArray(const std::string& path) {
  const TensorPath parts = splitTensorPath(path);
  if (!holdsSeveral(parts.file)) return describeNpy(path);
  const Expected<NamedArrays> file = openFilled(parts.file, Job());
  if (!file) return fail(file.error());
  return findTensor(*file, parts);
}

Expected<Array> readArrayInPlaceOf(const std::string& missing, const std::string& path, const Job& job) {
  const TensorPath wanted = splitTensorPath(missing);
  const TensorPath chosen = splitTensorPath(path);
  if (wanted.file == missing || chosen.file != path || !holdsSeveral(path)) return readArray(path, job);
  const Expected<NamedArrays> file = openFilled(path, job);
  if (!file) return fail(file.error());
  if (const TensorEntry* tensor = file->find(wanted.tensor)) return file->read(*tensor);
  if (file->entries().size() == 1) return file->read(file->entries().front());
  return refuseTensor(*file, wanted.tensor);
}

std::vector<TensorEntry> tensorsToChooseFrom(const std::string& missing, const std::string& path) {
  if (splitTensorPath(path).file != path || !holdsSeveral(path)) return {};
  const Expected<NamedArrays> file = NamedArrays::open(path, Job());
  if (!file || file->entries().size() < 2) return {};
  const TensorPath wanted = splitTensorPath(missing);
  return wanted.file != missing && file->find(wanted.tensor) ? std::vector<TensorEntry>{} : file->entries();
}

}  // namespace posiscope::files
