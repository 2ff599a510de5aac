// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Places of a session file in the words of the window.
#include "core/session_place.h"

#include <gtest/gtest.h>

namespace posiscope::session {
namespace {

Experiment twoSchemes() {
  Experiment e;
  e.schemes = {SchemeChoice{"rope", {}, "", 0, true}, SchemeChoice{"learned", {}, "", 1, true}};
  return e;
}

TEST(SessionPlace, aSchemesParameterIsNamedAsInTheWindow) {
  const Experiment e = twoSchemes();
  const Text rope = displayName(e.schemes[0], e.schemes);
  EXPECT_EQ(placeName("schemes[0].base", e).en, rope.en + ", base");
  EXPECT_EQ(placeName("schemes[0].base", e).zh, rope.zh + "，底数");
  EXPECT_EQ(placeName("schemes[0].of_a_newer_version", e).en, rope.en + ", of_a_newer_version");
  EXPECT_EQ(placeName("schemes[1]", e).en, displayName(e.schemes[1], e.schemes).en);
  EXPECT_EQ(placeName("schemes[2].base", e).en, "schemes[2].base") << "there is no such scheme";
  EXPECT_EQ(placeName("schemes[1] of the file", e).en, "schemes[1] of the file") << "it was left out";
}

TEST(SessionPlace, asAreContentShapeMaskAndTiles) {
  EXPECT_EQ(placeName("content.q", {}).en.find("content, "), 0U);
  EXPECT_NE(placeName("content.q", {}).zh, "content.q");
  EXPECT_EQ(placeName("presentation.tiles[1].options.map", {}).en, "tile 2.options.map");
  EXPECT_EQ(placeName("my_content.q", {}).en, "my_content.q");
  EXPECT_EQ(placeName("/home/content.q", {}).en, "/home/content.q");
}

TEST(SessionPlace, sentencesKeepEverythingElse) {
  const Experiment e = twoSchemes();
  const MissingArray missing{"schemes[1].table", "/data/t.npy", false, ""};
  const Text said = inWords(describe(missing), e);
  EXPECT_EQ(said.en, placeName(missing.where, e).en + ": the file /data/t.npy is missing.");
  EXPECT_EQ(said.zh, placeName(missing.where, e).zh + "：文件 /data/t.npy 缺失。");
  EXPECT_EQ(said.en.find('['), std::string::npos);
  const Text of_tensor = describe({"content.q", "/data/many.safetensors#wpe.weight", false, ""});
  EXPECT_EQ(of_tensor.en, "content.q: the file /data/many.safetensors (tensor wpe.weight) is missing.");
  EXPECT_EQ(of_tensor.zh, "content.q：文件 /data/many.safetensors (张量 wpe.weight) 缺失。");
}

}  // namespace
}  // namespace posiscope::session
