// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// posiscope train SPEC.json --out DIR: the training bench without a window.
#include "app/cli/command.h"
#include "app/cli/terminal_job.h"
#include "app/cli/unknown_name.h"
#include "core/files/reader.h"
#include "core/steps.h"
#include "core/train/checkpoint.h"
#include "core/train/comparison_record.h"
#include "core/train/ready_experiments.h"
#include "core/train/results.h"
#include "core/train/results_csv.h"
#include "core/train/run_folder.h"
#include "core/train/run_loop.h"
#include "core/train/run_spec_json.h"
#include "core/train/side_by_side.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>

namespace posiscope::cli {
namespace {

struct Training {
  std::string spec;
  std::string folder;
  std::string compact;
  bool resume = false;
};

/// A file, or the id of an experiment that the program comes with.
Expected<train::ComparisonSpec> specOf(const std::string& name) {
  const auto& ready = train::readyExperiments();
  const auto found = std::ranges::find(ready, name, &train::ReadyExperiment::id);
  if (std::filesystem::exists(name)) return train::readComparison(name);
  if (found != ready.end()) return found->spec;
  std::vector<std::string> ids;
  for (const train::ReadyExperiment& experiment : ready) ids.push_back(experiment.id);
  return fail(unknownName("specification file or ready experiment", name, ids));
}

std::string today() {
  const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now())};
  const auto twoDigits = [](unsigned number) { return join(number < 10 ? "0" : "", number); };
  return join(static_cast<int>(day.year()), "-", twoDigits(static_cast<unsigned>(day.month())), "-",
              twoDigits(static_cast<unsigned>(day.day())));
}

/// A run's own folder: the given one for a single run.
std::string folderOf(const Training& t, const std::vector<train::RunSpec>& runs, std::size_t number) {
  return runs.size() == 1 ? t.folder : train::runFolder(t.folder, runs[number], number);
}

/// At its checkpoint or at its start. A folder with a run is neither overwritten nor gone on with by accident.
Expected<train::TrainingRun> openRun(const train::RunSpec& spec, const std::string& folder, bool resume) {
  if (!std::filesystem::exists(train::checkpointPath(folder))) return train::TrainingRun::create(spec);
  if (!resume)
    return fail(ErrorCode::bad_value,
                join(folder, " already holds a run; give --resume to go on with it, or another folder"),
                join(folder, " 中已有一次训练；用 --resume 继续，或换一个文件夹"));
  Expected<train::TrainingRun> run = train::loadCheckpoint(folder);
  if (!run) return run;
  train::RunSpec wanted = spec;
  if (const Expected<train::RunSpec> full = train::completed(spec, run->task())) wanted = *full;
  if (run->spec() != wanted)
    return fail(ErrorCode::bad_value, join(folder, " holds a run with other settings than the specification's"),
                join(folder, " 中的训练与训练说明的设置不同"));
  return run;
}

void printEvaluation(const train::TrainingRun& run) {
  const train::EvaluationRecord& e = run.history().evaluations.back();
  std::cout << join(run.spec().model.position.scheme, " seed ", run.spec().seed, " step ", e.step, " loss ", e.loss,
                    " accuracy ", e.accuracy, "\n")
            << std::flush;
}

/// What was measured before is not measured again.
Expected<train::Results> resultsOf(train::TrainingRun& run, const std::string& folder, const Job& job) {
  if (std::optional<train::Results> kept = train::keptResults(run, folder)) return *std::move(kept);
  Expected<train::Results> results = train::measure(run, job, folder);
  if (!results) return results;
  if (Outcome ok = train::keepResults(run, *results, folder); !ok) return fail(ok.error());
  if (Outcome ok = train::writeTables(run, *results, folder); !ok) return fail(ok.error());
  return results;
}

/// One run from where it is to its end; everything about it goes into the record.
Outcome finishRun(train::TrainingRun& run, const std::string& folder, TerminalJob& terminal, const Job& job,
                  train::RunRecord& record) {
  train::LoopOptions options;
  options.folder = folder;
  std::size_t told = run.history().evaluations.size();
  options.after_step = [&](const train::TrainingRun& r) {
    if (r.history().evaluations.size() == told) return;
    told = r.history().evaluations.size();
    terminal.aside([&] { printEvaluation(r); });
  };
  if (Outcome ok = train::trainOn(run, job.part(0, 0.95), options); !ok) return fail(ok.error());
  Expected<train::Results> results = resultsOf(run, folder, job.part(0.95, 1));
  if (!results) return fail(results.error());
  record.parameters = results->parameters;
  record.position_parameters = results->position_parameters;
  record.history = run.history();
  record.attention = train::keptSnapshots(folder, run.step());
  record.results = *std::move(results);
  return {};
}

/// The one file that the window opens, and its small form.
Outcome writeRecords(const Training& t, const train::ComparisonRecord& record) {
  if (Outcome ok = train::writeRecord(record, train::recordPath(t.folder)); !ok) return ok;
  return t.compact.empty() ? Outcome() : train::writeRecord(record, t.compact, train::RecordForm::compact);
}

Expected<int> runTraining(const Training& t) {
  const Expected<train::ComparisonSpec> spec = specOf(t.spec);
  if (!spec) return fail(spec.error());
  const std::vector<train::RunSpec> runs = spec->runs();
  // What cannot be trained is told before the first run has taken its time.
  for (const train::RunSpec& run : runs)
    if (const Expected<train::TrainingRun> possible = train::TrainingRun::create(run); !possible)
      return fail(possible.error().code, join(t.spec, ": ", possible.error().message.en),
                  join(t.spec, "：", possible.error().message.zh));
  train::ComparisonRecord record = train::emptyRecord(*spec);
  record.version = POSISCOPE_VERSION;
  record.date = today();
  TerminalJob terminal("train");
  Steps steps(terminal.job(), runs.size());
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const std::string folder = folderOf(t, runs, r);
    Expected<train::TrainingRun> run = openRun(runs[r], folder, t.resume);
    if (!run) return fail(run.error());
    if (Outcome ok = finishRun(*run, folder, terminal, steps.next(), record.runs[r]); !ok) return fail(ok.error());
    if (Outcome ok = files::writeAtomically(t.folder + "/summary.csv", train::summaryCsv(record)); !ok)
      return fail(ok.error());
  }
  if (Outcome ok = writeRecords(t, record); !ok) return fail(ok.error());
  terminal.aside([&] { std::cout << train::summaryCsv(record); });
  return 0;
}

}  // namespace

Command addTrainCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand("train", "Train small Transformers that differ in their encoding only");
  auto t = std::make_shared<Training>();
  command
      ->add_option("spec", t->spec,
                   "SPEC.json: model, task, optimiser, schedule, fine_tune, positions, seeds; or a ready experiment: "
                   "order, length, induction, images")
      ->required();
  command
      ->add_option("--out", t->folder,
                   "Folder for checkpoints, models, attention, results.json, tables as .csv and comparison.safetensors")
      ->type_name("DIR")
      ->required();
  command->add_option("--compact", t->compact, "Also a small file of the comparison, with four digits, to be passed on")
      ->type_name("FILE");
  command->add_flag("--resume", t->resume, "Go on with the runs that the folder holds");
  command->footer(
      "The same specification gives the same numbers on any number of threads. Interrupted runs keep a checkpoint.\n"
      "comparison.safetensors opens on the window's page of training: curves, attention and tables of all runs.\n"
      "A run's folder opens as a model: inspect, attention, heads and loss-by-position take it, and so does the "
      "window.\n"
      "\"fine_tune\": {\"steps\": 100, \"factor\": 4} goes on at four times the length, with each scaling of a "
      "rotation.\n\n"
      "Example of a specification:\n"
      "  {\"task\": {\"name\": \"induction\", \"length\": 32, \"symbols\": 32}, \"schedule\": {\"steps\": 800},\n"
      "   \"positions\": [{\"scheme\": \"rope\"}, {\"scheme\": \"alibi\"}], \"seeds\": [1, 2, 3]}\n\n"
      "Example:\n  posiscope train induction.json --out induction");
  return {command, [t] { return runTraining(*t); }};
}

}  // namespace posiscope::cli
