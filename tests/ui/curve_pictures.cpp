// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/curve_pictures.h"

#include "tests/ui/synthetic.h"

#include <cmath>
#include <cstdlib>
#include <QPainter>

namespace posiscope::ui {

Dataset waving(std::size_t points, double speed, double height) {
  Dataset dataset;
  dataset.x.name = {"offset i − j", "偏移 i − j"};
  dataset.x.unit = "tokens";
  dataset.y.name = {"relative score", "相对分数"};
  Curve curve;
  curve.key = "ones";
  curve.label = {"all ones", "全 1"};
  for (std::size_t n = 0; n < points; ++n) {
    curve.x.push_back(static_cast<double>(n));
    curve.y.push_back(height * std::cos(speed * static_cast<double>(n)));
  }
  dataset.curves.push_back(std::move(curve));
  dataset.marks.push_back({{"trained 64", "训练长度 64"}, true, 64, 64});
  return dataset;
}

ViewContext decayContext(bool dark, Language language) {
  ViewContext context =
      contextOf("relative_decay", {waving(128, 0.02), waving(128, 0.03), waving(128, 0.05)}, dark, language);
  context.tile.options["x_scale"] = std::string("linear");
  return context;
}

QImage drawnCurves(const ViewKind& kind, const ViewContext& context, QSize size) {
  QImage image(size, QImage::Format_RGB32);
  image.fill(Qt::magenta);
  QPainter painter(&image);
  kind.draw(painter, QRectF(QPointF(0, 0), QSizeF(size)), context);
  return image;
}

int countOf(const QImage& image, const QColor& colour) {
  int count = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) {
      const QColor here = image.pixelColor(x, y);
      count += std::abs(here.red() - colour.red()) + std::abs(here.green() - colour.green()) +
                           std::abs(here.blue() - colour.blue()) <
                       40
                   ? 1
                   : 0;
    }
  return count;
}

}  // namespace posiscope::ui
