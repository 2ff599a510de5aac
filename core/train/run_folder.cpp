// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/run_folder.h"

#include "core/files/json_text.h"
#include "core/files/reader.h"
#include "core/train/checkpoint.h"
#include "core/train/results_json.h"
#include "core/train/run_spec_json.h"

#include <charconv>
#include <filesystem>

namespace posiscope::train {
namespace {

constexpr std::size_t digits_of_step = 8;
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;  // of a results.json with a long history

std::string attentionFolder(const std::string& folder) { return folder + "/attention"; }

}  // namespace

Outcome makeFolder(const std::string& folder) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (!problem) return {};
  return fail(ErrorCode::file_write, join(folder, ": the folder cannot be made: ", problem.message()),
              join(folder, "：无法创建文件夹：", problem.message()));
}

Outcome keepSnapshot(const std::string& folder, std::int64_t step, const Array& attention) {
  if (Outcome ok = makeFolder(attentionFolder(folder)); !ok) return ok;
  std::string name = std::to_string(step);
  if (name.size() < digits_of_step) name.insert(0, digits_of_step - name.size(), '0');
  return files::writeNpy(attentionFolder(folder) + "/" + name + ".npy", attention, true);
}

std::map<std::int64_t, Array> keptSnapshots(const std::string& folder, std::int64_t last) {
  std::map<std::int64_t, Array> all;
  std::error_code problem;
  for (const auto& entry : std::filesystem::directory_iterator(attentionFolder(folder), problem)) {
    const std::string name = entry.path().stem().string();
    std::int64_t step = -1;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), step);
    if (error != std::errc() || end != name.data() + name.size() || step < 0 || step > last) continue;
    if (Expected<Array> attention = files::readNpy(entry.path().string()); attention && attention->rank() == 4)
      all.emplace(step, std::move(*attention));
  }
  return all;
}

Outcome keepResults(const TrainingRun& run, const Results& results, const std::string& folder) {
  return files::writeAtomically(folder + "/results.json", toJson(run, results).dump(1) + "\n");
}

std::optional<Results> keptResults(const TrainingRun& run, const std::string& folder) {
  const Expected<std::string> text = files::readText(folder + "/results.json", most_bytes);
  if (!text) return std::nullopt;
  const Expected<files::JsonText> document = files::parseJson(*text, folder);
  if (!document) return std::nullopt;
  try {
    const Expected<RunSpec> spec = runFromJson(document->root.at("run"));
    if (!spec || completed(*spec, run.task()) != run.spec()) return std::nullopt;
    if (document->root.at("steps_done").get<std::int64_t>() != run.step()) return std::nullopt;
    return resultsFromJson(document->root);
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

Expected<TrainingRun> runOfFolder(const RunSpec& spec, const std::string& folder) {
  Expected<TrainingRun> fresh = TrainingRun::create(spec);
  if (!fresh || folder.empty() || !std::filesystem::exists(checkpointPath(folder))) return fresh;
  Expected<TrainingRun> kept = loadCheckpoint(folder);
  return kept && kept->spec() == fresh->spec() ? std::move(kept) : std::move(fresh);
}

}  // namespace posiscope::train
