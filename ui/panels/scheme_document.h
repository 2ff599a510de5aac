// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text.h"

#include <QString>
#include <string>

namespace posiscope::ui {

/// The longer text of a scheme, resources/schemes/ID.{en,zh}.md: "# name", one sentence, then a part under "## title"
/// for each of these, in this order. Empty when there is none.
QString schemeDocument(const std::string& id, Language language);

enum class DocumentPart { formula, how_to_read, traps, known_users, reference };
inline constexpr int document_parts = 5;

/// The lines of one part, without its title. Empty when the document has no such part.
QString documentPart(const QString& document, DocumentPart part);

/// What the finders search beside names and summaries: models that use the scheme, where it was published, and what its
/// parameters can be set to, in both languages ("NTK-aware").
QString searchWords(const std::string& id, Language language);

}  // namespace posiscope::ui
