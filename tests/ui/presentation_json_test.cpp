// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/presentation_json.h"

#include <gtest/gtest.h>

namespace posiscope::ui {
namespace {

Presentation unusual() {
  Presentation p = startPresentation();
  p.tile_count = 2;
  p.maximised = 1;
  p.selected = 3;
  p.head = 7;
  p.inspector = false;
  p.selection = {{"i", {-0.5, 31.5}}, {"n", {2, 9}}};
  p.tiles[0] = {"waves", {{"dims", std::vector<double>{0, 2, 4}}, {"log", true}, {"map", std::string("grey")}}, Zoom{1, 2, 3, 4.5}};
  return p;
}

TEST(PresentationJson, comesBackEqual) {
  EXPECT_EQ(readPresentation(presentationText(unusual()), startPresentation()), unusual());
}

TEST(PresentationJson, languageAndThemeStayThePersons) {
  Presentation written = unusual();
  written.language = Language::chinese;
  written.theme = ThemeChoice::dark;
  const Presentation read = readPresentation(presentationText(written), startPresentation());
  EXPECT_EQ(read.language, Language::english);
  EXPECT_EQ(read.theme, ThemeChoice::system);
}

TEST(PresentationJson, nonsenseKeepsWhatIsThere) {
  for (const char* text : {"", "{", "[]", "7", "{}", R"({"tile_count": 3, "head": -1, "tiles": 5, "selected": "two"})",
                           R"({"selection": {"i": 4, "j": [1], "p": ["a", "b"]}})", R"({"selection": [1, 2]})",
                           R"({"tile_count": 99, "maximised": 4, "tiles": [5, {"view": 3}, {"options": {}}]})"})
    EXPECT_EQ(readPresentation(text, startPresentation()), startPresentation()) << text;
}

}  // namespace
}  // namespace posiscope::ui
