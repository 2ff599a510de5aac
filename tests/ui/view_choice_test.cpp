// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/finder.h"
#include "ui/controls/flat_button.h"
#include "ui/tiles/tile_header.h"
#include "ui/views/list.h"
#include "ui/views/map_options.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <QLayout>
#include <QLineEdit>
#include <QMenu>
#include <QTest>
#include <vector>

namespace posiscope::ui {
namespace {

TEST(ViewChoice, AllViewsAreOfferedAndTheFoundOneIsShown) {
  Store store;
  store.setPresentation(startPresentation());
  QWidget window;
  TileHeader header(store, 1, &window);
  header.openViewMenu();
  auto* finder = header.findChild<Finder*>();
  ASSERT_NE(finder, nullptr);
  EXPECT_EQ(finder->shownTitles().size(), static_cast<qsizetype>(viewCatalogue().size()));
  finder->search()->setText(QStringLiteral("norm_ratio"));
  QTest::keyClick(finder->search(), Qt::Key_Return);
  EXPECT_EQ(store.presentation().tiles[1].view, "norm_ratio");
}

TEST(ViewChoice, AHeaderSaysWhichSchemeAndHeadItsViewShows) {
  Store store;
  Presentation p = startPresentation();
  p.head = 5;
  store.reset(startExperiment(), p);
  QWidget window;
  TileHeader header(store, 0, &window);
  header.resize(600, header.height());
  const auto chips = [&](const char* view) {
    Presentation next = store.presentation();
    next.tiles[0] = {view, {}, {}};
    store.setPresentation(std::move(next));
    header.refresh();
    QStringList texts;
    for (const FlatButton* button : header.findChildren<FlatButton*>())
      if (!button->isHidden() && button->text().contains(QStringLiteral("5 of"))) texts << button->text();
    return texts;
  };
  const QString head = QStringLiteral("head 5 of %1").arg(startExperiment().shape.num_heads);
  for (const char* view : {"shuffle_test", "attention_row", "score_terms", "gates"})
    EXPECT_EQ(chips(view), QStringList{head}) << view;
  for (const char* view : {"waves", "heads"}) EXPECT_TRUE(chips(view).isEmpty()) << view;
}

TEST(ViewChoice, AHeaderNamesTheSchemeBesideItsHead) {
  Store store;
  Presentation p = startPresentation();
  p.tiles[0] = {"attention_weights", {{"schemes", std::string("selected")}, {"heads", std::string("one")}}, {}};
  store.reset(startExperiment(), p);
  QWidget window;
  TileHeader header(store, 0, &window);
  header.resize(600, header.height());
  header.refresh();
  QStringList texts;
  for (const FlatButton* button : header.findChildren<FlatButton*>())
    if (!button->isHidden()) texts << button->text();
  EXPECT_TRUE(texts.contains(QStringLiteral("RoPE"))) << texts.join('|').toStdString();
  EXPECT_TRUE(texts.contains(QStringLiteral("head 0 of 32"))) << texts.join('|').toStdString();
}

TEST(ViewChoice, ANarrowHeaderKeepsItsTitleAndPutsTheRestIntoAMenu) {
  Store store;
  Presentation p = startPresentation();
  p.tiles[0] = {"attention_row", {}, {}};
  store.reset(startExperiment(), p);
  QWidget window;
  TileHeader header(store, 0, &window);
  const auto shown = [&] {
    QStringList texts;
    for (const FlatButton* button : header.findChildren<FlatButton*>())
      if (!button->isHidden()) texts << button->text();
    return texts;
  };
  const QString dots = QStringLiteral("…");
  header.resize(600, header.height());
  header.refresh();
  EXPECT_FALSE(shown().contains(dots));
  header.resize(header.title()->sizeHint().width() + 90, header.height());
  header.refresh();
  header.layout()->activate();
  EXPECT_TRUE(shown().contains(dots)) << shown().join('|').toStdString();
  EXPECT_EQ(header.title()->width(), header.title()->sizeHint().width());
  for (FlatButton* button : header.findChildren<FlatButton*>())
    if (button->text() == dots) button->click();
  const auto* menu = header.findChild<QMenu*>();
  ASSERT_NE(menu, nullptr);
  QStringList offered;
  for (const QAction* action : menu->actions()) offered << action->text();
  EXPECT_TRUE(offered.contains(QStringLiteral("Choose the head"))) << offered.join('|').toStdString();
  EXPECT_TRUE(offered.contains(QStringLiteral("Export this view")));
}

TEST(ViewChoice, TheDefaultsOfAViewAreItsOwn) {
  TileState tile;
  tile.view = "bias_map";
  EXPECT_EQ(readMapOptions(tile).limits, MapOptions::Limits::automatic);
  tile.options["limits"] = std::string("shared");
  EXPECT_EQ(readMapOptions(tile).limits, MapOptions::Limits::shared);
  tile = {};
  tile.view = "attention_weights";
  EXPECT_EQ(readMapOptions(tile).limits, MapOptions::Limits::shared);
}

/// A group that is torn apart would have its heading twice in the list.
TEST(ViewChoice, TheGroupsOfTheCatalogueStandTogether) {
  std::vector<ViewGroup> seen;
  for (const ViewKind& view : viewCatalogue()) {
    EXPECT_FALSE(groupName(view.group).en.empty());
    EXPECT_FALSE(groupName(view.group).zh.empty());
    if (!seen.empty() && seen.back() == view.group) continue;
    EXPECT_EQ(std::ranges::find(seen, view.group), seen.end()) << view.id;
    seen.push_back(view.group);
  }
}

}  // namespace
}  // namespace posiscope::ui
