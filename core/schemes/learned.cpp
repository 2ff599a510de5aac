// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/learned.h"

#include "core/missing_file.h"
#include "core/schemes/schemes.h"

#include <algorithm>

namespace posiscope::schemes {
namespace {

void addDrawing(ParamTable<LearnedParams>& t) {
  using P = LearnedParams;
  const std::vector<std::string> drawn{"normal", "truncated_normal", "truncated_absolute", "truncated_rescaled"};
  t.choice("initial", &P::initial,
           {{"normal", {"normal", "正态"}},
            {"truncated_normal", {"truncated normal", "截断正态"}},
            {"truncated_absolute", {"truncated at a value", "按绝对值截断"}},
            {"truncated_rescaled", {"truncated and rescaled", "截断后重新缩放"}},
            {"file", {"from a file", "来自文件"}}},
           {{"initial values", "初始值"},
            {"How the table is drawn: redrawn beyond ±cut std (BERT), beyond ±cut itself (PyTorch), or the first "
             "stretched back to std (JAX).",
             "位置表如何抽取：超出 ±cut 倍标准差重抽（BERT），超出 ±cut "
             "本身重抽（PyTorch），或前者再拉回到标准差（JAX）。"}});
  t.real("std", &P::std, {0, 100, 0.001, 1, true},
         {{"std", "标准差"}, {"Standard deviation before truncation.", "截断之前的标准差。"}, "initializer_range"})
      .when("initial", drawn);
  t.real("cut", &P::cut, {0.1, 10, 0.5, 4, false},
         {{"cut", "截断处"}, {"Where a truncated normal ends.", "截断正态的边界。"}})
      .when("initial", {"truncated_normal", "truncated_absolute", "truncated_rescaled"});
  t.integer("max_positions", &P::max_positions, {1, 1 << 24, 16, 1 << 17, true},
            {{"positions", "位置数"},
             {"Rows of the table; a position past them is an error.", "位置表的行数；超出即为错误。"},
             "n_positions",
             "tokens"})
      .when("initial", drawn);
  t.integer("seed", &P::seed, {0, 1e9, 0, 100, false},
            {{"seed", "随机种子"}, {"Which random table is drawn.", "抽取哪一张随机表。"}})
      .when("initial", drawn);
}

void addResampling(ParamTable<LearnedParams>& t) {
  using P = LearnedParams;
  const std::vector<std::string> on{"linear", "cubic"};
  t.choice("resample", &P::resample,
           {{"none", {"none", "无"}}, {"linear", {"linear", "线性"}}, {"cubic", {"cubic", "三次"}}},
           {{"resampling", "重采样"},
            {"Stretches the whole table over the sequence, as vision models do for another resolution.",
             "把整张表拉伸到序列长度，视觉模型换分辨率时就这样做。"}});
  t.choice("resample_along", &P::resample_along, {{"sequence", {"sequence", "序列"}}, {"grid", {"grid", "网格"}}},
           {{"along", "方向"},
            {"Along the positions, or along rows and columns of a grid of patches.", "沿位置，或沿图块网格的行和列。"}})
      .when("resample", on);
  t.boolean("antialias", &P::antialias,
            {{"antialiased", "抗锯齿"},
             {"timm's form: cubic with a = −0.5 and a wider kernel when shrinking; off: MAE's, a = −0.75.",
              "timm 的形式：三次核 a = −0.5，缩小时加宽；关闭时为 MAE 的形式，a = −0.75。"}})
      .when("resample", on);
  t.boolean("align_corners", &P::align_corners,
            {{"align corners", "对齐端点"},
             {"First and last rows stay at the ends (big_vision); off: half-pixel centres.",
              "首行和末行保持在两端（big_vision）；关闭时以半像素为中心。"}})
      .when("resample", on);
  t.integer(
       "prefix_tokens", &P::prefix_tokens, {0, 1024, 0, 8, false},
       {{"prefix tokens", "前缀词元数"},
        {"Rows of class and register tokens in front, kept as they are.", "前面的类别、寄存器词元的行，保持不变。"},
        "",
        "tokens"})
      .when("resample", on);
  t.integer("table_height", &P::table_height, {0, 4096, 0, 64, false},
            {{"table height", "表的高度"},
             {"Rows of the grid the table was trained on; 0 means a square one.", "训练时网格的行数；0 表示正方形。"},
             "",
             "patches"})
      .unset({"square", "正方形"})
      .when("resample", on);
  t.integer(
       "table_width", &P::table_width, {0, 4096, 0, 64, false},
       {{"table width", "表的宽度"},
        {"Columns of the grid the table was trained on; 0 means a square one.", "训练时网格的列数；0 表示正方形。"},
        "",
        "patches"})
      .unset({"square", "正方形"})
      .when("resample", on);
}

ParamTable<LearnedParams> learnedTable() {
  using P = LearnedParams;
  ParamTable<P> t;
  addDrawing(t);
  t.array("table", &P::table,
          {{"table", "位置表"},
           {"A trained table, positions × d_model; used instead of a drawn one whenever it is given.",
            "训练好的表，位置数 × d_model；给出后即取代随机抽取的表。"},
           "wpe"});
  t.integer("position_offset", &P::position_offset, {0, 1 << 20, 0, 4, false},
            {{"offset", "偏移"},
             {"Rows in front that no position uses; RoBERTa, OPT and BART have 2.",
              "前面不被任何位置使用的行数；RoBERTa、OPT、BART 为 2。"},
             "",
             "tokens"});
  addResampling(t);
  return t;
}

struct Learned {
  Outcome check(const LearnedParams& p, const Shape& shape) const {
    if (p.initial == LearnedInitial::file)
      if (Outcome found = checkFound({"learned", "learned"}, "table", p.table); !found) return found;
    if (p.initial == LearnedInitial::file && p.table.empty())
      return fail(ErrorCode::bad_value, "learned: initial 'file' needs a table, e.g. table=@wpe.npy; none was given",
                  "learned：initial 为 file 时需要给出位置表，例如 table=@wpe.npy；目前没有");
    if (!p.table.empty() && (p.table.rank() != 2 || p.table.shape[1] != shape.d_model))
      return fail(
          ErrorCode::bad_shape,
          join("learned: the table must be (positions, d_model ", shape.d_model, "), got ", shapeText(p.table.shape)),
          join("learned：位置表的形状必须是（位置数, d_model ", shape.d_model, "），得到 ", shapeText(p.table.shape)));
    if (Outcome ok = checkLearnedRows(p, shape); !ok) return ok;
    return room<float>(p, shape);
  }

  template <class T>
  Expected<Encoding<T>> encode(const LearnedParams& p, const Shape& shape) const {
    if (Outcome ok = room<T>(p, shape); !ok) return fail(ok.error());
    Encoding<T> encoding;
    encoding.input.table = learnedRows<T>(p, shape);
    encoding.prefix_tokens = p.resample == LearnedResample::none ? 0 : p.prefix_tokens;
    if (p.resample == LearnedResample::none)
      encoding.input.term = [first = shape.first_position + static_cast<double>(p.position_offset)](std::int64_t row,
                                                                                                    std::int64_t col) {
        return join("E[", screenNumber(first + static_cast<double>(row)), ", ", col, "]");
      };
    encoding.logit_scale = rootScale(shape);
    encoding.offset_only = false;
    if (p.table.empty()) encoding.facts = {{"drawn_std", drawnDeviation(drawOf(p), p.std, p.cut)}};
    // A resampled row is made of several and has no number of its own.
    if (p.resample == LearnedResample::none)
      encoding.facts.push_back({"first_row", shape.first_position + static_cast<double>(p.position_offset)});
    return encoding;
  }

  SchemeCost cost(const LearnedParams& p, const Shape& shape) const {
    return {.learned = (p.table.empty() ? p.max_positions : p.table.shape[0]) * shape.d_model};
  }

  std::string substitution(const LearnedParams& p, const Shape& shape) const {
    const std::int64_t rows = p.table.empty() ? p.max_positions : p.table.shape[0];
    std::string text =
        join("E: ", screenNumber(static_cast<double>(rows)), " × ", screenNumber(static_cast<double>(shape.d_model)));
    if (p.table.empty()) text += ", σ = " + screenNumber(p.std);
    if (p.resample != LearnedResample::none) text += " → " + screenNumber(static_cast<double>(shape.keys()));
    return text;
  }

 private:
  /// The table asked for, beside it what is drawn or resampled in double.
  template <class T>
  static Outcome room(const LearnedParams& p, const Shape& shape) {
    const bool resampled = p.resample != LearnedResample::none;
    const double last = resampled ? static_cast<double>(p.max_positions)
                                  : shape.first_position + static_cast<double>(shape.keys() + p.position_offset);
    const double drawn = p.table.empty() ? last * sizeof(double) : 0;
    const double kept = static_cast<double>(shape.keys()) * (sizeof(T) + (resampled ? sizeof(double) : 0));
    return checkMemory("learned: the table", static_cast<double>(shape.d_model) * (kept + drawn));
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
