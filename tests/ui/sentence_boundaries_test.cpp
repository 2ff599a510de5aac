// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/flat_button.h"
#include "ui/panels/scheme_panel.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace posiscope::ui {
namespace {

FlatButton* offer(const SchemePanel& panel) {
  const auto buttons = panel.findChildren<FlatButton*>();
  const auto found = std::ranges::find_if(buttons, [](const FlatButton* button) {
    return button->text() == QStringLiteral("boundaries at the ends of sentences");
  });
  return found == buttons.end() ? nullptr : *found;
}

TEST(SentenceBoundaries, aTypedTextOffersThemToTheSparseScheme) {
  Store store;
  Experiment e = store.experiment();
  e.schemes = {SchemeChoice{}};
  e.schemes.front().id = "sparse";
  e.shape = {};
  e.shape.seq_len = 5;
  e.content = {};
  store.setExperiment(e);
  SchemePanel panel(store);
  panel.show();
  FlatButton* button = offer(panel);
  ASSERT_NE(button, nullptr);
  EXPECT_FALSE(button->isVisible()) << "no text was typed";
  e.content.source = ContentSource::tokens;
  e.content.text = "Go. Then come back!";
  store.setExperiment(e);
  ASSERT_TRUE(button->isVisible());
  button->click();
  const std::vector<double> flags{1, 0, 0, 1, 1};
  EXPECT_EQ(store.experiment().schemes.front().values.at("flags"), Value(flags));
  store.undo();
  EXPECT_FALSE(store.experiment().schemes.front().values.contains("flags"));
  e.schemes.front().id = "alibi";
  store.setExperiment(e);
  EXPECT_FALSE(button->isVisible());
}

}  // namespace
}  // namespace posiscope::ui
