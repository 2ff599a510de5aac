// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/kind_bars.h"

#include "ui/paint/kind_mark.h"
#include "ui/paint/notice.h"
#include "ui/views/head_answer.h"
#include "ui/views/scheme_text.h"

#include <algorithm>
#include <cmath>
#include <QFontMetricsF>

namespace posiscope::ui {
namespace {

constexpr double padding = 12;
constexpr double foot_height = 16;
constexpr double told_height = 18;
constexpr double told_least = 110;  // of the room, for the sentence under the pointer
constexpr double name_height = 17;
constexpr double least_bar = 12;
constexpr double widest_bar = 34;
constexpr double gap = 8;             // below a bar
constexpr double beside_least = 360;  // of the room, for names at the left of the bars
constexpr double name_share = 0.42;

std::vector<KindSegment> segmentsOf(const Dataset& dataset, const Style& style) {
  std::vector<KindSegment> segments;
  for (const Property& property : dataset.properties)
    if (const auto kind = kindNamed(property.key); kind && property.value > 0)
      segments.push_back({*kind, property.value, style.text(property.sentence)});
  return segments;
}

void addKinds(KindBars& bars) {
  for (const heads::Kind kind : heads::all_kinds)
    if (std::ranges::any_of(bars.bars, [kind](const KindBar& bar) {
          return std::ranges::find(bar.segments, kind, &KindSegment::kind) != bar.segments.end();
        }))
      bars.kinds.push_back(kind);
}

/// The column of the names: the widest one, where there is room beside the bars.
double nameWidth(const KindBars& bars, double room) {
  constexpr double square = 14;
  if (room < beside_least) return 0;
  const QFontMetricsF metrics(bars.style.font(11));
  double width = 0;
  for (const KindBar& bar : bars.bars) width = std::max(width, square + metrics.horizontalAdvance(bar.name) + gap);
  return std::min(std::ceil(width), room * name_share);
}

std::vector<QRectF> cut(const QRectF& area, const KindBar& bar) {
  std::vector<QRectF> parts;
  double before = 0;
  for (const KindSegment& segment : bar.segments) {
    const double left = area.left() + area.width() * before / bar.total();
    before += segment.heads;
    const double right = area.left() + area.width() * before / bar.total();
    parts.emplace_back(left, area.top(), right - left, area.height());
  }
  return parts;
}

void placeBars(KindBarsLayout& layout, const KindBars& bars, const QRectF& room) {
  const double left = nameWidth(bars, room.width());
  const double above = left > 0 ? 0 : name_height;
  const double least = above + least_bar + gap;
  const std::size_t shown =
      std::min(bars.bars.size(), static_cast<std::size_t>(std::max(0.0, room.height() + gap) / least));
  layout.hidden = bars.bars.size() - shown;
  if (shown == 0) return;
  const double even = (room.height() + gap) / static_cast<double>(shown);
  const double height = std::floor(std::min(widest_bar, even - above - gap));
  double top = room.top();
  for (std::size_t b = 0; b < shown; ++b, top += above + height + gap) {
    const QRectF area(room.left() + left, top + above, room.width() - left, height);
    layout.names.push_back(left > 0 ? QRectF(room.left(), top, left - gap, height)
                                    : QRectF(room.left(), top, room.width(), name_height));
    layout.segments.push_back(cut(area, bars.bars[b]));
  }
}

}  // namespace

double KindBar::total() const {
  double sum = 0;
  for (const KindSegment& segment : segments) sum += segment.heads;
  return sum;
}

KindBars makeKindBars(const ViewContext& context) {
  KindBars bars;
  bars.style = context.style;
  bars.stale = context.stale();
  const std::vector<Answer>& answers = context.answers();
  if (answers.empty() || !anyVisible(context.experiment)) {
    bars.stale = false;
    bars.nothing = nothingText(context, true);
    return bars;
  }
  const std::vector<SchemeChoice>& schemes = context.result->request.experiment.schemes;
  for (std::size_t s = 0; s < std::min(answers.size(), schemes.size()); ++s) {
    const QString name = bars.style.text(displayName(schemes[s], schemes));
    if (!answers[s].dataset) {
      bars.failures.push_back(failureText(name, answers[s].dataset.error(), bars.style));
      continue;
    }
    const std::shared_ptr<const Dataset>& dataset = *answers[s].dataset;
    if (!dataset) continue;  // hidden
    KindBar bar{name, schemeColour(schemes[s].colour), static_cast<int>(s), segmentsOf(*dataset, bars.style)};
    if (bar.segments.empty()) continue;
    bars.bars.push_back(std::move(bar));
    if (bars.scope.isEmpty()) bars.scope = bars.style.text(dataset->scope);
  }
  std::vector<int> shown;
  for (const KindBar& bar : bars.bars) shown.push_back(bar.scheme);
  bars.scope = withDrawnNotes(bars.scope, schemes, shown, bars.style);
  addKinds(bars);
  if (bars.bars.empty() && bars.failures.empty()) bars.nothing = nothingText(context, bars.stale);
  return bars;
}

KindBarsLayout layoutKindBars(const KindBars& bars, const QRectF& target) {
  KindBarsLayout layout;
  QRectF room = target.adjusted(padding, padding - 6, -padding, -4);
  for (const QString& failure : bars.failures) {
    const double height = std::min(target.height() * 0.4, noticeHeight(failure, room.width(), bars.style));
    layout.failures.emplace_back(room.left(), room.top(), room.width(), height);
    room.setTop(room.top() + height + 6);
  }
  if (bars.bars.empty() || room.width() < 40) return layout;
  const bool told = bars.interactive && room.height() >= told_least;
  const double key = std::min(kindKeyHeight(bars.kinds, room.width(), bars.style), std::max(0.0, room.height() / 3));
  layout.key = QRectF(room.left(), room.top(), room.width(), key);
  room.setTop(layout.key.bottom() + gap);
  layout.foot = QRectF(room.left(), room.bottom() - foot_height, room.width(), foot_height);
  room.setBottom(layout.foot.top());
  if (told) {
    layout.told = QRectF(room.left(), room.bottom() - told_height, room.width(), told_height);
    room.setBottom(layout.told.top());
  }
  placeBars(layout, bars, room);
  return layout;
}

std::optional<KindPlace> KindBarsLayout::at(QPointF point) const {
  for (std::size_t b = 0; b < segments.size(); ++b)
    for (std::size_t s = 0; s < segments[b].size(); ++s)
      if (segments[b][s].contains(point)) return KindPlace{b, s};
  return std::nullopt;
}

QString segmentText(const KindBars& bars, KindPlace place) {
  const KindBar& bar = bars.bars[place.bar];
  const KindSegment& segment = bar.segments[place.segment];
  return bar.name + QStringLiteral(" · ") + bars.style.text(heads::kindName(segment.kind)) + QStringLiteral(" · ") +
         segment.sentence;
}

}  // namespace posiscope::ui
