// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/view.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace posiscope::ui {

/// Datasets with values that a test can foretell, so that drawing is tested without the measures.
Dataset rotaryTable(std::int64_t positions, std::int64_t pairs, double base = 10000);
/// Causal weights that fall off with distance, one map for each head, and their mean by offset.
Dataset causalWeights(std::int64_t tokens, const std::vector<int>& heads, double slope);
/// One stored map with the given values.
Dataset oneMap(std::int64_t rows, std::int64_t cols, std::vector<float> values, MapKind kind,
               const std::string& row_symbol = "i", const std::string& col_symbol = "j");

/// A context as the window makes it: answers of one measure, one dataset for each scheme.
ViewContext contextOf(const std::string& measure, std::vector<Dataset> datasets, bool dark = false,
                      Language language = Language::english);
/// Three schemes in a view of maps: causal weights of two heads, or rotary tables.
ViewContext mapContext(const std::string& view, bool dark = false, Language language = Language::english);
/// Its answers as those to another question: what was pinned before.
std::shared_ptr<const Result> answeredBefore(const ViewContext& context);
/// The same with a failure instead of the dataset of scheme `index`.
ViewContext withFailure(ViewContext context, std::size_t index, Error error);

}  // namespace posiscope::ui
