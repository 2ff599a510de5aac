// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/first_tokens.h"

#include "core/content_shape.h"
#include "core/encoding_start.h"
#include "core/field.h"
#include "core/measures/axes.h"
#include "core/measures/given_attention.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

namespace posiscope::measures {
namespace {

/// Do the given arrays fit the whole question? Asked before they are cut, or a refusal would tell sizes that nobody
/// set.
Outcome checkArrays(const ContentSpec& spec, const Shape& whole) {
  if (spec.source != ContentSource::arrays) return {};
  const auto check = [&whole](std::string_view key, const Array& array) {
    return array.empty() ? Outcome{} : checkContentShape(key, array.shape, whole);
  };
  if (!spec.q.empty() && !spec.k.empty()) {  // one alone is not used
    if (Outcome ok = check("q", spec.q); !ok) return ok;
    if (Outcome ok = check("k", spec.k); !ok) return ok;
  }
  if (Outcome ok = check("x", spec.x); !ok) return ok;
  return check("v", spec.v);
}

/// The first `tokens` entries along one axis of a row-major array. Unchanged when the axis is not `whole` long: of an
/// array that is not in use.
Array cut(const Array& array, std::size_t axis, std::int64_t whole, std::int64_t tokens) {
  if (array.empty() || array.shape.size() <= axis || array.shape[axis] != whole) return array;
  std::int64_t inner = 1;
  for (std::size_t a = axis + 1; a < array.shape.size(); ++a) inner *= array.shape[a];
  const std::int64_t outer = array.size() / (whole * inner);
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(outer * tokens * inner));
  for (std::int64_t o = 0; o < outer; ++o) {
    const double* from = array.data() + o * whole * inner;
    values.insert(values.end(), from, from + tokens * inner);
  }
  std::vector<std::int64_t> shape = array.shape;
  shape[axis] = tokens;
  return makeArray(std::move(shape), std::move(values), array.source);
}

ContentSpec cut(const ContentSpec& spec, std::int64_t whole, std::int64_t tokens) {
  ContentSpec result = spec;
  result.q = cut(spec.q, 1, whole, tokens);
  result.k = cut(spec.k, 1, whole, tokens);
  result.v = cut(spec.v, 1, whole, tokens);
  result.x = cut(spec.x, 0, whole, tokens);
  return result;
}

Mask cut(const Mask& mask, std::int64_t whole, std::int64_t tokens) {
  Mask result = mask;
  const auto kept = static_cast<std::size_t>(tokens);
  if (!mask.key_padding.empty()) result.key_padding.resize(kept);
  if (!mask.query_padding.empty()) result.query_padding.resize(kept);
  for (std::int64_t* padded : {&result.padded_keys, &result.padded_queries})
    *padded = mask.padding == Mask::Padding::start ? std::min(*padded, tokens)
                                                   : std::max<std::int64_t>(0, *padded - (whole - tokens));
  if (!mask.blocked.empty()) {
    result.blocked.clear();
    for (std::int64_t i = 0; i < tokens; ++i) {
      const auto row = mask.blocked.begin() + i * whole;
      result.blocked.insert(result.blocked.end(), row, row + tokens);
    }
  }
  return result;
}

/// The start of a square field that is known so far.
class StartField final : public Field {
 public:
  StartField(std::shared_ptr<const Field> start, std::int64_t tokens) : start_(std::move(start)), tokens_(tokens) {}

  std::int64_t rows() const override { return tokens_; }
  std::int64_t cols() const override { return tokens_; }
  float at(std::int64_t row, std::int64_t col) const override {
    const bool known = row < start_->rows() && col < start_->cols();
    return known ? start_->at(row, col) : std::numeric_limits<float>::quiet_NaN();
  }
  void sample(const FieldWindow& window, std::int64_t height, std::int64_t width, Reduction reduction,
              std::span<float> out) const override {
    start_->sample(window, height, width, reduction, out);  // which is NaN outside
  }
  Limits limits() const override { return start_->limits(); }

 private:
  std::shared_ptr<const Field> start_;
  std::int64_t tokens_;
};

/// Offsets from −(tokens − 1), or from 0 where no key is ahead.
void spread(Curve& curve, std::int64_t tokens) {
  if (curve.x.empty()) return;
  const double last = static_cast<double>(tokens - 1);
  const auto nothing = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> before;
  for (double n = curve.x.front() < 0 ? -last : 0; n < curve.x.front(); ++n) before.push_back(n);
  curve.x.insert(curve.x.begin(), before.begin(), before.end());
  curve.y.insert(curve.y.begin(), before.size(), nothing);
  for (double n = curve.x.back() + 1; n <= last; ++n) curve.x.push_back(n), curve.y.push_back(nothing);
}

}  // namespace

void spreadDraft(Dataset& dataset, std::int64_t tokens) {
  for (Map& map : dataset.maps) {
    const std::int64_t rows = map.field->rows();
    if (rows == tokens) continue;  // nothing was left out
    const std::int64_t cols = map.field->cols();
    map.field = std::make_shared<StartField>(std::move(map.field), tokens);
    if (map.term)
      map.term = [term = std::move(map.term), rows, cols](std::int64_t i, std::int64_t j) {
        return i < rows && j < cols ? term(i, j) : std::string();
      };
  }
  for (Curve& curve : dataset.curves) spread(curve, tokens);
}

std::int64_t draftTokens(std::int64_t tokens) {
  constexpr std::int64_t fewest = 64;
  return std::min(tokens, std::max(fewest, tokens / 4));
}

Text firstTokensText(std::int64_t some, std::int64_t all, bool draft) {
  const std::string part = readable(static_cast<double>(some));
  const std::string whole = readable(static_cast<double>(all));
  if (draft)
    return {"draft: first " + part + " of " + whole + " tokens", "草稿：前 " + part + " 个词元，共 " + whole + " 个"};
  return {"first " + part + " of " + whole + " tokens", "前 " + part + " 个词元，共 " + whole + " 个"};
}

Expected<FirstTokens> askedTokens(const Question& question, std::int64_t tokens) {
  if (tokens > 0 && tokens < question.shape.keys() && question.shape.queries() == question.shape.keys())
    return firstTokens(question, tokens);
  const Expected<EncodingPtr> encoding = encodingOf(question);
  if (!encoding) return fail(encoding.error());
  return FirstTokens{question, *encoding};
}

Expected<FirstTokens> firstTokens(const Question& question, std::int64_t tokens) {
  FirstTokens result{question, nullptr};
  const std::int64_t whole = question.shape.keys();
  result.question.shape.seq_len = tokens;
  result.question.shape.seq_len_q = 0;
  if (Outcome ok = checkMask(question.mask, question.shape); !ok) return fail(ok.error());
  if (Outcome ok = checkArrays(question.content, question.shape); !ok) return fail(ok.error());
  result.question.mask = cut(question.mask, whole, tokens);
  if (question.content.source == ContentSource::attention) {
    Expected<ContentSpec> first = firstOfAttention(question.content, question.shape, tokens);
    if (!first) return fail(first.error());
    result.question.content = *std::move(first);
  } else {
    result.question.content = cut(question.content, whole, tokens);
  }
  const Expected<EncodingPtr> encoding = encodingOf(question);
  if (!encoding) return fail(encoding.error());
  if (auto start = startOf(**encoding, tokens)) {
    result.encoding = std::make_shared<const Encoding<float>>(*std::move(start));
    result.length = whole;
    return result;
  }
  const Expected<EncodingPtr> shorter = encodingOf(question.scheme, result.question.shape);
  if (!shorter) return fail(shorter.error());
  result.encoding = *shorter;
  return result;
}

}  // namespace posiscope::measures
