// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/override_note.h"
#include "ui/controls/flat_button.h"
#include "ui/panels/param_form.h"
#include "ui/panels/param_row.h"
#include "ui/panels/scheme_panel.h"

#include <gtest/gtest.h>
#include <QLabel>

namespace posiscope::ui {
namespace {

/// Qwen3's base, changed by hand.
Experiment changedModel() {
  SchemeChoice choice{"rope", {{"base", 1000.0}}, "", 0, true};
  choice.model_values = ParamValues{{"base", 1e6}};
  Experiment e;
  e.schemes = {choice};
  return e;
}

TEST(OverrideNote, namesBothValuesAndOneClickGoesBackToTheModel) {
  Store store;
  store.reset(changedModel(), startPresentation());
  SchemePanel panel(store);
  panel.resize(320, 900);
  panel.show();
  const auto* form = panel.findChild<ParamForm*>();
  ASSERT_NE(form, nullptr);
  const auto noteOf = [&](const char* key) { return form->row(key)->findChild<OverrideNote*>(); };
  EXPECT_EQ(noteOf("pairing"), nullptr) << "a value of the model needs no note";
  ASSERT_NE(noteOf("base"), nullptr);
  EXPECT_TRUE(noteOf("base")->isVisible());
  const QString sentence = noteOf("base")->findChild<QLabel*>()->text();
  EXPECT_TRUE(sentence.contains(QStringLiteral("1\u202f000\u202f000"))) << sentence.toStdString();
  EXPECT_TRUE(sentence.contains(QStringLiteral("here it is 1\u202f000."))) << sentence.toStdString();
  noteOf("base")->findChild<FlatButton*>(QStringLiteral("model_value"))->click();
  EXPECT_EQ(store.experiment().schemes[0].values.at("base"), Value(1e6));
  EXPECT_FALSE(noteOf("base")->isVisible());
  store.undo();
  EXPECT_EQ(store.experiment().schemes[0].values.at("base"), Value(1000.0));
  EXPECT_TRUE(noteOf("base")->isVisible());
}

TEST(OverrideNote, speaksTheLanguageOfTheWindow) {
  Presentation presentation = startPresentation();
  presentation.language = Language::chinese;
  Store store;
  store.reset(changedModel(), presentation);
  const SchemePanel panel(store);
  const auto* note = panel.findChild<ParamForm*>()->row("base")->findChild<OverrideNote*>();
  ASSERT_NE(note, nullptr);
  EXPECT_TRUE(note->findChild<QLabel*>()->text().startsWith(QStringLiteral("模型中为 ")));
}

}  // namespace
}  // namespace posiscope::ui
