// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/array_notes.h"

#include "core/files/reader.h"
#include "core/files/refusal.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace posiscope::files {
namespace {

void addNotFinite(const std::string& name, const std::vector<double>& numbers, std::vector<Text>& notes) {
  const auto nans = std::ranges::count_if(numbers, [](double v) { return std::isnan(v); });
  const auto infinities = std::ranges::count_if(numbers, [](double v) { return std::isinf(v); });
  const std::size_t all = numbers.size();
  if (nans > 0)
    notes.push_back(
        {join(name, ": ", nans, " of ", all, " numbers ", nans == 1 ? "is not a number" : "are not numbers", " (NaN)"),
         join(name, "：", all, " 个数值中有 ", nans, " 个不是数（NaN）")});
  if (infinities > 0)
    notes.push_back(
        {join(name, ": ", infinities, " of ", all, " numbers ", infinities == 1 ? "is" : "are", " infinite"),
         join(name, "：", all, " 个数值中有 ", infinities, " 个是无穷大")});
}

/// Bytes behind the numbers of an .npy file: allowed, and often a sign that the file is not what it seems.
void addTrailing(const std::string& name, const std::string& path, const TensorEntry& entry, std::vector<Text>& notes) {
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(path, error);
  if (error || size <= entry.offset + entry.bytes) return;
  const std::uint64_t rest = size - entry.offset - entry.bytes;
  notes.push_back(
      {join(name, ": ", rest, rest == 1 ? " byte after the numbers is" : " bytes after the numbers are", " not read"),
       join(name, "：数值之后还有 ", rest, " 个字节，未读取")});
}

}  // namespace

std::vector<Text> notesOn(const Array& array, const Job& job, Numbers meant) {
  constexpr std::uint64_t most_bytes = 1 << 26;
  std::vector<Text> notes;
  if (array.source.empty()) return notes;
  const std::string name = escaped(array.source, 4096);
  const Expected<TensorEntry> entry = describeArray(array.source);
  if (array.values) {
    addNotFinite(name, *array.values, notes);
  } else if (entry && entry->bytes <= most_bytes) {
    if (const Expected<Array> whole = readArray(array.source, job)) addNotFinite(name, *whole->values, notes);
  }
  if (!entry) return notes;
  if (meant == Numbers::real && entry->dtype.find_first_of("fF") == std::string::npos)
    notes.push_back({join(name, ": the numbers are ", entry->dtype, ", not floating point"),
                     join(name, "：数值类型为 ", entry->dtype, "，不是浮点数")});
  if (array.source.ends_with(".npy")) addTrailing(name, array.source, *entry, notes);
  return notes;
}

}  // namespace posiscope::files
