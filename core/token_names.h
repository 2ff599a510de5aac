// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/content.h"
#include "core/dataset.h"

#include <string>
#include <vector>

namespace posiscope {

/// Names the token axes (i and j) of all maps by the words of the content, where it has any. Queries that are another
/// sequence than the keys have their own words or none.
void nameTokens(Dataset& dataset, const ContentSpec& content, const Mask& mask, const Shape& shape);
/// The same with what is written at each token of the shape.
void nameTokens(Dataset& dataset, const std::vector<std::string>& words, const Shape& shape);

/// What of a trained model the numbers are, for below the picture: "stories260K, layer 2, drawn tokens"; with
/// `all_layers` "all 5 layers". Empty for any other content.
Text modelScope(const ContentSpec& content, const Shape& shape, bool all_layers = false);

/// That a sentence is said again where the sequence is longer: "the sentence repeats after 10 tokens". Empty where it
/// does not.
Text repeatScope(const ContentSpec& content, const Shape& shape);

/// "first 10 keys are padding", "3 of 96 keys are padding": for pictures of attention, whose empty band would else be a
/// riddle. Empty without padding.
Text paddingScope(const Mask& mask, const Shape& shape);

}  // namespace posiscope
