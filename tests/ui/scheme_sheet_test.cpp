// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/list.h"
#include "ui/controls/finder.h"
#include "ui/panels/scheme_document.h"
#include "ui/panels/scheme_panel.h"
#include "ui/panels/scheme_sheet.h"

#include <gtest/gtest.h>

#include <QLineEdit>
#include <QTest>

namespace posiscope::ui {
namespace {

TEST(SchemeDocument, EverySchemeHasAllPartsInBothLanguages) {
  for (const Scheme& scheme : schemes::catalogue())
    for (const Language language : {Language::english, Language::chinese}) {
      const QString document = schemeDocument(scheme.id(), language);
      for (int part = 0; part < document_parts; ++part)
        EXPECT_FALSE(documentPart(document, static_cast<DocumentPart>(part)).isEmpty())
            << scheme.id() << " part " << part;
      EXPECT_EQ(document.count(QStringLiteral("\n## ")), document_parts) << scheme.id();
    }
  EXPECT_TRUE(documentPart(schemeDocument("rope", Language::english), DocumentPart::known_users)
                  .contains(QStringLiteral("GPT-NeoX")));
  EXPECT_TRUE(schemeDocument("no_such", Language::english).isEmpty());
}

/// The sheet of a store with two schemes.
class SheetOf : public ::testing::Test {
 protected:
  SheetOf() {
    Experiment experiment = store_.experiment();
    experiment.schemes.clear();
    for (const char* id : {"rope", "alibi"}) {
      SchemeChoice choice;
      choice.id = id;
      experiment.schemes.push_back(choice);
    }
    store_.setExperiment(experiment);
  }
  void select(int index) {
    Presentation p = store_.presentation();
    p.selected = index;
    store_.setPresentation(p);
  }

  Store store_;
  QWidget window_;
  SchemeSheet sheet_{store_, &window_};
};

TEST_F(SheetOf, FollowsTheSelectionAndTheLanguage) {
  sheet_.openAt({0, 0});
  EXPECT_TRUE(sheet_.shownText().contains(QStringLiteral("GPT-NeoX"))) << "known users of RoPE";
  select(1);
  EXPECT_FALSE(sheet_.shownText().contains(QStringLiteral("GPT-NeoX")));
  EXPECT_TRUE(sheet_.shownText().contains(QStringLiteral("BLOOM")));
  Presentation p = store_.presentation();
  p.language = Language::chinese;
  store_.setPresentation(p);
  EXPECT_TRUE(sheet_.shownText().contains(QStringLiteral("使用者")));
}

TEST_F(SheetOf, ClosesOnEscapeAndWhenNothingIsLeftToShow) {
  sheet_.openAt({0, 0});
  QTest::keyClick(&sheet_, Qt::Key_Escape);
  EXPECT_FALSE(sheet_.isVisible());
  sheet_.openAt({0, 0});
  ASSERT_TRUE(sheet_.isVisible());
  Experiment experiment = store_.experiment();
  experiment.schemes.clear();
  store_.setExperiment(experiment);
  EXPECT_FALSE(sheet_.isVisible());
}

TEST(SchemePicker, FindsASchemeByAModelThatUsesIt) {
  Store store;
  QWidget window;
  SchemePanel panel(store, &window);
  panel.openPicker();
  auto* finder = panel.findChild<Finder*>();
  ASSERT_NE(finder, nullptr);
  finder->search()->setText(QStringLiteral("BLOOM"));
  EXPECT_TRUE(finder->shownTitles().contains(QStringLiteral("ALiBi")));
  EXPECT_FALSE(finder->shownTitles().contains(QStringLiteral("NoPE")));
}

TEST(SchemePicker, EnterTakesTheSchemeThatWasNamed) {
  Store store;
  QWidget window;
  SchemePanel panel(store, &window);
  panel.openPicker();
  auto* finder = panel.findChild<Finder*>();
  ASSERT_NE(finder, nullptr);
  finder->search()->setText(QStringLiteral("own"));
  QTest::keyClick(finder->search(), Qt::Key_Return);
  ASSERT_FALSE(store.experiment().schemes.empty());
  EXPECT_EQ(store.experiment().schemes.back().id, "own");
}

}  // namespace
}  // namespace posiscope::ui
