// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/param_form.h"

#include "core/schemes/own_formula.h"
#include "ui/panels/param_row.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <QVBoxLayout>
#include <utility>

namespace posiscope::ui {
namespace {

/// Where the sentence first names the parameter: "low_freq_factor" does not name "factor". A letter is a word of any
/// sentence, so it names nothing.
std::size_t namedAt(const std::string& sentence, const std::string& key) {
  const auto belongs = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  if (key.size() < 2) return std::string::npos;
  for (std::size_t at = sentence.find(key); at != std::string::npos; at = sentence.find(key, at + 1)) {
    const std::size_t end = at + key.size();
    if ((at == 0 || !belongs(sentence[at - 1])) && (end == sentence.size() || !belongs(sentence[end]))) return at;
  }
  return std::string::npos;
}

/// Is the text meant for another choice than before? A formula for a table says nothing about a bias.
bool isMeantForAnother(const ParamSpec& text, const std::vector<ParamSpec>& specs, const ParamValues& before,
                       const ParamValues& now) {
  const ParamSpec* kind = text.kind == ParamKind::text ? findParam(specs, text.depends_on) : nullptr;
  return kind && !(valueOf(*kind, before) == valueOf(*kind, now));
}

}  // namespace

ParamForm::ParamForm(QWidget* parent) : QWidget(parent), column_(new QVBoxLayout(this)) {
  column_->setContentsMargins(0, 0, 0, 0);
  column_->setSpacing(6);
}

void ParamForm::setSpecs(const std::string& owner, const std::vector<ParamSpec>& specs) {
  if (owner == owner_ && specs == specs_) return;
  // A formula brings and takes numbers while it is typed: the rows that stay must not lose the cursor.
  std::vector<ParamRow*> before = std::exchange(rows_, {});
  const auto kept = [&](const ParamSpec& spec) -> ParamRow* {
    const auto found =
        std::ranges::find_if(before, [&](const ParamRow* row) { return owner == owner_ && row->spec() == spec; });
    if (found == before.end()) return nullptr;
    ParamRow* row = *found;
    before.erase(found);
    return row;
  };
  for (const ParamSpec& spec : specs) {
    ParamRow* row = kept(spec);
    rows_.push_back(row ? row : newRow(owner, spec));
  }
  dismiss(before);
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (const int place = static_cast<int>(i); column_->indexOf(rows_[i]) != place) {
      column_->removeWidget(rows_[i]);
      column_->insertWidget(place, rows_[i]);
    }
  owner_ = owner;
  specs_ = specs;
}

ParamRow* ParamForm::newRow(const std::string& owner, const ParamSpec& spec) {
  auto* row = new ParamRow(owner, spec, this);
  row->setLanguage(language_);
  connect(row, &ParamRow::changed, this, &ParamForm::changed);
  connect(row, &ParamRow::finished, this, &ParamForm::finished);
  connect(row, &ParamRow::resetWanted, this, &ParamForm::resetWanted);
  connect(row, &ParamRow::modelWanted, this, &ParamForm::modelWanted);
  connect(row, &ParamRow::fileWanted, this, &ParamForm::fileWanted);
  return row;
}

void ParamForm::dismiss(const std::vector<ParamRow*>& rows) {
  for (ParamRow* row : rows) row->disconnect(this);  // what was half typed was meant for the scheme of before
  // Qt would give the focus of a hidden row to the next control and scroll the panel to it.
  for (const ParamRow* row : rows)
    if (QWidget* focused = window()->focusWidget(); focused && row->isAncestorOf(focused)) focused->clearFocus();
  for (ParamRow* row : rows) row->deleteLater();
  for (ParamRow* row : rows) {
    row->hide();
    column_->removeWidget(row);
  }
}

void ParamForm::setValues(const ParamValues& values) {
  for (ParamRow* row : rows_) {
    const std::string& key = row->spec().key;
    if (isMeantForAnother(row->spec(), specs_, values_, values)) row->dropRefused();
    row->setExample(QString::fromStdString(schemes::exampleFormula(owner_, key, values)));
    row->setValue(valueOf(row->spec(), values));
    row->setVisible(isRelevant(row->spec(), specs_, values));
  }
  values_ = values;
}

void ParamForm::dropRefused() {
  for (ParamRow* row : rows_) row->dropRefused();
}

std::map<std::string, QString> ParamForm::refusedTexts(const std::string& choice) const {
  std::map<std::string, QString> texts;
  for (const ParamRow* row : rows_)
    if (const QString text = row->refusedText(); !text.isEmpty() && row->spec().depends_on == choice)
      texts[row->spec().key] = text;
  return texts;
}

void ParamForm::typeAgain(const std::map<std::string, QString>& texts) {
  for (const auto& [key, text] : texts)
    if (ParamRow* found = row(key); found && !found->isHidden()) found->typeAgain(text);
}

bool ParamForm::explain(const std::string& sentence, const QString& shown) {
  ParamRow* named = nullptr;
  std::size_t first = std::string::npos;
  for (ParamRow* row : rows_)
    if (const std::size_t at = namedAt(sentence, row->spec().key); at < first && !row->isHidden()) {
      first = at;
      named = row;
    }
  if (named) named->setStandingProblem(shown);
  return named != nullptr;
}

void ParamForm::setOverrides(const std::vector<Override>& overrides) {
  for (ParamRow* row : rows_) {
    const auto found = std::ranges::find(overrides, row->spec().key, [](const Override& o) { return o.spec->key; });
    row->setOverride(found == overrides.end() ? QString() : QString::fromStdString(describe(*found).in(language_)));
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
