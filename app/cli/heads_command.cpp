// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// posiscope heads: what every head of a trained model does with a text, as a table.
#include "app/cli/command.h"
#include "app/cli/model_flags.h"
#include "app/cli/output_path.h"
#include "app/cli/param_flags.h"
#include "app/cli/remarks.h"
#include "app/cli/terminal_job.h"
#include "core/csv_field.h"
#include "core/files/reader.h"
#include "core/measures/head_report.h"
#include "core/transformers/head_table.h"

#include <iostream>
#include <memory>

namespace posiscope::cli {
namespace {

struct HeadsFlags {
  explicit HeadsFlags(CLI::App& app) : model(app) {
    thresholds.add(app, heads::thresholdTable().specs(), "Thresholds of the kinds");
    app.add_option("--out", out, "File to write; without it the table is printed")->type_name("F.csv");
  }

  ModelFlags model;
  ParamFlags thresholds{"heads"};
  std::string out;
};

/// One line a head, with all that its kind was decided by: the figures of uniform attention too, and the sentence that
/// the window's table has. The patterns have no number in models to which they do not apply.
std::string csvOf(const std::vector<transformers::HeadRow>& rows) {
  std::string csv =
      "layer,head,kind,entropy_mean,entropy_norm_mean,mean_distance,mean_distance_uniform,local_mass,"
      "local_mass_uniform,sink_mass,diag_score,prev_score,next_score,col_top2_mass,col_top2_uniform,"
      "periodicity_score,period,profile_cv";
  for (const heads::Pattern pattern : heads::all_patterns) csv += join(",", heads::patternId(pattern), "_score");
  csv += ",evidence\n";
  for (const transformers::HeadRow& row : rows) {
    const heads::Metrics& m = row.metrics;
    csv += join(row.layer, ",", row.head, ",", heads::kindId(row.decision.kind));
    for (const double value :
         {m.entropy_mean, m.entropy_norm_mean, m.mean_distance, m.mean_distance_uniform, m.local_mass,
          m.local_mass_uniform, m.sink_mass, m.diag_score, m.prev_score, m.next_score, m.col_top2_mass,
          m.col_top2_uniform, m.periodicity.score, static_cast<double>(m.periodicity.period), m.periodicity.cv})
      csv += join(",", value);
    for (std::size_t p = 0; p < heads::all_patterns.size(); ++p)
      csv += row.pattern_shares.empty() ? "," : join(",", row.pattern_shares[p]);
    csv += "," + csvField(measures::evidenceOf(row.decision).en) + "\n";
  }
  return csv;
}

/// Of all heads together; the evidence of each tells its own.
void noteRows(const std::vector<transformers::HeadRow>& rows) {
  std::int64_t damaged = 0, all = 0;
  for (const transformers::HeadRow& row : rows) {
    damaged += row.decision.damaged;
    all += row.decision.rows;
  }
  noteDamaged("heads", damaged, all, "rows hold NaN");
}

Expected<int> runHeads(const HeadsFlags& flags) {
  if (Outcome ok = checkOutput(flags.out, {".csv"}); !ok) return fail(ok.error());
  const Expected<ParamValues> values = flags.thresholds.values();
  if (!values) return fail(values.error());
  const Expected<heads::Thresholds> thresholds = heads::thresholdTable().read("heads", *values);
  if (!thresholds) return fail(thresholds.error());
  TerminalJob terminal("run the model");
  const Expected<ModelFlags::Loaded> loaded = flags.model.load(terminal.job().part(0, 0.1));
  if (!loaded) return fail(loaded.error());
  const auto rows = transformers::headTable(loaded->model, loaded->prompt, *thresholds, terminal.job().part(0.1, 1));
  if (!rows) return fail(rows.error());
  const std::string csv = csvOf(*rows);
  terminal.aside([&] { noteRows(*rows); });
  if (!flags.out.empty()) {
    if (Outcome ok = files::writeAtomically(flags.out, csv); !ok) return fail(ok.error());
    return 0;
  }
  terminal.aside([&] { std::cout << csv; });
  return 0;
}

}  // namespace

Command addHeadsCommand(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("heads", "Run a trained model and tell what each of its heads does, and of which kind it is");
  auto flags = std::make_shared<HeadsFlags>(*command);
  command->footer(
      "A kind belongs to this text: a head may be of another kind on other text. prev_score is the mean weight of the "
      "key before, over the queries that have one; previous_score the share of all attention that lies there, "
      "measured like duplicate and induction; these three are empty for a model that sees what comes "
      "later.\n\nExample:\n"
      "  posiscope heads --model model/ --tokens tokens.npy --out heads.csv");
  return {command, [flags] { return runHeads(*flags); }};
}

}  // namespace posiscope::cli
