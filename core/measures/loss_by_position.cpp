// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/axes.h"
#include "core/measures/content_for.h"
#include "core/measures/first_tokens.h"
#include "core/measures/measures.h"
#include "core/measures/model_pairing.h"
#include "core/measures/recent.h"
#include "core/model_content.h"
#include "core/screen_number.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

namespace posiscope::measures {
namespace {

struct Options {
  std::int64_t block = 0;
  std::int64_t tokens = 0;
};

const ParamTable<Options>& optionTable() {
  static const ParamTable<Options> table = [] {
    ParamTable<Options> t;
    t.integer(
         "block", &Options::block, {0, 1 << 20, 0, 512, false},
         {{"mean over blocks of", "分块平均"},
          {"One point for each so many positions, their mean; the losses of single tokens jump too much to be seen.",
           "每若干个位置取平均，画一个点；单个词元的损失起伏过大，难以看清。"},
          "",
          "tokens"})
        .unset({"every position", "每个位置"});
    t.integer("tokens", &Options::tokens, {0, 1 << 24, 0, 8192, false},
              {{"first tokens only", "仅前若干词元"},
               {"Runs the model on the start of a long sequence only; 0 means all of it.",
                "只在长序列的开头运行模型；0 表示全部。"},
               "",
               "tokens"})
        .unset({"all", "全部"});
    return t;
  }();
  return table;
}

/// [tokens − 1]: −ln p of token t + 1 given tokens 0 … t.
using Losses = std::vector<double>;

/// The losses of a run; remembered, for blocks of another size are means of the same numbers.
Expected<std::shared_ptr<const Losses>> lossesOf(const FirstTokens& part, const Job& job) {
  static Recent<std::pair<Question, std::int64_t>, Losses> recent;
  std::pair key(runOf(part.question), part.length);
  key.first.shape.layer = 0;  // all layers are run
  if (auto known = recent.find(key)) return known;
  transformers::Wanted wanted;
  wanted.losses = true;
  Expected<transformers::Trace<float>> trace = runModel(key.first, wanted, job, part.length);
  if (!trace) return fail(trace.error());
  auto made = std::make_shared<const Losses>(std::move(trace->losses));
  recent.remember(std::move(key), made, made->size() * sizeof(double));
  return made;
}

/// Positions [begin, end), counted from the first of the sequence, and the mean of their losses.
struct Block {
  std::int64_t begin;
  std::int64_t end;
  double mean;
};

double meanOf(std::span<const double> losses) {
  return std::accumulate(losses.begin(), losses.end(), 0.0) / static_cast<double>(losses.size());
}

/// A rest of less than half a block joins the block before it.
std::vector<Block> blocksOf(std::span<const double> losses, std::int64_t size) {
  std::vector<Block> blocks;
  const auto all = static_cast<std::int64_t>(losses.size());
  for (std::int64_t begin = 0; begin < all;) {
    const std::int64_t end = 2 * (all - begin) < 3 * size ? all : begin + size;
    const auto part = losses.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    blocks.push_back({begin, end, meanOf(part)});
    begin = end;
  }
  return blocks;
}

/// A block stands at its middle; of an even number of positions at the later one of the two.
Curve lossCurve(const std::vector<Block>& blocks, double first_position) {
  Curve curve{"loss", {"loss", "损失"}, CurveRole::line, {}, {}};
  for (const Block& block : blocks) {
    curve.x.push_back(first_position + static_cast<double>(block.begin + (block.end - block.begin) / 2));
    curve.y.push_back(block.mean);
  }
  curve.term = [blocks, x = curve.x, first_position](double at) -> std::string {
    const auto found = std::ranges::find(x, at);
    if (found == x.end()) return {};
    const Block& block = blocks[static_cast<std::size_t>(found - x.begin())];
    if (block.end - block.begin == 1) return "−ln p(x[i + 1] | x[≤ i]), i = " + screenNumber(at);
    return "⟨−ln p(x[i + 1] | x[≤ i])⟩ᵢ, i = " + screenNumber(first_position + static_cast<double>(block.begin)) +
           " … " + screenNumber(first_position + static_cast<double>(block.end - 1));
  };
  return curve;
}

/// Keeps the place of what a draft leaves out.
void spread(Curve& curve, std::int64_t computed, std::int64_t asked, std::int64_t size, double first_position) {
  for (std::int64_t begin = computed; begin < asked; begin += size) {
    const std::int64_t middle = begin + std::min(size, asked - begin) / 2;
    curve.x.push_back(first_position + static_cast<double>(middle));
    curve.y.push_back(std::numeric_limits<double>::quiet_NaN());
  }
}

/// What a run shows about positions that training had and others.
struct Seen {
  std::span<const double> losses;
  std::int64_t trained = 0;  ///< positions up to the training length
  std::int64_t block = 0;    ///< positions of the blocks that are compared

  std::span<const double> inside() const { return losses.first(static_cast<std::size_t>(trained)); }
  std::span<const double> beyond() const { return losses.subspan(static_cast<std::size_t>(trained)); }
  /// The largest mean of a block of the trained positions.
  double highest() const {
    const std::vector<Block> blocks = blocksOf(inside(), block);
    return std::ranges::max_element(blocks, {}, &Block::mean)->mean;
  }
  /// Where the last blocks begin that all lie above every trained one; nothing where it is one block at most.
  std::optional<std::int64_t> rise() const {
    const double limit = highest();
    const std::vector<Block> blocks = blocksOf(beyond(), block);
    auto first = blocks.end();
    while (first != blocks.begin() && std::prev(first)->mean > limit) --first;
    if (blocks.end() - first < 2) return std::nullopt;
    return trained + first->begin;
  }
};

/// Single losses jump: they are compared as blocks of at least 16, where nothing else is asked for of 64.
Seen seenIn(const Losses& losses, const Question& question, std::int64_t block) {
  constexpr std::int64_t usual = 64;
  constexpr std::int64_t fewest = 16;
  const auto all = static_cast<double>(losses.size());
  const double inside = std::ceil(question.train_length - question.shape.first_position);
  Seen seen{losses, 0, block > 0 ? std::max(block, fewest) : usual};
  if (question.train_length > 0) seen.trained = static_cast<std::int64_t>(std::clamp(inside, 0.0, all));
  return seen;
}

/// A mean loss in a sentence: three digits are more than a change of the text leaves alone.
std::string lossText(double loss) { return readable(std::round(loss * 100) / 100); }

/// "Mean loss 1.36 up to the training length 512, 1.62 beyond it."
Text meansText(const Seen& seen, double train_length) {
  const std::string all = readable(static_cast<double>(seen.losses.size()));
  const std::string mean = lossText(meanOf(seen.losses));
  const std::string length = readable(train_length);
  if (train_length <= 0)
    return {"Mean loss " + mean + " over " + all +
                " positions; without a training length nothing is said about those "
                "beyond it.",
            all + " 个位置的平均损失为 " + mean + "；未设训练长度，无法区分其内外。"};
  if (seen.beyond().empty())
    return {"Mean loss " + mean + " over " + all + " positions, all within the training length " + length + ".",
            all + " 个位置的平均损失为 " + mean + "，全部在训练长度 " + length + " 之内。"};
  if (seen.trained == 0)
    return {"Mean loss " + mean + " over " + all + " positions, all beyond the training length " + length + ".",
            all + " 个位置的平均损失为 " + mean + "，全部超出训练长度 " + length + "。"};
  const std::string inside = lossText(meanOf(seen.inside()));
  const std::string beyond = lossText(meanOf(seen.beyond()));
  return {"Mean loss " + inside + " up to the training length " + length + ", " + beyond + " beyond it.",
          "训练长度 " + length + " 以内的平均损失为 " + inside + "，超出部分为 " + beyond + "。"};
}

void addRemark(Dataset& dataset, const Seen& seen, const Question& question) {
  Text sentence = meansText(seen, question.train_length);
  Verdict verdict = Verdict::neutral;
  // Two blocks beyond are the fewest that can stay anywhere.
  if (seen.trained > 0 && std::ssize(seen.beyond()) >= 2 * seen.block) {
    const std::string size = readable(static_cast<double>(seen.block));
    const std::string highest = lossText(seen.highest());
    const std::string last = lossText(blocksOf(seen.beyond(), seen.block).back().mean);
    if (const std::optional<std::int64_t> rise = seen.rise()) {
      const std::string from = readable(question.shape.first_position + static_cast<double>(*rise));
      verdict = Verdict::warning;
      sentence.en += " From position " + from + " on every block of " + size +
                     " positions lies above the highest of training, " + highest + "; the last has " + last + ".";
      sentence.zh += "从位置 " + from + " 起，每块（" + size + " 个位置）都高于训练长度内最高的一块（" + highest +
                     "）；最后一块为 " + last + "。";
    } else {
      sentence.en += " It does not stay above the highest block of " + size + " positions of training, " + highest +
                     "; the last has " + last + ".";
      sentence.zh +=
          "没有持续高于训练长度内最高的一块（每块 " + size + " 个位置，" + highest + "）；最后一块为 " + last + "。";
    }
  }
  dataset.remarks.push_back({verdict, std::move(sentence)});
}

void addMetrics(Dataset& dataset, const Seen& seen) {
  const auto add = [&](const char* key, Text label, std::span<const double> losses) {
    if (!losses.empty()) dataset.metrics.push_back({key, std::move(label), meanOf(losses), "nats"});
  };
  add("mean", {"mean loss", "平均损失"}, seen.losses);
  add("mean_trained", {"mean up to the training length", "训练长度以内的平均"}, seen.inside());
  if (seen.trained > 0) add("mean_beyond", {"mean beyond it", "超出部分的平均"}, seen.beyond());
  const auto last = static_cast<std::size_t>(std::min(seen.block, static_cast<std::int64_t>(seen.losses.size())));
  const std::string count = readable(static_cast<double>(last));
  add("last_block", {"mean of the last " + count + " positions", "最后 " + count + " 个位置的平均"},
      seen.losses.last(last));
}

Expected<Dataset> answer(const Question& question, const Job& job) {
  const Expected<Options> options = optionTable().read(question.measure, question.options);
  if (!options) return fail(options.error());
  if (const Expected<EncodingPtr> encoding = encodingOf(question); !encoding) return fail(encoding.error());
  Dataset dataset;
  if (question.content.source != ContentSource::model) {
    dataset.nothing = {"Only a trained model predicts tokens: choose a model as the content.",
                       "只有训练好的模型才会预测词元：请在内容中选择模型。"};
    return dataset;
  }
  const std::int64_t whole = question.shape.keys();
  const std::int64_t asked = options->tokens > 0 ? std::min(options->tokens, whole) : whole;
  const Expected<FirstTokens> part = askedTokens(question, question.draft ? draftTokens(asked) : asked);
  if (!part) return fail(part.error());
  const auto losses = lossesOf(*part, job);
  if (!losses) return fail(losses.error());
  if ((*losses)->empty()) {
    dataset.nothing = {"One token has no next one to predict.", "只有一个词元，没有可预测的下一个。"};
    return dataset;
  }
  const std::int64_t size = std::max<std::int64_t>(1, options->block);
  const double first = question.shape.first_position;
  const std::int64_t keys = part->question.shape.keys();
  dataset.draft = question.draft && keys < asked;
  dataset.curves.push_back(lossCurve(blocksOf(**losses, size), first));
  if (dataset.draft) spread(dataset.curves.back(), keys - 1, asked - 1, size, first);
  dataset.x = positionAxis(question.shape);
  // A block is of many tokens: the word at its middle would stand for none of them, and pass for a position.
  if (size == 1)
    if (auto words = modelTokenLabels(part->question.content, part->question.shape); !words.empty())
      dataset.x.names = std::make_shared<const std::vector<std::string>>(std::move(words));
  dataset.y = valueAxis({"loss −ln p", "损失 −ln p"}, "nats");
  if (keys < whole) dataset.scope = firstTokensText(keys, whole, dataset.draft);
  addTrainedMark(dataset, question.train_length, true);
  const Seen seen = seenIn(**losses, question, options->block);
  addMetrics(dataset, seen);
  addRemark(dataset, seen, question);
  warnOfPairing(dataset.remarks, question);
  return dataset;
}

}  // namespace

Measure lossByPosition() {
  return {
      "loss_by_position",
      {"Loss by position", "按位置的损失"},
      {"How badly the model predicts the token after each position, with this scheme in place of its own: 0 is "
       "certainty, ln of the vocabulary is a blind guess. A curve that rises beyond the training length shows where "
       "this scheme stops carrying the model; compare schemes on the same text, whose hard places all of them have.",
       "用该方案替换模型自己的编码后，模型对每个位置的下一个词元预测得有多差：0 "
       "表示完全确定，词表大小的对数相当于盲猜。"
       "曲线在训练长度之外上升，说明该方案从哪里起不再支撑模型；请在同一文本上比较各方案，文本本身的难点对它们都一样"
       "。"},
      "[2, points]: position i, −ln p of the token at i + 1, natural logarithm; with `block` its means over so many "
      "positions, at their middle; nothing without a model",
      optionTable().specs(),
      answer,
      {"rope --model model/ --content model"},
      FiguresOf::model};
}

}  // namespace posiscope::measures
