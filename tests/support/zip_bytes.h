// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <zlib.h>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace posiscope::test {

enum class ZipWay { stored, deflated };

/// The low `width` bytes of a number, the smallest first.
inline std::string littleBytes(std::uint64_t value, int width) {
  std::string bytes;
  for (int i = 0; i < width; ++i) bytes.push_back(static_cast<char>(value >> (8 * i)));
  return bytes;
}

inline std::string deflatedBytes(const std::string& bytes) {
  std::string out(bytes.size() + 1024, '\0');
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

/// A zip archive as NumPy writes it: ZIP64 sizes in the local headers, the true ones in the directory.
inline std::string zipBytes(const std::vector<std::pair<std::string, std::string>>& members, ZipWay way) {
  std::string out, directory;
  const bool packed = way == ZipWay::deflated;
  for (const auto& [name, bytes] : members) {
    const std::string data = packed ? deflatedBytes(bytes) : bytes;
    const auto sum = crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
    const std::string method = littleBytes(packed ? 8 : 0, 2) + littleBytes(0, 4) + littleBytes(sum, 4);
    const std::size_t at = out.size();
    out += "PK\x03\x04" + littleBytes(45, 2) + littleBytes(0, 2) + method + littleBytes(0xFFFFFFFF, 4) +
           littleBytes(0xFFFFFFFF, 4) + littleBytes(name.size(), 2) + littleBytes(20, 2) + name + littleBytes(1, 2) +
           littleBytes(16, 2) + littleBytes(bytes.size(), 8) + littleBytes(data.size(), 8) + data;
    directory += "PK\x01\x02" + littleBytes(45, 2) + littleBytes(45, 2) + littleBytes(0, 2) + method +
                 littleBytes(data.size(), 4) + littleBytes(bytes.size(), 4) + littleBytes(name.size(), 2) +
                 littleBytes(0, 2) + littleBytes(0, 2) + littleBytes(0, 8) + littleBytes(at, 4) + name;
  }
  const std::size_t start = out.size();
  return out + directory + "PK\x05\x06" + littleBytes(0, 4) + littleBytes(members.size(), 2) +
         littleBytes(members.size(), 2) + littleBytes(directory.size(), 4) + littleBytes(start, 4) + littleBytes(0, 2);
}

/// An .npy file of doubles.
inline std::string npyBytes(const std::string& shape, const std::vector<double>& values,
                            const std::string& descr = "<f8") {
  std::string header = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
  std::string bytes = "\x93NUMPY" + std::string("\x01\x00", 2) + littleBytes(header.size(), 2) + header;
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
  return bytes;
}

}  // namespace posiscope::test
