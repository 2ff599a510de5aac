// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/projection.h"

#include "core/attention/attention.h"
#include "core/parallel.h"

#include <algorithm>
#include <cassert>
#include <Eigen/Core>
#include <vector>

namespace posiscope::attention {
namespace {

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr std::int64_t block_tokens = 64;

}  // namespace

template <class T>
Table<T> applyInput(const InputPart<T>& input, Rows<T> x) {
  Table<T> out = makeTable<T>(x.rows, x.cols);
  if (input.transform) {
    input.transform(x, out.values);
    return out;
  }
  std::copy_n(x.data, out.values.size(), out.values.data());
  if (!input.hasTable()) return out;
  assert(input.tableRows() == x.rows && input.tableCols() == x.cols);
  parallelBlocks(x.rows, block_tokens, Job{}, [&](std::int64_t begin, std::int64_t end) {
    thread_local std::vector<T> room;
    const T* added = input.tableBlock(begin, end, room).data;
    T* values = out.values.data() + begin * x.cols;
    for (std::int64_t e = 0; e < (end - begin) * x.cols; ++e) values[e] += added[e];
  });
  return out;
}

template <class T>
bool project(Rows<T> x, Rows<T> weight, std::int64_t first, std::int64_t width, std::span<T> out, const Job& job) {
  return parallelBlocks(x.rows, block_tokens, job, [&](std::int64_t begin, std::int64_t end) {
    using Input = Eigen::Map<const Matrix<T>, 0, Eigen::OuterStride<>>;
    Eigen::Map<Matrix<T>> y(out.data() + begin * width, end - begin, width);
    if (weight.empty()) {
      y = Input(x.data + begin * x.cols + first, end - begin, width, Eigen::OuterStride<>(x.cols));
      return;
    }
    const Input rows(x.data + begin * x.cols, end - begin, x.cols, Eigen::OuterStride<>(x.cols));
    const Eigen::Map<const Matrix<T>> w(weight.data + first * weight.cols, width, weight.cols);
    y.noalias() = rows * w.transpose();
  });
}

template Table<float> applyInput(const InputPart<float>&, Rows<float>);
template Table<double> applyInput(const InputPart<double>&, Rows<double>);
template bool project(Rows<float>, Rows<float>, std::int64_t, std::int64_t, std::span<float>, const Job&);
template bool project(Rows<double>, Rows<double>, std::int64_t, std::int64_t, std::span<double>, const Job&);

}  // namespace posiscope::attention
