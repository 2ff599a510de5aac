// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment.h"

#include <optional>
#include <string>

namespace posiscope::ui {

/// The intents of the left panel as pure functions: an experiment in, a new one out. An index outside the list or a
/// full list gives the experiment back unchanged.

Experiment withScheme(Experiment experiment, const std::string& id);
/// The copy stands below the original and has a colour of its own.
Experiment withDuplicate(Experiment experiment, int index);
Experiment withoutScheme(Experiment experiment, int index);
Experiment withMoved(Experiment experiment, int from, int to);
Experiment withVisible(Experiment experiment, int index, bool visible);
/// A parameter of a scheme; nothing, or a value equal to the default, goes back to the default.
Experiment withSchemeValue(Experiment experiment, int index, const std::string& key, std::optional<Value> value);
Experiment withSchemeDefaults(Experiment experiment, int index);
/// Parameters of the shape, the content, the mask and the experiment itself, by their tables' keys. A value the table
/// refuses changes nothing.
Experiment withShapeValue(Experiment experiment, const std::string& key, const Value& value);
Experiment withContentValue(Experiment experiment, const std::string& key, const Value& value);
/// The attention of the opened model on these ids, or where there are none on tokens of its own; on few enough to be
/// had at once.
Experiment withModelContent(Experiment experiment, const Array& tokens = {});
/// The first window of a short sequence is a quarter of it: the default would hide nothing.
Experiment withMaskValue(Experiment experiment, const std::string& key, const Value& value);
Experiment withExperimentValue(Experiment experiment, const std::string& key, const Value& value);

/// Puts an array where a session names it: "schemes[2].table", "content.q". Errors: unknown_name, bad_value, and what
/// the scheme says to it.
Expected<Experiment> withArray(Experiment experiment, const std::string& where, const Array& array);

/// Gives the found array to every parameter that waits for this file, wherever its scheme stands by now. Errors:
/// unknown_name when none does any more, and what the scheme says to it.
Expected<Experiment> withFound(Experiment experiment, const std::string& missing_file, const Array& array);

/// The lowest colour index that no scheme has.
int freeColour(const Experiment& experiment);

}  // namespace posiscope::ui
