// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula_rows.h"
#include "core/measures/axes.h"
#include "core/measures/encoded.h"
#include "core/measures/frequencies.h"
#include "core/measures/measures.h"
#include "core/measures/terms.h"
#include "core/parallel.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

namespace posiscope::measures {
namespace {

struct Options {
  std::vector<double> dims;
  std::int64_t curves = 4;
  std::int64_t head = 0;
};

constexpr std::size_t most_curves = 8;
/// What swings more often along the whole sequence fills the picture and hides the rest.
constexpr double most_swings = 32;
constexpr double fewest_swings = 0.5;

const ParamTable<Options>& optionTable() {
  static const ParamTable<Options> table = [] {
    ParamTable<Options> t;
    t.list("dims", &Options::dims,
           {{"dimensions", "维度"},
            {"The dimensions drawn, at most 8; empty means a few that swing half a time to 32 times here.",
             "要绘制的维度，最多 8 个；空表示选取在此长度内摆动半次到 32 次的几个。"}})
        .unset({"a few, chosen by how often they swing", "按摆动次数选取几个"});
    t.integer("curves", &Options::curves, {1, most_curves, 1, most_curves, false},
              {{"curves", "曲线数"},
               {"How many dimensions of each scheme are drawn when none are listed.",
                "未列出维度时，每个方案绘制多少个维度。"}});
    t.integer(
        "head", &Options::head, {0, 1023, 0, 31, false},
        {{"head", "头"}, {"The head shown where the heads turn differently.", "当各头旋转不同时，显示哪一个头。"}});
    return t;
  }();
  return table;
}

/// Fills the values of several dimensions at one token.
using Reader = std::function<void(std::int64_t token, std::span<double> values)>;

/// How often each of `count` dimensions changes its sign at the tokens 0, step, 2·step … below `end`, in whole swings.
std::vector<double> swings(const Reader& read, std::size_t count, std::int64_t end, std::int64_t step) {
  std::vector<double> changes(count, 0.0);
  std::vector<double> last(count);
  std::vector<double> now(count);
  read(0, last);
  for (std::int64_t i = step; i < end; i += step) {
    read(i, now);
    for (std::size_t c = 0; c < count; ++c) {
      if (last[c] * now[c] < 0) changes[c] += 0.5;
      if (now[c] != 0) last[c] = now[c];
    }
  }
  return changes;
}

/// `wanted` of the dimensions, evenly spread over those whose swings the eye can follow; where too few swing at this
/// length, over the slow ones too. Empty when all are fast (a table of noise).
std::vector<std::int64_t> legible(const std::vector<std::int64_t>& dims, const Reader& read, std::int64_t tokens,
                                  std::int64_t wanted) {
  constexpr std::int64_t most_read = 1024;
  const std::int64_t start = std::min(tokens, most_read);
  const std::int64_t step = tokens / start;
  const std::vector<double> near = swings(read, dims.size(), start, 1);
  // What does not swing at the start is slow enough to be read in steps.
  const std::vector<double> far = step > 1 ? swings(read, dims.size(), tokens, step) : near;
  std::vector<std::int64_t> shown;
  std::vector<std::int64_t> slow;
  for (std::size_t c = 0; c < dims.size(); ++c) {
    const double often = near[c] > 0 ? near[c] * static_cast<double>(tokens) / static_cast<double>(start) : far[c];
    if (often <= most_swings) (often >= fewest_swings ? shown : slow).push_back(dims[c]);
  }
  if (std::ssize(shown) < wanted) shown.insert(shown.end(), slow.begin(), slow.end());
  std::vector<std::int64_t> chosen;
  const auto found = std::min<std::int64_t>(wanted, std::ssize(shown));
  for (std::int64_t k = 0; k < found; ++k)
    chosen.push_back(shown[static_cast<std::size_t>((2 * k + 1) * std::ssize(shown) / (2 * found))]);
  std::ranges::sort(chosen);
  return chosen;
}

/// Some of the dimensions to choose from, evenly spread.
std::vector<std::int64_t> tried(const std::vector<std::int64_t>& dims) {
  constexpr std::size_t most_tried = 64;
  const std::size_t step = (dims.size() + most_tried - 1) / most_tried;
  std::vector<std::int64_t> some;
  for (std::size_t k = 0; k < dims.size(); k += step) some.push_back(dims[k]);
  return some;
}

/// The dimensions asked for, of `count`. Errors: out_of_range, too_large.
Expected<std::vector<std::int64_t>> listedDims(const Options& options, std::int64_t count, const Question& question) {
  if (options.dims.size() > most_curves)
    return fail(
        ErrorCode::too_large,
        join(question.measure, ": dims must list at most ", most_curves, " dimensions, got ", options.dims.size()),
        join(question.measure, "：dims 最多列出 ", most_curves, " 个维度，得到 ", options.dims.size()));
  std::vector<std::int64_t> dims;
  for (const double d : options.dims) {
    if (!(d >= 0 && d < static_cast<double>(count)) || d != std::floor(d))
      return fail(rangeError(question.measure, "dims", 0, static_cast<double>(count - 1), d));
    dims.push_back(static_cast<std::int64_t>(d));
  }
  return dims;
}

/// Which of them are drawn, as a caption: with one curve a scheme no legend names it.
Text chosenText(const std::vector<std::int64_t>& chosen, const Text& one, const Text& several) {
  std::string en, zh;
  for (const std::int64_t c : chosen) {
    en += (en.empty() ? " " : ", ") + std::to_string(c);
    zh += (zh.empty() ? " " : "、") + std::to_string(c);
  }
  const Text& kind = chosen.size() == 1 ? one : several;
  return {"Drawn: " + kind.en + en + ", of those that swing at most 32 times here.",
          "绘制" + kind.zh + zh + "，选自在此长度内摆动不超过 32 次者。"};
}

/// When none are listed: legible ones, else some from the fast end. `dims`: the ones to choose from, `read` their
/// values; `one`, `several`: what they are called.
std::vector<std::int64_t> usualDims(Dataset& dataset, const Options& options, const std::vector<std::int64_t>& dims,
                                    const Reader& read, std::int64_t tokens, const Text& one, const Text& several) {
  std::vector<std::int64_t> chosen = legible(dims, read, tokens, options.curves);
  if (!chosen.empty()) {
    dataset.scope = chosenText(chosen, one, several);
    return chosen;
  }
  const auto size = static_cast<std::int64_t>(dims.size());
  for (std::int64_t k = 0; k < std::min(options.curves, size); ++k)
    chosen.push_back(dims[static_cast<std::size_t>(k * size / (2 * options.curves))]);
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

void addCurve(Dataset& dataset, std::int64_t dim, Text label, const Shape& shape,
              const std::function<double(std::int64_t)>& value, std::function<std::string(std::int64_t)> term,
              int head) {
  Curve curve{join("d", dim), std::move(label), CurveRole::line, {}, {}, head};
  for (std::int64_t i = 0; i < shape.keys(); ++i) {
    curve.x.push_back(shape.first_position + static_cast<double>(i));
    curve.y.push_back(value(i));
  }
  if (term)
    curve.term = [term = std::move(term), first = shape.first_position](double x) {
      return term(static_cast<std::int64_t>(std::llround(x - first)));
    };
  dataset.curves.push_back(std::move(curve));
}

/// Some dimensions at all positions, [dims, rows]; empty when stopped. One pass over the rows for all of them: a row
/// may have to be made. Of a formula only those cells are.
Table<float> columnsOf(const InputPart<float>& input, const std::vector<std::int64_t>& dims, const Job& job) {
  Table<float> columns = makeTable<float>(std::ssize(dims), input.tableRows());
  const FormulaRows* formula = formulaRowsOf(input);
  const bool complete = parallelBlocks(input.tableRows(), 64, job, [&](std::int64_t begin, std::int64_t end) {
    thread_local std::vector<float> room;
    const Rows<float> rows = formula ? Rows<float>{} : input.tableBlock(begin, end, room);
    for (std::int64_t r = begin; r < end; ++r)
      for (std::size_t c = 0; c < dims.size(); ++c)
        columns.row(static_cast<std::int64_t>(c))[static_cast<std::size_t>(r)] =
            formula ? static_cast<float>(formula->at(r, dims[c]))
                    : rows.row(r - begin)[static_cast<std::size_t>(dims[c])];
  });
  return complete ? columns : Table<float>{};
}

Outcome addTable(Dataset& dataset, const InputPart<float>& input, const Question& question, const Options& options,
                 const Job& job) {
  Expected<std::vector<std::int64_t>> dims = listedDims(options, input.tableCols(), question);
  if (!dims) return fail(dims.error());
  const FormulaRows* formula = formulaRowsOf(input);
  if (dims->empty()) {
    std::vector<std::int64_t> even;
    for (std::int64_t d = 0; d < input.tableCols(); d += 2) even.push_back(d);
    even = tried(even);
    std::vector<float> room;
    const Reader read = [&](std::int64_t i, std::span<double> values) {
      if (formula) {
        for (std::size_t c = 0; c < even.size(); ++c) values[c] = formula->at(i, even[c]);
        return;
      }
      const Rows<float> row = input.tableBlock(i, i + 1, room);
      for (std::size_t c = 0; c < even.size(); ++c) values[c] = row.row(0)[static_cast<std::size_t>(even[c])];
    };
    *dims = usualDims(dataset, options, even, read, input.tableRows(), {"dimension", "维度"}, {"dimensions", "维度"});
  }
  if (formula)
    if (Outcome ok = formula->checkAffordable(std::ssize(*dims) * input.tableRows()); !ok) return ok;
  const Table<float> columns = columnsOf(input, *dims, job);
  if (columns.empty()) return stopped();
  for (std::int64_t c = 0; c < columns.rows; ++c) {
    const std::int64_t d = (*dims)[static_cast<std::size_t>(c)];
    std::function<std::string(std::int64_t)> term = [of = tableTerm(input), d](std::int64_t i) { return of(i, d); };
    addCurve(
        dataset, d, {join("dimension ", d), join("维度 ", d)}, question.shape,
        [&](std::int64_t i) { return static_cast<double>(columns.row(c)[static_cast<std::size_t>(i)]); },
        std::move(term), -1);
  }
  return {};
}

/// The first dimension of a pair shows its cosine, the second one its sine.
Outcome addRotation(Dataset& dataset, const EncodingPtr& encoding, const Question& question, const Options& options) {
  const RotationPart& rotation = *encoding->rotation;
  const Expected<std::int64_t> set = headOf(options.head, rotation.sets, question);
  if (!set) return fail(set.error());
  Expected<std::vector<std::int64_t>> dims = listedDims(options, rotation.endDim(), question);
  if (!dims) return fail(dims.error());
  if (dims->empty()) {
    std::vector<std::int64_t> pairs(static_cast<std::size_t>(rotation.pairs()));
    std::iota(pairs.begin(), pairs.end(), 0);
    pairs = tried(pairs);
    // By how they swing before scaling: two scalings of one rotation are compared on the same pairs.
    const std::vector<double> plain = rotation.axes == 1 ? unscaled(question, *set) : std::vector<double>{};
    const bool scaled = std::ssize(plain) == rotation.pairs();
    const auto angle = [&](std::int64_t i, std::int64_t p) {
      return scaled ? plain[static_cast<std::size_t>(p)] * rotation.position[static_cast<std::size_t>(i)]
                    : rotation.angle(*set, i, p);
    };
    const Reader read = [&](std::int64_t i, std::span<double> values) {
      for (std::size_t c = 0; c < pairs.size(); ++c) values[c] = std::cos(angle(i, pairs[c]));
    };
    *dims = usualDims(dataset, options, pairs, read, question.shape.keys(), {"pair", "维度对"}, {"pairs", "维度对"});
    for (std::int64_t& pair : *dims) pair = rotation.firstDim(pair);
  }
  for (const std::int64_t d : *dims)
    for (std::int64_t p = 0; p < rotation.pairs(); ++p) {
      const bool first = rotation.firstDim(p) == d;
      if (!first && rotation.secondDim(p) != d) continue;
      const auto value = [&](std::int64_t i) {
        const double angle = rotation.angle(*set, i, p);
        return rotation.attention_factor * (first ? std::cos(angle) : std::sin(angle));
      };
      const char* wave = first ? "cos" : "sin";
      addCurve(
          dataset, d,
          {join("dimension ", d, ": ", wave, " of pair ", p), join("维度 ", d, "：维度对 ", p, " 的 ", wave)},
          question.shape, value,
          [encoding, s = *set, p, wave](std::int64_t i) { return rotationTerm(*encoding->rotation, s, i, p, wave); },
          rotation.sets > 1 ? static_cast<int>(*set) : -1);
    }
  return {};
}

Expected<Dataset> answer(const Question& question, const Job& job) {
  const Expected<Options> options = optionTable().read(question.measure, question.options);
  if (!options) return fail(options.error());
  const Expected<EncodingPtr> encoding = encodingOf(question);
  if (!encoding) return fail(encoding.error());
  const Encoding<float>& e = **encoding;
  Dataset dataset;
  Outcome ok;
  if (e.input.hasTable())
    ok = addTable(dataset, e.input, question, *options, job);
  else if (e.rotation)
    ok = addRotation(dataset, *encoding, question, *options);
  else
    dataset.nothing = {"This scheme has no dimensions of its own: there are no waves to draw.",
                       "该方案没有自己的维度：没有可绘制的波形。"};
  if (!ok) return fail(ok.error());
  dataset.x = positionAxis(question.shape);
  dataset.y = valueAxis({"value", "数值"});
  if (!dataset.curves.empty()) addTrainedMark(dataset, question.train_length, true);
  return dataset;
}

}  // namespace

Measure waves() {
  return {"waves",
          {"Waves", "波形"},
          {"Single dimensions along the sequence: the columns of an added table, or the cosine and sine that turn a "
           "pair. Low dimensions swing every few tokens, high ones over thousands; a position is known by all of them "
           "together, like the hands of a clock.",
           "单个维度沿序列的变化：位置表的列，或转动维度对的余弦与正弦。"
           "低维每隔几个词元摆动一次，高维要上千个词元；所有维度合在一起才确定一个位置，就像钟表的指针。"},
          "[1 + dims, seq_len]: position, then one row a dimension",
          optionTable().specs(),
          answer};
}

}  // namespace posiscope::measures
