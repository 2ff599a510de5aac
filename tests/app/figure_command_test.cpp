// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session.h"
#include "tests/app/command_line.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/zip_bytes.h"
#include "ui/tiles/presentation_json.h"
#include "ui/views/list.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <QImage>

namespace posiscope {
namespace {

using test::posiscope;

TEST(FigureCommand, EveryViewIsDrawnWithoutADisplay) {
  const test::TemporaryFolder folder;
  for (const ui::ViewKind& view : ui::viewCatalogue()) {
    const test::Ran ran = posiscope({"figure", view.id, "--scheme", "rope", "--scheme", "sinusoidal", "--seq-len", "32",
                                     "--d-model", "32", "--num-heads", "2", "--head-dim", "16", "--out",
                                     folder.file(view.id + ".png"), "--size", "400x300"});
    ASSERT_EQ(ran.code, std::optional<int>(0)) << view.id << ": " << ran.err;
    const QImage image(QString::fromStdString(folder.file(view.id + ".png")));
    EXPECT_EQ(image.size(), QSize(400, 300)) << view.id;
  }
}

TEST(FigureCommand, APictureOfASentenceSaysItOnStderrToo) {
  const test::TemporaryFolder folder;
  const auto draw = [&](const std::string& scheme) {
    return posiscope({"figure", "spectrum", "--scheme", scheme, "--seq-len", "32", "--out", folder.file("s.svg")});
  };
  const test::Ran nothing = draw("alibi");
  EXPECT_EQ(nothing.code, std::optional<int>(0)) << nothing.err;
  EXPECT_NE(nothing.err.find("figure spectrum: ALiBi: "), std::string::npos) << nothing.err;
  EXPECT_EQ(draw("rope").err.find("figure spectrum: "), std::string::npos);
}

TEST(FigureCommand, WarnsOnStderrAsComputeDoes) {
  const test::TemporaryFolder folder;
  const std::string dump = folder.write("a.npy", test::npyBytes("(1, 2, 2)", {1, 0, 0.25, 0.75}));
  const auto ran = [&](const std::string& labels) {
    return posiscope({"figure", "attention_weights", "--model", dump, "--label-file", folder.file(labels), "--out",
                      folder.file("a.png")});
  };
  folder.write("two.txt", "a\nb\n");
  folder.write("one.txt", "a\n");
  EXPECT_EQ(ran("two.txt").err.find("two.txt"), std::string::npos) << ran("two.txt").err;
  for (const std::string name : {"one.txt", "gone.txt"}) {
    const test::Ran warned = ran(name);
    EXPECT_EQ(warned.code, std::optional<int>(0));
    EXPECT_NE(warned.err.find("attention: " + folder.file(name) + ": "), std::string::npos) << warned.err;
  }
}

TEST(FigureCommand, AQueryThatIsNotThereIsRefusedAsComputeDoes) {
  const test::TemporaryFolder folder;
  const auto ran = [&](const std::string& command, const std::string& query, const std::string& out) {
    return posiscope(
        {command, "attention_row", "--scheme", "rope", "--seq-len", "12", "--query", query, "--out", folder.file(out)});
  };
  const test::Ran drawn = ran("figure", "40", "a.svg");
  EXPECT_EQ(drawn.code, std::optional<int>(2));
  EXPECT_EQ(drawn.err, ran("compute", "40", "a.npy").err);
  EXPECT_NE(drawn.err.find("query"), std::string::npos) << drawn.err;
  EXPECT_EQ(ran("figure", "11", "a.svg").code, std::optional<int>(0));
}

TEST(FigureCommand, LimitsAreExplainedByTheirWords) {
  const std::string help = posiscope({"figure", "attention_weights", "--help"}).out;
  EXPECT_NE(help.find("Automatic: each map has its own."), std::string::npos) << help;
}

TEST(FigureCommand, TheHeadIsTheOneAskedFor) {
  const test::TemporaryFolder folder;
  const auto draw = [&](const std::string& head) {
    return posiscope({"figure", "attention_weights", "--scheme", "alibi", "--seq-len", "16", "--num-heads", "4",
                      "--head", head, "--out", folder.file(head + ".png")});
  };
  for (const char* head : {"0", "3"}) ASSERT_EQ(draw(head).code, std::optional<int>(0)) << draw(head).err;
  EXPECT_NE(folder.read("0.png"), folder.read("3.png"));
  EXPECT_NE(draw("4").err.find("--head must be 0 to 3, got 4"), std::string::npos);
}

TEST(FigureCommand, SizeDpiThemeAndFormatAreThoseAsked) {
  const test::TemporaryFolder folder;
  const auto draw = [&](const std::string& name, const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"figure", "similarity", "--scheme", "sinusoidal", "--seq-len",
                                       "16",     "--d-model",  "16",       "--out",      folder.file(name)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const test::Ran ran = posiscope(arguments);
    EXPECT_EQ(ran.code, std::optional<int>(0)) << ran.err;
  };
  draw("light.png", {"--size", "320x240", "--dpi", "192"});
  draw("dark.png", {"--size", "320x240", "--theme", "dark", "--lang", "zh"});
  const QImage light(QString::fromStdString(folder.file("light.png")));
  const QImage dark(QString::fromStdString(folder.file("dark.png")));
  EXPECT_EQ(light.size(), QSize(640, 480));
  EXPECT_GT(light.pixelColor(1, 1).lightness(), 200);
  EXPECT_LT(dark.pixelColor(1, 1).lightness(), 60);
  draw("f.svg", {});
  EXPECT_NE(folder.read("f.svg").find("<svg"), std::string::npos);
  draw("f.pdf", {});
  EXPECT_TRUE(folder.read("f.pdf").starts_with("%PDF"));
}

TEST(FigureCommand, TheDifferenceOfTwoIsAFigureOrASentence) {
  const test::TemporaryFolder folder;
  const auto draw = [&](const std::string& name, const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"figure",    "similarity", "--scheme",       "sinusoidal", "--scheme",
                                       "rope",      "--scheme",   "none",           "--seq-len",  "16",
                                       "--d-model", "16",         "--num-heads",    "1",          "--head-dim",
                                       "16",        "--out",      folder.file(name)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return posiscope(arguments);
  };
  ASSERT_EQ(draw("all.png", {}).code, std::optional<int>(0));
  ASSERT_EQ(draw("ab.png", {"--schemes", "difference"}).code, std::optional<int>(0));
  ASSERT_EQ(draw("ba.png", {"--schemes", "difference", "--minuend", "2", "--subtrahend", "1"}).code,
            std::optional<int>(0));
  const auto picture = [&](const char* name) { return QImage(QString::fromStdString(folder.file(name))); };
  EXPECT_NE(picture("ab.png"), picture("all.png"));
  EXPECT_NE(picture("ab.png"), picture("ba.png"));
  const test::Ran refused = draw("none.png", {"--schemes", "difference", "--subtrahend", "3"});
  EXPECT_EQ(refused.code, std::optional<int>(2));
  EXPECT_NE(refused.err.find("no similarity to draw"), std::string::npos) << refused.err;
  EXPECT_TRUE(picture("none.png").isNull());
}

TEST(FigureCommand, SchemesThatAreNotDrawnAreTold) {
  const test::TemporaryFolder folder;
  const auto told = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"figure", "position_table",    "--seq-len", "16",         "--d-model",
                                       "16",     "--num-heads",       "1",         "--head-dim", "16",
                                       "--out",  folder.file("t.png")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const test::Ran ran = posiscope(arguments);
    EXPECT_EQ(ran.code, std::optional<int>(0)) << ran.err;
    return ran.err;
  };
  const std::string two = told({"--scheme", "sinusoidal", "--scheme", "rope"});
  EXPECT_EQ(two, "figure position_table: only " + displayName({"sinusoidal", {}, "", 0, true}).en +
                     " is drawn, of 2 schemes; --schemes all draws them all\n");
  EXPECT_EQ(told({"--scheme", "sinusoidal"}), "");
  EXPECT_EQ(told({"--scheme", "sinusoidal", "--scheme", "rope", "--schemes", "all"}), "");
  EXPECT_EQ(told({"--scheme", "sinusoidal", "--scheme", "rope", "--schemes", "selected"}), "");
}

TEST(FigureCommand, ASessionGivesSchemesAndTheViewsOptions) {
  const test::TemporaryFolder folder;
  const ui::ViewKind& view = *ui::findView("similarity");
  const auto option = std::ranges::find(view.options, "map", &ParamSpec::key);  // one that a single scheme shows
  ASSERT_NE(option, view.options.end());
  const std::string other = "viridis";
  ASSERT_NE(Value(other), option->default_value);
  Experiment experiment;
  experiment.shape.seq_len = 16;
  experiment.schemes = {SchemeChoice{"sinusoidal", {}, "", 0, true}};
  ui::Presentation presentation = ui::startPresentation();
  presentation.tiles[0] = {"similarity", {{option->key, other}}, std::nullopt};
  ASSERT_TRUE(session::save(folder.file("s.json"), experiment, ui::presentationText(presentation), "{}"));
  const auto draw = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"figure", "similarity", "--out", folder.file("f.png")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const test::Ran ran = posiscope(arguments);
    EXPECT_EQ(ran.code, std::optional<int>(0)) << ran.err;
    return QImage(QString::fromStdString(folder.file("f.png")));
  };
  std::string flag = "--" + option->key;
  std::ranges::replace(flag, '_', '-');
  const QImage from_session = draw({"--session", folder.file("s.json")});
  EXPECT_EQ(from_session, draw({"--scheme", "sinusoidal", "--seq-len", "16", flag, other}));
  EXPECT_NE(from_session, draw({"--scheme", "sinusoidal", "--seq-len", "16"}));
}

TEST(FigureCommand, ASessionGivesItsPinnedCurves) {
  const test::TemporaryFolder folder;
  Experiment now;
  now.shape.seq_len = 64;
  now.schemes = {SchemeChoice{"rope", {}, "", 0, true}};
  Experiment before = now;
  before.schemes[0].values["base"] = 100.0;
  ui::Presentation presentation = ui::startPresentation();
  presentation.tiles[0] = {"spectrum", {}, std::nullopt};
  const auto draw = [&] {
    EXPECT_TRUE(session::save(folder.file("s.json"), now, ui::presentationText(presentation), "{}"));
    const test::Ran ran =
        posiscope({"figure", "spectrum", "--session", folder.file("s.json"), "--out", folder.file("f.png")});
    EXPECT_EQ(ran.code, std::optional<int>(0)) << ran.err;
    return QImage(QString::fromStdString(folder.file("f.png")));
  };
  const QImage without = draw();
  presentation.pinned = std::make_shared<const Experiment>(before);
  EXPECT_NE(draw(), without);
  presentation.pinned = std::make_shared<const Experiment>(now);
  EXPECT_EQ(draw(), without) << "what is the same needs no second line";
}

TEST(FigureCommand, AsksForASchemeAsComputeDoes) {
  const test::TemporaryFolder folder;
  for (const char* command : {"figure", "compute"}) {
    const std::string out = folder.file(std::string(command) == "figure" ? "s.svg" : "s.csv");
    const test::Ran refused = posiscope({command, "spectrum", "--out", out});
    EXPECT_EQ(refused.code, std::optional<int>(2)) << refused.err;
    EXPECT_NE(refused.err.find("no scheme was given: add --scheme ID"), std::string::npos) << refused.err;
    EXPECT_NE(refused.err.find("or --model, --session or --start"), std::string::npos) << refused.err;
    EXPECT_EQ(posiscope({command, "spectrum", "--start", "--out", out}).code, std::optional<int>(0));
    EXPECT_NE(posiscope({command, "spectrum", "--help"}).out.find("--start"), std::string::npos);
  }
}

TEST(FigureCommand, LimitsTheWrongWayRoundAreRefusedNamingBoth) {
  const test::TemporaryFolder folder;
  for (const char* view : {"similarity", "waves"}) {
    const auto draw = [&](const char* minimum, const char* maximum) {
      return posiscope({"figure", view, "--scheme", "sinusoidal", "--seq-len", "8", "--d-model", "8", "--limits",
                        "typed", "--minimum", minimum, "--maximum", maximum, "--out", folder.file("f.svg")});
    };
    const test::Ran refused = draw("5", "3");
    EXPECT_EQ(refused.code, std::optional<int>(2)) << view;
    EXPECT_NE(refused.err.find("--minimum must be below --maximum where the limits are typed, got 5 and 3"),
              std::string::npos)
        << refused.err;
    EXPECT_EQ(draw("3", "3").code, std::optional<int>(2)) << view;
    EXPECT_EQ(draw("3", "5").code, std::optional<int>(0)) << view;
  }
}

TEST(FigureCommand, WindowFlagsBeforeTheCommandAreNotLost) {
  const test::Ran ran = posiscope({"--lang", "zh", "figure", "waves", "--scheme", "rope", "--out", "f.png"});
  EXPECT_EQ(ran.code, std::optional<int>(2));
  EXPECT_NE(ran.err.find("--lang"), std::string::npos) << ran.err;
}

TEST(FigureCommand, AFlagBeforeTheViewIsNamed) {
  const test::Ran ran = posiscope({"figure", "--theme", "dark", "waves", "--scheme", "rope", "--out", "f.png"});
  EXPECT_EQ(ran.code, std::optional<int>(2));
  EXPECT_EQ(ran.err, "posiscope: '--theme' must stand after the view\n");
}

TEST(FigureCommand, WrongUse) {
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{"--out", "f.gif"},
                                             {"--out", "f.svg", "--size", "big"},
                                             {"--out", "f.svg", "--size", "10x10"},
                                             {"--out", "f.svg", "--dpi", "1"},
                                             {"--out", "f.svg", "--theme", "pink"},
                                             {"--out", "f.svg", "--lang", "fr"},
                                             {}}) {
    std::vector<std::string> arguments{"figure", "similarity", "--scheme", "sinusoidal", "--seq-len", "8"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_EQ(posiscope(arguments).code, std::optional<int>(2)) << (more.empty() ? "no --out" : more.back());
  }
}

}  // namespace
}  // namespace posiscope
