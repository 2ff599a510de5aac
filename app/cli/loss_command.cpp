// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// posiscope loss-by-position: how well a trained model predicts each token, with its encoding as it is or changed.
#include "app/cli/command.h"
#include "app/cli/model_flags.h"
#include "app/cli/output_path.h"
#include "app/cli/remarks.h"
#include "app/cli/terminal_job.h"
#include "core/files/reader.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

namespace posiscope::cli {
namespace {

struct LossFlags {
  explicit LossFlags(CLI::App& app) : model(app) {
    app.add_flag("--single", single, "Write in single precision");
    app.add_option("--out", out, "File to write; without it one loss a line is printed")->type_name("F.npy");
  }

  ModelFlags model;
  std::string out;
  bool single = false;
};

/// The losses whose query may look at no key, behind padding at the start, are of a model that was told nothing.
void noteLosses(const ModelFlags::Loaded& loaded, const std::vector<double>& losses) {
  const Shape shape = transformers::shapeOf(loaded.model, loaded.prompt);
  const Mask mask = transformers::maskOf(loaded.model, loaded.prompt);
  const std::int64_t queries = std::ssize(losses);
  std::int64_t empty = 0;
  for (std::int64_t i = 0; i < queries; ++i) {
    bool sees = false;
    for (std::int64_t j = 0; j < shape.keys() && !sees; ++j) sees = mask.allows(shape, i, j);
    empty += sees ? 0 : 1;
  }
  noteEmptyRows("loss-by-position", empty, queries, "their losses say nothing of the text before.");
  noteDamaged("loss-by-position", std::ranges::count_if(losses, [](double loss) { return std::isnan(loss); }), queries,
              "losses are NaN");
}

Expected<int> runLosses(const LossFlags& flags) {
  if (Outcome ok = checkOutput(flags.out, {".npy"}); !ok) return fail(ok.error());
  TerminalJob terminal("run the model");
  const Expected<ModelFlags::Loaded> loaded = flags.model.load(terminal.job().part(0, 0.05));
  if (!loaded) return fail(loaded.error());
  if (loaded->prompt.tokens.size() < 2)
    return fail(ErrorCode::bad_shape, "--tokens must be at least two, so that one predicts the other, got one");
  auto trace = transformers::run<double>(loaded->model, loaded->prompt, {.losses = true}, terminal.job().part(0.05, 1));
  if (!trace) return fail(trace.error());
  terminal.aside([&] { noteLosses(*loaded, trace->losses); });
  if (flags.out.empty()) {
    terminal.aside([&] {
      for (const double loss : trace->losses) std::cout << join(loss) << '\n';
    });
    return 0;
  }
  const auto count = static_cast<std::int64_t>(trace->losses.size());
  const Array losses = makeArray({count}, std::move(trace->losses));
  if (Outcome ok = files::writeNpy(flags.out, losses, flags.single); !ok) return fail(ok.error());
  return 0;
}

}  // namespace

Command addLossCommand(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("loss-by-position",
                         "Run a trained model and tell how badly it predicts each token: −log p, the first number for "
                         "the second token");
  auto flags = std::make_shared<LossFlags>(*command);
  command->footer(
      "Example:\n  posiscope loss-by-position --model model/ --tokens tokens.npy --set rope.scaling=ntk --set "
      "rope.factor=2 --out losses.npy");
  return {command, [flags] { return runLosses(*flags); }};
}

}  // namespace posiscope::cli
