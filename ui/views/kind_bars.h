// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dataset.h"
#include "core/heads/kinds.h"
#include "ui/views/view.h"

#include <memory>
#include <optional>
#include <QRectF>
#include <QString>
#include <vector>

class QPainter;

namespace posiscope::ui {

/// How many heads of a scheme are of one kind.
struct KindSegment {
  heads::Kind kind = heads::Kind::undetermined;
  double heads = 0;
  QString sentence;  ///< which ones: "3 of 8 heads: 0, 2, 5."
};

/// The heads of one scheme by kind: only kinds that occur.
struct KindBar {
  QString name;
  QColor colour;
  int scheme = -1;
  std::vector<KindSegment> segments;

  double total() const;
};

/// One bar for each scheme.
struct KindBars {
  std::vector<KindBar> bars;
  std::vector<heads::Kind> kinds;  ///< that occur anywhere: the key
  std::vector<QString> failures;
  QString nothing;
  QString scope;
  bool stale = false;
  bool interactive = false;  ///< leaves room for the sentence of the segment under the pointer
  Style style;
};
KindBars makeKindBars(const ViewContext& context);

struct KindPlace {
  std::size_t bar = 0;
  std::size_t segment = 0;

  bool operator==(const KindPlace&) const = default;
};

struct KindBarsLayout {
  std::vector<QRectF> failures;
  QRectF key;
  std::vector<QRectF> names;                  ///< of the bars that are shown
  std::vector<std::vector<QRectF>> segments;  ///< of each of them
  QRectF told;
  QRectF foot;
  std::size_t hidden = 0;  ///< bars without room

  std::optional<KindPlace> at(QPointF point) const;
};
KindBarsLayout layoutKindBars(const KindBars& bars, const QRectF& target);

/// The whole picture without the pointer.
void drawKindBars(QPainter& painter, const QRectF& target, const KindBars& bars, const KindBarsLayout& layout);
void drawKindPointer(QPainter& painter, const KindBars& bars, const KindBarsLayout& layout, KindPlace place);

/// All that is known of a segment: scheme, kind and which heads.
QString segmentText(const KindBars& bars, KindPlace place);

}  // namespace posiscope::ui
