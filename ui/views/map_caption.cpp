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
  if (fits(panel.brief)) return panel.brief;
  constexpr qsizetype least_name = 3;  // letters, the dots of a cut one among them
  const QString between = QStringLiteral(" · ");
  const QString number = panel.brief.section(between, -1);
  const QString beside = QLatin1Char(' ') + number;
  const QString name = metrics.elidedText(panel.brief.section(between, 0, -2), Qt::ElideRight,
                                          width - metrics.horizontalAdvance(beside));
  return name.size() < least_name ? number : name + beside;
}

}  // namespace posiscope::ui
