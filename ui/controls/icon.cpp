// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/icon.h"

#include <QFile>
#include <QHash>
#include <QPainter>
#include <QSvgRenderer>
#include <memory>

namespace posiscope::ui {
namespace {

/// Qt SVG draws `currentColor` black, so the colour is written into the text (qt.md: measured, 6.4).
std::shared_ptr<QSvgRenderer> rendererOf(const QString& resource, const QColor& colour) {
  static QHash<QString, std::shared_ptr<QSvgRenderer>> renderers;
  const QString key = resource + colour.name(QColor::HexArgb);
  if (const auto found = renderers.constFind(key); found != renderers.cend()) return *found;
  QFile file(resource);
  std::shared_ptr<QSvgRenderer> renderer;
  if (file.open(QIODevice::ReadOnly)) {
    QByteArray text = file.readAll();
    text.replace("currentColor", colour.name().toLatin1());
    renderer = std::make_shared<QSvgRenderer>(text);
    renderer->setAspectRatioMode(Qt::KeepAspectRatio);
  }
  renderers.insert(key, renderer);
  return renderer;
}

}  // namespace

void paintIcon(QPainter& painter, const QRectF& target, const QString& name, const QColor& colour) {
  paintSvg(painter, target, QStringLiteral(":/icons/%1.svg").arg(name), colour);
}

bool paintSvg(QPainter& painter, const QRectF& target, const QString& resource, const QColor& colour) {
  const std::shared_ptr<QSvgRenderer> renderer = rendererOf(resource, colour);
  if (!renderer || !renderer->isValid()) return false;
  renderer->render(&painter, target);
  return true;
}

QSizeF formulaSize(const QString& resource, double pixels) {
  const std::shared_ptr<QSvgRenderer> renderer = rendererOf(resource, Qt::black);
  if (!renderer || !renderer->isValid()) return {};
  return renderer->viewBoxF().size() * (pixels / 1000.0);
}

}  // namespace posiscope::ui
