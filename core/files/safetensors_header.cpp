// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/safetensors_header.h"

#include "core/files/json_mistake.h"
#include "core/files/refusal.h"
#include "core/files/source_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_set>

namespace posiscope::files {
namespace {

constexpr std::size_t deepest = 128;  // the reference reader's limit

/// Receives the header's pieces one after another; a document tree would keep only the last of two equal names.
class HeaderScan : public nlohmann::json_sax<nlohmann::json> {
 public:
  HeaderScan(std::string_view file, std::string_view text) : file_(file), text_(text) {}

  std::vector<TensorEntry> tensors;
  std::optional<Error> error;

  bool null() override {
    // A missing __metadata__ is sometimes written as null.
    return (depth_ == 1 && key_ == "__metadata__") || scalar("null");
  }
  bool boolean(bool value) override { return scalar(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return scalar(join(value)); }
  bool number_float(number_float_t, const string_t& text) override { return scalar(text); }
  bool binary(binary_t&) override { return scalar("binary"); }
  bool number_unsigned(number_unsigned_t value) override;
  bool string(string_t& value) override;
  bool start_object(std::size_t) override;
  bool end_object() override;
  bool start_array(std::size_t) override;
  bool end_array() override;
  bool key(string_t& value) override;
  bool parse_error(std::size_t position, const std::string& token, const nlohmann::detail::exception& e) override {
    error = refuse(ErrorCode::file_format, file_, {"the header", "头部"}, {"valid JSON in UTF-8", "有效的 UTF-8 JSON"},
                   jsonMistake(text_, position, token.size(), e.what()))
                .value();
    return false;
  }

 private:
  enum class Part { none, dtype, shape, offsets };

  bool no(const Text& field, const Text& allowed, std::string_view found) {
    error = refuse(ErrorCode::file_format, file_, field, allowed, same(escaped(found, 200))).value();
    return false;
  }
  Text field(std::string_view part) const { return same(join("'", escaped(name_), "' ", part)); }
  bool inEntry() const { return depth_ == 2 && !metadata_; }
  bool scalar(std::string_view found) {
    if (depth_ == 0) return no({"the header", "头部"}, {"a JSON object", "一个 JSON 对象"}, found);
    if (depth_ == 1) return no(same("'" + escaped(key_) + "'"), {"an object", "一个对象"}, found);
    if (metadata_) return no(same("__metadata__"), {"strings only", "只含字符串的"}, found);
    if (part_ == Part::dtype && inEntry()) return no(field("dtype"), {"a type's name", "类型名称"}, found);
    if (part_ == Part::shape && depth_ <= 3)
      return no(field("shape"), {"a list of whole numbers from 0", "非负整数列表"}, found);
    if (part_ == Part::offsets && depth_ <= 3)
      return no(field("data_offsets"), {"two whole numbers from 0", "两个非负整数"}, found);
    return true;
  }
  bool deeper(std::string_view what) {
    return ++depth_ <= deepest || no({"the header", "头部"}, {"nested at most 128 deep", "嵌套不超过 128 层的"}, what);
  }
  bool finishEntry();

  std::string_view file_;
  std::string_view text_;
  std::size_t depth_ = 0;
  bool metadata_ = false;  ///< inside __metadata__
  bool seen_metadata_ = false;
  std::string key_;   ///< at depth 1
  std::string name_;  ///< of the tensor being read
  Part part_ = Part::none;
  bool in_list_ = false;
  bool seen_[4] = {};
  TensorEntry entry_;
  std::vector<std::uint64_t> offsets_;
  std::unordered_set<std::string> names_;
};

bool HeaderScan::number_unsigned(number_unsigned_t value) {
  if (!metadata_ && depth_ == 3 && in_list_ && part_ == Part::shape) {
    if (value > static_cast<std::uint64_t>(largest_dimension))
      return no(field("shape"), {"of dimensions up to 2^48", "各维不超过 2^48 的"}, join(value));
    entry_.shape.push_back(static_cast<std::int64_t>(value));
    return true;
  }
  if (!metadata_ && depth_ == 3 && in_list_ && part_ == Part::offsets) {
    offsets_.push_back(value);
    return offsets_.size() <= 2 || no(field("data_offsets"), {"two whole numbers from 0", "两个非负整数"}, "three");
  }
  return scalar(join(value));
}

bool HeaderScan::string(string_t& value) {
  if (metadata_ && depth_ == 2) return true;
  if (!inEntry() || part_ != Part::dtype) return scalar("'" + value + "'");
  if (!findSafetensorsType(value))
    return no(field("dtype"), {"a known type such as F32, in upper case", "已知的大写类型名，如 F32"},
              "'" + value + "'");
  entry_.dtype = value;
  return true;
}

bool HeaderScan::start_object(std::size_t) {
  if (depth_ == 1) {
    metadata_ = key_ == "__metadata__";
    if (!metadata_) {
      name_ = key_;
      entry_ = {};
      offsets_.clear();
      std::ranges::fill(seen_, false);
    }
  } else if (depth_ > 1 && !scalar("an object")) {
    return false;
  }
  part_ = depth_ <= 1 ? Part::none : part_;
  return deeper("more objects");
}

bool HeaderScan::end_object() {
  if (inEntry() && !finishEntry()) return false;
  if (depth_ == 2) metadata_ = false;
  --depth_;
  return true;
}

bool HeaderScan::start_array(std::size_t) {
  const bool list = inEntry() && (part_ == Part::shape || part_ == Part::offsets);
  if (!list && !scalar("a list")) return false;
  in_list_ = in_list_ || list;
  return deeper("more lists");
}

bool HeaderScan::end_array() {
  if (--depth_ == 2) in_list_ = false;
  return true;
}

bool HeaderScan::key(string_t& value) {
  if (depth_ == 1) {
    key_ = value;
    if (!names_.insert(value).second)
      return no(same("'" + escaped(value) + "'"), {"in the header once", "在头部只出现一次的"}, "it twice");
  } else if (inEntry()) {
    part_ = value == "dtype"          ? Part::dtype
            : value == "shape"        ? Part::shape
            : value == "data_offsets" ? Part::offsets
                                      : Part::none;
    bool& seen = seen_[static_cast<int>(part_)];
    if (seen && part_ != Part::none) return no(field(value), {"given once", "只给出一次的"}, "it twice");
    seen = true;
  }
  return true;
}

bool HeaderScan::finishEntry() {
  for (const auto& [part, key] :
       {std::pair{Part::dtype, "dtype"}, {Part::shape, "shape"}, {Part::offsets, "data_offsets"}})
    if (!seen_[static_cast<int>(part)]) return no(field(key), {"given", "给出的"}, "no such key");
  if (offsets_.size() != 2 || offsets_[0] > offsets_[1])
    return no(
        field("data_offsets"), {"two whole numbers from 0, begin ≤ end", "两个非负整数，且起点不大于终点"},
        offsets_.size() != 2 ? join(offsets_.size(), " numbers") : join("[", offsets_[0], ", ", offsets_[1], "]"));
  const SafetensorsType& type = *findSafetensorsType(entry_.dtype);
  const auto count = product(entry_.shape);
  std::uint64_t bits = 0;
  if (!count || __builtin_mul_overflow(*count, std::uint64_t{type.bits}, &bits))
    return no(field("shape"), {"a size that 64 bits can count", "64 位可表示的大小"}, shapeText(entry_.shape));
  entry_.offset = offsets_[0];
  entry_.bytes = offsets_[1] - offsets_[0];
  if (bits % 8 != 0 || entry_.bytes != bits / 8)
    return no(field("data_offsets"),
              {join(bits % 8 ? "a whole number of bytes for " : join(bits / 8, " bytes apart for "), entry_.dtype, " ",
                    escaped(shapeText(entry_.shape))),
               join("与 ", entry_.dtype, " ", escaped(shapeText(entry_.shape)), " 相符（", bits / 8, " 字节）")},
              join(entry_.bytes, " bytes"));
  entry_.name = name_;
  entry_.readable = type.element.has_value();
  tensors.push_back(std::move(entry_));
  return true;
}

/// Sorted by their ranges, the tensors follow each other without hole or overlap from the first byte to the last.
Outcome checkTiling(const std::vector<TensorEntry>& tensors, std::uint64_t buffer, std::string_view file) {
  std::vector<const TensorEntry*> sorted;
  sorted.reserve(tensors.size());
  for (const TensorEntry& t : tensors) sorted.push_back(&t);
  std::ranges::sort(sorted, {}, [](const TensorEntry* t) { return std::pair(t->offset, t->bytes); });
  const std::string path = escaped(file, 4096);
  std::uint64_t end = 0;
  for (const TensorEntry* t : sorted) {
    if (t->offset != end) {
      const std::string field = join("'", escaped(t->name), "' data_offsets");
      const Text place = t == sorted.front() ? Text{"the first of the data", "即数据的开头"}
                                             : Text{"where the previous tensor ends", "即上一个张量的末尾"};
      return fail(ErrorCode::file_format,
                  join(path, ": ", field, " must begin at byte ", end, ", ", place.en, ", got ", t->offset),
                  join(path, "：", field, " 必须从字节 ", end, "（", place.zh, "）开始，得到 ", t->offset));
    }
    end += t->bytes;  // cannot overflow: offset + bytes is a 64-bit end read from the file
  }
  if (end == buffer) return {};
  if (sorted.empty())
    return refuse(ErrorCode::file_format, file, {"the data of a header without tensors", "不含张量的头部之后的数据"},
                  {"empty", "空的"}, Text{join(buffer, " bytes"), join(buffer, " 字节")});
  return fail(
      ErrorCode::file_format,
      join(path, ": the last tensor must end where the file ends, at byte ", buffer, " of the data; it ends at ", end),
      join(path, "：最后一个张量必须在文件末尾（数据的第 ", buffer, " 字节）结束，实际在第 ", end, " 字节结束"));
}

}  // namespace

const SafetensorsType* findSafetensorsType(std::string_view name) {
  static constexpr SafetensorsType types[] = {{"F64", 64, Element::f64},
                                              {"F32", 32, Element::f32},
                                              {"F16", 16, Element::f16},
                                              {"BF16", 16, Element::bf16},
                                              {"I64", 64, Element::i64},
                                              {"I32", 32, Element::i32},
                                              {"I16", 16, Element::i16},
                                              {"I8", 8, Element::i8},
                                              {"U64", 64, Element::u64},
                                              {"U32", 32, Element::u32},
                                              {"U16", 16, Element::u16},
                                              {"U8", 8, Element::u8},
                                              {"BOOL", 8, Element::boolean},
                                              {"F8_E4M3", 8, Element::f8_e4m3},
                                              {"F8_E5M2", 8, Element::f8_e5m2},
                                              {"F8_E8M0", 8, Element::f8_e8m0},
                                              {"F8_E4M3FNUZ", 8, Element::f8_e4m3fnuz},
                                              {"F8_E5M2FNUZ", 8, Element::f8_e5m2fnuz},
                                              {"C64", 64, std::nullopt},
                                              {"F4", 4, std::nullopt},
                                              {"F6_E2M3", 6, std::nullopt},
                                              {"F6_E3M2", 6, std::nullopt}};
  const auto* found = std::ranges::find(types, name, &SafetensorsType::name);
  return found == std::end(types) ? nullptr : found;
}

Expected<std::vector<TensorEntry>> parseSafetensorsHeader(std::string_view text, std::uint64_t data,
                                                          std::uint64_t buffer, std::string_view file) {
  // The JSON library skips a byte order mark and takes a NUL for the end; the format allows neither.
  const std::size_t nul = text.find('\0');
  if (text.starts_with("\xEF\xBB\xBF") || nul != std::string_view::npos)
    return refuse(ErrorCode::file_format, file, {"the header", "头部"}, {"plain JSON", "纯 JSON"},
                  nul != std::string_view::npos ? join("a NUL at byte ", 8 + nul) : "a byte order mark");
  HeaderScan scan(file, text);
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &scan)) return fail(*std::move(scan.error));
  if (Outcome ok = checkTiling(scan.tensors, buffer, file); !ok) return fail(ok.error());
  for (TensorEntry& t : scan.tensors) t.offset += data;
  return std::move(scan.tensors);
}

}  // namespace posiscope::files
