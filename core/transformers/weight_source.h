// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/files/element.h"
#include "core/files/mapped_file.h"

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace posiscope::transformers {

/// The numbers of one tensor as [rows, cols], still in the file's type; a vector is one row.
struct TensorView {
  std::span<const unsigned char> bytes;
  files::Element type = files::Element::f32;
  std::int64_t rows = 0;
  std::int64_t cols = 0;

  /// The numbers of row `row` from column `col` on, as many as `out` takes.
  template <class T>
  void read(std::int64_t row, std::int64_t col, std::span<T> out) const;
};

/// One tensor of a model's files: where it lies, nothing of its numbers. A value; it keeps the file open.
struct StoredTensor {
  std::string name;  ///< with its file: "model.safetensors#wte.weight"
  std::vector<std::int64_t> shape;
  files::Element type = files::Element::f32;
  files::MappedFile file;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;

  bool empty() const { return shape.empty(); }
  /// Error: file_format when the file has become shorter.
  Expected<TensorView> view() const;
  /// All numbers of a small tensor (a gain, an offset). Error: the same.
  Expected<std::vector<double>> numbers() const;
  /// Large tensors are given back to the system after their use, so that a model never fills the memory.
  void release(const TensorView& view) const;
};

/// The weights of a model, mapped from its .safetensors files.
class WeightSource {
 public:
  /// `folder`: a model's. Errors: those of the index and of the files; file_missing without any; file_format when two
  /// files hold a tensor of one name.
  static Expected<WeightSource> open(const std::string& folder);

  const std::map<std::string, StoredTensor, std::less<>>& tensors() const { return tensors_; }
  const StoredTensor* find(std::string_view name) const;

 private:
  Outcome add(const std::string& path);

  std::map<std::string, StoredTensor, std::less<>> tensors_;
};

}  // namespace posiscope::transformers
