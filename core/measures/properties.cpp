// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/properties.h"

#include "core/measures/axes.h"
#include "core/measures/encoded.h"
#include "core/measures/measures.h"
#include "core/schemes/list.h"
#include "core/screen_number.h"

#include <algorithm>

namespace posiscope::measures {
namespace {

constexpr std::int64_t near_tokens = 64;
constexpr std::int64_t far_tokens = 512;
constexpr std::int64_t far_tokens_of_draft = 128;
constexpr std::int64_t least_own_tokens = 8;  ///< fewer hardly have an offset twice

/// What one head of the longest probe may hold, in numbers, and what may be spent on projecting it.
constexpr std::int64_t most_numbers = 1 << 21;
constexpr std::int64_t most_products = 1 << 28;

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

template <class T>
Expected<Dataset> cardOf(const Scheme& scheme, const Question& question, const Job& job) {
  const auto probe = [&](std::int64_t tokens) {
    return probeOf<T>(scheme, question.scheme.values, question.shape, question.content, tokens);
  };
  auto near = probe(near_tokens);
  if (!near) return fail(near.error());
  auto far = probe(question.draft ? far_tokens_of_draft : far_tokens);
  if (!far) return fail(far.error());
  const std::int64_t tried = far->tokens();
  const std::optional<Probe<T>> whole = wholeProbe(scheme, question, *far);
  const LengthChange length = whole ? LengthChange{} : atOwnLength(scheme, question, *near, *far);
  const Reach reach = reachOf(scheme, question, far->encoding().prefix_tokens);
  const Subject<T> subject{scheme, question, *near, *far, whole ? &*whole : nullptr, length, tried, reach};
  Dataset card;
  const auto add = [&](std::vector<Property> lines) {
    std::ranges::move(lines, std::back_inserter(card.properties));
    job.setProgress(static_cast<double>(card.properties.size()) / 10);
    return !job.stopped();
  };
  if (!add({offsetOnly(subject)})) return stopped();
  const bool offset_only = card.properties.front().answer == Property::Answer::yes;
  if (!add({symmetric(subject)}) || !add({keepsNorms(subject)}) || !add({boundedWithLength(subject)}) ||
      !add(decay(subject, offset_only)) || !add({beyondTraining(reach, subject.longest().encoding().rotation)}) ||
      !add(costs(subject)))
    return stopped();
  const std::string tokens = join(near->tokens() < far->tokens() ? join(near->tokens(), ", ") : "", far->tokens(),
                                  whole ? join(", ", whole->tokens()) : "");
  card.draft = question.draft;
  card.scope = {join("measured on ", tokens, " tokens", card.draft ? ", draft" : ""),
                join("在 ", tokens, " 个词元上测得", card.draft ? "，草稿" : "")};
  return card;
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
  return options->precision == Precision::single ? cardOf<float>(*scheme, question, job)
                                                 : cardOf<double>(*scheme, question, job);
}

}  // namespace

Property decided(std::string key, Text question, double value, double tolerance, Text sentence) {
  Property p{std::move(key), std::move(question)};
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
