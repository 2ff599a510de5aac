// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/comparison_record.h"

#include "core/files/json_text.h"
#include "core/files/reader.h"
#include "core/files/safetensors_writer.h"
#include "core/train/results_json.h"
#include "core/train/run_spec_json.h"

#include <algorithm>

namespace posiscope::train {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char* story_name = "posiscope.comparison";  // JSON text as bytes

std::string attentionName(std::size_t run, std::int64_t step) { return join(run, ".attention.", step); }

ordered_json runJson(const RunRecord& run) {
  ordered_json entry{{"parameters", run.parameters}, {"position_parameters", run.position_parameters}};
  entry["history"] = toJson(run.history);
  entry["snapshots"] = ordered_json::array();
  for (const auto& [step, attention] : run.attention) entry["snapshots"].push_back(step);
  if (run.results) entry["results"] = toJson(*run.results);
  if (!run.refused.en.empty()) entry["refused"] = {run.refused.en, run.refused.zh};
  return entry;
}

tl::unexpected<Error> notARecord(const std::string& path, const std::string& why) {
  return fail(ErrorCode::file_format, join(path, ": the training comparison is not as it was written: ", why),
              join(path, "：训练对比与写入时不同：", why));
}

Outcome fillRun(RunRecord& run, std::size_t number, const json& entry, const files::Safetensors& file) {
  run.parameters = entry.at("parameters").get<std::int64_t>();
  run.position_parameters = entry.at("position_parameters").get<std::int64_t>();
  run.history = historyFromJson(entry.at("history"));
  if (entry.contains("results")) run.results = resultsFromJson(entry.at("results"));
  if (entry.contains("refused"))
    run.refused = {entry.at("refused").at(0).get<std::string>(), entry.at("refused").at(1).get<std::string>()};
  for (const json& step : entry.at("snapshots")) {
    const std::string name = attentionName(number, step.get<std::int64_t>());
    const files::TensorEntry* tensor = file.find(name);
    if (!tensor) return notARecord(file.path(), join("'", name, "' is missing"));
    Expected<Array> attention = file.read(*tensor);
    if (!attention) return fail(attention.error());
    if (attention->rank() != 4 || attention->shape[2] != attention->shape[3])
      return notARecord(file.path(), join("'", name, "' ", shapeText(attention->shape)));
    run.attention.emplace(step.get<std::int64_t>(), std::move(*attention));
  }
  return {};
}

Expected<json> storyOf(const files::Safetensors& file) {
  const files::TensorEntry* entry = file.find(story_name);
  if (!entry)
    return fail(ErrorCode::file_format, join(file.path(), " holds no training comparison of this program"),
                join(file.path(), " 中没有本程序的训练对比"));
  const Expected<Array> bytes = file.read(*entry);
  if (!bytes) return fail(bytes.error());
  std::string text(static_cast<std::size_t>(bytes->size()), ' ');
  std::transform(bytes->data(), bytes->data() + bytes->size(), text.begin(),
                 [](double byte) { return static_cast<char>(static_cast<unsigned char>(byte)); });
  Expected<files::JsonText> document = files::parseJson(text, file.path());
  if (!document) return fail(document.error());
  return std::move(document->root);
}

}  // namespace

ComparisonRecord emptyRecord(ComparisonSpec spec) {
  ComparisonRecord record{std::move(spec), {}};
  for (RunSpec& run : record.spec.runs()) record.runs.emplace_back().spec = std::move(run);
  return record;
}

Outcome writeRecord(const ComparisonRecord& record, const std::string& path) {
  ordered_json story{{"comparison", toJson(record.spec)}, {"runs", ordered_json::array()}};
  std::vector<std::vector<float>> numbers;  // what the tensors' bytes belong to
  std::vector<files::TensorToWrite> tensors;
  for (std::size_t r = 0; r < record.runs.size(); ++r) {
    story["runs"].push_back(runJson(record.runs[r]));
    for (const auto& [step, attention] : record.runs[r].attention) {
      numbers.emplace_back(attention.data(), attention.data() + attention.size());
      tensors.push_back(files::tensorToWrite<float>(attentionName(r, step), attention.shape, numbers.back()));
    }
  }
  const std::string text = story.dump();
  tensors.push_back(files::tensorToWrite<char>(story_name, {static_cast<std::int64_t>(text.size())}, text));
  return files::writeSafetensors(path, tensors);
}

Expected<ComparisonRecord> readRecord(const std::string& path) {
  const Expected<files::Safetensors> file = files::Safetensors::open(path);
  if (!file) return fail(file.error());
  const Expected<json> story = storyOf(*file);
  if (!story) return fail(story.error());
  try {
    Expected<ComparisonSpec> spec = comparisonFromJson(story->at("comparison"));
    if (!spec) return fail(spec.error());
    ComparisonRecord record = emptyRecord(std::move(*spec));
    const json& runs = story->at("runs");
    if (runs.size() != record.runs.size()) return notARecord(path, join(runs.size(), " / ", record.runs.size()));
    for (std::size_t r = 0; r < record.runs.size(); ++r)
      if (Outcome ok = fillRun(record.runs[r], r, runs.at(r), *file); !ok) return fail(ok.error());
    return record;
  } catch (const json::exception& problem) {
    return notARecord(path, problem.what());
  }
}

std::string summaryCsv(const ComparisonRecord& record) {
  std::string table = std::string(summary_columns) + "\n";
  const auto columns = std::count(table.begin(), table.end(), ',');
  for (const RunRecord& run : record.runs) {
    if (run.results)
      table += summaryLine(run.spec, run.steps(), *run.results);
    else
      table += join(run.spec.model.position.scheme, ",", run.spec.seed, ",", run.steps()) +
               std::string(static_cast<std::size_t>(columns - 2), ',');
    table += "\n";
  }
  return table;
}

}  // namespace posiscope::train
