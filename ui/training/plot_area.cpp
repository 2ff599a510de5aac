// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/plot_area.h"

#include <QScrollArea>

namespace posiscope::ui {

QWidget* makePlotArea(QWidget* plots, QWidget* parent) {
  auto* area = new QScrollArea(parent);
  area->setObjectName(QStringLiteral("centre"));
  area->setFrameShape(QFrame::NoFrame);
  area->setWidgetResizable(true);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  plots->setObjectName(QStringLiteral("centre"));
  plots->setAttribute(Qt::WA_StyledBackground);
  area->setWidget(plots);
  plots->setAutoFillBackground(false);  // the area switches it on, and covers the background of the page
  return area;
}

}  // namespace posiscope::ui
