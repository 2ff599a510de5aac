// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/transformers/tokens.h"

#include "core/files/reader.h"
#include "core/files/refusal.h"
#include "core/token_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace posiscope::transformers {
namespace {

constexpr double largest_id = 9007199254740992.0;  // 2^53: whole numbers are exact up to here

Expected<std::vector<std::int64_t>> wholeNumbers(const double* values, std::int64_t count, const std::string& name) {
  std::vector<std::int64_t> ids;
  for (std::int64_t t = 0; t < count; ++t) {
    if (std::abs(values[t]) <= largest_id && values[t] == std::floor(values[t])) {
      ids.push_back(static_cast<std::int64_t>(values[t]));
      continue;
    }
    return fail(ErrorCode::bad_value, join(name, ": ids must be whole numbers, got ", values[t], " at position ", t),
                join(name, "：编号必须是整数，位置 ", t, " 处得到 ", values[t]));
  }
  return ids;
}

tl::unexpected<Error> noSuchRow(const std::string& name, std::int64_t row, std::int64_t rows) {
  if (rows == 1)
    return fail(ErrorCode::out_of_range, join(name, ": there is one text only, row 0; got row ", row),
                join(name, "：其中只有一条文本，即第 0 行；得到第 ", row, " 行"));
  return fail(ErrorCode::out_of_range, join(name, ": the row must be 0 to ", rows - 1, ", got ", row),
              join(name, "：行号必须在 0 到 ", rows - 1, " 之间，得到 ", row));
}

Expected<std::vector<std::int64_t>> readNpyIds(const std::string& path, std::int64_t row) {
  const Expected<Array> array = files::readNpy(path);
  if (!array) return fail(array.error());
  const std::string name = files::escaped(path, 4096);
  if (array->empty())
    return fail(ErrorCode::bad_shape, join(name, ": at least one id must be given, got an empty array"),
                join(name, "：至少要给出一个编号，得到空数组"));
  const bool several = array->rank() == 2;
  if (array->rank() != 1 && !several)
    return fail(ErrorCode::bad_shape,
                join(name, ": ids must have shape (tokens,) or (texts, tokens), got ", shapeText(array->shape)),
                join(name, "：编号的形状必须是（词元数,）或（文本数, 词元数），得到 ", shapeText(array->shape)));
  const std::int64_t rows = several ? array->shape[0] : 1;
  if (row < 0 && rows > 1)
    return fail(ErrorCode::out_of_range,
                join(name, " holds ", rows, " texts: say which one is meant, from 0 to ", rows - 1,
                     " (on the command line: --row)"),
                join(name, " 中有 ", rows, " 条文本：请指明用哪一条，从 0 到 ", rows - 1, "（命令行：--row）"));
  if (row >= rows) return noSuchRow(name, row, rows);
  const std::int64_t count = array->shape.back();
  return wholeNumbers(array->data() + std::max<std::int64_t>(row, 0) * count, count, name);
}

}  // namespace

Expected<std::vector<std::int64_t>> parseIds(std::string_view text, std::string_view owner) {
  constexpr std::string_view between = " \t\r\n,;[]";
  std::vector<std::int64_t> ids;
  while (true) {
    const std::size_t begin = text.find_first_not_of(between);
    if (begin == std::string_view::npos) break;
    text.remove_prefix(begin);
    const std::string_view word = text.substr(0, text.find_first_of(between));
    std::int64_t id = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), id);
    if (error != std::errc{} || end != word.data() + word.size()) {
      const std::string shown = files::escaped(word);
      return fail(ErrorCode::bad_value,
                  join(owner, ": ids must be whole numbers, got '", shown, "' at position ", ids.size()),
                  join(owner, "：编号必须是整数，位置 ", ids.size(), " 处得到“", shown, "”"));
    }
    ids.push_back(id);
    text.remove_prefix(word.size());
  }
  if (ids.empty())
    return fail(ErrorCode::bad_value, join(owner, ": at least one id must be given, got none"),
                join(owner, "：至少要给出一个编号，但没有"));
  return ids;
}

Expected<std::vector<std::int64_t>> readIds(const std::string& path, std::int64_t row) {
  if (path.ends_with(".npy")) return readNpyIds(path, row);
  const Expected<std::string> text = files::readText(path);
  if (!text) return fail(text.error());
  if (row > 0) return noSuchRow(files::escaped(path, 4096), row, 1);
  return parseIds(withoutMark(*text), files::escaped(path, 4096));
}

}  // namespace posiscope::transformers
