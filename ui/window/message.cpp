// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/message.h"

#include "ui/controls/flat_button.h"
#include "ui/controls/theme.h"
#include "ui/controls/tip.h"

#include <algorithm>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QStringList>

namespace posiscope::ui {
namespace {

constexpr int line_height = 24;  // of a compact button
constexpr QMargins margins(28, 3, 8, 3);

/// Several sentences in a row. What does not end like a sentence is kept apart.
QString onOneLine(const QString& text) {
  QString line;
  for (const QString& part : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
    if (line.endsWith(QLatin1Char('.')))
      line += QLatin1Char(' ');
    else if (!line.isEmpty() && !line.endsWith(QStringLiteral("。")))
      line += QStringLiteral(" · ");
    line += part;
  }
  return line;
}

}  // namespace

Message::Message(MessageKind kind, const Sentence& sentence, QWidget* parent)
    : QWidget(parent),
      kind_(kind),
      sentence_(sentence),
      said_(sentence),
      row_(new QHBoxLayout(this)),
      text_(new QLabel(this)),
      fold_(new FlatButton(this)) {
  row_->setContentsMargins(margins);
  text_->setTextFormat(Qt::PlainText);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  text_->setMinimumHeight(line_height);
  QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  text_->setSizePolicy(policy);
  fold_->setLook(FlatButton::Look::link);
  fold_->hide();
  row_->addWidget(text_, 1);
  row_->addWidget(fold_, 0, Qt::AlignTop);
  connect(fold_, &QAbstractButton::clicked, this, [this] {
    open_ = !open_;
    fit();
  });
  fit();
}

FlatButton* Message::addButton(const std::function<void(FlatButton&)>& name) {
  auto* button = new FlatButton(this);
  button->setCompact(true);
  name(*button);
  button_names_.emplace_back([name, button] { name(*button); });
  row_->addWidget(button, 0, Qt::AlignTop);
  return button;
}

void Message::setSentence(const Sentence& sentence) {
  sentence_ = sentence;
  said_ = sentence;
  fit();
}

QString Message::shownText() const { return text_->text(); }

int Message::roomForText(bool with_fold) const {
  int room = width() - margins.left() - margins.right();
  for (const FlatButton* button : findChildren<FlatButton*>(Qt::FindDirectChildrenOnly))
    if (button != fold_ || with_fold) room -= button->sizeHint().width() + row_->spacing();
  return std::max(0, room);
}

void Message::fit() {
  const QFontMetrics metrics(text_->font());
  const QString line = onOneLine(said_);
  fold_->setText(open_ ? tr("less") : tr("more"));
  fold_->setNames(open_ ? tr("Show one line of this message") : tr("Show all of this message"));
  const bool too_long = metrics.horizontalAdvance(line) > roomForText(false);
  fold_->setVisible(kind_ == MessageKind::note && too_long);
  text_->setWordWrap(!isFolded());
  text_->setText(isFolded() ? metrics.elidedText(line, Qt::ElideRight, roomForText(too_long)) : said_);
  text_->setToolTip(isFolded() && too_long ? literalTip(said_) : QString());
  text_->setAccessibleName(said_);
}

void Message::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) {
    said_ = sentence_;
    for (const std::function<void()>& name : button_names_) name();
  }
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::FontChange) fit();
  QWidget::changeEvent(event);
}

void Message::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

void Message::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  fit();  // by now it has all its buttons
}

void Message::paintEvent(QPaintEvent*) {
  const Style& style = currentStyle();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), style.panel);
  painter.setPen(QPen(style.line, 1));
  painter.drawLine(QPointF(0, height() - 0.5), QPointF(width(), height() - 0.5));
  painter.setPen(Qt::NoPen);
  painter.setBrush(kind_ == MessageKind::problem ? style.warn : style.mute);
  painter.drawEllipse(QPointF(16, margins.top() + line_height / 2.0), 4, 4);
}

}  // namespace posiscope::ui
