// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula_rows.h"
#include "core/measures/axes.h"
#include "core/measures/encoded.h"
#include "core/measures/linear_shift.h"
#include "core/measures/measures.h"
#include "core/profile.h"
#include "core/screen_number.h"

#include <algorithm>
#include <cmath>

namespace posiscope::measures {
namespace {

struct Options {
  std::int64_t k = 1;
  std::int64_t head = 0;
};

const ParamTable<Options>& optionTable() {
  static const ParamTable<Options> table = [] {
    ParamTable<Options> t;
    t.integer("shift", &Options::k, {1, 1 << 24, 1, 4096, true},
              {{"shift", "平移量"},
               {"How many tokens the matrix moves a position on.", "矩阵把位置向后移动多少个词元。"},
               "",
               "tokens"});
    t.integer(
        "head", &Options::head, {0, 1023, 0, 31, false},
        {{"head", "头"}, {"The head shown where the heads turn differently.", "当各头旋转不同时，显示哪一个头。"}});
    return t;
  }();
  return table;
}

Map matrixMap(const char* key, Text label, std::shared_ptr<const Field> field, int head) {
  Axis rows = dimensionAxis();
  rows.name = {"at p + k, dimension d", "p + k 处的维度 d"};
  Axis cols = dimensionAxis();
  cols.name = {"at p, dimension d", "p 处的维度 d"};
  return {
      key, std::move(label), std::move(field), std::move(rows), std::move(cols), {"entry", "元素"}, MapKind::diverging,
      head};
}

/// Two entries a row: a wave turns within its own two columns.
void addTurns(Dataset& dataset, const char* key, Text label, std::vector<ShiftRow> rows, double k, int head) {
  const auto shared = std::make_shared<const std::vector<ShiftRow>>(std::move(rows));
  const std::int64_t n = std::ssize(*shared);
  const auto value = [shared](std::int64_t r, std::int64_t c) {
    const ShiftRow& row = (*shared)[static_cast<std::size_t>(r)];
    if (c == r) return static_cast<float>(row.diagonal);
    return c == row.partner ? static_cast<float>(row.cross) : 0.0F;
  };
  Field::Limits limits{n > 1 ? 0.0F : 1.0F, 0.0F, true};
  for (const ShiftRow& row : *shared)
    for (const double entry : {row.diagonal, row.partner >= 0 ? row.cross : row.diagonal}) {
      limits.minimum = std::min(limits.minimum, static_cast<float>(entry));
      limits.maximum = std::max(limits.maximum, static_cast<float>(entry));
    }
  dataset.maps.push_back(matrixMap(key, std::move(label), computedField(n, n, value, limits), head));
  dataset.maps.back().term = [shared, k](std::int64_t r, std::int64_t c) -> std::string {
    const ShiftRow& row = (*shared)[static_cast<std::size_t>(r)];
    if (c != r && c != row.partner) return "0";
    if (row.partner < 0) return "1";
    const std::string angle = "(" + screenNumber(k) + " · θ" + subscript(row.pair) + ")";
    if (c == r) return "cos" + angle;
    return (row.sign > 0 ? "sin" : "−sin") + angle;
  };
}

void addExact(Dataset& dataset, double error, std::int64_t k) {
  dataset.metrics.push_back({"largest_error", {"largest error", "最大误差"}, error, ""});
  // Of a table that has such a matrix only the error can be in question: it stands with the figure.
  dataset.scope = {"largest error " + readable(error), "最大误差 " + readable(error)};
  const std::string shift = readable(static_cast<double>(k));
  dataset.remarks.push_back(
      {Verdict::good,
       {"One matrix moves every row " + shift + (k == 1 ? " token on" : " tokens on") +
            "; no entry is off by more than " + readable(error) + ".",
        "同一个矩阵把每一行向后移动 " + shift + " 个词元；任何元素的误差不超过 " + readable(error) + "。"}});
}

void addFitted(Dataset& dataset, const FittedShift& fitted) {
  const std::string all = readable(static_cast<double>(fitted.possible));
  const std::string some = readable(static_cast<double>(fitted.fitted));
  dataset.scope = {"fitted to " + some + " of " + all + " shifts", "由 " + all + " 次平移中的 " + some + " 次拟合"};
  if (fitted.left_out > 0) {
    const std::string out = readable(static_cast<double>(fitted.left_out));
    dataset.remarks.push_back({Verdict::warning,
                               {out + (fitted.left_out == 1 ? " row of the table is" : " rows of the table are") +
                                    " left out of the fit: NaN or infinite numbers stand there.",
                                "拟合时略去了表中的 " + out + " 行：这些行含有 NaN 或无穷大的数值。"}});
  }
  if (fitted.tested == 0) return;
  dataset.metrics.push_back(
      {"residual", {"relative residual on other rows", "其他行上的相对残差"}, fitted.residual, ""});
  const std::string percent = readable(100 * fitted.residual) + " %";
  if (fitted.residual < 1e-3)
    dataset.remarks.push_back(
        {Verdict::good,
         {"The fitted matrix moves rows it never saw, too: it misses them by " + percent + " of their length.",
          "拟合出的矩阵对未参与拟合的行同样有效：误差为其长度的 " + percent + "。"}});
  else
    dataset.remarks.push_back(
        {Verdict::warning,
         {"This table is not shifted by a matrix: the best fit misses rows it never saw by " + percent +
              " of their length.",
          "该位置表的平移不是一个矩阵：最佳拟合对未参与拟合的行，误差为其长度的 " + percent + "。"}});
}

Outcome addTable(Dataset& dataset, const InputPart<float>& input, const Question& question, std::int64_t k,
                 const Job& job) {
  if (const auto columns = waveColumns(input)) {
    std::vector<ShiftRow> rows = turnedRows(*columns, input.tableCols(), static_cast<double>(k));
    const std::optional<double> error = shiftError(input, rows, k, job);
    if (!error) return stopped();
    addTurns(dataset, "table", {"added table", "位置表"}, std::move(rows), static_cast<double>(k), -1);
    addExact(dataset, *error, k);
    return {};
  }
  const double d = static_cast<double>(input.tableCols());
  if (Outcome ok = checkMemory("shift_matrix: the matrix", 4 * d * d); !ok) return ok;
  if (Outcome ok = checkAffordable(input, rowsOfFit(input, k, question.draft)); !ok) return ok;
  const std::optional<FittedShift> fitted = fitShift(input, k, question.draft, job);
  if (!fitted) return stopped();
  if (fitted->matrix.empty()) {
    dataset.remarks.push_back(
        {Verdict::warning,
         {"No row of the table and its successor are both of finite numbers: nothing can be fitted.",
          "表中没有任何一行与其后继同时为有限值：无法拟合。"}});
    return {};
  }
  dataset.maps.push_back(matrixMap("table", {"added table, fitted", "位置表（拟合）"},
                                   storedField(input.tableCols(), input.tableCols(), fitted->matrix), -1));
  dataset.maps.back().term = [k](std::int64_t r, std::int64_t c) {
    return join("M[", r, ", ", c, "], min Σₚ ‖P[p + ", k, "] − M P[p]‖²");
  };
  dataset.draft = fitted->draft;
  addFitted(dataset, *fitted);
  return {};
}

/// The rotation of the whole head by k tokens, the same at every position. Without the magnitudes of xPos.
void addRotation(Dataset& dataset, const RotationPart& rotation, std::int64_t set, const Question& question,
                 std::int64_t k) {
  const auto even = offsetRotation(rotation, set);
  if (!even) {
    dataset.remarks.push_back(
        {Verdict::warning,
         {"The positions of these tokens are not evenly spaced: no single rotation moves all of them.",
          "这些词元的位置间隔不均匀：没有一个旋转能移动所有位置。"}});
    return;
  }
  std::vector<WaveColumns> columns;
  for (std::int64_t p = 0; p < rotation.pairs(); ++p)
    columns.push_back(
        {rotation.firstDim(p), rotation.secondDim(p), p, even->frequency[static_cast<std::size_t>(p)], -1});
  addTurns(dataset, "rotation", {"rotation", "旋转"},
           turnedRows(columns, question.shape.head_dim, static_cast<double>(k)), static_cast<double>(k),
           rotation.sets > 1 ? static_cast<int>(set) : -1);
  const std::string shift = readable(static_cast<double>(k));
  dataset.remarks.push_back({Verdict::good,
                             {"From every position, " + shift + (k == 1 ? " token on" : " tokens on") +
                                  " is this same rotation of queries and keys.",
                              "无论从哪个位置出发，向后 " + shift + " 个词元都是对查询与键的同一个旋转。"}});
}

Text whyNothing(const Dataset& dataset, const Encoding<float>& encoding, const Shape& shape) {
  if (shape.keys() < 2) return {"There is one position only: nothing can be shifted.", "只有一个位置：无从平移。"};
  if (!dataset.remarks.empty()) return dataset.remarks.front().sentence;
  if (isNothing(encoding))
    return {"This scheme adds nothing and turns nothing: there is nothing to shift.",
            "该方案既不相加也不旋转：没有可平移的量。"};
  return {"Here positions have no vectors of their own that a matrix could move.",
          "此方案的位置没有可由矩阵移动的向量。"};
}

Expected<Dataset> answer(const Question& question, const Job& job) {
  const Expected<Options> options = optionTable().read(question.measure, question.options);
  if (!options) return fail(options.error());
  const Expected<EncodingPtr> encoding = encodingOf(question);
  if (!encoding) return fail(encoding.error());
  const Encoding<float>& e = **encoding;
  const Expected<std::int64_t> set = headOf(options->head, e.rotation ? e.rotation->sets : 1, question);
  if (!set) return fail(set.error());
  const std::int64_t last = question.shape.keys() - 1;
  Dataset dataset;
  const bool drawable = (e.input.hasTable() || e.rotation) && last >= 1;
  if (drawable && options->k > last)
    return fail(rangeError(question.measure, "shift", 1, static_cast<double>(last), static_cast<double>(options->k)));
  if (drawable && e.input.hasTable())
    if (Outcome ok = addTable(dataset, e.input, question, options->k, job); !ok) return fail(ok.error());
  if (drawable && e.rotation) addRotation(dataset, *e.rotation, *set, question, options->k);
  if (dataset.maps.empty()) {
    dataset.nothing = whyNothing(dataset, e, question.shape);
    dataset.remarks.clear();
  }
  return dataset;
}

}  // namespace

Measure shiftMatrix() {
  return {
      "shift_matrix",
      {"Shift matrix", "平移矩阵"},
      {"The matrix M with P(p + k) = M · P(p) at every position p: of sines and cosines it turns each pair and is zero "
       "elsewhere. A learned table has no such matrix; shown is the least-squares fit, and the remark says how far it "
       "misses rows it was not fitted to.",
       "在每个位置 p 都满足 P(p + k) = M · P(p) 的矩阵 M：对正弦余弦，它只转动各维度对，其余为零。"
       "可学习的表没有这样的矩阵；图中为最小二乘拟合，备注说明它对未参与拟合的行相差多远。"},
      "[d, d] of an added table or of a head that is turned; both give [maps, d, d]",
      optionTable().specs(),
      answer};
}

}  // namespace posiscope::measures
