// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/results_csv.h"

#include "core/files/reader.h"

#include <cmath>

namespace posiscope::train {
namespace {

std::string cell(double value) { return std::isfinite(value) ? join(value) : std::string(); }

}  // namespace

std::string stepsCsv(const History& history) {
  std::string text = "step,length,loss,accuracy,gradient_norm,clip,lr,position_gradient_norm,word_gradient_norm\n";
  for (const StepRecord& s : history.steps)
    text +=
        join(s.step, ",", s.length, ",", cell(s.loss), ",", s.accuracy, ",", cell(s.facts.norm), ",",
             cell(s.facts.clip), ",", s.facts.lr, ",", cell(s.facts.position_norm), ",", cell(s.facts.word_norm), "\n");
  return text;
}

std::string evaluationsCsv(const History& history) {
  std::string text = "step,loss,accuracy,word_row_norm,position_row_norm\n";
  for (const EvaluationRecord& e : history.evaluations)
    text += join(e.step, ",", cell(e.loss), ",", e.accuracy, ",", cell(e.word_row), ",", cell(e.position_row), "\n");
  return text;
}

std::string headsCsv(const History& history) {
  std::string text = "step,layer,head,previous_token,induction,kind\n";
  for (const HeadRecord& h : history.heads)
    text +=
        join(h.step, ",", h.layer, ",", h.head, ",", cell(h.previous_token), ",", cell(h.induction), ",", h.kind, "\n");
  return text;
}

std::string lengthsCsv(const Results& results) {
  std::string text = "factor,scaling,length,loss,accuracy,last_eighth_loss\n";
  for (const LengthPoint& p : results.lengths) {
    text += join(p.factor, ",", p.scaling, ",");
    text += p.found ? join(p.found->length, ",", cell(p.found->loss), ",", p.found->accuracy, ",",
                           cell(p.found->last_eighth), "\n")
                    : std::string(",,,\n");
  }
  return text;
}

std::string fineTuneCsv(const Results& results) {
  std::string text = "scaling,step,loss,accuracy,last_eighth_loss\n";
  for (const FineTuneCurve& curve : results.fine_tune)
    for (const FineTunePoint& p : curve.points)
      text += join(curve.scaling, ",", p.step, ",", cell(p.loss), ",", p.accuracy, ",", cell(p.last_eighth), "\n");
  return text;
}

Outcome writeTables(const TrainingRun& run, const Results& results, const std::string& folder) {
  const History& history = run.history();
  const auto write = [&](const char* name, const std::string& text) {
    return files::writeAtomically(folder + "/" + name, text);
  };
  if (Outcome ok = write("steps.csv", stepsCsv(history)); !ok) return ok;
  if (Outcome ok = write("evaluations.csv", evaluationsCsv(history)); !ok) return ok;
  if (Outcome ok = write("heads.csv", headsCsv(history)); !ok) return ok;
  if (Outcome ok = write("lengths.csv", lengthsCsv(results)); !ok) return ok;
  return results.fine_tune.empty() ? Outcome{} : write("fine_tune.csv", fineTuneCsv(results));
}

}  // namespace posiscope::train
