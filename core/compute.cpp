// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compute.h"

#include "core/measures/list.h"

#include <chrono>
#include <utility>

namespace posiscope {
namespace {

Question questionOf(const MeasureRequest& measure, const SchemeChoice& scheme, const Experiment& experiment,
                    bool draft) {
  Question question{measure.id,       measure.options,    scheme, experiment.shape, experiment.content,
                    experiment.mask, experiment.train_length, draft};
  // What a scheme is called and how it is coloured does not change the numbers: equal questions stay equal.
  question.scheme.label.clear();
  question.scheme.colour = 0;
  return question;
}

const Answer* findAnswer(const Result* previous, const Question& question) {
  if (!previous) return nullptr;
  for (const std::vector<Answer>& row : previous->answers)
    for (const Answer& answer : row)
      if (answer.question == question) return &answer;
  return nullptr;
}

Expected<std::shared_ptr<const Dataset>> answerOf(const Question& question, const Job& job) {
  const Measure* measure = measures::find(question.measure);
  if (!measure) {
    std::string known;
    for (const Measure& m : measures::catalogue()) known += (known.empty() ? "" : ", ") + m.id;
    return fail(ErrorCode::unknown_name, join("there is no measure '", question.measure, "'; known: ", known),
                join("没有度量“", question.measure, "”；可用：", known));
  }
  Expected<Dataset> dataset = measure->compute(question, job);
  if (!dataset) return fail(std::move(dataset.error()));
  // The search for the limits belongs to this thread, not to the one that paints.
  for (const Map& map : dataset->maps) map.field->limits();
  return std::make_shared<const Dataset>(std::move(*dataset));
}

}  // namespace

Expected<std::shared_ptr<const Result>> compute(const Request& request, const Job& job, const Result* previous) {
  const auto start = std::chrono::steady_clock::now();
  auto result = std::make_shared<Result>();
  result->request = request;
  for (const MeasureRequest& measure : request.measures) {
    std::vector<Answer>& row = result->answers.emplace_back();
    for (const SchemeChoice& scheme : request.experiment.schemes) {
      Question question = questionOf(measure, scheme, request.experiment, request.draft);
      if (!scheme.visible) {
        row.push_back({std::move(question), std::shared_ptr<const Dataset>{}});
        continue;
      }
      const Answer* known = findAnswer(previous, question);
      if (!known) known = findAnswer(result.get(), question);  // the same scheme twice, the same measure in two tiles
      if (known) {
        Answer shared = *known;  // a copy first: `known` may live in `row`
        row.push_back(std::move(shared));
        continue;
      }
      if (job.stopped()) return fail(ErrorCode::cancelled, "the computation was stopped", "计算已停止");
      auto dataset = answerOf(question, job);
      if (!dataset && dataset.error().code == ErrorCode::cancelled) return fail(std::move(dataset.error()));
      row.push_back({std::move(question), std::move(dataset)});
    }
  }
  result->milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return std::shared_ptr<const Result>(std::move(result));
}

}  // namespace posiscope
