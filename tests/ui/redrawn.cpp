// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/redrawn.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <QProcess>
#include <QStandardPaths>

namespace posiscope::ui {
namespace {

QByteArray outputOf(const QString& program, const QStringList& arguments) {
  QProcess process;
  process.start(QStandardPaths::findExecutable(program), arguments);
  if (!process.waitForFinished(60000) || process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0)
    return {};
  return process.readAllStandardOutput();
}

std::array<double, 3> meanColour(const QImage& image, const QRect& block) {
  std::array<double, 3> sum{};
  for (int y = block.top(); y <= block.bottom(); ++y)
    for (int x = block.left(); x <= block.right(); ++x) {
      const QRgb dot = image.pixel(x, y);
      sum[0] += qRed(dot);
      sum[1] += qGreen(dot);
      sum[2] += qBlue(dot);
    }
  for (double& channel : sum) channel /= block.width() * block.height();
  return sum;
}

}  // namespace

bool otherProgramsAreThere() {
  return std::ranges::all_of(
      std::array{"rsvg-convert", "pdftoppm", "pdftotext", "pdfimages", "pdffonts"},
      [](const char* program) { return !QStandardPaths::findExecutable(QString::fromLatin1(program)).isEmpty(); });
}

QImage redrawn(const QString& file, int dpi) {
  const QString number = QString::number(dpi);
  // An SVG's unit is 1/96 inch: at that density librsvg enlarges by the zoom alone.
  const QByteArray bytes =
      file.endsWith(QLatin1String(".svg"))
          ? outputOf(QStringLiteral("rsvg-convert"), {QStringLiteral("--zoom"), QString::number(dpi / 96.0), file})
          : outputOf(QStringLiteral("pdftoppm"),
                     {QStringLiteral("-r"), number, QStringLiteral("-png"), QStringLiteral("-singlefile"), file});
  return QImage::fromData(bytes).convertToFormat(QImage::Format_RGB32);
}

QString printed(const QString& program, const QStringList& arguments) {
  return QString::fromUtf8(outputOf(program, arguments)).simplified();
}

Distance distanceOf(const QImage& a, const QImage& b) {
  if (a.size() != b.size() || a.isNull()) return {};
  constexpr int side = 16;
  Distance distance{0, 0};
  for (int top = 0; top < a.height(); top += side)
    for (int left = 0; left < a.width(); left += side) {
      const QRect block = QRect(left, top, side, side) & a.rect();
      const std::array<double, 3> p = meanColour(a, block), q = meanColour(b, block);
      // A sliver at the border is not judged alone: one letter's edge would fill it.
      if (block.width() * block.height() < side * side / 2) continue;
      for (std::size_t c = 0; c < p.size(); ++c) distance.block = std::max(distance.block, std::abs(p[c] - q[c]));
    }
  double sum = 0;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) {
      const QRgb p = a.pixel(x, y), q = b.pixel(x, y);
      sum += std::abs(qRed(p) - qRed(q)) + std::abs(qGreen(p) - qGreen(q)) + std::abs(qBlue(p) - qBlue(q));
    }
  distance.mean = sum / 3 / a.width() / a.height();
  return distance;
}

}  // namespace posiscope::ui
