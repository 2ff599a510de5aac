// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/content_for.h"

#include "core/measures/recent.h"
#include "core/model_content.h"
#include "core/stored_bytes.h"

namespace posiscope::measures {
namespace {

using ContentPtr = std::shared_ptr<const Content<float>>;

/// Multiply-adds up to which a run in double precision is not waited for.
constexpr double quick_run = 2e10;

/// Layer by layer single precision loses a digit (weights 3e-6 apart after the five layers of a small model), so what is
/// quick is run in double.
bool runsInDouble(const Shape& s) {
  const auto real = [](std::int64_t value) { return static_cast<double>(value); };
  return real(s.keys()) * real(s.layer + 1) * 12 * real(s.d_model) * real(s.d_model) < quick_run;
}

template <class T>
Expected<Content<float>> runLayer(const Question& question, const Job& job) {
  transformers::Wanted wanted;
  wanted.layers = {question.shape.layer};
  wanted.projections = true;
  const Expected<transformers::Trace<T>> trace = runModel<T>(question, wanted, job);
  if (!trace) return fail(trace.error());
  const transformers::LayerTrace<T>& layer = trace->layers.front();
  Content<float> content;
  content.q.assign(layer.q.begin(), layer.q.end());
  content.k.assign(layer.k.begin(), layer.k.end());
  content.v.assign(layer.v.begin(), layer.v.end());
  content.value_dim = question.shape.head_dim;
  return content;
}

/// Queries, keys and values of the question's layer. Several views ask for those of one run.
Expected<ContentPtr> layerContent(const Question& question, const Job& job) {
  static Recent<Question, Content<float>> recent;
  const Question key = runOf(question);
  if (ContentPtr known = recent.find(key)) return known;
  Expected<Content<float>> run =
      runsInDouble(question.shape) ? runLayer<double>(question, job) : runLayer<float>(question, job);
  if (!run) return fail(run.error());
  ContentPtr made = std::make_shared<const Content<float>>(*std::move(run));
  recent.remember(key, made, static_cast<std::size_t>(storedBytes(*made)));
  return made;
}

}  // namespace

Question runOf(Question question) {
  question.measure.clear();
  question.options.clear();
  question.draft = false;
  return question;
}

Expected<ContentFor> contentFor(const Question& question, EncodingPtr encoding, const Job& job) {
  if (question.content.source != ContentSource::model) {
    Expected<Content<float>> content = makeContent<float>(question.content, question.shape, readsEmbeddings(*encoding));
    if (!content) return fail(content.error());
    return ContentFor{*std::move(content), std::move(encoding)};
  }
  if (encoding->logits.score.reads_input)
    return fail(ErrorCode::not_supported,
                join(question.scheme.id, ": its score reads embeddings, which no layer of a trained model gives it; "
                                         "choose random content or a sentence"),
                join(question.scheme.id, "：其分数要读取词嵌入，而训练好的模型的各层不提供；请选用随机内容或句子"));
  const Expected<ContentPtr> content = layerContent(question, job);
  if (!content) return fail(content.error());
  if (readsEmbeddings(*encoding)) {
    auto without = std::make_shared<Encoding<float>>(*encoding);
    without->input = {};
    encoding = std::move(without);
  }
  return ContentFor{**content, std::move(encoding)};
}

}  // namespace posiscope::measures
