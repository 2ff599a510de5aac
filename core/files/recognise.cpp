// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/source_file.h"

#include <algorithm>
#include <cctype>

namespace posiscope::files {
namespace {

using std::string_view_literals::operator""sv;

struct Signature {
  std::string_view start;
  Text what;
};

const std::vector<Signature>& signatures() {
  static const std::vector<Signature> list = {
      {"version https://git-lfs"sv,
       {"a Git-LFS pointer instead of the file (run 'git lfs pull')",
        "Git-LFS 指针而不是文件本身（请运行 git lfs pull）"}},
      {"<!doctype"sv, {"a web page (the download answered with an HTML page)", "一个网页（下载得到的是 HTML 页面）"}},
      {"<html"sv, {"a web page (the download answered with an HTML page)", "一个网页（下载得到的是 HTML 页面）"}},
      {"\x93NUMPY"sv, {"a NumPy array (.npy)", "NumPy 数组（.npy）"}},
      {"gguf"sv, {"a GGUF model", "GGUF 模型"}},
      {"\x89HDF"sv, {"an HDF5 file", "HDF5 文件"}},
      {"\x1f\x8b"sv, {"a gzip archive (unpack it first)", "gzip 压缩文件（请先解压）"}},
  };
  return list;
}

/// Signatures are written in lower case where letters matter little.
bool startsWith(std::string_view text, std::string_view start) {
  if (text.size() < start.size()) return false;
  return std::equal(start.begin(), start.end(), text.begin(), [](char wanted, char found) {
    return wanted == found || wanted == static_cast<char>(std::tolower(static_cast<unsigned char>(found)));
  });
}

}  // namespace

std::optional<Text> recognise(std::string_view first_bytes) {
  if (first_bytes.empty()) return Text{"an empty file", "空文件"};
  if (startsWith(first_bytes, "PK\x03\x04"sv) || startsWith(first_bytes, "PK\x05\x06"sv)) {
    if (first_bytes.find("/data.pkl") != std::string_view::npos)
      return Text{"a PyTorch pickle, which can run code (convert it to .safetensors)",
                  "PyTorch pickle 文件，可能执行代码（请转换为 .safetensors）"};
    if (first_bytes.find(".npy") != std::string_view::npos)
      return Text{"an archive of arrays, which is read where its name ends in .npz",
                  "数组压缩包（文件名以 .npz 结尾时可以读取）"};
    return Text{"a zip archive", "zip 压缩文件"};
  }
  if (startsWith(first_bytes, "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46"sv))
    return Text{"a PyTorch pickle, which can run code (convert it to .safetensors)",
                "PyTorch pickle 文件，可能执行代码（请转换为 .safetensors）"};
  if (first_bytes.size() > 1 && first_bytes[0] == '\x80' && first_bytes[1] >= 2 && first_bytes[1] <= 5)
    return Text{"a Python pickle, which can run code", "Python pickle 文件，可能执行代码"};
  const std::size_t text = std::min(first_bytes.find_first_not_of(" \t\r\n"), first_bytes.size());
  for (const Signature& s : signatures())
    if (startsWith(first_bytes.substr(text), s.start)) return s.what;
  return std::nullopt;
}

}  // namespace posiscope::files
