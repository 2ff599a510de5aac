// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/product_field.h"

#include "core/attention/streamed_field.h"
#include "core/dot.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace posiscope::measures {
namespace {

/// Logits without a mask, whose softmax nobody asks for.
std::shared_ptr<const Field> products(EncodingPtr encoding, const attention::FillRows& rows, std::int64_t set,
                                      std::int64_t count, std::int64_t width) {
  Shape shape;
  shape.seq_len = count;
  shape.num_heads = set + 1;
  shape.head_dim = width;
  return std::make_shared<attention::StreamedField>(
      attention::contentLogits({std::move(encoding), rows, rows, set}, shape, Mask{}),
      attention::StreamedField::Quantity::logits);
}

}  // namespace

std::shared_ptr<const Field> tableProducts(const EncodingPtr& encoding, bool cosine, double factor) {
  auto plain = std::make_shared<Encoding<float>>();
  plain->logit_scale = factor;
  const std::int64_t width = encoding->input.tableCols();
  const auto rows = [encoding, cosine, width](std::int64_t first, std::int64_t count, float* out) {
    thread_local std::vector<float> room;
    std::copy_n(encoding->input.tableBlock(first, first + count, room).data, count * width, out);
    if (!cosine) return;
    for (std::int64_t r = 0; r < count; ++r) {
      const std::span<float> row(out + r * width, static_cast<std::size_t>(width));
      const float length = std::sqrt(dot<float>(row, row));
      if (length > 0)
        for (float& v : row) v /= length;
    }
  };
  return products(std::move(plain), rows, 0, encoding->input.tableRows(), width);
}

std::shared_ptr<const Field> rotationProducts(const EncodingPtr& encoding, std::int64_t set, double factor) {
  auto turning = std::make_shared<Encoding<float>>();
  turning->rotation = encoding->rotation;
  turning->rotation->log_magnitude.clear();
  turning->logit_scale = factor;
  const RotationPart& rotation = *turning->rotation;
  const auto rows = [first_dim = rotation.first_dim, end = rotation.endDim()](std::int64_t, std::int64_t count,
                                                                              float* out) {
    for (std::int64_t r = 0; r < count; ++r, out += end) {
      std::fill_n(out, first_dim, 0.0F);
      std::fill_n(out + first_dim, end - first_dim, 1.0F);
    }
  };
  const auto tokens = static_cast<std::int64_t>(rotation.position.size()) / rotation.axes;
  return products(turning, rows, set, tokens, rotation.endDim());
}

}  // namespace posiscope::measures
