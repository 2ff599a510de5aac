// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/files/reader.h"

#include <string>
#include <string_view>
#include <vector>

namespace posiscope::files {

/// The arrays of an .npz archive, by their names without ".npy", in the order of the archive; of two of one name the
/// last, as NumPy takes it. What is no array is listed as not readable. Nothing but the headers is unpacked. Errors:
/// those of the archive.
Expected<std::vector<TensorEntry>> describeNpz(const std::string& path, const Job& job = Job());

/// One of them. Errors: unknown_name, with the names there are; those of the archive and of the array.
Expected<Array> readNpz(const std::string& path, std::string_view name, const Job& job = Job());

}  // namespace posiscope::files
