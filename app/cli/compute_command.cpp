// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// posiscope compute MEASURE: the numbers of a measure, one file a scheme.
#include "app/cli/choice.h"
#include "app/cli/command.h"
#include "app/cli/experiment_flags.h"
#include "app/cli/output_path.h"
#include "core/compute.h"
#include "core/files/reader.h"
#include "core/measures/list.h"

#include <iostream>

namespace posiscope::cli {
namespace {

/// One measure's part of the grammar; there is one for each entry of the catalogue.
struct MeasureCommand {
  MeasureCommand(CLI::App& compute, const Measure& m)
      : measure(&m), app(compute.add_subcommand(m.id, m.title.en)), experiment(*app), options(m.id) {
    options.add(*app, m.options, "Options of " + m.id);
    app->add_option("--out", out, "File to write; several schemes give F.1.npy, F.2.npy …; without it CSV is printed")
        ->type_name("F.npy|F.csv");
    app->add_flag("--single", single, "Write .npy in single precision");
    app->footer(m.how_to_read.en + "\n\nArray: " + m.shape_help + "\n\nExample:\n  posiscope compute " + m.id +
                " --scheme rope,base=500000 --scheme alibi --seq-len 64 --out " + m.id + ".npy");
  }

  const Measure* measure;
  CLI::App* app;
  ExperimentFlags experiment;
  ParamFlags options;
  std::string out;
  bool single = false;
};

Outcome write(const Dataset& dataset, const std::string& path, bool single) {
  if (Outcome fits = checkNumbers(dataset); !fits) return fits;
  if (path.empty()) {
    std::cout << csv(dataset);
    return {};
  }
  return path.ends_with(".csv") ? files::writeAtomically(path, csv(dataset))
                                : files::writeNpy(path, numbers(dataset), single);
}

/// "rope: the base grows only …": what the picture would say beside the numbers.
void printRemarks(const std::string& scheme, const Dataset& dataset) {
  for (const Remark& r : dataset.remarks)
    if (r.verdict == Verdict::warning) std::cerr << scheme << ": " << r.sentence.en << '\n';
  if (!dataset.scope.en.empty()) std::cerr << scheme << ": " << dataset.scope.en << '\n';
}

Expected<int> runMeasure(const MeasureCommand& command) {
  if (Outcome ok = checkOutput(command.out, {".npy", ".csv"}); !ok) return fail(ok.error());
  const Expected<Experiment> experiment = command.experiment.experiment();
  if (!experiment) return fail(experiment.error());
  const Expected<ParamValues> options = command.options.values();
  if (!options) return fail(options.error());
  const Expected<std::shared_ptr<const Result>> result =
      compute({*experiment, {{command.measure->id, *options}}}, Job{});
  if (!result) return fail(result.error());
  const std::vector<Answer>& answers = (*result)->answers.front();
  for (std::size_t s = 0; s < answers.size(); ++s) {
    const auto& dataset = answers[s].dataset;
    if (!dataset) return fail(dataset.error());
    if (!*dataset) continue;  // hidden in the session
    const std::string& id = experiment->schemes[s].id;
    if (!(*dataset)->nothing.en.empty())
      return fail(ErrorCode::not_defined, join(command.measure->id, " of ", id, ": ", (*dataset)->nothing.en));
    printRemarks(id, **dataset);
    const std::string path = answers.size() == 1 ? command.out : numberedPath(command.out, s + 1);
    if (Outcome ok = write(**dataset, path, command.single); !ok) return fail(ok.error());
  }
  return 0;
}

}  // namespace

Command addComputeCommand(CLI::App& app) {
  CLI::App* compute = app.add_subcommand("compute", "Compute a measure into .npy or .csv files");
  auto commands = std::make_shared<std::vector<std::unique_ptr<MeasureCommand>>>();
  for (const Measure& m : measures::catalogue()) commands->push_back(std::make_unique<MeasureCommand>(*compute, m));
  compute->footer(
      "posiscope compute MEASURE --help shows the array and the options of a measure.\n\nExample:\n"
      "  posiscope compute similarity --scheme sinusoidal --d-model 128 --seq-len 256 --out similarity.npy");
  const auto unknown = addChoice(*compute, "measure");
  return {compute, [commands, unknown]() -> Expected<int> {
            if (const std::optional<Error> problem = unknown()) return fail(*problem);
            for (const auto& command : *commands)
              if (command->app->parsed()) return runMeasure(*command);
            return fail(ErrorCode::unknown_name, "compute needs a measure");
          }};
}

}  // namespace posiscope::cli
