// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/dials.h"
#include "ui/views/picture_view.h"

#include <functional>
#include <optional>

namespace posiscope::ui {

using DialSceneMaker = std::function<DialScene(const ViewContext&)>;

/// Clock hands of each pair. Left and right move position i, up and down position j (Shift: by ten).
class DialView final : public PictureView {
  Q_OBJECT

 public:
  DialView(Text title, DialSceneMaker maker, QWidget* parent);

  const DialScene& scene() const { return scene_; }

 protected:
  void drawPicture(QPainter& painter) override;
  void drawPointer(QPainter& painter) override;
  void contextChanged() override;
  void pointAt(QPointF position) override;

  void mouseMoveEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  Text title_;
  DialSceneMaker maker_;
  DialScene scene_;
};

}  // namespace posiscope::ui
