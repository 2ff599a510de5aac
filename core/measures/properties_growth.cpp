// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/product_bound.h"
#include "core/measures/properties.h"

#include <algorithm>
#include <array>
#include <functional>

namespace posiscope::measures {
namespace {

// Each length is four times the one before. Where the growth from the second to the third is that of the first times
// 4^e, an e below the first number means that the growth dies out (tanh, 1/n), above the second that it goes on:
// 0 for a logarithm, p for a power n^p, 1 for a line. Between them (log log n, n^−0.1) nobody can tell.
constexpr double dying = -0.2;
constexpr double lasting = -0.05;
constexpr double most_exponent = 10;  ///< beyond it a growth is called faster than any power
/// What has changed by no more than this part of itself over all three lengths is called unchanged, however it grows.
constexpr double least_change = 0.02;

/// Averages over random content waver: their last step has to be the first part of the whole to be seen at all, all of
/// it the second to be more than a wavering, and the last step the third to be called lasting. From 256 to 4096 tokens
/// a logarithm grows by a third, a sum of waves longer than that by up to a quarter.
constexpr double least_noisy_growth = 0.05;
constexpr double least_noisy_change = 0.25;
constexpr double lasting_noisy_growth = 0.25;

/// What one length may cost: numbers of one head, or of the bias of all heads, or products.
constexpr std::int64_t most_tokens = 1 << 17;
constexpr std::int64_t most_head_numbers = 1 << 22;
constexpr std::int64_t most_turned_numbers = 1 << 18;  ///< where nothing but a rotation changes the head
constexpr std::int64_t most_table_numbers = 1 << 22;
constexpr std::int64_t most_bias_numbers = 1 << 20;
constexpr std::int64_t most_scored_tokens = 1 << 12;

/// All heads where their bias is stored by offset.
template <class T>
std::vector<std::int64_t> biasHeads(const Encoding<T>& encoding, std::int64_t heads) {
  return spreadRows(heads, std::holds_alternative<OffsetBias<T>>(encoding.logits.bias) ? heads : 4);
}

/// How far the bias of the last query lies from that at offset 0, of each of these heads.
template <class T>
std::vector<double> biasRanges(const Encoding<T>& encoding, const Shape& shape) {
  std::vector<double> ranges;
  const std::int64_t tokens = shape.seq_len;
  std::vector<T> row(static_cast<std::size_t>(tokens));
  for (const std::int64_t h : biasHeads(encoding, shape.num_heads)) {
    if (const auto* pair = std::get_if<PairBias<T>>(&encoding.logits.bias))
      pair->fill(h, tokens - 1, row);
    else if (const auto* offsets = std::get_if<OffsetBias<T>>(&encoding.logits.bias))
      for (std::int64_t j = 0; j < tokens; ++j) row[static_cast<std::size_t>(j)] = offsets->at(h, tokens - 1 - j);
    double& most = ranges.emplace_back();
    for (const T v : row) most = std::max(most, std::abs(static_cast<double>(v) - static_cast<double>(row.back())));
  }
  return ranges;
}

/// Two things that may grow, each by itself, so that a small slope is seen beside a large product.
struct Size {
  double product = 0;          ///< what q·k cannot exceed
  std::vector<double> added;   ///< what position adds whatever the content, of each of `biasHeads` or of all
  double later = 0;            ///< the same as `product` toward keys behind the query, where the two sides differ
  bool average = false;        ///< the products are root mean squares over random content instead
  bool added_average = false;  ///< so is what is added
};

/// A root mean square that numbers are added to.
struct Mean {
  double squares = 0, count = 0;
  void add(double v) { squares += v * v, count += 1; }
  double value() const { return count > 0 ? std::sqrt(squares / count) : 0; }
};

/// The last query's logits where queries and keys are nothing: what position adds to a score of its own.
template <class T>
Table<T> logitsOfNothing(const Probe<T>& probe, ProbedHead<T> head) {
  std::ranges::fill(head.q.values, T(0));
  std::ranges::fill(head.k.values, T(0));
  return probe.logits(head, {probe.tokens() - 1});
}

/// A score of its own may be more than the product of two vectors. It is bounded by them, or its mean is looked at.
template <class T>
Size sizeOfScore(const Probe<T>& probe) {
  Mean products, added;
  Size size;
  const auto addAll = [&added](const Table<T>& logits) {
    for (const T v : logits.values) added.add(static_cast<double>(v));
  };
  const bool reads_input = probe.encoding().logits.score.reads_input;
  const std::vector<std::int64_t> heads = probe.heads(2);
  std::vector<Table<T>> without(heads.size());
  for (std::int64_t draw = 0; draw < 4; ++draw)
    for (std::size_t n = 0; n < heads.size(); ++n) {
      const ProbedHead<T> head = probe.head(heads[n], {Tokens::equal, true, draw});
      const double bound = productBound(probe, head);
      const Table<T> logits = probe.logits(head, {probe.tokens() - 1});
      if (draw == 0 || reads_input) {
        without[n] = logitsOfNothing(probe, head);
        addAll(without[n]);
      }
      size.product = std::max(size.product, bound);
      for (std::size_t j = 0; j < logits.values.size(); ++j) {
        const double product = static_cast<double>(logits.values[j]) - static_cast<double>(without[n].values[j]);
        products.add(product);
        if (std::abs(product) > bound * (1 + 1e-5) + 1e-5) size.average = true;
      }
    }
  // Of what no content changes, more heads are the better average.
  for (const std::int64_t h : reads_input ? std::vector<std::int64_t>{} : probe.heads(8))
    if (std::ranges::find(heads, h) == heads.end())
      addAll(logitsOfNothing(probe, probe.head(h, {Tokens::equal, true})));
  if (size.average) size.product = products.value();
  size.added = {added.value()};
  size.added_average = true;
  return size;
}

template <class T>
Size sizeOf(const Probe<T>& probe) {
  const Encoding<T>& e = probe.encoding();
  if (e.logits.score.prepare) return sizeOfScore(probe);
  Size size;
  if (e.logits.hasBias()) size.added = biasRanges(e, probe.shape());
  if (e.input.transform) {
    Mean rows;
    const ProbedHead<T> head = probe.head(0, {Tokens::equal});
    for (const T v : head.input.values) rows.add(static_cast<double>(v));
    size.product = rows.value();
    size.average = true;
  } else if (e.input.hasTable()) {
    size.product = tableBound(e);
  } else if (e.rotation || !e.query_factor.empty()) {
    const bool sides_differ = e.rotation && !e.rotation->log_magnitude.empty();
    for (const std::int64_t h : probe.heads(2)) {
      const ProbedHead<T> head = probe.head(h, {Tokens::equal, true});
      size.product = std::max(size.product, productBound(probe, head));
      if (sides_differ) size.later = std::max(size.later, productBound(probe, head, Keys::later));
    }
  }
  return size;
}

/// The most tokens that can be looked at in short time.
template <class T>
std::int64_t lengthFor(const Subject<T>& subject) {
  const Encoding<T>& e = subject.far.encoding();
  const Shape& shape = subject.question.shape;
  if (subject.question.draft || e.logits.score.reads_input) return subject.tried;
  std::int64_t tokens = most_tokens;
  const auto atMost = [&tokens](std::int64_t n) { tokens = std::min(tokens, n); };
  if (e.logits.hasBias()) atMost(most_bias_numbers / shape.num_heads);
  if (e.input.transform)
    atMost(std::min(most_scored_tokens, most_head_numbers / shape.d_model));
  else if (e.input.hasTable())
    atMost(most_table_numbers / shape.d_model);
  const bool scaled = !e.query_factor.empty() || (e.rotation && !e.rotation->log_magnitude.empty());
  if (e.rotation || scaled) atMost((scaled ? most_head_numbers : most_turned_numbers) / shape.head_dim);
  if (e.logits.score.prepare) atMost(std::min(most_scored_tokens, most_head_numbers / shape.d_model));
  std::int64_t power = subject.tried;
  while (2 * power <= tokens) power *= 2;
  return power;
}

struct Sizes {
  std::array<std::int64_t, 3> tokens{};
  std::array<Size, 3> of;
};

/// At the largest three lengths that the scheme accepts, each four times the one before.
template <class T>
std::optional<Sizes> sizesOf(const Subject<T>& subject) {
  const Question& question = subject.question;
  for (std::int64_t n = lengthFor(subject); n >= 128; n /= 2) {
    Sizes sizes{{n / 16, n / 4, n}, {}};
    const bool all = std::ranges::all_of(std::array{2, 1, 0}, [&](int s) {
      const auto at = static_cast<std::size_t>(s);
      const std::int64_t tokens = sizes.tokens[at];
      const auto probe = probeOf<T>(subject.scheme, question.scheme.values, question.shape, question.content, tokens);
      if (!probe || probe->tokens() != tokens) return false;
      sizes.of[at] = sizeOf(*probe);
      return true;
    });
    if (all) return sizes;
  }
  return std::nullopt;
}

enum class Course {
  stopped,    ///< no growth that is more than rounding
  slight,     ///< less than `least_change` in all
  begun,      ///< nothing at first, so that no law can be told
  going_on,   ///< by the exponent
  exploding,  ///< faster than any power, or past all numbers
};

/// How one part grows.
struct Growth {
  std::array<double, 3> size{};
  Course course = Course::stopped;
  bool average = false;
  std::size_t head = 0;
  double exponent = -most_exponent;  ///< of the growth; the lowest when there is none
  Property::Answer bounded = Property::Answer::yes;
};

double leastChange(bool average) { return average ? least_noisy_change : least_change; }

Growth growthOf(const Sizes& sizes, auto part, bool Size::*averaged, double rounding) {
  Growth g;
  bool& average = g.average;
  for (std::size_t s = 0; s < 3; ++s) {
    g.size[s] = std::max(s > 0 ? g.size[s - 1] : 0.0, std::invoke(part, sizes.of[s]));
    average = average || sizes.of[s].*averaged;
  }
  const double last = g.size[2], first_growth = g.size[1] - g.size[0], growth = last - g.size[1];
  if (!std::isfinite(last)) {
    g.course = Course::exploding;
    g.exponent = most_exponent;
    g.bounded = Property::Answer::no;
    return g;
  }
  if (last <= 1e-9 || growth <= (average ? least_noisy_growth : rounding) * last) return g;
  g.course = Course::slight;
  if (last - g.size[0] <= leastChange(average) * last) return g;
  g.course = Course::begun;
  g.exponent = most_exponent;
  g.bounded = Property::Answer::neither;
  // Beside what it was then, not beside what it has become: an exponential was nothing beside itself later.
  if (first_growth <= rounding * g.size[1]) return g;
  const double exponent = std::log2(growth / first_growth) / 2;
  g.course = exponent >= most_exponent ? Course::exploding : Course::going_on;
  g.exponent = std::clamp(exponent, -most_exponent, most_exponent);
  if (g.exponent <= dying) g.bounded = Property::Answer::yes;
  if (g.exponent >= lasting && (!average || growth >= lasting_noisy_growth * last)) g.bounded = Property::Answer::no;
  return g;
}

int rank(const Growth& g) {
  return g.bounded == Property::Answer::no ? 2 : g.bounded == Property::Answer::neither ? 1 : 0;
}

/// Of two parts the one that is farther from bounded.
bool isWorse(const Growth& a, const Growth& b) {
  return rank(a) != rank(b) ? rank(a) > rank(b) : a.exponent > b.exponent;
}

/// The head that is farthest from bounded: a large bias of one does not hide that another goes on.
Growth addedGrowth(const Sizes& sizes, double rounding) {
  Growth worst;
  for (std::size_t h = 0; h < sizes.of[2].added.size(); ++h) {
    Growth g = growthOf(
        sizes, [h](const Size& s) { return s.added[h]; }, &Size::added_average, rounding);
    g.head = h;
    if (h == 0 || (rank(g) != rank(worst) ? rank(g) > rank(worst) : g.size[2] > worst.size[2])) worst = g;
  }
  return worst;
}

Property endsWithTable(const Reach& reach) {
  Property p = unanswered("bounded");
  p.answer = Property::Answer::yes;
  p.qualified = true;
  p.word = {"yes, the table ends", "是（表有尽头）"};
  p.value = static_cast<double>(reach.longest);
  p.unit = "tokens";
  const std::string longest = brief(p.value);
  p.sentence = {"There is nothing beyond " + longest + " tokens: the table ends, and its largest row is the bound.",
                "超过 " + longest + " 个词元便没有定义：表有尽头，其中最大的一行即为上界。"};
  return p;
}

Text courseText(const Growth& growth) {
  const std::string law = "n^" + brief(growth.exponent), change = brief(100 * leastChange(growth.average)) + " %";
  switch (growth.course) {
    case Course::stopped: return {"it has stopped growing", "已不再增长"};
    case Course::slight: return {"it has grown by less than " + change, "增长不足 " + change};
    case Course::begun: return {"it has only just begun to grow", "才刚刚开始增长"};
    case Course::exploding: return {"it grows faster than " + law, "其增长快于 " + law};
    case Course::going_on: break;
  }
  return {"its growth goes like " + law, "其增量约按 " + law + " 变化"};
}

/// "31 → 31 → 31"
std::string arrows(const auto& numbers) {
  std::string text;
  for (const auto number : numbers) text += (text.empty() ? "" : " → ") + brief(static_cast<double>(number));
  return text;
}

/// The exponent alone does not decide about an average.
void addWhyUndecided(Property& p, const Growth& growth) {
  const std::string needed = brief(100 * lasting_noisy_growth) + " %";
  const std::string found = brief(100 * (1 - growth.size[1] / growth.size[2])) + " %";
  p.sentence.en += " An average over random content counts as growing on when the last step is " + needed +
                   " of it; here it is " + found + ".";
  p.sentence.zh += "对随机内容取的平均值，最后一步的增量占到 " + needed + " 才视为持续增长；此处为 " + found + "。";
}

Property grown(const Sizes& sizes, const Growth& growth, const Text& what) {
  const std::string numbers = arrows(growth.size), lengths = arrows(sizes.tokens);
  const std::string most = "n^" + brief(dying), least = "n^" + brief(lasting);
  const Text grows = courseText(growth);
  Property p = decided("bounded", growth.exponent, dying,
                       {"From " + lengths + " tokens " + what.en + " goes " + numbers + ": " + grows.en +
                            " (bounded: up to " + most + ", not: from " + least + " on).",
                        "长度 " + lengths + " 时，" + what.zh + "为 " + numbers + "：" + grows.zh + "（不超过 " + most +
                            " 视为有界，达到 " + least + " 视为无界）。"});
  p.unit = "exponent";
  p.answer = growth.bounded;
  if (p.answer == Property::Answer::neither) p.word = {"undecided", "无法判定"};
  if (p.answer == Property::Answer::neither && growth.average) addWhyUndecided(p, growth);
  return p;
}

/// Neither does position add a number to the logits nor does it change q·k, which alone has no bound.
Property nothingAdded(Property p, const Sizes& sizes) {
  const std::string lengths = arrows(sizes.tokens);
  p.sentence = {"From " + lengths + " tokens position adds 0 to the logits: it leaves q·k to the content alone.",
                "长度 " + lengths + " 时，位置加到 logits 上的量为 0：q·k 只由内容决定。"};
  return p;
}

/// Where only the keys behind the query let the product grow, which a causal mask hides, the card says so.
void addLaterKeys(Property& p, const Growth& later) {
  if (p.answer != Property::Answer::yes || later.bounded == Property::Answer::yes) return;
  p.word = {"yes, for earlier keys", "是（对更早的键）"};
  p.qualified = true;
  const std::string numbers = arrows(later.size);
  p.sentence.en +=
      " Only keys before the query are meant; toward later keys, which a causal mask hides, the bound goes " + numbers +
      ".";
  p.sentence.zh += "这里只看位于查询之前的键；对查询之后的键（因果掩码会将其遮住），上界为 " + numbers + "。";
}

}  // namespace

template <class T>
Property boundedWithLength(const Subject<T>& subject) {
  if (subject.reach.endsWithTable()) return endsWithTable(subject.reach);
  const std::optional<Sizes> sizes = sizesOf(subject);
  if (!sizes)
    return decided("bounded", std::numeric_limits<double>::quiet_NaN(), dying,
                   {"The scheme is not defined at three lengths, each four times the one before.",
                    "该方案没有在三个依次为四倍的长度上都有定义。"});
  const double rounding = roundingTolerance<T>();
  const Growth product = growthOf(*sizes, &Size::product, &Size::average, rounding),
               added = addedGrowth(*sizes, rounding);
  const Encoding<T>& e = subject.far.encoding();
  const std::int64_t heads = subject.far.shape().num_heads;
  const bool own_score = static_cast<bool>(e.logits.score.prepare);
  if (isWorse(added, product) || (product.size[2] == 0 && added.size[2] > 0)) {
    const std::vector<std::int64_t> looked_at = own_score ? subject.far.heads(8) : biasHeads(e, heads);
    const bool by_head = sizes->of[2].added.size() > 1;
    const Text head =
        by_head ? Text{join(" (h = ", looked_at[added.head], ")"), join("（h = ", looked_at[added.head], "）")}
                : Text{};
    Property p =
        grown(*sizes, added, {"what position adds to the logits" + head.en, "位置加到 logits 上的量" + head.zh});
    addSample(p, looked_at, heads);
    return p;
  }
  const bool average = std::ranges::any_of(sizes->of, &Size::average);
  Property p = grown(*sizes, product,
                     average ? Text{"the root mean square over equal tokens", "相同词元上的均方根"}
                             : Text{"the bound of q·k in the logits", "logits 中 q·k 的上界"});
  if (product.size[2] == 0 && added.size[2] == 0) return nothingAdded(std::move(p), *sizes);
  addLaterKeys(p, growthOf(*sizes, &Size::later, &Size::average, rounding));
  if (own_score) addSample(p, subject.far.heads(2), heads);
  return p;
}

template Property boundedWithLength(const Subject<float>&);
template Property boundedWithLength(const Subject<double>&);

}  // namespace posiscope::measures
