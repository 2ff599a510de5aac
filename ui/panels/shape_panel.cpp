// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/shape_panel.h"

#include "core/models/model.h"
#include "ui/controls/flat_button.h"
#include "ui/panels/param_form.h"
#include "ui/panels/section.h"
#include "ui/state/edits.h"

#include <QEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <string_view>

namespace posiscope::ui {
namespace {

constexpr std::array<std::string_view, 4> usual_keys{"seq_len", "d_model", "num_heads", "head_dim"};

/// The two shapes that everybody knows stand where shapes are set; the rest is a menu away.
constexpr std::array preset_ids{"gpt-2", "bert-base"};

std::vector<ParamSpec> shapeSpecs(bool usual) {
  std::vector<ParamSpec> specs;
  for (const ParamSpec& spec : shapeTable().specs())
    if ((std::ranges::find(usual_keys, spec.key) != usual_keys.end()) == usual) specs.push_back(spec);
  return specs;
}

}  // namespace

ShapePanel::ShapePanel(Store& store, QWidget* parent)
    : QWidget(parent),
      store_(store),
      section_(new Section(this)),
      usual_(new ParamForm(this)),
      rest_(new ParamForm(this)),
      more_(new FlatButton(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(section_);
  usual_->setSpecs("shape", shapeSpecs(true));
  rest_->setSpecs("shape", shapeSpecs(false));
  rest_->hide();
  more_->setLook(FlatButton::Look::link);
  for (const char* id : preset_ids) {
    auto* button = new FlatButton(this);
    button->setLook(FlatButton::Look::link);
    button->setText(QString::fromStdString(models::findPreset(id)->name));
    section_->header()->addWidget(button);
    presets_.push_back(button);
    connect(button, &QAbstractButton::clicked, this, [this, id] { emit presetWanted(id); });
  }
  section_->body()->addWidget(usual_);
  section_->body()->addWidget(more_, 0, Qt::AlignLeft);
  section_->body()->addWidget(rest_);
  connectForm(usual_);
  connectForm(rest_);
  connect(more_, &QAbstractButton::clicked, this, [this] {
    rest_->setVisible(rest_->isHidden());
    retranslate();
  });
  connect(&store_, &Store::experimentChanged, this, &ShapePanel::refresh);
  retranslate();
}

void ShapePanel::connectForm(ParamForm* form) {
  connect(form, &ParamForm::changed, this,
          [this, form](const std::string& key, const Value& value) { edit(form, key, value); });
  connect(form, &ParamForm::finished, this, &ShapePanel::endGesture);
  connect(form, &ParamForm::resetWanted, this, [this, form](const std::string& key) {
    if (const ParamSpec* spec = findParam(shapeTable().specs(), key)) edit(form, key, spec->default_value);
    endGesture();
  });
}

void ShapePanel::endGesture() {
  kv_heads_before_.reset();
  store_.endGesture();
}

void ShapePanel::retranslate() {
  section_->setTitle(tr("Shape"));
  more_->setText(rest_->isHidden() ? tr("more…") : tr("less"));
  more_->setNames(rest_->isHidden() ? tr("Show all sizes") : tr("Show only the usual sizes"));
  for (FlatButton* button : presets_) button->setNames(tr("Open %1: its encoding and its sizes").arg(button->text()));
  usual_->setLanguage(store_.presentation().language);
  rest_->setLanguage(store_.presentation().language);
  refresh();
}

void ShapePanel::refresh() {
  const ParamValues values = shapeTable().values(store_.experiment().shape);
  usual_->setValues(values);
  rest_->setValues(values);
}

void ShapePanel::edit(ParamForm* form, const std::string& key, const Value& value) {
  Experiment next = store_.experiment();
  if (key == "num_heads") {
    // A drag from 32 over 33 to 64 must not leave one key-value head where there were eight.
    if (!kv_heads_before_) kv_heads_before_ = next.shape.num_kv_heads;
    next.shape.num_kv_heads = *kv_heads_before_;
  }
  next = withShapeValue(std::move(next), key, value);
  if (const Outcome legal = checkShape(next.shape); !legal && checkShape(store_.experiment().shape)) {
    form->setProblem(key, QString::fromStdString(legal.error().message.in(store_.presentation().language)));
    return;
  }
  form->setProblem(key, {});  // the store is silent about a value that it has already
  store_.setExperiment(std::move(next), QStringLiteral("shape ") + QString::fromStdString(key));
}

void ShapePanel::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

}  // namespace posiscope::ui
