// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/grid.h"
#include "core/measure.h"
#include "core/measures/probe.h"

#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace posiscope::measures {

/// How long a sequence may be.
struct Reach {
  std::int64_t from = 0;  ///< the training length, or the present one where none is given
  bool trained = false;   ///< it is the training length
  std::int64_t longest = 0;
  std::optional<Grid> grid = {};  ///< which grid that is, where a grid goes farther than a length that is only counted
  /// Of the next one; none when 64 times the length is still encoded, and 32 768 tokens.
  std::optional<Error> refusal = {};
  std::int64_t step = 1;  ///< of a formula, one position in so many was tried

  /// Is there nothing longer, because a table has no more rows?
  bool endsWithTable() const { return refusal && refusal->code == ErrorCode::past_table; }
};

/// `prefix_tokens`: tokens in front of the patches of a grid. Where training would have learned more numbers for a
/// longer sequence, what it did learn has ended.
Reach reachOf(const Scheme& scheme, const Question& question, std::int64_t prefix_tokens);
/// Does the scheme look at the sides of a grid? One that does refuses sides that do not make up the length.
bool readsGrid(const Scheme& scheme, const Question& question);

/// What the length itself does to the logits of the same first tokens.
struct LengthChange {
  double relative = 0;  ///< 0 = nothing that is more than rounding
  std::string place;
  std::int64_t shorter = 0, longer = 0;  ///< tokens
};
template <class T>
LengthChange lengthChange(const Probe<T>& shorter, const Probe<T>& longer);

/// Whom the questions of a card are asked about.
template <class T>
struct Subject {
  const Scheme& scheme;
  const Question& question;
  const Probe<T>& near;        ///< few tokens, all pairs
  const Probe<T>& far;         ///< more tokens, some rows
  const Probe<T>* whole;       ///< the question's own length where it is longer, few rows; else null
  const Probe<T>* own;         ///< the question's own grid where it is another than that of `near`, all rows; else null
  bool grid;                   ///< the scheme looks at the sides of a grid
  const LengthChange& length;  ///< of a question that is no longer than `far`
  std::int64_t tried;          ///< tokens that a scheme is tried on whatever the question's length
  const Reach& reach;

  const Probe<T>& longest() const { return whole ? *whole : far; }
};

/// The largest relative difference that counts as none: above what thousands of roundings add up to, far below any
/// difference that a formula makes. 9.3e-10 in double, 2.2e-5 in single precision.
template <class T>
double roundingTolerance() {
  return std::sqrt(static_cast<double>(std::numeric_limits<T>::epsilon())) / 16;
}

/// The grid that a probe stands for; none where its positions count tokens, as text in a scheme of images does.
template <class T>
std::optional<Grid> gridOfProbe(const Probe<T>& probe, bool reads_grid);
/// "3 × 3"
std::string sidesText(const Grid& grid);

/// The questions that take probes, in the order of the card, and each without an answer.
inline constexpr std::array<std::string_view, 6> probed_questions{"offset_only", "symmetric",      "keeps_norms",
                                                                  "bounded",     "monotone_decay", "first_rise"};
Property unanswered(std::string_view key);
/// A property that holds as long as the value is not above the tolerance; `neither` when the value is no number.
Property decided(std::string_view key, double value, double tolerance, Text sentence);

/// Says which of all heads an answer is of, where that is not all, and it is not a no, for which one is enough.
void addSample(Property& p, const std::vector<std::int64_t>& asked, std::int64_t heads);
inline void addSample(Property& p, const AskedHeads& asked, std::int64_t heads) {
  if (asked.sample) addSample(p, asked.heads, heads);
}

/// A number for a sentence about small differences: three digits, "2.2e-16".
std::string brief(double value);

/// "2.2e-16 of the largest (tolerance 9.3e-10), at (3, 4)": the difference, what was allowed, and where if anywhere.
Text differenceText(double relative, double tolerance, const std::string& place);

/// The near probe with all its positions moved.
template <class T>
struct Moved {
  double by;
  Probe<T> probe;
};
/// What holds on the first tokens only is no property.
constexpr std::array<double, 3> near_shifts{1, 7, 1000};
/// Moved so far, where the scheme has such positions.
template <class T>
std::vector<Moved<T>> movedProbes(const Subject<T>& subject, const std::array<double, 3>& shifts = near_shifts);

/// Does it differ from the near probe in more than its first position? Where none does, no position was moved: the
/// scheme counts keys, or draws its ids.
template <class T>
bool movedAnything(const Subject<T>& subject, const std::vector<Moved<T>>& moved);

// One question each; where it is answered stands in properties_*.cpp.
struct OffsetOnly {
  Property property;
  bool of_tokens = false;  ///< yes, and the offset is that of the tokens: one query tells all
};
template <class T>
OffsetOnly offsetOnly(const Subject<T>& subject);
template <class T>
Property symmetric(const Subject<T>& subject);
template <class T>
Property keepsNorms(const Subject<T>& subject);
template <class T>
Property boundedWithLength(const Subject<T>& subject);
/// Monotone decay, and the first offset after which the mean score rises. `of_tokens`: one query tells all.
template <class T>
std::vector<Property> decay(const Subject<T>& subject, bool of_tokens);
/// `turns`: queries and keys do; then with the pairs that meet angles never seen, for computable is not trained.
Property beyondTraining(const Reach& reach, const Question& question, bool turns);
/// Learned numbers, multiply-adds for a token and for a pair.
template <class T>
std::vector<Property> costs(const Subject<T>& subject);

/// All of them for a scheme that allows the question. A formula that a person typed has this long for the whole card:
/// what then has no answer is undecided.
template <class T>
Expected<Dataset> cardOf(const Scheme& scheme, const Question& question, const Job& job,
                         std::chrono::duration<double> formula_time);

}  // namespace posiscope::measures
