// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/run_strip.h"

#include "core/train/ready_experiments.h"
#include "ui/controls/choice_box.h"
#include "ui/controls/flat_button.h"
#include "ui/controls/theme.h"
#include "ui/training/setup_values.h"
#include "ui/training/time_text.h"

#include <algorithm>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QSignalBlocker>

namespace posiscope::ui {
namespace {

constexpr int tick_ms = 500;
constexpr int whole = 1000;

}  // namespace

QString shownName(const Training& training) {
  if (!training.folder && training.shipped.empty()) return training.name;
  std::vector<Text> names{taskName(training.record.spec.run.task.kind)};
  for (const train::ReadyExperiment& experiment : train::readyExperiments()) names.push_back(experiment.name);
  const std::string kept = training.name.toStdString();
  for (const Text& name : names)
    if (kept == name.en || kept == name.zh) return currentStyle().text(name);
  return training.name;
}

RunStrip::RunStrip(TrainingService& service, QWidget* parent)
    : QWidget(parent),
      service_(service),
      which_(new ChoiceBox(this)),
      bar_(new QProgressBar(this)),
      progress_(new QLabel(this)),
      pause_(new FlatButton(this)),
      stop_(new FlatButton(this)),
      go_on_(new FlatButton(this)),
      remove_(new FlatButton(this)),
      open_(new FlatButton(this)),
      save_(new FlatButton(this)) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 8, 12, 4);
  row->setSpacing(6);
  bar_->setRange(0, whole);
  bar_->setTextVisible(false);
  progress_->setProperty("role", "mute");
  progress_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  progress_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // what grows moves nothing
  row->addWidget(which_);
  for (FlatButton* button : {open_, save_, pause_, stop_, go_on_, remove_}) row->addWidget(button);
  row->addWidget(bar_);
  row->addWidget(progress_, 1);
  row->addStretch();
  connect(which_, &QComboBox::currentIndexChanged, this, [this](int index) {
    shown_ = index;
    refresh();
    emit chosen(index);
  });
  connect(pause_, &QAbstractButton::clicked, this, [this] { service_.setPaused(!service_.paused()); });
  connect(stop_, &QAbstractButton::clicked, this, [this] { service_.stop(); });
  connect(go_on_, &QAbstractButton::clicked, this, [this] { service_.goOn(shown_); });
  connect(remove_, &QAbstractButton::clicked, this, [this] { service_.remove(shown_); });
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
  go_on_->setText(tr("Go on"));
  go_on_->setNames(tr("Go on where this training ended"));
  remove_->setText(tr("Remove"));
  remove_->setNames(tr("Take this comparison off the list, with everything that was kept of it"));
  open_->setNames(tr("Open a saved comparison"));
  save_->setNames(tr("Save settings, curves, attention and results in one file"));
  refresh();
}

void RunStrip::refresh() {
  const QSignalBlocker quiet(which_);
  shown_ = std::min(shown_, static_cast<int>(service_.all().size()) - 1);
  which_->clear();
  for (const auto& training : service_.all()) {
    QString state;
    if (training->state == Training::State::waiting) state = tr("waiting");
    if (training->state == Training::State::running) state = service_.paused() ? tr("paused") : tr("running");
    if (training->state == Training::State::stopped) state = tr("stopped");
    if (training->state == Training::State::interrupted) state = tr("interrupted");
    if (!training->shipped.empty()) state = tr("shipped");
    const QString tail = state.isEmpty() ? QString() : QStringLiteral(" · ") + state;
    which_->addItem(shownName(*training) + tail);
    which_->setItemData(which_->count() - 1, tail, ChoiceBox::tail_role);
  }
  which_->setCurrentIndex(shown_);
  which_->setVisible(which_->count() > 0);
  pause_->setText(service_.paused() ? tr("Resume") : tr("Pause"));
  pause_->setNames(service_.paused() ? tr("Go on with this training") : tr("Stop for a while; nothing is lost"));
  keepPlaces();
  showButtons();
  service_.busy() ? tick_.start() : tick_.stop();
  followProgress();
}

/// “Pause” and “Resume” take the same room, and the box has its share of the width whatever it says. In a narrow strip
/// the buttons of files are icons, as in the tool bar: cut words would not tell them apart.
void RunStrip::keepPlaces() {
  constexpr int widest = 360, share = 4, bar_share = 10, bar_from = 800, words_from = 600;
  const bool words = width() >= words_from;
  const int narrowest = words ? 160 : 136;
  const auto show = [words](FlatButton* button, const QString& text, const QString& icon) {
    button->setText(words ? text : QString());
    button->setIconName(words ? QString() : icon);
  };
  show(open_, tr("Open results…"), QStringLiteral("open"));
  show(save_, tr("Save results…"), QStringLiteral("save"));
  const QString now = pause_->text();
  int wide = 0;
  for (const QString& text : {tr("Pause"), tr("Resume")}) {
    pause_->setText(text);
    wide = std::max(wide, pause_->sizeHint().width());
  }
  pause_->setText(now);
  pause_->setFixedWidth(wide);
  which_->setFixedWidth(std::clamp(width() / share, narrowest, widest));
  bar_->setFixedWidth(width() < bar_from ? 0 : width() / bar_share);  // the text tells it, too
}

void RunStrip::resizeEvent(QResizeEvent* event) {
  keepPlaces();
  QWidget::resizeEvent(event);
}

void RunStrip::showButtons() {
  bar_->setVisible(service_.busy());
  progress_->setVisible(service_.busy());
  // They stay in their places: a second click on “Stop” must not meet what would come there.
  for (FlatButton* button : {pause_, stop_}) button->setEnabled(service_.busy());
  const Training* shown = shown_ < 0 ? nullptr : service_.all()[static_cast<std::size_t>(shown_)].get();
  go_on_->setVisible(shown && shown->canGoOn());
  remove_->setVisible(shown && shown_ != service_.running());
  save_->setEnabled(shown != nullptr);
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
