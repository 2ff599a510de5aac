// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/tip.h"

#include <QHelpEvent>
#include <QTextDocument>
#include <QToolTip>

namespace posiscope::ui {

QString literalTip(const QString& text) {
  return Qt::mightBeRichText(text) ? Qt::convertFromPlainText(text, Qt::WhiteSpaceNormal) : text;
}

void showTip(const QHelpEvent& help, const QString& text, QWidget* widget) {
  if (text.isEmpty())
    QToolTip::hideText();
  else
    QToolTip::showText(help.globalPos(), literalTip(text), widget);
}

}  // namespace posiscope::ui
