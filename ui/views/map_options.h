// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment.h"
#include "core/field.h"
#include "core/parameter.h"
#include "ui/state/presentation.h"

#include <string>
#include <vector>

namespace posiscope::ui {

/// The switches that all heatmaps share, as values.
struct MapOptions {
  enum class Limits { shared, automatic, typed };

  std::string map = "auto";          ///< key of a colour map, or "auto": what suits the numbers
  Limits limits = Limits::shared;    ///< one scale for all maps of the view, one for each, or typed
  double minimum = 0;
  double maximum = 1;
  bool logarithmic = false;
  Reduction reduction = Reduction::mean;
};

/// The same as parameters: menu, session key and flag of each heatmap view.
std::vector<ParamSpec> mapOptions();
/// `mapOptions` before or after a view's own.
std::vector<ParamSpec> withMapOptions(std::vector<ParamSpec> own);
/// Such options with a scale of its own for each map unless a person says otherwise: for views where the numbers of
/// one scheme can be a thousand times those of another.
std::vector<ParamSpec> withOwnLimits(std::vector<ParamSpec> options);

/// The options of a tile. Values that are not legal (an old session) are as if not given.
MapOptions readMapOptions(const TileState& tile);

/// The chosen key of a choice option of a tile, or its default.
std::string chosen(const std::vector<ParamSpec>& specs, const TileState& tile, const std::string& key);
/// The same for numbers and switches.
double chosenNumber(const std::vector<ParamSpec>& specs, const TileState& tile, const std::string& key);
bool isOn(const std::vector<ParamSpec>& specs, const TileState& tile, const std::string& key);

/// One scheme large or all of them; `first` is the default, "selected" or "all".
ParamSpec oneOrAllSchemes(const std::string& first = "selected");
/// How many of the first tokens are computed and shown.
ParamSpec tokensOption(double usual, Text help = {"How many of the first tokens are computed and shown.",
                                                  "计算并显示前多少个词元。"});
/// An option of a measure, to stand among those of its view.
ParamSpec measureOption(const std::string& measure, const std::string& key);

/// The head to ask for: the chosen one, or the last when there are fewer.
double shownHead(const Presentation& presentation, const Experiment& experiment);

/// A choice option from its parts; the first choice is the default.
ParamSpec choiceOption(std::string key, Text label, Text help, std::vector<Choice> choices);
ParamSpec switchOption(std::string key, Text label, Text help, bool on);

}  // namespace posiscope::ui
