// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/param_form.h"

#include "core/schemes/own_formula.h"
#include "ui/panels/param_row.h"

#include <QVBoxLayout>
#include <algorithm>

namespace posiscope::ui {

ParamForm::ParamForm(QWidget* parent) : QWidget(parent), column_(new QVBoxLayout(this)) {
  column_->setContentsMargins(0, 0, 0, 0);
  column_->setSpacing(6);
}

void ParamForm::setSpecs(const std::string& owner, const std::vector<ParamSpec>& specs) {
  if (owner == owner_ && specs == specs_) return;
  owner_ = owner;
  specs_ = specs;
  for (ParamRow* row : rows_) row->disconnect(this);  // what was half typed was meant for the scheme of before
  // Qt would give the focus of a hidden row to the next control and scroll the panel to it.
  if (QWidget* focused = window()->focusWidget(); focused && isAncestorOf(focused)) focused->clearFocus();
  for (ParamRow* row : rows_) row->deleteLater();
  for (ParamRow* row : rows_) row->hide();
  rows_.clear();
  for (const ParamSpec& spec : specs_) {
    auto* row = new ParamRow(owner, spec, this);
    row->setLanguage(language_);
    column_->addWidget(row);
    rows_.push_back(row);
    connect(row, &ParamRow::changed, this, &ParamForm::changed);
    connect(row, &ParamRow::finished, this, &ParamForm::finished);
    connect(row, &ParamRow::resetWanted, this, &ParamForm::resetWanted);
    connect(row, &ParamRow::fileWanted, this, &ParamForm::fileWanted);
  }
}

void ParamForm::setValues(const ParamValues& values) {
  for (ParamRow* row : rows_) {
    const std::string& key = row->spec().key;
    row->setExample(QString::fromStdString(schemes::exampleFormula(owner_, key, values)));
    row->setValue(valueOf(row->spec(), values));
    row->setVisible(isRelevant(row->spec(), specs_, values) && !schemes::isIdleName(owner_, key, values));
  }
}

void ParamForm::setLanguage(Language language) {
  language_ = language;
  for (ParamRow* row : rows_) row->setLanguage(language);
}

void ParamForm::setProblem(const std::string& key, const QString& sentence) {
  if (ParamRow* found = row(key)) found->setProblem(sentence);
}

int ParamForm::keepWhole(int most) {
  int width = 0;
  for (const ParamRow* row : rows_) width = std::max(width, row->wholeWidth());
  width = std::min(width, most);
  for (ParamRow* row : rows_) row->keepChoicesWhole(width);
  return width;
}

ParamRow* ParamForm::row(const std::string& key) const {
  for (ParamRow* row : rows_)
    if (row->spec().key == key) return row;
  return nullptr;
}

}  // namespace posiscope::ui
