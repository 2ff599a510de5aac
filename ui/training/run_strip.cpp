// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/run_strip.h"

#include "ui/controls/choice_box.h"
#include "ui/controls/flat_button.h"
#include "ui/controls/theme.h"
#include "ui/training/time_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QSignalBlocker>

namespace posiscope::ui {
namespace {

constexpr int tick_ms = 500;
constexpr int whole = 1000;

}  // namespace

RunStrip::RunStrip(TrainingService& service, QWidget* parent)
    : QWidget(parent),
      service_(service),
      which_(new ChoiceBox(this)),
      bar_(new QProgressBar(this)),
      progress_(new QLabel(this)),
      pause_(new FlatButton(this)),
      stop_(new FlatButton(this)),
      open_(new FlatButton(this)),
      save_(new FlatButton(this)) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 8, 12, 4);
  row->setSpacing(6);
  bar_->setRange(0, whole);
  bar_->setTextVisible(false);
  bar_->setMinimumWidth(40);
  bar_->setMaximumWidth(200);
  progress_->setProperty("role", "mute");
  progress_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  which_->setMinimumWidth(180);
  row->addWidget(which_, 1);
  row->addWidget(bar_, 1);
  row->addWidget(progress_);
  for (FlatButton* button : {pause_, stop_, open_, save_}) row->addWidget(button);
  row->addStretch(1);
  connect(which_, &QComboBox::currentIndexChanged, this, [this](int index) {
    shown_ = index;
    refresh();
    emit chosen(index);
  });
  connect(pause_, &QAbstractButton::clicked, this, [this] { service_.setPaused(!service_.paused()); });
  connect(stop_, &QAbstractButton::clicked, this, [this] { service_.stop(); });
  connect(open_, &QAbstractButton::clicked, this, &RunStrip::openWanted);
  connect(save_, &QAbstractButton::clicked, this, &RunStrip::saveWanted);
  connect(&service_, &TrainingService::queueChanged, this, &RunStrip::refresh);
  tick_.setInterval(tick_ms);
  connect(&tick_, &QTimer::timeout, this, &RunStrip::followProgress);
  retranslate();
}

void RunStrip::show(int index) {
  shown_ = index;
  refresh();
}

void RunStrip::retranslate() {
  which_->setAccessibleName(tr("The comparison that is shown"));
  stop_->setText(tr("Stop"));
  stop_->setNames(tr("End this training; what it found so far stays"));
  open_->setText(tr("Open…"));
  open_->setNames(tr("Open a saved comparison"));
  save_->setText(tr("Save…"));
  save_->setNames(tr("Save settings, curves, attention and results in one file"));
  refresh();
}

void RunStrip::refresh() {
  const QSignalBlocker quiet(which_);
  which_->clear();
  for (const auto& training : service_.all()) {
    QString state;
    if (training->state == Training::State::waiting) state = tr("waiting");
    if (training->state == Training::State::running) state = service_.paused() ? tr("paused") : tr("running");
    if (training->state == Training::State::stopped) state = tr("stopped");
    which_->addItem(state.isEmpty() ? training->name : training->name + QStringLiteral(" · ") + state);
  }
  which_->setCurrentIndex(shown_);
  which_->setVisible(which_->count() > 0);
  pause_->setText(service_.paused() ? tr("Resume") : tr("Pause"));
  pause_->setNames(service_.paused() ? tr("Go on with this training") : tr("Stop for a while; nothing is lost"));
  pause_->updateGeometry();
  for (QWidget* part : {static_cast<QWidget*>(bar_), static_cast<QWidget*>(progress_), static_cast<QWidget*>(pause_),
                        static_cast<QWidget*>(stop_)})
    part->setVisible(service_.busy());
  save_->setEnabled(shown_ >= 0);
  service_.busy() ? tick_.start() : tick_.stop();
  followProgress();
}

QString RunStrip::progressText() const {
  const QString share = QStringLiteral("%1 %").arg(static_cast<int>(100 * service_.progress()));
  if (service_.paused()) return tr("%1, paused").arg(share);
  const std::optional<double> left = service_.remainingSeconds();
  return left ? tr("%1, about %2 left").arg(share, timeText(*left, currentStyle())) : share;
}

void RunStrip::followProgress() {
  bar_->setValue(static_cast<int>(whole * service_.progress()));
  progress_->setText(progressText());
}

}  // namespace posiscope::ui

#include "moc_run_strip.cpp"
