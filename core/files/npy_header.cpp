// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/npy_header.h"

#include "core/files/refusal.h"
#include "core/files/source_file.h"

#include <charconv>
#include <optional>

namespace posiscope::files {
namespace {

/// NumPy 2 allows 64 dimensions.
constexpr std::size_t largest_rank = 64;

/// Walks the text; every question either answers or leaves the place untouched.
class Reader {
 public:
  Reader(std::string_view text, int major) : rest_(text), major_(major) {}

  void skipSpace() {
    while (!rest_.empty()) {
      if (rest_[0] == '#')
        rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
      else if (std::string_view(" \t\r\n\f").find(rest_[0]) != std::string_view::npos)
        rest_.remove_prefix(1);
      else
        return;
    }
  }
  bool take(std::string_view token) {
    skipSpace();
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  bool at(char c) {
    skipSpace();
    return !rest_.empty() && rest_[0] == c;
  }
  bool ended() {
    skipSpace();
    return rest_.empty();
  }
  std::optional<std::string_view> quoted() {
    skipSpace();
    if (rest_.empty() || (rest_[0] != '\'' && rest_[0] != '"')) return std::nullopt;
    const std::size_t end = rest_.find(rest_[0], 1);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view text = rest_.substr(1, end - 1);
    if (text.find_first_of("\\\n") != std::string_view::npos) return std::nullopt;
    rest_.remove_prefix(end + 1);
    return text;
  }
  /// A non-negative whole number up to the largest dimension, decimal or hexadecimal.
  std::optional<std::int64_t> dimension() {
    skipSpace();
    const bool hexadecimal = rest_.starts_with("0x") || rest_.starts_with("0X");
    const std::string_view digits = rest_.substr(hexadecimal ? 2 : 0);
    std::uint64_t value = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, hexadecimal ? 16 : 10);
    if (error != std::errc{} || value > static_cast<std::uint64_t>(largest_dimension)) return std::nullopt;
    const auto length = static_cast<std::size_t>(end - digits.data());
    if (!hexadecimal && length > 1 && digits[0] == '0') return std::nullopt;
    rest_ = digits.substr(length);
    if (major_ < 3 && rest_.starts_with('L')) rest_.remove_prefix(1);
    return static_cast<std::int64_t>(value);
  }
  /// The whole value that begins here, for a message: up to the comma or bracket that ends it.
  std::string_view value() {
    skipSpace();
    std::size_t depth = 0, end = 0;
    for (char quote = 0; end < rest_.size(); ++end) {
      const char c = rest_[end];
      if (quote != 0) {
        if (c == quote) quote = 0;
      } else if (c == '\'' || c == '"') {
        quote = c;
      } else if (c == '(' || c == '[' || c == '{') {
        ++depth;
      } else if (c == ')' || c == ']' || c == '}') {
        if (depth-- == 0) break;
      } else if (c == ',' && depth == 0) {
        break;
      }
    }
    const std::string_view text = rest_.substr(0, end);
    return text.substr(0, text.find_last_not_of(" \t\r\n\f") + 1);
  }
  /// The next few characters, for a message.
  std::string_view here() {
    skipSpace();
    return rest_.substr(0, std::min<std::size_t>(rest_.size(), 40));
  }

 private:
  std::string_view rest_;
  int major_;
};

/// The word for a kind of element that is not a plain number; empty when it is none we know.
Text kindName(std::string_view descr) {
  const std::size_t order = descr.find_first_not_of("<>|=");
  switch (order == std::string_view::npos ? ' ' : descr[order]) {
    case 'O':
      return {" (Python objects, stored as a pickle, which can run code)",
              "（Python 对象，以 pickle 存储，可能执行代码）"};
    case 'U':
    case 'S':
    case 'a': return {" (strings)", "（字符串）"};
    case 'M':
    case 'm': return {" (times)", "（时间）"};
    case 'c': return {" (complex numbers)", "（复数）"};
    case 'V':
      return {" (raw bytes; bfloat16 arrays look like this when saved to .npy)",
              "（原始字节；bfloat16 数组存为 .npy 时就是这样）"};
    default: return {};
  }
}

std::optional<Element> plainType(std::string_view kind) {
  using Pair = std::pair<std::string_view, Element>;
  static constexpr Pair plain[] = {{"f8", Element::f64}, {"f4", Element::f32}, {"f2", Element::f16},
                                   {"i1", Element::i8},  {"i2", Element::i16}, {"i4", Element::i32},
                                   {"i8", Element::i64}, {"u1", Element::u8},  {"u2", Element::u16},
                                   {"u4", Element::u32}, {"u8", Element::u64}, {"b1", Element::boolean}};
  for (const auto& [name, type] : plain)
    if (name == kind) return type;
  return std::nullopt;
}

class HeaderReader {
 public:
  HeaderReader(std::string_view text, int major, std::string_view file) : in_(text, major), file_(file) {}

  Expected<NpyHeader> read() {
    if (!in_.take("{")) return broken("the header", "标题", "a dict '{…}'", "字典 '{…}'");
    while (!in_.at('}')) {
      if (Outcome ok = entry(); !ok) return fail(ok.error());
      if (!in_.take(",") && !in_.at('}'))
        return broken("the header", "标题", "entries separated by ','", "以 ',' 分隔");
    }
    in_.take("}");
    if (!in_.ended()) return broken("the header", "标题", "one dict", "一个字典");
    for (const auto& [seen, key] :
         {std::pair{seen_descr_, "descr"}, {seen_order_, "fortran_order"}, {seen_shape_, "shape"}})
      if (!seen)
        return refuse(ErrorCode::file_format, file_, same(key), {"given in the header", "在标题中给出的"},
                      Text{"no such key", "没有该键"});
    return header_;
  }

 private:
  tl::unexpected<Error> broken(std::string_view en, std::string_view zh, std::string_view allowed_en,
                               std::string_view allowed_zh) {
    return refuse(ErrorCode::file_format, file_, Text{std::string(en), std::string(zh)},
                  Text{std::string(allowed_en), std::string(allowed_zh)}, foundText(in_.here()));
  }
  tl::unexpected<Error> wrongValue(std::string_view key, const Text& allowed, std::string_view found) {
    return refuse(ErrorCode::file_format, file_, same(key), allowed, foundText(found));
  }
  static Text foundText(std::string_view found) {
    return found.empty() ? Text{"nothing", "空白"} : same(escaped(found));
  }
  Outcome entry() {
    const auto key = in_.quoted();
    const bool known = key == "descr" || key == "fortran_order" || key == "shape";
    if (!known || !in_.take(":"))
      return refuse(ErrorCode::file_format, file_, {"a key of the header", "标题的键"},
                    same("descr, fortran_order, shape"), key && !known ? *key : in_.here());
    bool& seen = *key == "descr" ? seen_descr_ : *key == "shape" ? seen_shape_ : seen_order_;
    if (seen)
      return refuse(ErrorCode::file_format, file_, same(*key), {"given once", "只给出一次的"},
                    Text{"the key twice", "重复的键"});
    seen = true;
    if (*key == "descr") return descr();
    return *key == "shape" ? shape() : order();
  }
  Outcome descr() {
    static const Text allowed{"a plain number type such as '<f4', '<f8' or '<i8'",
                              "普通数值类型，如 '<f4'、'<f8' 或 '<i8'"};
    if (in_.at('[') || in_.at('('))
      return refuse(ErrorCode::file_type, file_, same("descr"), allowed,
                    Text{join("a structure ", escaped(in_.value())), join("结构类型 ", escaped(in_.value()))});
    const auto text = in_.quoted();
    if (!text) return wrongValue("descr", allowed, in_.value());
    const bool has_order = !text->empty() && std::string_view("<>|=").find(text->front()) != std::string_view::npos;
    const auto type = plainType(text->substr(has_order ? 1 : 0));
    const bool one_byte = type && bytesOf(*type) == 1;
    if (!type || (text->front() == '|' && !one_byte)) {
      const Text kind = kindName(*text);
      return refuse(ErrorCode::file_type, file_, same("descr"), allowed,
                    Text{join("'", escaped(*text), "'", kind.en), join("'", escaped(*text), "'", kind.zh)});
    }
    header_.descr = *text;
    header_.type = *type;
    header_.big_endian = text->front() == '>';
    return {};
  }
  Outcome order() {
    if (in_.take("True"))
      header_.fortran_order = true;
    else if (!in_.take("False"))
      return wrongValue("fortran_order", {"True or False", "True 或 False"}, in_.value());
    return {};
  }
  Outcome shape() {
    static const Text allowed{"a tuple of whole numbers from 0 to 2^48 such as (2, 3)",
                              "由 0 到 2^48 的整数组成的元组，如 (2, 3)"};
    const std::string_view whole = in_.value();
    if (!in_.take("(")) return wrongValue("shape", allowed, whole);
    bool comma = true;
    while (!in_.take(")")) {
      const auto dimension = comma ? in_.dimension() : std::nullopt;
      if (!dimension) return wrongValue("shape", allowed, whole);
      header_.shape.push_back(*dimension);
      if (header_.shape.size() > largest_rank)
        return refuse(ErrorCode::file_format, file_, same("shape"), {"of at most 64 dimensions", "至多 64 维的"},
                      Text{"more", "更多维"});
      comma = in_.take(",");
    }
    if (header_.shape.size() == 1 && !comma)  // "(4)" is a number in brackets, not a tuple
      return wrongValue("shape", allowed, whole);
    return {};
  }

  Reader in_;
  std::string_view file_;
  NpyHeader header_;
  bool seen_descr_ = false;
  bool seen_order_ = false;
  bool seen_shape_ = false;
};

}  // namespace

Expected<NpyHeader> parseNpyHeader(std::string_view text, int major, std::string_view file) {
  if (text.find('\0') != std::string_view::npos || (major >= 3 && !isUtf8(text)))
    return refuse(ErrorCode::file_format, file, {"the header", "标题"}, {"plain text", "纯文本"}, text.substr(0, 40));
  return HeaderReader(text, major, file).read();
}

}  // namespace posiscope::files
