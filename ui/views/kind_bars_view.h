// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/kind_bars.h"
#include "ui/views/picture_view.h"

#include <optional>

namespace posiscope::ui {

/// The kinds of heads of every scheme as bars. The pointer, or the arrow keys, tell which heads a segment stands for.
class KindBarsView final : public PictureView {
  Q_OBJECT

 public:
  KindBarsView(Text title, QWidget* parent);

  const KindBars& bars() const { return bars_; }
  KindBarsLayout places() const { return layoutKindBars(bars_, rect()); }
  const std::optional<KindPlace>& cursor() const { return cursor_; }

 protected:
  void drawPicture(QPainter& painter) override;
  void drawPointer(QPainter& painter) override;
  void contextChanged() override;
  void pointAt(QPointF position) override;

  bool event(QEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void moveTo(std::optional<KindPlace> place);
  void describe();

  Text title_;
  KindBars bars_;
  std::optional<KindPlace> cursor_;
};

}  // namespace posiscope::ui
