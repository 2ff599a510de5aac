// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/run_spec.h"

#include <QWidget>
#include <vector>

class QVBoxLayout;

namespace posiscope::ui {

class FlatButton;
class ParamForm;

/// The encodings that are compared, one to eight: colour and name, constants of the chosen one, a button that takes it
/// away, and one that adds another.
class EncodingList : public QWidget {
  Q_OBJECT

 public:
  explicit EncodingList(QWidget* parent = nullptr);
  /// The constants that are shown stay in sight while their encoding stays in its place.
  void setPositions(const std::vector<train::PositionSpec>& positions);
  const std::vector<train::PositionSpec>& positions() const { return positions_; }
  void retranslate();
  /// As from the menu.
  void add(const std::string& scheme);
  void remove(std::size_t position);

 signals:
  /// Changes with the same non-empty `gesture` belong together until `finished`.
  void edited(const QString& gesture);
  void finished();

 private:
  void rebuild();
  void choose(int position);
  void showForm();
  void openMenu();
  void edit(const std::string& key, const Value& value);

  std::vector<train::PositionSpec> positions_;
  int chosen_ = -1;
  QVBoxLayout* rows_;
  std::vector<QWidget*> shown_;
  ParamForm* form_;
  FlatButton* add_;
};

}  // namespace posiscope::ui
