// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What stays where it is in the panels when something else changes, and what goes with what it was about.
#include "core/content.h"
#include "core/schemes/list.h"
#include "tests/ui/open_window.h"
#include "ui/controls/finder.h"
#include "ui/controls/value_slider.h"
#include "ui/panels/inspector.h"
#include "ui/panels/param_form.h"
#include "ui/panels/param_row.h"
#include "ui/panels/scheme_list.h"
#include "ui/panels/scheme_panel.h"

#include <algorithm>
#include <QAbstractButton>
#include <QLabel>
#include <QListWidget>
#include <QScrollArea>
#include <QScrollBar>

namespace posiscope::ui {
namespace {

TEST(PanelFocus, goesToTheListWhenTheFormIsOfAnotherScheme) {
  Store store;
  Experiment e;
  e.schemes = {{"rope", {}, "", 0, true}};
  store.reset(e, startPresentation());
  QScrollArea area;
  auto* panel = new SchemePanel(store);
  area.setWidgetResizable(true);
  area.setWidget(panel);
  area.resize(304, 160);
  area.show();
  area.activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&area));
  auto* slider = panel->findChild<ParamForm*>()->row("base")->findChild<ValueSlider*>();
  slider->setFocus();
  ASSERT_EQ(area.focusWidget(), slider);
  area.verticalScrollBar()->setValue(0);
  e.schemes = {{"learned", {}, "", 0, true}};
  store.setExperiment(e);
  QTest::qWait(20);
  EXPECT_EQ(area.focusWidget(), panel->findChild<SchemeList*>());
  EXPECT_EQ(area.verticalScrollBar()->value(), 0);
}

TEST(Finder, opensWithItsFirstHeadingInSight) {
  QWidget parent;
  Finder finder(&parent);
  std::vector<FinderEntry> entries;
  for (int n = 0; n < 40; ++n)
    entries.push_back({n < 20 ? QStringLiteral("near") : QStringLiteral("far"),
                       QStringLiteral("entry %1").arg(n),
                       QStringLiteral("detail"),
                       {},
                       {},
                       {}});
  const auto* list = finder.findChild<QListWidget*>();
  const auto headingTop = [list] { return list->visualItemRect(list->item(0)).top(); };
  for (int time = 0; time < 2; ++time) {
    finder.setEntries(entries);
    finder.openAt(QPoint(0, 0), QSize(300, 200));
    QTest::qWait(20);
    EXPECT_GE(headingTop(), 0) << time;
    finder.search()->setText(QStringLiteral("entry"));
    EXPECT_GE(headingTop(), 0) << "typed, " << time;
    finder.close();
  }
}

TEST(ParamRow, anArraySaysWhatHoldsInItsPlace) {
  const auto textOf = [](const ParamRow& row) {
    QStringList texts;
    for (const QAbstractButton* button : row.findChildren<QAbstractButton*>()) texts << button->text();
    return texts;
  };
  const ParamRow queries("content", *findParam(contentTable().specs(), "q"));
  EXPECT_TRUE(textOf(queries).contains(QStringLiteral("no file")));
  EXPECT_FALSE(textOf(queries).contains(QStringLiteral("from the seed")));
  const ParamRow table("learned", *findParam(schemes::find("learned")->params, "table"));
  EXPECT_TRUE(textOf(table).contains(QStringLiteral("from the seed")));
  ParamRow valid("sinusoidal_2d", *findParam(schemes::find("sinusoidal_2d")->params, "valid"));
  EXPECT_TRUE(textOf(valid).contains(QStringLiteral("all pixels")));
  valid.setLanguage(Language::chinese);
  EXPECT_TRUE(textOf(valid).contains(QStringLiteral("所有像素")));
}

class Verdicts : public OpenWindow {
 protected:
  bool shown() const {
    return std::ranges::any_of(window->findChildren<QLabel*>(), [](const QLabel* label) {
      return label->isVisible() && label->text().startsWith(QStringLiteral("VERDICT"));
    });
  }
};

TEST_F(Verdicts, goWithTheLastScheme) {
  ASSERT_TRUE(settled());
  ASSERT_TRUE(QTest::qWaitFor([this] { return shown(); }));
  Experiment e = window->store().experiment();
  e.schemes.clear();
  window->store().setExperiment(e);
  QTest::qWait(50);
  EXPECT_FALSE(shown());
}

}  // namespace
}  // namespace posiscope::ui
