// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/buffers.h"
#include "core/formula_field.h"
#include "core/kept_rows.h"
#include "core/measures/axes.h"
#include "core/measures/encoded.h"
#include "core/measures/measures.h"
#include "core/measures/pair_bias.h"
#include "core/measures/terms.h"
#include "core/parallel.h"
#include "core/profile.h"
#include "core/sinusoidal_rows.h"
#include "core/stored_bytes.h"
#include "core/wave_field.h"
#include "core/wave_rows.h"

#include <algorithm>
#include <cmath>

namespace posiscope::measures {
namespace {

struct Options {
  std::int64_t head = 0;
};

const ParamTable<Options>& optionTable() {
  static const ParamTable<Options> table = [] {
    ParamTable<Options> t;
    t.integer("head", &Options::head, {0, 1023, 0, 31, false},
              {{"head", "头"},
               {"The head shown where the heads have angles or biases of their own.",
                "当各头的角度或偏置不同时，显示哪一个头。"}});
    return t;
  }();
  return table;
}

/// Maps above this are computed when asked: at 131 072 tokens nobody sees every cell.
constexpr double most_stored_bytes = 32.0 * 1024 * 1024;

struct CosSin {
  std::vector<float> cosines;
  std::vector<float> sines;
};

/// The angles of one set as waves along the positions, one for each pair; empty where positions are not evenly spaced.
std::vector<Wave> wavesOf(const RotationPart& rotation, std::int64_t set) {
  std::vector<Wave> waves;
  if (const std::optional<OffsetRotation> even = offsetRotation(rotation, set))
    for (std::int64_t p = 0; p < rotation.pairs(); ++p)
      waves.push_back({rotation.angle(set, 0, p), even->frequency[static_cast<std::size_t>(p)]});
  return waves;
}

std::vector<Wave> sinesOf(std::vector<Wave> waves) {
  for (Wave& wave : waves) wave.sine = true;
  return waves;
}

/// cos and sin of all angles of one set, [tokens, pairs], attention factor included.
std::optional<CosSin> fillCosSin(const RotationPart& rotation, std::int64_t set, const std::vector<Wave>& waves,
                                 std::int64_t tokens, const Job& job) {
  const std::int64_t pairs = rotation.pairs();
  CosSin out{takeBuffer(static_cast<std::size_t>(tokens * pairs)),
             takeBuffer(static_cast<std::size_t>(tokens * pairs))};
  if (!waves.empty()) {
    WaveRows(waves, rotation.attention_factor).fillAll(0, tokens, out.cosines.data());
    WaveRows(sinesOf(waves), rotation.attention_factor).fillAll(0, tokens, out.sines.data());
    return out;
  }
  constexpr std::int64_t rows_at_once = 128;
  const bool complete = parallelBlocks(tokens, rows_at_once, job, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t t = begin; t < end; ++t)
      for (std::int64_t p = 0; p < pairs; ++p) {
        const auto at = static_cast<std::size_t>(t * pairs + p);
        const double angle = rotation.angle(set, t, p);
        out.cosines[at] = static_cast<float>(rotation.attention_factor * std::cos(angle));
        out.sines[at] = static_cast<float>(rotation.attention_factor * std::sin(angle));
      }
  });
  if (!complete) return std::nullopt;
  return out;
}

Outcome addRotation(Dataset& dataset, const EncodingPtr& encoding, const Question& question, std::int64_t head,
                    const Job& job) {
  const RotationPart& rotation = *encoding->rotation;
  const Expected<std::int64_t> set = headOf(head, rotation.sets, question);
  if (!set) return fail(set.error());
  const std::int64_t tokens = question.shape.keys();
  const auto fieldOf = [&](std::vector<float> values) {
    return storedField(tokens, rotation.pairs(), std::move(values));
  };
  std::shared_ptr<const Field> cosines;
  std::shared_ptr<const Field> sines;
  const std::vector<Wave> waves = wavesOf(rotation, *set);
  if (8.0 * static_cast<double>(tokens) * static_cast<double>(rotation.pairs()) <= most_stored_bytes) {
    std::optional<CosSin> filled = fillCosSin(rotation, *set, waves, tokens, job);
    if (!filled) return stopped();
    cosines = fieldOf(std::move(filled->cosines));
    sines = fieldOf(std::move(filled->sines));
  } else {
    const auto computed = [&](bool sine) {
      auto value = [encoding, s = *set, sine](std::int64_t t, std::int64_t p) {
        const RotationPart& r = *encoding->rotation;
        const double angle = r.angle(s, t, p);
        return static_cast<float>(r.attention_factor * (sine ? std::sin(angle) : std::cos(angle)));
      };
      return waves.empty() ? computedField(tokens, rotation.pairs(), value)
                           : waveField(tokens, sine ? sinesOf(waves) : waves, rotation.attention_factor, value);
    };
    cosines = computed(false);
    sines = computed(true);
  }
  const int map_head = rotation.sets > 1 ? static_cast<int>(*set) : -1;
  const auto add = [&](const char* key, std::shared_ptr<const Field> field) {
    dataset.maps.push_back({key,
                            {key, key},
                            std::move(field),
                            positionAxis(question.shape),
                            pairAxis(),
                            waveName(rotation, key),
                            MapKind::diverging,
                            map_head});
    dataset.maps.back().term = [encoding, s = *set, key](std::int64_t t, std::int64_t p) {
      return rotationTerm(*encoding->rotation, s, t, p, key);
    };
  };
  add("cos", std::move(cosines));
  add("sin", std::move(sines));
  return {};
}

/// Which row of a learned table each position reads, where that is another number than the position's.
void addRowNumbers(Dataset& dataset, const Encoding<float>& encoding, std::int64_t rows) {
  const auto first = std::ranges::find(encoding.facts, "first_row", &EncodingFact::key);
  const Axis& positions = dataset.maps.back().rows;
  if (first == encoding.facts.end() || first->value == positions.first) return;
  Curve numbers{"row", {"row of the table", "表中的行"}, CurveRole::mark, {}, {}};
  for (std::int64_t r = 0; r < rows; ++r) {
    numbers.x.push_back(positions.first + static_cast<double>(r));
    numbers.y.push_back(first->value + static_cast<double>(r));
  }
  dataset.curves.push_back(std::move(numbers));
  dataset.x = positions;
  dataset.y = valueAxis({"row of the table", "表中的行"});
}

/// The table as a picture: a formula is asked for the cells that are drawn, not for whole rows; of sines and cosines a
/// pixel shows the mean.
std::shared_ptr<const Field> tableField(const EncodingPtr& encoding) {
  const InputPart<float>& input = encoding->input;
  const std::int64_t rows = input.tableRows(), cols = input.tableCols();
  if (!input.fill_row) return storedField(rows, cols, encoding, input.table.values.data());
  if (const FormulaRows* formula = formulaRowsOf(input)) return formulaField(*formula);
  std::shared_ptr<const Field> cells = rowField(rows, cols, input.fill_row);
  if (const SinusoidalRows* sinusoidal = sinusoidalRowsOf(input))
    return waveField(std::move(cells), sinusoidal->waves(), sinusoidal->factor());
  return cells;
}

void addTable(Dataset& dataset, const EncodingPtr& encoding, const Question& question) {
  dataset.maps.push_back({"table",
                          {"added table", "相加的位置表"},
                          tableField(encoding),
                          positionAxis(question.shape),
                          dimensionAxis(),
                          {"value", "数值"},
                          MapKind::diverging,
                          -1});
  dataset.maps.back().term = tableTerm(encoding->input);
  addRowNumbers(dataset, *encoding, encoding->input.tableRows());
}

void addOffsetBias(Dataset& dataset, const EncodingPtr& encoding) {
  const auto& bias = std::get<OffsetBias<float>>(encoding->logits.bias);
  dataset.maps.push_back({"bias",
                          {"bias by offset", "按偏移的偏置"},
                          storedField(bias.heads, 2 * bias.max_offset + 1, encoding, bias.values.data()),
                          headAxis(),
                          offsetAxis(-bias.max_offset, false),
                          {"bias", "偏置"},
                          MapKind::diverging,
                          -1});
  dataset.maps.back().term = [encoding](std::int64_t head, std::int64_t col) {
    const auto& b = std::get<OffsetBias<float>>(encoding->logits.bias);
    return biasTerm(b, head, col - b.max_offset);
  };
}

Outcome addPairBias(Dataset& dataset, const EncodingPtr& encoding, const Question& question, std::int64_t head,
                    const Job& job) {
  const Expected<std::int64_t> shown = headOf(head, question.shape.num_heads, question);
  if (!shown) return fail(shown.error());
  Map map = pairBiasMap(encoding, *shown, question.shape, job);
  if (!map.field) return stopped();
  dataset.maps.push_back(std::move(map));
  return {};
}

Text whyNothing(const Encoding<float>& encoding) {
  if (isNothing(encoding))
    return {"This scheme adds nothing and turns nothing: there is no table to draw.",
            "该方案既不相加也不旋转：没有可绘制的表。"};
  return {"Here position acts together with the content: there is no table that could be drawn without it.",
          "此方案的位置与内容共同起作用：离开内容就没有可绘制的表。"};
}

Expected<Dataset> answer(const Question& question, const Job& job) {
  const Expected<Options> options = optionTable().read(question.measure, question.options);
  if (!options) return fail(options.error());
  const Expected<EncodingPtr> encoding = encodingOf(question);
  if (!encoding) return fail(encoding.error());
  const Encoding<float>& e = **encoding;
  Dataset dataset;
  if (e.input.hasTable()) addTable(dataset, *encoding, question);
  if (e.rotation)
    if (Outcome ok = addRotation(dataset, *encoding, question, options->head, job); !ok) return fail(ok.error());
  if (std::holds_alternative<OffsetBias<float>>(e.logits.bias)) addOffsetBias(dataset, *encoding);
  if (std::holds_alternative<PairBias<float>>(e.logits.bias))
    if (Outcome ok = addPairBias(dataset, *encoding, question, options->head, job); !ok) return fail(ok.error());
  if (dataset.maps.empty()) dataset.nothing = whyNothing(e);
  return dataset;
}

}  // namespace

Measure positionTable() {
  return {"position_table",
          {"Position table", "位置表"},
          {"Each row is what one position receives: numbers that are added, cosines and sines that turn queries and "
           "keys, or a bias for each offset. Look for how fast a column changes down the rows: fast columns tell "
           "neighbours apart, slow ones tell regions apart.",
           "每一行是一个位置得到的东西：相加的数值、用于旋转查询和键的余弦与正弦，或每个偏移的偏置。"
           "请看一列自上而下变化得多快：快的列区分相邻位置，慢的列区分不同区段。"},
          "[seq_len, d_model] for an added table; [2, seq_len, pairs] (cos, sin) for a rotation; "
          "[num_heads, 2·seq_len − 1] for a bias by offset, offset −(seq_len−1) first; [L_q, L_k] for any other bias "
          "(of `head`); several parts give [maps, rows, cols]",
          optionTable().specs(),
          answer};
}

}  // namespace posiscope::measures
