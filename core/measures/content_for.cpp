// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/content_for.h"

#include "core/formula_rows.h"
#include "core/measures/recent.h"
#include "core/model_content.h"
#include "core/stored_bytes.h"

#include <algorithm>
#include <iterator>
#include <type_traits>
#include <utility>

namespace posiscope::measures {
namespace {

/// Multiply-adds up to which a run in double precision is not waited for.
constexpr double quick_run = 2e10;

/// Layer by layer single precision loses a digit (weights 3e-6 apart after the five layers of a small model), so what
/// is quick is run in double. Whether it is does not depend on the layer that is looked at: all views show the same
/// numbers.
bool runsInDouble(const Shape& s) {
  const auto real = [](std::int64_t value) { return static_cast<double>(value); };
  return real(s.keys()) * real(s.num_layers) * 12 * real(s.d_model) * real(s.d_model) < quick_run;
}

/// Of a model.
struct Layer {
  Content<float> content;
  std::shared_ptr<const ExactLayer> exact = nullptr;
};

template <class T>
Layer layerOf(transformers::LayerTrace<T> trace, const Encoding<T>& encoding, std::int64_t head_dim) {
  Layer layer;
  layer.content.q.assign(trace.q.begin(), trace.q.end());
  layer.content.k.assign(trace.k.begin(), trace.k.end());
  layer.content.v.assign(trace.v.begin(), trace.v.end());
  layer.content.value_dim = head_dim;
  if constexpr (std::is_same_v<T, double>) {
    auto exact = std::make_shared<ExactLayer>();
    exact->content.q = std::move(trace.q);
    exact->content.k = std::move(trace.k);
    exact->content.v = std::move(trace.v);
    exact->content.value_dim = head_dim;
    exact->encoding = encoding;
    layer.exact = std::move(exact);
  }
  return layer;
}

double storedBytes(const Layer& layer) {
  return posiscope::storedBytes(layer.content) + (layer.exact ? posiscope::storedBytes(layer.exact->content) : 0);
}

using LayerPtr = std::shared_ptr<const Layer>;

/// Queries, keys and values of these layers, of all where none is named.
template <class T>
Expected<std::vector<Layer>> runLayers(const FirstTokens& part, std::vector<std::int64_t> layers, const Job& job) {
  const Expected<ModelRun> run = modelRun(part.question, job, part.length);
  if (!run) return fail(run.error());
  const Shape& s = part.question.shape;
  const auto kept = static_cast<double>(layers.empty() ? run->model.shape.num_layers : std::ssize(layers));
  const auto numbers =
      static_cast<double>((s.num_heads + 2 * s.kvHeads()) * s.head_dim) * static_cast<double>(s.keys());
  const double width = sizeof(float) + (std::is_same_v<T, double> ? sizeof(double) : 0);
  if (Outcome ok = checkMemory("content: the queries, keys and values of the layers", kept * numbers * width); !ok)
    return fail(ok.error());
  transformers::Wanted wanted;
  wanted.layers = std::move(layers);
  wanted.projections = true;
  std::vector<Layer> made;
  const Outcome done = transformers::runLayers<T>(
      run->model, run->prompt, wanted,
      [&](transformers::LayerTrace<T> trace, const Encoding<T>& encoding) {
        made.push_back(layerOf(std::move(trace), encoding, s.head_dim));
      },
      job);
  if (!done) return fail(done.error());
  return made;
}

Expected<std::vector<Layer>> runLayers(const FirstTokens& part, const std::vector<std::int64_t>& layers,
                                       const Job& job) {
  return runsInDouble(part.question.shape) ? runLayers<double>(part, layers, job) : runLayers<float>(part, layers, job);
}

/// Those of the question's layer. Several views ask for those of one run.
Expected<LayerPtr> layerContent(const FirstTokens& part, const Job& job) {
  static Recent<std::pair<Question, std::int64_t>, Layer> recent;
  const std::pair key(runOf(part.question), part.length);
  if (LayerPtr known = recent.find(key)) return known;
  auto run = runLayers(part, {part.question.shape.layer}, job);
  if (!run) return fail(run.error());
  LayerPtr made = std::make_shared<const Layer>(std::move(run->front()));
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
  const Expected<LayerPtr> layer = layerContent(part, job);
  if (!layer) return fail(layer.error());
  return ContentFor{(*layer)->content, insideModel(part.encoding), (*layer)->exact};
}

Expected<std::vector<ContentFor>> contentOfLayers(const FirstTokens& part, const std::vector<EncodingPtr>& encodings,
                                                  const Job& job) {
  for (const EncodingPtr& encoding : encodings) {
    if (Outcome ok = checkScore(part.question, *encoding); !ok) return fail(ok.error());
    if (Outcome ok = checkAffordable(encoding->input, encoding->input.tableRows()); !ok) return fail(ok.error());
  }
  auto layers = runLayers(part, {}, job);
  if (!layers) return fail(layers.error());
  std::vector<ContentFor> made;
  for (std::size_t l = 0; l < std::min(layers->size(), encodings.size()); ++l)
    made.push_back({std::move((*layers)[l].content), insideModel(encodings[l]), std::move((*layers)[l].exact)});
  return made;
}

}  // namespace posiscope::measures
