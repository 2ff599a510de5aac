// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/encoding_list.h"

#include "core/train/trainable.h"
#include "ui/controls/flat_button.h"
#include "ui/controls/theme.h"
#include "ui/panels/param_form.h"
#include "ui/training/encoding_names.h"

#include <QHBoxLayout>
#include <QMenu>

namespace posiscope::ui {
namespace {

constexpr std::size_t most_encodings = 8;

}  // namespace

EncodingList::EncodingList(QWidget* parent)
    : QWidget(parent), rows_(new QVBoxLayout), form_(new ParamForm(this)), add_(new FlatButton(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  rows_->setSpacing(0);
  column->addLayout(rows_);
  add_->setLook(FlatButton::Look::link);
  add_->setIconName(QStringLiteral("add"));
  add_->setObjectName(QStringLiteral("addEncoding"));
  column->addWidget(add_, 0, Qt::AlignLeft);
  column->addWidget(form_);
  connect(add_, &QAbstractButton::clicked, this, &EncodingList::openMenu);
  connect(form_, &ParamForm::changed, this, &EncodingList::edit);
  connect(form_, &ParamForm::finished, this, &EncodingList::finished);
  connect(form_, &ParamForm::resetWanted, this, [this](const std::string& key) {
    positions_[static_cast<std::size_t>(chosen_)].values.erase(key);
    showForm();
    rebuild();
    emit edited({});
  });
}

void EncodingList::setPositions(const std::vector<train::PositionSpec>& positions) {
  const auto schemeAt = [this](const std::vector<train::PositionSpec>& list) {
    const auto at = static_cast<std::size_t>(chosen_);
    return chosen_ >= 0 && at < list.size() ? list[at].scheme : std::string();
  };
  if (schemeAt(positions) != schemeAt(positions_)) chosen_ = -1;
  positions_ = positions;
  form_->dropRefused();
  retranslate();
}

void EncodingList::retranslate() {
  add_->setText(tr("add an encoding"));
  add_->setNames(tr("Add an encoding to train"));
  form_->setLanguage(currentStyle().language);
  rebuild();
  showForm();
}

void EncodingList::rebuild() {
  for (QWidget* row : shown_) {
    row->hide();
    row->deleteLater();
  }
  shown_.clear();
  train::ComparisonSpec all;
  all.positions = positions_;
  for (std::size_t p = 0; p < positions_.size(); ++p) {
    auto* row = new QWidget(this);
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(0);
    auto* name = new FlatButton(row);
    name->setText(encodingName(all, p, currentStyle()));
    name->setMark(encodingColour(all, p, currentStyle()));
    name->setCheckable(true);
    name->setChecked(static_cast<int>(p) == chosen_);
    name->setNames(tr("Constants of this encoding"));
    auto* remove_button = new FlatButton(row);
    remove_button->setIconName(QStringLiteral("remove"));
    remove_button->setCompact(true);
    remove_button->setEnabled(positions_.size() > 1);
    remove_button->setNames(tr("Leave %1 out").arg(name->text()));
    line->addWidget(name);
    line->addStretch(1);
    line->addWidget(remove_button);
    connect(name, &QAbstractButton::clicked, this, [this, p] { choose(static_cast<int>(p)); });
    connect(remove_button, &QAbstractButton::clicked, this, [this, p] { remove(p); });
    rows_->addWidget(row);
    shown_.push_back(row);
  }
  add_->setEnabled(positions_.size() < most_encodings);
}

void EncodingList::choose(int position) {
  chosen_ = position == chosen_ ? -1 : position;
  rebuild();
  showForm();
}

void EncodingList::showForm() {
  const auto at = static_cast<std::size_t>(chosen_);
  const train::Trainable* trainable = chosen_ >= 0 ? train::findTrainable(positions_[at].scheme) : nullptr;
  form_->setVisible(trainable && !trainable->params.empty());
  if (!trainable) return;
  form_->setSpecs(trainable->scheme, trainable->params);
  form_->setValues(positions_[at].values);
}

void EncodingList::add(const std::string& scheme) {
  if (positions_.size() >= most_encodings) return;
  positions_.push_back({scheme, {}});
  rebuild();
  emit edited({});
}

void EncodingList::remove(std::size_t position) {
  if (positions_.size() < 2) return;
  positions_.erase(positions_.begin() + static_cast<std::ptrdiff_t>(position));
  chosen_ = -1;
  rebuild();
  showForm();
  emit edited({});
}

void EncodingList::openMenu() {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setToolTipsVisible(true);
  for (const train::Trainable& trainable : train::trainables()) {
    train::ComparisonSpec one;
    one.positions = {{trainable.scheme, {}}};
    menu->addAction(encodingName(one, 0, currentStyle()), this, [this, id = trainable.scheme] { add(id); })
        ->setToolTip(currentStyle().text(trainable.trained));
  }
  menu->popup(add_->mapToGlobal(QPoint(0, add_->height())));
}

void EncodingList::edit(const std::string& key, const Value& value) {
  if (chosen_ < 0) return;
  train::PositionSpec& position = positions_[static_cast<std::size_t>(chosen_)];
  position.values[key] = value;
  const ParamSpec* spec = findParam(train::findTrainable(position.scheme)->params, key);
  if (spec && spec->default_value == value) position.values.erase(key);
  form_->setValues(position.values);
  rebuild();
  emit edited(QStringLiteral("%1/%2").arg(chosen_).arg(QString::fromStdString(key)));
}

}  // namespace posiscope::ui

#include "moc_encoding_list.cpp"
