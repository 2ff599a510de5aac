// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment.h"

#include <QString>
#include <QWidget>

class QLabel;

namespace posiscope::ui {

/// The resource of a scheme's typeset formula; a scaling with a formula of its own has its own. Empty when there is
/// none.
QString formulaResource(const SchemeChoice& choice);

/// The typeset formula with the present values of its symbols below it.
class FormulaBox : public QWidget {
  Q_OBJECT

 public:
  explicit FormulaBox(QWidget* parent = nullptr);
  void show(const SchemeChoice& choice, const Shape& shape);
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override { return {256, heightForWidth(256)}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QSizeF drawnSize(int width) const;

  QString resource_;
  QLabel* substitution_;
};

}  // namespace posiscope::ui
