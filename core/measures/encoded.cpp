// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/encoded.h"

#include "core/measures/recent.h"
#include "core/schemes/list.h"
#include "core/stored_bytes.h"

#include <algorithm>
#include <cmath>

namespace posiscope::measures {
namespace {

struct EncodingKey {
  std::string id;
  ParamValues values;
  Shape shape;

  bool operator==(const EncodingKey&) const = default;
};

}  // namespace

Expected<EncodingPtr> encodingOf(const SchemeChoice& choice, const Shape& shape) {
  static Recent<EncodingKey, Encoding<float>> recent;
  EncodingKey key{choice.id, choice.values, shape};
  if (EncodingPtr known = recent.find(key)) return known;
  const Scheme* scheme = schemes::find(choice.id);
  if (!scheme)
    return fail(ErrorCode::unknown_name, join("there is no scheme '", choice.id, "'"),
                join("没有编码方案“", choice.id, "”"));
  Expected<Encoding<float>> encoding = scheme->encode(choice.values, shape);
  if (!encoding) return fail(std::move(encoding.error()));
  auto made = std::make_shared<const Encoding<float>>(std::move(*encoding));
  recent.remember(std::move(key), made, static_cast<std::size_t>(storedBytes(*made)));
  return EncodingPtr(std::move(made));
}

Reach reachOf(const SchemeChoice& choice, const Shape& shape) {
  const Scheme* scheme = schemes::find(choice.id);
  const auto has = [scheme](const char* key) { return findParam(scheme->params, key) != nullptr; };
  if (!scheme || !(has("local_window") || has("limit"))) return {};
  const Expected<EncodingPtr> encoding = encodingOf(choice, shape);
  return encoding ? (*encoding)->reach : Reach{};
}

tl::unexpected<Error> stopped() { return fail(ErrorCode::cancelled, "the computation was stopped", "计算已停止"); }

Expected<std::int64_t> headOf(std::int64_t head, std::int64_t heads, const Question& question) {
  const std::int64_t allowed = heads > 1 ? heads : question.shape.num_heads;
  if (head < 0 || head >= allowed)
    return fail(rangeError(question.measure, "head", 0, static_cast<double>(allowed - 1), static_cast<double>(head)));
  return heads > 1 ? head : 0;
}

Expected<std::vector<std::int64_t>> headsShown(const std::vector<double>& asked, std::int64_t count,
                                               std::int64_t most, const Question& question) {
  std::vector<std::int64_t> heads;
  for (const double head : asked) {
    if (!(head >= 0 && head < static_cast<double>(count)) || head != std::floor(head))
      return fail(rangeError(question.measure, "heads", 0, static_cast<double>(count - 1), head));
    heads.push_back(static_cast<std::int64_t>(head));
  }
  if (!heads.empty()) return heads;
  const std::int64_t shown = std::min(count, most);
  for (std::int64_t h = 0; h < shown; ++h) heads.push_back(shown == 1 ? 0 : h * (count - 1) / (shown - 1));
  return heads;
}

void addScopeOfHeads(Dataset& dataset, const std::vector<std::int64_t>& heads, std::int64_t count) {
  if (std::ssize(heads) >= count) return;
  const std::string some = std::to_string(heads.size());
  const std::string all = std::to_string(count);
  std::string numbers;
  std::string zh_numbers;
  for (const std::int64_t head : heads) {
    numbers += (numbers.empty() ? "" : ", ") + std::to_string(head);
    zh_numbers += (zh_numbers.empty() ? "" : "、") + std::to_string(head);
  }
  dataset.remarks.push_back({Verdict::neutral,
                             {"Only " + some + " of " + all + " heads are drawn: " + numbers + ".",
                              "只绘制 " + all + " 个头中的 " + some + " 个：" + zh_numbers + "。"}});
  Text& scope = dataset.scope;
  scope.en += (scope.en.empty() ? "" : "; ") + some + " of " + all + " heads";
  scope.zh += (scope.zh.empty() ? "" : "；") + all + " 个头中的 " + some + " 个";
}

bool isNothing(const Encoding<float>& encoding) {
  return !encoding.input.hasTable() && !encoding.input.transform && !encoding.rotation &&
         !encoding.logits.hasBias() && !encoding.logits.score.prepare && !encoding.values.add &&
         !encoding.reach.isLimited();
}

}  // namespace posiscope::measures
