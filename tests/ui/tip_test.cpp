// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Names from outside, a token or a file, are shown letter by letter.
#include "ui/controls/tip.h"

#include "ui/panels/override_note.h"
#include "ui/tiles/tile_notice.h"

#include <gtest/gtest.h>

#include <QHelpEvent>
#include <QLabel>
#include <QTextDocument>
#include <QToolTip>

namespace posiscope::ui {
namespace {

/// What somebody reads in a tooltip or a label that decides by itself whether a text is HTML.
QString readIn(const QString& text) {
  if (!Qt::mightBeRichText(text)) return text;
  QTextDocument document;
  document.setHtml(text);
  return document.toPlainText();
}

TEST(LiteralTip, showsWhatLooksLikeHtml) {
  for (const QString& text :
       {QStringLiteral("query 0 “<s>”: 0.5 to key 1"), QStringLiteral("<b>x</b> & y"), QStringLiteral("a &lt; <p>"),
        QStringLiteral("<s>\nsecond line"), QStringLiteral("RoPE, base 1e4"), QString()})
    EXPECT_EQ(readIn(literalTip(text)), text);
  EXPECT_EQ(literalTip(QStringLiteral("a\nb")), QStringLiteral("a\nb"));
}

TEST(LiteralTip, isWhatAViewShows) {
  QWidget view;
  view.resize(100, 100);
  view.show();
  const QHelpEvent help(QEvent::ToolTip, QPoint(5, 5), view.mapToGlobal(QPoint(5, 5)));
  showTip(help, QStringLiteral("query 0 “<s>”"), &view);
  EXPECT_EQ(readIn(QToolTip::text()), QStringLiteral("query 0 “<s>”"));
  showTip(help, QString(), &view);
}

TEST(PlainLabels, doNotReadAFileNameAsHtml) {
  OverrideNote note;
  TileNotice notice;
  for (const QWidget* widget : {static_cast<QWidget*>(&note), static_cast<QWidget*>(&notice)}) {
    const auto* label = widget->findChild<QLabel*>();
    ASSERT_TRUE(label);
    EXPECT_EQ(label->textFormat(), Qt::PlainText);
  }
}

}  // namespace
}  // namespace posiscope::ui
