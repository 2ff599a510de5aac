// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify.h"

#include "core/aliases.h"
#include "core/files/json_text.h"
#include "core/files/reader.h"
#include "core/steps.h"
#include "core/verify/case_words.h"
#include "core/verify/compare.h"
#include "core/verify/quantity.h"
#include "core/verify/training.h"

#include <algorithm>

namespace posiscope::verify {
namespace {

/// A quantity may list a scheme under another of its names ("sin" is sinusoidal). A name that says more than the scheme
/// ("rope_dual") is a form of its own: only quantities that list it have it.
const Quantity* quantityOf(const Case& c) {
  if (const Quantity* q = findQuantity(c.scheme, c.key)) return q;
  const Expected<ResolvedScheme> ours = resolveScheme(c.scheme);
  return ours && !c.scheme.starts_with(ours->id + "_") ? findQuantity(ours->id, c.key) : nullptr;
}

/// What stands in a case that the quantity does not know; empty when it knows everything.
std::string unknownPart(const Case& c, const Quantity& q) {
  for (const auto& [key, value] : c.params.items())
    if (std::ranges::find(q.params, key) == q.params.end()) return join("the parameter '", key, "'");
  for (const auto& [name, path] : c.inputs)
    if (std::ranges::find(q.inputs, name) == q.inputs.end()) return join("the input '", name, "'");
  if (c.positions && !q.positions) return "a list of positions";
  return {};
}

/// A refusal counts as the right answer only when it is about the question, not about reading the files.
bool isRefusal(ErrorCode code) {
  return code == ErrorCode::bad_value || code == ErrorCode::out_of_range || code == ErrorCode::bad_shape ||
         code == ErrorCode::too_large || code == ErrorCode::not_defined || code == ErrorCode::past_table;
}

void finish(CaseReport& report, State state, std::string note = {}) {
  report.state = state;
  report.note = std::move(note);
}

/// Which line of the case's tolerances fits what was computed.
Tolerance chooseLine(const Case& c, const Answer& answer, bool in_double, CaseReport& report) {
  if (c.exact) {
    report.line = "exact";
    return {};
  }
  if (in_double) {
    report.line = "f64";
    return *c.f64;
  }
  report.line = answer.product ? "f32_naive" : "f32";
  return answer.product ? *c.f32_naive : *c.f32;
}

void compareAnswer(const Case& c, const Answer& answer, bool in_double, CaseReport& report) {
  const Expected<Array> reference = files::readNpy(c.file);
  if (!reference) return finish(report, State::failed, reference.error().message.en);
  for (const auto& [name, value] : c.scalars)
    if (!answer.scalars.contains(name))
      return finish(report, State::unsupported, join("the expected scalar '", name, "' is not supported"));
  const Comparison array = compareArrays(answer.array, *reference, chooseLine(c, answer, in_double, report), c.exact);
  const Comparison scalars = compareScalars(answer.scalars, c.scalars);
  const Comparison& worst = array.equal ? (scalars.equal ? array : scalars) : array;
  report.largest_error = worst.error;
  report.tolerance = worst.tolerance;
  finish(report, worst.equal ? State::passed : State::failed, worst.note);
}

CaseReport runCase(const Case& given, const Options& options, const Job& job) {
  CaseReport report{given.id, given.scheme, given.key, State::unsupported, 0, 0, "", "", ""};
  if (given.problem) {
    finish(report, State::failed, given.problem->message.en);
    return report;
  }
  const Quantity* q = quantityOf(given);
  if (!q) {
    finish(report, State::unsupported,
           join("the quantity '", given.quantity, "' of '", given.scheme, "' is not supported"));
    return report;
  }
  const Case c = inWordsOf(*q, given);
  if (const std::string unknown = unknownPart(c, *q); !unknown.empty()) {
    finish(report, State::unsupported, unknown + " is not supported");
    return report;
  }
  const auto answerIn = [&](bool in_double) {
    CaseReader reader(c);
    return (in_double ? q->double_ : q->single)(reader, job);
  };
  bool in_double = options.precision == Precision::double_;
  Expected<Answer> answer = answerIn(in_double);
  // Where rounding is part of the definition the manifest has no line for float sums: the case needs double inside.
  if (answer && answer->product && !in_double && !c.exact && !c.refusal && !c.f32_naive) {
    answer = answerIn(true);
    if (answer) answer->product = false;
    report.kernel = "double";
  }
  if (report.kernel.empty()) report.kernel = in_double ? "double" : "float";
  if (!answer && answer.error().code == ErrorCode::not_supported)
    finish(report, State::unsupported, answer.error().message.en);
  else if (c.refusal) {
    report.line = "refusal";
    if (answer)
      finish(report, State::failed, "the right answer is a refusal, but a result was computed");
    else
      finish(report, isRefusal(answer.error().code) ? State::passed : State::failed, answer.error().message.en);
  } else if (!answer)
    finish(report, State::failed, answer.error().message.en);
  else
    compareAnswer(c, *answer, in_double, report);
  return report;
}

}  // namespace

bool isMeant(const std::string& name, const std::string& scheme) {
  if (name == scheme) return true;
  const Expected<ResolvedScheme> asked = resolveScheme(name);
  const Expected<ResolvedScheme> ours = resolveScheme(scheme);
  return asked && ours && asked->id == ours->id && !name.starts_with(asked->id + "_");
}

bool isChosen(const std::string& scheme, const std::vector<std::string>& names) {
  return names.empty() || std::ranges::any_of(names, [&](const std::string& name) { return isMeant(name, scheme); });
}

Expected<Report> run(const std::string& manifest_path, const Options& options, const Job& job,
                     const std::function<void(const CaseReport&)>& each) {
  const Expected<std::string> text = files::readText(manifest_path);
  if (!text) return fail(text.error());
  const Expected<files::JsonText> document = files::parseJson(*text, manifest_path);
  if (!document) return fail(document.error());
  if (isTrainingManifest(document->root)) return runTraining(document->root, manifest_path, options, job, each);
  const Expected<std::vector<Case>> cases = readManifest(document->root, manifest_path);
  if (!cases) return fail(cases.error());
  const auto stopped = [] { return fail(ErrorCode::cancelled, "verify: cancelled", "核对：已取消"); };
  Report report;
  Steps steps(job, cases->size());
  for (const Case& c : *cases) {
    const Job step = steps.next();
    if (job.stopped()) return stopped();
    if (!isChosen(c.scheme, options.schemes)) continue;
    report.cases.push_back(runCase(c, options, step));
    if (job.stopped()) return stopped();  // half a case says nothing
    step.setProgress(1);
    const CaseReport& last = report.cases.back();
    report.passed += last.state == State::passed;
    report.failed += last.state == State::failed;
    report.unsupported += last.state == State::unsupported;
    if (each) each(last);
  }
  return report;
}

}  // namespace posiscope::verify
