// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/bench/bench.h"
#include "core/bench/turns.h"
#include "core/measure.h"

#include <memory>
#include <string>
#include <vector>

namespace posiscope::bench {

/// What all cases of one run know.
struct Situation {
  Size size;
  Machine& machine;
  Job job;

  bool isTiny() const { return size == Size::tiny; }
  /// How long a figure may be measured, in seconds.
  double seconds() const { return isTiny() ? 0 : 2; }
};

/// A case answers one line of the table, or several that share a set-up.
using Case = std::vector<Figure> (*)(const Situation&);

std::vector<Figure> tableFigures(const Situation& s);      ///< cos and sin, the sinusoidal table; sets memset_rate
std::vector<Figure> attentionFigures(const Situation& s);  ///< the attention map; sets product_rate
std::vector<Figure> offsetFigures(const Situation& s);     ///< decay, bound and bias over all offsets
std::vector<Figure> windowFigures(const Situation& s);     ///< windows of large maps

/// The answer of a measure; the question is asked through the catalogue, like everybody does.
Expected<std::shared_ptr<const Dataset>> ask(const Question& question, const Job& job);

/// A figure that has no time, and why.
Figure without(Figure figure, Text reason);
Figure without(Figure figure, const Error& error);
/// A figure whose answer is off by `error`, which is more than `allowed` or not a number: it is not timed.
Figure wrong(Figure figure, double error, double allowed);

/// The same question with another base or slope, so that nothing remembered answers it.
Question varied(Question question, const std::string& key, double start, int turn);

/// "131 072"
std::string grouped(std::int64_t count);

}  // namespace posiscope::bench
