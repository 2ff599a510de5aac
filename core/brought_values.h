// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameter.h"

#include <string_view>

namespace posiscope {

/// Some values bring another along, because its default is meant for their neighbours: scalings stretch by a factor of
/// 4, but proportional scaling leaves pairs out and divides by 1. After `before` has become `values`: adds what they
/// bring unless it is given, and takes away what only the values of before brought. The command line, the window and
/// the readers of files all use it. Nothing happens for a scheme that does not exist.
void bringAlong(std::string_view scheme_id, const ParamValues& before, ParamValues& values);

/// Puts all of `given` into `values`, and what they bring along; what is given counts, in whatever order it is written.
void putAlong(std::string_view scheme_id, const ParamValues& given, ParamValues& values);

/// For a file whose reader brings along: where `values` do without what they would bring, their default is written out.
ParamValues withBroughtDefaults(std::string_view scheme_id, ParamValues values);

}  // namespace posiscope
