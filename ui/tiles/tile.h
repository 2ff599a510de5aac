// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/store.h"
#include "ui/views/view.h"

#include <QWidget>

namespace posiscope::ui {

class TileHeader;
class TileNotice;

/// A frame with a header and one view. It makes the view that the presentation names and passes its intents on.
class Tile : public QWidget {
  Q_OBJECT

 public:
  Tile(Store& store, int index, QWidget* parent = nullptr);

  void setContext(const ViewContext& context);
  void setHover(const Hover& hover);
  TileHeader* header() const { return header_; }
  View* view() const { return view_; }
  /// The strip that says that this picture was cancelled; hidden otherwise.
  TileNotice* notice() const { return notice_; }

 signals:
  void maximiseWanted(int index);
  void swapWanted(int from, int to);
  void exportWanted(int index, const QPoint& corner);
  void computeWanted();  ///< again, after a cancel
  void selected(int index, const posiscope::ui::Selection& ranges);
  void fitWanted(int index);
  void entered(int index);  ///< the pointer or the focus is here

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void enterEvent(QEnterEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragLeaveEvent(QDragLeaveEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void makeView(const ViewKind* kind);
  TileState tileState() const;
  void setTileState(TileState tile, const QString& gesture = {});

  Store& store_;
  int index_;
  std::string view_id_;
  TileHeader* header_;
  TileNotice* notice_;
  View* view_ = nullptr;
  bool drop_here_ = false;
};

}  // namespace posiscope::ui
