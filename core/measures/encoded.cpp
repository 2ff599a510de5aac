// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/encoded.h"

#include "core/schemes/list.h"

#include <algorithm>
#include <cmath>
#include <list>
#include <mutex>

namespace posiscope::measures {
namespace {

struct Remembered {
  std::string id;
  ParamValues values;
  Shape shape;
  EncodingPtr encoding;

  std::size_t bytes() const {
    std::size_t sum = encoding->input.table.values.size() * sizeof(float);
    if (const auto* bias = std::get_if<OffsetBias<float>>(&encoding->logits.bias))
      sum += bias->values.size() * sizeof(float);
    return sum;
  }
};

/// Newest first. Six schemes can be compared; a table can be large.
class Memory {
 public:
  EncodingPtr find(const SchemeChoice& choice, const Shape& shape) {
    const std::lock_guard lock(mutex_);
    for (auto it = entries_.begin(); it != entries_.end(); ++it)
      if (it->id == choice.id && it->shape == shape && it->values == choice.values) {
        entries_.splice(entries_.begin(), entries_, it);
        return it->encoding;
      }
    return nullptr;
  }

  void remember(Remembered entry) {
    const std::lock_guard lock(mutex_);
    entries_.push_front(std::move(entry));
    std::size_t bytes = 0;
    std::size_t kept = 0;
    for (auto it = entries_.begin(); it != entries_.end(); ++kept) {
      bytes += it->bytes();
      if (kept >= most_entries || (kept > 0 && bytes > most_bytes)) {
        entries_.erase(it, entries_.end());
        return;
      }
      ++it;
    }
  }

 private:
  static constexpr std::size_t most_entries = 8;
  static constexpr std::size_t most_bytes = std::size_t{256} << 20;
  std::mutex mutex_;
  std::list<Remembered> entries_;
};

Memory& memory() {
  static Memory the_memory;
  return the_memory;
}

}  // namespace

Expected<EncodingPtr> encodingOf(const SchemeChoice& choice, const Shape& shape) {
  if (EncodingPtr known = memory().find(choice, shape)) return known;
  const Scheme* scheme = schemes::find(choice.id);
  if (!scheme)
    return fail(ErrorCode::unknown_name, join("there is no scheme '", choice.id, "'"),
                join("没有编码方案“", choice.id, "”"));
  Expected<Encoding<float>> encoding = scheme->encode(choice.values, shape);
  if (!encoding) return fail(std::move(encoding.error()));
  auto shared = std::make_shared<const Encoding<float>>(std::move(*encoding));
  memory().remember({choice.id, choice.values, shape, shared});
  return EncodingPtr(std::move(shared));
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

bool isNothing(const Encoding<float>& encoding) {
  return encoding.input.table.empty() && !encoding.input.transform && !encoding.rotation &&
         !encoding.logits.hasBias() && !encoding.logits.score.prepare && !encoding.values.add;
}

}  // namespace posiscope::measures
