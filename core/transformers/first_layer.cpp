// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/transformers/first_layer.h"

#include "core/attention/head_inputs.h"
#include "core/transformers/kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

namespace posiscope::transformers {
namespace {

/// The state before the first layer as a sum.
struct State {
  Table<double> words, positions, rest;

  std::array<std::span<double>, 3> row(std::int64_t t) { return {words.row(t), positions.row(t), rest.row(t)}; }
};

double meanOf(std::span<const double> row) {
  double sum = 0;
  for (const double x : row) sum += x;
  return sum / static_cast<double>(row.size());
}

/// Is the state before the first layer that of words, segments and a table, and are the projections all that follows?
bool parts(const Model& model, const Encoding<float>& encoding) {
  if (encoding.input.entry != InputEntry::before_first_layer) return false;
  if (!encoding.input.hasTable() || encoding.input.transform) return false;
  const Plan& plan = model.plan;
  const LayerPlan& layer = plan.layers.front();
  const bool own_divisor = plan.unscaled || (plan.divides_by_root && encoding.logit_scale == 1);
  return !own_divisor && layer.query_norm.empty() && layer.key_norm.empty();
}

Expected<State> sumBefore(const Model& model, const Prompt& prompt, const InputPart<float>& input) {
  const auto tokens = static_cast<std::int64_t>(prompt.tokens.size());
  const std::int64_t width = model.shape.d_model;
  const auto numbers = static_cast<double>(tokens) * static_cast<double>(width);
  if (Outcome ok = checkMemory("the first layer's state in its parts", 4 * numbers * sizeof(double)); !ok)
    return fail(ok.error());
  State state{makeTable<double>(tokens, width), makeTable<double>(tokens, width), makeTable<double>(tokens, width)};
  const Plan& plan = model.plan;
  if (Outcome ok = addRows(plan.words, prompt.tokens, std::span<double>(state.words.values)); !ok)
    return fail(ok.error());
  if (!plan.segments.empty()) {
    std::vector<std::int64_t> segments = prompt.segments;
    segments.resize(prompt.tokens.size());
    if (Outcome ok = addRows(plan.segments, segments, std::span<double>(state.rest.values)); !ok)
      return fail(ok.error());
  }
  std::vector<float> room;
  for (std::int64_t t = 0; t < tokens; ++t) {
    const double factor = plan.wordFactor(prompt.tokens[static_cast<std::size_t>(t)]);
    for (double& x : state.words.row(t)) x *= factor;
    const Rows<float> position = input.tableBlock(t, t + 1, room);
    std::copy_n(position.data, width, state.positions.row(t).begin());
  }
  return state;
}

/// The norm of the sum, on each of its parts; what it adds is of the rest.
Outcome normaliseParts(const Norm& norm, State& state) {
  const Expected<std::vector<double>> gain = norm.gain.numbers();
  if (!gain) return fail(gain.error());
  std::vector<double> offset(gain->size());
  if (!norm.offset.empty()) {
    Expected<std::vector<double>> numbers = norm.offset.numbers();
    if (!numbers) return fail(numbers.error());
    offset = *std::move(numbers);
  }
  for (std::int64_t t = 0; t < state.words.rows; ++t) {
    const auto row = state.row(t);
    if (norm.kind == Norm::Kind::layer)
      for (const std::span<double> part : row)
        for (const double mean = meanOf(part); double& x : part) x -= mean;
    double square = 0;
    for (std::size_t d = 0; d < gain->size(); ++d) square += std::pow(row[0][d] + row[1][d] + row[2][d], 2);
    const double scale = 1 / std::sqrt(square / static_cast<double>(gain->size()) + norm.epsilon);
    for (const std::span<double> part : row)
      for (std::size_t d = 0; d < gain->size(); ++d) part[d] *= scale * (*gain)[d];
    for (std::size_t d = 0; d < gain->size(); ++d) row[2][d] += offset[d];
  }
  return {};
}

/// One head of a projection, without its bias.
Expected<Table<float>> projected(Linear linear, std::int64_t head, std::int64_t width, const Table<double>& x,
                                 const Job& job) {
  linear.bias = {};
  linear.first += head * width;
  linear.outputs = width;
  Table<double> rows = makeTable<double>(x.rows, width);
  if (Outcome ok = apply(linear, rowsOf(x), std::span<double>(rows.values), job); !ok) return fail(ok.error());
  return Table<float>{x.rows, width, {rows.values.begin(), rows.values.end()}};
}

Expected<HeadPart> projected(const Model& model, std::int64_t head, const Table<double>& x, const Job& job) {
  const LayerPlan& layer = model.plan.layers.front();
  const std::int64_t width = model.shape.head_dim;
  auto query = projected(layer.query, head, width, x, job.part(0, 0.5));
  if (!query) return fail(query.error());
  auto key = projected(layer.key, attention::keyHead(model.shape, head), width, x, job.part(0.5, 1));
  if (!key) return fail(key.error());
  return HeadPart{*std::move(query), *std::move(key)};
}

}  // namespace

Expected<std::optional<FirstLayerParts>> firstLayerParts(const Model& model, const Prompt& prompt,
                                                         const Encoding<float>& encoding, std::int64_t head,
                                                         const Job& job) {
  if (!parts(model, encoding)) return std::optional<FirstLayerParts>();
  if (Outcome ok = checkPrompt(model, prompt); !ok) return fail(ok.error());
  auto state = sumBefore(model, prompt, encoding.input);
  if (!state) return fail(state.error());
  const Plan& plan = model.plan;
  if (!plan.embedding_norm.empty())
    if (Outcome ok = normaliseParts(plan.embedding_norm, *state); !ok) return fail(ok.error());
  if (!plan.post_norm)
    if (Outcome ok = normaliseParts(plan.layers.front().attention_norm, *state); !ok) return fail(ok.error());
  auto words = projected(model, head, state->words, job.part(0, 0.5));
  if (!words) return fail(words.error());
  auto positions = projected(model, head, state->positions, job.part(0.5, 1));
  if (!positions) return fail(positions.error());
  return std::optional(FirstLayerParts{*std::move(words), *std::move(positions)});
}

}  // namespace posiscope::transformers
