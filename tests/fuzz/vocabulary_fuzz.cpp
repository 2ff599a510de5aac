// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/refusal.h"
#include "core/transformers/vocabulary.h"
#include "tests/fuzz/memory_file.h"

#include <vector>

using namespace posiscope;

namespace {

void read(const std::string& text, const char* name) {
  const auto vocabulary = transformers::parseVocabulary(text, name);
  if (!vocabulary) {
    const Text& sentence = vocabulary.error().message;
    fuzz::require(!sentence.en.empty() && files::isUtf8(sentence.en) && files::isUtf8(sentence.zh),
                  "a message that can be shown");
    return;
  }
  for (const std::string& token : *vocabulary) fuzz::require(files::isUtf8(token), "tokens that can be shown");
  const auto count = static_cast<std::int64_t>(vocabulary->size());
  const std::vector<std::int64_t> tokens{-1, 0, count - 1, count};
  for (const std::string& label : transformers::labelsOf(*vocabulary, tokens))
    fuzz::require(!label.empty(), "a label for each token");
}

}  // namespace

/// Any text is a vocabulary, as a tokenizer.json and as lines, or one sentence.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  read(text, "tokenizer.json");
  read(text, "vocab.txt");
  return 0;
}
