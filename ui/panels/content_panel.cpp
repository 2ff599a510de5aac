// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/content_panel.h"

#include "ui/panels/param_form.h"
#include "ui/panels/section.h"
#include "ui/state/edits.h"

#include <QEvent>
#include <QVBoxLayout>

namespace posiscope::ui {

ContentPanel::ContentPanel(Store& store, QWidget* parent)
    : QWidget(parent),
      store_(store),
      section_(new Section(this)),
      content_(new ParamForm(this)),
      mask_(new ParamForm(this)),
      whole_(new ParamForm(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(section_);
  addForm(content_, "content", contentTable().specs(), &withContentValue);
  addForm(mask_, "mask", maskTable().specs(), &withMaskValue);
  addForm(whole_, "experiment", experimentTable().specs(), &withExperimentValue);
  connect(content_, &ParamForm::fileWanted, this, &ContentPanel::fileWanted);
  connect(&store_, &Store::experimentChanged, this, &ContentPanel::refresh);
  retranslate();
}

void ContentPanel::addForm(ParamForm* form, const std::string& owner, const std::vector<ParamSpec>& specs, Edit edit) {
  form->setSpecs(owner, specs);
  section_->body()->addWidget(form);
  connect(form, &ParamForm::changed, this, [this, owner, edit](const std::string& key, const Value& value) {
    store_.setExperiment(edit(store_.experiment(), key, value), QString::fromStdString(owner + " " + key));
  });
  connect(form, &ParamForm::resetWanted, this, [this, edit, &specs](const std::string& key) {
    if (const ParamSpec* spec = findParam(specs, key))
      store_.setExperiment(edit(store_.experiment(), key, spec->default_value));
  });
  connect(form, &ParamForm::finished, &store_, &Store::endGesture);
}

void ContentPanel::retranslate() {
  section_->setTitle(tr("Content"));
  content_->setLanguage(store_.presentation().language);
  mask_->setLanguage(store_.presentation().language);
  whole_->setLanguage(store_.presentation().language);
  refresh();
}

void ContentPanel::refresh() {
  const Experiment& e = store_.experiment();
  content_->setValues(contentTable().values(e.content));
  mask_->setValues(maskTable().values(rulesOf(e.mask)));
  whole_->setValues(experimentTable().values(e));
}

void ContentPanel::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

}  // namespace posiscope::ui
