// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/length_tab.h"

#include "ui/controls/choice_box.h"
#include "ui/controls/flat_button.h"
#include "ui/controls/theme.h"
#include "ui/training/plot_area.h"
#include "ui/training/plot_box.h"
#include "ui/training/training_plots.h"

#include <array>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QVBoxLayout>

namespace posiscope::ui {
namespace {

constexpr std::array factors{1.0, 1.5, 2.0, 4.0, 8.0};  ///< that are measured
constexpr int first_factor = 3;
/// Eight encodings and the scalings of a rotation have their names in the legend and in the box of values.
constexpr int least_height = 356;
constexpr int two_columns_from = 1000;  ///< the legend has three rows in each

}  // namespace

LengthTab::LengthTab(QWidget* parent)
    : ResultTab(parent),
      last_eighth_(new FlatButton(this)),
      log_values_(new FlatButton(this)),
      factor_name_(new QLabel(this)),
      factor_(new ChoiceBox(this)),
      plots_(new QWidget),
      grid_(new QGridLayout(plots_)),
      by_length_(new PlotBox(plots_)),
      by_position_(new PlotBox(plots_)),
      fine_tune_(new PlotBox(plots_)),
      words_(new QLabel(plots_)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* controls = new QHBoxLayout;
  controls->setContentsMargins(12, 4, 12, 4);
  controls->setSpacing(6);
  for (FlatButton* button : {last_eighth_, log_values_}) {
    button->setCheckable(true);
    controls->addWidget(button);
    connect(button, &QAbstractButton::clicked, this, &LengthTab::refresh);
  }
  factor_name_->setProperty("role", "mute");
  controls->addWidget(factor_name_);
  controls->addWidget(factor_);
  controls->addStretch(1);
  column->addLayout(controls);
  words_->setWordWrap(true);
  words_->setProperty("role", "mute");
  column->addWidget(makePlotArea(plots_, this), 1);
  grid_->setContentsMargins(12, 4, 12, 12);
  grid_->setSpacing(8);
  for (PlotBox* box : {by_length_, by_position_, fine_tune_}) box->setMinimumHeight(least_height);
  by_length_->setMeasured({factors.begin(), factors.end()});
  for (const double factor : factors) factor_->addItem(QStringLiteral("%1×").arg(numberText(factor)));
  factor_->setCurrentIndex(first_factor);
  connect(factor_, &QComboBox::currentIndexChanged, this, &LengthTab::refresh);
  retranslate();
  arrange();
}

void LengthTab::arrange() {
  const int columns = width() >= two_columns_from ? 2 : 1;
  if (columns == columns_) return;
  columns_ = columns;
  const int last = columns - 1;
  grid_->addWidget(by_length_, 0, 0);
  grid_->addWidget(by_position_, columns == 2 ? 0 : 1, last);
  grid_->addWidget(fine_tune_, 2, 0, 1, columns);
  grid_->addWidget(words_, 3, 0, 1, columns);
  // What is empty would take its share as well.
  grid_->setRowStretch(0, 1);
  grid_->setRowStretch(1, columns == 1 ? 1 : 0);
  grid_->setColumnStretch(0, 1);
  grid_->setColumnStretch(1, last);
}

void LengthTab::resizeEvent(QResizeEvent* event) {
  ResultTab::resizeEvent(event);
  arrange();
}

void LengthTab::setTraining(const Training* training) {
  training_ = training;
  refresh();
}

void LengthTab::refresh() {
  const bool tuned = training_ && training_->record.spec.run.fine_tune.steps > 0;
  fine_tune_->setVisible(tuned);
  grid_->setRowStretch(2, tuned ? 1 : 0);
  if (training_) {
    fine_tune_->setTitle(
        tr("Fine-tuned at %1× the trained length").arg(numberText(training_->record.spec.run.fine_tune.factor)));
    fine_tune_->setPlot(fineTunePlot(*training_, log_values_->isChecked(), currentStyle()));
  }
  Plot nothing;
  nothing.centred = tr("Choose an experiment and press Start.");
  if (!training_) {
    by_length_->setPlot(nothing);
    return by_position_->setPlot(nothing);
  }
  const auto loss = last_eighth_->isChecked() ? train::LengthLoss::last_eighth : train::LengthLoss::whole;
  by_length_->setPlot(lengthPlot(*training_, loss, log_values_->isChecked(), currentStyle()));
  const double factor = factors[static_cast<std::size_t>(factor_->currentIndex())];
  by_position_->setPlot(positionPlot(*training_, factor, log_values_->isChecked(), currentStyle()));
}

void LengthTab::addExportsTo(QMenu* menu) {
  for (PlotBox* box : {by_length_, by_position_, fine_tune_})
    if (box->drawable() && !box->isHidden()) box->addExportsTo(menu->addMenu(box->title()));
}

void LengthTab::retranslate() {
  last_eighth_->setText(tr("last eighth only"));
  last_eighth_->setNames(tr("The loss of the last eighth of the positions: the whole sequence hides a late collapse"));
  log_values_->setText(tr("log values"));
  log_values_->setNames(tr("Logarithmic axis of values"));
  factor_name_->setText(tr("by position at"));
  factor_->setAccessibleName(tr("Multiple of the trained length"));
  by_length_->setTitle(tr("Loss beyond the trained length"));
  by_position_->setTitle(tr("Loss by position"));
  words_->setText(
      tr("The same weights on longer sequences, without further training. A rotation is also stretched by the "
         "same factor: interpolation, NTK, YaRN. Pictures grow in both directions, by the root of it."));
  refresh();
}

}  // namespace posiscope::ui

#include "moc_length_tab.cpp"
