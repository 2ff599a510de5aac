// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dataset.h"
#include "ui/views/view.h"

#include <QColor>
#include <QRectF>
#include <QString>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

class QPainter;

namespace posiscope::ui {

/// The rotation of one scheme, or why it has none.
struct DialGroup {
  std::shared_ptr<const Dataset> dataset;  ///< keeps the curves alive
  const Curve* query = nullptr;            ///< angle of each pair at i, in radians; null = nothing turns
  const Curve* key = nullptr;              ///< at j
  QString name;
  QColor colour;
  int scheme = -1;
  QString sentence;
};

struct DialScene {
  std::vector<DialGroup> groups;
  std::vector<QString> failures;
  QString nothing;
  std::int64_t i = 0;  ///< token of the filled hands
  std::int64_t j = 0;  ///< of the hollow hands
  double first_position = 0;  ///< of token 0
  bool stale = false;
  Style style;
};

/// The dials of the selected scheme, or of all, from answers for the positions `i` and `j`.
DialScene makeDialScene(const ViewContext& context, std::int64_t i, std::int64_t j, bool all);

struct DialPlace {
  std::size_t group = 0;
  std::size_t pair = 0;
  QPointF centre;
  double radius = 0;
  QRectF label;  ///< empty = too small for a number
};

struct DialLayout {
  std::vector<QRectF> failures;
  QRectF key;                    ///< what the two kinds of hands are
  std::vector<QRectF> captions;  ///< one for each group; empty = none
  std::vector<QRectF> areas;     ///< one for each group
  std::vector<DialPlace> dials;
  QString note;  ///< "one pair in 2 is shown"
};

DialLayout layoutDials(const DialScene& scene, const QRectF& target);
void drawDials(QPainter& painter, const QRectF& target, const DialScene& scene, const DialLayout& layout);
/// Marks the pair that the pointer is on, in this view or another, and where the hands would stand at the positions it
/// is on elsewhere.
void drawDialHover(QPainter& painter, const DialScene& scene, const DialLayout& layout, const Hover& hover);

}  // namespace posiscope::ui
