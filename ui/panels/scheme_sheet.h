// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/store.h"

#include <QFrame>

class QLabel;
class QTextBrowser;

namespace posiscope::ui {

class FormulaBox;

/// All that is known about the selected scheme – formula, how to read it, traps, known users, reference – in a small
/// window of its own that stays open beside the work and follows the selection, the values and the language. Escape
/// closes it.
class SchemeSheet : public QFrame {
  Q_OBJECT

 public:
  SchemeSheet(Store& store, QWidget* parent);
  /// Opens with its top left corner at this place of the screen, kept on the screen; raises it when it is open.
  void openAt(const QPoint& corner);
  QString shownText() const;

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void refresh();
  void showDocument(const QString& markdown);

  Store& store_;
  QLabel* title_;
  QLabel* facts_;
  FormulaBox* formula_;
  QTextBrowser* text_;
  QString shown_;  ///< the markdown in `text_`, so that a drag of a slider does not scroll it back
};

}  // namespace posiscope::ui
