// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/status_strip.h"

#include "core/parallel.h"
#include "ui/controls/flat_button.h"
#include "ui/controls/theme.h"
#include "ui/tiles/request.h"
#include "ui/window/pointer_line.h"

#include <unistd.h>
#include <QEvent>
#include <QFile>
#include <QFontMetricsF>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>

namespace posiscope::ui {
namespace {

constexpr int patience_ms = 300;
constexpr int side_margin = 12;
constexpr int gap = 10;
constexpr int progress_width = 160;

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
  row->setContentsMargins(side_margin, 1, side_margin, 0);
  row->setSpacing(gap);
  for (QLabel* label : {figures_, hint_}) {
    label->setProperty("role", "mute");
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  }
  figures_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  progress_->setFixedWidth(progress_width);
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
    if (showsPointer()) showPointer();
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
  if (showsPointer()) showPointer();
}

void StatusStrip::setPointer(const PointerReadout& pointer) {
  const bool shown = showsPointer();
  pointer_ = pointer;
  if (shown || showsPointer()) refresh();
}

void StatusStrip::setNarrow(bool narrow) {
  if (narrow == narrow_) return;
  narrow_ = narrow;
  refresh();
}

/// What is left for the figures, with the hint at the right or without it.
double StatusStrip::roomBeside(bool hint) const {
  double room = width() - 2 * side_margin;
  if (!progress_->isHidden()) room -= progress_width + gap;
  if (!cancel_->isHidden()) room -= cancel_->sizeHint().width() + gap;
  return hint ? room - hint_->sizeHint().width() - gap : room;
}

void StatusStrip::showPointer() {
  const QFontMetricsF metrics(figures_->font());
  PointerLine line = fitPointerLine(pointer_, roomBeside(true), metrics);
  // The values are worth more than the hint.
  hint_->setVisible(line.whole);
  if (!line.whole) line = fitPointerLine(pointer_, roomBeside(false), metrics);
  figures_->setTextFormat(Qt::RichText);
  figures_->setText(line.text);
  figures_->setToolTip(pointerTooltip(pointer_));
  figures_->setAccessibleName(readoutLine(pointer_));
}

void StatusStrip::refresh() {
  cancel_->setText(tr("cancel"));
  cancel_->setNames(tr("Cancel the computation"), QStringLiteral("Esc, Ctrl+."));
  progress_->setAccessibleName(tr("Progress"));
  hint_->setText(tr("Ctrl+K finds everything"));
  if (showsPointer()) return showPointer();
  QString text = tr("%n view(s)", nullptr, static_cast<int>(visibleTiles(store_.presentation()).size()));
  if (service_.result()) text += tr(" · %1 ms").arg(QString::number(service_.result()->milliseconds, 'f', 1));
  text += QStringLiteral("     ") + tr("%n thread(s)", nullptr, threads());
  if (const int megabytes = residentMegabytes(); megabytes > 0)
    text += QStringLiteral("     ") + tr("%1 MB").arg(megabytes);
  hint_->show();
  figures_->setTextFormat(Qt::PlainText);
  figures_->setText(text);
  figures_->setToolTip({});
  figures_->setAccessibleName(text);
}

void StatusStrip::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (showsPointer()) showPointer();
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
