// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/finder.h"
#include "ui/tiles/tile_header.h"
#include "ui/views/list.h"
#include "ui/views/map_options.h"

#include <gtest/gtest.h>

#include <QLineEdit>
#include <QTest>
#include <algorithm>
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
