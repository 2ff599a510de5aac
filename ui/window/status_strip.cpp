// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/status_strip.h"

#include "core/parallel.h"
#include "ui/controls/flat_button.h"
#include "ui/controls/theme.h"
#include "ui/tiles/request.h"

#include <QEvent>
#include <QFile>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <unistd.h>

namespace posiscope::ui {
namespace {

constexpr int patience_ms = 300;

/// Resident memory of the process in megabytes; 0 where /proc does not exist.
int residentMegabytes() {
  QFile file(QStringLiteral("/proc/self/statm"));
  if (!file.open(QIODevice::ReadOnly)) return 0;
  const QList<QByteArray> pages = file.readAll().split(' ');
  return pages.size() < 2 ? 0 : static_cast<int>(pages[1].toLongLong() * sysconf(_SC_PAGESIZE) / 1'000'000);
}

}  // namespace

StatusStrip::StatusStrip(Store& store, ComputeService& service, QWidget* parent)
    : QWidget(parent),
      store_(store),
      service_(service),
      figures_(new QLabel(this)),
      hint_(new QLabel(this)),
      progress_(new QProgressBar(this)),
      cancel_(new FlatButton(this)) {
  setFixedHeight(height_pixels);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 1, 12, 0);
  row->setSpacing(10);
  for (QLabel* label : {figures_, hint_}) {
    label->setProperty("role", "mute");
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  }
  figures_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  progress_->setFixedWidth(160);
  progress_->setTextVisible(false);
  progress_->setRange(0, 1000);
  cancel_->setLook(FlatButton::Look::link);
  row->addWidget(figures_, 1);
  row->addWidget(progress_);
  row->addWidget(cancel_);
  row->addWidget(hint_);
  progress_->hide();
  cancel_->hide();
  patience_.setSingleShot(true);
  patience_.setInterval(patience_ms);
  connect(&patience_, &QTimer::timeout, this, [this] {
    progress_->show();
    cancel_->show();
  });
  connect(cancel_, &QAbstractButton::clicked, &service_, &ComputeService::cancel);
  connect(&service_, &ComputeService::busyChanged, this, &StatusStrip::showBusy);
  connect(&service_, &ComputeService::progressChanged, this,
          [this](double fraction) { progress_->setValue(static_cast<int>(fraction * 1000)); });
  connect(&service_, &ComputeService::resultReady, this, &StatusStrip::refresh);
  connect(&store_, &Store::presentationChanged, this, &StatusStrip::refresh);
  refresh();
}

void StatusStrip::showBusy(bool busy) {
  if (busy) {
    progress_->setValue(0);
    patience_.start();
    return;
  }
  patience_.stop();
  progress_->hide();
  cancel_->hide();
}

void StatusStrip::refresh() {
  cancel_->setText(tr("cancel"));
  cancel_->setNames(tr("Cancel the computation"), QStringLiteral("Ctrl+."));
  progress_->setAccessibleName(tr("Progress"));
  hint_->setText(tr("Ctrl+K finds everything"));
  if (narrow_ && !pointer_line_.isEmpty()) {
    figures_->setText(pointer_line_);
    figures_->setToolTip(pointer_line_);
    return;
  }
  QString text = tr("%n view(s)", nullptr, static_cast<int>(visibleTiles(store_.presentation()).size()));
  if (service_.result()) text += tr(" · %1 ms").arg(QString::number(service_.result()->milliseconds, 'f', 1));
  text += QStringLiteral("     ") + tr("%n thread(s)", nullptr, threads());
  if (const int megabytes = residentMegabytes(); megabytes > 0) text += QStringLiteral("     ") + tr("%1 MB").arg(megabytes);
  figures_->setText(text);
  figures_->setToolTip({});
}

void StatusStrip::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) refresh();
  QWidget::changeEvent(event);
}

void StatusStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), currentStyle().panel);
  painter.setPen(QPen(currentStyle().line, 1));
  painter.drawLine(QPointF(0, 0.5), QPointF(width(), 0.5));
}

}  // namespace posiscope::ui
