// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compute.h"
#include "ui/paint/style.h"
#include "ui/state/presentation.h"

#include <QString>
#include <vector>

namespace posiscope::ui {

struct ReadoutRow {
  QString name;
  QString value;
  int colour = -1;  ///< of a scheme; −1 = none

  bool operator==(const ReadoutRow&) const = default;
};

/// What the inspector says about the place under the pointer: the indices, and the value of every scheme there.
struct PointerReadout {
  std::vector<ReadoutRow> place;
  QString term;  ///< which term of the formula the number under the pointer is; may be empty
  std::vector<ReadoutRow> schemes;

  bool operator==(const PointerReadout&) const = default;
};

/// `measure` is the index in the result of the measure of the view the pointer is in.
PointerReadout readPointer(const Result& result, int measure, const Hover& hover, const Style& style);

/// What the measure remarks about every visible scheme.
struct SchemeRemark {
  QString scheme;
  QString sentence;
  Verdict verdict;
  int colour;
};
std::vector<SchemeRemark> remarksOf(const Result& result, int measure, const Style& style);
/// The remarks with one more, first of its scheme's, for each visible scheme whose values are drawn from a seed.
std::vector<SchemeRemark> withSeedRemarks(std::vector<SchemeRemark> remarks, const Result& result, const Style& style);

/// "position i 412 · pair p 21 of 64 · RoPE 0.7481": the same on one line, to be read aloud.
QString readoutLine(const PointerReadout& readout);

}  // namespace posiscope::ui
