// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/attention_file.h"

#include "core/files/attention_array.h"
#include "core/files/refusal.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

namespace posiscope::models {
namespace {

constexpr double masked_below = -1e4;  // programs add −10⁴, the lowest number or −∞

std::int64_t rowsOf(const std::vector<std::int64_t>& shape) {
  return std::accumulate(shape.begin(), shape.end() - 1, std::int64_t{1}, std::multiplies<>());
}

/// Rows of nothing but zeros are weights whose every key is masked.
bool holdsWeights(const SeenRows& seen) {
  const Expected<files::AttentionArray> found = files::attentionOf(seen.rows);
  if (!found) return false;
  const std::vector<double>& values = *seen.rows.values;
  return found->kind == files::AttentionKind::weights ||
         std::ranges::all_of(values, [](double value) { return value == 0; });
}

/// Does no query look ahead? Asked only where some key is ahead, and then zeros, or logits that a softmax makes zeros,
/// stand for each.
bool isCausal(const std::vector<std::int64_t>& shape, const SeenRows& seen, bool weights) {
  const std::int64_t keys = shape.back();
  const std::int64_t queries = shape[shape.size() - 2];
  bool any_ahead = false;
  for (std::size_t r = 0; r < seen.index.size(); ++r) {
    const double* row = seen.rows.data() + static_cast<std::int64_t>(r) * keys;
    for (std::int64_t j = keys - queries + seen.index[r] % queries + 1; j < keys; ++j) {
      any_ahead = true;
      // NaN is no key that is looked at: a softmax of nothing, or a number that was lost.
      const bool masked = std::isnan(row[j]) || (weights ? row[j] == 0 : row[j] <= masked_below);
      if (!masked) return false;
    }
  }
  return any_ahead;
}

/// Are some of the numbers what only masked logits are?
bool holdsMask(const std::vector<std::int64_t>& shape, const SeenRows& seen) {
  if (seen.rows.empty()) return false;
  const double least = std::ranges::min(*seen.rows.values, {}, [](double v) { return std::isnan(v) ? 0 : v; });
  return least == -INFINITY || (least <= masked_below && isCausal(shape, seen, false));
}

/// Of two dimensions: are the keys ahead of their query, and no others, masked? No table of positions is like that.
bool holdsTriangle(const std::vector<std::int64_t>& shape, const SeenRows& seen) {
  const std::int64_t queries = shape[0];
  const std::int64_t keys = shape[1];
  bool any_ahead = false;
  for (std::size_t r = 0; r < seen.index.size(); ++r) {
    const double* row = seen.rows.data() + static_cast<std::int64_t>(r) * keys;
    for (std::int64_t j = 0; j < keys; ++j) {
      const bool ahead = j > keys - queries + seen.index[r];
      if ((row[j] <= masked_below) != ahead) return false;
      any_ahead = any_ahead || ahead;
    }
  }
  return any_ahead;
}

Shape shapeOf(const std::vector<std::int64_t>& found) {
  const std::size_t rank = found.size();
  Shape shape;
  shape.seq_len = found[rank - 1];
  shape.seq_len_q = found[rank - 2] == shape.seq_len ? 0 : found[rank - 2];
  shape.num_heads = rank >= 3 ? found[rank - 3] : 1;
  shape.num_layers = rank >= 4 ? found[rank - 4] : 1;
  return shape;
}

Outcome checkSizes(const Shape& shape, const std::string& name) {
  // No queries at all means as many as keys to a shape.
  if (Outcome ok = shapeTable().read(name, shapeTable().values(shape)).transform([](const Shape&) {}); !ok) return ok;
  return checkShape(shape);
}

/// What was taken for what, and how it can be taken otherwise.
Text choiceNote(const std::string& name, std::size_t rank) {
  Text note{join(name, " is shown as the content “attention array”; no scheme plays a part in it"),
            join(name, " 作为内容“注意力数组”显示，与方案无关")};
  if (rank >= 4) {
    note.en += ". Its first layer is shown: the layer is chosen among the sizes";
    note.zh += "。当前显示第一层，可在尺寸中选择层";
  }
  if (rank == 5) {
    note.en += ", and of the batch the entry 0, which “batch entry” changes";
    note.zh += "；批次中显示第 0 条，可用“批次序号”更改";
  }
  if (rank >= 3) {
    note.en += "; where its dimensions are others, name them as “axes of the array”";
    note.zh += "；若各维含义不同，请在“数组的轴”中写明";
  }
  return {note.en + ".", note.zh + "。"};
}

}  // namespace

SeenRows allRows(const Array& array) {
  SeenRows seen;
  seen.index.resize(static_cast<std::size_t>(rowsOf(array.shape)));
  std::iota(seen.index.begin(), seen.index.end(), 0);
  seen.rows = array;
  seen.rows.shape = {static_cast<std::int64_t>(seen.index.size()), array.shape.back()};
  return seen;
}

Expected<SeenRows> someRows(const std::string& path, const files::TensorEntry& entry) {
  constexpr std::int64_t most_numbers = 1 << 16;
  const std::int64_t rows = rowsOf(entry.shape);  // they are all in the file, so the product fits
  const std::int64_t count = std::min(rows, std::max<std::int64_t>(1, most_numbers / entry.shape.back()));
  const std::int64_t step = rows / count;
  SeenRows seen;
  // A step that divides the queries would meet the same query in every map.
  for (std::int64_t r = 0; r < count; ++r) seen.index.push_back(r * step + r % step);
  Expected<Array> found = files::readNpyRows(path, seen.index);
  if (!found) return fail(found.error());
  seen.rows = *std::move(found);
  return seen;
}

bool mayBeAttention(const std::vector<std::int64_t>& shape) { return shape.size() > 2 || shape[0] <= shape[1]; }

ArrayMeaning meaningOf(const std::vector<std::int64_t>& shape, const SeenRows& seen) {
  const std::size_t rank = shape.size();
  if (!mayBeAttention(shape)) return ArrayMeaning::table;
  const bool weights = !seen.rows.empty() && holdsWeights(seen);
  if (rank == 2) {
    // A table of zeros says nothing of weights.
    if (weights && files::attentionOf(seen.rows)->kind == files::AttentionKind::weights)
      return ArrayMeaning::attention_weights;
    return holdsTriangle(shape, seen) ? ArrayMeaning::attention_logits : ArrayMeaning::table;
  }
  if (weights) return ArrayMeaning::attention_weights;
  // Queries, keys and values are finite, and no triangle of them is far below the rest.
  const std::int64_t queries = shape[rank - 2];
  const bool logits = queries == shape[rank - 1] || (queries < shape[rank - 1] && holdsMask(shape, seen));
  return logits ? ArrayMeaning::attention_logits : ArrayMeaning::projections;
}

Text meaningText(ArrayMeaning meaning, std::size_t rank) {
  std::string axes, axes_zh;
  if (rank == 5) axes = "batch, ", axes_zh = "批次, ";
  if (rank >= 4) axes += "layers, ", axes_zh += "层, ";
  if (rank >= 3) axes += "heads, ", axes_zh += "头, ";
  switch (meaning) {
    case ArrayMeaning::table: return {"a table [positions, width]", "位置表 [位置, 宽度]"};
    case ArrayMeaning::attention_weights:
      return {"attention weights [" + axes + "queries, keys]", "注意力权重 [" + axes_zh + "查询, 键]"};
    case ArrayMeaning::attention_logits:
      return {"attention logits [" + axes + "queries, keys]", "注意力分数 [" + axes_zh + "查询, 键]"};
    case ArrayMeaning::projections: break;
  }
  return {"queries, keys or values [" + axes + "tokens, head_dim]", "查询、键或值 [" + axes_zh + "词元, head_dim]"};
}

std::optional<Text> byHandNote(const std::vector<std::int64_t>& found) {
  const Shape shape = shapeOf(found);
  if (!checkSizes(shape, {})) return std::nullopt;
  std::string sizes, sizes_zh;
  const auto add = [&](const char* en, const char* zh, std::int64_t count) {
    sizes += join(sizes.empty() ? "" : ", ", count, " ", en);
    sizes_zh += join(sizes_zh.empty() ? "" : "、", count, " ", zh);
  };
  if (found.size() >= 4) add(shape.num_layers == 1 ? "layer" : "layers", "层", shape.num_layers);
  add(shape.num_heads == 1 ? "head" : "heads", "个头", shape.num_heads);
  add(shape.queries() == 1 ? "query" : "queries", "个查询", shape.queries());
  add(shape.keys() == 1 ? "key" : "keys", "个键", shape.keys());
  return Text{join("If they are attention logits, choose the content “attention array” with this file, and the sizes ",
                   sizes, " (on the command line: --content attention --attention @FILE)."),
              join("若它是注意力分数，请选择内容“注意力数组”并给出此文件，尺寸设为 ", sizes_zh,
                   "（命令行：--content attention --attention @文件）。")};
}

void takeAttention(const Array& array, ArrayMeaning meaning, const SeenRows& seen, Inspection& result) {
  const std::string name = files::escaped(std::filesystem::path(array.source).filename().string());
  const Shape shape = shapeOf(array.shape);
  if (Outcome ok = checkSizes(shape, name); !ok) {
    result.notes.push_back(ok.error().message);
    return;
  }
  ContentSpec content;
  content.source = ContentSource::attention;
  content.attention = array;
  result.content = std::move(content);
  result.shape = shape;
  result.mask = {};
  result.mask.causal = isCausal(array.shape, seen, meaning == ArrayMeaning::attention_weights);
  result.schemes = {{.id = "none", .values = {}, .label = {}, .colour = 0, .visible = true}};
  const Text text = meaningText(meaning, array.shape.size());
  result.reasons.push_back(
      {join("array ", shapeText(array.shape), " → ", text.en), join("数组 ", shapeText(array.shape), " → ", text.zh)});
  if (result.mask.causal)
    result.reasons.push_back({"nothing is ahead of its query → causal mask", "没有键位于查询之后 → 因果掩码"});
  result.notes.push_back(choiceNote(name, array.shape.size()));
}

bool isCausal(const files::AttentionArray& attention) {
  return isCausal(attention.array.shape, allRows(attention.array), attention.kind == files::AttentionKind::weights);
}

}  // namespace posiscope::models
