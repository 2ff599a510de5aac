// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tiles/presentation_json.h"

#include "core/experiment.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

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
  p.tiles[0] = {"waves", {{"dims", std::vector<double>{0, 2, 4}}, {"x_scale", std::string("log")}}, Zoom{1, 2, 3, 4.5}};
  return p;
}

Presentation readAgain(const std::string& text) { return readPresentation(text, startPresentation()).presentation; }

TEST(PresentationJson, comesBackEqual) {
  EXPECT_EQ(readAgain(presentationText(unusual())), unusual());
  EXPECT_TRUE(readPresentation(presentationText(unusual()), startPresentation()).notes.empty());
}

TEST(PresentationJson, thePinnedQuestionComesBack) {
  Presentation p = unusual();
  p.pinned = std::make_shared<const Experiment>(startExperiment());
  const Presentation read = readAgain(presentationText(p));
  ASSERT_TRUE(read.pinned);
  EXPECT_EQ(*read.pinned, startExperiment());
  EXPECT_FALSE(readPresentation(presentationText(unusual()), read).presentation.pinned) << "that session has none";
}

TEST(PresentationJson, languageAndThemeStayThePersons) {
  Presentation written = unusual();
  written.language = Language::chinese;
  written.theme = ThemeChoice::dark;
  const Presentation read = readAgain(presentationText(written));
  EXPECT_EQ(read.language, Language::english);
  EXPECT_EQ(read.theme, ThemeChoice::system);
}

TEST(PresentationJson, nonsenseKeepsWhatIsThereAndIsNamed) {
  for (const auto& [text, names] : std::vector<std::pair<const char*, std::vector<const char*>>>{
           {"", {}},
           {"{", {}},
           {"[]", {"presentation"}},
           {"7", {"presentation"}},
           {"{}", {}},
           {R"({"tile_count": 3, "head": -1, "tiles": 5, "selected": "two"})", {"head", "selected", "tile_count", "tiles"}},
           {R"({"selection": {"i": 4, "j": [1], "p": ["a", "b"]}})", {"selection.i", "selection.j", "selection.p"}},
           {R"({"selection": [1, 2]})", {"selection"}},
           {R"({"tile_count": 99, "maximised": 4, "tiles": [5, {"view": 3}, {"options": {}}]})",
            {"maximised", "tile_count", "tiles[0]", "tiles[1]", "tiles[2]"}}}) {
    ReadPresentation read = readPresentation(text, startPresentation(), "s.json");
    ASSERT_EQ(read.notes.size(), names.size()) << text;
    for (std::size_t i = 0; i < names.size(); ++i) {
      EXPECT_NE(read.notes[i].en.find(names[i]), std::string::npos) << read.notes[i].en;
      EXPECT_NE(read.notes[i].en.find("s.json"), std::string::npos) << read.notes[i].en;
      EXPECT_NE(read.notes[i].zh.find(names[i]), std::string::npos) << read.notes[i].zh;
    }
    EXPECT_EQ(read.presentation.kept.empty(), names.empty()) << text;
    read.presentation.kept.clear();
    EXPECT_EQ(read.presentation, startPresentation()) << text;
  }
}

TEST(PresentationJson, whatIsNotKnownIsNamedAndKept) {
  const std::string text = R"({"mood": "blue", "tiles": [{"view": "hologram", "options": {"depth": 3}},
                               {"view": "waves", "options": {"tint": "red", "x_scale": "cubic"}, "corner": 2}]})";
  const ReadPresentation read = readPresentation(text, startPresentation());
  std::string all;
  for (const Text& note : read.notes) all += note.en + '\n';
  for (const char* name : {"presentation.mood", "hologram", "tiles[1].options.tint", "x_scale", "tiles[1].corner"})
    EXPECT_NE(all.find(name), std::string::npos) << name << " in\n" << all;
  EXPECT_EQ(read.notes.size(), 5u) << all;
  const auto written = nlohmann::json::parse(presentationText(read.presentation));
  EXPECT_EQ(written["mood"], "blue");
  EXPECT_EQ(written["tiles"][0]["view"], "hologram");
  EXPECT_EQ(written["tiles"][0]["options"]["depth"], 3);
  EXPECT_EQ(written["tiles"][1]["options"]["tint"], "red");
  EXPECT_EQ(written["rejected"]["presentation.tiles[1].options.x_scale"], "cubic");
  EXPECT_EQ(written["rejected"]["presentation.tiles[1].corner"], 2);
  const ReadPresentation again = readPresentation(written.dump(), startPresentation());
  EXPECT_EQ(again.presentation, read.presentation) << "what was refused once is carried along";
}

}  // namespace
}  // namespace posiscope::ui
