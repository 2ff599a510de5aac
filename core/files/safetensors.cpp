// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/reader.h"
#include "core/files/refusal.h"
#include "core/files/safetensors_header.h"
#include "core/files/source_file.h"

#include <algorithm>

namespace posiscope::files {
namespace {

constexpr std::uint64_t smallest_header = 2;           // "{}"
constexpr std::uint64_t largest_header = 100'000'000;  // the reference reader's limit, not 100 MiB

std::uint64_t littleEndian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = (value << 8) | static_cast<unsigned char>(bytes[i]);
  return value;
}

Error notOne(SourceFile& file, const Text& found) {
  return refuse(ErrorCode::file_format, file.path(), {"the content", "内容"},
                {"a model file (.safetensors)", "模型文件（.safetensors）"}, found)
      .value();
}

/// The header's length, believed only when the file has room for it.
Expected<std::uint64_t> headerLength(SourceFile& file) {
  const std::string start = file.start(8);
  if (const auto known = recognise(file.start(512))) return fail(notOne(file, *known));
  if (file.size() < 8 + smallest_header || start.size() < 8)
    return fail(notOne(file, {join("a file of ", file.size(), " bytes"), join("仅 ", file.size(), " 字节的文件")}));
  const std::uint64_t length = littleEndian(start);
  const std::uint64_t room = std::min(largest_header, file.size() - 8);
  if (length >= smallest_header && length <= room) return length;
  const std::uint64_t swapped = littleEndian(std::string(start.rbegin(), start.rend()));
  Text found = same(join(length));
  if (swapped >= smallest_header && swapped <= room) {
    found.en += join(" (", swapped, " in the other byte order: is the file byte-swapped?)");
    found.zh += join("（按相反字节序为 ", swapped, "：文件的字节序是否颠倒？）");
  }
  Text allowed{join("at most ", room, " bytes (the file ends there)"),
               join("不超过 ", room, " 字节的（文件到此为止）")};
  if (length < smallest_header) allowed = {"at least 2 bytes", "至少 2 字节的"};
  if (length > largest_header) allowed = {"at most 100 000 000 bytes", "不超过 100 000 000 字节的"};
  return refuse(ErrorCode::file_format, file.path(), {"the header's length", "头部长度"}, allowed, found);
}

}  // namespace

Expected<Safetensors> Safetensors::open(const std::string& path, const Job& job) {
  Expected<SourceFile> file = SourceFile::open(path, job);
  if (!file) return fail(file.error());
  const Expected<std::uint64_t> length = headerLength(*file);
  if (!length) return fail(length.error());
  const Expected<std::string> header = file->text(8, *length);
  if (!header) return fail(header.error());
  const std::uint64_t data = 8 + *length;
  auto tensors = parseSafetensorsHeader(*header, data, file->size() - data, path);
  if (!tensors) return fail(tensors.error());
  Safetensors result;
  result.job_ = job;
  result.path_ = path;
  result.file_size_ = file->size();
  result.tensors_ = *std::move(tensors);
  return result;
}

const TensorEntry* Safetensors::find(std::string_view name) const {
  const auto found = std::ranges::find(tensors_, name, &TensorEntry::name);
  return found == tensors_.end() ? nullptr : &*found;
}

Expected<Array> Safetensors::read(const TensorEntry& tensor) const {
  const SafetensorsType* type = findSafetensorsType(tensor.dtype);
  if (!type || !type->element)
    return refuse(ErrorCode::file_type, path_, same(join("'", escaped(tensor.name), "' dtype")),
                  {"a float, an integer or BOOL", "浮点、整数或 BOOL"}, tensor.dtype);
  Expected<SourceFile> file = SourceFile::open(path_, job_);
  if (!file) return fail(file.error());
  if (file->size() != file_size_)
    return refuse(ErrorCode::file_format, path_, {"the file's size", "文件大小"},
                  {join("still ", file_size_, " bytes"), join("仍为 ", file_size_, " 字节")}, join(file->size()));
  auto values = file->numbers(tensor.offset, tensor.bytes / bytesOf(*type->element), *type->element, false);
  if (!values) return fail(values.error());
  return makeArray(tensor.shape, *std::move(values), path_ + "#" + tensor.name);
}

}  // namespace posiscope::files
