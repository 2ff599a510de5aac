// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/shape.h"

#include <atomic>

namespace posiscope {
namespace {

ParamTable<Shape> makeTable() {
  ParamTable<Shape> t;
  t.integer("seq_len", &Shape::seq_len, {1, 1 << 24, 1, 1 << 20, true},
            {{"sequence length", "序列长度"},
             {"How many tokens (keys) the sequence has.", "序列中的词元（键）个数。"},
             "L",
             "tokens"});
  t.integer("d_model", &Shape::d_model, {1, 1 << 17, 2, 16384, true},
            {{"model width", "模型宽度"},
             {"Width of the embeddings and of an added table.", "词嵌入以及相加位置表的宽度。"},
             "hidden_size",
             "dimensions"});
  t.integer("num_heads", &Shape::num_heads, {1, 1024, 1, 128, true},
            {{"heads", "头数"}, {"Number of attention heads.", "注意力头的个数。"}, "n_head", ""});
  t.integer(
      "head_dim", &Shape::head_dim, {1, 1 << 14, 2, 512, true},
      {{"head width", "头维度"}, {"Width of one query or key vector.", "一个查询或键向量的宽度。"}, "", "dimensions"});
  t.integer("num_kv_heads", &Shape::num_kv_heads, {0, 1024, 0, 128, false},
            {{"key-value heads", "键值头数"},
             {"Heads that keys and values have; 0 means as many as queries.", "键和值的头数；0 表示与查询相同。"},
             "num_key_value_heads",
             ""})
      .unset({"as queries", "与查询相同"});
  t.integer("seq_len_q", &Shape::seq_len_q, {0, 1 << 24, 0, 1 << 20, false},
            {{"queries", "查询数"},
             {"How many of the last positions ask; 0 means all.", "最后多少个位置作为查询；0 表示全部。"},
             "",
             "tokens"})
      .unset({"all", "全部"});
  t.integer("num_layers", &Shape::num_layers, {1, 4096, 1, 128, false},
            {{"layers", "层数"}, {"Number of layers of the model.", "模型的层数。"}, "n_layer", ""});
  t.integer("layer", &Shape::layer, {0, 4095, 0, 127, false},
            {{"layer", "层"}, {"The layer that is looked at, from 0.", "所查看的层，从 0 开始。"}, "", ""});
  t.integer("grid_height", &Shape::grid_height, {0, 4096, 0, 64, false},
            {{"grid height", "网格高度"},
             {"Rows of patches; 0 means no grid.", "图块的行数；0 表示没有网格。"},
             "h",
             "patches"})
      .unset({"none", "无"});
  t.integer("grid_width", &Shape::grid_width, {0, 4096, 0, 64, false},
            {{"grid width", "网格宽度"},
             {"Columns of patches; 0 means no grid.", "图块的列数；0 表示没有网格。"},
             "w",
             "patches"})
      .unset({"none", "无"});
  t.real("first_position", &Shape::first_position, {-1e9, 1e9, 0, 1 << 20, false},
         {{"first position", "起始位置"},
          {"The position of the first key.", "第一个键的位置。"},
          "position_start",
          "tokens"});
  return t;
}

std::atomic<double>& limitSetting() {
  static std::atomic<double> bytes{4.0 * 1024 * 1024 * 1024};
  return bytes;
}

std::string sizeText(double bytes, int digits) {
  constexpr double mib = 1024.0 * 1024.0;
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out.precision(digits);
  if (bytes >= 1024.0 * mib)
    out << bytes / (1024.0 * mib) << " GiB";
  else
    out << bytes / mib << " MiB";
  return out.str();
}

}  // namespace

const ParamTable<Shape>& shapeTable() {
  static const ParamTable<Shape> table = makeTable();
  return table;
}

Outcome checkShape(const Shape& s) {
  if (s.queries() > s.keys())
    return fail(ErrorCode::bad_shape,
                join("shape: seq_len_q must be at most seq_len ", s.keys(), ", got ", s.queries()),
                join("形状：seq_len_q 不能超过 seq_len ", s.keys(), "，得到 ", s.queries()));
  if (s.num_heads % s.kvHeads() != 0)
    return fail(ErrorCode::bad_shape,
                join("shape: num_heads must be a multiple of num_kv_heads ", s.kvHeads(), ", got ", s.num_heads),
                join("形状：num_heads 必须是 num_kv_heads ", s.kvHeads(), " 的倍数，得到 ", s.num_heads));
  if (s.layer >= s.num_layers)
    return fail(ErrorCode::bad_shape, join("shape: layer must be below num_layers ", s.num_layers, ", got ", s.layer),
                join("形状：layer 必须小于 num_layers ", s.num_layers, "，得到 ", s.layer));
  return {};
}

double memoryLimit() { return limitSetting().load(); }
void setMemoryLimit(double bytes) { limitSetting().store(bytes); }

Outcome checkMemory(std::string_view what, double bytes) {
  if (bytes <= memoryLimit()) return {};
  // `what` is an English phrase; in Chinese the owner before its colon ("sinusoidal: the table") says enough.
  const std::size_t colon = what.find(": ");
  const std::string owner = colon == std::string_view::npos ? "" : join(what.substr(0, colon), "：");
  const std::string limit = sizeText(memoryLimit(), 3);
  // "would need 4 GiB, the limit is 4 GiB" would contradict itself: as many digits as it takes to tell them apart.
  std::string needed = sizeText(bytes, 3);
  for (int digits = 4; needed == limit && digits <= 17; ++digits) needed = sizeText(bytes, digits);
  return fail(
      ErrorCode::too_large,
      join(what, " would need ", needed, ", the limit is ", limit,
           "; a shorter sequence, fewer heads or a smaller width needs less"),
      join(owner, "需要 ", needed, " 内存，上限为 ", limit, "；缩短序列、减少头数或减小宽度，所需内存就会变少"));
}

}  // namespace posiscope
