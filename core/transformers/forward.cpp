// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/transformers/forward.h"

#include "core/encoding_start.h"
#include "core/schemes/list.h"
#include "core/steps.h"
#include "core/transformers/kernels.h"
#include "core/transformers/token_blocks.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace posiscope::transformers {
namespace {

/// [tokens, heads·width] as [heads, tokens, width].
template <class T>
std::vector<T> byHead(const std::vector<T>& rows, std::int64_t tokens, std::int64_t heads, std::int64_t width) {
  std::vector<T> out(rows.size());
  T* to = out.data();
  for (std::int64_t h = 0; h < heads; ++h)
    for (std::int64_t t = 0; t < tokens; ++t) to = std::copy_n(rows.data() + (t * heads + h) * width, width, to);
  return out;
}

/// [heads, tokens, width] as [tokens, heads·width].
template <class T>
Table<T> byToken(const std::vector<T>& heads_first, std::int64_t tokens, std::int64_t heads, std::int64_t width) {
  Table<T> out = makeTable<T>(tokens, heads * width);
  const T* from = heads_first.data();
  for (std::int64_t h = 0; h < heads; ++h)
    for (std::int64_t t = 0; t < tokens; ++t, from += width)
      std::copy_n(from, width, out.values.data() + (t * heads + h) * width);
  return out;
}

template <class T>
double normOf(std::span<const T> row) {
  double square = 0;
  for (const T v : row) square += static_cast<double>(v) * static_cast<double>(v);
  return std::sqrt(square);
}

template <class T>
using Take = std::function<void(LayerTrace<T>, const Encoding<T>&)>;

/// One forward pass. `hidden_` is the state between the layers.
template <class T>
class Pass {
 public:
  /// `take`: who gets the layers; empty = the trace keeps them.
  Pass(const Model& model, const Prompt& prompt, const Wanted& wanted, const Job& job, Take<T> take)
      : model_(model),
        plan_(model.plan),
        prompt_(prompt),
        wanted_(wanted),
        job_(job),
        shape_(shapeOf(model, prompt)),
        mask_(maskOf(model, prompt)),
        take_(std::move(take)),
        tokens_(shape_.seq_len) {}

  Expected<Trace<T>> trace() {
    if (Outcome ok = check(); !ok) return fail(ok.error());
    if (Outcome ok = embed(); !ok) return fail(ok.error());
    const std::int64_t last = lastLayer();
    // The head of a wide vocabulary may cost as much as a layer or more; progress need not be finer.
    Steps steps(job_, static_cast<std::size_t>(last) + 1);
    for (std::int64_t l = 0; l < last; ++l)
      if (Outcome ok = layer(l, l + 1 == last && !needsEnd(), steps.next()); !ok) return fail(ok.error());
    if (wanted_.logits || wanted_.losses)
      if (Outcome ok = predict(steps.next()); !ok) return fail(ok.error());
    return std::move(trace_);
  }

 private:
  bool needsEnd() const { return wanted_.logits || wanted_.losses || wanted_.hidden; }
  bool traced(std::int64_t l) const {
    if (!wanted_.projections && !wanted_.attention_logits && !wanted_.attention_weights) return false;
    return wanted_.layers.empty() || std::ranges::find(wanted_.layers, l) != wanted_.layers.end();
  }
  /// How many layers must be run.
  std::int64_t lastLayer() const {
    if (needsEnd()) return shape_.num_layers;
    for (std::int64_t l = shape_.num_layers; l-- > 0;)
      if (traced(l)) return l + 1;
    return 0;
  }

  Outcome check() const {
    if (Outcome ok = checkPrompt(model_, prompt_); !ok) return ok;
    for (const std::int64_t l : wanted_.layers)
      if (l < 0 || l >= shape_.num_layers)
        return fail(ErrorCode::out_of_range, join("layer must be 0 to ", shape_.num_layers - 1, ", got ", l),
                    join("层的编号必须在 0 到 ", shape_.num_layers - 1, " 之间，得到 ", l));
    if ((wanted_.logits || wanted_.losses) && !plan_.missing_head.empty())
      return fail(ErrorCode::not_supported,
                  join("the weights must hold the tensor '", plan_.missing_head,
                       "' to predict tokens, as tie_word_embeddings is false, got none: ", model_.path),
                  join("tie_word_embeddings 为 false，权重文件中必须有张量“", plan_.missing_head,
                       "”才能预测词元，但没有找到：", model_.path));
    if ((wanted_.logits || wanted_.losses) && plan_.head.empty())
      return fail(ErrorCode::not_supported,
                  join("a model that predicts tokens must be given (GPT-2 or Llama), got one of type ",
                       model_.model_type, ", which has no such head"),
                  join("需要能预测词元的模型（GPT-2 或 Llama），得到的 ", model_.model_type, " 没有这样的输出层"));
    if (wanted_.losses && !plan_.predicts_next)
      return fail(ErrorCode::not_supported,
                  join("a model that predicts the next token must be given, got one that was trained to answer a task ",
                       "of another kind: ", model_.path),
                  join("需要预测下一个词元的模型，而 ", model_.path, " 是为另一类任务训练的"));
    return checkMemory("the run of the model, what is kept of it and what is worked on",
                       runBytes(model_, prompt_, wanted_, sizeof(T), take_ ? 1 : -1));
  }

  Expected<Encoding<T>> encodingOf(std::int64_t l) const {
    Shape shape = shape_;
    shape.layer = l;
    const Scheme& scheme = *schemes::find(model_.scheme.id);
    if (prompt_.length > tokens_) {
      shape.seq_len = prompt_.length;
      const Expected<Encoding<T>> whole = posiscope::encode<T>(scheme, model_.scheme.values, shape);
      if (!whole) return fail(whole.error());
      if (std::optional<Encoding<T>> start = startOf(*whole, tokens_)) return *std::move(start);
      shape.seq_len = tokens_;
    }
    return posiscope::encode<T>(scheme, model_.scheme.values, shape);
  }

  /// Words, then segments, then what the scheme adds, then the norm.
  Outcome embed() {
    hidden_ = makeTable<T>(tokens_, shape_.d_model);
    if (Outcome ok = addRows(plan_.words, prompt_.tokens, std::span<T>(hidden_.values)); !ok) return ok;
    for (std::int64_t t = 0; t < tokens_; ++t)
      if (const double factor = plan_.wordFactor(prompt_.tokens[static_cast<std::size_t>(t)]); factor != 1)
        for (T& x : hidden_.row(t)) x = static_cast<T>(static_cast<double>(x) * factor);
    const Expected<Encoding<T>> encoding = encodingOf(0);
    if (!encoding) return fail(encoding.error());
    std::vector<std::int64_t> segments = prompt_.segments;
    if (!plan_.segments.empty()) segments.resize(static_cast<std::size_t>(tokens_));
    if (wanted_.embedding_norms)
      if (Outcome ok = measureNorms(encoding->input, segments); !ok) return ok;
    if (!plan_.segments.empty())
      if (Outcome ok = addRows(plan_.segments, segments, std::span<T>(hidden_.values)); !ok) return ok;
    entry_ = encoding->input.entry;
    if (entry_ == InputEntry::before_first_layer) enter(encoding->input);
    if (!plan_.embedding_norm.empty())
      if (Outcome ok = norm(plan_.embedding_norm, hidden_, job_.part(0, 0)); !ok) return ok;
    keepHidden();
    return {};
  }
  void enter(const InputPart<T>& input) {
    if (input.hasTable() || input.transform) hidden_ = attention::applyInput(input, rowsOf(hidden_));
  }
  /// The same of an encoding that acts between the layers.
  Outcome enterAt(std::int64_t l) {
    const Expected<Encoding<T>> encoding = encodingOf(l);
    if (!encoding) return fail(encoding.error());
    enter(encoding->input);
    return {};
  }
  /// While `hidden_` holds the words alone.
  Outcome measureNorms(const InputPart<T>& input, const std::vector<std::int64_t>& segments) {
    const bool has_segments = !plan_.segments.empty();
    Table<double>& norms = trace_.embedding_norms = makeTable<double>(has_segments ? 3 : 2, tokens_);
    Table<T> added = makeTable<T>(has_segments ? tokens_ : 0, shape_.d_model);
    if (has_segments)
      if (Outcome ok = addRows(plan_.segments, segments, std::span<T>(added.values)); !ok) return ok;
    std::vector<T> room;
    for (std::int64_t t = 0; t < tokens_; ++t) {
      const auto at = static_cast<std::size_t>(t);
      norms.row(0)[at] = normOf(std::as_const(hidden_).row(t));
      if (input.hasTable()) norms.row(1)[at] = normOf(input.tableBlock(t, t + 1, room).row(0));
      if (has_segments) norms.row(2)[at] = normOf(std::as_const(added).row(t));
    }
    return {};
  }
  void keepHidden() {
    if (wanted_.hidden) trace_.hidden.push_back(hidden_);
  }

  Outcome norm(const Norm& n, Table<T>& rows, const Job& job) const {
    return normalise(n, shape_.d_model, std::span<T>(rows.values), job);
  }
  /// `only_attention`: nothing after the layer's attention is needed any more.
  Outcome layer(std::int64_t l, bool only_attention, const Job& job) {
    const LayerPlan& plan = plan_.layers[static_cast<std::size_t>(l)];
    if (entry_ == InputEntry::before_each_layer)
      if (Outcome ok = enterAt(l); !ok) return ok;
    Table<T> x = hidden_;
    if (!plan_.post_norm)
      if (Outcome ok = norm(plan.attention_norm, x, job.part(0, 0)); !ok) return ok;
    Expected<Table<T>> attended = attend(l, plan, std::move(x), only_attention, job.part(0, 0.6));
    if (!attended) return fail(attended.error());
    if (only_attention) return {};
    Table<T> added = makeTable<T>(tokens_, shape_.d_model);
    if (Outcome ok = apply(plan.output, rowsOf(*attended), std::span<T>(added.values), job.part(0.6, 0.7)); !ok)
      return ok;
    *attended = {};
    add(added);
    if (plan_.post_norm)
      if (Outcome ok = norm(plan.attention_norm, hidden_, job.part(0.7, 0.7)); !ok) return ok;
    for (std::int64_t t = 0; t < tokens_; t += mlp_tokens)
      if (Outcome ok = think(plan, t, std::min(t + mlp_tokens, tokens_), job.part(0.7, 1)); !ok) return ok;
    if (entry_ == InputEntry::after_first_layer && l == 0)
      if (Outcome ok = enterAt(l); !ok) return ok;
    keepHidden();
    return {};
  }
  void add(const Table<T>& more) {
    for (std::size_t e = 0; e < more.values.size(); ++e) hidden_.values[e] += more.values[e];
  }

  /// One projection of x as heads; a norm of the heads where the model has one.
  Outcome project(const Linear& linear, const Norm& head_norm, const Table<T>& x, std::vector<T>& heads,
                  const Job& job) const {
    std::vector<T> rows(static_cast<std::size_t>(tokens_ * linear.outputs));
    if (Outcome ok = apply(linear, rowsOf(x), std::span<T>(rows), job); !ok) return ok;
    if (!head_norm.empty())
      if (Outcome ok = normalise(head_norm, shape_.head_dim, std::span<T>(rows), job.part(1, 1)); !ok) return ok;
    heads = byHead(rows, tokens_, linear.outputs / shape_.head_dim, shape_.head_dim);
    return {};
  }
  /// Where the model and the scheme differ on the divisor of the scores, what the queries are multiplied by.
  double queryFactor(double logit_scale) const {
    const double root = std::sqrt(static_cast<double>(shape_.head_dim));
    if (plan_.unscaled) return logit_scale == 1 ? 1 : root;
    return plan_.divides_by_root && logit_scale == 1 ? 1 / root : 1;
  }
  /// The attention of one layer: [tokens, heads·head_dim], and what is wanted of it into the trace.
  Expected<Table<T>> attend(std::int64_t l, const LayerPlan& plan, Table<T> x, bool only_attention, const Job& job) {
    Expected<Encoding<T>> encoding = encodingOf(l);
    if (!encoding) return fail(encoding.error());
    encoding->input = {};  // it has acted, before the first layer
    Content<T> content;
    if (Outcome ok = project(plan.query, plan.query_norm, x, content.q, job.part(0, 0.2)); !ok) return fail(ok.error());
    if (const double factor = queryFactor(encoding->logit_scale); factor != 1)
      for (T& q : content.q) q = static_cast<T>(static_cast<double>(q) * factor);
    if (Outcome ok = project(plan.key, plan.key_norm, x, content.k, job.part(0.2, 0.3)); !ok) return fail(ok.error());
    if (Outcome ok = project(plan.value, Norm{}, x, content.v, job.part(0.3, 0.4)); !ok) return fail(ok.error());
    content.value_dim = shape_.head_dim;
    if (encoding->logits.score.reads_input) content.x = std::move(x);
    return weigh(l, *encoding, std::move(content), only_attention, job.part(0.4, 1));
  }
  /// Every head's output is needed, the maps of the wanted heads only: where these are fewer, they are made apart.
  Expected<Table<T>> weigh(std::int64_t l, const Encoding<T>& encoding, Content<T> content, bool only_attention,
                           const Job& job) {
    Shape shape = shape_;
    shape.layer = l;
    const bool keeps = traced(l);
    const bool maps = keeps && (wanted_.attention_logits || wanted_.attention_weights);
    const bool apart = maps && !wanted_.heads.empty() && !only_attention;
    const attention::Wanted kept{wanted_.attention_logits, wanted_.attention_weights, false, wanted_.heads};
    attention::Wanted asked{false, false, true, {}};
    if (only_attention) asked = {false, false, false, {}};
    if (maps && !apart) {
      asked.logits = kept.logits;
      asked.weights = kept.weights;
      asked.heads = kept.heads;
    }
    auto attended = attention::attend(encoding, content, mask_, shape, asked, job);
    if (!attended) return fail(attended.error());
    Table<T> output;
    if (!only_attention) output = byToken(attended->output, tokens_, shape_.num_heads, shape_.head_dim);
    if (!keeps) return output;
    LayerTrace<T> trace{l, {}, {}, {}, {}};
    if (apart) {
      attended = attention::attend(encoding, content, mask_, shape, kept, job);
      if (!attended) return fail(attended.error());
    }
    trace.attention = *std::move(attended);
    trace.attention.output.clear();
    if (wanted_.projections) {
      trace.q = std::move(content.q);
      trace.k = std::move(content.k);
      trace.v = std::move(content.v);
    }
    if (take_)
      take_(std::move(trace), encoding);
    else
      trace_.layers.push_back(std::move(trace));
    return output;
  }

  /// The MLP of tokens [begin, end), added to their hidden states.
  Outcome think(const LayerPlan& plan, std::int64_t begin, std::int64_t end, const Job& job) {
    const std::int64_t width = shape_.d_model;
    const std::span<T> state =
        std::span(hidden_.values)
            .subspan(static_cast<std::size_t>(begin * width), static_cast<std::size_t>((end - begin) * width));
    Table<T> x{end - begin, width, {state.begin(), state.end()}};
    if (!plan_.post_norm)
      if (Outcome ok = norm(plan.mlp_norm, x, job.part(0, 0)); !ok) return ok;
    Table<T> inner = makeTable<T>(x.rows, plan.up.outputs);
    std::vector<T> gate(plan.gate.empty() ? 0 : inner.values.size());
    if (Outcome ok = apply(plan.up, rowsOf(x), std::span<T>(inner.values), job.part(0, 0.3)); !ok) return ok;
    if (!gate.empty())
      if (Outcome ok = apply(plan.gate, rowsOf(x), std::span<T>(gate), job.part(0.3, 0.6)); !ok) return ok;
    if (Outcome ok =
            activate(plan_.activation, std::span<const T>(gate), std::span<T>(inner.values), job.part(0.6, 0.7));
        !ok)
      return ok;
    if (Outcome ok = apply(plan.down, rowsOf(inner), std::span<T>(x.values), job.part(0.7, 1)); !ok) return ok;
    for (std::size_t e = 0; e < state.size(); ++e) state[e] += x.values[e];
    if (!plan_.post_norm) return {};
    return normalise(plan.mlp_norm, width, state, job.part(1, 1));
  }

  /// Final norm and head, so many tokens at a time.
  Outcome predict(const Job& job) {
    if (!plan_.final_norm.empty())
      if (Outcome ok = norm(plan_.final_norm, hidden_, job.part(0, 0)); !ok) return ok;
    const std::int64_t words = plan_.head.outputs;
    if (wanted_.logits) trace_.logits = makeTable<T>(tokens_, words);
    if (wanted_.losses) trace_.losses.resize(static_cast<std::size_t>(tokens_ - 1));
    std::vector<T> room;
    for (std::int64_t t = 0; t < tokens_; t += head_tokens) {
      const std::int64_t count = std::min(head_tokens, tokens_ - t);
      if (!wanted_.logits) room.resize(static_cast<std::size_t>(count * words));
      T* const to = wanted_.logits ? trace_.logits.values.data() + t * words : room.data();
      const auto part = [&](std::int64_t token) { return static_cast<double>(token) / static_cast<double>(tokens_); };
      const std::span<T> out(to, static_cast<std::size_t>(count * words));
      if (Outcome ok = apply(plan_.head, Rows<T>{hidden_.values.data() + t * shape_.d_model, count, shape_.d_model},
                             out, job.part(part(t), part(t + count)));
          !ok)
        return ok;
      if (!wanted_.losses) continue;
      const std::int64_t known = std::min(count, tokens_ - 1 - t);  // the last token has no successor
      fillLosses(Rows<T>{to, known, words},
                 std::span(prompt_.tokens).subspan(static_cast<std::size_t>(t + 1), static_cast<std::size_t>(known)),
                 std::span(trace_.losses).subspan(static_cast<std::size_t>(t)));
    }
    return {};
  }

  const Model& model_;
  const Plan& plan_;
  const Prompt& prompt_;
  const Wanted& wanted_;
  const Job& job_;
  const Shape shape_;
  const Mask mask_;
  const Take<T> take_;
  const std::int64_t tokens_;
  InputEntry entry_ = InputEntry::before_first_layer;
  Table<T> hidden_;
  Trace<T> trace_;
};

}  // namespace

template <class T>
Expected<Trace<T>> run(const Model& model, const Prompt& prompt, const Wanted& wanted, const Job& job) {
  return Pass<T>(model, prompt, wanted, job, {}).trace();
}

template <class T>
Outcome runLayers(const Model& model, const Prompt& prompt, const Wanted& wanted,
                  const std::function<void(LayerTrace<T>, const Encoding<T>&)>& take, const Job& job) {
  const auto done = Pass<T>(model, prompt, wanted, job, take).trace();
  if (!done) return fail(done.error());
  return {};
}

template Expected<Trace<float>> run(const Model&, const Prompt&, const Wanted&, const Job&);
template Expected<Trace<double>> run(const Model&, const Prompt&, const Wanted&, const Job&);
template Outcome runLayers(const Model&, const Prompt&, const Wanted&, const Take<float>&, const Job&);
template Outcome runLayers(const Model&, const Prompt&, const Wanted&, const Take<double>&, const Job&);

}  // namespace posiscope::transformers
