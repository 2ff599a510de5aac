// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/array.h"
#include "core/experiment.h"
#include "core/parameter.h"
#include "core/scheme.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace posiscope::session {

/// Whole numbers without a point, non-finite ones as "nan", "inf", "-inf" (JSON has no form for them).
nlohmann::json numberToJson(double value);
std::optional<double> numberFromJson(const nlohmann::json& json);

/// A parameter's value. An array is its file, shape and digest; one without a file its shape and numbers.
nlohmann::json valueToJson(const Value& value);

/// The parameters of a scheme with the values in a file: those of one's own scheme depend on what is typed.
std::vector<ParamSpec> paramsIn(const Scheme& scheme, const nlohmann::json& values);

/// Adds what the values of a scheme bring along (bringAlong), but not for what its object in the file gives: where that
/// could not be read the default is used, as the note on it says.
void bringUnsaid(const nlohmann::json& object, SchemeChoice& choice);

/// 64 bits that depend on the shape and on every bit of every number: tells whether a file still holds what the
/// session was saved with. Not a defence against forgery.
std::string digest(const Array& array);

/// An array as a session names it.
struct ArrayReference {
  std::string file;    ///< empty: the numbers are in the session
  Array array;         ///< shape, and the numbers when there is no file
  std::string digest;  ///< of a file; empty: any numbers of that shape will do (written by hand or by `inspect`)
};
std::optional<ArrayReference> referenceFromJson(const nlohmann::json& json);

}  // namespace posiscope::session
