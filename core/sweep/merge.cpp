// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/merge.h"

#include "core/files/atomic_file.h"
#include "core/sweep/listing.h"
#include "core/sweep/record.h"

#include <filesystem>
#include <fstream>

namespace posiscope::sweep {
namespace {

namespace fs = std::filesystem;

/// The list that all parts have.
Expected<Listing> sharedListing(const std::vector<std::string>& parts) {
  Expected<Listing> first = readListing(parts.front());
  for (std::size_t p = 1; first && p < parts.size(); ++p) {
    const Expected<Listing> other = readListing(parts[p]);
    if (!other) return other;
    if (*other != *first)
      return fail(ErrorCode::bad_value,
                  join(parts[p], " must hold a part of the same sweep as ", parts.front(), ", got one of another"),
                  join(parts[p], " 必须与 ", parts.front(), " 同属一次扫描，却属于另一次"));
  }
  return first;
}

/// For each item the first part that has it.
Expected<std::vector<std::size_t>> owners(const std::vector<std::string>& parts, const Listing& listing) {
  std::vector<std::size_t> result;
  const Listing::Entry* first_missing = nullptr;
  std::size_t missing = 0;
  for (const Listing::Entry& entry : listing.items) {
    std::size_t p = 0;
    while (p < parts.size() && !findRecord(parts[p], entry.key)) ++p;
    result.push_back(p);
    if (p < parts.size()) continue;
    ++missing;
    if (!first_missing) first_missing = &entry;
  }
  if (missing == 0) return result;
  return fail(ErrorCode::file_missing,
              join("merge: all ", listing.items.size(), " items must be finished, but ", missing,
                   " are in none of the folders, such as ", first_missing->measure, " of ", first_missing->scheme, " (",
                   first_missing->key, "): run the missing part of the sweep again"),
              join("合并：全部 ", listing.items.size(), " 项都须完成，但有 ", missing, " 项不在任何文件夹中，例如 ",
                   first_missing->scheme, " 的 ", first_missing->measure, "（", first_missing->key,
                   "）：请重新运行缺失的部分"));
}

Outcome copy(const std::string& from, const std::string& to) {
  std::ifstream in(from, std::ios::binary);
  if (!in) return fail(ErrorCode::file_missing, join(from, " cannot be read"), join(from, " 无法读取"));
  Expected<files::AtomicFile> file = files::AtomicFile::open(to);
  if (!file) return fail(file.error());
  std::vector<char> piece(std::size_t{1} << 20);
  while (in) {
    in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    if (Outcome ok = file->write({piece.data(), static_cast<std::size_t>(in.gcount())}); !ok) return ok;
  }
  if (in.bad()) return fail(ErrorCode::file_missing, join(from, " cannot be read"), join(from, " 无法读取"));
  return file->commit();
}

/// The array first: a record says that it is there.
Outcome copyItem(const std::string& key, const std::string& part, const std::string& out) {
  for (const auto path : {arrayPath, recordPath})
    if (fs::exists(path(part, key)))
      if (Outcome ok = copy(path(part, key), path(out, key)); !ok) return ok;
  return {};
}

}  // namespace

Expected<std::size_t> merge(const std::vector<std::string>& parts, const std::string& out, const Job& job) {
  const Expected<Listing> listing = sharedListing(parts);
  if (!listing) return fail(listing.error());
  const Expected<std::vector<std::size_t>> owner = owners(parts, *listing);
  if (!owner) return fail(owner.error());
  std::error_code error;
  fs::create_directories(out + "/items", error);
  for (std::size_t n = 0; n < owner->size(); ++n) {
    if (job.stopped()) return fail(ErrorCode::cancelled, "the merge was stopped", "合并已停止");
    const std::string& part = parts[(*owner)[n]];
    if (!fs::equivalent(part, out, error))
      if (Outcome ok = copyItem(listing->items[n].key, part, out); !ok) return fail(ok.error());
    job.setProgress(static_cast<double>(n + 1) / static_cast<double>(owner->size()));
  }
  if (Outcome ok = writeListing(out, *listing); !ok) return fail(ok.error());
  if (Outcome ok = writeSummary(out, *listing, Job()); !ok) return fail(ok.error());
  return listing->items.size();
}

}  // namespace posiscope::sweep
