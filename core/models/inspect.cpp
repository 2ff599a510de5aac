// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/array_notes.h"
#include "core/files/attention_array.h"
#include "core/files/npz.h"
#include "core/files/refusal.h"
#include "core/models/attention_file.h"
#include "core/models/checkpoint_config.h"
#include "core/models/config.h"
#include "core/models/weight_files.h"
#include "core/models/weights.h"
#include "core/near_names.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

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

/// "neither", and where models are when it is one folder too high: training leaves one folder for each run.
Text whatIsThere(const fs::path& folder) {
  constexpr std::size_t most_looked_at = 1000, most_named = 3;
  std::vector<std::string> inside;
  std::error_code error;
  std::size_t looked_at = 0;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end && looked_at < most_looked_at;
       entry.increment(error), ++looked_at)
    if (isThere(entry->path() / "config.json")) inside.push_back(files::escaped(entry->path().filename().string()));
  if (inside.empty()) return {"neither", "两者都没有"};
  std::ranges::sort(inside);
  const bool more = inside.size() > most_named;
  if (more) inside.resize(most_named);
  return {"neither; there are models in its folders " + listed(inside) + (more ? " and others" : ""),
          "两者都没有；它的文件夹 " + listed(inside, "、") + (more ? " 等" : "") + " 中有模型"};
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
        whatIsThere(folder));
  if (!has_config)
    result.notes.push_back({join(name, ": no config.json; only the tensors tell the scheme"),
                            join(name, "：没有 config.json；只能从张量判断方案")});
  addWeights(weights, tables, result, job);
  addTrained((folder / "config.json").string(), weights, tables, result, job);
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

/// Before what was noted until now: of a message that is cut only the beginning is read.
void noteFirst(std::vector<Text> notes, Inspection& result) {
  result.notes.insert(result.notes.begin(), std::make_move_iterator(notes.begin()),
                      std::make_move_iterator(notes.end()));
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

/// Of a table that was taken from a file without a configuration: how much of the file is not shown.
void noteOthers(const std::string& file, Inspection& result) {
  const std::size_t all = files::tensorsToChooseFrom({}, file).size();
  if (all < 2 || result.schemes.empty()) return;
  const std::string name = files::escaped(file, 4096);
  result.notes.push_back({join(name, " holds ", all - 1, all == 2 ? " more tensor" : " more tensors"),
                          join(name, " 中还有 ", all - 1, " 个张量")});
}

/// Has the array numbers and as many dimensions as a table or attention?
bool canBeShown(const files::TensorEntry& entry) {
  return entry.readable && std::ranges::find(entry.shape, 0) == entry.shape.end() && entry.shape.size() >= 2 &&
         entry.shape.size() <= 5;
}

void addMeaning(ArrayMeaning meaning, const Array& array, Inspection& result) {
  const std::string name = files::escaped(result.path, 4096);
  const std::string shape = shapeText(array.shape);
  const Text text = meaningText(meaning, array.shape.size());
  result.notes.push_back(
      {join(name, ": shape ", shape, " looks like ", text.en), join(name, "：形状 ", shape, " 看起来是", text.zh)});
}

/// The array as what it looks like; queries, keys and values are named only, as one of them alone is no question.
void take(const Array& array, ArrayMeaning meaning, const SeenRows& seen, const files::TensorEntry& entry,
          Inspection& result) {
  if (meaning == ArrayMeaning::table) return addTable(array, entry, result);
  addMeaning(meaning, array, result);
  if (meaning != ArrayMeaning::projections) return takeAttention(array, meaning, seen, result);
  if (!seen.rows.empty() && files::isWithinWeights(seen.rows)) {
    const std::string name = files::escaped(result.path, 4096);
    const Text cropped = files::croppedWeightsNote();
    result.notes.push_back({join(name, ": ", cropped.en, "."), join(name, "：", cropped.zh, "。")});
  }
  result.notes.push_back(byHandNote(array.shape));
}

/// The array of an .npy, with its numbers where they are wanted and there is room: attention too large for that is
/// still told from a table by some of its rows.
Outcome addNpyArray(const files::TensorEntry& entry, Tables tables, const Job& job, Inspection& result) {
  ArrayMeaning meaning = ArrayMeaning::table;
  SeenRows seen;
  if (mayBeAttention(entry.shape)) {
    Expected<SeenRows> some = someRows(result.path, entry);
    if (!some) return fail(some.error());
    seen = *std::move(some);
    meaning = meaningOf(entry.shape, seen);
  }
  Array array{entry.shape, nullptr, result.path};
  if (tables == Tables::read && meaning != ArrayMeaning::projections) {
    Expected<Array> read = files::readNpy(result.path, job);
    const bool too_large = !read && read.error().code == ErrorCode::too_large && meaning != ArrayMeaning::table;
    if (!read && !too_large) return fail(read.error());
    if (too_large) {
      addMeaning(meaning, array, result);
      result.notes.push_back(read.error().message);
      return {};
    }
    array = *std::move(read);
    if (meaning != ArrayMeaning::table) {
      seen = allRows(array);
      meaning = meaningOf(entry.shape, seen);
    }
  }
  take(array, meaning, seen, entry, result);
  noteFirst(files::notesOn(array, job), result);
  return {};
}

/// The header tells nearly everything; the numbers are read only where they are shown.
Expected<Inspection> inspectNpy(const std::string& path, Tables tables, const Job& job) {
  const Expected<files::TensorEntry> entry = files::describeNpy(path);
  if (!entry) return fail(entry.error());
  Inspection result;
  result.path = path;
  result.kind = "npy";
  result.tensors = {*entry};
  if (canBeShown(*entry)) {
    if (Outcome ok = addNpyArray(*entry, tables, job, result); !ok) return fail(ok.error());
    return result;
  }
  const std::string name = files::escaped(path, 4096);
  const std::string shape = shapeText(entry->shape);
  const std::size_t rank = entry->shape.size();
  if (rank > 5)
    result.notes.push_back({join(name, ": an array with 2 (a table: positions, width) to 5 dimensions (attention: ",
                                 "batch, layers, heads, queries, keys) can be shown, got ", rank, ": shape ", shape),
                            join(name, "：可显示的数组有 2 维（位置表：位置数, 宽度）到 5 维（注意力：批次, 层, 头, ",
                                 "查询, 键），得到 ", rank, " 维：形状 ", shape)});
  else
    result.notes.push_back({join(name, ": shape ", shape, " is not a table of positions (positions, width)"),
                            join(name, "：形状 ", shape, " 不是位置表（位置数, 宽度）")});
  for (Text& note : files::notesOn({entry->shape, nullptr, path}, job)) result.notes.push_back(std::move(note));
  return result;
}

/// One array of a file of several, chosen by a person: a table or attention, whatever it is called.
Expected<Inspection> inspectTensor(const std::string& path, Tables tables, const Job& job) {
  const Expected<files::TensorEntry> entry = files::describeArray(path);
  if (!entry) return fail(entry.error());
  if (path.find(".npz#") != std::string::npos && files::holdsNoNumbers(*entry))
    if (const auto read = files::readStoredAttention(path, job); !read) return fail(read.error());  // which says why
  Inspection result;
  result.path = path;
  result.kind = path.find(".npz#") == std::string::npos ? "safetensors" : "npz";
  result.tensors = {*entry};
  const std::string shape = shapeText(entry->shape);
  if (!canBeShown(*entry))
    return files::refuse(ErrorCode::bad_shape, path, {"the tensor", "张量"},
                         {"a table (positions, width) or attention of 3 to 5 dimensions",
                          "位置表（位置数, 宽度）或 3 到 5 维的注意力数组"},
                         Text{"shape " + shape, "形状 " + shape});
  Array array{entry->shape, nullptr, path};
  ArrayMeaning meaning = ArrayMeaning::table;
  SeenRows seen;
  if (tables == Tables::read || mayBeAttention(entry->shape)) {
    Expected<Array> read = files::readArray(path, job);
    if (!read) return fail(read.error());
    seen = allRows(*read);
    meaning = meaningOf(entry->shape, seen);
    if (tables == Tables::read) array = *std::move(read);
  }
  take(array, meaning, seen, *entry, result);
  if (meaning == ArrayMeaning::table)
    noteOthers(path.substr(0, path.find('#', path.rfind('.' + result.kind + '#'))), result);
  noteFirst(files::notesOn(array, job), result);
  return result;
}

/// Those of three and more dimensions, where there is no matrix beside them: every model has matrices.
std::vector<files::TensorEntry> storedAttention(const std::vector<files::TensorEntry>& tensors) {
  std::vector<files::TensorEntry> stored;
  for (const files::TensorEntry& entry : tensors) {
    if (entry.shape.size() == 2) return {};
    if (entry.shape.size() > 2 && canBeShown(entry)) stored.push_back(entry);
  }
  return stored;
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
  addTrained(config.string(), {path}, tables, result, job);
  if (result.model_type.empty()) noteOthers(path, result);
  if (result.schemes.empty() && result.positional.empty()) {
    const std::vector<files::TensorEntry> stored = storedAttention(file->tensors());
    if (stored.size() == 1) return inspectTensor(path + "#" + stored.front().name, tables, job);
    if (!stored.empty()) {
      result.notes.push_back(files::severalArrays(path, stored).message);
      return result;
    }
    const std::string name = files::escaped(path, 4096);
    result.notes.push_back(
        {join(name, ": no tensor carries position (rotary models store none); open the folder with its config.json"),
         join(name, "：没有携带位置的张量（旋转位置编码的模型不存储它们）；请打开含 config.json 的文件夹")});
  }
  return result;
}

/// What stands beside the only array that can be shown and should perhaps have been it.
void noteEmpty(const std::string& path, const Job& job, Inspection& result) {
  const Expected<std::vector<files::TensorEntry>> all = files::describeNpz(path, job);
  if (!all) return;
  std::vector<std::string> names;
  for (const files::TensorEntry& entry : *all)
    if (files::holdsNoNumbers(entry)) names.push_back(files::escaped(entry.name));
  if (names.empty()) return;
  const std::string shown = files::escaped(result.tensors.front().name);
  const bool one = names.size() == 1;
  noteFirst({{join(shown, " is shown; ", listed(names, " and "), one ? " holds" : " hold",
                   " no numbers (fused attention kernels store none; export with the eager implementation)"),
              join("显示的是 ", shown, "；", listed(names, "、"),
                   " 中没有数值（融合的注意力内核不保存权重；请使用 eager 实现重新导出）")}},
            result);
}

/// The only array of an archive that can be shown, or the list of them.
Expected<Inspection> inspectNpz(const std::string& path, Tables tables, const Job& job) {
  const Expected<std::vector<files::TensorEntry>> shown = files::attentionCandidates(path, job);
  if (!shown) return fail(shown.error());
  if (shown->empty()) return fail(files::readAttention(path, {}, job).error());  // which says why
  if (shown->size() == 1) {
    Expected<Inspection> only = inspectTensor(path + "#" + shown->front().name, tables, job);
    if (only) noteEmpty(path, job, *only);
    return only;
  }
  Inspection result;
  result.path = path;
  result.kind = "npz";
  result.tensors = *shown;
  if (const auto several = files::readStoredAttention(path, job); !several)
    result.notes.push_back(several.error().message);  // which names them
  return result;
}

Expected<Inspection> inspectAny(const std::string& path, Tables tables, const Job& job) {
  std::error_code error;
  if (fs::is_directory(path, error)) return inspectFolder(path, tables, job);
  if (path.ends_with(".safetensors")) return inspectSafetensors(path, tables, job);
  if (path.find(".safetensors#") != std::string::npos || path.find(".npz#") != std::string::npos)
    return inspectTensor(path, tables, job);
  if (path.ends_with(".npz")) return inspectNpz(path, tables, job);
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
      {"a model folder, config.json, .safetensors, .npy or .npz",
       "模型文件夹、config.json、.safetensors、.npy 或 .npz"},
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
