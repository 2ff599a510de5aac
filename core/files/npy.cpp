// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/npy_header.h"
#include "core/files/npy_source.h"
#include "core/files/reader.h"
#include "core/files/refusal.h"
#include "core/files/source_file.h"

#include <algorithm>
#include <cassert>
#include <filesystem>

namespace posiscope::files {
namespace {

/// NumPy's own limit is 10 000 characters; declared lengths above ours are refused before anything is read.
constexpr std::uint64_t largest_header = 64u << 10;
constexpr std::string_view magic = "\x93NUMPY";

struct Layout {
  NpyHeader header;
  std::uint64_t data = 0;   ///< offset of the numbers
  std::uint64_t count = 0;  ///< of numbers; the file has room for them
};

Expected<Layout> readLayout(SourceFile& file) {
  const std::string start = file.start(12);
  if (!start.starts_with(magic)) {
    const Text wanted{"a NumPy array (.npy)", "NumPy 数组（.npy）"};
    const Text contents{"the content", "内容"};
    if (const auto known = recognise(file.start(512)))
      return refuse(ErrorCode::file_format, file.path(), contents, wanted, *known);
    return refuse(ErrorCode::file_format, file.path(), contents, wanted, "'" + start + "'");
  }
  const auto byte = [&](std::size_t i) { return i < start.size() ? static_cast<unsigned char>(start[i]) : 0u; };
  const unsigned major = byte(6);
  if (start.size() < 8 || byte(7) != 0 || major < 1 || major > 3)
    return refuse(ErrorCode::file_format, file.path(), {"the format version", "格式版本"}, same("1.0, 2.0, 3.0"),
                  start.size() < 8 ? "the end of the file" : join(major, ".", byte(7)));
  const std::uint64_t prefix = major == 1 ? 10 : 12;
  std::uint64_t length = 0;
  for (std::size_t i = prefix; i-- > 8;) length = (length << 8) | byte(i);
  const std::uint64_t room = file.size() > prefix ? file.size() - prefix : 0;
  if (length > std::min(largest_header, room) || file.size() < prefix)
    return refuse(ErrorCode::file_format, file.path(), {"the header's length", "标题长度"},
                  {join("at most ", std::min(largest_header, room), " bytes"),
                   join("不超过 ", std::min(largest_header, room), " 字节的")},
                  join(length));
  const Expected<std::string> text = file.text(prefix, length);
  if (!text) return fail(text.error());
  Expected<NpyHeader> header = parseNpyHeader(*text, static_cast<int>(major), file.path());
  if (!header) return fail(header.error());
  const std::uint64_t data = prefix + length;
  const std::uint64_t most = (file.size() - data) / bytesOf(header->type);
  const auto count = product(header->shape);
  if (!count || *count > most)
    return refuse(ErrorCode::file_format, file.path(), same("shape"),
                  {join("at most ", most, " numbers of '", header->descr, "' (the file ends there)"),
                   join("至多 ", most, " 个 '", header->descr, "' 数值（文件到此为止）")},
                  shapeText(header->shape));
  return Layout{*std::move(header), data, *count};
}

/// Column-major numbers in row-major order.
std::vector<double> transposed(const std::vector<std::int64_t>& shape, const std::vector<double>& columns) {
  std::vector<double> rows(columns.size());
  std::vector<std::int64_t> index(shape.size(), 0);
  std::vector<std::int64_t> stride(shape.size(), 1);
  for (std::size_t d = 1; d < shape.size(); ++d) stride[d] = stride[d - 1] * shape[d - 1];
  std::int64_t from = 0;
  for (double& value : rows) {
    value = columns[static_cast<std::size_t>(from)];
    for (std::size_t d = shape.size(); d-- > 0;) {
      from += stride[d];
      if (++index[d] < shape[d]) break;
      from -= stride[d] * shape[d];
      index[d] = 0;
    }
  }
  return rows;
}

/// Appends row `row` along the last axis. In Fortran order that axis is the slowest: the row's numbers stand apart.
Outcome appendRow(SourceFile& file, const Layout& layout, std::int64_t row, std::vector<double>& out) {
  const NpyHeader& header = layout.header;
  const auto cols = static_cast<std::uint64_t>(header.shape.back());
  std::uint64_t first = static_cast<std::uint64_t>(row) * cols;
  std::uint64_t step = 1;
  if (header.fortran_order) {
    first = 0;
    std::uint64_t before = static_cast<std::uint64_t>(row);  // index over the axes up to `d`, the last one fastest
    step = layout.count / cols;
    std::uint64_t stride = step;
    for (std::size_t d = header.shape.size() - 1; d-- > 0;) {
      const auto size = static_cast<std::uint64_t>(header.shape[d]);
      stride /= size;
      first += before % size * stride;
      before /= size;
    }
  }
  const std::uint64_t pieces = header.fortran_order ? cols : 1;
  for (std::uint64_t p = 0; p < pieces; ++p) {
    const std::uint64_t at = layout.data + (first + p * step) * bytesOf(header.type);
    const auto numbers = file.numbers(at, cols / pieces, header.type, header.big_endian);
    if (!numbers) return fail(numbers.error());
    out.insert(out.end(), numbers->begin(), numbers->end());
  }
  return {};
}

}  // namespace

Expected<TensorEntry> describeNpy(SourceFile file) {
  const Expected<Layout> layout = readLayout(file);
  if (!layout) return fail(layout.error());
  const NpyHeader& header = layout->header;
  return TensorEntry{std::filesystem::path(file.path()).filename().string(), header.descr, header.shape, layout->data,
                     layout->count * bytesOf(header.type)};
}

Expected<TensorEntry> describeNpy(const std::string& path) {
  Expected<SourceFile> file = SourceFile::open(path);
  if (!file) return fail(file.error());
  return describeNpy(*std::move(file));
}

Expected<Array> readNpy(SourceFile file) {
  const Expected<Layout> layout = readLayout(file);
  if (!layout) return fail(layout.error());
  const NpyHeader& header = layout->header;
  Expected<std::vector<double>> values = file.numbers(layout->data, layout->count, header.type, header.big_endian);
  if (!values) return fail(values.error());
  if (header.fortran_order && header.shape.size() > 1) *values = transposed(header.shape, *values);
  return makeArray(header.shape, *std::move(values), file.path());
}

Expected<Array> readNpy(const std::string& path, const Job& job) {
  Expected<SourceFile> file = SourceFile::open(path, job);
  if (!file) return fail(file.error());
  return readNpy(*std::move(file));
}

Expected<Array> readNpyRows(const std::string& path, std::span<const std::int64_t> rows) {
  Expected<SourceFile> file = SourceFile::open(path);
  if (!file) return fail(file.error());
  const Expected<Layout> layout = readLayout(*file);
  if (!layout) return fail(layout.error());
  assert(!layout->header.shape.empty());
  const std::int64_t cols = layout->header.shape.back();
  std::vector<double> values;
  for (const std::int64_t row : rows) {
    assert(row >= 0 && static_cast<std::uint64_t>((row + 1) * cols) <= layout->count);
    if (Outcome ok = appendRow(*file, *layout, row, values); !ok) return fail(ok.error());
  }
  return makeArray({static_cast<std::int64_t>(rows.size()), cols}, std::move(values), path);
}

}  // namespace posiscope::files
