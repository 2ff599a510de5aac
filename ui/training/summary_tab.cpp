// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/summary_tab.h"

#include "core/files/reader.h"
#include "ui/controls/flat_button.h"
#include "ui/controls/theme.h"
#include "ui/training/encoding_names.h"
#include "ui/training/soundness_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <QClipboard>
#include <QFileDialog>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPixmap>
#include <QTableWidget>
#include <QToolTip>
#include <QVBoxLayout>

namespace posiscope::ui {
namespace {

constexpr std::size_t number_columns = 13;
constexpr int name_width = 118;
constexpr int least_width = 66;
constexpr int room = 20;  ///< beside a title, for the arrow of the order

/// Sorts by its number; a missing one comes last.
class NumberItem : public QTableWidgetItem {
 public:
  explicit NumberItem(double value, int significant = 3)
      : QTableWidgetItem(std::isnan(value) ? QString() : numberText(value, significant)), value_(value) {
    setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    setFont(currentStyle().digits(12));
  }
  bool operator<(const QTableWidgetItem& other) const override {
    const auto* number = dynamic_cast<const NumberItem*>(&other);
    if (!number) return QTableWidgetItem::operator<(other);
    const auto rank = [](double value) { return std::isnan(value) ? std::numeric_limits<double>::infinity() : value; };
    return rank(value_) < rank(number->value_);
  }

 private:
  double value_;
};

double lossAt(const train::Results& results, double factor) {
  for (const train::LengthPoint& point : results.lengths)
    if (point.factor == factor && point.scaling == "none" && point.found) return point.found->loss;
  return std::nan("");
}

/// The numbers of a run in the order of the columns behind its state.
std::vector<double> numbersOf(const train::RunRecord& run) {
  const double none = std::nan("");
  std::vector<double> numbers{static_cast<double>(run.spec.seed), static_cast<double>(run.steps()),
                              run.parameters > 0 ? static_cast<double>(run.parameters) : none,
                              run.parameters > 0 ? static_cast<double>(run.position_parameters) : none};
  if (!run.results) {
    numbers.resize(number_columns, none);
    return numbers;
  }
  const train::Results& r = *run.results;
  const double shuffled = r.shuffled_positions ? r.shuffled_positions->accuracy : none;
  for (const double value : {r.evaluation.loss, r.evaluation.accuracy, lossAt(r, 2), lossAt(r, 4), lossAt(r, 8),
                             r.index_probe.r2, r.index_probe.hit, r.without_position.accuracy, shuffled})
    numbers.push_back(value);
  return numbers;
}

}  // namespace

SummaryTab::SummaryTab(QWidget* parent)
    : ResultTab(parent),
      table_(new QTableWidget(this)),
      csv_(new FlatButton(this)),
      copy_(new FlatButton(this)),
      open_(new FlatButton(this)),
      checklist_(new QLabel(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 4, 12, 12);
  column->setSpacing(8);
  auto* controls = new QHBoxLayout;
  controls->addWidget(open_);
  controls->addWidget(csv_);
  controls->addWidget(copy_);
  controls->addStretch(1);
  column->addLayout(controls);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setShowGrid(false);
  table_->setFrameShape(QFrame::NoFrame);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(26);
  table_->horizontalHeader()->setHighlightSections(false);
  column->addWidget(table_, 1);
  checklist_->setWordWrap(true);
  checklist_->setProperty("role", "mute");
  checklist_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(checklist_);
  const auto open_chosen = [this] {
    if (const QString model = chosenModel(); !model.isEmpty()) emit modelWanted(model);
  };
  connect(open_, &QAbstractButton::clicked, this, open_chosen);
  connect(table_, &QTableWidget::cellActivated, this, open_chosen);
  connect(table_, &QTableWidget::itemSelectionChanged, this, &SummaryTab::showChoice);
  connect(csv_, &QAbstractButton::clicked, this, &SummaryTab::saveCsv);
  connect(copy_, &QAbstractButton::clicked, this, [this] {
    if (training_) QGuiApplication::clipboard()->setText(QString::fromStdString(train::summaryCsv(training_->record)));
  });
  retranslate();
}

QString SummaryTab::checklist() const { return checklist_->text(); }

void SummaryTab::setTraining(const Training* training) {
  training_ = training;
  refresh();
}

void SummaryTab::refresh() {
  const int sorted = table_->horizontalHeader()->sortIndicatorSection();
  table_->setSortingEnabled(false);
  const std::size_t runs = training_ ? training_->record.runs.size() : 0;
  table_->setRowCount(static_cast<int>(runs));
  for (std::size_t r = 0; r < runs; ++r) {
    const train::RunRecord& run = training_->record.runs[r];
    const std::size_t position = r / training_->record.spec.seeds.size();
    auto* name = new QTableWidgetItem(encodingName(training_->record.spec, position, currentStyle()));
    QPixmap mark(10, 10);
    mark.fill(encodingColour(training_->record.spec, position, currentStyle()));
    name->setIcon(mark);
    name->setData(Qt::UserRole, static_cast<int>(r));
    const auto row = static_cast<int>(r);
    if (!run.refused.en.empty()) {
      name->setText(name->text() + QStringLiteral(" · ") + tr("refused"));
      name->setToolTip(currentStyle().text(run.refused));
    }
    table_->setItem(row, 0, name);
    int c = 1;
    for (const double number : numbersOf(run)) table_->setItem(row, c++, new NumberItem(number));
  }
  table_->setSortingEnabled(true);
  if (sorted < table_->columnCount()) table_->sortByColumn(sorted, table_->horizontalHeader()->sortIndicatorOrder());
  csv_->setEnabled(runs > 0);
  copy_->setEnabled(runs > 0);
  checklist_->setText(training_ ? soundnessText(training_->record) : QString());
  showChoice();
}

QString SummaryTab::chosenModel() const {
  const QList<QTableWidgetItem*> chosen = table_->selectedItems();
  const QTableWidgetItem* name = chosen.isEmpty() ? nullptr : table_->item(chosen.front()->row(), 0);
  if (!training_ || !name) return {};
  const auto run = static_cast<std::size_t>(name->data(Qt::UserRole).toInt());
  return run < training_->record.runs.size() ? training_->modelFolder(run) : QString();
}

void SummaryTab::showChoice() {
  open_->setEnabled(!chosenModel().isEmpty());
  if (!training_ || training_->folder)
    open_->setNames(tr("Open the trained model of the chosen row in the attention views, once its training has ended"));
  else
    open_->setNames(tr("These are numbers read from a file, which holds no weights; trained here the models open"));
}

void SummaryTab::addExportsTo(QMenu* menu) {
  if (!csv_->isEnabled()) return;
  menu->addAction(csv_->text(), this, &SummaryTab::saveCsv);
  menu->addAction(copy_->text(), copy_, &QAbstractButton::click);
}

void SummaryTab::saveCsv() {
  if (!training_) return;
  auto* dialog = new QFileDialog(window(), tr("Save the table"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setNameFilters({tr("Tables (*.csv)")});
  dialog->setDefaultSuffix(QStringLiteral("csv"));
  connect(dialog, &QFileDialog::fileSelected, this,
          [this, csv = train::summaryCsv(training_->record)](const QString& path) {
            if (const Outcome ok = files::writeAtomically(path.toStdString(), csv); !ok)
              QToolTip::showText(csv_->mapToGlobal(QPoint(0, csv_->height())), currentStyle().text(ok.error().message),
                                 csv_);
          });
  dialog->open();
}

void SummaryTab::retranslate() {
  open_->setText(tr("Open in the attention views"));
  csv_->setText(tr("Save as CSV…"));
  csv_->setNames(tr("Save the table as CSV"));
  copy_->setText(tr("Copy as CSV"));
  copy_->setNames(tr("Copy the table as CSV"));
  const QStringList columns{tr("encoding"), tr("seed"),      tr("steps"),        tr("parameters"),   tr("of position"),
                            tr("loss"),     tr("accuracy"),  tr("loss 2×"),      tr("loss 4×"),      tr("loss 8×"),
                            tr("index R²"), tr("index hit"), tr("acc. without"), tr("acc. shuffled")};
  table_->setColumnCount(static_cast<int>(columns.size()));
  table_->setHorizontalHeaderLabels(columns);
  const QStringList helps{{},
                          tr("Of start values and data"),
                          tr("Trained so far"),
                          tr("All learned parameters"),
                          tr("How many of the parameters belong to the encoding"),
                          tr("Evaluation split"),
                          tr("Evaluation split"),
                          tr("Loss at twice the trained length, without further training"),
                          tr("Loss at four times the trained length, without further training"),
                          tr("Loss at eight times the trained length, without further training"),
                          tr("How much of a token's index can be read off its last hidden row by ridge regression"),
                          tr("Share of the tokens whose index is read off exactly, rounded"),
                          tr("Accuracy of the same weights without their encoding"),
                          tr("Accuracy when every token is told another one's position")};
  for (int c = 0; c < table_->columnCount(); ++c) table_->horizontalHeaderItem(c)->setToolTip(helps[c]);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
  table_->horizontalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
  table_->horizontalHeaderItem(0)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  const QFontMetrics metrics(currentStyle().font(11));  // what the header is drawn with
  for (int c = 0; c < table_->columnCount(); ++c)
    table_->setColumnWidth(c,
                           c == 0 ? name_width : std::max(least_width, metrics.horizontalAdvance(columns[c]) + room));
  table_->setAccessibleName(tr("All runs"));
  refresh();
}

}  // namespace posiscope::ui

#include "moc_summary_tab.cpp"
