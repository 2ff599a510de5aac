// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/scheme_sheet.h"

#include "core/schemes/list.h"
#include "ui/controls/theme.h"
#include "ui/panels/formula_box.h"
#include "ui/panels/scheme_document.h"

#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QScreen>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextCursor>
#include <QVBoxLayout>
#include <algorithm>

namespace posiscope::ui {
namespace {

constexpr QSize size_at_first{460, 620};

/// Markdown makes headings twice as large as the text and sets all lines tightly: here they look like the titles of
/// the panels, and lines get the room that formulas and Chinese need.
void setDocumentStyle(QTextDocument& document, const Style& style) {
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
    QTextCursor cursor(block);
    QTextBlockFormat format = block.blockFormat();
    const bool heading = format.headingLevel() > 0;
    format.setTopMargin(heading ? 14 : 4);
    format.setBottomMargin(heading ? 2 : 4);
    format.setLineHeight(heading ? 100 : 130, QTextBlockFormat::ProportionalHeight);
    cursor.setBlockFormat(format);
    if (!heading) continue;
    cursor.select(QTextCursor::BlockUnderCursor);
    QTextCharFormat letters;
    letters.setProperty(QTextFormat::FontSizeAdjustment, 0);
    letters.setFontWeight(QFont::Bold);
    letters.setForeground(style.mute);
    cursor.mergeCharFormat(letters);
  }
}

}  // namespace

SchemeSheet::SchemeSheet(Store& store, QWidget* parent)
    : QFrame(parent, Qt::Tool),
      store_(store),
      title_(new QLabel(this)),
      facts_(new QLabel(this)),
      formula_(new FormulaBox(this)),
      text_(new QTextBrowser(this)) {
  setObjectName(QStringLiteral("sheet"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 14, 12, 8);
  column->setSpacing(4);
  title_->setProperty("role", "title");
  facts_->setProperty("role", "mute");
  facts_->setWordWrap(true);
  text_->setOpenExternalLinks(true);
  text_->setFrameShape(QFrame::NoFrame);
  text_->document()->setDocumentMargin(0);
  for (QWidget* part : {static_cast<QWidget*>(title_), static_cast<QWidget*>(facts_), static_cast<QWidget*>(formula_)})
    column->addWidget(part);
  column->addWidget(text_, 1);
  resize(size_at_first);
  connect(&store_, &Store::experimentChanged, this, &SchemeSheet::refresh);
  connect(&store_, &Store::presentationChanged, this, &SchemeSheet::refresh);
}

void SchemeSheet::openAt(const QPoint& corner) {
  if (!isVisible()) {
    const QRect room = parentWidget()->screen()->availableGeometry();
    move(std::clamp(corner.x(), room.left(), std::max(room.left(), room.right() - width())),
         std::clamp(corner.y(), room.top(), std::max(room.top(), room.bottom() - height())));
  }
  show();
  refresh();
  raise();
  activateWindow();
  text_->setFocus();
}

QString SchemeSheet::shownText() const { return text_->toPlainText(); }

void SchemeSheet::refresh() {
  if (!isVisible()) return;
  const auto index = static_cast<std::size_t>(store_.presentation().selected);
  const auto& choices = store_.experiment().schemes;
  const Scheme* scheme = index < choices.size() ? schemes::find(choices[index].id) : nullptr;
  if (!scheme) return hide();
  const Language language = store_.presentation().language;
  const Style& style = currentStyle();
  setWindowTitle(style.text(scheme->text.name));
  title_->setText(style.text(scheme->text.name));
  facts_->setText(QStringLiteral("%1 · %2 · %3\n%4").arg(style.text(familyName(scheme->text.family)))
                      .arg(scheme->text.year).arg(QString::fromStdString(scheme->id()), style.text(scheme->text.summary)));
  formula_->show(choices[index], store_.experiment().shape);
  const QString document = schemeDocument(scheme->id(), language);
  // The name and the sentence stand above already.
  showDocument(document.mid(std::max<qsizetype>(0, document.indexOf(QStringLiteral("\n## ")))));
}

void SchemeSheet::showDocument(const QString& markdown) {
  if (markdown == shown_) return;
  shown_ = markdown;
  text_->setAccessibleName(title_->text());
  text_->setMarkdown(markdown);
  setDocumentStyle(*text_->document(), currentStyle());
  text_->moveCursor(QTextCursor::Start);
}

void SchemeSheet::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return hide();
  QFrame::keyPressEvent(event);
}

void SchemeSheet::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) {
    shown_.clear();
    refresh();
  }
  QFrame::changeEvent(event);
}

}  // namespace posiscope::ui
