// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/attended.h"
#include "core/measures/axes.h"
#include "core/measures/measures.h"
#include "core/model_content.h"
#include "core/random.h"
#include "core/steps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <span>

namespace posiscope::measures {
namespace {

struct Options {
  std::int64_t head = 0;
  std::int64_t tokens = 512;
  std::int64_t shuffle = 1;
};

const ParamTable<Options>& optionTable() {
  static const ParamTable<Options> table = [] {
    ParamTable<Options> t;
    t.integer(
        "head", &Options::head, {0, 1023, 0, 31, false},
        {{"head", "头"},
         {"The head whose difference is drawn; the numbers are of all heads.", "绘制哪一个头的差；数值针对所有头。"}});
    t.integer("tokens", &Options::tokens, {0, 1 << 24, 0, 4096, false},
              {{"first tokens only", "仅前若干词元"},
               {"Computes only the start of a long sequence; 0 means all of it.", "只计算长序列的开头；0 表示全部。"},
               "",
               "tokens"})
        .unset({"all", "全部"});
    t.integer("shuffle", &Options::shuffle, {0, 1e9, 0, 100, false},
              {{"order", "顺序"}, {"Which order the tokens are put in.", "把词元排成哪一种顺序。"}});
    return t;
  }();
  return table;
}

/// Weights that differ by less moved with their tokens: sums in another order, in single precision.
constexpr double rounding = 1e-5;

/// An order of so many tokens in which the last `queries` stay the last: cached queries have no rows for the others.
std::vector<std::int64_t> drawnOrder(std::int64_t tokens, std::int64_t queries, std::int64_t seed) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(tokens));
  std::iota(order.begin(), order.end(), 0);
  const Stream stream(static_cast<std::uint64_t>(seed), "shuffle_test/order");
  const auto shuffle = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t left = end; left > begin + 1; --left) {
      const auto span = static_cast<std::uint64_t>(left - begin);
      const auto other = begin + static_cast<std::int64_t>(stream.below(span, static_cast<std::uint64_t>(left), 0));
      std::swap(order[static_cast<std::size_t>(left - 1)], order[static_cast<std::size_t>(other)]);
    }
  };
  shuffle(0, tokens - queries);
  shuffle(tokens - queries, tokens);
  return order;
}

/// The rows of the tokens from `first` on, [parts, tokens, width]: row r becomes that of the token that comes there.
void reorder(std::vector<float>& values, std::int64_t width, const std::vector<std::int64_t>& order,
             std::int64_t first) {
  const std::vector<float> before = values;
  const auto tokens = static_cast<std::int64_t>(order.size()) - first;
  for (std::size_t row = 0; row < values.size() / static_cast<std::size_t>(width); ++row) {
    const std::int64_t r = static_cast<std::int64_t>(row) % tokens;
    const std::int64_t other = static_cast<std::int64_t>(row) - r + order[static_cast<std::size_t>(first + r)] - first;
    std::copy_n(before.begin() + other * width, width, values.begin() + static_cast<std::int64_t>(row) * width);
  }
}

Attended reordered(const Attended& attended, const std::vector<std::int64_t>& order) {
  Attended moved = attended;
  const Shape& s = attended.shape();
  reorder(moved.content.x.values, s.d_model, order, 0);
  reorder(moved.content.q, s.head_dim, order, s.queryOffset());
  reorder(moved.content.k, s.head_dim, order, 0);
  return moved;
}

Array moved(std::span<const std::int64_t> ids, const std::vector<std::int64_t>& order) {
  std::vector<double> values;
  for (const std::int64_t from : order) values.push_back(static_cast<double>(ids[static_cast<std::size_t>(from)]));
  return makeArray({std::ssize(order)}, std::move(values));
}

/// The ids of a model's tokens in another order, each with its segment.
Expected<ContentSpec> reordered(ContentSpec content, const std::vector<std::int64_t>& order, const Job& job) {
  const auto model = contentModel(content, job);
  if (!model) return fail(model.error());
  const auto tokens = contentTokens(content, **model, std::ssize(order));
  if (!tokens) return fail(tokens.error());
  const auto segments = contentSegments(content, **model, std::ssize(order));
  if (!segments) return fail(segments.error());
  content.token_file = moved(*tokens, order);
  if (!segments->empty()) content.segment_file = moved(*segments, order);
  return content;
}

/// The attention of the tokens as they stand, and after the shuffle.
struct Shuffled {
  Attended before;
  Attended after;
};

constexpr double maps_of_one_head = 5;  // before, after, their difference, and the two that are drawn

Shuffled underRule(const Attended& attended, const Mask& mask, const std::vector<std::int64_t>& order) {
  Shuffled both{attended, reordered(attended, order)};
  both.before.question.mask = both.after.question.mask = mask;
  return both;
}

/// A trained model runs anew, under the rule and on the tokens in their new order: in its queries and keys is the
/// position already, that of an added table and all that the layers below have seen of the order.
Expected<Shuffled> underRule(FirstTokens part, const Mask& mask, const std::vector<std::int64_t>& order,
                             const Job& job) {
  part.question.mask = mask;
  auto before = attendedBy(part, AttentionPart::both, maps_of_one_head, job.part(0, 0.5));
  if (!before) return fail(before.error());
  auto content = reordered(part.question.content, order, job);
  if (!content) return fail(content.error());
  part.question.content = *std::move(content);
  auto after = attendedBy(std::move(part), AttentionPart::both, maps_of_one_head, job.part(0.5, 1));
  if (!after) return fail(after.error());
  return Shuffled{*std::move(before), *std::move(after)};
}

/// |A(PX) − P·A(X)·Pᵀ| of one head: row i, column j is that of the tokens that came to stand there.
std::vector<float> movedBy(Rows<float> weights, Rows<float> shuffled, const std::vector<std::int64_t>& order) {
  const std::int64_t first = weights.cols - weights.rows;
  std::vector<float> apart(static_cast<std::size_t>(weights.rows * weights.cols));
  for (std::int64_t i = 0; i < weights.rows; ++i) {
    const auto before = weights.row(order[static_cast<std::size_t>(first + i)] - first);
    const auto after = shuffled.row(i);
    for (std::int64_t j = 0; j < weights.cols; ++j)
      apart[static_cast<std::size_t>(i * weights.cols + j)] = std::abs(
          after[static_cast<std::size_t>(j)] - before[static_cast<std::size_t>(order[static_cast<std::size_t>(j)])]);
  }
  return apart;
}

struct Rule {
  std::string key;
  Text name;
  Mask mask;
};

std::array<Rule, 2> rules() {
  Mask causal;
  causal.causal = true;
  return {{{"none", {"no mask", "无掩码"}, {}}, {"causal", {"causal mask", "因果掩码"}, causal}}};
}

struct Found {
  double largest = 0;
  std::int64_t head = 0;     ///< where it is
  std::vector<float> drawn;  ///< of the head that is drawn
};

/// One head after the other, so that no more than two maps of one head are held.
Expected<Found> compare(const Shuffled& both, const std::vector<std::int64_t>& order, std::int64_t drawn,
                        const Job& job) {
  Found found;
  const Shape& shape = both.before.shape();
  for (std::int64_t head = 0; head < shape.num_heads; ++head) {
    attention::Wanted wanted;
    wanted.heads = {head};
    const auto share = [&](double done) {
      return (static_cast<double>(head) + done) / static_cast<double>(shape.num_heads);
    };
    const auto before = attend(both.before, wanted, job.part(share(0), share(0.5)));
    if (!before) return fail(before.error());
    const auto after = attend(both.after, wanted, job.part(share(0.5), share(1)));
    if (!after) return fail(after.error());
    std::vector<float> apart = movedBy({before->weights.data(), shape.queries(), shape.keys()},
                                       {after->weights.data(), shape.queries(), shape.keys()}, order);
    const double largest = static_cast<double>(std::ranges::max(apart));
    if (largest > found.largest) {
      found.largest = largest;
      found.head = head;
    }
    if (head == drawn) found.drawn = std::move(apart);
  }
  return found;
}

void addRemark(Dataset& dataset, const Rule& rule, const Found& found) {
  const std::string number = readable(found.largest);
  const Text head = headText(found.head);
  if (found.largest <= rounding)
    dataset.remarks.push_back(
        {Verdict::neutral,
         {"With " + rule.name.en + " the weights move with their tokens (up to " + number +
              ", rounding): the order of the tokens is not seen.",
          rule.name.zh + "时，权重随词元一起移动（差至多 " + number + "，属于舍入）：看不出词元的顺序。"}});
  else
    dataset.remarks.push_back(
        {Verdict::neutral,
         {"With " + rule.name.en + " the weights change by up to " + number + " (" + head.en +
              ") when the tokens change places: their order is seen.",
          rule.name.zh + "时，打乱词元后权重最多改变 " + number + "（" + head.zh + "）：词元的顺序起作用。"}});
}

/// The tokens' names as they stand after the shuffle, of the last `count`; null where they have none.
std::shared_ptr<const std::vector<std::string>> namesAfter(const Question& question,
                                                           const std::vector<std::int64_t>& order, std::int64_t count) {
  const std::vector<std::string> names = tokenLabels(question.content, question.shape);
  if (names.size() < order.size()) return nullptr;
  std::vector<std::string> after;
  for (auto from = order.end() - count; from != order.end(); ++from)
    after.push_back(names[static_cast<std::size_t>(*from)]);
  return std::make_shared<const std::vector<std::string>>(std::move(after));
}

void addRule(Dataset& dataset, const Rule& rule, Found found, const Question& question,
             const std::vector<std::int64_t>& order, std::int64_t head) {
  const Shape& shape = question.shape;
  dataset.metrics.push_back({rule.key,
                             {"largest change in all heads, " + rule.name.en, "所有头中的最大改变，" + rule.name.zh},
                             found.largest,
                             ""});
  addRemark(dataset, rule, found);
  Axis queries = queryAxis(shape);
  Axis keys = keyAxis(shape);
  queries.names = namesAfter(question, order, shape.queries());
  keys.names = namesAfter(question, order, shape.keys());
  const Text of = headText(head);
  dataset.maps.push_back(
      {rule.key,
       {rule.name.en + ", " + of.en, rule.name.zh + "，" + of.zh},
       storedField(shape.queries(), shape.keys(), std::move(found.drawn)),
       std::move(queries),
       std::move(keys),
       {"change, " + of.en, "改变量，" + of.zh},
       MapKind::sequential,
       static_cast<int>(head),
       [](std::int64_t i, std::int64_t j) { return join("|A(PX) − P·A(X)·Pᵀ|[", i, ", ", j, "]"); }});
}

Expected<Dataset> answer(const Question& question, const Job& job) {
  const Expected<Options> options = optionTable().read(question.measure, question.options);
  if (!options) return fail(options.error());
  const Expected<std::int64_t> head = headOf(options->head, question.shape.num_heads, question);
  if (!head) return fail(head.error());
  if (question.content.source == ContentSource::attention) return onlyAttentionGiven();  // it cannot be computed anew
  const Expected<FirstTokens> part = askedTokens(question, options->tokens);
  if (!part) return fail(part.error());
  const bool runs = question.content.source == ContentSource::model;
  std::optional<Attended> attended;
  if (!runs) {
    auto made = attendedBy(*part, AttentionPart::both, maps_of_one_head, job);
    if (!made) return fail(made.error());
    attended = *std::move(made);
  }
  const Shape& shape = part->question.shape;
  const std::vector<std::int64_t> order = drawnOrder(shape.keys(), shape.queries(), options->shuffle);
  Dataset dataset;
  Steps steps(job, rules().size());
  for (const Rule& rule : rules()) {
    const Job step = steps.next();
    const auto both = runs ? underRule(*part, rule.mask, order, step.part(0, 0.5))
                           : Expected<Shuffled>(underRule(*attended, rule.mask, order));
    if (!both) return fail(both.error());
    auto found = compare(*both, order, *head, step.part(0.5, 1));
    if (!found) return fail(found.error());
    addRule(dataset, rule, *std::move(found), part->question, order, *head);
  }
  if (shape.keys() < question.shape.keys()) dataset.scope = firstTokensText(shape.keys(), question.shape.keys(), false);
  return dataset;
}

}  // namespace

Measure shuffleTest() {
  return {
      "shuffle_test",
      {"Shuffle test", "打乱测试"},
      {"The tokens change places, the positions stay: where the weights do not simply move with their tokens, "
       "position decides. Without position and mask nothing changes; a causal mask alone already tells the order.",
       "词元换位而位置不动：权重若不只是随词元移动，就是位置在起作用。"
       "没有位置也没有掩码时毫无变化；仅有因果掩码就已能分辨顺序。"},
      "[2, L_q, L_k] of `head`, |A(PX) − P·A(X)·Pᵀ| without a mask, then with a causal one; row i and column j belong "
      "to the tokens that stand there after the shuffle; L = `tokens` when that is shorter",
      optionTable().specs(),
      answer,
      {"none", "sinusoidal"}};
}

}  // namespace posiscope::measures
