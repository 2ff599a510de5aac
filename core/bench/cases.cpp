// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bench/cases.h"

#include "core/compute.h"
#include "core/measures/axes.h"

namespace posiscope::bench {

Expected<std::shared_ptr<const Dataset>> ask(const Question& question, const Job& job) {
  Request request;
  request.experiment.shape = question.shape;
  request.experiment.content = question.content;
  request.experiment.mask = question.mask;
  request.experiment.schemes = {question.scheme};
  request.measures = {{question.measure, question.options}};
  request.draft = question.draft;
  const Expected<std::shared_ptr<const Result>> result = compute(request, job);
  if (!result) return fail(result.error());
  const auto& dataset = (*result)->answers.front().front().dataset;
  if (dataset && !(*dataset)->nothing.en.empty())
    return fail(ErrorCode::not_supported, (*dataset)->nothing.en, (*dataset)->nothing.zh);
  return dataset;
}

Figure without(Figure figure, Text reason) {
  figure.missing = std::move(reason);
  return figure;
}

Figure without(Figure figure, const Error& error) {
  if (error.code == ErrorCode::cancelled)
    return without(std::move(figure), {"stopped before it was finished", "未完成即停止"});
  return without(std::move(figure), error.message);
}

Figure wrong(Figure figure, double error, double allowed) {
  figure.error = error;
  figure.met = false;
  return without(std::move(figure), {join("wrong: off by ", error, ", allowed ", allowed),
                                     join("结果错误：误差 ", error, "，允许 ", allowed)});
}

Question varied(Question question, const std::string& key, double start, int turn) {
  question.scheme.values[key] = start + turn;
  return question;
}

std::string grouped(std::int64_t count) { return measures::readable(static_cast<double>(count)); }

}  // namespace posiscope::bench
