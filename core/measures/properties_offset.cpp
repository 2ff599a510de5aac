// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/grid.h"
#include "core/measures/axes.h"
#include "core/measures/properties.h"

#include <algorithm>
#include <map>

namespace posiscope::measures {
namespace {

/// Positions that the offset is tried at by themselves, far beyond what a short sequence reaches.
constexpr std::array<double, 3> far_shifts{4096, 16384, 65536};

constexpr std::int64_t all_key_rows = 16, last_rows = 8;

/// The largest difference found, relative to the largest logit, and where.
struct Difference {
  double relative = 0;
  std::string place;
  std::int64_t compared = 0;  ///< pairs that had another to be compared with
  double last = 0;            ///< the farthest position, counted from that of the question
};

using Offset = std::vector<double>;
using OffsetOf = std::function<Offset(std::int64_t i, std::int64_t j)>;

struct Extremes {
  double low, high;
  std::int64_t low_i, low_j, high_i, high_j;
};

/// Queries, and the keys each of them is asked about.
struct Pairs {
  std::vector<std::int64_t> rows;
  std::vector<std::vector<std::int64_t>> keys;
};

Pairs allKeys(std::int64_t tokens) {
  Pairs pairs{spreadRows(tokens, all_key_rows), {}};
  pairs.keys.assign(pairs.rows.size(), spreadRows(tokens, tokens));
  return pairs;
}

/// The last queries of a long sequence and some before them, at the same offsets all of them: the near ones, and others
/// spread over the length.
Pairs lastQueries(std::int64_t tokens) {
  constexpr std::int64_t near_offsets = 64, spread_offsets = 512;
  Pairs pairs;
  for (const std::int64_t r : spreadRows(tokens - tokens / 2, last_rows - 1)) pairs.rows.push_back(tokens / 2 + r);
  pairs.rows.insert(pairs.rows.end() - 1, tokens - 2);
  std::vector<std::int64_t> offsets;
  for (std::int64_t n = -near_offsets; n < near_offsets; ++n) offsets.push_back(n);
  const std::int64_t beyond = tokens - near_offsets;
  for (const std::int64_t n : spreadRows(beyond, spread_offsets)) offsets.push_back(near_offsets + n);
  for (const std::int64_t n : spreadRows(beyond / 2, spread_offsets)) offsets.push_back(-near_offsets - 1 - n);
  for (const std::int64_t i : pairs.rows) {
    std::vector<std::int64_t>& keys = pairs.keys.emplace_back();
    for (const std::int64_t n : offsets)
      if (i - n >= 0 && i - n < tokens) keys.push_back(i - n);
  }
  return pairs;
}

/// With equal tokens: how far the logits of one offset lie apart.
template <class T>
Difference alongOffsets(const Probe<T>& probe, const Pairs& pairs, const OffsetOf& offset) {
  Difference found;
  const std::vector<std::int64_t>& rows = pairs.rows;
  probe.eachHead(probe.asked(4, std::ssize(rows)), {Tokens::equal}, [&](const ProbedHead<T>& head) {
    const Table<T> logits = probe.logits(head, rows);
    std::map<Offset, Extremes> extremes;
    double largest = 0;
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (const std::int64_t j : pairs.keys[r]) {
        const auto value = static_cast<double>(logits.row(static_cast<std::int64_t>(r))[static_cast<std::size_t>(j)]);
        if (!std::isfinite(value)) continue;
        largest = std::max(largest, std::abs(value));
        const std::int64_t i = rows[r];
        auto [at, fresh] = extremes.try_emplace(offset(i, j), Extremes{value, value, i, j, i, j});
        found.compared += fresh ? 0 : 1;
        Extremes& e = at->second;
        if (value < e.low) e.low = value, e.low_i = i, e.low_j = j;
        if (value > e.high) e.high = value, e.high_i = i, e.high_j = j;
      }
    for (const auto& [n, e] : extremes) {
      const double relative = largest > 0 ? (e.high - e.low) / largest : 0;
      if (relative <= found.relative) continue;
      found.relative = relative;
      found.place = join("(", e.low_i, ", ", e.low_j, "), (", e.high_i, ", ", e.high_j, "), h = ", head.head);
    }
  });
  return found;
}

/// The largest change of a logit from one content or encoding to another, at the pairs that `counts` lets through.
template <class T>
void compare(Difference& found, const std::vector<std::int64_t>& rows, const Table<T>& a, const Table<T>& b,
             const std::string& where, auto&& counts) {
  double largest = 0;
  for (const T v : a.values)
    if (std::isfinite(v)) largest = std::max(largest, std::abs(static_cast<double>(v)));
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t j = 0; j < a.cols; ++j) {
      const std::int64_t query = rows[static_cast<std::size_t>(i)];
      if (!counts(query, j)) continue;
      const auto at = static_cast<std::size_t>(j);
      const double change = std::abs(static_cast<double>(b.row(i)[at]) - static_cast<double>(a.row(i)[at]));
      if (!(largest > 0) || !(change / largest > found.relative)) continue;
      found.relative = change / largest;
      found.place = join("(", query, ", ", j, "), ", where);
    }
}

template <class T>
AskedHeads askedShifts(const Probe<T>& probe) {
  return probe.asked(4, 4 * probe.tokens());
}

/// The heads that every comparison has seen.
template <class T>
AskedHeads fewestAsked(const Subject<T>& subject) {
  AskedHeads fewest = askedShifts(subject.near);
  const auto look = [&fewest](const AskedHeads& asked) {
    if (asked.heads.size() < fewest.heads.size()) fewest = asked;
  };
  look(subject.far.asked(4, all_key_rows));
  if (subject.whole) look(subject.whole->asked(4, last_rows));
  if (subject.own) look(subject.own->asked(4, all_key_rows));
  return fewest;
}

/// All positions moved by s, each token with its content.
template <class T>
Difference afterShifts(const Subject<T>& subject, const std::array<double, 3>& shifts) {
  Difference found;
  const Probe<T>& here = subject.near;
  const std::vector<std::int64_t> rows = spreadRows(here.tokens(), here.tokens());
  const AskedHeads asked = askedShifts(here);
  const ProbeContent content{Tokens::distinct};
  std::vector<Table<T>> before;
  for (const Moved<T>& there : movedProbes(subject, shifts)) {
    if (before.empty())
      here.eachHead(asked, content, [&](const ProbedHead<T>& head) { before.push_back(here.logits(head, rows)); });
    auto logits = before.begin();
    there.probe.eachHead(asked, content, [&](const ProbedHead<T>& head) {
      compare(found, rows, *logits++, there.probe.logits(head, rows), join("s = ", there.by, ", h = ", head.head),
              [](std::int64_t, std::int64_t) { return true; });
    });
    found.last = there.by + static_cast<double>(here.tokens() - 1);
  }
  return found;
}

/// One token gets other content: do logits change that belong to other tokens?
template <class T>
Difference afterOtherContent(const Probe<T>& probe) {
  Difference found;
  const std::int64_t middle = probe.tokens() / 2;
  const std::vector<std::int64_t> rows = spreadRows(probe.tokens(), probe.tokens());
  ProbeContent altered{Tokens::distinct};
  altered.altered = middle;
  for (const std::int64_t h : probe.heads(2))
    compare(found, rows, probe.logits(probe.head(h, {Tokens::distinct}), rows),
            probe.logits(probe.head(h, altered), rows), join("h = ", h),
            [middle](std::int64_t i, std::int64_t j) { return i != middle && j != middle; });
  return found;
}

/// What "offset" may mean.
enum class Meaning { tokens, grid, positions };  ///< `positions`: those that a rotation gives the tokens
constexpr std::array meanings{Meaning::tokens, Meaning::grid, Meaning::positions};

Text yesText(Meaning meaning) {
  switch (meaning) {
    case Meaning::tokens: return {"yes", "是"};
    case Meaning::grid: return {"yes, on the grid", "是（网格偏移）"};
    case Meaning::positions: break;
  }
  return {"yes, of its positions", "是（按其自身位置）"};
}

/// The offsets of a probe by this meaning; empty where it has none.
template <class T>
OffsetOf offsetsOf(const Probe<T>& probe, Meaning meaning) {
  const std::optional<RotationPart>& rotation = probe.encoding().rotation;
  switch (meaning) {
    case Meaning::tokens: return [](std::int64_t i, std::int64_t j) { return Offset{static_cast<double>(i - j)}; };
    case Meaning::grid:
      if (const Expected<Grid> grid = gridOf("", probe.shape()))
        return [g = *grid](std::int64_t i, std::int64_t j) {
          return Offset{static_cast<double>(g.row(i) - g.row(j)), static_cast<double>(g.column(i) - g.column(j))};
        };
      break;
    case Meaning::positions:
      if (rotation)
        return [&r = *rotation, n = probe.tokens()](std::int64_t i, std::int64_t j) {
          Offset offset;
          for (std::int64_t a = 0; a < r.axes; ++a)
            offset.push_back(r.position[static_cast<std::size_t>(a * n + i)] -
                             r.position[static_cast<std::size_t>(a * n + j)]);
          return offset;
        };
      break;
  }
  return {};
}

/// How far the logits of one offset lie apart: on the short length, on the question's own grid and, last, on the
/// question's own length.
template <class T>
Difference alongAll(const Subject<T>& subject, Meaning meaning) {
  const Probe<T>& far = subject.far;
  const OffsetOf short_offset = offsetsOf(far, meaning);
  if (!short_offset) return {};
  Difference along = alongOffsets(far, allKeys(far.tokens()), short_offset);
  if (along.compared < far.tokens()) return along;
  const auto also = [&](const Probe<T>* probe, auto&& pairs) {
    if (!probe) return;
    const OffsetOf offset = offsetsOf(*probe, meaning);
    if (!offset) {
      along.compared = 0;  // an image and text after it make no grid: nothing is said of what was asked
      return;
    }
    Difference there = alongOffsets(*probe, pairs(probe->tokens()), offset);
    if (there.relative > along.relative) along.relative = there.relative, along.place = there.place;
  };
  also(subject.own, allKeys);
  also(subject.whole, lastQueries);
  return along;
}

/// The largest change of a logit of two patches from one grid to another: the rows and columns that both have, with the
/// same content everywhere.
template <class T>
Difference gridChange(const Probe<T>& a, const Probe<T>& b, const Grid& one, const Grid& other) {
  Difference found;
  const Grid shared{std::min(one.height, other.height), std::min(one.width, other.width)};
  const auto tokensIn = [&shared](const Grid& grid, std::int64_t prefix, const std::vector<std::int64_t>& patches) {
    std::vector<std::int64_t> tokens;
    for (const std::int64_t p : patches) tokens.push_back(prefix + shared.row(p) * grid.width + shared.column(p));
    return tokens;
  };
  const std::vector<std::int64_t> queries = spreadRows(shared.patches(), 8);
  const std::vector<std::int64_t> keys = spreadRows(shared.patches(), shared.patches());
  const auto logitsOf = [&](const Probe<T>& probe, const Grid& grid, std::int64_t h) {
    const std::int64_t prefix = probe.encoding().prefix_tokens;
    const std::vector<std::int64_t> columns = tokensIn(grid, prefix, keys);
    const Table<T> all = probe.logits(probe.head(h, {Tokens::equal}), tokensIn(grid, prefix, queries));
    Table<T> some = makeTable<T>(all.rows, shared.patches());
    for (std::int64_t r = 0; r < all.rows; ++r)
      for (std::size_t c = 0; c < columns.size(); ++c)
        some.row(r)[c] = all.row(r)[static_cast<std::size_t>(columns[c])];
    return some;
  };
  for (const std::int64_t h : a.heads(2))
    compare(found, queries, logitsOf(a, one, h), logitsOf(b, other, h), join("h = ", h),
            [](std::int64_t, std::int64_t) { return true; });
  return found;
}

/// An answer that holds on every grid, or on each one by itself.
template <class T>
void addGrid(Property& p, const Subject<T>& subject, double tolerance) {
  const std::optional<Grid> small = gridOfProbe(subject.near, subject.grid);
  if (!small) return;
  for (const Probe<T>* probe : {&subject.far, subject.own}) {
    const std::optional<Grid> grid = probe ? gridOfProbe(*probe, subject.grid) : std::nullopt;
    if (!grid || *grid == *small) continue;
    const Difference change = gridChange(subject.near, *probe, *small, *grid);
    if (change.relative <= tolerance) continue;
    p.word = {"yes, at one grid", "是（网格固定时）"};
    p.qualified = true;
    const std::string near = sidesText(*small), there = sidesText(*grid);
    // The place would be one of patches that both grids have, not of tokens.
    const Text by = differenceText(change.relative, tolerance, {});
    p.sentence.en += " But the same two patches have another logit on a grid of " + there + " than on one of " + near +
                     ", by " + by.en + ".";
    p.sentence.zh += "但同样两个图块的 logit 在 " + there + " 与 " + near + " 的网格上相差" + by.zh + "。";
    return;
  }
}

/// "On up to 512 tokens", or on which grids.
template <class T>
Text lookedAtText(const Subject<T>& subject, Meaning meaning) {
  const std::optional<Grid> grid = gridOfProbe(subject.far, subject.grid);
  if (meaning != Meaning::grid || !grid)
    return {join("On up to ", subject.longest().tokens(), " tokens "),
            join("在至多 ", subject.longest().tokens(), " 个词元上，")};
  std::vector<Grid> grids{*grid};
  for (const Probe<T>* more : {subject.own, subject.whole})
    if (const std::optional<Grid> g = more ? gridOfProbe(*more, true) : std::nullopt;
        g && std::ranges::find(grids, *g) == grids.end())
      grids.push_back(*g);
  std::string sides;
  for (const Grid& g : grids) sides += (sides.empty() ? "" : ", ") + sidesText(g);
  return {"On grids of " + sides + " ", "在 " + sides + " 的网格上，"};
}

/// An answer that holds at every length, or at each one by itself.
template <class T>
void addLength(Property& p, const Subject<T>& subject, double tolerance) {
  const LengthChange length = subject.whole ? lengthChange(subject.near, *subject.whole) : subject.length;
  if (length.relative <= tolerance) return;
  p.word = {"yes, at one length", "是（长度固定时）"};
  p.qualified = true;
  const std::string near = join(length.shorter), whole = join(length.longer);
  const Text change = differenceText(length.relative, tolerance, length.place);
  p.sentence.en +=
      " But the same tokens have other logits in " + whole + " tokens than in " + near + ", by " + change.en + ".";
  p.sentence.zh += "但同样的词元在长度 " + whole + " 与 " + near + " 下的 logits 相差" + change.zh + "。";
}

/// An answer that holds up to some position: the farthest tried before those that tell otherwise.
template <class T>
void addRange(Property& p, const Subject<T>& subject, double last, double tolerance) {
  const Difference beyond = afterShifts(subject, far_shifts);
  if (beyond.relative <= tolerance) return;
  const std::string reached = readable(subject.question.shape.first_position + last);
  const Text change = differenceText(beyond.relative, tolerance, beyond.place);
  p.word.en += ", up to " + reached;
  p.word.zh += "，至位置 " + reached;
  p.qualified = true;
  p.sentence.en += " But all positions moved by 4096, 16384 or 65536: " + change.en + ".";
  p.sentence.zh += "但所有位置移动 4096、16384 或 65536 时：" + change.zh + "。";
}

}  // namespace

template <class T>
LengthChange lengthChange(const Probe<T>& shorter, const Probe<T>& longer) {
  Difference found;
  const std::vector<std::int64_t> rows = spreadRows(shorter.tokens(), 4);
  for (const std::int64_t h : shorter.heads(2)) {
    const ProbeContent content{Tokens::distinct};
    const Table<T> all = longer.logits(longer.head(h, content), rows);
    Table<T> first = makeTable<T>(all.rows, shorter.tokens());
    for (std::int64_t r = 0; r < all.rows; ++r)
      std::ranges::copy(all.row(r).first(first.row(r).size()), first.row(r).begin());
    compare(found, rows, shorter.logits(shorter.head(h, content), rows), first, join("h = ", h),
            [](std::int64_t, std::int64_t) { return true; });
  }
  if (found.relative <= roundingTolerance<T>()) return {};
  return {found.relative, found.place, shorter.tokens(), longer.tokens()};
}

template <class T>
OffsetOnly offsetOnly(const Subject<T>& subject) {
  const double tolerance = roundingTolerance<T>();
  const auto text = [tolerance](const Difference& d) { return differenceText(d.relative, tolerance, d.place); };
  const Difference content = afterOtherContent(subject.near);
  if (content.relative > tolerance) {
    Property p = decided("offset_only", content.relative, tolerance,
                         {"Another content at one token changes a logit of two others by " + text(content).en + ".",
                          "改变一个词元的内容，会使另外两个词元之间的 logit 变化" + text(content).zh + "。"});
    p.answer = Property::Answer::neither;
    p.word = {"depends on content", "取决于内容"};
    return {std::move(p)};
  }
  const Difference shift = afterShifts(subject, near_shifts);
  const bool moved = shift.relative > 0 || movedAnything(subject, movedProbes(subject));
  const Text shifted = moved ? Text{"; all positions moved by 1, 7 or 1000: " + text(shift).en,
                                    "；所有位置移动 1、7 或 1000：" + text(shift).zh}
                             : Text{};
  OffsetOnly first;
  for (const Meaning meaning : meanings) {
    const Difference along = alongAll(subject, meaning);
    if (along.compared < subject.far.tokens()) continue;  // hardly an offset comes twice: nothing would be shown
    const Text on = lookedAtText(subject, meaning);
    Property p = decided(
        "offset_only", std::max(along.relative, shift.relative), tolerance,
        {on.en + "logits of equal tokens at the same offset differ by up to " + text(along).en + shifted.en + ".",
         on.zh + "相同词元在同一偏移处的 logits 至多相差" + text(along).zh + shifted.zh + "。"});
    if (p.answer == Property::Answer::yes) {
      p.word = yesText(meaning);
      p.qualified = meaning != Meaning::tokens;
      if (meaning == Meaning::tokens) addLength(p, subject, tolerance);
      if (meaning == Meaning::grid) addGrid(p, subject, tolerance);
      const auto longest = static_cast<double>(subject.longest().tokens() - 1);
      addRange(p, subject, std::max(longest, shift.last), tolerance);
      addSample(p, fewestAsked(subject), subject.near.shape().num_heads);
      return {std::move(p), meaning == Meaning::tokens};
    }
    if (first.property.key.empty()) first.property = std::move(p);
  }
  return first;
}

template LengthChange lengthChange(const Probe<float>&, const Probe<float>&);
template LengthChange lengthChange(const Probe<double>&, const Probe<double>&);
template OffsetOnly offsetOnly(const Subject<float>&);
template OffsetOnly offsetOnly(const Subject<double>&);

}  // namespace posiscope::measures
