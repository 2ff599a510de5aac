// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/store.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

namespace posiscope::ui {

class Finder;
class FlatButton;

/// Title (the menu that changes the view), chips (which scheme, which head), options, export, maximise. Where the title
/// would be cut for them, chips become short, then all but maximise go into one menu "…". Dragging it onto another tile
/// swaps the two.
class TileHeader : public QWidget {
  Q_OBJECT

 public:
  static constexpr int height_pixels = 34;
  static constexpr const char* mime_type = "application/x-posiscope-tile";

  TileHeader(Store& store, int index, QWidget* parent);
  void refresh();
  FlatButton* title() const { return title_; }
  QWidget* lastControl() const;
  void openViewMenu();
  void openOptions();

 signals:
  void maximiseWanted();
  void exportWanted(const QPoint& corner);  ///< where the menu belongs on the screen

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  const TileState& tile() const;
  void refreshChips();
  /// Shows as much beside the title as leaves it whole.
  void fit();
  bool fits() const;
  void openMore();
  QPoint below(const FlatButton* button) const;
  void startDrag();

  Store& store_;
  int index_;
  FlatButton* title_;
  FlatButton* scheme_;
  QString scheme_name_;
  bool has_scheme_ = false;
  FlatButton* head_;
  bool has_head_ = false;
  FlatButton* more_;
  FlatButton* options_;
  bool has_options_ = false;
  FlatButton* export_;
  FlatButton* maximise_;
  Finder* views_ = nullptr;
  QTimer menu_delay_;
  QPoint press_;
};

}  // namespace posiscope::ui
