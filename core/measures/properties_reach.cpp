// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/grid.h"
#include "core/measures/axes.h"
#include "core/measures/properties.h"

#include <numbers>

namespace posiscope::measures {
namespace {

/// How far the length is tried: this many times the training length.
constexpr std::int64_t most_times = 64;

/// Is a sequence of so many tokens encoded? A grid keeps its width, or is as square as it can be. A refusal for want of
/// memory is none: the formula has a value there.
Outcome accepts(const Scheme& scheme, const Question& question, std::int64_t tokens) {
  Shape shape = question.shape;
  const Expected<Grid> grid = gridOf("", shape);
  shape.seq_len_q = 0;
  shape.seq_len = tokens;
  shape.grid_height = shape.grid_width = 0;
  Outcome first = scheme.check(question.scheme.values, shape);
  if (first || first.error().code == ErrorCode::too_large) return {};
  if (!grid || tokens % grid->width != 0) return first;
  shape.grid_width = grid->width;
  shape.grid_height = tokens / grid->width;
  const Outcome second = scheme.check(question.scheme.values, shape);
  return second || second.error().code == ErrorCode::too_large ? Outcome{} : first;
}

/// Doubles the length until it is refused, then looks for the last one that is not.
struct Reach {
  std::int64_t longest = 0;
  Outcome refusal;
};

Reach reachOf(const Scheme& scheme, const Question& question, std::int64_t length) {
  Reach reach;
  std::int64_t refused = length;
  while (refused <= length * most_times && (reach.refusal = accepts(scheme, question, refused))) {
    reach.longest = refused;
    refused *= 2;
  }
  if (reach.refusal) return reach;
  while (refused - reach.longest > 1) {
    const std::int64_t middle = reach.longest + (refused - reach.longest) / 2;
    if (accepts(scheme, question, middle))
      reach.longest = middle;
    else
      refused = middle;
  }
  return reach;
}

/// Pairs that do not complete a turn in the training length: beyond it they meet angles that were never seen.
std::int64_t unseenPairs(const RotationPart& rotation, double length) {
  std::int64_t count = 0;
  for (std::int64_t p = 0; p < rotation.pairs(); ++p) {
    double fastest = 0;
    for (std::int64_t a = 0; a < rotation.axes; ++a)
      fastest = std::max(fastest, std::abs(rotation.frequencyOf(0, a, p)));
    if (fastest > 0 && fastest * length < 2 * std::numbers::pi) ++count;
  }
  return count;
}

}  // namespace

Property beyondTraining(const Scheme& scheme, const Question& question, const std::optional<RotationPart>& rotation) {
  const bool known = question.train_length >= 1;
  const auto length = known ? static_cast<std::int64_t>(question.train_length) : question.shape.seq_len;
  const Reach reach = reachOf(scheme, question, length);
  Property p{"beyond_training", {"defined past training", "训练长度之外有定义"}};
  p.value = static_cast<double>(reach.longest);
  p.unit = "tokens";
  const bool beyond = reach.longest > length;
  p.answer = beyond ? Property::Answer::yes : Property::Answer::no;
  const std::string trained = readable(static_cast<double>(length));
  const Text from = known ? Text{"the training length " + trained, "训练长度 " + trained}
                          : Text{"the present length " + trained, "当前长度 " + trained};
  if (!reach.refusal) {
    p.word = beyond ? Text{"yes, up to " + readable(p.value), "是（至 " + readable(p.value) + "）"} : Text{"no", "否"};
    const Error& e = reach.refusal.error();
    p.sentence = {"Measured from " + from.en + ": " + e.message.en + ".",
                  "以" + from.zh + "为准：" + (e.message.zh.empty() ? e.message.en : e.message.zh) + "。"};
    return p;
  }
  p.word = {"yes", "是"};
  p.sentence = {"Encodes " + readable(p.value) + " tokens, from " + from.en + " on without a refusal.",
                "从" + from.zh + "到 " + readable(p.value) + " 个词元均可编码，没有拒绝。"};
  if (!rotation) return p;
  if (const std::int64_t unseen = unseenPairs(*rotation, static_cast<double>(length)); unseen > 0) {
    const std::string count = join(unseen, "/", rotation->pairs());
    p.sentence.en += " But " + count + " pairs meet angles never seen there.";
    p.sentence.zh += "但有 " + count + " 个维度对会遇到从未见过的角度。";
  }
  return p;
}

}  // namespace posiscope::measures
