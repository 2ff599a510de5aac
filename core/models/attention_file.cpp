// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/attention_file.h"

#include "core/files/attention_array.h"
#include "core/files/refusal.h"
#include "core/models/attention_mask.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <numeric>
#include <utility>

namespace posiscope::models {
namespace {

std::int64_t rowsOf(const std::vector<std::int64_t>& shape) {
  return std::accumulate(shape.begin(), shape.end() - 1, std::int64_t{1}, std::multiplies<>());
}

/// Weights, as the rows tell; of nothing but zeros too, whose every key is masked.
bool holdsWeights(const SeenRows& seen) {
  const Expected<files::AttentionArray> found = files::attentionOf(seen.rows);
  return found && found->kind == files::AttentionKind::weights;
}

bool isZero(const SeenRows& seen) {
  return std::ranges::all_of(*seen.rows.values, [](double value) { return value == 0; });
}

/// Are some of the numbers what only masked logits are?
bool holdsMask(const std::vector<std::int64_t>& shape, const SeenRows& seen) {
  if (seen.rows.empty()) return false;
  const double least = std::ranges::min(*seen.rows.values, {}, [](double v) { return std::isnan(v) ? 0 : v; });
  return least == -INFINITY || (least <= masked_below && looksBack(shape, seen, files::AttentionKind::logits));
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

/// From so many dimensions on programs differ in the order of the axes.
constexpr std::size_t ambiguous_rank = 4;

/// Legal sizes beside an array whose own are none: the axes that a person names will set them.
Shape nearestLegal(Shape shape) {
  shape.seq_len_q = 0;
  for (const auto& [key, size] : {std::pair{"seq_len", &shape.seq_len}, std::pair{"num_heads", &shape.num_heads},
                                  std::pair{"num_layers", &shape.num_layers}})
    *size = std::min(*size, static_cast<std::int64_t>(findParam(shapeTable().specs(), key)->maximum));
  return shape;
}

Outcome checkSizes(const Shape& shape, const std::string& name) {
  // No queries at all means as many as keys to a shape.
  if (Outcome ok = shapeTable().read(name, shapeTable().values(shape)).transform([](const Shape&) {}); !ok) return ok;
  if (shape.seq_len_q > shape.seq_len)
    return fail(ErrorCode::bad_shape,
                join(name, ": attention of more queries (", shape.seq_len_q, ") than keys (", shape.seq_len,
                     ") cannot be shown: the queries are taken for the last of the keys' positions, so there must be "
                     "no more of them"),
                join(name, "：查询（", shape.seq_len_q, " 个）多于键（", shape.seq_len,
                     " 个）的注意力无法显示：查询被视为键所在位置中的最后若干个，因此不能比键多"));
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
    if (weights && !isZero(seen)) return ArrayMeaning::attention_weights;
    return holdsTriangle(shape, seen) ? ArrayMeaning::attention_logits : ArrayMeaning::table;
  }
  if (weights) return ArrayMeaning::attention_weights;
  if (rank == 5) return ArrayMeaning::attention_logits;  // nothing else has so many; in this order or in another
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

Text byHandNote(const std::vector<std::int64_t>& found) {
  const Shape shape = shapeOf(found);
  const Text other{
      "If it is attention whose axes stand in another order, choose the content “attention array” with this "
      "file and name its axes; the sizes follow them (on the command line: --model FILE --attention-axes "
      "AXES).",
      "若它是各轴次序不同的注意力，请选择内容“注意力数组”并给出此文件，再写明数组的轴，尺寸随之设定（命令行：--model "
      "文件 --attention-axes 轴）。"};
  if (!checkSizes(shape, {})) return other;
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
                   sizes, " (on the command line: --scheme none --attention @FILE)."),
              join("若它是注意力分数，请选择内容“注意力数组”并给出此文件，尺寸设为 ", sizes_zh,
                   "（命令行：--scheme none --attention @文件）。")};
}

namespace {

/// Content, sizes and mask; the axes of the text are those of the array.
void fill(const Array& array, const std::string& axes, const Shape& shape, FoundMask found, const Text& meaning,
          Inspection& result) {
  ContentSpec content;
  content.source = ContentSource::attention;
  content.attention = array;
  content.attention_axes = axes;
  result.content = std::move(content);
  result.shape = shape;
  result.mask = std::move(found.mask);
  result.schemes = {{.id = "none", .values = {}, .label = {}, .colour = 0, .visible = true}};
  result.reasons.push_back({join("array ", shapeText(array.shape), " → ", meaning.en),
                            join("数组 ", shapeText(array.shape), " → ", meaning.zh)});
  std::ranges::move(found.reasons, std::back_inserter(result.reasons));
  std::ranges::move(found.notes, std::back_inserter(result.notes));
}

}  // namespace

void takeAttention(const Array& array, ArrayMeaning meaning, const SeenRows& seen, Inspection& result) {
  const std::string name = files::escaped(std::filesystem::path(array.source).filename().string());
  const Shape shape = shapeOf(array.shape);
  const bool weights = meaning == ArrayMeaning::attention_weights;
  const auto kind = weights ? files::AttentionKind::weights : files::AttentionKind::logits;
  const std::size_t rank = array.shape.size();
  if (Outcome ok = checkSizes(shape, name); !ok) {
    result.notes.push_back(ok.error().message);
    if (rank < ambiguous_rank) return;
    fill(array, {}, nearestLegal(shape), {}, meaningText(meaning, rank), result);
  } else {
    fill(array, {}, shape, maskOf(array.shape, seen, kind), meaningText(meaning, rank), result);
  }
  result.notes.push_back(choiceNote(name, rank));
}

Expected<Inspection> inspectAttention(const std::string& path, const std::string& axes, AttentionReading reading,
                                      const Job& job) {
  const auto meaning = files::parseAxes(axes);
  if (!meaning) return fail(meaning.error());
  const Expected<Array> array = files::readStoredAttention(path, job);
  if (!array) return fail(array.error());
  const auto found = files::attentionOf(*array, *meaning, reading);
  if (!found) return fail(found.error());
  const Shape shape = shapeOf(found->array.shape);
  const std::string name = files::escaped(path, 4096);
  if (Outcome ok = checkSizes(shape, name); !ok) return fail(ok.error());
  Inspection result;
  result.path = path;
  const std::size_t mark = path.rfind(".npz#") == std::string::npos ? path.size() : path.rfind('#');
  result.kind = path.substr(0, mark).ends_with(".npy")   ? "npy"
                : path.substr(0, mark).ends_with(".npz") ? "npz"
                                                         : "safetensors";
  const bool weights = found->kind == files::AttentionKind::weights;
  const std::string words = files::escaped(axes);
  const Text named{join(weights ? "attention weights [" : "attention logits [", words, "], as named"),
                   join(weights ? "注意力权重 [" : "注意力分数 [", words, "]，按所写的轴")};
  const Text usual =
      meaningText(weights ? ArrayMeaning::attention_weights : ArrayMeaning::attention_logits, array->shape.size());
  fill(*array, axes, shape, maskOf(*found), axes.empty() ? usual : named, result);
  result.content->attention_kind = reading;
  return result;
}

void setAttentionSizes(const Shape& found, Shape& shape) {
  shape.seq_len = found.seq_len;
  shape.seq_len_q = found.seq_len_q;
  shape.num_heads = found.num_heads;
  shape.num_layers = found.num_layers;
  shape.num_kv_heads = shape.grid_height = shape.grid_width = 0;
  shape.first_position = 0;
}

bool fitsAttention(const Experiment& e) {
  const auto axes = files::parseAxes(e.content.attention_axes);
  const std::vector<std::int64_t>& stored = e.content.attention.shape;
  if (!axes || stored.empty()) return true;
  const auto meaning = axes->empty() ? files::usualAxes(stored.size()) : *axes;
  if (meaning.size() != stored.size()) return true;
  const auto count = [&](files::AttentionAxis axis) {
    const auto at = std::ranges::find(meaning, axis);
    return at == meaning.end() ? 1 : stored[static_cast<std::size_t>(at - meaning.begin())];
  };
  using enum files::AttentionAxis;
  return count(key) == e.shape.keys() && count(query) == e.shape.queries() && count(head) == e.shape.num_heads &&
         (count(layer) == 1 || e.shape.layer < count(layer));
}

Experiment withAttentionSizes(Experiment e) {
  const auto axes = files::parseAxes(e.content.attention_axes);
  if (!axes || isMissing(e.content.attention) || e.content.attention.empty()) return e;
  const auto found = files::attentionOf(e.content.attention, *axes, e.content.attention_kind);
  if (!found) return e;
  const Shape shape = shapeOf(found->array.shape);
  if (!checkSizes(shape, {})) return e;
  setAttentionSizes(shape, e.shape);
  e.mask = maskOf(*found).mask;
  return e;
}

}  // namespace posiscope::models
