// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthetic.h"

#include <cmath>
#include <utility>

namespace posiscope::ui {
namespace {

Axis axis(Text name, std::string symbol) {
  Axis result;
  result.name = std::move(name);
  result.symbol = std::move(symbol);
  return result;
}

Map rotaryMap(std::string key, Text label, std::int64_t positions, std::int64_t pairs, double base, bool sine) {
  Map map;
  map.key = std::move(key);
  map.label = std::move(label);
  map.rows = axis({"position i", "位置 i"}, "i");
  map.cols = axis({"pair p", "维度对 p"}, "p");
  map.value = sine ? Text{"sin of the angle", "角度的正弦"} : Text{"cos of the angle", "角度的余弦"};
  map.kind = MapKind::diverging;
  map.field = computedField(positions, pairs, [pairs, base, sine](std::int64_t i, std::int64_t p) {
    const double angle = static_cast<double>(i) * std::pow(base, -static_cast<double>(p) / static_cast<double>(pairs));
    return static_cast<float>(sine ? std::sin(angle) : std::cos(angle));
  });
  return map;
}

}  // namespace

Dataset rotaryTable(std::int64_t positions, std::int64_t pairs, double base) {
  Dataset dataset;
  dataset.maps.push_back(rotaryMap("cos", {"cosine", "余弦"}, positions, pairs, base, false));
  dataset.maps.push_back(rotaryMap("sin", {"sine", "正弦"}, positions, pairs, base, true));
  return dataset;
}

Dataset causalWeights(std::int64_t tokens, const std::vector<int>& heads, double slope) {
  Dataset dataset;
  dataset.x = axis({"offset i − j", "偏移 i − j"}, "");
  dataset.y = axis({"mean weight", "平均权重"}, "");
  for (const int head : heads) {
    std::vector<float> values(static_cast<std::size_t>(tokens * tokens));
    for (std::int64_t i = 0; i < tokens; ++i) {
      double sum = 0;
      for (std::int64_t j = 0; j <= i; ++j) sum += std::exp(-slope / (head + 1) * static_cast<double>(i - j));
      for (std::int64_t j = 0; j <= i; ++j)
        values[static_cast<std::size_t>(i * tokens + j)] =
            static_cast<float>(std::exp(-slope / (head + 1) * static_cast<double>(i - j)) / sum);
    }
    Map map;
    map.key = "head " + std::to_string(head);
    map.label = {map.key, "头 " + std::to_string(head)};
    map.rows = axis({"query i", "查询 i"}, "i");
    map.cols = axis({"key j", "键 j"}, "j");
    map.value = {"weight", "权重"};
    map.head = head;
    map.field = storedField(tokens, tokens, std::move(values));
    Curve curve;
    curve.key = "head " + std::to_string(head);
    curve.head = head;
    for (std::int64_t n = 0; n < tokens; ++n) {
      curve.x.push_back(static_cast<double>(n));
      curve.y.push_back(map.field->at(tokens - 1, tokens - 1 - n));
    }
    dataset.maps.push_back(std::move(map));
    dataset.curves.push_back(std::move(curve));
  }
  return dataset;
}

Dataset oneMap(std::int64_t rows, std::int64_t cols, std::vector<float> values, MapKind kind,
               const std::string& row_symbol, const std::string& col_symbol) {
  Map map;
  map.key = "map";
  map.label = {"map", "图"};
  map.rows = axis({"row", "行"}, row_symbol);
  map.cols = axis({"column", "列"}, col_symbol);
  map.value = {"value", "值"};
  map.kind = kind;
  map.field = storedField(rows, cols, std::move(values));
  Dataset dataset;
  dataset.maps.push_back(std::move(map));
  return dataset;
}

ViewContext contextOf(const std::string& measure, std::vector<Dataset> datasets, bool dark, Language language) {
  static const char* const names[] = {"RoPE", "RoPE · Llama-3", "RoPE · YaRN", "ALiBi", "T5", "Sinusoidal"};
  ViewContext context;
  context.presentation = startPresentation();
  context.presentation.language = language;
  context.style = makeStyle(dark, language);
  context.tile.view = measure;
  context.experiment.shape.seq_len = 128;
  auto result = std::make_shared<Result>();
  result->answers.emplace_back();
  for (std::size_t s = 0; s < datasets.size(); ++s) {
    SchemeChoice scheme;
    scheme.id = "rope";
    scheme.label = names[s % std::size(names)];
    scheme.colour = static_cast<int>(s);
    context.experiment.schemes.push_back(scheme);
    Answer answer;
    answer.question.measure = measure;
    answer.question.shape = context.experiment.shape;
    answer.dataset = std::make_shared<const Dataset>(std::move(datasets[s]));
    result->answers.front().push_back(std::move(answer));
  }
  result->request.experiment = context.experiment;
  result->request.measures.push_back({measure, {}});
  context.result = std::move(result);
  context.measure = 0;
  return context;
}

ViewContext mapContext(const std::string& view, bool dark, Language language) {
  std::vector<Dataset> datasets;
  for (int s = 1; s <= 3; ++s)
    datasets.push_back(view == "attention_weights" ? causalWeights(48, {0, 1}, 0.2 * s)
                                                   : rotaryTable(64, 16, 1000.0 * s));
  return contextOf(view, std::move(datasets), dark, language);
}

std::shared_ptr<const Result> answeredBefore(const ViewContext& context) {
  auto before = std::make_shared<Result>(*context.result);
  before->request.experiment.train_length += 1;
  return before;
}

ViewContext withFailure(ViewContext context, std::size_t index, Error error) {
  auto result = std::make_shared<Result>(*context.result);
  result->answers.front()[index].dataset = tl::unexpected<Error>(std::move(error));
  context.result = std::move(result);
  return context;
}

}  // namespace posiscope::ui
