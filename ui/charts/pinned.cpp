// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/pinned.h"

#include "ui/charts/blend.h"
#include "ui/tiles/request.h"

#include <algorithm>
#include <cmath>

namespace posiscope::ui {

const QList<qreal>& pinnedDashes() {
  static const QList<qreal> dashes{2, 3};
  return dashes;
}

QColor pinnedColour(int scheme_colour, const Style& style) {
  return blend(schemeColour(scheme_colour), style.mute, 0.3);
}

QString pinnedName(const Style& style) { return style.text({"before (pinned)", "之前（已固定）"}); }

bool pinnedDiffer(const std::vector<const Curve*>& pinned, const std::vector<const Curve*>& present) {
  const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  const auto isAgain = [&](const Curve* before) {
    return std::ranges::any_of(present, [&](const Curve* now) {
      return std::ranges::equal(before->x, now->x, same) && std::ranges::equal(before->y, now->y, same);
    });
  };
  return !std::ranges::all_of(pinned, isAgain);
}

const std::vector<Answer>* pinnedAnswers(const ViewContext& context) {
  if (!context.pinned || !context.result || context.measure < 0) return nullptr;
  if (context.pinned->request.experiment == context.result->request.experiment) return nullptr;
  const int index =
      answerIndex(context.pinned.get(), context.result->request.measures[static_cast<std::size_t>(context.measure)]);
  return index < 0 ? nullptr : &context.pinned->answers[static_cast<std::size_t>(index)];
}

}  // namespace posiscope::ui
