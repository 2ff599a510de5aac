// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/soundness_text.h"

#include "core/train/optimiser_spec.h"
#include "ui/paint/style.h"

#include <algorithm>
#include <QCoreApplication>
#include <QStringList>

namespace posiscope::ui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(Soundness)
};

constexpr std::size_t enough_seeds = 3;

}  // namespace

QString soundnessText(const train::ComparisonRecord& record) {
  const train::ComparisonSpec& spec = record.spec;
  const QString yes = QStringLiteral("✓ "), no = QStringLiteral("○ ");
  QStringList lines;
  lines << yes + Words::tr(
                     "Same data in the same order for all encodings of a seed; same start values of everything but the "
                     "position.");
  lines << yes +
               Words::tr(
                   "Same steps (%1), schedule and decay rule. One learning rate, %2, for all: it is not tuned to each.")
                   .arg(numberText(static_cast<double>(spec.run.schedule.steps)), numberText(spec.run.optimiser.lr));
  const QString seeds =
      spec.seeds.size() == 1
          ? Words::tr("One seed, without a spread; at least 3 are needed, 5 to publish.")
          : Words::tr("%1 seeds, drawn as mean with a band from least to largest; at least 3 are needed, 5 to publish.")
                .arg(spec.seeds.size());
  lines << (spec.seeds.size() >= enough_seeds ? yes : no) + seeds;
  lines << yes + Words::tr(
                     "Position and word rows start at equal length where a table is learned; their ratio is drawn.");
  lines << yes + Words::tr("Parameter counts stand in the table; whole curves are kept, not the best step.");
  lines << no + Words::tr(
                    "One task is no ranking of encodings: another task can turn the order around. Wall time is not a "
                    "quality.");
  const auto has_ended = [&](const train::RunRecord& run) {
    return !run.refused.en.empty() || run.steps() >= spec.run.schedule.steps;
  };
  if (!std::all_of(record.runs.begin(), record.runs.end(), has_ended))
    lines << no + Words::tr("Not all runs have reached their last step: so far they were not trained equally long.");
  if (spec.run.model.tied)
    lines << no + Words::tr("The head is tied: the norm of the word gradient contains the head's part.");
  return lines.join(QLatin1Char('\n'));
}

}  // namespace posiscope::ui
