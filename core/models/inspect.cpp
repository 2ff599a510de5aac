// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/array_notes.h"
#include "core/files/refusal.h"
#include "core/models/config.h"
#include "core/models/weight_files.h"
#include "core/models/weights.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace posiscope::models {
namespace {

namespace fs = std::filesystem;

bool isThere(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

Outcome addConfig(const fs::path& config, Inspection& inspection, const std::string& part = {}) {
  const Expected<std::string> text = files::readText(config.string());
  if (!text) return fail(text.error());
  return readConfig(*text, config.string(), inspection, part);
}

Expected<Inspection> inspectFolder(const std::string& path, Tables tables, const Job& job) {
  Inspection result;
  result.path = path;
  result.kind = "model folder";
  const fs::path folder(path);
  const bool has_config = isThere(folder / "config.json");
  if (has_config)
    if (Outcome ok = addConfig(folder / "config.json", result); !ok) return fail(ok.error());
  const Expected<std::vector<std::string>> found = weightFiles(path);
  if (!found) result.notes.push_back(found.error().message);
  const std::vector<std::string> weights = found.value_or(std::vector<std::string>{});
  const std::string name = files::escaped(path, 4096);
  if (!has_config && weights.empty())
    return files::refuse(
        ErrorCode::file_missing, path, {"the folder", "文件夹"},
        {"a model with config.json or .safetensors files", "含有 config.json 或 .safetensors 文件的模型"},
        Text{"neither", "两者都没有"});
  if (!has_config)
    result.notes.push_back({join(name, ": no config.json; only the tensors tell the scheme"),
                            join(name, "：没有 config.json；只能从张量判断方案")});
  addWeights(weights, tables, result, job);
  if (weights.empty())
    result.notes.push_back({join(name, ": no .safetensors file; the scheme comes from config.json alone"),
                            join(name, "：没有 .safetensors 文件；方案仅取自 config.json")});
  return result;
}

/// "config.json", or one part of it: "config.json#vision_config".
Expected<Inspection> inspectConfig(const std::string& path) {
  Inspection result;
  result.path = path;
  result.kind = "config.json";
  const std::size_t mark = path.ends_with(".json") ? std::string::npos : path.rfind('#');
  const std::string part = mark == std::string::npos ? std::string{} : path.substr(mark + 1);
  if (Outcome ok = addConfig(path.substr(0, mark), result, part); !ok) return fail(ok.error());
  return result;
}

/// A config.json beside the file tells what tensors alone cannot.
Expected<Inspection> inspectSafetensors(const std::string& path, Tables tables, const Job& job) {
  const Expected<files::Safetensors> file = files::Safetensors::open(path);
  if (!file) return fail(file.error());
  Inspection result;
  result.path = path;
  result.kind = "safetensors";
  const fs::path config = fs::path(path).parent_path() / "config.json";
  if (isThere(config))
    if (Outcome ok = addConfig(config, result); !ok) result.notes.push_back(ok.error().message);
  addWeights({path}, tables, result, job);
  if (result.schemes.empty() && result.positional.empty()) {
    const std::string name = files::escaped(path, 4096);
    result.notes.push_back(
        {join(name, ": no tensor carries position (rotary models store none); open the folder with its config.json"),
         join(name, "：没有携带位置的张量（旋转位置编码的模型不存储它们）；请打开含 config.json 的文件夹")});
  }
  return result;
}

/// Rows that are looked at to tell weights from logits: evenly spread, the first one included, about so many numbers
/// in all – a file of any size is answered at once.
std::vector<std::int64_t> rowsLookedAt(std::int64_t rows, std::int64_t cols) {
  constexpr std::int64_t most_numbers = 1 << 16;
  const std::int64_t count = std::min(rows, std::max<std::int64_t>(1, most_numbers / cols));
  std::vector<std::int64_t> chosen;
  for (std::int64_t r = 0; r < count; ++r) chosen.push_back(r * (rows / count));
  return chosen;
}

/// Does every one of these rows hold weights?
bool rowsSumToOne(const Array& rows) {
  const std::int64_t cols = rows.shape[1];
  for (std::int64_t row = 0; row < rows.shape[0]; ++row) {
    double sum = 0;
    for (std::int64_t j = 0; j < cols; ++j) {
      const double v = rows.data()[row * cols + j];
      if (!(v >= 0 && v <= 1.001)) return false;
      sum += v;
    }
    // A row with every key masked is all zeros.
    if (sum != 0 && std::abs(sum - 1) > 1e-2) return false;
  }
  return true;
}

/// What an array of three or four dimensions may be; none of them is a scheme.
Expected<Text> arrayMeaning(const std::string& path, const files::TensorEntry& entry) {
  const std::vector<std::int64_t>& shape = entry.shape;
  const std::size_t rank = shape.size();
  const std::int64_t cols = shape.back();
  const bool square = cols == shape[rank - 2];
  const std::string axes = rank == 4 ? "[layers, heads, " : "[heads, ";
  const std::string axes_zh = rank == 4 ? "[层, 头, " : "[头, ";
  if (!square)
    return Text{"queries, keys or values " + axes + "tokens, head_dim]", "查询、键或值 " + axes_zh + "词元, head_dim]"};
  const Text logits{"attention logits " + axes + "queries, keys]", "注意力分数 " + axes_zh + "查询, 键]"};
  if (entry.bytes == 0) return logits;
  std::int64_t count = 1;  // of rows; they are all in the file, so the product fits
  for (std::size_t d = 0; d + 1 < rank; ++d) count *= shape[d];
  const Expected<Array> rows = files::readNpyRows(path, rowsLookedAt(count, cols));
  if (!rows) return fail(rows.error());
  if (!rowsSumToOne(*rows)) return logits;
  return Text{"attention weights " + axes + "queries, keys]", "注意力权重 " + axes_zh + "查询, 键]"};
}

void addTable(const Array& table, const files::TensorEntry& entry, Inspection& result) {
  const std::string name = files::escaped(result.path, 4096);
  const std::string shape = shapeText(entry.shape);
  useTable(table, result);
  result.reasons.push_back({join("array ", shape, " → learned table (positions, width)"),
                            join("数组 ", shape, " → 可学习位置表（位置数, 宽度）")});
  result.positional = {entry.name};
  if (result.schemes.empty()) return;
  result.notes.push_back(
      {join(name, " is a 2-D array: it is shown as a learned table; nothing in the file says that it is one"),
       join(name, " 是二维数组：按可学习位置表显示；文件本身并未说明它是位置表")});
}

/// The header tells nearly everything; the numbers are read only where they are shown.
Expected<Inspection> inspectNpy(const std::string& path, Tables tables, const Job& job) {
  const Expected<files::TensorEntry> entry = files::describeNpy(path);
  if (!entry) return fail(entry.error());
  Inspection result;
  result.path = path;
  result.kind = "npy";
  result.tensors = {*entry};
  const std::string name = files::escaped(path, 4096);
  const std::string shape = shapeText(entry->shape);
  const std::size_t rank = entry->shape.size();
  Array array{entry->shape, nullptr, path};
  if (rank == 2 && entry->bytes > 0) {
    if (tables == Tables::read) {
      Expected<Array> table = files::readNpy(path, job);
      if (!table) return fail(table.error());
      array = *std::move(table);
    }
    addTable(array, *entry, result);
  } else if (rank == 3 || rank == 4) {
    const Expected<Text> meaning = arrayMeaning(path, *entry);
    if (!meaning) return fail(meaning.error());
    result.notes.push_back({join(name, ": shape ", shape, " looks like ", meaning->en),
                            join(name, "：形状 ", shape, " 看起来是", meaning->zh)});
  } else {
    result.notes.push_back({join(name, ": shape ", shape, " is not a table of positions (positions, width)"),
                            join(name, "：形状 ", shape, " 不是位置表（位置数, 宽度）")});
  }
  for (Text& note : files::notesOn(array, job)) result.notes.push_back(std::move(note));
  return result;
}

/// One tensor of a file of several, chosen by a person: a table, whatever it is called.
Expected<Inspection> inspectTensor(const std::string& path, Tables tables, const Job& job) {
  const Expected<files::TensorEntry> entry = files::describeArray(path);
  if (!entry) return fail(entry.error());
  Inspection result;
  result.path = path;
  result.kind = "safetensors";
  result.tensors = {*entry};
  const std::string shape = shapeText(entry->shape);
  if (entry->shape.size() != 2)
    return files::refuse(ErrorCode::bad_shape, path, {"the tensor", "张量"},
                         {"a table (positions, width)", "位置表（位置数, 宽度）"}, Text{"shape " + shape, "形状 " + shape});
  Array array{entry->shape, nullptr, path};
  if (tables == Tables::read) {
    Expected<Array> table = files::readArray(path, job);
    if (!table) return fail(table.error());
    array = *std::move(table);
  }
  addTable(array, *entry, result);
  for (Text& note : files::notesOn(array, job)) result.notes.push_back(std::move(note));
  return result;
}

Expected<Inspection> inspectAny(const std::string& path, Tables tables, const Job& job) {
  std::error_code error;
  if (fs::is_directory(path, error)) return inspectFolder(path, tables, job);
  if (path.ends_with(".safetensors")) return inspectSafetensors(path, tables, job);
  if (path.find(".safetensors#") != std::string::npos) return inspectTensor(path, tables, job);
  if (path.ends_with(".npy")) return inspectNpy(path, tables, job);
  if (path.ends_with(".safetensors.index.json")) {
    const std::string folder = fs::path(path).parent_path().string();
    return inspectFolder(folder.empty() ? "." : folder, tables, job);
  }
  if (path.ends_with(".json")) return inspectConfig(path);
  if (path.find(".json#") != std::string::npos) return inspectConfig(path);
  const auto existing = files::readText(path, 0);
  if (!existing && existing.error().code == ErrorCode::file_missing) return fail(existing.error());
  return files::refuse(
      ErrorCode::file_type, path, {"the path", "路径"},
      {"a model folder, config.json, .safetensors or .npy", "模型文件夹、config.json、.safetensors 或 .npy"},
      fs::path(path).extension().empty() ? "a file without extension" : fs::path(path).extension().string());
}

}  // namespace

Expected<Inspection> inspect(const std::string& path, Tables tables, const Job& job) {
  Expected<Inspection> found = inspectAny(path, tables, job);
  if (!job.stopped()) return found;
  const std::string name = files::escaped(path, 4096);  // what was not read must not be taken for what is not there
  return fail(ErrorCode::cancelled, join(name, ": reading was stopped"), join(name, "：读取已停止"));
}

}  // namespace posiscope::models
