// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/content_for.h"

#include "core/formula_rows.h"
#include "core/measures/recent.h"
#include "core/model_content.h"
#include "core/stored_bytes.h"

#include <algorithm>
#include <utility>

namespace posiscope::measures {
namespace {

using ContentPtr = std::shared_ptr<const Content<float>>;

/// Multiply-adds up to which a run in double precision is not waited for.
constexpr double quick_run = 2e10;

/// Layer by layer single precision loses a digit (weights 3e-6 apart after the five layers of a small model), so what
/// is quick is run in double. Whether it is does not depend on the layer that is looked at: all views show the same
/// numbers.
bool runsInDouble(const Shape& s) {
  const auto real = [](std::int64_t value) { return static_cast<double>(value); };
  return real(s.keys()) * real(s.num_layers) * 12 * real(s.d_model) * real(s.d_model) < quick_run;
}

/// Queries, keys and values of these layers, of all where none is named.
template <class T>
Expected<std::vector<Content<float>>> runLayers(const FirstTokens& part, std::vector<std::int64_t> layers,
                                                const Job& job) {
  transformers::Wanted wanted;
  wanted.layers = std::move(layers);
  wanted.projections = true;
  const Expected<transformers::Trace<T>> trace = runModel<T>(part.question, wanted, job, part.length);
  if (!trace) return fail(trace.error());
  std::vector<Content<float>> contents;
  for (const transformers::LayerTrace<T>& layer : trace->layers) {
    Content<float>& content = contents.emplace_back();
    content.q.assign(layer.q.begin(), layer.q.end());
    content.k.assign(layer.k.begin(), layer.k.end());
    content.v.assign(layer.v.begin(), layer.v.end());
    content.value_dim = part.question.shape.head_dim;
  }
  return contents;
}

Expected<std::vector<Content<float>>> runLayers(const FirstTokens& part, const std::vector<std::int64_t>& layers,
                                                const Job& job) {
  return runsInDouble(part.question.shape) ? runLayers<double>(part, layers, job) : runLayers<float>(part, layers, job);
}

/// Those of the question's layer. Several views ask for those of one run.
Expected<ContentPtr> layerContent(const FirstTokens& part, const Job& job) {
  static Recent<std::pair<Question, std::int64_t>, Content<float>> recent;
  const std::pair key(runOf(part.question), part.length);
  if (ContentPtr known = recent.find(key)) return known;
  auto run = runLayers(part, {part.question.shape.layer}, job);
  if (!run) return fail(run.error());
  ContentPtr made = std::make_shared<const Content<float>>(std::move(run->front()));
  recent.remember(key, made, static_cast<std::size_t>(storedBytes(*made)));
  return made;
}

Outcome checkScore(const Question& question, const Encoding<float>& encoding) {
  if (!encoding.logits.score.reads_input) return {};
  return fail(ErrorCode::not_supported,
              join(question.scheme.id,
                   ": its score reads embeddings, which no layer of a trained model gives it; "
                   "choose random content or a sentence"),
              join(question.scheme.id, "：其分数要读取词嵌入，而训练好的模型的各层不提供；请选用随机内容或句子"));
}

/// The encoding inside the model: an added table has acted before the first layer.
EncodingPtr insideModel(EncodingPtr encoding) {
  if (!readsEmbeddings(*encoding)) return encoding;
  auto without = std::make_shared<Encoding<float>>(*encoding);
  without->input = {};
  return without;
}

}  // namespace

Question runOf(Question question) {
  question.measure.clear();
  question.options.clear();
  question.draft = false;
  return question;
}

Expected<ContentFor> contentFor(const FirstTokens& part, const Job& job) {
  const Question& question = part.question;
  const InputPart<float>& input = part.encoding->input;
  if (Outcome ok = checkAffordable(input, input.tableRows()); !ok) return fail(ok.error());
  if (question.content.source != ContentSource::model) {
    auto content = makeContent<float>(question.content, question.shape, readsEmbeddings(*part.encoding));
    if (!content) return fail(content.error());
    return ContentFor{*std::move(content), part.encoding};
  }
  if (Outcome ok = checkScore(question, *part.encoding); !ok) return fail(ok.error());
  const Expected<ContentPtr> content = layerContent(part, job);
  if (!content) return fail(content.error());
  return ContentFor{**content, insideModel(part.encoding)};
}

Expected<std::vector<ContentFor>> contentOfLayers(const FirstTokens& part, const std::vector<EncodingPtr>& encodings,
                                                  const Job& job) {
  for (const EncodingPtr& encoding : encodings) {
    if (Outcome ok = checkScore(part.question, *encoding); !ok) return fail(ok.error());
    if (Outcome ok = checkAffordable(encoding->input, encoding->input.tableRows()); !ok) return fail(ok.error());
  }
  auto contents = runLayers(part, {}, job);
  if (!contents) return fail(contents.error());
  std::vector<ContentFor> made;
  for (std::size_t l = 0; l < std::min(contents->size(), encodings.size()); ++l)
    made.push_back({std::move((*contents)[l]), insideModel(encodings[l])});
  return made;
}

}  // namespace posiscope::measures
