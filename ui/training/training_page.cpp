// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/training_page.h"

#include "core/train/ready_experiments.h"
#include "ui/controls/flat_button.h"
#include "ui/controls/theme.h"
#include "ui/training/attention_tab.h"
#include "ui/training/curves_tab.h"
#include "ui/training/kept_model.h"
#include "ui/training/length_tab.h"
#include "ui/training/run_strip.h"
#include "ui/training/setup_panel.h"
#include "ui/training/shipped_results.h"
#include "ui/training/summary_tab.h"
#include "ui/window/message_strip.h"

#include <algorithm>
#include <QEvent>
#include <QFileDialog>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace posiscope::ui {
namespace {

constexpr int left_width = 304;
constexpr int link_indent = 8;  ///< a link has four pixels of its own: its text stands where the titles do

}  // namespace

/// A text above what is worked with: it takes a share of the height at most, and scrolls where it is longer.
class GivingWay : public QScrollArea {
 public:
  GivingWay(QLabel* text, QWidget* parent) : QScrollArea(parent), text_(text) {
    setObjectName(QStringLiteral("centre"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWidget(text);
    parent->installEventFilter(this);
  }

  void fit() {
    constexpr double share = 0.35;
    const int whole = std::max(0, text_->heightForWidth(parentWidget()->width()));  // −1 without a text
    setFixedHeight(std::clamp(static_cast<int>(share * parentWidget()->height()), 0, whole));
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (watched == parentWidget() && event->type() == QEvent::Resize) fit();
    return QScrollArea::eventFilter(watched, event);
  }

 private:
  QLabel* text_;
};

TrainingPage::TrainingPage(QWidget* parent) : QWidget(parent), setup_(new SetupPanel(this)) {
  setObjectName(QStringLiteral("centre"));
  setAttribute(Qt::WA_StyledBackground);
  auto* row = new QVBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  splitter_ = new QSplitter(this);
  splitter_->setHandleWidth(1);
  splitter_->setChildrenCollapsible(false);
  splitter_->addWidget(buildLeft());
  splitter_->addWidget(buildRight());
  splitter_->setStretchFactor(1, 1);
  splitter_->setSizes({left_width, 1000});
  row->addWidget(splitter_);
  connectParts();
  retranslate();
  showTab(0);
  setup_->setBusy(service_.busy());  // what was left finished is read again
  if (!service_.all().empty()) showTraining(static_cast<int>(service_.all().size()) - 1);
}

QWidget* TrainingPage::buildLeft() {
  auto* left = setup_;
  left->setObjectName(QStringLiteral("panel"));
  left->setAttribute(Qt::WA_StyledBackground);
  left->setMinimumWidth(280);
  left->setMaximumWidth(420);
  auto* column = new QVBoxLayout(left);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  back_ = new FlatButton(left);
  back_->setLook(FlatButton::Look::link);
  auto* top = new QHBoxLayout;
  top->setContentsMargins(link_indent, 4, 12, 0);
  top->addWidget(back_);
  top->addStretch(1);
  addHistory(top);
  column->addLayout(top);
  auto* area = new QScrollArea(left);
  area->setObjectName(QStringLiteral("panel"));
  area->setFrameShape(QFrame::NoFrame);
  area->setWidgetResizable(true);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->setFocusPolicy(Qt::NoFocus);
  area->setWidget(setup_->settings());
  column->addWidget(area, 1);
  column->addWidget(setup_->launch());
  return left;
}

/// The settings have steps of their own; while the page is shown the commands of the views, which have the same keys,
/// rest.
void TrainingPage::addHistory(QBoxLayout* to) {
  undo_ = new FlatButton(setup_);
  undo_->setIconName(QStringLiteral("undo"));
  redo_ = new FlatButton(setup_);
  redo_->setIconName(QStringLiteral("redo"));
  for (FlatButton* button : {undo_, redo_}) {
    button->setCompact(true);
    to->addWidget(button);
  }
  connect(undo_, &QAbstractButton::clicked, setup_, &SetupPanel::undo);
  connect(redo_, &QAbstractButton::clicked, setup_, &SetupPanel::redo);
  const auto addKey = [this](const QKeySequence& keys, void (SetupPanel::*step)()) {
    connect(new QShortcut(keys, this), &QShortcut::activated, setup_, step);
  };
  addKey(QKeySequence(Qt::CTRL | Qt::Key_Z), &SetupPanel::undo);
  addKey(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), &SetupPanel::redo);
  addKey(QKeySequence(Qt::CTRL | Qt::Key_Y), &SetupPanel::redo);
  connect(setup_, &SetupPanel::historyChanged, this, &TrainingPage::followHistory);
  followHistory();
}

void TrainingPage::followHistory() {
  undo_->setEnabled(setup_->canUndo());
  redo_->setEnabled(setup_->canRedo());
}

QWidget* TrainingPage::buildRight() {
  auto* right = new QWidget(splitter_);
  auto* column = right_ = new QVBoxLayout(right);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  messages_ = new MessageStrip(right);
  column->addWidget(messages_);
  strip_ = new RunStrip(service_, right);
  column->addWidget(strip_);
  words_ = new QLabel(right);
  words_->setWordWrap(true);
  words_->setContentsMargins(14, 4, 14, 4);
  words_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  words_area_ = new GivingWay(words_, right);
  words_area_->hide();
  column->addWidget(words_area_);
  auto* bar = new QHBoxLayout;
  bar->setContentsMargins(12, 2, 12, 2);
  bar->setSpacing(4);
  stack_ = new QStackedWidget(right);
  tabs_ = {curves_ = new CurvesTab(stack_), attention_ = new AttentionTab(stack_), lengths_ = new LengthTab(stack_),
           summary_ = new SummaryTab(stack_)};
  for (std::size_t t = 0; t < tabs_.size(); ++t) {
    stack_->addWidget(tabs_[t]);
    auto* button = new FlatButton(right);
    button->setCheckable(true);
    bar->addWidget(button);
    tab_buttons_.push_back(button);
    connect(button, &QAbstractButton::clicked, this, [this, t] { showTab(static_cast<int>(t)); });
  }
  bar->addStretch(1);
  column->addLayout(bar);
  column->addWidget(stack_, 1);
  return right;
}

void TrainingPage::connectParts() {
  connect(back_, &QAbstractButton::clicked, this, &TrainingPage::leaveWanted);
  connect(setup_, &SetupPanel::startWanted, this, [this](const QString& name, const train::ComparisonSpec& spec) {
    const bool was_busy = service_.busy();
    const int index = service_.add(name, spec);
    if (!was_busy) showTraining(index);
  });
  connect(setup_, &SetupPanel::experimentChosen, this, [this](const std::string& id) {
    chosen_ = id;
    const auto& ready = train::readyExperiments();
    const auto experiment = std::ranges::find(ready, id, &train::ReadyExperiment::id);
    if (hasShippedResults(id)) service_.openShipped(id, currentStyle().text(experiment->name));
    showWords();
  });
  connect(setup_, &SetupPanel::historyChanged, this, &TrainingPage::showWords);
  connect(strip_, &RunStrip::chosen, this, [this] {
    chosen_.clear();
    refresh();
  });
  connect(strip_, &RunStrip::openWanted, this, &TrainingPage::askOpen);
  connect(strip_, &RunStrip::saveWanted, this, &TrainingPage::askSave);
  connect(&service_, &TrainingService::queueChanged, this, [this] {
    setup_->setBusy(service_.busy());
    refresh();
  });
  connect(&service_, &TrainingService::removing, this, [this] {
    for (ResultTab* tab : tabs_) tab->setTraining(nullptr);
  });
  connect(&service_, &TrainingService::opened, this, [this](int index) {
    // Somebody who has gone on meanwhile, with Start or to another one, is not taken back.
    const std::string& shipped = service_.all()[static_cast<std::size_t>(index)]->shipped;
    if (shipped.empty() || shipped == chosen_) showTraining(index);
  });
  connect(summary_, &SummaryTab::modelWanted, this, [this](const QString& folder) {
    const QString model = keptModel(folder);
    emit modelWanted(model.isEmpty() ? folder : model);
  });
  connect(&service_, &TrainingService::changed, this, [this](int index) {
    if (index == strip_->shown() && isVisible()) refresh();
  });
  connect(&service_, &TrainingService::problemFound, this,
          [this](const Error& error) { messages_->show(MessageKind::problem, currentStyle().text(error.message)); });
  connect(&service_, &TrainingService::saved, this, [this](const QString& path) {
    messages_->showNewest(QStringLiteral("saved"), MessageKind::note, tr("Saved: %1").arg(path));
  });
}

void TrainingPage::showTraining(int index) {
  chosen_.clear();
  strip_->show(index);
  refresh();
}

void TrainingPage::welcome() {
  const train::ReadyExperiment& first = train::readyExperiments().front();
  if (service_.all().empty() && setup_->spec() == first.spec) setup_->choose(first);
}

void TrainingPage::takeMessages(QWidget* messages) { right_->insertWidget(0, messages); }

void TrainingPage::openExportMenu(const QPoint& corner) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  tabs_[static_cast<std::size_t>(stack_->currentIndex())]->addExportsTo(menu);
  if (menu->isEmpty()) menu->addAction(tr("Nothing to export yet"))->setEnabled(false);
  menu->popup(corner);
}

void TrainingPage::showTab(int tab) {
  stack_->setCurrentIndex(tab);
  for (std::size_t t = 0; t < tab_buttons_.size(); ++t) tab_buttons_[t]->setChecked(static_cast<int>(t) == tab);
  refresh();
}

const Training* TrainingPage::shown() const {
  const int index = strip_->shown();
  return index < 0 ? nullptr : service_.all()[static_cast<std::size_t>(index)].get();
}

/// Only what is seen is drawn: numbers come several times a second.
void TrainingPage::refresh() {
  tabs_[static_cast<std::size_t>(stack_->currentIndex())]->setTraining(shown());
  showWords();
}

QString TrainingPage::shippedText(const Training& training) const {
  const QString from =
      tr("These results came with the program: trained on %1 by version %2.")
          .arg(QString::fromStdString(training.record.date), QString::fromStdString(training.record.version));
  if (setup_->spec() != training.record.spec) return from;
  return from + tr(" The settings were exactly those at the left: “Train anew” does it here.");
}

/// What to look for in a ready experiment, and where its numbers come from.
void TrainingPage::showWords() {
  const Style& style = currentStyle();
  const Training* training = shown();
  QStringList lines;
  for (const train::ReadyExperiment& experiment : train::readyExperiments())
    if (chosen_.empty() ? training && training->record.spec == experiment.spec : experiment.id == chosen_)
      lines << style.text(experiment.question) << style.text(experiment.look_for);
  if (training && !training->shipped.empty() && (chosen_.empty() || chosen_ == training->shipped))
    lines << shippedText(*training);
  if (training && training->state == Training::State::interrupted)
    lines << tr("The program ended while this was trained. “Go on” continues from the last checkpoint.");
  words_->setText(lines.join(QLatin1Char('\n')));
  words_area_->setVisible(!lines.isEmpty());
  words_area_->fit();
}

void TrainingPage::askOpen() {
  auto* dialog = new QFileDialog(window(), tr("Open a comparison"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  dialog->setNameFilters({tr("Comparisons (*.safetensors)")});
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) { service_.open(path); });
  dialog->open();
}

void TrainingPage::askSave() {
  const Training* training = shown();
  if (!training) return;
  auto* dialog = new QFileDialog(window(), tr("Save the comparison"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setNameFilters({tr("Comparisons (*.safetensors)")});
  dialog->setDefaultSuffix(QStringLiteral("safetensors"));
  dialog->selectFile(shownName(*training) + QStringLiteral(".safetensors"));
  connect(dialog, &QFileDialog::fileSelected, this, [this, training](const QString& path) {
    // It may have been removed, or moved up, while the dialog was open.
    for (std::size_t i = 0; i < service_.all().size(); ++i)
      if (service_.all()[i].get() == training) service_.save(static_cast<int>(i), path);
  });
  dialog->open();
}

void TrainingPage::retranslate() {
  back_->setText(tr("← back to the views"));
  back_->setNames(tr("Back to the views"), QStringLiteral("Ctrl+T"));
  undo_->setNames(tr("Undo the last change of the settings"), QStringLiteral("Ctrl+Z"));
  redo_->setNames(tr("Redo the change of the settings"), QStringLiteral("Ctrl+Shift+Z"));
  const QStringList names{tr("Curves"), tr("Attention"), tr("Beyond the length"), tr("All runs")};
  for (std::size_t t = 0; t < tab_buttons_.size(); ++t) {
    tab_buttons_[t]->setText(names[static_cast<qsizetype>(t)]);
    tab_buttons_[t]->updateGeometry();
  }
  strip_->retranslate();
  for (ResultTab* tab : tabs_) tab->retranslate();
  showWords();
}

void TrainingPage::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange && !tabs_.empty()) retranslate();
  QWidget::changeEvent(event);
}

/// What came while it was hidden has not been drawn.
void TrainingPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

}  // namespace posiscope::ui

#include "moc_training_page.cpp"
