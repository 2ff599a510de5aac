// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/attention.h"

#include <vector>

namespace posiscope::attention {

/// Query head `head` reads this key head: each key head is repeated, not tiled.
inline std::int64_t keyHead(const Shape& shape, std::int64_t head) { return head * shape.kvHeads() / shape.num_heads; }

/// q, k and v of the wanted heads, ready for the logits: after input part, projections and rotation. Views point
/// into `content` where nothing had to be changed, so it must outlive this.
template <class T>
struct HeadInputs {
  Table<T> input;  ///< x after the input part, when that changed it
  Rows<T> x;       ///< [L_k, d_model]; empty when only q and k are known
  std::int64_t value_dim = 0;
  std::vector<Rows<T>> q;    ///< per wanted head, [L_q, head_dim]
  std::vector<Rows<T>> k;    ///< per wanted head, [L_k, head_dim]
  std::vector<Rows<T>> w_q;  ///< per wanted head, [head_dim, d_model]; empty when q and k were given
  std::vector<Rows<T>> w_k;
  std::vector<Rows<T>> v;  ///< per wanted head, [L_k, value_dim]; empty unless the output is wanted
  std::vector<T> q_values, k_values, v_values;  ///< what the views point to when it is not the content

  double bytes() const {
    return sizeof(T) * static_cast<double>(input.values.size() + q_values.size() + k_values.size() + v_values.size());
  }
};

/// What `prepareHeads` will hold for these heads beside the encoding and the content, in bytes: known before the work.
template <class T>
double bytesOfHeads(const Encoding<T>& encoding, const Content<T>& content, const Shape& shape,
                    const std::vector<std::int64_t>& heads, bool need_values);
/// How wide the values of a head are; 0 when the content has none.
template <class T>
std::int64_t valueWidth(const Content<T>& content, const Shape& shape);

/// Errors: bad_shape, too_large, cancelled.
template <class T>
Expected<HeadInputs<T>> prepareHeads(const Encoding<T>& encoding, const Content<T>& content, const Shape& shape,
                                     const std::vector<std::int64_t>& heads, bool need_values, const Job& job);

/// What a score of its own sees of wanted head number `w`, which is head `head`.
template <class T>
HeadContent<T> headContent(const HeadInputs<T>& inputs, std::size_t w, std::int64_t head, const Shape& shape,
                           const Mask& mask) {
  HeadContent<T> content{head, inputs.q[w], inputs.k[w], inputs.x, &shape, &mask};
  if (!inputs.w_q.empty()) content.w_q = inputs.w_q[w];
  if (!inputs.w_k.empty()) content.w_k = inputs.w_k[w];
  return content;
}

}  // namespace posiscope::attention
