// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment.h"
#include "core/text.h"

#include <QListWidget>

namespace posiscope::ui {

/// The schemes being compared: colour, name, values, an eye. Alt+Up and Alt+Down or dragging reorder, Space shows
/// and hides, Delete removes, Ctrl+D duplicates.
class SchemeList : public QListWidget {
  Q_OBJECT

 public:
  explicit SchemeList(QWidget* parent = nullptr);
  void show(const Experiment& experiment, int selected, Language language);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 signals:
  void chosen(int index);
  void moveWanted(int from, int to);
  void visibleWanted(int index, bool visible);
  void duplicateWanted(int index);
  void removeWanted(int index);

 protected:
  bool viewportEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  bool isVisibleScheme(int row) const;
  bool isCut(const QListWidgetItem& scheme) const;

  bool showing_ = false;
};

}  // namespace posiscope::ui
