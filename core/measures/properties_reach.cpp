// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/grid.h"
#include "core/measures/axes.h"
#include "core/measures/frequencies.h"
#include "core/measures/properties.h"
#include "core/schemes/list.h"
#include "core/schemes/own_formula.h"

#include <algorithm>
#include <functional>

namespace posiscope::measures {
namespace {

/// How far the length is tried: this many times the training length, and of a short one far enough for the end of any
/// usual table to be seen, such as one for 128 rows and columns from a grid of 2 × 2.
constexpr std::int64_t most_times = 64;
constexpr std::int64_t least_tried = 1 << 15;

/// A multiple of the training length, so that a grid can grow to it.
std::int64_t mostTried(std::int64_t from) { return from * std::max(most_times, (least_tried + from - 1) / from); }

/// The largest number that is accepted, from `from` on: doubled until it is refused, then halved between. What is asked
/// must hold up to some number and not beyond. `from` − 1 when it is refused itself; `most` ends it.
std::int64_t largestAccepted(std::int64_t from, std::int64_t most, const std::function<bool(std::int64_t)>& accepts) {
  std::int64_t longest = from - 1, refused = from;
  while (refused <= most && accepts(refused)) {
    longest = refused;
    refused *= 2;
  }
  if (refused > most && longest >= from) {
    if (longest == most || accepts(most)) return most;
    refused = most;
  }
  while (refused - longest > 1) {
    const std::int64_t middle = longest + (refused - longest) / 2;
    (accepts(middle) ? longest : refused) = middle;
  }
  return longest;
}

/// Asks a scheme about other lengths and grids than those of the question, with the numbers it has learned there: where
/// more of them would have to be drawn, a trained table has ended.
class Asking {
 public:
  Asking(const Scheme& scheme, const Question& question, std::int64_t from, std::int64_t prefix)
      : scheme_(scheme),
        question_(question),
        from_(from),
        prefix_(prefix),
        present_(gridOf("", question.shape, prefix)),
        end_(schemes::formulaEnd(scheme.id(), question.scheme.values, lengthOf(from), mostTried(from), step_)) {
    const std::optional<std::int64_t> trained = learnedAt(from);
    trained_ = trained                                                ? trained
               : scheme.check(question.scheme.values, question.shape) ? std::optional(learned(question.shape))
                                                                      : std::nullopt;
    // Two grids may happen to need tables of one size; four lengths hardly do.
    for (const std::int64_t n : {from + 1, 2 * from, 3 * from, 4 * from})
      if (const std::optional<std::int64_t> there = learnedAt(n); trained_ && there && *there != *trained_)
        drawn_ = true;
  }

  /// Is a sequence of so many tokens encoded? A grid is as square as it can be, or keeps its width.
  Outcome length(std::int64_t tokens) const {
    Outcome first = answer(lengthOf(tokens));
    if (first || !present_ || (tokens - prefix_) % present_->width != 0) return first;
    return answer(rowsOf(tokens)) ? Outcome{} : first;
  }
  Outcome grid(std::int64_t height, std::int64_t width) const {
    Shape shape = lengthOf(height * width + prefix_);
    shape.grid_height = height;
    shape.grid_width = width;
    return answer(shape);
  }
  std::int64_t tokens(std::int64_t height, std::int64_t width) const { return height * width + prefix_; }
  /// 1, or every how many-th position of a formula was tried.
  std::int64_t step() const { return step_; }

 private:
  Shape lengthOf(std::int64_t tokens) const {
    Shape shape = question_.shape;
    shape.seq_len_q = 0;
    shape.seq_len = tokens;
    shape.grid_height = shape.grid_width = 0;
    return shape;
  }
  Shape rowsOf(std::int64_t tokens) const {
    Shape shape = lengthOf(tokens);
    if (!present_ || (tokens - prefix_) % present_->width != 0) return shape;
    shape.grid_width = present_->width;
    shape.grid_height = (tokens - prefix_) / present_->width;
    return shape;
  }
  /// The learned numbers of a length that is accepted.
  std::optional<std::int64_t> learnedAt(std::int64_t tokens) const {
    for (const Shape& shape : {lengthOf(tokens), rowsOf(tokens)})
      if (scheme_.check(question_.scheme.values, shape)) return learned(shape);
    return std::nullopt;
  }
  std::int64_t learned(const Shape& shape) const { return scheme_.cost(question_.scheme.values, shape).learned; }

  /// A refusal for want of memory is none: the formula has a value there.
  Outcome answer(const Shape& shape) const {
    const Outcome ok = scheme_.check(question_.scheme.values, shape);
    if (!ok && ok.error().code == ErrorCode::too_large) return {};
    if (ok && end_ && shape.seq_len > end_->longest) return fail(end_->refusal);
    if (!ok || !trained_ || shape.seq_len <= from_) return ok;
    const std::int64_t here = learned(shape);
    if (here == *trained_ && !drawn_) return {};
    if (here == *trained_)
      return fail(
          ErrorCode::past_table,
          join("the trained table ends; ", shape.seq_len, " tokens need another one, for a grid of another shape"),
          join("训练好的表到此为止；", shape.seq_len, " 个词元需要另一张表，其网格形状不同"));
    const std::string tokens = readable(static_cast<double>(shape.seq_len));
    const std::string found = readable(static_cast<double>(here)), had = readable(static_cast<double>(*trained_));
    return fail(
        ErrorCode::past_table,
        join("the trained table ends; ", tokens, " tokens need another one, ", found, " learned numbers instead of ",
             had),
        join("训练好的表到此为止；", tokens, " 个词元需要另一张表，可学习的数为 ", found, " 个而不是 ", had, " 个"));
  }

  const Scheme& scheme_;
  const Question& question_;
  std::int64_t from_, prefix_;
  Expected<Grid> present_;
  std::int64_t step_ = 1;
  std::optional<schemes::FormulaEnd> end_;  ///< of a typed formula, where a check sees no end
  std::optional<std::int64_t> trained_;     ///< learned numbers in the training length
  bool drawn_ = false;                      ///< longer sequences have other tables
};

/// The longest sequence below `from`, which is refused. The present length is encoded, so a search upwards from it
/// finds the end even of what no shorter sequence has; where it is no help, every length counts.
std::int64_t longestBelow(const Asking& asking, std::int64_t present, std::int64_t from) {
  const std::int64_t start = present < from ? present : 1;
  const std::int64_t longest =
      largestAccepted(start, from - 1, [&](std::int64_t n) { return asking.length(n).has_value(); });
  return longest < start ? 0 : longest;
}

/// The longest grid, where the length alone says little: most numbers of patches make no grid that is nearly square.
/// The largest square first, then more rows, then more columns.
void lookAtGrids(const Asking& asking, std::int64_t most, Reach& reach) {
  const auto square = [&](std::int64_t side) {
    return asking.tokens(side, side) <= most && asking.grid(side, side).has_value();
  };
  const std::int64_t side = largestAccepted(1, most, square);
  if (side < 1) return;
  const std::int64_t height = largestAccepted(side, most, [&](std::int64_t rows) {
    return asking.tokens(rows, side) <= most && asking.grid(rows, side).has_value();
  });
  const std::int64_t width = largestAccepted(side, most, [&](std::int64_t columns) {
    return asking.tokens(height, columns) <= most && asking.grid(height, columns).has_value();
  });
  if (asking.tokens(height, width) <= reach.longest) return;
  reach.longest = asking.tokens(height, width);
  reach.grid = Grid{height, width};
  const Outcome higher = asking.grid(height + 1, width), wider = asking.grid(height, width + 1);
  if (!higher || !wider)
    reach.refusal = higher ? wider.error() : higher.error();
  else
    reach.refusal.reset();
}

/// Another question than the one asked: longer than training, on a grid of twice the sides where there is one.
Shape longerShape(const Question& question, const TrainedAngles& angles, const Reach& reach) {
  Shape shape = question.shape;
  shape.seq_len_q = 0;
  const std::int64_t prefix = angles.now->prefix_tokens;
  if (!angles.by_token && angles.now->rotation->axes == 2)
    if (const Expected<Grid> grid = gridOf("", shape, prefix)) {
      shape.grid_height = 2 * grid->height;
      shape.grid_width = 2 * grid->width;
      shape.seq_len = 4 * grid->patches() + prefix;
      return shape;
    }
  if (shape.seq_len <= reach.from) shape.seq_len = 2 * reach.from;
  return shape;
}

/// How many pairs meet angles that training, or else the present positions, did not have: as `turns` counts them, of
/// the head that meets most.
void addUnseenPairs(Property& p, const Reach& reach, const Question& question) {
  Question asked = question;
  asked.train_length = static_cast<double>(reach.from);
  const Expected<TrainedAngles> angles = trainedAngles(asked);
  if (!angles) return;
  // Drawn ids lie anywhere in their range, however many tokens there are.
  if (!angles->by_token && angles->now->rotation->axes == 1) return;
  Question there = asked;
  there.shape = longerShape(question, *angles, reach);
  const Scheme* scheme = schemes::find(question.scheme.id);
  if (!scheme || there.shape.seq_len > reach.longest || !scheme->check(question.scheme.values, there.shape)) return;
  const Expected<TrainedAngles> beyond = there.shape == question.shape ? *angles : trainedAngles(there);
  if (!beyond || beyond->sets() != angles->sets()) return;
  std::int64_t most = 0, least = 0, head = 0;
  std::size_t pairs = 0;
  for (std::int64_t set = 0; set < angles->sets(); ++set) {
    const Swept now = beyond->nowOf(set), seen = angles->seenOf(set);
    const std::int64_t unseen = unseenPairs(now, seen);
    pairs = now.angle.size();
    if (set == 0 || unseen > most) most = unseen, head = set;
    least = set == 0 ? unseen : std::min(least, unseen);
  }
  if (pairs == 0) return;
  const std::string tokens = readable(beyond->keys);
  const Text grid = placesText(*beyond, there.shape, beyond->keys);
  const bool on_grid = !beyond->by_token && beyond->now->rotation->axes == 2;
  const Text where =
      on_grid ? Text{grid.en + ",", grid.zh} : Text{"at " + tokens + " tokens", "在 " + tokens + " 个词元时"};
  const Text seen = angles->known && reach.trained ? Text{"in training", "训练中"}
                    : on_grid                      ? placesText(*angles, question.shape, angles->keys)
                                                   : Text{"in the present length", "当前长度内"};
  if (most == 0) {
    p.sentence.en +=
        (on_grid ? " O" : " A") + where.en.substr(1) + " no pair meets an angle never seen " + seen.en + ".";
    p.sentence.zh += where.zh + "，没有维度对遇到" + seen.zh + "从未出现过的角度。";
    return;
  }
  const Text some = someOfPairs(most, pairs);
  const Text who = least == most ? Text{}
                                 : Text{join(" of head ", head, ", the most of all heads,"),
                                        join("（头 ", head, "，为各头中最多）")};
  p.sentence.en += " But " + where.en + " " + some.en + who.en + " meet angles never seen " + seen.en + ".";
  p.sentence.zh += "但" + where.zh + "，" + some.zh + who.zh + "会遇到" + seen.zh + "从未出现过的角度。";
}

}  // namespace

bool readsGrid(const Scheme& scheme, const Question& question) {
  Shape shape = question.shape;
  shape.grid_height = shape.keys() + 1;
  shape.grid_width = 1;
  return !scheme.check(question.scheme.values, shape);
}

Reach reachOf(const Scheme& scheme, const Question& question, std::int64_t prefix_tokens) {
  Reach reach;
  reach.trained = question.train_length >= 1;
  reach.from = reach.trained ? static_cast<std::int64_t>(question.train_length) : question.shape.seq_len;
  const Asking asking(scheme, question, reach.from, prefix_tokens);
  reach.step = asking.step();
  const std::int64_t most = mostTried(reach.from);
  reach.longest = largestAccepted(reach.from, most, [&](std::int64_t n) { return asking.length(n).has_value(); });
  if (reach.longest == most) return reach;
  const bool grids = readsGrid(scheme, question);
  if (reach.longest < reach.from) reach.longest = grids ? 0 : longestBelow(asking, question.shape.keys(), reach.from);
  reach.refusal = asking.length(std::max(reach.longest + 1, reach.from)).error();
  if (grids) lookAtGrids(asking, most, reach);
  return reach;
}

Property beyondTraining(const Reach& reach, const Question& question, bool turns) {
  Property p{"beyond_training", {"defined past training", "训练长度之外有定义"}};
  p.value = static_cast<double>(reach.longest);
  p.unit = "tokens";
  const bool beyond = reach.longest > reach.from;
  p.answer = beyond ? Property::Answer::yes : Property::Answer::no;
  const std::string trained = readable(static_cast<double>(reach.from));
  const Text from = reach.trained ? Text{"the training length " + trained, "训练长度 " + trained}
                                  : Text{"the present length " + trained, "当前长度 " + trained};
  if (reach.refusal) {
    p.qualified = beyond;
    p.word = beyond ? Text{"yes, up to " + readable(p.value), "是（至 " + readable(p.value) + "）"} : Text{"no", "否"};
    const Error& e = *reach.refusal;
    const std::string sides = reach.grid ? join(reach.grid->height, " × ", reach.grid->width) : std::string{};
    const Text grid = reach.grid ? Text{" up to a grid of " + sides, "，至 " + sides + " 的网格"} : Text{};
    p.sentence = {
        "Measured from " + from.en + grid.en + ": " + e.message.en + ".",
        "以" + from.zh + " 为准" + grid.zh + "：" + (e.message.zh.empty() ? e.message.en : e.message.zh) + "。"};
    return p;
  }
  p.word = {"yes", "是"};
  p.sentence = {"Encodes " + readable(p.value) + " tokens, from " + from.en + " on without a refusal.",
                "从" + from.zh + " 到 " + readable(p.value) + " 个词元均可编码，没有拒绝。"};
  if (reach.step > 1) {
    const std::string step = readable(static_cast<double>(reach.step));
    p.sentence.en += " One position in " + step + " was tried.";
    p.sentence.zh += "每隔 " + step + " 个位置试算一次。";
  }
  if (turns) addUnseenPairs(p, reach, question);
  return p;
}

}  // namespace posiscope::measures
