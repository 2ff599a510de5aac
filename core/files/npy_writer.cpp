// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/npy_writer.h"

#include "core/files/reader.h"

#include <algorithm>
#include <bit>

namespace posiscope::files {
namespace {

template <class Float, class Bits>
void appendLittleEndian(std::string& out, double value) {
  const Bits bits = std::bit_cast<Bits>(static_cast<Float>(value));
  for (std::size_t i = 0; i < sizeof(Bits); ++i) out.push_back(static_cast<char>(bits >> (8 * i)));
}

std::string npyPrefix(const std::vector<std::int64_t>& shape, bool single_precision) {
  std::string header =
      join("{'descr': '<f", single_precision ? 4 : 8, "', 'fortran_order': False, 'shape': ", shapeText(shape), ", }");
  constexpr std::size_t before = 10;
  const std::size_t padded = (before + header.size() + 1 + 63) / 64 * 64;
  header.append(padded - before - header.size() - 1, ' ');
  header.push_back('\n');
  std::string prefix("\x93NUMPY");
  prefix.append({1, 0, static_cast<char>(header.size() & 0xFF), static_cast<char>(header.size() >> 8)});
  return prefix + header;
}

}  // namespace

Expected<NpyWriter> NpyWriter::open(const std::string& path, const std::vector<std::int64_t>& shape,
                                    bool single_precision) {
  Expected<AtomicFile> file = AtomicFile::open(path);
  if (!file) return fail(file.error());
  if (Outcome ok = file->write(npyPrefix(shape, single_precision)); !ok) return fail(ok.error());
  return NpyWriter(*std::move(file), single_precision);
}

Outcome NpyWriter::write(std::span<const double> numbers) {
  constexpr std::size_t piece = 1 << 16;
  std::string bytes;
  for (; !numbers.empty(); numbers = numbers.subspan(std::min(piece, numbers.size()))) {
    bytes.clear();
    for (const double number : numbers.first(std::min(piece, numbers.size()))) {
      if (single_precision_)
        appendLittleEndian<float, std::uint32_t>(bytes, number);
      else
        appendLittleEndian<double, std::uint64_t>(bytes, number);
    }
    if (Outcome ok = file_.write(bytes); !ok) return ok;
  }
  return {};
}

Outcome writeNpy(const std::string& path, const Array& array, bool single_precision) {
  Expected<NpyWriter> file = NpyWriter::open(path, array.shape, single_precision);
  if (!file) return fail(file.error());
  if (!array.empty())
    if (Outcome ok = file->write(*array.values); !ok) return ok;
  return file->commit();
}

}  // namespace posiscope::files
