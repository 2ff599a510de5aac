// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace posiscope {

// Models that come with the program. Where their files lie differs from machine to machine, so a session calls them by
// a name that is good everywhere: "trained:rope".

/// Before the name of such a model.
inline constexpr std::string_view carried_prefix = "trained:";

/// The folder of the model with this name ("rope"), ready to be read; empty when the program carries none of that name
/// or its files cannot be written. Safe from several threads.
using FindCarriedModel = std::function<std::string(const std::string& name)>;
/// Who carries them. Set at the start, before anything is computed; without it there are none.
void setCarriedModels(FindCarriedModel find);

/// The folder that a content's model, or a path of a file in it, means on this machine: that of a carried one where it
/// is called by its name, or where it was stored as a path (…/models/trained-rope) that is not there; else as it is.
std::string carriedPlace(const std::string& path);

/// How a session calls the model of this folder: by its name when the program carries it, else by the folder.
std::string carriedName(const std::string& folder);

}  // namespace posiscope
