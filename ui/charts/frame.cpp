// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/frame.h"

#include <QCategoryAxis>
#include <QChart>
#include <QGraphicsLayout>
#include <QLegend>
#include <QPainter>

namespace posiscope::ui {
namespace {

/// Qt Charts takes each text for HTML, and tokens are named "<s>".
QString literal(const QString& text) { return text.toHtmlEscaped(); }

void setTicks(QCategoryAxis& axis, const Scale& scale, const Ticks& ticks) {
  for (const QString& label : axis.categoriesLabels()) axis.remove(label);
  axis.setStartValue(-1);  // below the first tick: a category ends where its label stands
  for (std::size_t k = 0; k < ticks.values.size(); ++k)
    axis.append(literal(ticks.labels[static_cast<qsizetype>(k)]), scale.share(ticks.values[k]));
  axis.setRange(0, 1);
}

}  // namespace

ChartFrame::ChartFrame() : chart_(new QChart), x_(new QCategoryAxis), y_(new QCategoryAxis), right_(new QCategoryAxis) {
  scene_.setItemIndexMethod(QGraphicsScene::NoIndex);
  scene_.addItem(chart_);
  chart_->legend()->hide();
  chart_->setMargins({});
  chart_->layout()->setContentsMargins(0, 0, 0, 0);
  chart_->setBackgroundRoundness(0);
  chart_->setAnimationOptions(QChart::NoAnimation);
  chart_->addAxis(x_, Qt::AlignBottom);
  chart_->addAxis(y_, Qt::AlignLeft);
  chart_->addAxis(right_, Qt::AlignRight);
  for (QCategoryAxis* axis : {x_, y_, right_}) {
    axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
    // They are as short as there is room for. Qt Charts wants more air around them, and would leave dots of words.
    axis->setTruncateLabels(false);
  }
  right_->setVisible(false);
}

ChartFrame::~ChartFrame() = default;

bool ChartFrame::setLook(const Look& look, const Style& style) {
  if (look == look_) return false;
  const bool fresh = look_.size.isEmpty();
  if (fresh || look.dark != look_.dark || look.language != look_.language) applyStyle(style);
  if (fresh || look.x != look_.x || look.x_ticks != look_.x_ticks) setTicks(*x_, look.x, look.x_ticks);
  if (look.x_upright != look_.x_upright) x_->setLabelsAngle(look.x_upright ? -90 : 0);
  if (fresh || look.y != look_.y || look.y_ticks != look_.y_ticks) setTicks(*y_, look.y, look.y_ticks);
  if (look.has_right != look_.has_right) right_->setVisible(look.has_right);
  if (look.has_right &&
      (fresh || !look_.has_right || look.right != look_.right || look.right_ticks != look_.right_ticks))
    setTicks(*right_, look.right, look.right_ticks);
  if (look.x_title != look_.x_title) x_->setTitleText(literal(look.x_title));
  if (look.y_title != look_.y_title) y_->setTitleText(literal(look.y_title));
  if (look.right_title != look_.right_title) right_->setTitleText(literal(look.right_title));
  if (fresh || look.size != look_.size || look.plot != look_.plot) {
    scene_.setSceneRect(QRectF(QPointF(0, 0), look.size));
    chart_->resize(look.size);
    chart_->setPlotArea(look.plot);
  }
  look_ = look;
  return true;
}

void ChartFrame::applyStyle(const Style& style) {
  // A theme resets fonts, pens and brushes, so it comes first on every switch.
  chart_->setTheme(style.dark ? QChart::ChartThemeDark : QChart::ChartThemeLight);
  chart_->setBackgroundBrush(style.panel);
  chart_->setBackgroundPen(Qt::NoPen);
  chart_->setDropShadowEnabled(false);
  right_->setGridLineVisible(false);
  for (QCategoryAxis* axis : {x_, y_, right_}) {
    axis->setLabelsFont(style.font(11));
    axis->setLabelsColor(style.mute);
    axis->setTitleFont(style.font(11));
    axis->setTitleBrush(style.mute);
    axis->setLinePen(Qt::NoPen);
    axis->setGridLinePen(QPen(style.grid, 1));
    axis->setShadesVisible(false);
  }
}

void ChartFrame::render(QPainter& painter, QPointF at) {
  chart_->layout()->invalidate();  // otherwise a new plot area waits for the event loop
  chart_->layout()->activate();
  const QRectF source(QPointF(0, 0), look_.size);
  scene_.render(&painter, QRectF(at, look_.size), source, Qt::IgnoreAspectRatio);
}

}  // namespace posiscope::ui
