// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/pointer_line.h"

#include "ui/paint/style.h"

#include <algorithm>
#include <cmath>
#include <QFontMetricsF>
#include <QStringList>
#include <vector>

namespace posiscope::ui {
namespace {

const QString square_text = QStringLiteral("■ ");
const QString separator = QStringLiteral(" · ");
const QString ellipsis = QStringLiteral("…");
constexpr double least_name_width = 28;  // two letters and an ellipsis: less would name nothing

/// How much of a readout is said.
struct Detail {
  double name_width;  ///< of a scheme, at most; 0 = its square alone
  bool term;
  std::size_t places;
  std::size_t schemes;
};

QString placeText(const ReadoutRow& row) { return row.name + QLatin1Char(' ') + row.value; }

QString squareOf(const ReadoutRow& row) {
  return QStringLiteral("<span style='color:%1'>%2</span>").arg(schemeColour(row.colour).name(), square_text);
}

/// Thin spaces inside numbers would else be taken for places to break, and spaces side by side for one.
QString unbroken(const QString& html) { return QStringLiteral("<span style='white-space:pre'>%1</span>").arg(html); }

class Line {
 public:
  Line(const PointerReadout& readout, const QFontMetricsF& metrics) : readout_(readout), metrics_(metrics) {}

  /// `width` gets what the line takes.
  QString text(const Detail& detail, double& width) const {
    QStringList parts;
    width = 0;
    const auto add = [&](const QString& html, double pixels) {
      if (!parts.isEmpty()) width += metrics_.horizontalAdvance(separator);
      width += pixels;
      parts << html;
    };
    const auto addPlain = [&](const QString& plain) { add(plain.toHtmlEscaped(), metrics_.horizontalAdvance(plain)); };
    for (std::size_t p = 0; p < std::min(detail.places, readout_.place.size()); ++p)
      addPlain(placeText(readout_.place[p]));
    if (detail.term && !readout_.term.isEmpty()) addPlain(readout_.term);
    for (std::size_t s = 0; s < std::min(detail.schemes, readout_.schemes.size()); ++s) {
      const ReadoutRow& row = readout_.schemes[s];
      const QString name = nameOf(row, detail.name_width);
      const QString said = name + row.value;
      add(squareOf(row) + said.toHtmlEscaped(), metrics_.horizontalAdvance(square_text + said));
    }
    if (detail.schemes < readout_.schemes.size()) addPlain(ellipsis);
    return unbroken(parts.join(separator));
  }

  /// The width for each name so that all of them fit beside the rest; less than `least_name_width` where none would.
  double sharedNameWidth(double room, bool term) const {
    double without = 0;
    [[maybe_unused]] const QString bare = text({0, term, all, all}, without);
    std::vector<double> names;
    for (const ReadoutRow& row : readout_.schemes)
      names.push_back(metrics_.horizontalAdvance(row.name + QLatin1Char(' ')));
    std::ranges::sort(names);
    double left = room - without;
    // Short names leave their rest to the long ones.
    for (std::size_t n = 0; n < names.size(); ++n) {
      const double share = left / static_cast<double>(names.size() - n);
      if (names[n] > share) return std::floor(share);
      left -= names[n];
    }
    return names.empty() ? 0 : names.back();
  }

  static constexpr std::size_t all = 1000;

 private:
  QString nameOf(const ReadoutRow& row, double width) const {
    if (width <= 0) return {};
    const QString whole = row.name + QLatin1Char(' ');
    if (metrics_.horizontalAdvance(whole) <= width) return whole;
    const double space = metrics_.horizontalAdvance(QLatin1Char(' '));
    return metrics_.elidedText(row.name, Qt::ElideRight, width - space) + QLatin1Char(' ');
  }

  const PointerReadout& readout_;
  const QFontMetricsF& metrics_;
};

constexpr double any_width = 1e6;

}  // namespace

PointerLine fitPointerLine(const PointerReadout& readout, double room, const QFontMetricsF& metrics) {
  const Line line(readout, metrics);
  double width = 0;
  QString text = line.text({any_width, true, Line::all, Line::all}, width);
  if (width <= room) return {text, true};
  for (const bool term : {true, false}) {
    const double names = line.sharedNameWidth(room, term);
    if (names < least_name_width) continue;
    text = line.text({names, term, Line::all, Line::all}, width);
    if (width <= room) return {text, false};
  }
  Detail detail{0, false, readout.place.size(), readout.schemes.size()};
  for (;;) {
    text = line.text(detail, width);
    if (width <= room) return {text, false};
    if (detail.places > 1)
      --detail.places;
    else if (detail.schemes > 0)
      --detail.schemes;
    else
      return {text, false};
  }
}

QString pointerTooltip(const PointerReadout& readout) {
  QStringList lines;
  for (const ReadoutRow& row : readout.place) lines << placeText(row).toHtmlEscaped();
  if (!readout.term.isEmpty()) lines << readout.term.toHtmlEscaped();
  for (const ReadoutRow& row : readout.schemes) lines << squareOf(row) + placeText(row).toHtmlEscaped();
  return lines.isEmpty() ? QString() : unbroken(lines.join(QStringLiteral("<br>")));
}

}  // namespace posiscope::ui
