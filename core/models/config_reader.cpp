// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/config_reader.h"

#include "core/files/refusal.h"
#include "core/json_found.h"
#include "core/near_names.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace posiscope::models {

using nlohmann::json;

namespace {

/// Keys of Hugging Face configurations that are no slip although they are close to one that is read here.
constexpr std::string_view others_close[] = {"batch_size",     "d_head",      "decoder_attention_heads",
                                             "decoder_layers", "emb_dim",     "embed_dims",
                                             "hidden_sizes",   "image_sizes", "local_rope_theta",
                                             "num_beams",      "num_k_heads", "num_labels",
                                             "num_q_heads",    "num_v_heads", "patch_sizes",
                                             "v_head_dim",     "window_sizes"};

}  // namespace

const json* ConfigReader::found(std::string_view key) const {
  asked_->emplace(key);
  const auto at = object_->find(std::string(key));
  return at == object_->end() || at->is_null() ? nullptr : &*at;
}

void ConfigReader::note(Text text) const {
  if (std::ranges::find(*notes_, text) == notes_->end()) notes_->push_back(std::move(text));
}

void ConfigReader::refuse(std::string_view key, const Text& allowed) const {
  note(files::refuse(ErrorCode::bad_value, file_, files::same(path(key)), allowed, foundText(*found(key)))
           .value()
           .message);
}

template <class T, class Read>
std::optional<ConfigReader::Found<T>> ConfigReader::first(Keys keys, const Text& allowed, Read read) const {
  asked_->insert(keys.begin(), keys.end());  // also those behind the one that is there
  for (const std::string_view key : keys) {
    const json* value = found(key);
    if (!value) continue;
    if (std::optional<T> answer = read(*value)) return Found<T>{*std::move(answer), path(key)};
    refuse(key, allowed);
    return std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::string> ConfigReader::firstOf(Keys keys) const {
  for (const std::string_view key : keys)
    if (has(key)) return path(key);
  return std::nullopt;
}

std::optional<ConfigReader::Found<double>> ConfigReader::number(Keys keys, double least, double most) const {
  return first<double>(keys, {join("a number from ", least, " to ", most), join(least, " 到 ", most, " 的数")},
                       [=](const json& value) -> std::optional<double> {
                         if (!value.is_number()) return std::nullopt;
                         const auto number = value.get<double>();
                         if (!(number >= least && number <= most)) return std::nullopt;
                         return number;
                       });
}

std::optional<ConfigReader::Found<std::int64_t>> ConfigReader::whole(Keys keys, std::int64_t least,
                                                                     std::int64_t most) const {
  return first<std::int64_t>(
      keys, {join("a whole number from ", least, " to ", most), join(least, " 到 ", most, " 的整数")},
      [=](const json& value) -> std::optional<std::int64_t> {
        if (!value.is_number()) return std::nullopt;
        const auto number = value.get<double>();
        const bool right =
            number == std::floor(number) && number >= static_cast<double>(least) && number <= static_cast<double>(most);
        if (!right) return std::nullopt;
        return static_cast<std::int64_t>(number);
      });
}

std::optional<ConfigReader::Found<std::string>> ConfigReader::text(Keys keys) const {
  return first<std::string>(keys, {"a text", "文本"}, [](const json& value) -> std::optional<std::string> {
    if (!value.is_string()) return std::nullopt;
    return value.get<std::string>();
  });
}

std::optional<ConfigReader::Found<bool>> ConfigReader::flag(Keys keys) const {
  return first<bool>(keys, {"true or false", "true 或 false"}, [](const json& value) -> std::optional<bool> {
    if (!value.is_boolean()) return std::nullopt;
    return value.get<bool>();
  });
}

std::optional<ConfigReader::Found<std::vector<double>>> ConfigReader::numbers(Keys keys, double least, double most,
                                                                              std::size_t most_entries) const {
  return first<std::vector<double>>(keys,
                                    {join("a list of at most ", most_entries, " numbers from ", least, " to ", most),
                                     join("最多 ", most_entries, " 个 ", least, " 到 ", most, " 的数组成的列表")},
                                    [=](const json& value) -> std::optional<std::vector<double>> {
                                      if (!value.is_array() || value.size() > most_entries) return std::nullopt;
                                      std::vector<double> list;
                                      for (const json& entry : value) {
                                        if (!entry.is_number()) return std::nullopt;
                                        list.push_back(entry.get<double>());
                                        if (!(list.back() >= least && list.back() <= most)) return std::nullopt;
                                      }
                                      return list;
                                    });
}

std::optional<ConfigReader::Found<std::vector<std::string>>> ConfigReader::texts(Keys keys,
                                                                                 std::size_t most_entries) const {
  return first<std::vector<std::string>>(
      keys, {join("a list of at most ", most_entries, " texts"), join("最多 ", most_entries, " 个文本组成的列表")},
      [=](const json& value) -> std::optional<std::vector<std::string>> {
        if (!value.is_array() || value.size() > most_entries) return std::nullopt;
        std::vector<std::string> list;
        for (const json& entry : value) {
          if (!entry.is_string()) return std::nullopt;
          list.push_back(entry.get<std::string>());
        }
        return list;
      });
}

void ConfigReader::noteOthers(std::span<const std::string_view> known) const {
  constexpr int most_named = 8;
  Text names;
  int count = 0;
  for (const auto& [key, value] : object_->items()) {
    if (value.is_null() || std::ranges::find(known, key) != known.end() || ++count > most_named) continue;
    names.en += (names.en.empty() ? "" : ", ") + files::escaped(key);
    names.zh += (names.zh.empty() ? "" : "、") + files::escaped(key);
  }
  if (count == 0) return;
  if (count > most_named) {
    names.en += join(" and ", count - most_named, " more");
    names.zh += join(" 等 ", count, " 个");
  }
  const std::string object = prefix_.substr(0, prefix_.size() - (prefix_.empty() ? 0 : 1));
  note({join(file_, ": ", object, " has keys that are not used: ", names.en),
        join(file_, "：", object, " 中有未使用的键：", names.zh)});
}

void ConfigReader::noteSlips() const {
  std::vector<std::string> missing;
  for (const std::string& key : *asked_)
    if (!object_->contains(key)) missing.push_back(key);
  for (const auto& [key, value] : object_->items()) {
    if (value.is_null() || asked_->contains(key) || std::ranges::find(others_close, key) != std::end(others_close))
      continue;
    const std::optional<std::string> meant = slipOf(key, missing);
    if (!meant) continue;
    const std::string shown = files::escaped(path(key));
    note({join(file_, ": unknown key ", shown, "; did you mean ", path(*meant), "?"),
          join(file_, "：未知的键 ", shown, "；您是否要用 ", path(*meant), "？")});
  }
}

std::optional<ConfigReader> ConfigReader::object(std::string_view key) const {
  const json* value = found(key);
  if (!value) return std::nullopt;
  if (value->is_object()) return ConfigReader(*value, file_, *notes_, path(key) + ".");
  refuse(key, {"an object", "一个对象"});
  return std::nullopt;
}

}  // namespace posiscope::models
