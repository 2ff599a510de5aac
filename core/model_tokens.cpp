// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model_tokens.h"

#include "core/carried_models.h"
#include "core/files/reader.h"
#include "core/files/refusal.h"
#include "core/model_content.h"

#include <cmath>
#include <filesystem>
#include <system_error>

namespace posiscope {
namespace {

constexpr std::int64_t most_ids = 1 << 20;  // they are read at once, when a person asks for them

Outcome checkShape(const std::string& file) {
  const Expected<files::TensorEntry> entry = files::describeArray(file);
  if (!entry) return fail(entry.error());
  const std::vector<std::int64_t>& shape = entry->shape;
  if (shape.size() == 1 && shape[0] >= 1 && shape[0] <= most_ids) return {};
  const std::string name = files::escaped(file, 4096);
  return fail(ErrorCode::bad_shape,
              join(name, ": token ids must be one axis of 1 to ", most_ids, ", got ", shapeText(shape)),
              join(name, "：词元编号必须是一维数组，长度为 1 到 ", most_ids, "，得到 ", shapeText(shape)));
}

}  // namespace

std::string tokenFileBeside(const ContentSpec& content) {
  namespace fs = std::filesystem;
  if (content.model.empty()) return {};
  std::error_code error;
  fs::path folder(carriedPlace(content.model));
  if (!fs::is_directory(folder, error)) folder = folder.parent_path();
  const fs::path file = folder / "tokens.npy";
  return fs::is_regular_file(file, error) ? file.string() : std::string();
}

Expected<Array> tokensBeside(const ContentSpec& content) {
  const std::string file = tokenFileBeside(content);
  if (Outcome ok = checkShape(file); !ok) return fail(ok.error());
  const auto model = contentModel(content, Job());
  if (!model) return fail(model.error());
  Expected<Array> ids = files::readArray(file);
  if (!ids) return ids;
  const auto count = static_cast<double>((*model)->plan.vocabulary());
  for (const double id : *ids->values) {
    if (id >= 0 && id < count && id == std::floor(id)) continue;
    const std::string name = files::escaped(file, 4096);
    return fail(ErrorCode::out_of_range, join(name, ": a token id must be 0 to ", count - 1, ", got ", id),
                join(name, "：词元编号必须在 0 到 ", count - 1, " 之间，得到 ", id));
  }
  return ids;
}

}  // namespace posiscope
