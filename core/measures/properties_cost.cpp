// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/axes.h"
#include "core/measures/properties.h"

#include <algorithm>

namespace posiscope::measures {
namespace {

Property count(std::string key, Text question, double value, std::string unit, Text sentence) {
  Property p{std::move(key), std::move(question)};
  p.value = value;
  p.unit = std::move(unit);
  p.word = {readable(value), readable(value)};
  p.sentence = std::move(sentence);
  return p;
}

/// Heads of keys that turn. A decoupled rotated part, whose place is a fact of the encoding, is one key for all heads.
template <class T>
std::int64_t turningKeys(const Encoding<T>& encoding, const Shape& shape) {
  const bool decoupled = std::ranges::find(encoding.facts, "first_dim", &EncodingFact::key) != encoding.facts.end();
  return decoupled ? 1 : shape.kvHeads();
}

/// Pairs whose numbers the rotation changes in some head. One of frequency 0 passes through, unless a factor multiplies
/// it.
std::int64_t turningPairs(const RotationPart& rotation) {
  std::int64_t count = 0;
  for (std::int64_t p = 0; p < rotation.pairs(); ++p) {
    bool changed = rotation.attention_factor != 1 ||
                   (!rotation.log_magnitude.empty() && rotation.log_magnitude[static_cast<std::size_t>(p)] != 0);
    for (std::int64_t set = 0; set < rotation.sets && !changed; ++set)
      for (std::int64_t a = 0; a < rotation.axes; ++a) changed = changed || rotation.frequencyOf(set, a, p) != 0;
    count += changed ? 1 : 0;
  }
  return count;
}

}  // namespace

template <class T>
std::vector<Property> costs(const Subject<T>& subject) {
  const Encoding<T>& e = subject.far.encoding();
  const Shape& shape = subject.question.shape;
  const auto heads = static_cast<double>(shape.num_heads);
  const auto turning_keys = static_cast<double>(turningKeys(e, shape));
  const SchemeCost own = subject.scheme.cost(subject.question.scheme.values, shape);
  const double added = e.input.hasTable() && !e.input.transform ? static_cast<double>(shape.d_model) : 0;
  // Two products for each of the two dimensions of a pair; magnitudes and factors are part of cosine and sine.
  const double turned = e.rotation ? 4 * static_cast<double>(turningPairs(*e.rotation)) * (heads + turning_keys) : 0;
  const double scaled = e.query_factor.empty() ? 0 : heads * static_cast<double>(shape.head_dim);
  const double token = added + turned + scaled + static_cast<double>(own.per_token);
  const double pair = (e.logits.hasBias() ? heads : 0) + static_cast<double>(own.per_pair);
  const auto keys = static_cast<double>(shape.keys());
  // q·k and weights·v.
  const double plain = 2 * heads * static_cast<double>(shape.head_dim) * keys;
  const double share = 100 * (token + pair * keys) / plain;
  const std::string parts = join("table ", readable(added), ", rotation ", readable(turned), ", factor ",
                                 readable(scaled), ", own ", readable(static_cast<double>(own.per_token)));
  const std::string parts_zh = join("位置表 ", readable(added), "，旋转 ", readable(turned), "，系数 ",
                                    readable(scaled), "，自身 ", readable(static_cast<double>(own.per_token)));
  const std::string length = readable(keys);
  return {
      count("parameters", {"learned numbers", "可学习的参数"}, static_cast<double>(own.learned), "",
            own.learned == 0 ? Text{"Nothing is learned.", "没有可学习的数。"}
                             : Text{"Numbers that training changes, with these values and this shape.",
                                    "在当前参数和形状下，训练会改变的数的个数。"}),
      count("token_operations", {"work per token", "每词元运算"}, token, "multiply-adds",
            {"Multiply-adds of one layer for a token: " + parts + ".", "每层每个词元的乘加次数：" + parts_zh + "。"}),
      count("pair_operations", {"work per pair", "每对运算"}, pair, "multiply-adds",
            {"Multiply-adds of one layer for a query and a key, beyond q·k. At " + length +
                 " tokens everything together is " + readable(share) + " % of plain attention.",
             "每层每对查询与键在 q·k 之外的乘加次数。长度 " + length + " 时合计为普通注意力的 " + readable(share) +
                 "%。"})};
}

template std::vector<Property> costs(const Subject<float>&);
template std::vector<Property> costs(const Subject<double>&);

}  // namespace posiscope::measures
