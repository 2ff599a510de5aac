// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <cstdint>
#include <vector>

namespace posiscope {

/// A run of tokens of a sequence of text, images and videos.
struct MediaSegment {
  std::int64_t time = 0;    ///< frames; of text: how many tokens
  std::int64_t height = 0;  ///< rows of patches after merging; 0 = text
  std::int64_t width = 0;

  bool isText() const { return height == 0; }
  std::int64_t tokens() const { return isText() ? time : time * height * width; }
};

/// Reads triples (time, height, width); text of n tokens is (n, 0, 0). Errors: bad_value (not triples), out_of_range
/// (a count that is not a whole number from 1 on).
Expected<std::vector<MediaSegment>> mediaSegments(const std::vector<double>& triples);

/// Position ids [3, tokens] of time, height and width (Qwen2-VL): text counts on in all three from the largest id so
/// far; an image or video starts there too and counts frames, rows and columns, time outermost.
std::vector<double> mediaPositions(const std::vector<MediaSegment>& segments);

/// How the pairs are shared out among time (0), height (1) and width (2).
enum class MropeMode {
  chunked,      ///< T…T H…H W…W (Qwen2-VL)
  interleaved,  ///< T H W T H W …, the rest T (Qwen3-VL)
};

/// Pairs for each axis where none are given, in the proportions of the models: 16:24:24 chunked, 24:20:20 interleaved.
std::vector<std::int64_t> usualSections(MropeMode mode, std::int64_t pairs);

/// The axis of each pair. Interleaving leaves every third pair to height and to width: what a section asks for beyond
/// that turns by time, as in the models' code. Errors: bad_shape, when the sections are not three counts that make up
/// the pairs; `owner` starts the sentence.
Expected<std::vector<std::int64_t>> axisOfPairs(std::string_view owner, const std::vector<std::int64_t>& sections,
                                                MropeMode mode, std::int64_t pairs);

}  // namespace posiscope
