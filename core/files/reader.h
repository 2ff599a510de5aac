// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/array.h"
#include "core/error.h"
#include "core/job.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace posiscope::files {

/// One tensor listed in a file; nothing of its data has been read.
struct TensorEntry {
  std::string name;
  std::string dtype;  ///< "F32", "BF16", "<f8", …
  std::vector<std::int64_t> shape;
  std::uint64_t offset = 0;  ///< of the data, from the start of the file
  std::uint64_t bytes = 0;
  bool readable = true;  ///< false: a type that can be listed but not shown
};

/// .npy (float and integer types, C and Fortran order). The message names file, field, found, allowed. All that read
/// numbers end with `cancelled` soon after their job was stopped.
Expected<Array> readNpy(const std::string& path, const Job& job = Job());
/// Some rows of an .npy file along its last axis, [rows, cols]: a look into a file of any size. Rows count over the
/// axes before it, the last of them fastest, whichever order the file has; the caller asks only for rows that exist.
Expected<Array> readNpyRows(const std::string& path, std::span<const std::int64_t> rows);
/// What an .npy file holds; the numbers are not read. The name is the file's.
Expected<TensorEntry> describeNpy(const std::string& path);
Outcome writeNpy(const std::string& path, const Array& array, bool single_precision = false);  ///< atomic

/// A .safetensors file: header checked against the file's size before anything is allocated.
class Safetensors {
 public:
  /// The job is that of all reading from the file.
  static Expected<Safetensors> open(const std::string& path, const Job& job = Job());

  const std::string& path() const { return path_; }
  const std::vector<TensorEntry>& tensors() const { return tensors_; }
  const TensorEntry* find(std::string_view name) const;
  Expected<Array> read(const TensorEntry& tensor) const;

 private:
  std::string path_;
  std::uint64_t file_size_ = 0;
  std::vector<TensorEntry> tensors_;
  Job job_;
};

/// The whole text of a small file; refuses more than `limit` bytes before reading.
Expected<std::string> readText(const std::string& path, std::uint64_t limit = 16u << 20);
/// Written to a sibling temporary file, then renamed.
Outcome writeAtomically(const std::string& path, std::string_view bytes);

/// The tensors of a sharded model: file of each shard named by a *.safetensors.index.json, without repetition. Names
/// are untrusted: only plain names of files in the index's folder (or in the blob folder of the download cache it
/// links to) are accepted.
Expected<std::vector<std::string>> readShardIndex(const std::string& path);

/// "file.npy", "model.safetensors#tensor.name", "dump.npz#name", or the bare file when it holds a single array. Errors:
/// those of the readers; unknown_name with the names there are when the file holds no such tensor, or several and none
/// is named.
Expected<Array> readArray(const std::string& path, const Job& job = Job());
/// What is known of that array before its numbers are read. Errors: the same.
Expected<TensorEntry> describeArray(const std::string& path);
/// `readArray` for the file a person chose in place of `missing`, the path an array was read from: when that named a
/// tensor, the tensor of this name is taken from `path`, else the only one.
Expected<Array> readArrayInPlaceOf(const std::string& missing, const std::string& path, const Job& job = Job());

/// The tensors among which a person has to choose before `path` says one array: those of a .safetensors or .npz file
/// with several of which it names none. Empty otherwise, also where `missing` (as above, or empty) says which one is
/// meant.
std::vector<TensorEntry> tensorsToChooseFrom(const std::string& missing, const std::string& path);

}  // namespace posiscope::files
