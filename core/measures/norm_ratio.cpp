// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/attention.h"
#include "core/formula_rows.h"
#include "core/measures/axes.h"
#include "core/measures/derived.h"
#include "core/measures/encoded.h"
#include "core/measures/measures.h"
#include "core/measures/terms.h"
#include "core/model_content.h"
#include "core/parallel.h"
#include "core/screen_number.h"
#include "core/steps.h"
#include "core/stored_bytes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace posiscope::measures {
namespace {

enum class Words { expected, sample };
enum class Shown { ratio, lengths };

struct Options {
  Words words = Words::expected;
  bool scale_words = false;
  Shown show = Shown::ratio;
};

const ParamTable<Options>& optionTable() {
  static const ParamTable<Options> table = [] {
    ParamTable<Options> t;
    t.choice("words", &Options::words,
             {{"expected", {"expected length", "期望长度"}}, {"sample", {"this content's words", "当前内容的词"}}},
             {{"words", "词向量"},
              {"Compares with the expected length of an embedding, or with the embedding at each position.",
               "与词嵌入的期望长度比较，或与每个位置上的词嵌入比较。"}});
    t.boolean("scale_words", &Options::scale_words,
              {{"words × √d_model", "词向量 × √d_model"},
               {"Multiplies the embeddings by √d_model, as the original Transformer does.",
                "将词嵌入乘以 √d_model，与最初的 Transformer 相同。"}});
    t.choice("show", &Options::show, {{"ratio", {"ratio", "比值"}}, {"lengths", {"lengths", "长度"}}},
             {{"show", "显示"},
              {"The ratio, or the lengths themselves: of words, positions and, where a model has them, segments.",
               "显示比值，或显示长度本身：词、位置，以及模型若有的段。"}});
    return t;
  }();
  return table;
}

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

/// Lengths of `count` rows, in parallel; `block` gives those from `begin` to `end`. Empty when stopped.
template <class Block>
std::vector<double> lengthsOf(std::int64_t count, const Job& job, const Block& block) {
  std::vector<double> lengths(static_cast<std::size_t>(count));
  const bool complete = parallelBlocks(count, 64, job, [&](std::int64_t begin, std::int64_t end) {
    thread_local std::vector<float> room;
    std::ranges::copy(norms(block(begin, end, room)), lengths.begin() + begin);
  });
  if (!complete) lengths.clear();
  return lengths;
}

std::vector<double> rowLengths(Rows<float> rows, const Job& job) {
  return lengthsOf(rows.rows, job, [rows](std::int64_t begin, std::int64_t end, std::vector<float>&) {
    return Rows<float>{rows.data + begin * rows.cols, end - begin, rows.cols};
  });
}

std::vector<double> rowLengths(const InputPart<float>& input, const Job& job) {
  return lengthsOf(input.tableRows(), job, [&input](std::int64_t begin, std::int64_t end, std::vector<float>& room) {
    return input.tableBlock(begin, end, room);
  });
}

/// Of those that are finite: rows of a file may hold NaN. NaN where none is.
double mean(const std::vector<double>& values) {
  double sum = 0, count = 0;
  for (const double v : values)
    if (std::isfinite(v)) sum += v, count += 1;
  return sum / count;
}

/// The rows that the means leave out.
void addLeftOut(Dataset& dataset, const std::vector<double>& position) {
  const auto out = std::ranges::count_if(position, [](double v) { return !std::isfinite(v); });
  if (out == 0) return;
  const std::string count = readable(static_cast<double>(out)), all = readable(static_cast<double>(position.size()));
  dataset.remarks.push_back(
      {Verdict::warning,
       {count + " of " + all + (out == 1 ? " rows is" : " rows are") +
            " left out of the means: the table holds NaN or infinite numbers there.",
        "取平均时略去了 " + all + " 行中的 " + count + " 行：表中这些行含有 NaN 或无穷大的数值。"}});
}

/// The embeddings, with room for `copies` of them beside the encoding.
Expected<Table<float>> embeddingsBeside(const Encoding<float>& encoding, const Question& question, double copies) {
  const double numbers = static_cast<double>(question.shape.keys()) * static_cast<double>(question.shape.d_model);
  const double bytes = storedBytes(encoding) + copies * numbers * sizeof(float);
  if (Outcome ok = checkMemory("norm_ratio: words and positions", bytes); !ok) return fail(ok.error());
  return makeEmbeddings<float>(question.content, question.shape);
}

/// The words' length at each position, before √d_model. One value when it is the same everywhere.
Expected<std::vector<double>> wordLengths(const Encoding<float>& encoding, const Question& question, Words words,
                                          const Job& job) {
  // A word of all ones is none: what position alone does is asked of queries and keys that are 1, and here the words
  // then are those of the spread, or every table of a model would seem to be lost beside them.
  const ContentSource source = question.content.source;
  if (words == Words::expected && (source == ContentSource::random || source == ContentSource::ones))
    return std::vector<double>{expectedWordNorm(question.shape.d_model, question.content.word_std)};
  const Expected<Table<float>> x = embeddingsBeside(encoding, question, 1);
  if (!x) return fail(x.error());
  std::vector<double> lengths = rowLengths(rowsOf(*x), job);
  if (lengths.empty()) return stopped();
  if (words == Words::expected) return std::vector<double>{mean(lengths)};
  return lengths;
}

/// What the input part puts on top of the embeddings at each position.
Expected<std::vector<double>> positionLengths(const Encoding<float>& encoding, const Question& question,
                                              const Job& job) {
  std::vector<double> lengths;
  if (encoding.input.transform) {
    Expected<Table<float>> x = embeddingsBeside(encoding, question, 2);
    if (!x) return fail(x.error());
    const Table<float> y = attention::applyInput(encoding.input, rowsOf(*x));
    for (std::size_t c = 0; c < x->values.size(); ++c) x->values[c] = y.values[c] - x->values[c];
    lengths = rowLengths(rowsOf(*x), job);
  } else {
    if (Outcome ok = checkAffordable(encoding.input, encoding.input.tableRows()); !ok) return fail(ok.error());
    lengths = rowLengths(encoding.input, job);
  }
  if (lengths.empty()) return stopped();
  return lengths;
}

/// What the other choice about √d_model would bring, where it is a way out: longer words against positions that drown
/// them, shorter ones where the positions are lost.
Text wayOut(int kind, double other, bool scaled) {
  const std::string would = readable(other);
  if (kind == 2 && !scaled)
    return {" With words × √d_model it would be " + would + ".", "词向量乘以 √d_model 时为 " + would + "。"};
  if (kind == 0 && scaled)
    return {" Without √d_model it would be " + would + ".", "不乘 √d_model 时为 " + would + "。"};
  return {};
}

void addVerdict(Dataset& dataset, double ratio, double other, bool scaled) {
  const std::string is = readable(ratio);
  static const std::array<Text, 3> sentences{
      Text{"The positions are on average {} of the words' length: below 0.1 they may be lost among the words.",
           "位置向量的长度平均为词向量的 {} 倍：低于 0.1 时可能被词淹没。"},
      Text{"The positions are on average {} of the words' length: inside the usual 0.1 to 1.",
           "位置向量的长度平均为词向量的 {} 倍：处于常用的 0.1 到 1 之间。"},
      Text{"The positions are on average {} times the words' length: above 1 they may drown the words.",
           "位置向量的长度平均为词向量的 {} 倍：超过 1 时可能淹没词本身。"}};
  const int kind = normClass(ratio);
  Text sentence = sentences[static_cast<std::size_t>(kind)];
  const Text alternative = wayOut(kind, other, scaled);
  for (std::string* text : {&sentence.en, &sentence.zh}) text->replace(text->find("{}"), 2, is);
  dataset.remarks.push_back(
      {kind == 1 ? Verdict::good : Verdict::warning, {sentence.en + alternative.en, sentence.zh + alternative.zh}});
}

/// The lengths that are compared, in the units of the embeddings.
struct Lengths {
  std::vector<double> position;  ///< of each row
  std::vector<double> word;      ///< of each, or one for all; before √d_model
  SegmentNorms segment;          ///< what is added for them; empty = nothing
  double root = 1;               ///< √d_model
  double factor = 1;             ///< of the words: 1 or the root

  double wordAt(std::size_t i) const { return factor * word[word.size() == 1 ? 0 : i]; }
  double segmentAt(std::size_t i) const { return segment.rows[static_cast<std::size_t>(segment.tokens[i])]; }
  /// Positions against words, means, before √d_model.
  double plain() const { return mean(position) / mean(word); }
};

void addMetrics(Dataset& dataset, const std::vector<double>& ratios, const Lengths& lengths) {
  std::array<double, 3> rows{};
  for (const double r : ratios)
    if (std::isfinite(r)) ++rows[static_cast<std::size_t>(normClass(r))];
  const double word = lengths.factor * mean(lengths.word);
  dataset.metrics = {
      {"position_norm", {"‖position‖, mean", "‖位置‖ 均值"}, mean(lengths.position), ""},
      {"word_norm", {"‖word‖, mean", "‖词‖ 均值"}, word, ""},
      {"ratio", {"ratio of the means", "均值之比"}, lengths.plain() / lengths.factor, ""},
      {"ratio_plain", {"… before √d_model", "… 乘 √d_model 之前"}, lengths.plain(), ""},
      {"ratio_scaled", {"… with words × √d_model", "… 词向量乘 √d_model 之后"}, lengths.plain() / lengths.root, ""},
      {"rows_below", {"positions below 0.1", "低于 0.1 的位置数"}, rows[0], "tokens"},
      {"rows_inside", {"positions from 0.1 to 1", "0.1 到 1 的位置数"}, rows[1], "tokens"},
      {"rows_above", {"positions above 1", "高于 1 的位置数"}, rows[2], "tokens"}};
  for (std::size_t kind = 0; kind < lengths.segment.rows.size(); ++kind) {
    const std::string one = join("‖segment ", kind, "‖"), one_zh = join("‖段 ", kind, "‖");
    dataset.metrics.push_back({join("segment_norm ", kind), {one, one_zh}, lengths.segment.rows[kind], ""});
    dataset.metrics.push_back(
        {join("segment_ratio ", kind), {one + " / ‖word‖", one_zh + " / ‖词‖"}, lengths.segment.rows[kind] / word, ""});
  }
}

/// The length of what each token gets for its segment.
std::vector<double> segmentLengths(const Lengths& lengths) {
  std::vector<double> of_tokens;
  for (std::size_t i = 0; i < lengths.segment.tokens.size(); ++i) of_tokens.push_back(lengths.segmentAt(i));
  return of_tokens;
}

/// Which segments the tokens are of, and how long what is added for them is.
void addSegments(Dataset& dataset, const Lengths& lengths) {
  if (lengths.segment.rows.empty()) return;
  const std::string ratio = readable(mean(segmentLengths(lengths)) / (lengths.factor * mean(lengths.word)));
  const std::vector<std::int64_t>& tokens = lengths.segment.tokens;
  const auto last = std::ranges::max(tokens);
  if (last == std::ranges::min(tokens)) {
    dataset.remarks.push_back(
        {Verdict::neutral,
         {join("The model also adds the row of segment ", last, " to every token: ", ratio, " of the words' length."),
          join("模型还给每个词元加上第 ", last, " 段的向量：长度为词向量的 ", ratio, " 倍。")}});
    return;
  }
  Text counts;
  for (std::int64_t kind = 0; kind <= last; ++kind) {
    const auto count = std::ranges::count(tokens, kind);
    if (count == 0) continue;
    counts.en += join(counts.en.empty() ? "" : ", ", "segment ", kind, " to ", count, " tokens");
    counts.zh += join(counts.zh.empty() ? "" : "，", "给 ", count, " 个词元加上第 ", kind, " 段的向量");
  }
  dataset.remarks.push_back(
      {Verdict::neutral,
       {"The model also adds a row for the segment (" + counts.en + "): on average " + ratio + " of the words' length.",
        "模型还" + counts.zh + "：平均长度为词向量的 " + ratio + " 倍。"}});
}

Curve ratioCurve(const Lengths& lengths, double first_position) {
  Curve curve{"ratio", {"‖position‖ / ‖word‖", "‖位置‖ / ‖词‖"}, CurveRole::line, {}, {}, -1};
  for (std::size_t i = 0; i < lengths.position.size(); ++i) {
    curve.x.push_back(first_position + static_cast<double>(i));
    curve.y.push_back(lengths.wordAt(i) > 0 ? lengths.position[i] / lengths.wordAt(i) : nan_value);
  }
  curve.term = [factor = lengths.factor](double i) {
    const std::string at = "[" + screenNumber(i) + "]‖";
    return scaledTerm(1 / factor, "‖P" + at + " / ‖x" + at);
  };
  return curve;
}

/// Word, position and segment at each position.
std::vector<Curve> lengthCurves(const Lengths& lengths, const std::vector<double>& x) {
  Curve word{"word", {"‖word‖", "‖词‖"}, CurveRole::line, x, {}, -1};
  for (std::size_t i = 0; i < x.size(); ++i) word.y.push_back(lengths.wordAt(i));
  word.term = [factor = lengths.factor](double i) { return scaledTerm(factor, "‖x[" + screenNumber(i) + "]‖"); };
  Curve position{"position", {"‖position‖", "‖位置‖"}, CurveRole::line, x, lengths.position, -1};
  position.term = [](double i) { return "‖P[" + screenNumber(i) + "]‖"; };
  std::vector<Curve> curves{std::move(word), std::move(position)};
  if (lengths.segment.rows.empty()) return curves;
  curves.push_back({"segment", {"‖segment‖", "‖段‖"}, CurveRole::line, x, segmentLengths(lengths), -1});
  return curves;
}

/// A rotation alone keeps lengths; what may come with it does not.
Text rotationOnly(const RotationPart& rotation) {
  if (!rotation.log_magnitude.empty())
    return {"Nothing is added to the words: a rotation turns queries and keys and scales them by their position.",
            "没有向词向量相加任何东西：旋转转动查询和键，并按位置缩放其长度。"};
  if (rotation.attention_factor != 1) {
    const std::string factor = readable(rotation.attention_factor);
    return {
        "Nothing is added to the words: a rotation turns queries and keys, and its attention factor multiplies the "
        "lengths of what it turns by " +
            factor + ".",
        "没有向词向量相加任何东西：旋转转动查询和键，其注意力因子把所转动部分的长度乘以 " + factor + "。"};
  }
  return {"Nothing is added to the words: a rotation turns queries and keys and keeps their lengths.",
          "没有向词向量相加任何东西：旋转只转动查询和键，长度不变。"};
}

Text whyNothing(const Encoding<float>& encoding) {
  if (encoding.rotation) return rotationOnly(*encoding.rotation);
  if (isNothing(encoding))
    return {"Nothing is added to the words: there is no length to compare.",
            "没有向词向量相加任何东西：没有可比较的长度。"};
  return {"Nothing is added to the words: this scheme touches the logits, not the embeddings.",
          "没有向词向量相加任何东西：该方案作用于 logits，而不是词嵌入。"};
}

void describe(Dataset& dataset, const Lengths& lengths, const Options& options, const Question& question) {
  Curve ratio = ratioCurve(lengths, question.shape.first_position);
  const double plain = lengths.plain();
  addMetrics(dataset, ratio.y, lengths);
  addVerdict(dataset, plain / lengths.factor, options.scale_words ? plain : plain / lengths.root, options.scale_words);
  addLeftOut(dataset, lengths.position);
  addSegments(dataset, lengths);
  dataset.x = positionAxis(question.shape);
  if (options.show == Shown::lengths) {
    dataset.curves = lengthCurves(lengths, ratio.x);
    dataset.y = valueAxis({"length of the vectors", "向量长度"}, {}, true);
  } else {
    dataset.curves.push_back(std::move(ratio));
    dataset.y = valueAxis({"‖position‖ / ‖word‖", "‖位置‖ / ‖词‖"}, {}, true);
    dataset.marks.push_back({{"0.1 to 1", "0.1 至 1"}, false, 0.1, 1.0});
  }
  addTrainedMark(dataset, question.train_length, true);
}

Expected<Dataset> answer(const Question& question, const Job& job) {
  const Expected<Options> options = optionTable().read(question.measure, question.options);
  if (!options) return fail(options.error());
  const Expected<EncodingPtr> encoding = encodingOf(question);
  if (!encoding) return fail(encoding.error());
  Dataset dataset;
  if (!(*encoding)->input.hasTable() && !(*encoding)->input.transform) {
    dataset.nothing = whyNothing(**encoding);
    return dataset;
  }
  Steps steps(job, 2);
  const Expected<std::vector<double>> position = positionLengths(**encoding, question, steps.next());
  if (!position) return fail(position.error());
  const Expected<std::vector<double>> word = wordLengths(**encoding, question, options->words, steps.next());
  if (!word) return fail(word.error());
  if (std::ranges::none_of(*position, [](double v) { return std::isfinite(v); })) {
    dataset.nothing = {"No row has a finite length: numbers of the table are NaN or infinite.",
                       "没有任何一行的长度是有限值：表中有 NaN 或无穷大的数值。"};
    return dataset;
  }
  if (mean(*word) <= 0)
    return fail(ErrorCode::not_defined, "norm_ratio: the embeddings must have a length above 0, got 0",
                "norm_ratio：词嵌入的长度必须大于 0，得到 0");
  Lengths lengths{*position, *word, {}};
  lengths.root = std::sqrt(static_cast<double>(question.shape.d_model));
  lengths.factor = options->scale_words ? lengths.root : 1.0;
  if (question.content.source == ContentSource::model) {
    Expected<SegmentNorms> segments = modelSegmentNorms(question.content, question.shape.keys());
    if (!segments) return fail(segments.error());
    lengths.segment = *std::move(segments);
  }
  describe(dataset, lengths, *options, question);
  return dataset;
}

}  // namespace

Measure normRatio() {
  return {
      "norm_ratio",
      {"Norm ratio", "范数比"},
      {"How long the added position is against the word it is added to, at each position. A rule of thumb wants it "
       "between 0.1 and 1: below, the positions get lost; above, they drown the words.",
       "每个位置上，相加的位置向量与词向量的长度之比。经验法则希望它在 0.1 到 1 "
       "之间：过低则位置信息丢失，过高则淹没词义。"},
      "[2, seq_len]: position, ratio; with `show` lengths [3 or 4, seq_len]: position, length of word, of position, of "
      "the token's segment where a model has segments; nothing when no table is added",
      optionTable().specs(),
      answer};
}

}  // namespace posiscope::measures
