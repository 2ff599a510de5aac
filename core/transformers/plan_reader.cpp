// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/transformers/plan_reader.h"

#include "core/array.h"
#include "core/files/refusal.h"

#include <algorithm>
#include <charconv>

namespace posiscope::transformers {
namespace {

/// "(any, 64)"
std::string wantedText(const std::vector<std::int64_t>& shape) {
  std::string text = "(";
  for (std::size_t d = 0; d < shape.size(); ++d)
    text += join(d > 0 ? ", " : "", shape[d] < 0 ? std::string("n") : std::to_string(shape[d]));
  return text + (shape.size() == 1 ? ",)" : ")");
}

bool matches(const std::vector<std::int64_t>& found, const std::vector<std::int64_t>& wanted) {
  return std::ranges::equal(found, wanted, [](std::int64_t f, std::int64_t w) { return w < 0 ? f > 0 : f == w; });
}

}  // namespace

PlanReader::PlanReader(const WeightSource& source, std::initializer_list<std::string_view> prefixes,
                       std::string_view probe)
    : source_(source) {
  for (const std::string_view prefix : prefixes) {
    prefix_ = prefix;
    if (has(probe)) return;
  }
}

StoredTensor PlanReader::take(const std::string& name, const std::vector<std::int64_t>& shape) {
  if (!outcome_) return {};
  const StoredTensor* found = source_.find(name);
  if (!found) {
    const std::string shown = files::escaped(name);
    outcome_ = fail(ErrorCode::file_format,
                    join("the weights must hold the tensor '", shown, "' of shape ", wantedText(shape),
                         " in a float or integer type, got none"),
                    join("权重文件中必须有形状为 ", wantedText(shape), " 的浮点或整数张量“", shown, "”，但没有找到"));
    return {};
  }
  if (!matches(found->shape, shape)) {
    const std::string shown = files::escaped(found->name, 4096);
    outcome_ = fail(ErrorCode::bad_shape,
                    join(shown, ": the shape must be ", wantedText(shape), ", got ", shapeText(found->shape)),
                    join(shown, "：形状必须是 ", wantedText(shape), "，得到 ", shapeText(found->shape)));
    return {};
  }
  taken_.insert(name);
  return *found;
}

StoredTensor PlanReader::tensor(std::string_view name, const std::vector<std::int64_t>& shape) {
  return take(prefix_ + std::string(name), shape);
}

StoredTensor PlanReader::outerTensor(std::string_view name, const std::vector<std::int64_t>& shape) {
  return take(std::string(name), shape);
}

Linear PlanReader::linear(const std::string& stem, std::int64_t outputs, std::int64_t inputs, Bias bias) {
  Linear l;
  l.weight = tensor(stem + ".weight", {outputs, inputs});
  if (l.weight.empty()) return l;
  l.outputs = l.weight.shape[0];
  l.inputs = l.weight.shape[1];
  if (bias == Bias::promised || has(stem + ".bias")) l.bias = tensor(stem + ".bias", {l.outputs});
  return l;
}

Linear PlanReader::convolution(const std::string& stem, std::int64_t outputs, std::int64_t inputs, std::int64_t part,
                               std::int64_t parts) {
  Linear l;
  l.in_by_out = true;
  l.weight = tensor(stem + ".weight", {inputs, outputs < 0 ? outputs : outputs * parts});
  if (l.weight.empty()) return l;
  l.inputs = l.weight.shape[0];
  l.outputs = l.weight.shape[1] / parts;
  l.first = part * l.outputs;
  l.bias = tensor(stem + ".bias", {l.weight.shape[1]});
  return l;
}

Norm PlanReader::layerNorm(const std::string& stem, std::int64_t width, double epsilon) {
  const bool old = !has(stem + ".weight") && has(stem + ".gamma");
  Norm n;
  n.epsilon = epsilon;
  n.gain = tensor(stem + (old ? ".gamma" : ".weight"), {width});
  n.offset = tensor(stem + (old ? ".beta" : ".bias"), {width});
  return n;
}

Norm PlanReader::rootMeanSquareNorm(const std::string& stem, std::int64_t width, double epsilon) {
  Norm n;
  n.kind = Norm::Kind::root_mean_square;
  n.epsilon = epsilon;
  n.gain = tensor(stem + ".weight", {width});
  return n;
}

std::int64_t PlanReader::rowsOf(std::string_view name) const {
  const StoredTensor* tensor = source_.find(prefix_ + std::string(name));
  return tensor && !tensor->empty() ? tensor->shape.front() : 0;
}

std::int64_t PlanReader::layersStored(std::string_view layers) const {
  const std::string start = prefix_ + std::string(layers);
  std::int64_t stored = 0;
  for (const auto& [name, tensor] : source_.tensors()) {
    if (!name.starts_with(start)) continue;
    std::int32_t layer = -1;
    const auto [end, error] = std::from_chars(name.data() + start.size(), name.data() + name.size(), layer);
    if (error == std::errc{} && layer >= 0 && *end == '.') stored = std::max<std::int64_t>(stored, layer + 1LL);
  }
  return stored;
}

Outcome PlanReader::finish(std::string_view layers, std::initializer_list<std::string_view> buffers) const {
  if (!outcome_) return outcome_;
  const std::string start = prefix_ + std::string(layers);
  for (const auto& [key, stored] : source_.tensors()) {
    const std::string_view name = key;  // clang 14 takes no structured binding into a lambda
    if (!name.starts_with(start) || taken_.contains(key)) continue;
    if (std::ranges::any_of(buffers, [&](std::string_view end) { return name.ends_with(end); })) continue;
    const std::string shown = files::escaped(stored.name, 4096);
    return fail(ErrorCode::not_supported,
                join(shown,
                     ": this version does not compute what this tensor is for, and without it the numbers would "
                     "be wrong"),
                join(shown, "：此版本不计算该张量的作用，缺少它结果会出错"));
  }
  return {};
}

}  // namespace posiscope::transformers
