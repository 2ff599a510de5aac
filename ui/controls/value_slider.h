// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSlider>

namespace posiscope::ui {

/// The thin slider of the design. It moves in ten thousandths; what a place means is the row's business, and so are
/// the arrow keys, whose steps depend on the parameter.
class ValueSlider : public QSlider {
  Q_OBJECT

 public:
  static constexpr int steps = 10000;

  explicit ValueSlider(QWidget* parent = nullptr);
  void setPosition(double position);
  double position() const { return static_cast<double>(sliderPosition()) / steps; }
  QSize sizeHint() const override { return {160, 20}; }

 signals:
  void dragged(double position);             ///< by the pointer
  void stepped(int direction, Qt::KeyboardModifiers modifiers);
  void released();
  void resetWanted();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void keyReleaseEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  double positionAt(double x) const;
};

}  // namespace posiscope::ui
