// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/setup_panel.h"

#include "core/train/ready_experiments.h"
#include "ui/controls/flat_button.h"
#include "ui/controls/theme.h"
#include "ui/panels/param_form.h"
#include "ui/panels/section.h"
#include "ui/training/encoding_list.h"
#include "ui/training/setup_values.h"
#include "ui/training/shipped_results.h"
#include "ui/training/start_button.h"
#include "ui/training/time_text.h"

#include <algorithm>
#include <cmath>
#include <QEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace posiscope::ui {
namespace {

constexpr int patience_ms = 400;  ///< after the last change, before steps are tried for the estimate

}  // namespace

SetupPanel::SetupPanel(QWidget* parent)
    : QWidget(parent),
      spec_(train::readyExperiments().front().spec),
      history_(spec_),
      settings_(new QWidget(this)),
      launch_(new QWidget(this)),
      task_(new ParamForm(settings_)),
      file_(new FlatButton(settings_)),
      model_(new ParamForm(settings_)),
      encodings_(new EncodingList(settings_)),
      training_(new ParamForm(settings_)),
      rest_(new ParamForm(settings_)),
      more_(new FlatButton(settings_)),
      cost_(new QLabel(launch_)),
      problem_(new QLabel(launch_)),
      start_(new StartButton(launch_)) {
  buildSettings();
  buildLaunch();
  for (ParamForm* form : {task_, model_, training_, rest_}) connectForm(form);
  connect(encodings_, &EncodingList::edited, this, [this](const QString& gesture) {
    spec_.positions = encodings_->positions();
    touched(gesture.isEmpty() ? gesture : QStringLiteral("encodings/") + gesture);
  });
  connect(encodings_, &EncodingList::finished, this, &SetupPanel::endGesture);
  connect(file_, &QAbstractButton::clicked, this, &SetupPanel::chooseTextFile);
  connect(more_, &QAbstractButton::clicked, this, [this] {
    rest_->setVisible(rest_->isHidden());
    more_->setText(rest_->isHidden() ? tr("more…") : tr("less"));
  });
  connect(start_, &QAbstractButton::clicked, this, [this] { emit startWanted(name(), spec_); });
  patience_.setSingleShot(true);
  patience_.setInterval(patience_ms);
  connect(&patience_, &QTimer::timeout, this, &SetupPanel::estimate);
  retranslate();
  setSpec(spec_);
}

SetupPanel::~SetupPanel() = default;

Section* SetupPanel::addSection() {
  auto* section = new Section(settings_);
  settings_->layout()->addWidget(section);
  return section;
}

void SetupPanel::buildSettings() {
  settings_->setObjectName(QStringLiteral("panel"));
  settings_->setMinimumWidth(1);
  auto* column = new QVBoxLayout(settings_);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  ready_ = addSection();
  addExperiments();
  task_section_ = addSection();
  task_section_->body()->addWidget(task_);
  file_->setLook(FlatButton::Look::link);
  file_->setIconName(QStringLiteral("file"));
  task_section_->body()->addWidget(file_, 0, Qt::AlignLeft);
  encodings_section_ = addSection();
  encodings_section_->body()->addWidget(encodings_);
  model_section_ = addSection();
  addSizes(model_section_);
  model_section_->body()->addWidget(model_);
  training_section_ = addSection();
  training_section_->body()->addWidget(training_);
  more_->setLook(FlatButton::Look::link);
  training_section_->body()->addWidget(more_, 0, Qt::AlignLeft);
  training_section_->body()->addWidget(rest_);
  rest_->hide();
  column->addStretch(1);
  task_->setSpecs("task", train::taskTable().specs());
  model_->setSpecs("model", modelSpecs());
  training_->setSpecs("training", usualTrainingSpecs());
  rest_->setSpecs("training", otherTrainingSpecs());
}

void SetupPanel::addExperiments() {
  for (const train::ReadyExperiment& experiment : train::readyExperiments()) {
    auto* button = new FlatButton(settings_);
    button->setObjectName(QString::fromStdString("ready_" + experiment.id));
    button->setCheckable(true);
    ready_->body()->addWidget(button, 0, Qt::AlignLeft);
    experiments_.push_back(button);
    connect(button, &QAbstractButton::clicked, this, [this, &experiment] { choose(experiment); });
  }
  ready_->body()->setSpacing(0);
}

void SetupPanel::choose(const train::ReadyExperiment& experiment) {
  setSpec(experiment.spec);
  emit experimentChosen(experiment.id);
}

void SetupPanel::addSizes(Section* section) {
  for (const train::ModelSize& size : train::modelSizes()) {
    auto* button = new FlatButton(settings_);
    button->setText(QString::fromStdString(size.name));
    button->setCheckable(true);
    section->header()->addWidget(button);
    sizes_.push_back(button);
    connect(button, &QAbstractButton::clicked, this, [this, &size] {
      spec_.run.model.d_model = size.d_model;
      spec_.run.model.num_heads = size.num_heads;
      spec_.run.model.num_layers = size.num_layers;
      touched();
    });
  }
}

void SetupPanel::buildLaunch() {
  launch_->setObjectName(QStringLiteral("launch"));  // with a line above it: the settings scroll away below that
  launch_->setAttribute(Qt::WA_StyledBackground);
  auto* column = new QVBoxLayout(launch_);
  column->setContentsMargins(12, 8, 12, 12);
  column->setSpacing(6);
  cost_->setProperty("role", "mute");
  problem_->setProperty("role", "error");
  problem_->setTextFormat(Qt::PlainText);
  for (QLabel* label : {cost_, problem_}) {
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(label);
  }
  problem_->hide();
  start_->setObjectName(QStringLiteral("startTraining"));
  column->addWidget(start_, 0, Qt::AlignLeft);
}

void SetupPanel::connectForm(ParamForm* form) {
  connect(form, &ParamForm::changed, this, [this, form](const std::string& key, const Value& value) {
    const char* part = form == task_ ? "task/" : form == model_ ? "model/" : "training/";
    const QString gesture = QLatin1String(part) + QString::fromStdString(key);
    if (form == task_)
      editTask(key, value, gesture);
    else
      edit(form, key, value, gesture);
  });
  connect(form, &ParamForm::finished, this, &SetupPanel::endGesture);
  connect(form, &ParamForm::resetWanted, this, [this, form](const std::string& key) {
    const std::optional<Value> value = defaultOf(key, form == task_, form == model_);
    if (value && form == task_) editTask(key, *value, {});
    if (value && form != task_) edit(form, key, *value, {});
  });
}

void SetupPanel::setSpec(const train::ComparisonSpec& spec) {
  spec_ = spec;
  for (ParamForm* form : {task_, model_, training_, rest_}) form->dropRefused();
  encodings_->setPositions(spec_.positions);
  touched();
}

void SetupPanel::undo() {
  if (const std::optional<train::ComparisonSpec> before = history_.undo()) setSpec(*before);
}

void SetupPanel::redo() {
  if (const std::optional<train::ComparisonSpec> after = history_.redo()) setSpec(*after);
}

void SetupPanel::endGesture() {
  history_.endGesture();
  emit historyChanged();
}

/// Another task comes with sizes at which it shows something.
void SetupPanel::editTask(const std::string& key, const Value& value, const QString& gesture) {
  if (key != "name") return edit(task_, key, value, gesture);
  train::TaskSpec chosen;
  if (Outcome ok = putValue(train::taskTable(), "task", chosen, key, value); !ok) return;
  if (chosen.kind == spec_.run.task.kind) return;
  spec_.run = train::withUsualTask(spec_.run, chosen.kind);
  touched();
}

void SetupPanel::edit(ParamForm* form, const std::string& key, const Value& value, const QString& gesture) {
  const Outcome ok = form == task_    ? putValue(train::taskTable(), "task", spec_.run.task, key, value)
                     : form == model_ ? putValue(train::modelTable(), "model", spec_.run.model, key, value)
                                      : putTrainingValue(spec_, key, value);
  form->setProblem(key, ok ? QString() : currentStyle().text(ok.error().message));
  if (ok) touched(gesture);
}

void SetupPanel::chooseTextFile() {
  auto* dialog = new QFileDialog(window(), tr("Choose a text to train on"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  connect(dialog, &QFileDialog::fileSelected, this,
          [this](const QString& path) { edit(task_, "file", path.toStdString(), {}); });
  dialog->open();
}

void SetupPanel::touched(const QString& gesture) {
  history_.follow(spec_, gesture);
  emit historyChanged();
  asked_ = false;
  refresh();
  if (isVisible() && !busy_) patience_.start();
}

void SetupPanel::refresh() {
  task_->setValues(train::taskTable().values(spec_.run.task));
  file_->setVisible(spec_.run.task.kind == train::TaskKind::text);
  model_->setValues(train::modelTable().values(spec_.run.model));
  const ParamValues training = trainingValues(spec_);
  training_->setValues(training);
  rest_->setValues(training);
  for (std::size_t s = 0; s < sizes_.size(); ++s) {
    const train::ModelSize& size = train::modelSizes()[s];
    const train::ModelSpec& model = spec_.run.model;
    sizes_[s]->setChecked(model.d_model == size.d_model && model.num_heads == size.num_heads &&
                          model.num_layers == size.num_layers);
  }
  for (std::size_t e = 0; e < experiments_.size(); ++e)
    experiments_[e]->setChecked(train::readyExperiments()[e].spec == spec_);
  nameStart();
  problem_->hide();
  cost_->setText(busy_ ? tr("Waits until what is trained now has ended.") : tr("Time and memory: being estimated…"));
}

void SetupPanel::setBusy(bool busy) {
  if (busy == busy_) return;
  busy_ = busy;
  nameStart();
  asked_ = asked_ && !busy;
  if (busy) jobs_.cancel();
  refresh();
  if (!busy && isVisible()) patience_.start();
}

void SetupPanel::estimate() {
  if (busy_ || asked_) return;
  asked_ = true;
  jobs_.submit(
      [this, spec = spec_](const Job& job) {
        QMetaObject::invokeMethod(
            this,
            [this, spec, cost = train::costOf(spec, job)] {
              if (spec == spec_ && !busy_) showCost(cost);
            },
            Qt::QueuedConnection);
      },
      true);
}

void SetupPanel::showCost(const Expected<train::Cost>& cost) {
  if (!cost && cost.error().code == ErrorCode::cancelled) return;
  problem_->setVisible(!cost);
  cost_->setVisible(cost.has_value());
  if (!cost) return problem_->setText(currentStyle().text(cost.error().message));
  const auto runs = spec_.positions.size() * spec_.seeds.size();
  cost_->setText(tr("%1 runs · about %2 · about %3 MB · up to %4 parameters")
                     .arg(runs)
                     .arg(timeText(cost->seconds, currentStyle()), numberText(std::ceil(cost->bytes / 1e6)),
                          numberText(cost->parameters)));
}

QString SetupPanel::verdict() const { return problem_->isVisibleTo(launch_) ? problem_->text() : cost_->text(); }

/// That of the ready experiment that has these settings, else of the task.
QString SetupPanel::name() const {
  const auto& ready = train::readyExperiments();
  const auto same = std::ranges::find(ready, spec_, &train::ReadyExperiment::spec);
  return currentStyle().text(same == ready.end() ? taskName(spec_.run.task.kind) : same->name);
}

void SetupPanel::nameStart() {
  const auto& ready = train::readyExperiments();
  const bool is_there = std::any_of(ready.begin(), ready.end(), [this](const train::ReadyExperiment& experiment) {
    return experiment.spec == spec_ && hasShippedResults(experiment.id);
  });
  start_->setText(busy_ ? tr("Put in the queue") : is_there ? tr("Train anew") : tr("Start"));
  start_->setToolTip(tr("Train all encodings with all seeds (%1)").arg(QStringLiteral("Ctrl+Return")));
  start_->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Return));  // a new text takes it away
  start_->updateGeometry();
}

void SetupPanel::retranslate() {
  const Style& style = currentStyle();
  ready_->setTitle(tr("Ready experiments"));
  task_section_->setTitle(tr("Task"));
  encodings_section_->setTitle(tr("Encodings"));
  model_section_->setTitle(tr("Model"));
  training_section_->setTitle(tr("Training"));
  file_->setText(tr("choose a text file…"));
  more_->setText(rest_->isHidden() ? tr("more…") : tr("less"));
  nameStart();
  for (std::size_t e = 0; e < experiments_.size(); ++e) {
    experiments_[e]->setText(style.text(train::readyExperiments()[e].name));
    experiments_[e]->setNames(style.text(train::readyExperiments()[e].question));
  }
  for (std::size_t s = 0; s < sizes_.size(); ++s) {
    const train::ModelSize& size = train::modelSizes()[s];
    sizes_[s]->setNames(tr("Width %1, %2 heads, %3 layers").arg(size.d_model).arg(size.num_heads).arg(size.num_layers));
  }
  for (ParamForm* form : {task_, model_, training_, rest_}) form->setLanguage(style.language);
  encodings_->retranslate();
  refresh();
  asked_ = false;
  if (isVisible()) patience_.start();
}

void SetupPanel::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

void SetupPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (!asked_ && !busy_) patience_.start();
}

}  // namespace posiscope::ui

#include "moc_setup_panel.cpp"
