// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/override_note.h"

#include "ui/controls/flat_button.h"

#include <QHBoxLayout>
#include <QLabel>

namespace posiscope::ui {

OverrideNote::OverrideNote(QWidget* parent)
    : QWidget(parent), sentence_(new QLabel(this)), back_(new FlatButton(this)) {
  auto* line = new QHBoxLayout(this);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(6);
  line->addWidget(sentence_, 1);
  line->addWidget(back_, 0, Qt::AlignTop);
  sentence_->setProperty("role", "error");
  sentence_->setTextFormat(Qt::PlainText);
  sentence_->setWordWrap(true);
  sentence_->setMinimumWidth(1);
  sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  back_->setObjectName(QStringLiteral("model_value"));
  back_->setLook(FlatButton::Look::link);
  connect(back_, &QAbstractButton::clicked, this, &OverrideNote::modelWanted);
  retranslate();
  hide();
}

void OverrideNote::setSentence(const QString& sentence) {
  sentence_->setText(sentence);
  setVisible(!sentence.isEmpty());
}

void OverrideNote::retranslate() {
  back_->setText(tr("revert"));
  back_->setNames(tr("Back to the model's value"));
}

}  // namespace posiscope::ui
