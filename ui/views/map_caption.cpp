// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/map_caption.h"

#include <QFontMetricsF>
#include <QRegularExpression>

namespace posiscope::ui {

QString withoutExplanation(const QString& caption) {
  static const QRegularExpression explanation(QStringLiteral("(, |，).*?(?= · |$)"));
  return QString(caption).remove(explanation);
}

QString captionText(const MapPanel& panel, bool without_explanation, double width, const QFontMetricsF& metrics) {
  const QString text = without_explanation ? withoutExplanation(panel.caption) : panel.caption;
  const auto fits = [&](const QString& shown) { return metrics.horizontalAdvance(shown) <= width; };
  if (panel.brief.isEmpty() || fits(text)) return text;
  return fits(panel.brief) ? panel.brief : panel.brief.section(QStringLiteral(" · "), 0, 0);
}

}  // namespace posiscope::ui
