// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/transformers/plan.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace posiscope::transformers {

/// A bias that the weights hold is taken in any case; one that the architecture or the configuration promises must be
/// there, because without it it would be another model.
enum class Bias { where_stored, promised };

/// Takes tensors by name and checks their shapes. The first thing wrong is kept and everything after it is empty, so
/// that the lists of names read as lists; ask `finish` at the end.
class PlanReader {
 public:
  /// `prefixes`: what may stand before the names ("model."); the first one with which `probe` is there counts.
  PlanReader(const WeightSource& source, std::initializer_list<std::string_view> prefixes, std::string_view probe);

  bool has(std::string_view name) const { return source_.find(prefix_ + std::string(name)) != nullptr; }
  /// The same without the prefix: the head stands beside the model.
  bool hasOuter(std::string_view name) const { return source_.find(name) != nullptr; }
  /// The first dimension of a tensor; 0 where it is not there.
  std::int64_t rowsOf(std::string_view name) const;
  /// −1 in `shape` = any size. Errors: file_format (not there), bad_shape.
  StoredTensor tensor(std::string_view name, const std::vector<std::int64_t>& shape);
  StoredTensor outerTensor(std::string_view name, const std::vector<std::int64_t>& shape);

  /// STEM.weight and STEM.bias. Sizes −1 = any.
  Linear linear(const std::string& stem, std::int64_t outputs, std::int64_t inputs, Bias bias);
  /// A part of a Conv1D, which always has a bias: `parts` of them lie side by side.
  Linear convolution(const std::string& stem, std::int64_t outputs, std::int64_t inputs, std::int64_t part = 0,
                     std::int64_t parts = 1);
  /// STEM.weight and .bias, or .gamma and .beta as the oldest files call them.
  Norm layerNorm(const std::string& stem, std::int64_t width, double epsilon);
  Norm rootMeanSquareNorm(const std::string& stem, std::int64_t width, double epsilon);

  /// Layers that are there under `layers` ("h."): one more than the last one's number.
  std::int64_t layersStored(std::string_view layers) const;

  /// Every tensor under `layers` ("h.") must have been taken: what is left over would be left out of the numbers.
  /// `buffers`: ends of names that carry nothing trained. Errors: the first kept one; not_supported.
  Outcome finish(std::string_view layers, std::initializer_list<std::string_view> buffers) const;

 private:
  StoredTensor take(const std::string& name, const std::vector<std::int64_t>& shape);

  const WeightSource& source_;
  std::string prefix_;
  std::set<std::string, std::less<>> taken_;
  Outcome outcome_;
};

}  // namespace posiscope::transformers
