// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text.h"

#include <functional>
#include <initializer_list>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace posiscope::models {

/// One object of a config.json. The same fact has many names: the first key that is there (and not null) counts,
/// and the answer says which one it was. A value that cannot be right becomes a note, and the fact is not known.
class ConfigReader {
 public:
  template <class T>
  struct Found {
    T value;
    std::string key;  ///< with the objects around it: "rope_scaling.factor"
  };
  using Keys = std::initializer_list<std::string_view>;

  /// `notes` outlives the reader, `object` too.
  ConfigReader(const nlohmann::json& object, std::string file, std::vector<Text>& notes, std::string prefix = {})
      : object_(&object),
        file_(std::move(file)),
        notes_(&notes),
        prefix_(std::move(prefix)),
        asked_(std::make_shared<std::set<std::string, std::less<>>>()) {}

  const nlohmann::json& object() const { return *object_; }
  bool has(std::string_view key) const { return found(key) != nullptr; }
  /// The first of the keys that is there, with the objects around it; its value may be one that cannot be right.
  std::optional<std::string> firstOf(Keys keys) const;
  std::optional<Found<double>> number(Keys keys, double least, double most) const;
  std::optional<Found<std::int64_t>> whole(Keys keys, std::int64_t least, std::int64_t most) const;
  std::optional<Found<std::string>> text(Keys keys) const;
  std::optional<Found<bool>> flag(Keys keys) const;
  /// A list of at most `most_entries` numbers, and of texts.
  std::optional<Found<std::vector<double>>> numbers(Keys keys, double least, double most,
                                                    std::size_t most_entries) const;
  std::optional<Found<std::vector<std::string>>> texts(Keys keys, std::size_t most_entries) const;
  std::optional<ConfigReader> object(std::string_view key) const;
  /// The key with the objects around it.
  std::string path(std::string_view key) const { return prefix_ + std::string(key); }
  /// Once, however often a key is read.
  void note(Text text) const;
  /// One note that names the keys of this object that are not among `known`; none when there are none.
  void noteOthers(std::span<const std::string_view> known) const;
  /// A note for each key that nobody asked for and that is one or two letters from one that was asked for in vain:
  /// what a slip of the hand writes. Other unknown keys are usual and not worth a word.
  void noteSlips() const;
  const std::string& file() const { return file_; }

 private:
  const nlohmann::json* found(std::string_view key) const;
  void refuse(std::string_view key, const Text& allowed) const;
  template <class T, class Read>
  std::optional<Found<T>> first(Keys keys, const Text& allowed, Read read) const;

  const nlohmann::json* object_;
  std::string file_;
  std::vector<Text>* notes_;
  std::string prefix_;
  std::shared_ptr<std::set<std::string, std::less<>>> asked_;  ///< of all copies of this reader
};

}  // namespace posiscope::models
