// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/buffers.h"
#include "core/measures/attended.h"
#include "core/measures/axes.h"
#include "core/measures/first_tokens.h"
#include "core/measures/measures.h"
#include "core/measures/streamed_attention.h"
#include "core/measures/terms.h"
#include "core/measures/weight_figures.h"
#include "core/screen_number.h"

#include <algorithm>

namespace posiscope::measures {
namespace {

using Quantity = attention::StreamedField::Quantity;
enum class LongMaps { stored, streamed };

/// First tokens that stand in for a long sequence whose maps can be neither stored nor streamed.
constexpr std::int64_t start_tokens = 512;

struct Options {
  std::vector<double> heads;
  std::int64_t tokens = 0;
  Quantity quantity = Quantity::weights;
  AttentionPart part = AttentionPart::both;
  LongMaps long_maps = LongMaps::stored;
};

const ParamTable<Options>& optionTable() {
  static const ParamTable<Options> table = [] {
    ParamTable<Options> t;
    t.list("heads", &Options::heads,
           {{"heads", "头"}, {"The heads computed; empty means all.", "要计算的头；留空表示全部。"}})
        .unset({"all", "全部"});
    t.integer("tokens", &Options::tokens, {0, 1 << 24, 0, 8192, false},
              {{"first tokens only", "仅前若干词元"},
               {"Computes only the start of a long sequence; 0 means all of it.", "只计算长序列的开头；0 表示全部。"},
               "",
               "tokens"})
        .unset({"all", "全部"});
    t.choice(
        "quantity", &Options::quantity, {{"weights", {"weights", "权重"}}, {"logits", {"logits", "logits"}}},
        {{"quantity", "显示量"},
         {"Weights after mask and softmax, or logits before them.", "掩码与 softmax 之后的权重，或之前的 logits。"}});
    t.choice("part", &Options::part,
             {{"both", {"content and position", "内容与位置"}},
              {"content", {"content only", "仅内容"}},
              {"position", {"position only", "仅位置"}}},
             {{"made from", "由何而来"},
              {"Attends as the scheme does, with the products q·k alone, or with every token the same (x = 0 where a "
               "table is added).",
               "按方案计算注意力；或只用乘积 q·k；或让所有词元都相同（加位置表时 x = 0）。"}});
    t.choice("long_maps", &Options::long_maps, {{"stored", {"stored", "存储"}}, {"streamed", {"row by row", "逐行"}}},
             {{"long maps", "长序列的图"},
              {"Stored as long as they fit into memory; or from 4096 tokens on worked out row by row where they are "
               "looked at, and the first 512 tokens where a scheme needs the whole map.",
               "只要内存放得下就存储；或从 4096 个词元起，在查看之处逐行计算，若方案需要整张图则只取前 512 个词元。"}});
    return t;
  }();
  return table;
}

/// The question in hand: whole, or its first tokens.
Expected<FirstTokens> partOf(const Question& question, std::int64_t tokens) {
  // Cached queries are the last ones: a start of the sequence has none of them, and their rows are few.
  if (tokens > 0 && tokens < question.shape.keys() && question.shape.queries() == question.shape.keys())
    return firstTokens(question, tokens);
  const Expected<EncodingPtr> encoding = encodingOf(question);
  if (!encoding) return fail(encoding.error());
  return FirstTokens{question, *encoding};
}

void addFigures(Dataset& dataset, const std::vector<WeightFigures>& figures, const std::vector<std::int64_t>& heads,
                std::int64_t first_offset) {
  double entropy = 0;
  for (std::size_t h = 0; h < figures.size(); ++h) {
    Curve curve{join("by offset head ", heads[h]), {}, CurveRole::line, {}, figures[h].by_offset,
                static_cast<int>(heads[h])};
    const Text head = headText(heads[h]);
    curve.label = {"mean weight, " + head.en, "平均权重，" + head.zh};
    for (std::size_t k = 0; k < curve.y.size(); ++k)
      curve.x.push_back(static_cast<double>(first_offset) + static_cast<double>(k));
    curve.term = [](double n) { return "⟨A[i, i − (" + screenNumber(n) + ")]⟩ᵢ"; };
    dataset.curves.push_back(std::move(curve));
    entropy += figures[h].entropy / static_cast<double>(figures.size());
  }
  dataset.x = offsetAxis(first_offset, false);
  dataset.y = valueAxis({"mean weight", "平均权重"});
  dataset.metrics.push_back({"entropy", {"mean entropy", "平均熵"}, entropy, "nats"});
  for (std::size_t h = 0; h < figures.size(); ++h) {
    const Text head = headText(heads[h]);
    dataset.metrics.push_back(
        {join("entropy head ", heads[h]), {"entropy, " + head.en, "熵，" + head.zh}, figures[h].entropy, "nats"});
  }
}

/// Warns of rows of computed weights that have no numbers; dumps say so of themselves.
void addUndefinedRows(Dataset& dataset, const std::vector<WeightFigures>& figures, std::int64_t queries) {
  std::int64_t undefined = 0;
  for (const WeightFigures& head : figures) undefined += head.undefined;
  if (undefined == 0) return;
  const std::string some = readable(static_cast<double>(undefined));
  const std::string all = readable(static_cast<double>(queries * std::ssize(figures)));
  dataset.remarks.push_back(
      {Verdict::warning,
       {some + " of " + all +
            (undefined == 1 ? " rows holds NaN or +∞, so it has no softmax; it counts in no figure."
                            : " rows hold NaN or +∞, so they have no softmax; they count in no figure."),
        all + " 行中有 " + some + " 行含有 NaN 或 +∞，无法计算 softmax，不计入任何指标。"}});
}

using Term = std::function<std::string(std::int64_t i, std::int64_t j)>;

Term termOf(const Attended& attended, const Options& options, std::int64_t head,
            const std::shared_ptr<const Mask>& mask) {
  const bool logits = options.quantity == Quantity::logits;
  if (attended.given) return [](std::int64_t, std::int64_t) { return std::string("given"); };
  if (options.part == AttentionPart::content) {
    const auto plain = std::make_shared<Encoding<float>>();
    plain->logit_scale = attended.encoding->logit_scale;
    plain->facts = attended.encoding->facts;  // they say where its queries stand
    plain->prefix_tokens = attended.encoding->prefix_tokens;
    if (!attended.content_is_product) plain->logits.score = attended.encoding->logits.score;
    return attentionTerm(plain, attended.shape(), mask, head, logits);
  }
  const auto whole = attentionTerm(attended.encoding, attended.shape(), mask, head, logits);
  if (attended.note.empty()) return whole;
  return [whole, note = attended.note](std::int64_t i, std::int64_t j) { return whole(i, j) + note; };
}

/// One block of memory for all heads.
std::vector<std::shared_ptr<const Field>> storedFields(std::vector<float> values, const Shape& shape,
                                                       std::size_t heads) {
  const auto block = lendBuffer(std::move(values));
  const std::int64_t cells = shape.queries() * shape.keys();
  std::vector<std::shared_ptr<const Field>> fields;
  for (std::size_t h = 0; h < heads; ++h)
    fields.push_back(
        storedField(shape.queries(), shape.keys(), block, block->data() + static_cast<std::int64_t>(h) * cells));
  return fields;
}

void addScope(Dataset& dataset, const Shape& whole, const Shape& part) {
  if (part.keys() != whole.keys()) dataset.scope = firstTokensText(part.keys(), whole.keys(), dataset.draft);
}

/// Attention of one part must not be taken for that of the scheme.
void addPart(Dataset& dataset, AttentionPart part, const Question& question) {
  if (part == AttentionPart::both || dataset.maps.empty()) return;
  const bool content = part == AttentionPart::content;
  // The layers below have seen the positions.
  const bool carries = content && question.content.source == ContentSource::model && question.shape.layer > 0;
  dataset.part = {join(content ? "content only" : "position only", carries ? " (it may carry positions)" : ""),
                  join(content ? "仅内容" : "仅位置", carries ? "（可能带有位置信息）" : "")};
}

/// How many of the first tokens are asked for.
std::int64_t tokensAsked(const Question& question, const Options& options) {
  const std::int64_t whole = question.shape.keys();
  return options.tokens > 0 ? std::min(options.tokens, whole) : whole;
}

/// How many are computed.
std::int64_t tokensTaken(const Question& question, std::int64_t asked) {
  const bool can_be_cut = question.shape.queries() == question.shape.keys();
  return question.draft && can_be_cut ? draftTokens(asked) : asked;
}

using HeadList = std::vector<std::int64_t>;

/// Would the maps be too large to be stored?
bool areLong(const Question& question, const Options& options, std::size_t heads, std::int64_t tokens) {
  const Shape& s = question.shape;
  const bool cut = tokens < s.keys() && s.queries() == s.keys();
  const double cells = cut ? static_cast<double>(tokens) * static_cast<double>(tokens)
                           : static_cast<double>(s.queries()) * static_cast<double>(s.keys());
  const double limit = options.long_maps == LongMaps::streamed ? attention::storedWeightsLimit() : memoryLimit();
  return static_cast<double>(heads) * cells * sizeof(float) > limit;
}

void addMaps(Dataset& dataset, const std::vector<std::shared_ptr<const Field>>& fields, const HeadList& heads,
             const Attended& attended, const Options& options) {
  const Shape& shape = attended.shape();
  const bool logits = options.quantity == Quantity::logits;
  const auto mask = std::make_shared<const Mask>(attended.question.mask);  // one for all heads: it can be large
  for (std::size_t h = 0; h < heads.size(); ++h) {
    dataset.maps.push_back({join("head ", heads[h]), headText(heads[h]), fields[h], queryAxis(shape), keyAxis(shape),
                            logits ? Text{"logit", "logit"} : Text{"weight", "权重"},
                            logits ? MapKind::diverging : MapKind::sequential, static_cast<int>(heads[h])});
    dataset.maps.back().term = termOf(attended, options, heads[h], mask);
  }
}

/// Row by row; nothing where the scheme needs whole maps.
Expected<std::optional<Dataset>> streamedAnswer(const Question& question, const Options& options, const HeadList& heads,
                                                const Job& job) {
  const Expected<FirstTokens> part = partOf(question, tokensAsked(question, options));
  if (!part) return fail(part.error());
  const auto streamed = streamedAttention(*part, options.part, heads, options.quantity, job);
  if (!streamed) return fail(streamed.error());
  std::optional<Dataset> answer;
  if (!*streamed) return answer;
  Dataset& dataset = answer.emplace();
  const Attended& attended = (*streamed)->attended;
  dataset.nothing = attended.nothing;
  if (!dataset.nothing.en.empty()) return answer;
  addMaps(dataset, (*streamed)->fields, heads, attended, options);
  addScope(dataset, question.shape, attended.shape());
  const Text sampled = streamedScope(attended.shape(), options.quantity);
  const bool more = !dataset.scope.en.empty();
  dataset.scope = {dataset.scope.en + (more ? "; " : "") + sampled.en,
                   dataset.scope.zh + (more ? "；" : "") + sampled.zh};
  addPart(dataset, options.part, question);
  return answer;
}

Expected<Dataset> storedAnswer(const Question& question, const Options& options, const HeadList& heads,
                               std::int64_t asked, const Job& job) {
  const std::int64_t tokens = tokensTaken(question, asked);
  Expected<FirstTokens> part = partOf(question, tokens);
  if (!part) return fail(part.error());
  const auto attended = attendedBy(*std::move(part), options.part, static_cast<double>(heads.size()), job);
  if (!attended) return fail(attended.error());
  Dataset dataset;
  dataset.remarks = remarksOn(*attended);
  dataset.nothing = attended->nothing;
  if (!dataset.nothing.en.empty()) return dataset;
  const bool logits = options.quantity == Quantity::logits;
  attention::Wanted wanted;
  wanted.logits = logits;
  wanted.weights = !logits;
  wanted.heads = heads;
  Expected<attention::Attention<float>> result = attend(*attended, wanted, job.part(0, logits ? 1 : 0.9));
  if (!result) return fail(result.error());

  dataset.draft = tokens < asked;
  const Shape& shape = attended->shape();
  const Mask& mask = attended->question.mask;
  if (!logits) {
    const std::int64_t first = mask.causal && mask.prefix == 0 ? 0 : -(shape.keys() - 1);
    // The mask plays no part in weights that are given.
    const bool as_given = attended->given && attended->given->file->kind == files::AttentionKind::weights;
    const auto figures = weightFigures(result->weights.data(), result->heads, as_given ? Mask{} : attended->mask, shape,
                                       first, job.part(0.9, 1));
    if (figures.empty()) return stopped();
    addFigures(dataset, figures, heads, first);
    if (!attended->given) addUndefinedRows(dataset, figures, shape.queries());
  }
  addEmptyRows(dataset, result->empty_rows, shape.queries());
  addMaps(dataset, storedFields(std::move(logits ? result->logits : result->weights), shape, heads.size()), heads,
          *attended, options);
  addScope(dataset, question.shape, shape);
  addPart(dataset, options.part, question);
  if (dataset.draft) spreadDraft(dataset, asked);
  return dataset;
}

Expected<Dataset> answer(const Question& question, const Job& job) {
  const Expected<Options> options = optionTable().read(question.measure, question.options);
  if (!options) return fail(options.error());
  const std::int64_t count = question.shape.num_heads;
  const auto heads = headsShown(options->heads, count, count, question);
  if (!heads) return fail(heads.error());
  std::int64_t asked = tokensAsked(question, *options);
  if (areLong(question, *options, heads->size(), asked)) {
    Expected<std::optional<Dataset>> streamed = streamedAnswer(question, *options, *heads, job);
    if (!streamed) return fail(streamed.error());
    if (*streamed) return **std::move(streamed);
    if (options->long_maps == LongMaps::streamed) asked = std::min(asked, start_tokens);
  }
  return storedAnswer(question, *options, *heads, asked, job);
}

}  // namespace

Measure attentionWeights() {
  return {
      "attention_weights",
      {"Attention weights", "注意力权重"},
      {"Each row is one query: how it spreads its attention over the keys, for the content and mask of the left "
       "panel. Compare the schemes on the same content. Drawn content shows what the encoding alone does; what "
       "training brings about shows with a trained model as the content.",
       "每一行是一个查询：在左侧所选的内容与掩码下，它如何把注意力分配到各个键。"
       "请在相同内容下比较各方案：随机内容只显示编码本身的作用；选择训练好的模型作为内容，才能看到训练形成的模式。"},
      "[heads, L_q, L_k], or [L_q, L_k] when one head is asked for; L = `tokens` when that is shorter",
      optionTable().specs(),
      answer,
      {},
      FiguresOf::attention};
}

}  // namespace posiscope::measures
