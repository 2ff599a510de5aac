// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace posiscope::schemes {

template <class T>
using ScoreMaker = std::function<typename OwnScore<T>::RowScore(const HeadContent<T>&)>;

/// The two terms of a score that looks at content and position at once: what it is with both tokens at one place, and
/// what their places add to that. `names`: of the two.
template <class T>
ScoreTerms<T> placedTerms(ScoreMaker<T> at_one_place, ScoreMaker<T> score, std::vector<Text> names) {
  return {
      std::move(names), [at_one_place = std::move(at_one_place), score = std::move(score)](const HeadContent<T>& head) {
        return typename ScoreTerms<T>::Fill(
            [content = at_one_place(head), whole = score(head)](std::size_t term, std::int64_t i, std::span<T> row) {
              if (term == 0) return content(i, row);
              std::vector<T> near(row.size());
              content(i, near);
              whole(i, row);
              std::ranges::transform(row, near, row.begin(), std::minus<>());
            });
      }};
}

}  // namespace posiscope::schemes
