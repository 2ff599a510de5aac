// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace posiscope {

/// Room for `size` results, taken from those that earlier results gave back when there is one that fits: fresh pages
/// cost five times the work of filling them. The contents are those of the earlier result: write every entry.
std::vector<float> takeBuffer(std::size_t size);

/// Shares finished results; the last owner gives the room back to `takeBuffer`.
std::shared_ptr<const std::vector<float>> lendBuffer(std::vector<float> values);

/// Lets the process keep up to 256 MiB of memory that was given back, for the same reason: without it a curve of a
/// million points spends more time on new pages than on its numbers. Once, before there are threads; without effect
/// where the C library is not glibc.
void keepFreedPages();

}  // namespace posiscope
