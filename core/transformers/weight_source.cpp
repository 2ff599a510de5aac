// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/transformers/weight_source.h"

#include "core/files/reader.h"
#include "core/files/refusal.h"
#include "core/files/safetensors_header.h"
#include "core/models/weight_files.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace posiscope::transformers {
namespace {

/// Smaller ones stay: their pages are few and soon needed again.
constexpr std::uint64_t released_from = 1u << 20;

}  // namespace

template <class T>
void TensorView::read(std::int64_t row, std::int64_t col, std::span<T> out) const {
  assert(row >= 0 && row < rows && col >= 0 && col + static_cast<std::int64_t>(out.size()) <= cols);
  const std::size_t width = files::bytesOf(type);
  const unsigned char* from = bytes.data() + static_cast<std::size_t>(row * cols + col) * width;
  std::array<double, 256> piece;
  for (std::size_t done = 0; done < out.size(); done += piece.size()) {
    const std::size_t now = std::min(piece.size(), out.size() - done);
    files::decode(type, false, {from + done * width, now * width}, {piece.data(), now});
    std::transform(piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(now),
                   out.begin() + static_cast<std::ptrdiff_t>(done), [](double v) { return static_cast<T>(v); });
  }
}
template void TensorView::read(std::int64_t, std::int64_t, std::span<float>) const;
template void TensorView::read(std::int64_t, std::int64_t, std::span<double>) const;

Expected<TensorView> StoredTensor::view() const {
  assert(!empty() && shape.size() <= 2);
  const auto found = file.bytes(offset, bytes);
  if (!found) return fail(found.error());
  return TensorView{*found, type, shape.size() == 2 ? shape[0] : 1, shape.back()};
}

Expected<std::vector<double>> StoredTensor::numbers() const {
  const Expected<TensorView> stored = view();
  if (!stored) return fail(stored.error());
  std::vector<double> values(static_cast<std::size_t>(stored->rows * stored->cols));
  files::decode(type, false, stored->bytes, values);
  return values;
}

void StoredTensor::release(const TensorView& view) const {
  if (bytes >= released_from) file.release(view.bytes);
}

Expected<WeightSource> WeightSource::open(const std::string& folder) {
  const Expected<std::vector<std::string>> paths = models::weightFiles(folder);
  if (!paths) return fail(paths.error());
  if (paths->empty())
    return files::refuse(ErrorCode::file_missing, folder, {"the folder", "文件夹"},
                         {"a model with .safetensors files", "含有 .safetensors 文件的模型"},
                         Text{"one without weights", "没有权重的文件夹"});
  WeightSource source;
  for (const std::string& path : *paths)
    if (Outcome ok = source.add(path); !ok) return fail(ok.error());
  return source;
}

Outcome WeightSource::add(const std::string& path) {
  const Expected<files::Safetensors> listed = files::Safetensors::open(path);
  if (!listed) return fail(listed.error());
  const Expected<files::MappedFile> file = files::MappedFile::open(path);
  if (!file) return fail(file.error());
  for (const files::TensorEntry& entry : listed->tensors()) {
    const files::SafetensorsType* type = files::findSafetensorsType(entry.dtype);
    // What is never asked for may be of any type; asking for what is not here is refused by name.
    if (!type || !type->element || entry.shape.empty()) continue;
    // The header was checked against the size the file had then.
    if (entry.offset + entry.bytes > file->size())
      return files::refuse(ErrorCode::file_format, path, {"the file", "文件"},
                           {"as long as its header says", "与头部所述一样长的文件"},
                           Text{"a file that became shorter", "变短了的文件"});
    StoredTensor tensor{path + "#" + entry.name, entry.shape, *type->element, *file, entry.offset, entry.bytes};
    if (!tensors_.emplace(entry.name, std::move(tensor)).second)
      return files::refuse(ErrorCode::file_format, path, files::same("'" + files::escaped(entry.name) + "'"),
                           {"in one file of the model only", "只出现在模型的一个文件中"},
                           Text{"a second one", "第二个同名张量"});
  }
  return {};
}

const StoredTensor* WeightSource::find(std::string_view name) const {
  const auto found = tensors_.find(name);
  return found == tensors_.end() ? nullptr : &found->second;
}

}  // namespace posiscope::transformers
