// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/scheme_panel.h"

#include "core/overrides.h"
#include "core/schemes/list.h"
#include "core/schemes/own_formula.h"
#include "core/sentence_boundaries.h"
#include "ui/controls/finder.h"
#include "ui/controls/flat_button.h"
#include "ui/controls/theme.h"
#include "ui/panels/formula_box.h"
#include "ui/panels/param_form.h"
#include "ui/panels/param_row.h"
#include "ui/panels/scheme_document.h"
#include "ui/panels/scheme_list.h"
#include "ui/panels/scheme_sheet.h"
#include "ui/panels/section.h"
#include "ui/state/edits.h"

#include <algorithm>
#include <map>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>

namespace posiscope::ui {
namespace {

/// The values without the texts that are meant for one choice of `key`.
ParamValues withoutTextsOf(const Scheme& scheme, ParamValues values, const std::string& key) {
  for (const ParamSpec& spec : scheme.params)
    if (spec.kind == ParamKind::text && spec.depends_on == key) values.erase(spec.key);
  return values;
}

const ParamSpec* takesSentenceEnds(const Scheme& scheme) {
  const auto found = std::ranges::find(scheme.params, true, &ParamSpec::takes_sentence_ends);
  return found != scheme.params.end() ? &*found : nullptr;
}

}  // namespace

SchemePanel::SchemePanel(Store& store, QWidget* parent)
    : QWidget(parent),
      store_(store),
      list_section_(new Section(this)),
      form_section_(new Section(this)),
      list_(new SchemeList(this)),
      add_(new FlatButton(this)),
      about_(new FlatButton(this)),
      duplicate_(new FlatButton(this)),
      remove_(new FlatButton(this)),
      reset_(new FlatButton(this)),
      sentences_(new FlatButton(this)),
      formula_(new FormulaBox(this)),
      problem_(new QLabel(this)),
      empty_(new QLabel(this)),
      form_(new ParamForm(this)) {
  build();
  connect(add_, &QAbstractButton::clicked, this, &SchemePanel::openPicker);
  connect(about_, &QAbstractButton::clicked, this, &SchemePanel::openSheet);
  connect(duplicate_, &QAbstractButton::clicked, this, [this] { emit list_->duplicateWanted(list_->currentRow()); });
  connect(remove_, &QAbstractButton::clicked, this, [this] { emit list_->removeWanted(list_->currentRow()); });
  connect(reset_, &QAbstractButton::clicked, this,
          [this] { store_.setExperiment(withSchemeDefaults(store_.experiment(), store_.presentation().selected)); });
  connect(sentences_, &QAbstractButton::clicked, this, &SchemePanel::takeSentences);
  connect(list_, &SchemeList::chosen, this, &SchemePanel::select);
  connect(list_, &SchemeList::visibleWanted, this,
          [this](int index, bool on) { store_.setExperiment(withVisible(store_.experiment(), index, on)); });
  connect(list_, &SchemeList::moveWanted, this, [this](int from, int to) {
    if (to < 0 || to >= list_->count()) return;
    store_.setExperiment(withMoved(store_.experiment(), from, to));
    select(to);
  });
  connect(list_, &SchemeList::duplicateWanted, this, [this](int index) {
    if (list_->count() >= max_schemes) return emit refused(fullSentence());
    store_.setExperiment(withDuplicate(store_.experiment(), index));
    select(index + 1);
  });
  connect(list_, &SchemeList::removeWanted, this,
          [this](int index) { store_.setExperiment(withoutScheme(store_.experiment(), index)); });
  connect(form_, &ParamForm::changed, this, &SchemePanel::edit);
  connect(form_, &ParamForm::finished, &store_, &Store::endGesture);
  connect(form_, &ParamForm::fileWanted, this, &SchemePanel::fileWanted);
  connect(form_, &ParamForm::resetWanted, this, [this](const std::string& key) {
    store_.setExperiment(withSchemeValue(store_.experiment(), store_.presentation().selected, key, std::nullopt));
  });
  connect(form_, &ParamForm::modelWanted, this, [this](const std::string& key) {
    for (const Override& found : overridesOf(*selected()))
      if (found.spec->key == key) {
        edit(key, found.model);
        store_.endGesture();
        return;
      }
  });
  connect(&store_, &Store::experimentChanged, this, &SchemePanel::refresh);
  connect(&store_, &Store::presentationChanged, this, &SchemePanel::refresh);
  retranslate();
}

void SchemePanel::build() {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(list_section_);
  column->addWidget(form_section_);
  add_->setLook(FlatButton::Look::link);
  add_->setIconName(QStringLiteral("add"));
  list_section_->header()->addWidget(add_);
  list_section_->body()->addWidget(list_);
  list_section_->body()->addWidget(empty_);
  empty_->setWordWrap(true);
  empty_->setProperty("role", "mute");
  for (FlatButton* button : {about_, duplicate_, remove_}) {
    button->setLook(FlatButton::Look::link);
    button->setCompact(true);
    form_section_->header()->addWidget(button);
  }
  about_->setIconName(QStringLiteral("help"));
  duplicate_->setIconName(QStringLiteral("duplicate"));
  remove_->setIconName(QStringLiteral("remove"));
  reset_->setLook(FlatButton::Look::link);
  form_section_->header()->addWidget(reset_);
  form_section_->body()->addWidget(formula_);
  problem_->setProperty("role", "error");
  problem_->setTextFormat(Qt::PlainText);
  problem_->setWordWrap(true);
  problem_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  form_section_->body()->addWidget(problem_);
  form_section_->body()->addWidget(form_);
  sentences_->setLook(FlatButton::Look::link);
  form_section_->body()->addWidget(sentences_, 0, Qt::AlignLeft);
}

void SchemePanel::retranslate() {
  list_section_->setTitle(tr("Schemes"));
  list_->setAccessibleName(tr("Schemes being compared"));
  add_->setText(tr("add"));
  add_->setNames(tr("Add a scheme to compare"));
  about_->setNames(tr("About this scheme: formula, traps, known users, reference"), QStringLiteral("Shift+F1"));
  duplicate_->setNames(tr("Duplicate this scheme"), QStringLiteral("Ctrl+D"));
  remove_->setNames(tr("Remove this scheme"), tr("Del"));
  reset_->setText(tr("reset"));
  reset_->setNames(tr("Set all parameters of this scheme back to their defaults"));
  sentences_->setText(tr("boundaries at the ends of sentences"));
  sentences_->setNames(tr("Set the boundaries to the ends of the sentences and lines of the typed text"));
  empty_->setText(tr("Nothing is compared yet. Add a scheme, or open a model."));
  form_->setLanguage(store_.presentation().language);
  refresh();
}

const SchemeChoice* SchemePanel::selected() const {
  const auto& all = store_.experiment().schemes;
  const auto index = static_cast<std::size_t>(store_.presentation().selected);
  return index < all.size() ? &all[index] : nullptr;
}

void SchemePanel::refresh() {
  const Experiment& e = store_.experiment();
  const Language language = store_.presentation().language;
  list_->show(e, store_.presentation().selected, language);
  list_->setVisible(!e.schemes.empty());
  empty_->setVisible(e.schemes.empty());
  const bool full = static_cast<int>(e.schemes.size()) >= max_schemes;
  add_->setEnabled(!full);
  add_->setToolTip(full ? fullSentence() : add_->accessibleName());
  duplicate_->setEnabled(!full);
  const SchemeChoice* choice = selected();
  const Scheme* scheme = choice ? schemes::find(choice->id) : nullptr;
  form_section_->setVisible(scheme != nullptr);
  if (!scheme) return;
  form_section_->setTitle(QString::fromStdString(scheme->text.name.in(language)));
  form_section_->setToolTip(QString::fromStdString(scheme->text.summary.in(language)));
  formula_->show(*choice, e.shape);
  const QWidget* focused = window()->focusWidget();
  const bool was_in_form = focused && form_->isAncestorOf(focused);
  form_->setSpecs(scheme->id(), schemes::paramsOf(*scheme, choice->values));
  if (std::pair is{choice->id, choice->colour}; is != shown_) {
    form_->dropRefused();
    shown_ = std::move(is);
  }
  if (was_in_form && !window()->focusWidget()) list_->setFocus(Qt::OtherFocusReason);  // its row is gone
  if (ParamRow* width = form_->row("rotary_dim")) width->setMost(static_cast<double>(e.shape.head_dim));
  form_->setValues(choice->values);
  form_->setOverrides(overridesOf(*choice));
  sentences_->setVisible(takesSentenceEnds(*scheme) && !sentenceBoundaries(e.content, e.shape).empty());
  reset_->setEnabled(!choice->values.empty());
  const Outcome legal = scheme->check(choice->values, e.shape);
  const QString sentence = legal ? QString() : QString::fromStdString(legal.error().message.in(language));
  const bool explained = !legal && form_->explain(legal.error().message.en, sentence);
  problem_->setText(explained ? QString() : sentence);
  problem_->setVisible(!legal && !explained);
}

void SchemePanel::select(int index) {
  Presentation p = store_.presentation();
  p.selected = index;
  store_.setPresentation(std::move(p));
}

void SchemePanel::edit(const std::string& key, const Value& value) {
  const SchemeChoice* before = selected();
  const Scheme* scheme = before ? schemes::find(before->id) : nullptr;
  if (!scheme) return;
  const int index = store_.presentation().selected;
  Experiment next = withSchemeValue(store_.experiment(), index, key, value);
  ParamValues& values = next.schemes[static_cast<std::size_t>(index)].values;
  Outcome legal = scheme->check(values, next.shape);
  if (!legal) {
    // A formula for a table says nothing about a bias: with another kind it starts anew, and undo brings it back.
    ParamValues without = withoutTextsOf(*scheme, values, key);
    if (without != values && scheme->check(without, next.shape)) {
      values = std::move(without);
      legal = {};
    }
  }
  // An illegal state may be left step by step, but not entered: the last legal picture stays.
  if (!legal && scheme->check(before->values, next.shape)) {
    form_->setProblem(key, QString::fromStdString(legal.error().message.in(store_.presentation().language)));
    return;
  }
  // What one kind of formula refuses may be just what the chosen one takes.
  const std::map<std::string, QString> refused = form_->refusedTexts(key);
  store_.setExperiment(std::move(next), QStringLiteral("scheme %1 %2").arg(index).arg(QString::fromStdString(key)));
  form_->typeAgain(refused);
}

void SchemePanel::takeSentences() {
  const Experiment& e = store_.experiment();
  const SchemeChoice* choice = selected();
  const Scheme* scheme = choice ? schemes::find(choice->id) : nullptr;
  const ParamSpec* spec = scheme ? takesSentenceEnds(*scheme) : nullptr;
  if (!spec) return;
  edit(spec->key, sentenceBoundaries(e.content, e.shape));
  store_.endGesture();
}

void SchemePanel::add(const std::string& id) {
  store_.setExperiment(withScheme(store_.experiment(), id));
  select(static_cast<int>(store_.experiment().schemes.size()) - 1);
}

QString SchemePanel::fullSentence() const { return tr("At most %1 schemes can be compared at once").arg(max_schemes); }

void SchemePanel::openPicker() {
  if (static_cast<int>(store_.experiment().schemes.size()) >= max_schemes) return emit refused(fullSentence());
  if (!picker_) picker_ = new Finder(this);
  const Language language = store_.presentation().language;
  std::vector<FinderEntry> entries;
  for (const Family family : all_families)
    for (const Scheme& scheme : schemes::catalogue()) {
      if (scheme.text.family != family) continue;
      entries.push_back({QString::fromStdString(familyName(family).in(language)),
                         QString::fromStdString(scheme.text.name.in(language)),
                         QString::fromStdString(scheme.text.summary.in(language)), QString::number(scheme.text.year),
                         QString::fromStdString(scheme.id()) + QLatin1Char(' ') + searchWords(scheme.id(), language),
                         [this, id = scheme.id()] { add(id); }});
    }
  picker_->setEntries(std::move(entries));
  picker_->setPlaceholder(tr("Find a scheme"));
  picker_->openAt(add_->mapToGlobal(QPoint(0, add_->height() + 4)), {420, 440});
}

void SchemePanel::openSheet() {
  if (!sheet_) sheet_ = new SchemeSheet(store_, window());
  sheet_->openAt(mapToGlobal(QPoint(width() + 16, 0)));
}

void SchemePanel::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

}  // namespace posiscope::ui
