// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameter.h"
#include "core/text.h"

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace posiscope::ui {

class ChoiceBox;
class FlatButton;
class OverrideNote;
class Switch;
class ValueField;
class TextArea;
class ValueSlider;

/// One parameter: name, alias, field and slider (or choice, switch, list, file), all made from its `ParamSpec`.
/// It shows a value and emits intents; a value outside the limits is explained under the row and not emitted.
class ParamRow : public QWidget {
  Q_OBJECT

 public:
  ParamRow(std::string owner, ParamSpec spec, QWidget* parent = nullptr);

  const ParamSpec& spec() const { return spec_; }
  void setValue(const Value& value);
  /// The most the present sizes allow, within the parameter's own limits: where the slider ends and what may be typed.
  void setMost(double most);
  void setLanguage(Language language);
  /// What an empty text stands for: shown faintly in the field, and a button takes it over to be changed.
  void setExample(const QString& example);
  /// Explains under the row why the last intent was not followed; empty takes the sentence away.
  void setProblem(const QString& sentence);
  /// Explains under the row why the value that it shows is illegal with the others; goes with the next value.
  void setStandingProblem(const QString& sentence);
  /// A text that was refused is gone, and the reason with it.
  void dropRefused();
  /// What was typed and refused; empty while nothing is.
  QString refusedText() const;
  void typeAgain(const QString& text);
  /// Says under the row that the value departs from the model's, with a button that goes back; empty takes it away.
  void setOverride(const QString& sentence);
  /// Which fields of the row have the focus, in their order.
  QWidget* firstControl() const;
  /// How wide a row is that cuts neither its name nor the longest of its choices.
  int wholeWidth() const;
  /// Keeps the choices that wide in a row of `width` pixels, as far as the name leaves room.
  void keepChoicesWhole(int width);

 signals:
  void changed(const std::string& key, const posiscope::Value& value);
  void finished();  ///< the gesture ended
  void resetWanted(const std::string& key);
  void modelWanted(const std::string& key);  ///< back to the value of the model
  void fileWanted(const std::string& key);   ///< an array is to be chosen

 protected:
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void buildNumber(QHBoxLayout* top, QVBoxLayout* column);
  void buildChoice(QHBoxLayout* top);
  void buildSwitch(QHBoxLayout* top);
  void buildList(QHBoxLayout* top, QVBoxLayout* column);
  void buildText(QHBoxLayout* top, QVBoxLayout* column);
  void buildFile(QHBoxLayout* top);
  void showLabel();
  void showTake();
  int nameWidth() const;
  int choicesWidth() const;
  void step(int direction, Qt::KeyboardModifiers modifiers);
  void type(const QString& text);
  void typeText(const QString& text);
  void propose(const Value& value);

  std::string owner_;
  ParamSpec spec_;
  double hard_maximum_;   ///< of the parameter whatever the sizes are
  double usual_maximum_;  ///< of its slider
  Value value_;
  Language language_ = Language::english;
  bool standing_ = false;  ///< the problem is the value's own, not that of a refused one
  QLabel* label_ = nullptr;
  QLabel* dot_ = nullptr;
  QLabel* problem_ = nullptr;
  ValueField* field_ = nullptr;
  TextArea* text_ = nullptr;
  FlatButton* take_ = nullptr;  ///< the example of a text
  ValueSlider* slider_ = nullptr;
  ChoiceBox* choice_ = nullptr;
  Switch* switch_ = nullptr;
  FlatButton* file_ = nullptr;
  FlatButton* clear_ = nullptr;
  OverrideNote* override_ = nullptr;  ///< made when it is first needed: few rows ever have one
};

}  // namespace posiscope::ui
