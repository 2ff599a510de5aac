// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schemes/list.h"

#include <gtest/gtest.h>

namespace posiscope::test {

/// What the scheme answers; an empty encoding and a failure of the test when it refuses.
template <class T = double>
Encoding<T> encoded(std::string_view id, const ParamValues& values, const Shape& shape) {
  const Scheme* scheme = schemes::find(id);
  if (!scheme) {
    ADD_FAILURE() << "no scheme " << id;
    return {};
  }
  Expected<Encoding<T>> encoding = encode<T>(*scheme, values, shape);
  if (encoding) return *std::move(encoding);
  ADD_FAILURE() << encoding.error().message.en;
  return {};
}

/// The sentence of the refusal, or "accepted".
inline std::string refusal(std::string_view id, const ParamValues& values, const Shape& shape) {
  const Outcome outcome = schemes::find(id)->check(values, shape);
  return outcome ? "accepted" : outcome.error().message.en;
}

}  // namespace posiscope::test
