// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/files/attention_array.h"
#include "core/models/model.h"

#include <cstdint>
#include <string>
#include <vector>

namespace posiscope::models {

/// Some rows of an array, along its last axis, or all of them.
struct SeenRows {
  Array rows;                       ///< [rows, last axis]
  std::vector<std::int64_t> index;  ///< which they are, counted over the axes before
};
/// Every row of an array of at least two dimensions.
SeenRows allRows(const Array& array);
/// Rows of an .npy file, evenly spread and from all places of a map: about so many numbers that a file of any size is
/// answered at once. Errors: those of the reader.
Expected<SeenRows> someRows(const std::string& path, const files::TensorEntry& entry);

/// What an array of two to five dimensions looks like by its shape and these rows.
enum class ArrayMeaning { table, attention_weights, attention_logits, projections };
/// Do its rows decide? A map of two dimensions has no more queries than keys; else it is a table.
bool mayBeAttention(const std::vector<std::int64_t>& shape);
ArrayMeaning meaningOf(const std::vector<std::int64_t>& shape, const SeenRows& seen);
/// "attention weights [layers, heads, queries, keys]".
Text meaningText(ArrayMeaning meaning, std::size_t rank);
/// How an array that looks like queries, keys or values opens by hand as logits, or with its axes named where these
/// sizes cannot.
Text byHandNote(const std::vector<std::int64_t>& shape);

/// Makes the attention the inspection's content, with sizes and mask; where the program allows no such sizes, a note
/// says so, and only what may have its axes in another order is taken, for them to be named. `array` may be without
/// numbers, then `seen` decides alone.
void takeAttention(const Array& array, ArrayMeaning meaning, const SeenRows& seen, Inspection& result);

/// A file that is attention because its axes are named, "layer,batch,head,key,query" (empty = the usual ones), or its
/// numbers. Errors: those of the readers and of the axes; bad_shape where the program allows no such sizes.
Expected<Inspection> inspectAttention(const std::string& path, const std::string& axes,
                                      AttentionReading reading = AttentionReading::recognised, const Job& job = Job());

/// Heads, queries, keys and layers as `found` has them; what else says something of the sequence is taken back. The
/// layer that is looked at stays.
void setAttentionSizes(const Shape& found, Shape& shape);
/// Has the shape the sizes of the content's attention array? Also said of one whose axes are not understood.
bool fitsAttention(const Experiment& e);
/// With sizes and mask of the content's attention array, as its axes say; unchanged where they cannot be had.
Experiment withAttentionSizes(Experiment e);

}  // namespace posiscope::models
