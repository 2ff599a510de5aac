// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/properties.h"

#include "core/formula.h"
#include "core/measures/axes.h"
#include "core/measures/encoded.h"
#include "core/measures/measures.h"
#include "core/measures/trained_angles.h"
#include "core/pooled_queries.h"
#include "core/schemes/list.h"
#include "core/screen_number.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <utility>

namespace posiscope::measures {
namespace {

constexpr std::int64_t near_tokens = 64;
constexpr std::int64_t far_tokens = 512;
constexpr std::int64_t far_tokens_of_draft = 128;
constexpr std::int64_t least_own_tokens = 8;  ///< fewer hardly have an offset twice

/// What one head of the longest probe may hold, in numbers, and what may be spent on projecting it.
constexpr std::int64_t most_numbers = 1 << 21;
constexpr std::int64_t most_products = 1 << 28;
/// The same for all rows of the question's own grid.
constexpr std::int64_t most_grid_products = 1 << 27;
constexpr std::int64_t most_drafted_products = 1 << 22;

enum class Precision { exact, single };

struct Options {
  Precision precision = Precision::exact;
};

const ParamTable<Options>& optionTable() {
  static const ParamTable<Options> table = [] {
    ParamTable<Options> t;
    t.choice("precision", &Options::precision, {{"double", {"double", "双精度"}}, {"single", {"single", "单精度"}}},
             {{"precision", "精度"},
              {"Double separates the formula from rounding; single is what the pictures are made with.",
               "双精度把公式本身与舍入误差分开；单精度即绘图所用的精度。"}});
    return t;
  }();
  return table;
}

/// The probe of the question's own length, where that is longer than `far` tokens; of half as many, and so on, where
/// it would take too long. None where content decides anyway, or the scheme refuses.
template <class T>
std::optional<Probe<T>> wholeProbe(const Scheme& scheme, const Question& question, const Probe<T>& far) {
  Shape shape = question.shape;
  if (question.draft || shape.seq_len <= far.tokens() || far.encoding().logits.score.reads_input) return std::nullopt;
  const bool embedded = readsEmbeddings(far.encoding());
  const std::int64_t width = embedded ? shape.d_model : shape.head_dim;
  const auto fits = [&](std::int64_t n) {
    return n * width <= most_numbers && (!embedded || n * width * shape.head_dim <= most_products);
  };
  if (shape.seq_len_q > 0) shape.seq_len_q = shape.grid_height = shape.grid_width = 0;
  while (!fits(shape.seq_len)) {
    shape.seq_len /= 2;
    shape.grid_height = shape.grid_width = 0;
  }
  if (shape.seq_len <= far.tokens()) return std::nullopt;
  Expected<Encoding<T>> encoding = encode<T>(scheme, question.scheme.values, shape);
  if (!encoding) return std::nullopt;
  return Probe<T>(*std::move(encoding), shape, question.content);
}

/// The probe of the question's own grid, which is asked about every patch: what holds on another grid need not hold
/// there. None where the near probe is of that grid, or it would take too long.
template <class T>
std::optional<Probe<T>> ownGridProbe(const Scheme& scheme, const Question& question, const Probe<T>& near) {
  Shape shape = question.shape;
  shape.seq_len_q = 0;
  const std::int64_t width = readsEmbeddings(near.encoding()) ? shape.d_model : shape.head_dim;
  const std::int64_t most = question.draft ? most_drafted_products : most_grid_products;
  if (shape.seq_len < 2 || shape.seq_len > most_numbers / width || shape.seq_len * shape.seq_len * width > most)
    return std::nullopt;
  Expected<Encoding<T>> encoding = encode<T>(scheme, question.scheme.values, shape);
  if (!encoding) return std::nullopt;
  Probe<T> probe(*std::move(encoding), shape, question.content);
  const std::optional<Grid> grid = gridOfProbe(probe, true);
  if (grid && grid == gridOfProbe(near, true)) return std::nullopt;
  return probe;
}

/// A short question is asked at its own length where the length itself changes logits: else the card would be that of
/// another encoding. Says what it changes.
template <class T>
LengthChange atOwnLength(const Scheme& scheme, const Question& question, Probe<T>& near, Probe<T>& far) {
  Shape shape = question.shape;
  const LogitsPart<T>& logits = far.encoding().logits;
  const bool content_decides = logits.score.reads_input || far.encoding().input.transform;
  if (shape.seq_len < least_own_tokens || shape.seq_len > far_tokens || content_decides || readsGrid(scheme, question))
    return {};
  if (shape.seq_len_q > 0) shape.seq_len_q = shape.grid_height = shape.grid_width = 0;
  Expected<Encoding<T>> encoding = encode<T>(scheme, question.scheme.values, shape);
  if (!encoding) return {};
  const Probe<T> own(*std::move(encoding), shape, question.content);
  LengthChange largest;
  for (Probe<T>* probe : {&near, &far}) {
    const bool longer = own.tokens() < probe->tokens();
    const LengthChange change = longer ? lengthChange(own, *probe) : lengthChange(*probe, own);
    if (change.relative > largest.relative) largest = change;
    if (change.relative > 0) *probe = own;
  }
  return largest;
}

/// Why nothing can be told of the numbers: a trained table with NaN in it. Empty where all are numbers. Logits of later
/// keys need not have a value.
template <class T>
Text damageOf(const Probe<T>& probe) {
  const Table<T>& table = probe.encoding().input.table;
  std::int64_t damaged = 0;
  for (std::int64_t r = 0; r < table.rows; ++r)
    damaged += std::ranges::any_of(table.row(r), [](T v) { return std::isnan(v); }) ? 1 : 0;
  if (damaged > 0)
    return {join(damaged, " of ", table.rows, " rows of the added table ", damaged == 1 ? "holds" : "hold", " NaN"),
            join("位置表的 ", table.rows, " 行中有 ", damaged, " 行含有 NaN")};
  Text found;
  const std::vector<std::int64_t> rows = spreadRows(probe.tokens(), 4);
  probe.eachHead(probe.asked(4, std::ssize(rows)), {Tokens::equal}, [&](const ProbedHead<T>& head) {
    if (!found.en.empty()) return;
    const Table<T> logits = probe.logits(head, rows);
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (std::int64_t j = 0; j <= rows[r]; ++j) {
        if (!std::isnan(logits.row(static_cast<std::int64_t>(r))[static_cast<std::size_t>(j)])) continue;
        found = {join("the logit of (", rows[r], ", ", j, "), h = ", head.head, ", is NaN"),
                 join("(", rows[r], ", ", j, ") 处（h = ", head.head, "）的 logit 为 NaN")};
        return;
      }
  });
  return found;
}

/// NaN compares as nothing: no number decides.
void undecide(Property& p, const Text& damage) {
  p.answer = Property::Answer::neither;
  p.word = {"undecided", "无法判定"};
  p.value = std::numeric_limits<double>::quiet_NaN();
  p.sentence = {"Undecided: " + damage.en + ".", "无法判定：" + damage.zh + "。"};
}

/// On which lengths and grids.
template <class T>
Text measuredOn(const std::vector<const Probe<T>*>& probes, bool reads_grid) {
  std::vector<std::string> lengths, grids;
  for (const Probe<T>* probe : probes) {
    const std::optional<Grid> grid = gridOfProbe(*probe, reads_grid);
    std::vector<std::string>& list = grid ? grids : lengths;
    const std::string text = grid ? sidesText(*grid) : join(probe->tokens());
    if (std::ranges::find(list, text) == list.end()) list.push_back(text);
  }
  Text all;
  const auto add = [&all](const std::vector<std::string>& list, const Text& before, const Text& after) {
    if (list.empty()) return;
    Text numbers;
    for (const std::string& number : list) {
      numbers.en += (numbers.en.empty() ? "" : ", ") + number;
      numbers.zh += (numbers.zh.empty() ? "" : "、") + number;
    }
    all.en += (all.en.empty() ? "" : " and ") + before.en + numbers.en + after.en;
    all.zh += (all.zh.empty() ? "" : "和 ") + before.zh + numbers.zh + after.zh;
  };
  add(lengths, {}, {" tokens", " 个词元"});
  add(grids, {grids.size() > 1 ? "grids of " : "a grid of ", ""}, {"", " 的网格"});
  return all;
}

/// The time that a formula has for the whole card: each of its tables has a limit of its own, and a card makes many.
class FormulaClock {
 public:
  FormulaClock(const Scheme& scheme, std::chrono::duration<double> most) : most_(most) {
    const auto is_typed = [](const ParamSpec& spec) { return spec.kind == ParamKind::text; };
    if (std::ranges::any_of(scheme.params, is_typed))
      end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(most);
  }

  bool isOver() const { return end_ && Clock::now() >= *end_; }
  Text sentence() const {
    const std::string seconds = brief(most_.count());
    return {"the formula took longer than " + seconds + " s", "公式的计算超过了 " + seconds + " 秒"};
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::chrono::duration<double> most_;
  std::optional<Clock::time_point> end_;
};

}  // namespace

template <class T>
Expected<Dataset> cardOf(const Scheme& scheme, const Question& question, const Job& job,
                         std::chrono::duration<double> formula_time) {
  const FormulaClock clock(scheme, formula_time);
  const auto probe = [&](std::int64_t tokens) {
    return probeOf<T>(scheme, question.scheme.values, question.shape, question.content, tokens);
  };
  auto near = probe(near_tokens);
  if (!near) return fail(near.error());
  auto far = probe(question.draft ? far_tokens_of_draft : far_tokens);
  if (!far) return fail(far.error());
  const std::int64_t tried = far->tokens();
  const bool grid = readsGrid(scheme, question);
  const std::optional<Probe<T>> whole = clock.isOver() ? std::nullopt : wholeProbe(scheme, question, *far);
  const LengthChange length = whole ? LengthChange{} : atOwnLength(scheme, question, *near, *far);
  const std::optional<Probe<T>> own = grid ? ownGridProbe(scheme, question, *near) : std::nullopt;
  const Reach reach = reachOf(scheme, question, far->encoding().prefix_tokens);
  const Subject<T> subject{scheme, question, *near, *far, whole ? &*whole : nullptr, own ? &*own : nullptr,
                           grid,   length,   tried, reach};
  std::vector<const Probe<T>*> probes{&*near, &*far};
  for (const Probe<T>* more : {subject.whole, subject.own})
    if (more) probes.push_back(more);
  Text damage;
  for (const Probe<T>* each : probes)
    if (damage.en.empty()) damage = damageOf(*each);
  Dataset card;
  const auto add = [&](std::vector<Property> lines, const Text& why = {}) {
    for (Property& line : lines)
      if (!why.en.empty()) undecide(line, why);
    std::ranges::move(lines, std::back_inserter(card.properties));
    job.setProgress(static_cast<double>(card.properties.size()) / 10);
    return !job.stopped();
  };
  const Encoding<T>& e = subject.longest().encoding();
  bool of_tokens = false;
  const std::array<std::function<std::vector<Property>()>, 5> questions{
      [&]() -> std::vector<Property> {
        OffsetOnly offset_only = offsetOnly(subject);
        of_tokens = offset_only.of_tokens;
        return {std::move(offset_only.property)};
      },
      [&]() -> std::vector<Property> { return {symmetric(subject)}; },
      [&]() -> std::vector<Property> { return {keepsNorms(subject)}; },
      [&]() -> std::vector<Property> { return {boundedWithLength(subject)}; },
      [&]() -> std::vector<Property> { return decay(subject, of_tokens); },
  };
  // Only the logits are damaged: queries, keys and embeddings have their lengths.
  const bool logits_alone = !e.input.hasTable() && !e.logits.score.prepare;
  for (std::size_t n = 0; n < questions.size() && !clock.isOver(); ++n) {
    const bool spared = logits_alone && probed_questions[n] == "keeps_norms";
    if (!add(questions[n](), spared ? Text{} : damage)) return stopped();
  }
  for (std::size_t n = card.properties.size(); n < probed_questions.size(); ++n)
    if (!add({unanswered(probed_questions[n])}, clock.sentence())) return stopped();
  const bool turns = e.rotation || !e.logits.score.frequency.empty();
  if (!add({beyondTraining(reach, question, turns)}) || !add(costs(subject))) return stopped();
  const Text on = measuredOn(probes, grid);
  card.draft = question.draft;
  card.scope = {"measured on " + on.en + (card.draft ? ", draft" : ""),
                "在 " + on.zh + "上测得" + (card.draft ? "，草稿" : "")};
  return card;
}

template Expected<Dataset> cardOf<float>(const Scheme&, const Question&, const Job&, std::chrono::duration<double>);
template Expected<Dataset> cardOf<double>(const Scheme&, const Question&, const Job&, std::chrono::duration<double>);

namespace {

/// Why there is no card: each of its questions compares the scores of tokens with each other, both ways. Empty where
/// the queries are such tokens.
Text whyNoCard(const Scheme& scheme, const Question& question) {
  if (!readsGrid(scheme, question)) return {};
  const Expected<EncodingPtr> encoding = encodingOf(question);
  const auto pooled = encoding ? pooledQueries(**encoding, question.shape) : std::nullopt;
  if (!pooled) return {};
  const Text place = pooled->place();
  const bool strided = pooled->stride > 0;
  const std::string without = strided ? "stride 1" : "query_height 0, query_width 0";
  const std::string without_zh = strided ? "stride 设为 1" : "query_height、query_width 设为 0";
  return {"The card compares scores of tokens that all are queries and keys, but " + place.en +
              ". It can be had with " + without + " and seq_len_q 0.",
          "这些性质比较的是既作查询又作键的词元之间的得分，而" + place.zh + "。将 " + without_zh +
              "、seq_len_q 设为 0 即可得到。"};
}

Expected<Dataset> answer(const Question& question, const Job& job) {
  const Expected<Options> options = optionTable().read(question.measure, question.options);
  if (!options) return fail(options.error());
  const Scheme* scheme = schemes::find(question.scheme.id);
  if (!scheme)
    return fail(ErrorCode::unknown_name, join("there is no scheme '", question.scheme.id, "'"),
                join("没有编码方案“", question.scheme.id, "”"));
  // What is compared must be allowed as it is; the probes are shorter.
  if (Outcome ok = scheme->check(question.scheme.values, question.shape); !ok) return fail(ok.error());
  if (Text why = whyNoCard(*scheme, question); !why.en.empty()) {
    Dataset none;
    none.nothing = std::move(why);
    return none;
  }
  constexpr std::chrono::seconds time = Formula::longest_time;
  return options->precision == Precision::single ? cardOf<float>(*scheme, question, job, time)
                                                 : cardOf<double>(*scheme, question, job, time);
}

}  // namespace

template <class T>
std::optional<Grid> gridOfProbe(const Probe<T>& probe, bool reads_grid) {
  const Encoding<T>& e = probe.encoding();
  if (!reads_grid || (e.rotation && countsTokens(*e.rotation))) return std::nullopt;
  const Expected<Grid> grid = gridOf("", probe.shape(), e.prefix_tokens);
  return grid ? std::optional(*grid) : std::nullopt;
}

std::string sidesText(const Grid& grid) { return join(grid.height, " × ", grid.width); }

Property unanswered(std::string_view key) {
  static const std::map<std::string_view, Text> questions{{"offset_only", {"only the offset counts", "只取决于偏移"}},
                                                          {"symmetric", {"symmetric in direction", "方向对称"}},
                                                          {"keeps_norms", {"keeps norms", "保持范数"}},
                                                          {"bounded", {"bounded with length", "随长度有界"}},
                                                          {"monotone_decay", {"decays monotonically", "单调衰减"}},
                                                          {"first_rise", {"first rise after", "首次回升于"}}};
  return {std::string(key), questions.at(key)};
}

Property decided(std::string_view key, double value, double tolerance, Text sentence) {
  Property p = unanswered(key);
  p.value = value;
  p.tolerance = tolerance;
  p.sentence = std::move(sentence);
  if (std::isnan(value)) {
    p.word = {"not measured", "未测得"};
    return p;
  }
  const bool holds = value <= tolerance;
  p.answer = holds ? Property::Answer::yes : Property::Answer::no;
  p.word = holds ? Text{"yes", "是"} : Text{"no", "否"};
  return p;
}

void addSample(Property& p, const std::vector<std::int64_t>& asked, std::int64_t heads) {
  if (std::ssize(asked) == heads || p.answer == Property::Answer::no) return;
  std::string en, zh;
  for (const std::int64_t h : asked) {
    en += join(en.empty() ? "" : ", ", h);
    zh += join(zh.empty() ? "" : "、", h);
  }
  p.sentence.en += join(" Only ", asked.size(), " of ", heads, " heads were measured: h = ", en, ".");
  p.sentence.zh += join("只测了 ", heads, " 个头中的 ", asked.size(), " 个：h = ", zh, "。");
}

std::string brief(double value) {
  if (value == 0 || !std::isfinite(value)) return screenNumber(value);
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 1);
  return std::abs(value) >= 100 ? readable(value) : screenNumber(std::round(value / unit) * unit);
}

Text differenceText(double relative, double tolerance, const std::string& place) {
  const std::string found = brief(relative), allowed = brief(tolerance);
  return {found + " of the largest (tolerance " + allowed + ")" + (place.empty() ? "" : ", at " + place),
          "最大值的 " + found + "（容差 " + allowed + "）" + (place.empty() ? "" : "，位于 " + place)};
}

template std::optional<Grid> gridOfProbe(const Probe<float>&, bool);
template std::optional<Grid> gridOfProbe(const Probe<double>&, bool);

Measure properties() {
  return {"properties",
          {"Properties", "性质"},
          {"Each answer is measured on a short sequence with seeded content, never taken from a paper, and comes with "
           "the number and the tolerance that decided it. Equal tokens leave only position: whatever differs between "
           "their logits, the encoding did.",
           "每个回答都在一段短序列上用固定种子的内容实测得到，而非引自论文，并附上决定该回答的数值和容差。"
           "词元全部相同时只剩下位置：logits 之间的任何差别都来自编码。"},
          "[10, 2]: one row a property, its value and the tolerance (NaN where none decided)",
          optionTable().specs(),
          answer};
}

}  // namespace posiscope::measures
