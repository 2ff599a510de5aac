// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace posiscope::transformers {

/// What each token id is written as, as the file has it (a byte-level vocabulary writes a space as Ġ). An id that the
/// file leaves out has an empty text.
using Vocabulary = std::vector<std::string>;

/// A text file with a token a line, or a .json: the `model.vocab` (and `added_tokens`) of a tokenizer.json, or an
/// object of tokens and ids. Errors: those of reading; file_format.
Expected<Vocabulary> readVocabulary(const std::string& path);

/// The same of a text that has been read; the name of `path` says which of the two it is. Errors: file_format.
Expected<Vocabulary> parseVocabulary(const std::string& text, const std::string& path);

/// The vocabulary that lies beside a model: tokenizer.json, vocab.json or vocab.txt, in this order; empty when there is
/// none. Errors: as above.
Expected<Vocabulary> vocabularyBeside(const std::string& folder);

/// Why the vocabulary beside a model cannot be read, where there is one that cannot; its tokens are then written as
/// their ids. `path`: the model's folder, or a file in it.
std::vector<Text> vocabularyNotes(const std::string& path);

/// A label for each token: its text, or its id where the vocabulary has none.
std::vector<std::string> labelsOf(const Vocabulary& vocabulary, std::span<const std::int64_t> tokens);

}  // namespace posiscope::transformers
