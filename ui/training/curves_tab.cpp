// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/curves_tab.h"

#include "ui/controls/choice_box.h"
#include "ui/controls/flat_button.h"
#include "ui/controls/theme.h"
#include "ui/training/plot_area.h"
#include "ui/training/plot_box.h"

#include <array>
#include <QGridLayout>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace posiscope::ui {
namespace {

using train::Quantity;

constexpr std::array quantities{Quantity::evaluation_loss, Quantity::evaluation_accuracy, Quantity::loss,
                                Quantity::accuracy,        Quantity::position_gradient,   Quantity::word_gradient,
                                Quantity::gradient_ratio,  Quantity::row_ratio,           Quantity::learning_rate};
constexpr std::array<std::int64_t, 4> windows{1, 5, 25, 100};
constexpr int two_columns_from = 820;
constexpr int box_height = 280;

}  // namespace

CurvesTab::CurvesTab(QWidget* parent)
    : ResultTab(parent),
      plots_(new QWidget),
      grid_(new QGridLayout(plots_)),
      log_steps_(new FlatButton(this)),
      log_values_(new FlatButton(this)),
      smoothing_name_(new QLabel(this)),
      smoothing_(new ChoiceBox(this)) {
  look_.window = 5;
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* controls = new QHBoxLayout;
  controls->setContentsMargins(12, 4, 12, 4);
  controls->setSpacing(6);
  for (FlatButton* button : {log_steps_, log_values_}) {
    button->setCheckable(true);
    controls->addWidget(button);
  }
  smoothing_name_->setProperty("role", "mute");
  controls->addWidget(smoothing_name_);
  controls->addWidget(smoothing_);
  controls->addStretch(1);
  column->addLayout(controls);
  column->addWidget(makePlotArea(plots_, this), 1);
  grid_->setContentsMargins(12, 4, 12, 12);
  grid_->setSpacing(8);
  for (std::size_t q = 0; q < quantities.size(); ++q) boxes_.push_back(new PlotBox(plots_));
  for (PlotBox* box : boxes_) {
    box->setFixedHeight(box_height);
    for (PlotBox* other : boxes_)
      if (other != box) connect(box, &PlotBox::readingChanged, other, &PlotBox::setReading);
  }
  connect(log_steps_, &QAbstractButton::clicked, this, [this](bool on) { look_.log_steps = on, refresh(); });
  connect(log_values_, &QAbstractButton::clicked, this, [this](bool on) { look_.log_values = on, refresh(); });
  connect(smoothing_, &QComboBox::currentIndexChanged, this,
          [this](int index) { look_.window = windows[static_cast<std::size_t>(index)], refresh(); });
  retranslate();
  arrange();
}

PlotBox* CurvesTab::box(Quantity quantity) const {
  for (std::size_t q = 0; q < quantities.size(); ++q)
    if (quantities[q] == quantity) return boxes_[q];
  return nullptr;
}

void CurvesTab::setLook(const StepLook& look) {
  look_ = look;
  log_steps_->setChecked(look.log_steps);
  log_values_->setChecked(look.log_values);
  refresh();
}

void CurvesTab::setTraining(const Training* training) {
  training_ = training;
  refresh();
}

void CurvesTab::refresh() {
  for (std::size_t q = 0; q < quantities.size(); ++q) {
    Plot nothing;
    nothing.centred = tr("Choose an experiment and press Start.");
    boxes_[q]->setPlot(training_ ? quantityPlot(*training_, quantities[q], look_, currentStyle()) : nothing);
  }
}

void CurvesTab::retranslate() {
  log_steps_->setText(tr("log steps"));
  log_steps_->setNames(tr("Logarithmic axis of steps"));
  log_values_->setText(tr("log values"));
  log_values_->setNames(tr("Logarithmic axis of values"));
  smoothing_name_->setText(tr("training curves:"));
  const QSignalBlocker quiet(smoothing_);
  smoothing_->clear();
  smoothing_->setAccessibleName(tr("Smoothing of the training curves"));
  for (const std::int64_t window : windows)
    smoothing_->addItem(window == 1 ? tr("every step") : tr("mean of %1 steps").arg(window));
  for (std::size_t w = 0; w < windows.size(); ++w)
    if (windows[w] == look_.window) smoothing_->setCurrentIndex(static_cast<int>(w));
  const QStringList titles{tr("Evaluation loss"),
                           tr("Evaluation accuracy"),
                           tr("Training loss"),
                           tr("Training accuracy"),
                           tr("Position gradient"),
                           tr("Word gradient"),
                           tr("Position gradient / word gradient"),
                           tr("Position rows / word rows"),
                           tr("Learning rate")};
  for (std::size_t q = 0; q < boxes_.size(); ++q) boxes_[q]->setTitle(titles[static_cast<qsizetype>(q)]);
  refresh();
}

void CurvesTab::addExportsTo(QMenu* menu) {
  for (PlotBox* box : boxes_)
    if (box->drawable()) box->addExportsTo(menu->addMenu(box->title()));
}

void CurvesTab::arrange() {
  const int columns = width() >= two_columns_from ? 2 : 1;
  if (columns == columns_) return;
  columns_ = columns;
  for (int b = 0; b < static_cast<int>(boxes_.size()); ++b)
    grid_->addWidget(boxes_[static_cast<std::size_t>(b)], b / columns, b % columns);
}

void CurvesTab::resizeEvent(QResizeEvent* event) {
  ResultTab::resizeEvent(event);
  arrange();
}

}  // namespace posiscope::ui

#include "moc_curves_tab.cpp"
