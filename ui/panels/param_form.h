// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/overrides.h"
#include "core/parameter.h"
#include "core/text.h"

#include <map>
#include <QString>
#include <QWidget>
#include <string>
#include <vector>

class QVBoxLayout;

namespace posiscope::ui {

class ParamRow;

/// The rows of a list of parameters; only those that matter beside the present values are shown.
class ParamForm : public QWidget {
  Q_OBJECT

 public:
  explicit ParamForm(QWidget* parent = nullptr);

  /// Builds rows for `specs`; those of the same owner that are shown already stay as they are.
  void setSpecs(const std::string& owner, const std::vector<ParamSpec>& specs);
  void setValues(const ParamValues& values);
  /// Which parameters depart from the model they came from.
  void setOverrides(const std::vector<Override>& overrides);
  void setLanguage(Language language);
  void setProblem(const std::string& key, const QString& sentence);
  /// Explains an illegal state under the row that the sentence (in English) names first; false when it names none.
  bool explain(const std::string& sentence, const QString& shown);
  /// What was typed and refused was meant for other values than those that come now.
  void dropRefused();
  /// What was typed and refused in texts that are meant for a choice of `choice`, by their keys.
  std::map<std::string, QString> refusedTexts(const std::string& choice) const;
  /// Each as if typed once more, where its row is shown.
  void typeAgain(const std::map<std::string, QString>& texts);
  ParamRow* row(const std::string& key) const;
  /// Makes room for names and choices in rows of at most `most` pixels; the width that takes.
  int keepWhole(int most);

 signals:
  void changed(const std::string& key, const posiscope::Value& value);
  void finished();
  void resetWanted(const std::string& key);
  void modelWanted(const std::string& key);
  void fileWanted(const std::string& key);

 private:
  ParamRow* newRow(const std::string& owner, const ParamSpec& spec);
  void dismiss(const std::vector<ParamRow*>& rows);

  QVBoxLayout* column_;
  std::string owner_;
  std::vector<ParamSpec> specs_;
  ParamValues values_;
  std::vector<ParamRow*> rows_;
  Language language_ = Language::english;
};

}  // namespace posiscope::ui
