// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/store.h"

#include <QWidget>
#include <string>
#include <vector>

namespace posiscope::ui {

class ParamForm;
class Section;

/// Where q and k come from, which keys a query sees, and what the model was trained on.
class ContentPanel : public QWidget {
  Q_OBJECT

 public:
  explicit ContentPanel(Store& store, QWidget* parent = nullptr);

 signals:
  void fileWanted(const std::string& key);  ///< an array of the content

 protected:
  void changeEvent(QEvent* event) override;

 private:
  using Edit = Experiment (*)(Experiment, const std::string& key, const Value& value);

  void retranslate();
  void refresh();
  /// `specs` of a table, which lives as long as the program.
  void addForm(ParamForm* form, const std::string& owner, const std::vector<ParamSpec>& specs, Edit edit);

  Store& store_;
  Section* section_;
  ParamForm* content_;
  ParamForm* mask_;
  ParamForm* whole_;
};

}  // namespace posiscope::ui
