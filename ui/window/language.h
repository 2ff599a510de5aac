// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text.h"

namespace posiscope::ui {

/// Installs or removes our and Qt's own translations; every widget then gets a LanguageChange. Needs an application.
void applyLanguage(Language language);

}  // namespace posiscope::ui
