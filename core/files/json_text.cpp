// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/json_text.h"

#include "core/files/json_mistake.h"
#include "core/files/refusal.h"
#include "core/files/source_file.h"

#include <set>

namespace posiscope::files {
namespace {

using nlohmann::json;

constexpr std::size_t deepest = 128;
constexpr std::size_t most_repeated = 16;

/// Looks at nesting and keys before a tree is built.
class Scan : public nlohmann::json_sax<json> {
 public:
  explicit Scan(std::string_view text) : text_(text) {}

  Text problem;
  std::vector<std::string> repeated;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return push(); }
  bool end_object() override { return pop(); }
  bool start_array(std::size_t) override { return push(); }
  bool end_array() override { return pop(); }
  bool key(string_t& value) override {
    levels_.back().current = value;
    if (!levels_.back().keys.insert(value).second && repeated.size() < most_repeated) repeated.push_back(path());
    return true;
  }
  bool parse_error(std::size_t position, const std::string& token, const nlohmann::detail::exception& e) override {
    problem = jsonMistake(text_, position, token.size(), e.what());
    return false;
  }

 private:
  struct Level {
    std::set<std::string> keys;
    std::string current;
  };
  bool push() {
    levels_.emplace_back();
    if (levels_.size() > deepest) problem = {"brackets nested more than 128 deep", "嵌套超过 128 层的括号"};
    return levels_.size() <= deepest;
  }
  bool pop() {
    levels_.pop_back();
    return true;
  }
  std::string path() const {
    std::string text;
    for (const Level& level : levels_)
      if (!level.current.empty()) text += (text.empty() ? "" : ".") + level.current;
    return escaped(text);
  }

  std::string_view text_;
  std::vector<Level> levels_;
};

}  // namespace

Expected<JsonText> parseJson(std::string_view text, std::string_view file) {
  const Text content{"the content", "内容"};
  const Text wanted{"valid JSON in UTF-8", "有效的 UTF-8 JSON"};
  if (const auto known = recognise(text.substr(0, 512)))
    return refuse(ErrorCode::file_format, file, content, wanted, *known);
  // The JSON library skips a byte order mark and takes a NUL for the end.
  if (text.starts_with("\xEF\xBB\xBF"))
    return refuse(ErrorCode::file_format, file, content, wanted, Text{"a byte order mark", "字节顺序标记"});
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos)
    return refuse(ErrorCode::file_format, file, content, wanted,
                  Text{join("a NUL at byte ", nul), join("第 ", nul, " 字节处的 NUL")});
  Scan scan(text);
  if (!json::sax_parse(text.begin(), text.end(), &scan))
    return refuse(ErrorCode::file_format, file, content, wanted, scan.problem);
  return JsonText{json::parse(text.begin(), text.end(), nullptr, false), std::move(scan.repeated)};
}

std::string shown(const json& value) {
  if (value.is_array()) return join("a list of ", value.size());
  if (value.is_object()) return join("an object of ", value.size());
  const std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  return escaped(value.is_string() ? "'" + text.substr(1, text.size() - 2) + "'" : text, 60);
}

}  // namespace posiscope::files
