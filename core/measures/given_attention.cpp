// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/given_attention.h"

#include "core/files/refusal.h"
#include "core/measures/axes.h"
#include "core/measures/encoded.h"
#include "core/measures/recent.h"
#include "core/missing_file.h"
#include "core/parallel.h"
#include "core/token_labels.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

namespace posiscope::measures {
namespace {

using files::AttentionArray;
using files::AttentionKind;
using FilePtr = std::shared_ptr<const AttentionArray>;

/// The array in the usual order, and of which kind it is. Every row is looked at for that, so the last are remembered.
Expected<FilePtr> arrangedFile(const ContentSpec& content) {
  static Recent<std::tuple<Array, std::string, AttentionReading>, AttentionArray> recent;
  std::tuple key{content.attention, content.attention_axes, content.attention_kind};
  if (FilePtr known = recent.find(key)) return known;
  const auto axes = files::parseAxes(content.attention_axes);
  if (!axes) return fail(axes.error());
  Expected<AttentionArray> made = files::attentionOf(content.attention, *axes, content.attention_kind);
  if (!made) return fail(made.error());
  const auto bytes = static_cast<std::size_t>(made->array.size()) * sizeof(double);
  FilePtr file = std::make_shared<const AttentionArray>(*std::move(made));
  recent.remember(std::move(key), file, bytes);
  return file;
}

Outcome checkFits(const AttentionArray& file, const ContentSpec& content, const Shape& s) {
  if (file.queries() > file.keys())
    return fail(ErrorCode::bad_shape,
                join("content: attention of more queries (", file.queries(), ") than keys (", file.keys(),
                     ") cannot be shown; where its axes stand in another order, name them as “axes of the array”, and "
                     "the sizes follow (on the command line: --model FILE --attention-axes AXES)"),
                join("内容：查询（", file.queries(), " 个）多于键（", file.keys(),
                     " 个）的注意力无法显示；若各轴次序不同，请写明“数组的轴”，尺寸随之设定（命令行：--model 文件 "
                     "--attention-axes 轴）"));
  if (file.heads() != s.num_heads || file.queries() != s.queries() || file.keys() != s.keys()) {
    const std::string wanted = shapeText({s.num_heads, s.queries(), s.keys()});
    const std::string found = shapeText({file.heads(), file.queries(), file.keys()});
    return fail(ErrorCode::bad_shape,
                join("content: attention must be ", wanted, " (heads, queries, keys) as the sizes say, got ", found,
                     "; opening the file, or naming its axes, sets the sizes (on the command line: --model FILE, with "
                     "--attention-axes where its axes are others)"),
                join("内容：按当前尺寸，attention 必须是 ", wanted, "（头、查询、键），得到 ", found,
                     "；直接打开该文件，或写明数组的轴，会设定这些尺寸（命令行：--model 文件，轴不同时加 "
                     "--attention-axes）"));
  }
  if (file.layers() > 1 && s.layer >= file.layers())
    return fail(ErrorCode::out_of_range,
                join("content: attention has layers 0 to ", file.layers() - 1, ", asked for ", s.layer),
                join("内容：attention 的层为 0 到 ", file.layers() - 1, "，请求的是 ", s.layer));
  if (content.attention_batch >= file.batches())
    return fail(
        ErrorCode::out_of_range,
        join("content: attention_batch must be 0 to ", file.batches() - 1, ", got ", content.attention_batch),
        join("内容：attention_batch 必须在 0 到 ", file.batches() - 1, " 之间，得到 ", content.attention_batch));
  return {};
}

bool isUndefined(std::span<const float> row) {
  return std::ranges::all_of(row, [](float v) { return std::isnan(v); });
}

/// The softmax of a row of logits under the mask. It has no value where a key that may be looked at has NaN or +∞.
void softmaxOf(std::span<float> row, const Mask& mask, const Shape& shape, std::int64_t i) {
  bool defined = true;
  for (std::int64_t j = 0; j < std::ssize(row); ++j)
    if (const float logit = row[static_cast<std::size_t>(j)]; std::isnan(logit) || logit == INFINITY)
      defined = defined && !mask.allows(shape, i, j);
  if (defined) {
    attention::softmaxRow(mask, shape, i, row);
    return;
  }
  for (std::int64_t j = 0; j < std::ssize(row); ++j)
    row[static_cast<std::size_t>(j)] = mask.allows(shape, i, j) ? NAN : 0.0F;
}

/// Rows of the shape's layer with some number that a row of attention cannot have: NaN, or +∞ among logits. Those of
/// nothing but NaN are rows of no key.
std::int64_t countDamaged(const GivenAttention& given, const Mask& mask, const Shape& shape) {
  const bool logits = given.file->kind == AttentionKind::logits;
  std::int64_t count = 0;
  for (std::int64_t head = 0; head < shape.num_heads; ++head)
    for (std::int64_t i = 0; i < shape.queries(); ++i) {
      const double* row = given.row(head, i);
      std::int64_t missing = 0, damaged = 0;
      for (std::int64_t j = 0; j < shape.keys(); ++j) {
        missing += std::isnan(row[j]) ? 1 : 0;
        const bool wrong = std::isnan(row[j]) || (logits && row[j] == INFINITY);
        if (wrong) damaged += !logits || mask.allows(shape, i, j) ? 1 : 0;
      }
      count += damaged > 0 && missing < shape.keys() ? 1 : 0;
    }
  return count;
}

/// So that what is left of a row has the sum of the whole: 1, unless weights were said to be without it.
void rescale(std::span<double> row, double whole) {
  const double sum = std::reduce(row.begin(), row.end());
  if (sum > 0)
    for (double& weight : row) weight *= whole / sum;
}

Expected<std::vector<std::int64_t>> headsOf(const attention::Wanted& wanted, const Shape& shape) {
  std::vector<std::int64_t> heads = wanted.heads;
  if (heads.empty()) {
    heads.resize(static_cast<std::size_t>(shape.num_heads));
    std::iota(heads.begin(), heads.end(), 0);
  }
  for (const std::int64_t head : heads)
    if (head < 0 || head >= shape.num_heads)
      return fail(ErrorCode::out_of_range, join("attention: head must be 0 to ", shape.num_heads - 1, ", got ", head),
                  join("注意力：头必须在 0 到 ", shape.num_heads - 1, " 之间，得到 ", head));
  return heads;
}

/// Of the first head, as all see the same keys.
std::int64_t countEmpty(const attention::Attention<float>& out) {
  std::int64_t empty = 0;
  for (std::int64_t i = 0; i < out.queries && !out.weights.empty(); ++i) {
    const auto row = out.weights.begin() + i * out.keys;
    empty += std::all_of(row, row + out.keys, [](float weight) { return weight == 0; }) ? 1 : 0;
  }
  return empty;
}

/// "2 of 96 rows of layer 1 in dump.npy hold NaN; …"
Text damageText(const GivenAttention& given, const std::string& name, std::int64_t damaged, const Shape& shape) {
  const std::string some = readable(static_cast<double>(damaged));
  const std::string all = readable(static_cast<double>(shape.num_heads * shape.queries()));
  const bool layered = given.file->layers() > 1;
  const bool one = damaged == 1;
  Text text{some + " of " + all + " rows" + (layered ? join(" of layer ", given.layer) : "") + " in " + name,
            name + (layered ? join(" 第 ", given.layer, " 层") : "") + "的 " + all + " 行中有 " + some};
  if (given.file->kind == AttentionKind::weights) {
    text.en += one ? " holds NaN; it stays as it is, and counts in no figure."
                   : " hold NaN; they stay as they are, and count in no figure.";
    text.zh += " 行含有 NaN：按原样显示，不计入任何指标。";
  } else {
    text.en += one ? " holds NaN or +∞, so it has no softmax; it counts in no figure."
                   : " hold NaN or +∞, so they have no softmax; they count in no figure.";
    text.zh += " 行含有 NaN 或 +∞，无法计算 softmax，不计入任何指标。";
  }
  return text;
}

}  // namespace

const double* GivenAttention::row(std::int64_t head, std::int64_t i) const {
  const std::int64_t map = (batch * file->layers() + layer) * file->heads() + head;
  return file->array.data() + (map * file->queries() + i) * file->keys();
}

Expected<std::shared_ptr<const GivenAttention>> givenAttention(const ContentSpec& content, const Shape& shape) {
  if (Outcome found = checkFound({"content", "内容"}, "attention", content.attention); !found)
    return fail(found.error());
  if (content.attention.empty())
    return fail(ErrorCode::bad_value, "content: attention must be an array of weights or logits, none was given",
                "内容：attention 必须是权重或 logits 的数组，目前没有给出");
  const Expected<FilePtr> file = arrangedFile(content);
  if (!file) return fail(file.error());
  if (Outcome ok = checkFits(**file, content, shape); !ok) return fail(ok.error());
  return std::make_shared<const GivenAttention>(
      GivenAttention{*file, content.attention_batch, (*file)->layers() > 1 ? shape.layer : 0});
}

Expected<ContentSpec> firstOfAttention(const ContentSpec& content, const Shape& whole, std::int64_t tokens) {
  const auto given = givenAttention(content, whole);
  if (!given) return fail(given.error());
  const double cells = static_cast<double>(whole.num_heads) * static_cast<double>(tokens) * static_cast<double>(tokens);
  if (Outcome ok = checkMemory("attention: the first tokens", cells * sizeof(double)); !ok) return fail(ok.error());
  std::vector<double> values(static_cast<std::size_t>(whole.num_heads * tokens * tokens));
  for (std::int64_t head = 0; head < whole.num_heads; ++head)
    for (std::int64_t i = 0; i < tokens; ++i) {
      const std::span<double> row = std::span(values).subspan(static_cast<std::size_t>((head * tokens + i) * tokens),
                                                              static_cast<std::size_t>(tokens));
      std::copy_n((*given)->row(head, i), tokens, row.begin());
      if ((*given)->file->kind != AttentionKind::weights) continue;
      const double* stored = (*given)->row(head, i);
      const bool said = content.attention_kind == AttentionReading::weights;
      rescale(row, said ? std::reduce(stored, stored + whole.keys()) : 1.0);
    }
  ContentSpec first = content;
  first.attention = makeArray({whole.num_heads, tokens, tokens}, std::move(values), content.attention.source);
  first.attention_axes.clear();
  first.attention_batch = 0;
  return first;
}

Outcome attendInto(const GivenAttention& given, const Mask& mask, const Shape& shape, const attention::Wanted& wanted,
                   const Job& job, attention::Attention<float>& out) {
  if (Outcome ok = checkMask(mask, shape); !ok) return ok;
  const bool stored_weights = given.file->kind == AttentionKind::weights;
  const std::string name = files::escaped(std::filesystem::path(given.file->array.source).filename().string());
  if (wanted.logits && stored_weights)
    return fail(ErrorCode::not_supported,
                join("content: ", name, " holds weights, from which no logits can be had; ask for the weights"),
                join("内容：", name, " 保存的是权重，无法由此得到 logits；请选择权重"));
  const auto heads = headsOf(wanted, shape);
  if (!heads) return fail(heads.error());
  out.heads = static_cast<std::int64_t>(heads->size());
  out.queries = shape.queries();
  out.keys = shape.keys();
  const std::int64_t cells = out.heads * out.queries * out.keys;
  const double maps = (wanted.logits ? 1 : 0) + (wanted.weights ? 1 : 0);
  if (Outcome ok = checkMemory("attention: the maps", maps * static_cast<double>(cells) * sizeof(float)); !ok)
    return ok;
  out.logits.resize(wanted.logits ? static_cast<std::size_t>(cells) : 0);
  out.weights.resize(wanted.weights ? static_cast<std::size_t>(cells) : 0);
  const bool finished = parallelBlocks(out.heads * out.queries, 64, job, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r) {
      const std::int64_t i = r % out.queries;
      const double* stored = given.row((*heads)[static_cast<std::size_t>(r / out.queries)], i);
      const auto fill = [&](std::vector<float>& values) {
        const std::span<float> row =
            std::span(values).subspan(static_cast<std::size_t>(r * out.keys), static_cast<std::size_t>(out.keys));
        std::transform(stored, stored + out.keys, row.begin(), [](double v) { return static_cast<float>(v); });
        return row;
      };
      if (wanted.logits) fill(out.logits);
      if (!wanted.weights) continue;
      const std::span<float> row = fill(out.weights);
      if (isUndefined(row))
        std::ranges::fill(row, 0.0F);
      else if (!stored_weights)
        softmaxOf(row, mask, shape, i);
    }
  });
  if (!finished || job.stopped()) return stopped();
  out.empty_rows = countEmpty(out);
  return {};
}

std::vector<Remark> remarksOn(const GivenAttention& given, const ContentSpec& content, const Mask& mask,
                              const Shape& shape) {
  const std::string name = files::escaped(std::filesystem::path(given.file->array.source).filename().string());
  const bool weights = given.file->kind == AttentionKind::weights;
  Text from{join("The numbers come from ", name, "; the scheme plays no part in them"),
            join("数值来自 ", name, "，与方案无关")};
  from.en +=
      weights ? ", and the mask changes none of the weights." : ": its logits went through the softmax under the mask.";
  from.zh += weights ? "，掩码也不改变这些权重。" : "：其中的 logits 在掩码下经过 softmax。";
  std::vector<Remark> remarks{{Verdict::neutral, std::move(from)}};
  if (const std::int64_t damaged = countDamaged(given, mask, shape); damaged > 0)
    remarks.push_back({Verdict::warning, damageText(given, name, damaged, shape)});
  if (given.file->may_be_cropped)
    remarks.push_back({Verdict::warning,
                       {join("All numbers of ", name,
                             " lie between 0 and 1, as weights of which keys were cut off or dropped out do: taken for "
                             "logits, these go through a softmax again; choose that the array holds weights if it "
                             "does."),
                        join(name,
                             " 的所有数值都在 0 到 1 之间，像是截去部分键或经过 dropout "
                             "的权重：现按 logits 处理，会再经过一次 softmax；若确为权重，请将“数组内容”选为权重。")}});
  if (content.label_file.empty()) return remarks;
  const std::int64_t own_queries = hasOwnQueries(content, mask, shape) ? shape.queries() : 0;
  if (const auto labels = readLabels(content.label_file, shape.keys(), own_queries); !labels)
    remarks.push_back({Verdict::warning, labels.error().message});
  else if (!labels->shortage.en.empty())
    remarks.push_back({Verdict::warning, labels->shortage});
  return remarks;
}

}  // namespace posiscope::measures
