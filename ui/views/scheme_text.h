// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/experiment.h"
#include "ui/paint/style.h"
#include "ui/views/view.h"

#include <QString>
#include <QStringList>
#include <string>
#include <vector>

namespace posiscope::ui {

// The sentences that views say when there is nothing to draw.

/// Why a view without pictures has none: nothing is compared, every scheme is hidden, or the answer (`stale`: the one
/// at hand is to an older question) has yet to come or was stopped.
QString nothingText(const ViewContext& context, bool stale);
bool anyVisible(const Experiment& experiment);
/// The sentence without the id that the core puts before it: "rope: …". What another word starts stays.
std::string withoutOwner(const std::string& sentence);

/// A sentence about one scheme after its shown name: "RoPE · YaRN: factor must be …". An id before it goes, for the
/// name says it. An empty name gives the sentence as it is.
QString withName(const QString& scheme, const QString& sentence, const Style& style);

/// Are the scheme's learnable values drawn from its seed, because no file was given for any of them?
bool isDrawnFromSeed(const SchemeChoice& choice);
/// The sentence that says so.
Text drawnText();
/// The same with the names of all schemes it is true of, in front: once for all of them.
QString drawnNote(const QStringList& schemes, const Style& style);

/// What a note says already, and which of the `shown` schemes have values drawn from a seed.
QString withDrawnNotes(const QString& note, const std::vector<SchemeChoice>& schemes, const std::vector<int>& shown,
                       const Style& style);

/// "RoPE · YaRN: …": why the scheme has no answer. Of a file that is asked for only that it is missing.
QString failureText(const QString& scheme, const Error& error, const Style& style);

}  // namespace posiscope::ui
