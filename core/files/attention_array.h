// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/array.h"
#include "core/attention_reading.h"
#include "core/error.h"
#include "core/files/reader.h"
#include "core/job.h"

#include <string>
#include <string_view>
#include <vector>

namespace posiscope::files {

/// What an axis of stored attention counts.
enum class AttentionAxis { batch, layer, head, query, key };

/// What the numbers are.
enum class AttentionKind { weights, logits };

/// Attention that another program has stored, always as [batch, layer, head, query, key]; axes that the file does not
/// have are 1 long.
struct AttentionArray {
  Array array;
  AttentionKind kind = AttentionKind::weights;
  Text reason;                  ///< one sentence: why it is taken for weights or for logits
  std::int64_t empty_rows = 0;  ///< rows with nothing to attend to: weights all 0, or logits all −∞ (or NaN weights)
  std::int64_t damaged_rows = 0;  ///< others with a NaN among their numbers: these do not tell what the numbers are
  bool may_be_cropped = false;    ///< logits all of which lie between 0 and 1, as weights with keys cut off do

  std::int64_t batches() const { return array.shape[0]; }
  std::int64_t layers() const { return array.shape[1]; }
  std::int64_t heads() const { return array.shape[2]; }
  std::int64_t queries() const { return array.shape[3]; }
  std::int64_t keys() const { return array.shape[4]; }
};

/// The axes of so many dimensions as programs usually store them: [query, key], [head, …], [layer, head, …],
/// [batch, layer, head, …]. 2 to 5.
std::vector<AttentionAxis> usualAxes(std::size_t rank);

/// "layer,head,query,key" as axes, in the order of an array's dimensions. Empty for an empty text. Error: bad_value.
Expected<std::vector<AttentionAxis>> parseAxes(std::string_view text);

/// The arrays of a file among which a person has to choose: of an .npz, or a .safetensors, those of 2 to 5 dimensions;
/// of an .npy the one there is. Errors: those of the readers.
Expected<std::vector<TensorEntry>> attentionCandidates(const std::string& path, const Job& job = Job());

/// The refusal of a file of several arrays where none is named; it lists them.
Error severalArrays(const std::string& path, const std::vector<TensorEntry>& arrays);

/// Is there nothing to show in it: an object, or no elements, as fused kernels leave the attention of an .npz?
bool holdsNoNumbers(const TensorEntry& entry);

/// Could all numbers but the NaN be weights?
bool isWithinWeights(const Array& array);
/// What such numbers may be where their rows do not sum to 1, and how they are taken for weights.
Text croppedWeightsNote();

/// Reads "a.npy", "a.npz#name" or "a.safetensors#name" (the name may be left out where there is one candidate). `axes`
/// names each axis of the array, each of them once, query and key among them; empty = the usual ones. Errors: those of
/// the readers; unknown_name where a name is needed; bad_shape for other ranks and axes; not_defined when the program
/// stored none ("attentions" empty or an object, as fused kernels leave it).
Expected<AttentionArray> readAttention(const std::string& path, const std::vector<AttentionAxis>& axes = {},
                                       const Job& job = Job());

/// The array alone, as it is stored: what a question keeps. Errors: those of the readers; unknown_name, not_defined.
Expected<Array> readStoredAttention(const std::string& path, const Job& job = Job());

/// The same of an array that has been read; a person may say what its numbers are. Errors: bad_shape, not_defined,
/// too_large.
Expected<AttentionArray> attentionOf(const Array& array, const std::vector<AttentionAxis>& axes = {},
                                     AttentionReading reading = AttentionReading::recognised);

/// The weights: themselves, or the softmax of each row of logits, where −∞ is masked and a row of nothing else is all
/// zeros. A row of NaN (a softmax of nothing, 0/0) is all zeros, too. One NaN among weights stays where it is; the
/// softmax of logits with a NaN or +∞ among them is all NaN.
Array weightsOf(const AttentionArray& attention);

}  // namespace posiscope::files
