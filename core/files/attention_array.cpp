// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/attention_array.h"

#include "core/attention/attention.h"
#include "core/files/npz.h"
#include "core/files/refusal.h"
#include "core/shape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <numeric>
#include <span>

namespace posiscope::files {
namespace {

constexpr std::size_t all_axes = 5;
/// Weights stored in bfloat16 sum to 1 only so well.
constexpr double sum_tolerance = 2e-2;
constexpr double largest_weight = 1.001;

struct NamedPath {
  std::string file;
  std::string name;
};

/// "a.npz#name" in its two parts; a path that exists is that file, '#' or not.
NamedPath split(const std::string& path) {
  std::error_code error;
  const std::size_t hash = path.rfind(".npz#");
  if (hash == std::string::npos || std::filesystem::exists(path, error)) return {path, {}};
  return {path.substr(0, hash + 4), path.substr(hash + 5)};
}

bool isCandidate(const TensorEntry& entry) {
  return entry.readable && entry.shape.size() >= 2 && entry.shape.size() <= all_axes;
}

tl::unexpected<Error> nothingStored(const std::string& path) {
  const std::string name = escaped(path, 4096);
  return fail(ErrorCode::not_defined,
              join(name,
                   ": no weights are stored here (fused attention kernels never build them); export with the "
                   "eager implementation"),
              join(name, "：其中没有保存注意力权重（融合的注意力内核不会生成它们）；请使用 eager 实现重新导出"));
}

/// The one array of an archive, or the one that is named.
Expected<Array> readArchive(const NamedPath& path, const Job& job) {
  if (!path.name.empty()) {
    Expected<Array> array = readNpz(path.file, path.name, job);
    // An object array is what `None` becomes.
    if (!array && array.error().code == ErrorCode::file_type) return nothingStored(path.file + "#" + path.name);
    return array;
  }
  const Expected<std::vector<TensorEntry>> entries = describeNpz(path.file, job);
  if (!entries) return fail(entries.error());
  std::vector<TensorEntry> candidates;
  std::ranges::copy_if(*entries, std::back_inserter(candidates), isCandidate);
  if (candidates.size() == 1) return readNpz(path.file, candidates.front().name, job);
  if (candidates.empty()) return nothingStored(path.file);
  return fail(severalArrays(path.file, candidates));
}

Text axisName(AttentionAxis axis) {
  switch (axis) {
    case AttentionAxis::batch: return {"batch", "批次"};
    case AttentionAxis::layer: return {"layer", "层"};
    case AttentionAxis::head: return {"head", "头"};
    case AttentionAxis::query: return {"query", "查询"};
    case AttentionAxis::key: return {"key", "键"};
  }
  return {};
}

Outcome checkAxes(const std::vector<AttentionAxis>& axes, const Array& array) {
  const std::string file = escaped(array.source, 4096);
  const auto rank = array.shape.size();
  if (rank < 2 || rank > all_axes)
    return fail(ErrorCode::bad_shape,
                join(file, ": attention must have 2 to 5 dimensions, got shape ", shapeText(array.shape)),
                join(file, "：注意力数组必须有 2 到 5 维，得到的形状为 ", shapeText(array.shape)));
  const bool complete = axes.size() == rank && std::ranges::count(axes, AttentionAxis::query) == 1 &&
                        std::ranges::count(axes, AttentionAxis::key) == 1;
  const bool once = std::ranges::all_of(axes, [&](AttentionAxis a) { return std::ranges::count(axes, a) == 1; });
  if (complete && once) return {};
  Text given;
  for (const AttentionAxis axis : axes) {
    given.en += (given.en.empty() ? "" : ", ") + axisName(axis).en;
    given.zh += (given.zh.empty() ? "" : "、") + axisName(axis).zh;
  }
  return fail(
      ErrorCode::bad_shape,
      join(file, ": each of the ", rank, " axes must have another meaning, query and key among them, got ", given.en),
      join(file, "：", rank, " 个轴的含义必须各不相同，并包含查询和键，得到 ", given.zh));
}

/// The array as [batch, layer, head, query, key].
Array arranged(const Array& array, const std::vector<AttentionAxis>& axes) {
  std::vector<std::int64_t> shape(all_axes, 1);
  std::array<std::int64_t, all_axes> stride{};
  std::int64_t step = 1;
  for (std::size_t d = axes.size(); d-- > 0;) {
    const auto axis = static_cast<std::size_t>(axes[d]);
    shape[axis] = array.shape[d];
    stride[axis] = step;
    step *= array.shape[d];
  }
  if (std::ranges::is_sorted(axes)) {  // no number moves
    Array same = array;
    same.shape = shape;
    return same;
  }
  std::vector<double> values(static_cast<std::size_t>(array.size()));
  std::array<std::int64_t, all_axes> index{};
  std::int64_t from = 0;
  for (double& value : values) {
    value = array.data()[from];
    for (std::size_t d = all_axes; d-- > 0;) {
      from += stride[d];
      if (++index[d] < shape[d]) break;
      from -= stride[d] * shape[d];
      index[d] = 0;
    }
  }
  return makeArray(std::move(shape), std::move(values), array.source);
}

enum class RowKind { weights, nothing, damaged, logits };

/// A row of zeros, of −∞ or of NaN says nothing about the kind, nor does one with NaN in it.
RowKind kindOf(std::span<const double> row) {
  double sum = 0;
  bool inside = true;
  bool zeros = true, masked = true, undefined = true, damaged = false;
  for (const double v : row) {
    zeros = zeros && v == 0;
    masked = masked && v == -INFINITY;
    undefined = undefined && std::isnan(v);
    damaged = damaged || std::isnan(v);
    inside = inside && v >= -(largest_weight - 1) && v <= largest_weight;
    sum += v;
  }
  if (zeros || masked || undefined) return RowKind::nothing;
  if (damaged) return RowKind::damaged;
  return inside && std::abs(sum - 1) <= sum_tolerance ? RowKind::weights : RowKind::logits;
}

/// Where no row tells: what is left are zeros, −∞ and NaN.
void decideWithoutSums(AttentionArray& attention, std::int64_t zeros, std::int64_t masked) {
  if (attention.damaged_rows > 0 && isWithinWeights(attention.array)) {
    attention.kind = AttentionKind::weights;
    attention.reason = {"weights: every row holds NaN, so none has a sum, but all other numbers lie between 0 and 1",
                        "权重：每一行都含有 NaN，无法求和，但其余数值都在 0 到 1 之间"};
  } else if (zeros > 0 && masked == 0 && attention.damaged_rows == 0) {
    attention.kind = AttentionKind::weights;
    attention.reason = {join("weights: ", zeros, " rows are 0 everywhere, as where every key is masked"),
                        join("权重：", zeros, " 行全为 0，即所有键都被屏蔽")};
  } else {
    attention.kind = AttentionKind::logits;
    attention.reason = {"logits: no row has numbers whose sum could tell weights",
                        "logits：没有任何一行的数值能求和以判断是否为权重"};
  }
}

void recogniseKind(AttentionArray& attention) {
  const auto keys = static_cast<std::size_t>(attention.keys());
  const std::span<const double> values(attention.array.data(), static_cast<std::size_t>(attention.array.size()));
  std::int64_t rows = 0, weights = 0, masked = 0, zeros = 0;
  for (std::size_t at = 0; at < values.size(); at += keys, ++rows) {
    const RowKind kind = kindOf(values.subspan(at, keys));
    weights += kind == RowKind::weights ? 1 : 0;
    attention.empty_rows += kind == RowKind::nothing ? 1 : 0;
    attention.damaged_rows += kind == RowKind::damaged ? 1 : 0;
    masked += kind == RowKind::nothing && values[at] == -INFINITY ? 1 : 0;
    zeros += kind == RowKind::nothing && values[at] == 0 ? 1 : 0;
  }
  const std::int64_t telling = rows - attention.empty_rows - attention.damaged_rows;
  if (telling == 0) return decideWithoutSums(attention, zeros, masked);
  // Weights of one key are all 1, so all rows must agree; −∞ is found among logits only.
  if (weights == telling && masked == 0) {
    attention.kind = AttentionKind::weights;
    attention.reason = {join("weights: each of ", telling, " rows lies between 0 and 1 and sums to 1"),
                        join("权重：", telling, " 行的数值都在 0 到 1 之间，且每行之和为 1")};
    return;
  }
  attention.kind = AttentionKind::logits;
  attention.reason = weights == telling
                         ? Text{join("logits: ", masked, " of ", rows, " rows are −∞ everywhere"),
                                join("logits：", rows, " 行中有 ", masked, " 行全为 −∞")}
                         : Text{join("logits: ", telling - weights, " of ", telling, " rows do not sum to 1"),
                                join("logits：", telling, " 行中有 ", telling - weights, " 行之和不为 1")};
  attention.may_be_cropped = isWithinWeights(attention.array);
  if (!attention.may_be_cropped) return;
  const Text note = croppedWeightsNote();
  attention.reason.en += "; " + note.en;
  attention.reason.zh += "；" + note.zh;
}

void takeAsSaid(AttentionArray& attention, AttentionReading reading) {
  const bool weights = reading == AttentionReading::weights;
  attention.kind = weights ? AttentionKind::weights : AttentionKind::logits;
  attention.reason =
      weights ? Text{"weights, as chosen", "权重（按所选）"} : Text{"logits, as chosen", "logits（按所选）"};
  attention.may_be_cropped = false;
}

}  // namespace

bool isWithinWeights(const Array& array) {
  return std::all_of(array.data(), array.data() + array.size(),
                     [](double v) { return std::isnan(v) || (v >= -(largest_weight - 1) && v <= largest_weight); });
}

Text croppedWeightsNote() {
  return {
      "all numbers lie between 0 and 1: if they are weights of which keys were cut off or dropped out, choose that the "
      "array holds weights (on the command line: --attention-kind weights)",
      "所有数值都在 0 到 1 之间：若它们是截去部分键或经过 dropout 的权重，请将“数组内容”选为权重（命令行："
      "--attention-kind weights）"};
}

bool holdsNoNumbers(const TensorEntry& entry) {
  return !entry.readable || std::ranges::find(entry.shape, 0) != entry.shape.end();
}

Error severalArrays(const std::string& path, const std::vector<TensorEntry>& arrays) {
  constexpr std::size_t most = 12;
  std::string names;
  for (std::size_t a = 0; a < std::min(arrays.size(), most); ++a)
    names += join(a == 0 ? "" : ", ", escaped(arrays[a].name), " ", shapeText(arrays[a].shape));
  const std::string file = escaped(path, 4096);
  return {ErrorCode::unknown_name,
          {join(file, ": one of its arrays must be named, as ", file, "#NAME; there are ", names),
           join(file, "：需要指明其中一个数组，写成 ", file, "#名称；现有 ", names)}};
}

std::vector<AttentionAxis> usualAxes(std::size_t rank) {
  std::vector<AttentionAxis> axes;
  for (std::size_t a = all_axes - std::min(rank, all_axes); a < all_axes; ++a)
    axes.push_back(static_cast<AttentionAxis>(a));
  return axes;
}

Expected<std::vector<AttentionAxis>> parseAxes(std::string_view text) {
  std::vector<AttentionAxis> axes;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    std::string_view word = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    while (word.starts_with(' ')) word.remove_prefix(1);
    while (word.ends_with(' ')) word.remove_suffix(1);
    const auto all = usualAxes(all_axes);
    const auto found = std::ranges::find_if(all, [&](AttentionAxis axis) { return axisName(axis).en == word; });
    if (found == all.end()) {
      const std::string name = escaped(std::string(word));
      return fail(ErrorCode::bad_value,
                  join("attention axes: each must be batch, layer, head, query or key, got '", name, "'"),
                  join("注意力数组的轴：只能是 batch、layer、head、query 或 key，得到“", name, "”"));
    }
    axes.push_back(*found);
  }
  return axes;
}

Expected<std::vector<TensorEntry>> attentionCandidates(const std::string& path, const Job& job) {
  Expected<std::vector<TensorEntry>> entries = std::vector<TensorEntry>{};
  if (path.ends_with(".npz")) {
    entries = describeNpz(path, job);
  } else if (path.ends_with(".safetensors")) {
    const Expected<Safetensors> file = Safetensors::open(path, job);
    if (!file) return fail(file.error());
    entries = file->tensors();
  } else {
    const Expected<TensorEntry> entry = describeNpy(path);
    if (!entry) return fail(entry.error());
    entries->push_back(*entry);
  }
  if (entries) std::erase_if(*entries, [](const TensorEntry& e) { return !isCandidate(e); });
  return entries;
}

Expected<Array> readStoredAttention(const std::string& path, const Job& job) {
  const NamedPath parts = split(path);
  Expected<Array> array = parts.file.ends_with(".npz") ? readArchive(parts, job) : readArray(path, job);
  if (array && array->empty()) return nothingStored(path);
  return array;
}

Expected<AttentionArray> readAttention(const std::string& path, const std::vector<AttentionAxis>& axes,
                                       const Job& job) {
  const Expected<Array> array = readStoredAttention(path, job);
  if (!array) return fail(array.error());
  return attentionOf(*array, axes);
}

Expected<AttentionArray> attentionOf(const Array& array, const std::vector<AttentionAxis>& axes,
                                     AttentionReading reading) {
  if (array.empty()) return nothingStored(array.source);
  const std::vector<AttentionAxis> meaning = axes.empty() ? usualAxes(array.shape.size()) : axes;
  if (Outcome ok = checkAxes(meaning, array); !ok) return fail(ok.error());
  if (!std::ranges::is_sorted(meaning))
    if (Outcome ok = checkMemory(escaped(array.source, 4096), 2.0 * sizeof(double) * static_cast<double>(array.size()));
        !ok)
      return fail(ok.error());
  AttentionArray attention;
  attention.array = arranged(array, meaning);
  recogniseKind(attention);
  if (reading != AttentionReading::recognised) takeAsSaid(attention, reading);
  return attention;
}

Array weightsOf(const AttentionArray& attention) {
  if (attention.kind == AttentionKind::weights && attention.empty_rows == 0) return attention.array;
  std::vector<double> values = *attention.array.values;
  const auto keys = static_cast<std::size_t>(attention.keys());
  Shape shape;
  shape.seq_len = attention.keys();
  for (std::size_t at = 0; at < values.size(); at += keys) {
    const std::span<double> row = std::span(values).subspan(at, keys);
    if (std::ranges::all_of(row, [](double v) { return std::isnan(v); }))
      std::ranges::fill(row, 0.0);
    else if (attention.kind == AttentionKind::weights)
      continue;
    else if (std::ranges::any_of(row, [](double v) { return std::isnan(v) || v == INFINITY; }))
      std::ranges::fill(row, NAN);
    else
      attention::softmaxRow(Mask{}, shape, 0, row);
  }
  return makeArray(attention.array.shape, std::move(values), attention.array.source);
}

}  // namespace posiscope::files
