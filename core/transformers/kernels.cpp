// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/transformers/kernels.h"

#include "core/layer_norm.h"
#include "core/parallel.h"
#include "core/rms_norm.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <Eigen/Core>
#include <numbers>
#include <vector>

namespace posiscope::transformers {
namespace {

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// A tile is so many tokens by so many outputs. Its weights are converted once, which costs a few percent of the
// product for this many tokens; a stripe of a 4096-wide model takes 1 MB.
constexpr std::int64_t tile_tokens = 256;
constexpr std::int64_t tile_outputs = 64;
constexpr std::int64_t block_rows = 64;

tl::unexpected<Error> stopped() {
  return fail(ErrorCode::cancelled, "the model's run was stopped", "模型的运行已停止");
}

Outcome finished(bool all_blocks) {
  if (!all_blocks) return stopped();
  return {};
}

/// The weights of outputs [first, first + count): [inputs, count] when stored so, else [count, inputs].
template <class T>
void readStripe(const Linear& linear, const TensorView& weight, std::int64_t first, std::int64_t count,
                std::vector<T>& stripe) {
  stripe.resize(static_cast<std::size_t>(count * linear.inputs));
  const std::int64_t rows = linear.in_by_out ? linear.inputs : count;
  const auto cols = static_cast<std::size_t>(linear.in_by_out ? count : linear.inputs);
  for (std::int64_t r = 0; r < rows; ++r) {
    const std::span<T> row(stripe.data() + static_cast<std::size_t>(r) * cols, cols);
    if (linear.in_by_out)
      weight.read(r, linear.first + first, row);
    else
      weight.read(linear.first + first + r, 0, row);
  }
}

template <class T>
double activated(Activation activation, T value) {
  const auto x = static_cast<double>(value);
  switch (activation) {
    case Activation::gelu_tanh:
      return 0.5 * x * (1.0 + std::tanh(std::sqrt(2.0 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
    case Activation::gelu_erf: return 0.5 * x * (1.0 + std::erf(x / std::numbers::sqrt2));
    case Activation::silu: return x / (1.0 + std::exp(-x));
    case Activation::relu: return std::max(x, 0.0);
  }
  return x;
}

}  // namespace

template <class T>
Outcome apply(const Linear& linear, Rows<T> x, std::span<T> out, const Job& job) {
  assert(x.cols == linear.inputs && static_cast<std::int64_t>(out.size()) == x.rows * linear.outputs);
  const Expected<TensorView> weight = linear.weight.view();
  if (!weight) return fail(weight.error());
  std::vector<double> bias;
  if (!linear.bias.empty()) {
    Expected<std::vector<double>> numbers = linear.bias.numbers();
    if (!numbers) return fail(numbers.error());
    bias = *std::move(numbers);
  }
  const std::int64_t stripes = (linear.outputs + tile_outputs - 1) / tile_outputs;
  const std::int64_t runs = (x.rows + tile_tokens - 1) / tile_tokens;
  const bool all = parallelBlocks(stripes * runs, 1, job, [&](std::int64_t tile, std::int64_t) {
    thread_local std::vector<T> stripe;
    const std::int64_t first = tile / runs * tile_outputs;
    const std::int64_t count = std::min(tile_outputs, linear.outputs - first);
    const std::int64_t token = tile % runs * tile_tokens;
    const std::int64_t tokens = std::min(tile_tokens, x.rows - token);
    readStripe(linear, *weight, first, count, stripe);
    const Eigen::Map<const Matrix<T>> rows(x.data + token * x.cols, tokens, x.cols);
    Eigen::Map<Matrix<T>, 0, Eigen::OuterStride<>> y(out.data() + token * linear.outputs + first, tokens, count,
                                                     Eigen::OuterStride<>(linear.outputs));
    if (linear.in_by_out)
      y.noalias() = rows * Eigen::Map<const Matrix<T>>(stripe.data(), linear.inputs, count);
    else
      y.noalias() = rows * Eigen::Map<const Matrix<T>>(stripe.data(), count, linear.inputs).transpose();
    for (std::int64_t o = 0; o < count && !bias.empty(); ++o)
      y.col(o).array() += static_cast<T>(bias[static_cast<std::size_t>(linear.first + first + o)]);
  });
  linear.weight.release(*weight);
  return finished(all);
}

template <class T>
Outcome normalise(const Norm& norm, std::int64_t width, std::span<T> values, const Job& job) {
  const Expected<std::vector<double>> gain = norm.gain.numbers();
  if (!gain) return fail(gain.error());
  std::vector<double> offset;
  if (!norm.offset.empty()) {
    Expected<std::vector<double>> numbers = norm.offset.numbers();
    if (!numbers) return fail(numbers.error());
    offset = *std::move(numbers);
  }
  const auto cols = static_cast<std::size_t>(width);
  const auto rows = static_cast<std::int64_t>(values.size() / cols);
  return finished(parallelBlocks(rows, block_rows, job, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r) {
      const std::span<T> row = values.subspan(static_cast<std::size_t>(r) * cols, cols);
      if (norm.kind == Norm::Kind::layer)
        layerNorm(row, *gain, offset, norm.epsilon);
      else
        rmsNorm(row, std::span<const double>(*gain), norm.epsilon);
    }
  }));
}

template <class T>
Outcome activate(Activation activation, std::span<const T> gate, std::span<T> up, const Job& job) {
  assert(gate.empty() || gate.size() == up.size());
  constexpr std::int64_t block = 1 << 14;
  return finished(
      parallelBlocks(static_cast<std::int64_t>(up.size()), block, job, [&](std::int64_t begin, std::int64_t end) {
        for (auto e = static_cast<std::size_t>(begin); e < static_cast<std::size_t>(end); ++e)
          up[e] = static_cast<T>(gate.empty() ? activated(activation, up[e])
                                              : activated(activation, gate[e]) * static_cast<double>(up[e]));
      }));
}

template <class T>
Outcome addRows(const StoredTensor& table, std::span<const std::int64_t> ids, std::span<T> out) {
  const Expected<TensorView> rows = table.view();
  if (!rows) return fail(rows.error());
  std::vector<T> row(static_cast<std::size_t>(rows->cols));
  T* to = out.data();
  for (const std::int64_t id : ids) {
    rows->read(id, 0, std::span<T>(row));
    for (const T v : row) *to++ += v;
  }
  return {};
}

template <class T>
void fillLosses(Rows<T> logits, std::span<const std::int64_t> next, std::span<double> out) {
  for (std::size_t t = 0; t < next.size(); ++t) {
    const std::span<const T> row = logits.row(static_cast<std::int64_t>(t));
    const auto top = static_cast<double>(std::ranges::max(row));
    double sum = 0;
    for (const T v : row) sum += std::exp(static_cast<double>(v) - top);
    out[t] = top + std::log(sum) - static_cast<double>(row[static_cast<std::size_t>(next[t])]);
  }
}

template Outcome apply(const Linear&, Rows<float>, std::span<float>, const Job&);
template Outcome apply(const Linear&, Rows<double>, std::span<double>, const Job&);
template Outcome normalise(const Norm&, std::int64_t, std::span<float>, const Job&);
template Outcome normalise(const Norm&, std::int64_t, std::span<double>, const Job&);
template Outcome activate(Activation, std::span<const float>, std::span<float>, const Job&);
template Outcome activate(Activation, std::span<const double>, std::span<double>, const Job&);
template Outcome addRows(const StoredTensor&, std::span<const std::int64_t>, std::span<float>);
template Outcome addRows(const StoredTensor&, std::span<const std::int64_t>, std::span<double>);
template void fillLosses(Rows<float>, std::span<const std::int64_t>, std::span<double>);
template void fillLosses(Rows<double>, std::span<const std::int64_t>, std::span<double>);

}  // namespace posiscope::transformers
