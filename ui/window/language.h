// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text.h"

#include <QString>

namespace posiscope::ui {

/// Installs or removes our and Qt's own translations; every widget then gets a LanguageChange. Needs an application.
void applyLanguage(Language language);

/// A text of the interface in Chinese, whatever language is in place; `context` is that of its tr(). Empty when it has
/// no translation.
QString chineseOf(const char* context, const char* source);

}  // namespace posiscope::ui
