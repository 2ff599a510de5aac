// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/atomic_file.h"

#include "core/files/reader.h"
#include "core/files/refusal.h"

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <random>
#include <system_error>

namespace posiscope::files {
namespace {

/// Two programs saving the same file must not share a sibling.
std::string siblingOf(const std::string& target) {
  static const unsigned own = std::random_device{}();
  static std::atomic<unsigned> count{0};
  return join(target, ".", std::hex, own, "-", count++, ".part");
}

std::string systemText(int error) { return std::generic_category().message(error); }

}  // namespace

tl::unexpected<Error> AtomicFile::failed(int error) const {
  return refuse(ErrorCode::file_write, path_, {"the file", "文件"},
                {"in a folder that can be written to", "位于可写文件夹中的"}, systemText(error));
}

Expected<AtomicFile> AtomicFile::open(const std::string& path) {
  AtomicFile file;
  file.path_ = path;
  std::error_code error;
  if (path.empty() || std::filesystem::is_directory(path, error)) return file.failed(path.empty() ? ENOENT : EISDIR);
  const std::filesystem::path target = std::filesystem::weakly_canonical(path, error);
  file.target_ = error ? path : target.string();
  file.sibling_ = siblingOf(file.target_);
  file.stream_.reset(std::fopen(file.sibling_.c_str(), "wbx"));
  if (!file.stream_) {
    const int why = errno;
    file.sibling_.clear();
    return file.failed(why);
  }
  const auto status = std::filesystem::status(file.target_, error);
  if (std::filesystem::is_regular_file(status))
    std::filesystem::permissions(file.sibling_, status.permissions(), error);
  return file;
}

AtomicFile::~AtomicFile() {
  if (!stream_) return;
  stream_.reset();
  std::remove(sibling_.c_str());
}

Outcome AtomicFile::write(std::string_view bytes) {
  if (bytes.empty()) return {};  // an empty view may point nowhere, which fwrite does not take
  if (std::fwrite(bytes.data(), 1, bytes.size(), stream_.get()) != bytes.size()) return failed(errno);
  return {};
}

Outcome AtomicFile::commit() {
  std::FILE* stream = stream_.release();
  // A full disk may show itself only when the last buffer is written.
  const bool flushed = std::fclose(stream) == 0;
  if (flushed && std::rename(sibling_.c_str(), target_.c_str()) == 0) return {};
  const int why = errno;
  std::remove(sibling_.c_str());
  return failed(why);
}

Outcome writeAtomically(const std::string& path, std::string_view bytes) {
  Expected<AtomicFile> file = AtomicFile::open(path);
  if (!file) return fail(file.error());
  if (Outcome ok = file->write(bytes); !ok) return ok;
  return file->commit();
}

}  // namespace posiscope::files
