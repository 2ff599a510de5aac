// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sampling.h"
#include "core/schemes/schemes.h"

#include <algorithm>

namespace posiscope::schemes {
namespace {

enum class Initial { normal, truncated_normal, file };

struct LearnedParams {
  Initial initial = Initial::normal;
  double std = 0.02;
  std::int64_t max_positions = 1024;
  std::int64_t seed = 1;
  Array table;
};

ParamTable<LearnedParams> learnedTable() {
  using P = LearnedParams;
  ParamTable<P> t;
  t.choice("initial", &P::initial,
           {{"normal", {"normal", "正态"}},
            {"truncated_normal", {"truncated normal", "截断正态"}},
            {"file", {"from a file", "来自文件"}}},
           {{"initial values", "初始值"},
            {"How the table is drawn; truncated means redrawn beyond ±2 std, as in BERT.",
             "位置表如何抽取；截断指超出 ±2 倍标准差时重抽，与 BERT 相同。"}});
  t.real("std", &P::std, {0, 100, 0.001, 1, true},
         {{"std", "标准差"}, {"Standard deviation before truncation.", "截断之前的标准差。"}, "initializer_range"})
      .when("initial", {"normal", "truncated_normal"});
  t.integer("max_positions", &P::max_positions, {1, 1 << 24, 16, 1 << 17, true},
            {{"positions", "位置数"},
             {"Rows of the table; a position past them is an error.", "位置表的行数；超出即为错误。"},
             "n_positions",
             "tokens"})
      .when("initial", {"normal", "truncated_normal"});
  t.integer("seed", &P::seed, {0, 1e9, 0, 100, false},
            {{"seed", "随机种子"}, {"Which random table is drawn.", "抽取哪一张随机表。"}})
      .when("initial", {"normal", "truncated_normal"});
  t.array("table", &P::table,
          {{"table", "位置表"},
           {"A trained table, positions × d_model; used instead of a drawn one whenever it is given.",
            "训练好的表，位置数 × d_model；给出后即取代随机抽取的表。"},
           "wpe"});
  return t;
}

std::int64_t rows(const LearnedParams& p) { return p.table.empty() ? p.max_positions : p.table.shape[0]; }

/// Every position asked for must be a row: never wrapped, never clamped.
Outcome checkPositions(const LearnedParams& p, const Shape& shape) {
  const double first = shape.first_position;
  const double last = first + static_cast<double>(shape.keys() - 1);
  const auto refuse = [&](double position, std::string_view en, std::string_view zh) {
    return fail(ErrorCode::past_table,
                join("learned: position ", screenNumber(position), " ", en, "; the table has positions 0 to ",
                     screenNumber(static_cast<double>(rows(p) - 1))),
                join("learned：位置 ", screenNumber(position), " ", zh, "；位置表只有 0 到 ",
                     screenNumber(static_cast<double>(rows(p) - 1))));
  };
  if (first != std::floor(first)) return refuse(first, "is not a whole number", "不是整数");
  if (first < 0) return refuse(first, "is negative", "为负数");
  if (last >= static_cast<double>(rows(p))) return refuse(last, "is past the table", "超出位置表");
  return {};
}

struct Learned {
  Outcome check(const LearnedParams& p, const Shape& shape) const {
    if (p.initial == Initial::file && p.table.empty())
      return fail(ErrorCode::bad_value, "learned: initial 'file' needs a table, e.g. table=@wpe.npy; none was given",
                  "learned：initial 为 file 时需要给出位置表，例如 table=@wpe.npy；目前没有");
    if (!p.table.empty() && (p.table.rank() != 2 || p.table.shape[1] != shape.d_model))
      return fail(
          ErrorCode::bad_shape,
          join("learned: the table must be (positions, d_model ", shape.d_model, "), got ", shapeText(p.table.shape)),
          join("learned：位置表的形状必须是（位置数, d_model ", shape.d_model, "），得到 ", shapeText(p.table.shape)));
    if (Outcome ok = checkPositions(p, shape); !ok) return ok;
    return room<float>(p, shape);
  }

  template <class T>
  Expected<Encoding<T>> encode(const LearnedParams& p, const Shape& shape) const {
    if (Outcome ok = room<T>(p, shape); !ok) return fail(ok.error());
    Encoding<T> encoding;
    encoding.input.table = tableRows<T>(p, shape);
    encoding.input.term = [first = shape.first_position](std::int64_t row, std::int64_t col) {
      return join("E[", screenNumber(first + static_cast<double>(row)), ", ", col, "]");
    };
    encoding.logit_scale = rootScale(shape);
    encoding.offset_only = false;
    return encoding;
  }

  std::string substitution(const LearnedParams& p, const Shape& shape) const {
    const std::string size =
        join(screenNumber(static_cast<double>(rows(p))), " × ", screenNumber(static_cast<double>(shape.d_model)));
    return p.table.empty() ? join("E: ", size, ", σ = ", screenNumber(p.std)) : join("E: ", size);
  }

 private:
  template <class T>
  static Table<T> tableRows(const LearnedParams& p, const Shape& shape) {
    const auto first = static_cast<std::int64_t>(shape.first_position);
    Table<T> table = makeTable<T>(shape.keys(), shape.d_model);
    const std::int64_t begin = first * shape.d_model;
    const std::int64_t end = begin + shape.keys() * shape.d_model;
    const Draw draw = p.initial == Initial::truncated_normal ? Draw::truncated_normal : Draw::normal;
    const std::vector<double> drawn = p.table.empty() ? drawnTable(p.seed, draw, p.std, end) : std::vector<double>{};
    const double* source = p.table.empty() ? drawn.data() : p.table.data();
    std::transform(source + begin, source + end, table.values.begin(), [](double v) { return static_cast<T>(v); });
    return table;
  }
  /// The drawn values are double until they are cut to T.
  template <class T>
  static Outcome room(const LearnedParams& p, const Shape& shape) {
    const double last = shape.first_position + static_cast<double>(shape.keys());
    const double drawn = p.table.empty() ? last * sizeof(double) : 0;
    return checkMemory("learned: the table",
                       static_cast<double>(shape.d_model) * (static_cast<double>(shape.keys()) * sizeof(T) + drawn));
  }
};

}  // namespace

Scheme learned() {
  return makeScheme({.id = "learned",
                     .name = {"Learned", "可学习位置编码"},
                     .family = Family::absolute,
                     .year = 2017,
                     .reference = "Gehring et al. 2017, arXiv:1705.03122; BERT, GPT-2",
                     .summary = {"One trained vector a position, up to a fixed number of positions.",
                                 "每个位置有一个训练得到的向量，位置数固定。"}},
                    learnedTable(), Learned{});
}

}  // namespace posiscope::schemes
