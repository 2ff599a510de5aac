// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// posiscope sweep SPEC.json --out DIR and posiscope merge DIR…: grids of questions, on one machine or on many.
#include "app/cli/command.h"
#include "app/cli/terminal_job.h"
#include "core/question_text.h"
#include "core/sweep/merge.h"
#include "core/sweep/run.h"

#include <iostream>

namespace posiscope::cli {
namespace {

constexpr const char* sweep_help = R"(SPEC.json is an object of:
  schemes       list: "ID" or {"id": "ID", "values": {…}, "grid": {"PARAMETER": [values]}}
  measures      list: "ID" or {"id": "ID", "options": {…}, "grid": {"OPTION": [values]}}
  shape, content, mask
                objects of parameters; those of shape and content are named like the flags, with _ for -;
                mask has mask (none, causal, window, both, shifted), window, side, window_shift, prefix, chunk,
                padding (none, end, start), padded_keys, padded_queries
  train_length  tokens
  grid          {"shape.seq_len": [values], "content.seed": [values], "train_length": [values], …}
  arrays        "double" (default), "single" or "none": how the numbers are written
Every combination is one item; only schemes and measures must be given. An array is "@FILE.npy", seen from SPEC.json.

DIR receives items/KEY.npy, the numbers as posiscope compute writes them, and items/KEY.json, the question and a summary
(minimum, maximum, mean, last value, metrics); sweep.json, the list; and, after a whole sweep or a merge, summary.csv, one
line for each number of each summary. KEY depends on the question alone: items that DIR holds already are skipped, so
the same command goes on after Ctrl-C or a crash, and a longer list keeps what is done. A scheme without an answer at
a point of the grid is an item with a reason. Results do not depend on threads, on the shards or on their number.

Example of a specification:
  {"schemes": [{"id": "rope", "values": {"scaling": "yarn"}, "grid": {"factor": [2, 4, 8]}}, "alibi"],
   "measures": ["relative_decay", "properties"], "shape": {"head_dim": 128}, "mask": {"mask": "causal"},
   "grid": {"shape.seq_len": [4096, 16384]}}

Examples:
  posiscope sweep spec.json --out decay
  posiscope sweep spec.json --out part3 --shard 3/3
  sbatch --array=1-8 --wrap 'posiscope sweep spec.json --out decay --shard $SLURM_ARRAY_TASK_ID/8'
  posiscope merge decay --out decay)";

struct Sweeping {
  std::string spec;
  std::string folder;
  std::string shard = "1/1";
};

/// "[3/24] relative_decay of rope,factor=4, shape.seq_len=4096".
std::string stepText(const sweep::Sweep& sweep, const sweep::Step& step) {
  SchemeChoice measure;
  measure.id = step.item->measure.id;
  measure.values = step.item->measure.options;
  std::string text = join("[", step.number, "/", step.count, "] ", schemeText(measure), " of ",
                          schemeText(step.item->experiment.schemes.front()));
  for (std::size_t a = 0; a < sweep.axes.size(); ++a)
    if (!sweep.axes[a].starts_with("scheme.") && !sweep.axes[a].starts_with("measure."))
      text += join(", ", sweep.axes[a], "=", step.item->place[a]);
  if (step.found) text += ": found";
  if (!step.reason.empty()) text += ": " + step.reason;
  return text;
}

Expected<int> runSweep(const Sweeping& s) {
  const Expected<sweep::Shard> shard = sweep::parseShard(s.shard);
  if (!shard) return fail(shard.error());
  const Expected<sweep::Sweep> sweep = sweep::readSweep(s.spec);
  if (!sweep) return fail(sweep.error());
  TerminalJob terminal("sweep");
  std::size_t done = 0;
  const Expected<sweep::Tally> tally =
      sweep::run(*sweep, *shard, s.folder, terminal.job(), [&](const sweep::Step& step) {
        done = step.number;
        terminal.aside([&] { std::cerr << stepText(*sweep, step) << '\n'; });
      });
  if (!tally) {
    if (tally.error().code == ErrorCode::cancelled)
      terminal.aside([&] {
        std::cerr << done << " of " << sweep::itemsOf(*sweep, *shard).size()
                  << " items are finished; the same command goes on from there\n";
      });
    return fail(tally.error());
  }
  terminal.aside([&] {
    std::cout << tally->items << " items in " << s.folder << ": " << tally->items - tally->found << " computed, "
              << tally->found << " found, " << tally->without << " without numbers\n";
  });
  if (tally->items > 0 && tally->without == tally->items) return fail(ErrorCode::not_defined, tally->first_reason);
  return 0;
}

struct Merging {
  std::vector<std::string> parts;
  std::string folder;
};

Expected<int> runMerge(const Merging& m) {
  TerminalJob terminal("merge");
  const Expected<std::size_t> items = sweep::merge(m.parts, m.folder, terminal.job());
  if (!items) return fail(items.error());
  terminal.aside([&] { std::cout << *items << " items in " << m.folder << '\n'; });
  return 0;
}

}  // namespace

Command addSweepCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand("sweep", "Compute a grid of schemes, parameters and measures");
  auto s = std::make_shared<Sweeping>();
  command->add_option("spec", s->spec, "SPEC.json: schemes, measures, shape, content, mask, grid")->required();
  command->add_option("--out", s->folder, "Folder for the results; what it holds is not computed again")
      ->type_name("DIR")
      ->required();
  command->add_option("--shard", s->shard, "Only part i of n, for job arrays; join the parts with posiscope merge")
      ->type_name("i/n");
  command->footer(sweep_help);
  return {command, [s] { return runSweep(*s); }};
}

Command addMergeCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand("merge", "Join the parts of a sweep");
  auto m = std::make_shared<Merging>();
  command->add_option("parts", m->parts, "Folders of the parts")->type_name("DIR")->required();
  command->add_option("--out", m->folder, "Folder for the whole; may be one of the parts")
      ->type_name("DIR")
      ->required();
  command->footer(
      "The result is that of the whole sweep, byte for byte. Nothing is written while an item is missing.\n\n"
      "Examples:\n  posiscope merge part1 part2 part3 --out whole\n  posiscope merge decay --out decay");
  return {command, [m] { return runMerge(*m); }};
}

}  // namespace posiscope::cli
