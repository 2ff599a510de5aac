// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/product_bound.h"

#include "core/dot.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace posiscope::measures {
namespace {

/// The dimensions of a head in groups that a rotation keeps apart: |q·k| ≤ Σ ‖q_g‖ ‖k_g‖, and turning changes nothing.
std::vector<std::vector<std::int64_t>> groupsOf(const std::optional<RotationPart>& rotation, std::int64_t dim) {
  std::vector<std::vector<std::int64_t>> groups{{}};
  for (std::int64_t d = 0; d < dim; ++d)
    if (!rotation || d < rotation->first_dim || d >= rotation->endDim()) groups.front().push_back(d);
  for (std::int64_t p = 0; rotation && p < rotation->pairs(); ++p)
    groups.push_back({rotation->firstDim(p), rotation->secondDim(p)});
  return groups;
}

/// The norms of each row's groups, [rows, groups].
template <class T>
Table<double> groupNorms(const Table<T>& rows, const std::vector<std::vector<std::int64_t>>& groups) {
  Table<double> norms = makeTable<double>(rows.rows, static_cast<std::int64_t>(groups.size()));
  for (std::int64_t t = 0; t < rows.rows; ++t)
    std::ranges::transform(groups, norms.row(t).begin(), [row = rows.row(t)](const auto& dims) {
      double sum = 0;
      for (const std::int64_t d : dims) {
        const auto v = static_cast<double>(row[static_cast<std::size_t>(d)]);
        sum += v * v;
      }
      return std::sqrt(sum);
    });
  return norms;
}

}  // namespace

template <class T>
double productBound(const Probe<T>& probe, const ProbedHead<T>& head, Keys side) {
  const auto groups = groupsOf(probe.encoding().rotation, head.q.cols);
  const Table<double> q = groupNorms(head.q, groups), k = groupNorms(head.k, groups);
  double most = 0;
  for (const std::int64_t i : spreadRows(probe.tokens(), 4))
    for (std::int64_t j = side == Keys::later ? i : 0; j < (side == Keys::later ? probe.tokens() : i + 1); ++j)
      most = std::max(most, dot<double>(std::as_const(q).row(i), std::as_const(k).row(j)));
  return std::abs(probe.encoding().logit_scale) * most;
}

template <class T>
double tableBound(const Encoding<T>& encoding) {
  constexpr std::int64_t block = 256;
  std::vector<T> room;
  double most = 0;
  for (std::int64_t begin = 0; begin < encoding.input.tableRows(); begin += block) {
    const Rows<T> rows = encoding.input.tableBlock(begin, std::min(begin + block, encoding.input.tableRows()), room);
    for (std::int64_t r = 0; r < rows.rows; ++r) {
      double square = 0;
      for (const T v : rows.row(r)) square += static_cast<double>(v) * static_cast<double>(v);
      most = std::max(most, square);
    }
  }
  return std::abs(encoding.logit_scale) * most;
}

template double productBound(const Probe<float>&, const ProbedHead<float>&, Keys);
template double productBound(const Probe<double>&, const ProbedHead<double>&, Keys);
template double tableBound(const Encoding<float>&);
template double tableBound(const Encoding<double>&);

}  // namespace posiscope::measures
