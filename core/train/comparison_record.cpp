// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/comparison_record.h"

#include "core/files/deflate.h"
#include "core/files/json_text.h"
#include "core/files/reader.h"
#include "core/files/safetensors_writer.h"
#include "core/train/results_json.h"
#include "core/train/run_spec_json.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <filesystem>
#include <optional>

namespace posiscope::train {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char* story_name = "posiscope.comparison";                  // JSON text as bytes
constexpr const char* packed_story_name = "posiscope.comparison.deflated";  // the same
constexpr std::size_t most_story = std::size_t{1} << 28;                    // bytes of an unpacked story
constexpr double attention_parts = 255;                                     // of a compact file's weights
constexpr std::int64_t compact_last = 5;                                    // snapshots, beside the first
constexpr std::int64_t compact_weights = 1 << 16;                           // of all snapshots of a run, about
constexpr int compact_digits = 4;

std::string attentionName(std::size_t run, std::int64_t step) { return join(run, ".attention.", step); }

/// Numbers that are drawn need no more; whole ones (steps, parameters) stay as they are.
void shorten(ordered_json& node) {
  if (node.is_structured())
    for (ordered_json& part : node) shorten(part);
  if (!node.is_number_float() || node.get<double>() == 0) return;
  const double value = node.get<double>();
  const double unit = std::pow(10, std::floor(std::log10(std::abs(value))) + 1 - compact_digits);
  // Divided by a power of ten the shortest text is the rounded one.
  node = unit < 1 ? std::round(value / unit) / std::round(1 / unit) : std::round(value / unit) * unit;
}

/// The steps whose attention goes into the file.
std::vector<std::int64_t> stepsToWrite(const ComparisonRecord& record, std::size_t number, RecordForm form) {
  std::vector<std::int64_t> steps;
  for (const auto& [step, attention] : record.runs[number].attention) steps.push_back(step);
  if (form == RecordForm::whole) return steps;
  if (number % record.spec.seeds.size() != 0) return {};
  if (steps.size() < 2) return steps;
  const std::int64_t weights = record.runs[number].attention.at(steps.back()).size();
  const std::int64_t last = std::clamp<std::int64_t>(compact_weights / weights - 1, 1, compact_last);
  if (std::ssize(steps) > last + 1) steps.erase(steps.begin() + 1, steps.end() - last);
  return steps;
}

ordered_json runJson(const RunRecord& run, const std::vector<std::int64_t>& steps) {
  ordered_json entry{{"parameters", run.parameters}, {"position_parameters", run.position_parameters}};
  entry["history"] = toJson(run.history);
  entry["snapshots"] = steps;
  if (run.results) entry["results"] = toJson(*run.results);
  if (!run.refused.en.empty()) entry["refused"] = {run.refused.en, run.refused.zh};
  return entry;
}

/// A byte each, then deflated.
std::string packed(const Array& attention) {
  std::string parts;
  for (std::int64_t i = 0; i < attention.size(); ++i)
    parts.push_back(static_cast<char>(static_cast<unsigned char>(std::lround(attention.data()[i] * attention_parts))));
  return files::deflated(parts);
}

tl::unexpected<Error> notARecord(const std::string& path, const std::string& why) {
  return fail(ErrorCode::file_format, join(path, ": the training comparison is not as it was written: ", why),
              join(path, "：训练对比与写入时不同：", why));
}

/// A tensor of bytes.
Expected<std::string> bytesOf(const files::Safetensors& file, const files::TensorEntry& tensor) {
  const Expected<Array> bytes = file.read(tensor);
  if (!bytes) return fail(bytes.error());
  std::string text(static_cast<std::size_t>(bytes->size()), ' ');
  std::transform(bytes->data(), bytes->data() + bytes->size(), text.begin(),
                 [](double byte) { return static_cast<char>(static_cast<unsigned char>(byte)); });
  return text;
}

Expected<Array> unpacked(const files::Safetensors& file, const files::TensorEntry& tensor, const json& shape_json) {
  const auto shape = shape_json.get<std::vector<std::int64_t>>();
  const Expected<std::string> bytes = bytesOf(file, tensor);
  if (!bytes) return fail(bytes.error());
  const std::optional<std::string> parts = files::inflated(*bytes, most_story);
  double size = 1;
  for (const std::int64_t n : shape) size *= n > 0 ? static_cast<double>(n) : std::nan("");
  if (!parts || static_cast<double>(parts->size()) != size) return notARecord(file.path(), tensor.name);
  std::vector<double> weights;
  for (const char part : *parts) weights.push_back(static_cast<unsigned char>(part) / attention_parts);
  return makeArray(shape, std::move(weights));
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
    Expected<Array> attention =
        entry.contains("attention_shape") ? unpacked(file, *tensor, entry.at("attention_shape")) : file.read(*tensor);
    if (!attention) return fail(attention.error());
    if (attention->rank() != 4 || attention->shape[2] != attention->shape[3])
      return notARecord(file.path(), join("'", name, "' ", shapeText(attention->shape)));
    run.attention.emplace(step.get<std::int64_t>(), std::move(*attention));
  }
  return {};
}

Expected<json> storyOf(const files::Safetensors& file) {
  const files::TensorEntry* whole = file.find(story_name);
  const files::TensorEntry* entry = whole ? whole : file.find(packed_story_name);
  if (!entry)
    return fail(ErrorCode::file_format, join(file.path(), " holds no training comparison of this program"),
                join(file.path(), " 中没有本程序的训练对比"));
  Expected<std::string> text = bytesOf(file, *entry);
  if (!text) return fail(text.error());
  if (!whole) {
    std::optional<std::string> story = files::inflated(*text, most_story);
    if (!story) return notARecord(file.path(), entry->name);
    text = *std::move(story);
  }
  Expected<files::JsonText> document = files::parseJson(*text, file.path());
  if (!document) return fail(document.error());
  return std::move(document->root);
}

/// What the tensors' bytes belong to: they must not move while others are added.
struct Tensors {
  std::deque<std::vector<float>> numbers;
  std::deque<std::string> texts;
  std::vector<files::TensorToWrite> all;

  void add(const std::string& name, std::string text) {
    texts.push_back(std::move(text));
    all.push_back(files::tensorToWrite<char>(name, {static_cast<std::int64_t>(texts.back().size())}, texts.back()));
  }
  void add(const std::string& name, const Array& attention) {
    numbers.emplace_back(attention.data(), attention.data() + attention.size());
    all.push_back(files::tensorToWrite<float>(name, attention.shape, numbers.back()));
  }
};

}  // namespace

ComparisonRecord emptyRecord(ComparisonSpec spec) {
  ComparisonRecord record{std::move(spec), {}};
  for (RunSpec& run : record.spec.runs()) record.runs.emplace_back().spec = std::move(run);
  return record;
}

Outcome writeRecord(const ComparisonRecord& record, const std::string& path, RecordForm form) {
  const bool compact = form == RecordForm::compact;
  ordered_json story{{"comparison", toJson(record.spec)}, {"version", record.version}, {"date", record.date}};
  story["runs"] = ordered_json::array();
  Tensors tensors;
  for (std::size_t r = 0; r < record.runs.size(); ++r) {
    const std::vector<std::int64_t> steps = stepsToWrite(record, r, form);
    ordered_json entry = runJson(record.runs[r], steps);
    if (compact) shorten(entry);
    for (const std::int64_t step : steps) {
      const Array& attention = record.runs[r].attention.at(step);
      if (!compact) {
        tensors.add(attentionName(r, step), attention);
        continue;
      }
      entry["attention_shape"] = attention.shape;
      tensors.add(attentionName(r, step), packed(attention));
    }
    story["runs"].push_back(std::move(entry));
  }
  const std::string text = story.dump();
  tensors.add(compact ? packed_story_name : story_name, compact ? files::deflated(text) : text);
  return files::writeSafetensors(path, tensors.all);
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
    record.version = story->value("version", std::string());
    record.date = story->value("date", std::string());
    const json& runs = story->at("runs");
    if (runs.size() != record.runs.size()) return notARecord(path, join(runs.size(), " / ", record.runs.size()));
    for (std::size_t r = 0; r < record.runs.size(); ++r)
      if (Outcome ok = fillRun(record.runs[r], r, runs.at(r), *file); !ok) return fail(ok.error());
    return record;
  } catch (const json::exception& problem) {
    return notARecord(path, problem.what());
  }
}

std::string recordPath(const std::string& folder) { return folder + "/comparison.safetensors"; }

std::string comparisonAt(const std::string& path) {
  std::error_code error;
  const std::filesystem::path place(path);
  const bool folder = std::filesystem::is_directory(place, error);
  if (folder && std::filesystem::exists(place / "config.json", error)) return {};  // a single run is a model as well
  const std::string name = folder ? recordPath(path) : path;
  if (!name.ends_with(".safetensors")) return {};
  const Expected<files::Safetensors> file = files::Safetensors::open(name);
  return file && (file->find(story_name) || file->find(packed_story_name)) ? name : std::string();
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
