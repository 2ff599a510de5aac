// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/store.h"

#include <QWidget>
#include <string>
#include <utility>

class QLabel;

namespace posiscope::ui {

class Finder;
class FlatButton;
class FormulaBox;
class ParamForm;
class SchemeList;
class SchemeSheet;
class Section;

/// Which schemes are compared, and the formula and the parameters of the selected one.
class SchemePanel : public QWidget {
  Q_OBJECT

 public:
  explicit SchemePanel(Store& store, QWidget* parent = nullptr);
  void openPicker();
  /// What is known about the selected scheme, in a window beside the work.
  void openSheet();

 signals:
  void fileWanted(const std::string& key);  ///< an array parameter of the selected scheme
  void refused(const QString& sentence);    ///< why a key does nothing: its button, which tells it, may be far away

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void build();
  void retranslate();
  void refresh();
  void add(const std::string& id);
  void select(int index);
  void takeSentences();
  void edit(const std::string& key, const Value& value);
  const SchemeChoice* selected() const;
  QString fullSentence() const;

  Store& store_;
  Section* list_section_;
  Section* form_section_;
  SchemeList* list_;
  FlatButton* add_;
  FlatButton* about_;
  FlatButton* duplicate_;
  FlatButton* remove_;
  FlatButton* reset_;
  FlatButton* sentences_;  ///< takes the boundaries from the ends of the sentences of the typed text
  FormulaBox* formula_;
  QLabel* problem_;
  QLabel* empty_;
  ParamForm* form_;
  Finder* picker_ = nullptr;
  SchemeSheet* sheet_ = nullptr;
  std::pair<std::string, int> shown_;  ///< id and colour: what a scheme keeps for as long as it lives
};

}  // namespace posiscope::ui
