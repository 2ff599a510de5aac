// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sentence_boundaries.h"

#include "core/content.h"

#include <gtest/gtest.h>

namespace posiscope {
namespace {

using Flags = std::vector<double>;

Flags boundariesOf(const std::string& text, std::int64_t length) {
  ContentSpec content;
  content.source = ContentSource::tokens;
  content.text = text;
  Shape shape;
  shape.seq_len = length;
  return sentenceBoundaries(content, shape);
}

TEST(SentenceBoundaries, standAfterStopsAndAtLineEnds) {
  EXPECT_EQ(boundariesOf("One two. Three! Is it? 3.5 yes", 7), (Flags{0, 1, 1, 0, 1, 0, 1}));
  EXPECT_EQ(boundariesOf("a b\nc d\n\ne", 5), (Flags{0, 1, 0, 1, 1}));
  EXPECT_EQ(boundariesOf("他来了。你呢？好", 8), (Flags{0, 0, 0, 1, 0, 0, 1, 1}));
  EXPECT_EQ(boundariesOf("(he said \"go!\") then", 4), (Flags{0, 0, 1, 1}));
}

TEST(SentenceBoundaries, aTextThatIsSaidAgainEndsEachTime) {
  EXPECT_EQ(boundariesOf("the cat sat", 7), (Flags{0, 0, 1, 0, 0, 1, 0}));
}

TEST(SentenceBoundaries, onlyATypedTextHasThem) {
  EXPECT_EQ(sentenceBoundaries({}, {}), Flags{});
  EXPECT_EQ(boundariesOf("", 3), Flags{});
  EXPECT_EQ(boundariesOf(" \n ", 3), Flags{});
}

}  // namespace
}  // namespace posiscope
