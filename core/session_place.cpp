// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session_place.h"

#include "core/schemes/list.h"

#include <cctype>
#include <charconv>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace posiscope::session {
namespace {

/// A place at the start of a text, and how long it is there; 0 = there is none.
struct Found {
  Text name;
  std::size_t length = 0;
};

bool isKeyLetter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::size_t keyLength(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size() && isKeyLetter(text[length])) ++length;
  return length;
}

/// ".key" after an owner, as its label where there is such a parameter.
void addKey(Found& found, std::string_view rest, const std::vector<ParamSpec>& specs) {
  if (!rest.starts_with('.')) return;
  const std::size_t length = keyLength(rest.substr(1));
  const std::string key(rest.substr(1, length));
  if (key.empty()) return;
  const ParamSpec* spec = findParam(specs, key);
  const Text label = spec ? spec->label : Text{key, key};
  found.name = {found.name.en + ", " + label.en, found.name.zh + "，" + label.zh};
  found.length += 1 + length;
}

/// "list[3]" at the start: the number, and how long it is there.
std::pair<std::size_t, std::size_t> numbered(std::string_view text, std::string_view list) {
  if (!text.starts_with(list)) return {};
  const char* begin = text.data() + list.size();
  const char* end = text.data() + text.size();
  std::size_t number = 0;
  const auto [after, error] = std::from_chars(begin, end, number);
  if (error != std::errc() || after == end || *after != ']') return {};
  return {number, static_cast<std::size_t>(after + 1 - text.data())};
}

Found placeAt(std::string_view text, const Experiment& experiment) {
  if (const auto [index, length] = numbered(text, "schemes["); length > 0 && index < experiment.schemes.size()) {
    const std::string_view after = text.substr(length);
    if (after.starts_with(" of the file") || after.starts_with("（文件中）")) return {};  // it is not in the experiment
    const SchemeChoice& choice = experiment.schemes[index];
    const Scheme* scheme = schemes::find(choice.id);
    Found found{displayName(choice, experiment.schemes), length};
    if (scheme) addKey(found, text.substr(length), scheme->params);
    return found;
  }
  if (const auto [index, length] = numbered(text, "presentation.tiles["); length > 0)
    return {{join("tile ", index + 1), join("图块 ", index + 1)}, length};
  struct Section {
    std::string_view key;
    Text name;
    const std::vector<ParamSpec>& specs;
  };
  const Section sections[] = {{"content", {"content", "内容"}, contentTable().specs()},
                              {"shape", {"shape", "形状"}, shapeTable().specs()},
                              {"mask", {"mask", "掩码"}, maskTable().specs()}};
  for (const Section& section : sections) {
    if (!text.starts_with(section.key) || !text.substr(section.key.size()).starts_with('.')) continue;
    Found found{section.name, section.key.size()};
    addKey(found, text.substr(section.key.size()), section.specs);
    return found.length > section.key.size() ? found : Found{};
  }
  return {};
}

std::string replaced(const std::string& sentence, const Experiment& experiment, std::string Text::*language) {
  std::string text;
  for (std::size_t at = 0; at < sentence.size();) {
    // Not within a word or a path: "my_content.q" is none of ours.
    const bool inside = at > 0 && (isKeyLetter(sentence[at - 1]) || sentence[at - 1] == '/' || sentence[at - 1] == '.');
    const Found found = inside ? Found{} : placeAt(std::string_view(sentence).substr(at), experiment);
    if (found.length > 0)
      text += found.name.*language;
    else
      text += sentence[at];
    at += found.length > 0 ? found.length : 1;
  }
  return text;
}

}  // namespace

Text placeName(const std::string& where, const Experiment& experiment) { return inWords({where, where}, experiment); }

Text inWords(const Text& sentence, const Experiment& experiment) {
  return {replaced(sentence.en, experiment, &Text::en), replaced(sentence.zh, experiment, &Text::zh)};
}

}  // namespace posiscope::session
