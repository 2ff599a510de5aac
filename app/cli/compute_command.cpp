// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// posiscope compute MEASURE: the numbers of a measure, one file a scheme.
#include "app/cli/choice.h"
#include "app/cli/command.h"
#include "app/cli/experiment_flags.h"
#include "app/cli/output_path.h"
#include "app/cli/remarks.h"
#include "app/cli/terminal_job.h"
#include "core/compute.h"
#include "core/dataset_pieces.h"
#include "core/files/number_file.h"
#include "core/measures/list.h"
#include "core/question_text.h"
#include "ui/views/list.h"

#include <algorithm>
#include <iostream>

namespace posiscope::cli {
namespace {

/// One measure's part of the grammar; there is one for each entry of the catalogue.
struct MeasureCommand {
  MeasureCommand(CLI::App& compute, const Measure& m)
      : measure(&m), app(compute.add_subcommand(m.id, m.title.en)), experiment(*app), options(m.id) {
    options.add(*app, m.options, "Options of " + m.id);
    app->add_option("--out", out,
                    "File to write; several schemes give F.1.npy, F.2.npy … and it is printed which is whose; without "
                    "it CSV is printed")
        ->type_name("F.npy|F.csv");
    app->add_flag("--single", single, "Write .npy in single precision");
    app->footer(m.how_to_read.en + "\n\nArray: " + m.shape_help + "\n\nExample:\n  posiscope compute " + m.id +
                exampleFlags(m) + " --seq-len 64 --out " + m.id + ".npy");
  }

  const Measure* measure;
  CLI::App* app;
  ExperimentFlags experiment;
  ParamFlags options;
  std::string out;
  bool single = false;
};

/// The numbers of one scheme and where they go.
struct Output {
  std::string scheme;
  std::string owner;  ///< of what is said beside them
  std::string path;
  std::shared_ptr<const Dataset> dataset;
};

/// "This scheme has no angles." → "This scheme has no angles; nothing to write".
std::string skipped(std::string sentence) {
  if (sentence.ends_with('.')) sentence.pop_back();
  return sentence + "; nothing to write";
}

/// "rope,base=500000"; its place among the schemes as well where another one reads the same.
std::string textOf(const std::vector<SchemeChoice>& schemes, std::size_t s) {
  const std::string text = schemeText(schemes[s]);
  const bool alone = std::ranges::count(schemes, text, schemeText) == 1;
  return alone ? text : join(text, " (scheme ", s + 1, ")");
}

/// The id is enough where no other scheme has it.
std::string nameOf(const std::vector<SchemeChoice>& schemes, std::size_t s) {
  return std::ranges::count(schemes, schemes[s].id, &SchemeChoice::id) == 1 ? schemes[s].id : textOf(schemes, s);
}

/// Everything that can be refused is refused here, before the first file is written. Schemes without numbers are
/// skipped, and the files of the others keep their places' numbers.
Expected<std::vector<Output>> outputsOf(const Result& result, const MeasureCommand& command) {
  const std::vector<Answer>& answers = result.answers.front();
  std::vector<Output> outputs;
  std::vector<std::pair<std::string, std::string>> empty;  // scheme, why
  for (std::size_t s = 0; s < answers.size(); ++s) {
    const auto& dataset = answers[s].dataset;
    if (!dataset) return fail(dataset.error());
    if (!*dataset) continue;  // hidden in the session
    const std::vector<SchemeChoice>& schemes = result.request.experiment.schemes;
    if (!(*dataset)->nothing.en.empty()) {
      empty.emplace_back(nameOf(schemes, s), (*dataset)->nothing.en);
      continue;
    }
    if (Outcome fits = checkNumbers(**dataset); !fits) return fail(fits.error());
    // The files hold numbers only, no line that readers would have to skip: whose they are is printed.
    outputs.push_back({textOf(schemes, s), remarkOwner(result.request.experiment, textOf(schemes, s)),
                       answers.size() == 1 ? command.out : numberedPath(command.out, s + 1), *dataset});
  }
  if (outputs.empty()) {
    std::string reasons;
    for (const auto& [name, why] : empty)
      reasons += join(reasons.empty() ? "" : " ", command.measure->id, " of ", name, ": ", why);
    if (reasons.empty()) reasons = "every scheme of the session is hidden: there is nothing to write";
    return fail(ErrorCode::not_defined, reasons);
  }
  for (const auto& [name, why] : empty) std::cerr << name << ": " << skipped(why) << '\n';
  return outputs;
}

/// The numbers as CSV on stdout, which may be the same terminal as the line.
Outcome print(const Output& output, TerminalJob& terminal, const Job& job) {
  return csvPieces(*output.dataset, job, [&](std::string_view piece) -> Outcome {
    terminal.aside([&] { std::cout << piece << std::flush; });
    return {};
  });
}

/// File by file: where it is stopped, the finished ones stay, of the unfinished one nothing does.
Expected<int> writeAll(const std::vector<Output>& outputs, const MeasureCommand& command, TerminalJob& terminal) {
  const bool to_files = !command.out.empty();
  terminal.nowDoing(to_files ? "write " + command.out : "print the numbers");
  std::string written;
  for (std::size_t n = 0; n < outputs.size(); ++n) {
    const Output& o = outputs[n];
    terminal.aside([&] {
      if (!to_files && outputs.size() > 1) {  // one CSV after another: an empty line ends each
        if (n > 0) std::cout << '\n' << std::flush;
        std::cerr << o.scheme << ":\n";
      }
      printRemarks(o.owner, *o.dataset, command.measure->notes_tell_numbers);
    });
    const auto share = [&](std::size_t done) {
      return static_cast<double>(done) / static_cast<double>(outputs.size());
    };
    const Job part = terminal.job().part(share(n), share(n + 1));
    const Outcome ok =
        to_files ? files::writeNumberFile(o.path, *o.dataset, command.single, part) : print(o, terminal, part);
    if (!ok) return fail(ok.error());
    written += join(written.empty() ? "wrote " : ", ", o.path, " (", o.scheme, ")");
  }
  // Where the name is not the one that was asked for, it is told.
  if (to_files && outputs.front().path != command.out) terminal.aside([&] { std::cout << written << '\n'; });
  return 0;
}

/// "bias_map is a view of the measure bias_by_offset: …" where the word is a view's.
std::string viewNamed(const std::string& word) {
  const auto& views = ui::viewCatalogue();
  const auto view = std::ranges::find(views, word, &ui::ViewKind::id);
  if (view == views.end()) return {};
  return join("'", word, "' is a view of the measure ", view->measure, ": posiscope figure ", word,
              " draws it, posiscope compute ", view->measure, " has its numbers");
}

Expected<int> runMeasure(const MeasureCommand& command) {
  if (Outcome ok = checkOutput(command.out, {".npy", ".csv"}); !ok) return fail(ok.error());
  const Expected<Experiment> experiment = command.experiment.experiment();
  if (!experiment) return fail(experiment.error());
  const Expected<ParamValues> options = command.options.values();
  if (!options) return fail(options.error());
  TerminalJob terminal("compute " + command.measure->id);
  const Expected<std::shared_ptr<const Result>> result =
      compute({*experiment, {{command.measure->id, *options}}}, terminal.job());
  if (!result) return fail(result.error());
  const Expected<std::vector<Output>> outputs = outputsOf(**result, command);
  if (!outputs) return fail(outputs.error());
  return writeAll(*outputs, command, terminal);
}

}  // namespace

Command addComputeCommand(CLI::App& app) {
  CLI::App* compute = app.add_subcommand("compute", "Compute a measure into .npy or .csv files");
  auto commands = std::make_shared<std::vector<std::unique_ptr<MeasureCommand>>>();
  for (const Measure& m : measures::catalogue()) commands->push_back(std::make_unique<MeasureCommand>(*compute, m));
  compute->footer(
      "posiscope compute MEASURE --help shows the array and the options of a measure.\n\nExample:\n"
      "  posiscope compute similarity --scheme sinusoidal --d-model 128 --seq-len 256 --out similarity.npy");
  const auto unknown = addChoice(*compute, "measure", viewNamed);
  return {compute, [commands, unknown]() -> Expected<int> {
            if (const std::optional<Error> problem = unknown()) return fail(*problem);
            for (const auto& command : *commands)
              if (command->app->parsed()) return runMeasure(*command);
            return fail(ErrorCode::unknown_name, "compute needs a measure");
          }};
}

}  // namespace posiscope::cli
