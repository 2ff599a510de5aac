// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/files/reader.h"
#include "core/files/source_file.h"

namespace posiscope::files {

/// The array of an .npy file that is open already, or lies unpacked in memory. Errors: those of readNpy.
Expected<Array> readNpy(SourceFile file);
/// What it holds; the numbers are not read.
Expected<TensorEntry> describeNpy(SourceFile file);

}  // namespace posiscope::files
