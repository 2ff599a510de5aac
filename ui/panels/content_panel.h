// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/store.h"

#include <QWidget>
#include <optional>

namespace posiscope::ui {

class ParamForm;
class Section;

/// The mask and the training length as parameters of one form; the inverse of each other.
ParamValues maskValues(const Mask& mask, double train_length);
Experiment withMaskValue(Experiment experiment, const std::string& key, const Value& value);
const std::vector<ParamSpec>& maskSpecs();

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
  void retranslate();
  void refresh();

  Store& store_;
  Section* section_;
  ParamForm* content_;
  ParamForm* mask_;
};

}  // namespace posiscope::ui
