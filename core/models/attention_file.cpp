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
  constexpr double masked_below = -1e4;  // programs add −10⁴, the lowest number or −∞
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

ArrayMeaning meaningOf(const std::vector<std::int64_t>& shape, const SeenRows& seen) {
  const std::size_t rank = shape.size();
  const bool square = shape[rank - 1] == shape[rank - 2];
  if (rank == 2 && !square) return ArrayMeaning::table;
  const bool weights = !seen.rows.empty() && holdsWeights(seen);
  // A table of zeros says nothing of weights.
  if (rank == 2)
    return weights && files::attentionOf(seen.rows)->kind == files::AttentionKind::weights
               ? ArrayMeaning::attention_weights
               : ArrayMeaning::table;
  if (weights) return ArrayMeaning::attention_weights;
  return square ? ArrayMeaning::attention_logits : ArrayMeaning::projections;
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
