// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/source_file.h"

#include "core/files/refusal.h"
#include "core/shape.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

namespace posiscope::files {
namespace {

const Text the_file{"the path", "路径"};

}  // namespace

Expected<SourceFile> SourceFile::open(const std::string& path, const Job& job) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  const Text readable{"a readable file", "可读取的文件"};
  if (!std::filesystem::exists(status))
    return refuse(ErrorCode::file_missing, path, the_file, readable, Text{"nothing at that place", "该处没有文件"});
  if (std::filesystem::is_directory(status))
    return refuse(ErrorCode::file_missing, path, the_file, readable, Text{"a folder", "一个文件夹"});
  if (!std::filesystem::is_regular_file(status))
    return refuse(ErrorCode::file_missing, path, the_file, readable, Text{"a device or a pipe", "一个设备或管道"});
  SourceFile file;
  file.job_ = job;
  file.path_ = path;
  file.size_ = std::filesystem::file_size(path, error);
  file.stream_ = std::make_unique<std::ifstream>(path, std::ios::binary);
  if (error || !*file.stream_)
    return refuse(ErrorCode::file_missing, path, the_file, readable,
                  Text{"a file that may not be read", "一个无权读取的文件"});
  return file;
}

SourceFile SourceFile::unpacked(std::string path, std::string start, const Job& job, std::uint64_t size) {
  SourceFile file;
  file.job_ = job;
  file.path_ = std::move(path);
  file.size_ = size;
  file.stream_ = std::make_unique<std::istringstream>(std::move(start), std::ios::binary);
  return file;
}

Outcome SourceFile::read(std::uint64_t offset, std::span<unsigned char> out) {
  if (offset <= size_ && out.size() <= size_ - offset) {
    if (out.empty()) return {};
    stream_->clear();
    stream_->seekg(static_cast<std::streamoff>(offset));
    stream_->read(reinterpret_cast<char*>(out.data()), static_cast<std::streamsize>(out.size()));
    if (*stream_) return {};
  }
  return fail(tooShort(offset + out.size()));
}

Error SourceFile::tooShort(std::uint64_t wanted) const {
  return refuse(ErrorCode::file_format, path_, Text{"the file", "文件"},
                Text{join("at least ", wanted, " bytes long"), join("至少 ", wanted, " 字节")},
                Text{join("an end after ", size_, " or fewer"), join("最多 ", size_, " 字节")})
      .value();
}

Expected<std::string> SourceFile::text(std::uint64_t offset, std::uint64_t bytes) {
  if (offset > size_ || bytes > size_ - offset) return fail(tooShort(offset + bytes));
  std::string text(static_cast<std::size_t>(bytes), '\0');
  if (Outcome ok = read(offset, {reinterpret_cast<unsigned char*>(text.data()), text.size()}); !ok)
    return fail(ok.error());
  return text;
}

Expected<std::vector<double>> SourceFile::numbers(std::uint64_t offset, std::uint64_t count, Element type, bool big) {
  if (Outcome ok = checkMemory(escaped(path_), static_cast<double>(count) * sizeof(double)); !ok)
    return fail(ok.error());
  const std::uint64_t width = bytesOf(type);
  std::vector<double> values(static_cast<std::size_t>(count));
  constexpr std::size_t piece = 1u << 16;
  std::vector<unsigned char> buffer(static_cast<std::size_t>(std::min<std::uint64_t>(count, piece) * width));
  for (std::size_t done = 0; done < values.size(); done += piece) {
    if (job_.stopped())
      return fail(ErrorCode::cancelled, join(escaped(path_, 4096), ": reading was stopped"),
                  join(escaped(path_, 4096), "：读取已停止"));
    const std::size_t now = std::min(piece, values.size() - done);
    const std::span<unsigned char> bytes(buffer.data(), now * width);
    if (Outcome ok = read(offset + done * width, bytes); !ok) return fail(ok.error());
    decode(type, big, bytes, {values.data() + done, now});
  }
  return values;
}

std::string SourceFile::start(std::uint64_t bytes) {
  Expected<std::string> first = text(0, std::min(bytes, size_));
  return first ? *std::move(first) : std::string{};
}

std::optional<std::uint64_t> product(const std::vector<std::int64_t>& shape) {
  std::uint64_t result = 1;
  bool overflow = false;
  for (const std::int64_t dimension : shape) {
    if (dimension < 0 || dimension > largest_dimension) return std::nullopt;
    overflow = __builtin_mul_overflow(result, static_cast<std::uint64_t>(dimension), &result) || overflow;
  }
  if (std::ranges::find(shape, 0) != shape.end()) return 0;
  if (overflow) return std::nullopt;
  return result;
}

}  // namespace posiscope::files
