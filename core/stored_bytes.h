// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/content.h"
#include "core/encoding.h"
#include "core/sinusoidal.h"

#include <variant>

namespace posiscope {

// The memory limit is for all that one question holds at once: whoever allocates counts what it was given, too.

/// Bytes of an encoding's numbers. What its functions keep is checked by the scheme itself.
template <class T>
double storedBytes(const Encoding<T>& encoding) {
  const InputPart<T>& input = encoding.input;
  double numbers = static_cast<double>(input.table.values.size());
  if (const auto* bias = std::get_if<OffsetBias<T>>(&encoding.logits.bias))
    numbers += static_cast<double>(bias->values.size());
  // A table that is not stored keeps its factors.
  return numbers * sizeof(T) + (input.fill_row ? sinusoidalBytes<T>(input.rows, input.cols) : 0);
}

/// Bytes of a content's arrays.
template <class T>
double storedBytes(const Content<T>& content) {
  double numbers = 0;
  for (const std::vector<T>* values : {&content.x.values, &content.w_q.values, &content.w_k.values, &content.w_v.values,
                                       &content.q, &content.k, &content.v})
    numbers += static_cast<double>(values->size());
  return numbers * sizeof(T);
}

}  // namespace posiscope
