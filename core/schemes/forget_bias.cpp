// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/forget_bias.h"

#include "core/dot.h"
#include "core/rms_norm.h"
#include "core/schemes/learned_weights.h"
#include "core/softplus.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace posiscope::schemes {

template <class T>
std::vector<double> logForgetGates(Rows<T> x, std::span<const T> w, double b) {
  std::vector<double> gates;
  for (std::int64_t t = 0; t < x.rows; ++t) {
    double sum = b;
    for (std::size_t c = 0; c < w.size(); ++c) sum += static_cast<double>(x.row(t)[c]) * static_cast<double>(w[c]);
    gates.push_back(logSigmoid(sum));
  }
  return gates;
}

namespace {

/// Cumulative ln f of one head. Weights that are not given are drawn and read the token after an RMS norm.
template <class T>
std::vector<double> cumulated(const ForgetGateParams& p, const HeadContent<T>& head, const Array& w, const Array& b,
                              const char* name) {
  const std::int64_t width = head.x.cols;
  const double bias = b.empty() ? p.gate_bias : b.data()[head.head];
  std::vector<T> weights;
  Table<T> normalised;
  if (w.empty()) {
    const double deviation = 1.0 / std::sqrt(static_cast<double>(width));
    weights = weightsOf<T>({}, width, Drawing{p.seed, join("forget_gate/", name, "/", head.head), deviation});
    normalised = rmsNormalised(head.x);
  } else {
    weights.assign(w.data() + head.head * width, w.data() + (head.head + 1) * width);
  }
  std::vector<double> sums = logForgetGates<T>(w.empty() ? rowsOf(normalised) : head.x, weights, bias);
  std::partial_sum(sums.begin(), sums.end(), sums.begin());
  return sums;
}

/// The gate's own queries or keys of one head, [tokens, gate_dim].
template <class T>
Table<double> gateRows(const ForgetGateParams& p, const HeadContent<T>& head, const Array& given, const char* name) {
  const std::int64_t tokens = head.shape->keys();
  Table<double> rows = makeTable<double>(tokens, p.gate_dim);
  if (!given.empty()) {
    const double* from = given.data() + head.head * given.shape[1] * p.gate_dim;
    rows.values.assign(from, from + tokens * p.gate_dim);
    return rows;
  }
  const std::int64_t width = head.x.cols;
  const double deviation = 1.0 / std::sqrt(static_cast<double>(width));
  const auto project =
      weightsOf<double>({}, p.gate_dim * width, Drawing{p.seed, join("forget_gate/", name, "/", head.head), deviation});
  const Table<T> x = rmsNormalised(head.x);
  for (std::int64_t t = 0; t < tokens; ++t)
    for (std::int64_t g = 0; g < p.gate_dim; ++g)
      for (std::int64_t c = 0; c < width; ++c)
        rows.row(t)[static_cast<std::size_t>(g)] += project[static_cast<std::size_t>(g * width + c)] *
                                                    static_cast<double>(x.row(t)[static_cast<std::size_t>(c)]);
  return rows;
}

}  // namespace

template <class T>
ForgetBias<T>::ForgetBias(const ForgetGateParams& p, const HeadContent<T>& head)
    : mode_(p.mode), scale_(p.post_log_scale), offset_(head.shape->queryOffset()) {
  if (mode_ == ForgetMode::per_row) {
    q_gate_ = gateRows(p, head, p.q_gate, "q_gate");
    k_gate_ = gateRows(p, head, p.k_gate, "k_gate");
    return;
  }
  past_ = cumulated(p, head, p.w, p.b, "w");
  if (mode_ == ForgetMode::bidirectional) future_ = cumulated(p, head, p.w_rev, p.b_rev, "w_rev");
}

template <class T>
void ForgetBias<T>::fill(std::int64_t i, std::span<T> row) const {
  const std::int64_t token = i + offset_;
  if (mode_ == ForgetMode::per_row) return fillPerRow(token, row);
  const auto here = static_cast<std::size_t>(token);
  for (std::size_t j = 0; j < row.size(); ++j) {
    if (j <= here)
      row[j] = static_cast<T>(scale_ * (past_[here] - past_[j]));  // the query's gate counts, the key's does not
    else
      row[j] = future_.empty() ? T(0) : static_cast<T>(scale_ * (future_[j] - future_[here]));
  }
}

template <class T>
void ForgetBias<T>::fillGates(std::int64_t i, std::span<T> row) const {
  const auto here = static_cast<std::size_t>(i + offset_);
  const double root = 1.0 / std::sqrt(static_cast<double>(std::max<std::int64_t>(1, q_gate_.cols)));
  // ln f of one token is what it adds to the sum.
  const auto logarithm = [](const std::vector<double>& sums, std::size_t t) {
    return t == 0 ? sums[0] : sums[t] - sums[t - 1];
  };
  for (std::size_t t = 0; t < row.size(); ++t) {
    double sum = 0;
    if (mode_ == ForgetMode::per_row) {
      if (t < here)
        sum = logSigmoid(root * dot(std::as_const(q_gate_).row(static_cast<std::int64_t>(here)),
                                    std::as_const(k_gate_).row(static_cast<std::int64_t>(t))));
    } else if (t <= here) {
      sum = logarithm(past_, t);
    } else if (!future_.empty()) {
      sum = logarithm(future_, t);
    }
    row[t] = static_cast<T>(std::exp(sum));
  }
}

template <class T>
void ForgetBias<T>::fillPerRow(std::int64_t token, std::span<T> row) const {
  const double root = 1.0 / std::sqrt(static_cast<double>(q_gate_.cols));
  const auto here = static_cast<std::size_t>(token);
  std::fill(row.begin() + token, row.end(), T(0));
  double sum = 0;  // here the key's own term counts and the query's does not
  for (std::size_t j = here; j-- > 0;) {
    sum += logSigmoid(root * dot(q_gate_.row(token), k_gate_.row(static_cast<std::int64_t>(j))));
    row[j] = static_cast<T>(scale_ * sum);
  }
}

template std::vector<double> logForgetGates(Rows<float>, std::span<const float>, double);
template std::vector<double> logForgetGates(Rows<double>, std::span<const double>, double);
template class ForgetBias<float>;
template class ForgetBias<double>;

}  // namespace posiscope::schemes
