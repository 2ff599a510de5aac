// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/store.h"

#include <QWidget>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace posiscope::ui {

class FlatButton;
class ParamForm;
class Section;

/// The sizes: the usual ones, and the rest under "more".
class ShapePanel : public QWidget {
  Q_OBJECT

 public:
  explicit ShapePanel(Store& store, QWidget* parent = nullptr);

 signals:
  void presetWanted(const std::string& id);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void retranslate();
  void refresh();
  void edit(ParamForm* form, const std::string& key, const Value& value);
  void connectForm(ParamForm* form);
  void endGesture();

  Store& store_;
  Section* section_;
  ParamForm* usual_;
  ParamForm* rest_;
  FlatButton* more_;
  std::vector<FlatButton*> presets_;
  std::optional<std::int64_t> kv_heads_before_;  ///< as they were when the gesture on the heads began
};

}  // namespace posiscope::ui
