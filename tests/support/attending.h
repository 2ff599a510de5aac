// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/attention.h"
#include "core/schemes/list.h"
#include "tests/support/golden.h"

#include <gtest/gtest.h>
#include <cmath>
#include <string>

namespace posiscope::test {

/// Random q, k and v of a shape.
template <class T>
Content<T> randomContent(const Shape& shape, bool embeddings = false, std::int64_t seed = 3) {
  ContentSpec spec;
  spec.seed = seed;
  spec.word_std = 1;
  return makeContent<T>(spec, shape, embeddings).value();
}

/// q, k and (when it has a name) v of the golden data.
template <class T>
Content<T> goldenContent(const std::string& situation, const std::string& folder = "reference_bias",
                         bool values = false) {
  Content<T> content;
  content.q = numbersOf<T>(golden("inputs/" + situation + "__Q", folder));
  content.k = numbersOf<T>(golden("inputs/" + situation + "__K", folder));
  if (values) {
    const Array v = golden("inputs/" + situation + "__V", folder);
    content.v = numbersOf<T>(v);
    content.value_dim = v.shape.back();
  }
  return content;
}

/// E, W_Q and W_K of the golden data.
template <class T>
Content<T> goldenEmbeddings(const std::string& situation) {
  Content<T> content;
  content.x = tableOf<T>(golden("inputs/" + situation + "__E"));
  content.w_q = tableOf<T>(golden("inputs/" + situation + "__W_Q"));
  content.w_k = tableOf<T>(golden("inputs/" + situation + "__W_K"));
  return content;
}

/// The encoding of a scheme, or a failure of the calling test.
template <class T>
Encoding<T> encodingOf(const std::string& id, const ParamValues& values, const Shape& shape) {
  const Scheme* scheme = schemes::find(id);
  if (!scheme) {
    ADD_FAILURE() << "no scheme " << id;
    return {};
  }
  auto encoding = encode<T>(*scheme, values, shape);
  if (encoding) return *std::move(encoding);
  ADD_FAILURE() << encoding.error().message.en;
  return {};
}

template <class T>
attention::Attention<T> attending(const Encoding<T>& encoding, const Content<T>& content, const Mask& mask,
                                  const Shape& shape, const attention::Wanted& wanted = {}) {
  auto result = attention::attend(encoding, content, mask, shape, wanted, Job());
  if (result) return *std::move(result);
  ADD_FAILURE() << result.error().message.en;
  return {};
}

/// Plain attention with 1/√head_dim.
template <class T>
Encoding<T> plainEncoding(const Shape& shape) {
  Encoding<T> encoding;
  encoding.logit_scale = 1.0 / std::sqrt(static_cast<double>(shape.head_dim));
  return encoding;
}

}  // namespace posiscope::test
