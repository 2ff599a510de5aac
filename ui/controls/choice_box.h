// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>

namespace posiscope::ui {

/// A combo box in the look of the value fields. The wheel changes it only while it has the focus.
class ChoiceBox : public QComboBox {
  Q_OBJECT

 public:
  /// Data of an entry: the end of its text that is never cut, when the rest has to be ("Copy … · running").
  static constexpr int tail_role = Qt::UserRole + 1;

  explicit ChoiceBox(QWidget* parent = nullptr);
  QSize sizeHint() const override { return {136, 26}; }
  QSize minimumSizeHint() const override { return {72, 26}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
};

}  // namespace posiscope::ui
