// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measures/list.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <utility>

namespace posiscope::test {

/// A measure of one scheme in a shape small enough to be checked by hand: width 32, four heads of 16.
inline Question questionOf(std::string measure, std::string scheme, ParamValues values, std::int64_t seq_len) {
  Question q;
  q.measure = std::move(measure);
  q.scheme.id = std::move(scheme);
  q.scheme.values = std::move(values);
  q.shape.seq_len = seq_len;
  q.shape.d_model = 32;
  q.shape.num_heads = 4;
  q.shape.head_dim = 16;
  return q;
}

/// What the measure says; a refusal fails the test.
inline Dataset answerOf(const Question& q) {
  Expected<Dataset> dataset = measures::find(q.measure)->compute(q, Job{});
  EXPECT_TRUE(dataset) << (dataset ? "" : dataset.error().message.en);
  return dataset ? std::move(*dataset) : Dataset{};
}

}  // namespace posiscope::test
