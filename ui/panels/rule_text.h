// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameter.h"
#include "core/text.h"

#include <QString>

namespace posiscope::ui {

/// Is this value no number (no list) of its own but a rule: a whole number's default 0 of which the help says
/// "0 means …", or an empty list?
bool isRule(const ParamSpec& spec, const Value& value);

/// What a field shows for such a value, from the parameter's own help: "by share" of "…; 0 means by share.". A rule
/// that no field has room for is "auto", a list without one is "none". Empty where no value is a rule.
QString ruleText(const ParamSpec& spec, Language language);

}  // namespace posiscope::ui
