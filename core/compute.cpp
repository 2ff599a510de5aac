// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compute.h"

#include "core/formula_rows.h"
#include "core/measures/axes.h"
#include "core/measures/encoded.h"
#include "core/measures/list.h"
#include "core/missing_file.h"
#include "core/near_names.h"
#include "core/pooled_queries.h"
#include "core/steps.h"
#include "core/token_labels.h"
#include "core/token_names.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace posiscope {
namespace {

Question questionOf(const MeasureRequest& measure, const SchemeChoice& scheme, const Experiment& experiment,
                    bool draft) {
  Question question{measure.id,      measure.options,         scheme, experiment.shape, experiment.content,
                    experiment.mask, experiment.train_length, draft};
  // What a scheme is called, how it is coloured and what its session keeps, or its model said, do not change the
  // numbers: equal questions stay equal.
  question.scheme.label.clear();
  question.scheme.colour = 0;
  question.scheme.kept.clear();
  question.scheme.model_values.reset();
  return question;
}

const Answer* findAnswer(const Result* previous, const Question& question) {
  if (!previous) return nullptr;
  for (const std::vector<Answer>& row : previous->answers)
    for (const Answer& answer : row)
      if (answer.question == question) return &answer;
  return nullptr;
}

/// What is known of a question; where a draft would do, the full answer is better.
const Answer* findKnown(const Result* previous, const Question& question) {
  if (question.draft) {
    Question full = question;
    full.draft = false;
    if (const Answer* known = findAnswer(previous, full)) return known;
  }
  return findAnswer(previous, question);
}

/// What the encoding itself says about its values stands beside whatever is measured.
void addWarnings(Dataset& dataset, const Question& question) {
  const Expected<measures::EncodingPtr> encoding = measures::encodingOf(question);
  if (!encoding) return;
  for (const Text& warning : (*encoding)->warnings) dataset.remarks.push_back({Verdict::warning, warning});
}

/// Are the rows those of tokens? A table of positions has a row for each place, whatever token stands there and
/// whichever layer reads it.
bool isOfTokens(const Map& map) {
  // Queries of a coarser grid have names, but are no tokens.
  return map.rows.names != nullptr && map.rows.unit == "tokens" && map.rows.name != measures::positionAxis({}).name;
}

bool hasMetric(const Dataset& dataset, const char* key) {
  return std::ranges::find(dataset.metrics, key, &Metric::key) != dataset.metrics.end();
}

/// Puts it before the scope.
void scopeFirst(Dataset& dataset, const Text& part) {
  if (part.en.empty()) return;
  const bool more = !dataset.scope.en.empty();
  dataset.scope = {part.en + (more ? " · " + dataset.scope.en : ""), part.zh + (more ? " · " + dataset.scope.zh : "")};
}

/// Which layer of attention that another program stored; empty where it has one only.
Text dumpScope(const Question& question) {
  if (question.content.source != ContentSource::attention || question.shape.num_layers < 2) return {};
  return {join("layer ", question.shape.layer), join("第 ", question.shape.layer, " 层")};
}

/// Where queries of another sequence stand: every offset and distance depends on it, and no file tells.
Text ownQueriesScope(const Question& question) {
  const Shape& shape = question.shape;
  if (!hasOwnQueries(question.content, question.mask, shape)) return {};
  return {join("the ", shape.queries(), " queries count as the last of ", shape.keys(), " positions"),
          join(shape.queries(), " 个查询按 ", shape.keys(), " 个位置中的最后几个计")};
}

/// Queries of a coarser grid than that of the keys; none where another program stored the attention, in which the
/// scheme plays no part.
std::optional<PooledQueries> pooledBy(const Question& question, FiguresOf figures) {
  if (figures == FiguresOf::attention && question.content.source == ContentSource::attention) return std::nullopt;
  if (figures == FiguresOf::model) return std::nullopt;
  const Expected<measures::EncodingPtr> encoding = measures::encodingOf(question);
  return encoding ? pooledQueries(**encoding, question.shape) : std::nullopt;
}

/// Labels such queries, and says where they stand. Figures of whole heads take each of them for a token.
void addPooled(Dataset& dataset, const Question& question, FiguresOf figures) {
  const std::optional<PooledQueries> pooled = pooledBy(question, figures);
  if (!pooled) return;
  const bool of_one = dataset.x.symbol == measures::keyAxis({}).symbol;  // a query's row
  if (labelPooled(dataset, *pooled, question.shape) || of_one) return scopeFirst(dataset, pooled->place());
  if (figures != FiguresOf::attention || dataset.properties.empty()) return;
  const Shape& shape = question.shape;
  scopeFirst(dataset,
             {join("the ", shape.queries(), " pooled queries count as the last of ", shape.keys(), " positions"),
              join(shape.queries(), " 个池化查询按 ", shape.keys(), " 个位置中的最后几个计")});
}

/// Which tokens the attention is of, or which model and layer, and which of them are padding, stands before how much of
/// it; which part of it before all: where room is short, the end is cut.
void addContent(Dataset& dataset, const Question& question, FiguresOf figures) {
  const bool all_layers = hasMetric(dataset, "layers") || figures == FiguresOf::model;
  if (figures == FiguresOf::attention) {
    scopeFirst(dataset, paddingScope(question.mask, question.shape));
    scopeFirst(dataset, ownQueriesScope(question));
    if (!all_layers) scopeFirst(dataset, dumpScope(question));
    if (Text excess = excessLabels(question.content, question.mask, question.shape); !excess.en.empty())
      dataset.remarks.push_back({Verdict::warning, std::move(excess)});
  }
  const bool of_tokens = std::ranges::any_of(dataset.maps, isOfTokens);
  if (of_tokens || (figures != FiguresOf::encoding && dataset.nothing.en.empty())) {
    Text content = modelScope(question.content, question.shape, all_layers);
    // A sentence that is said again has a period of its own: figures without a token beside them need it the more.
    if (content.en.empty()) content = repeatScope(question.content, question.shape);
    scopeFirst(dataset, content);
  }
  scopeFirst(dataset, dataset.part);
}

Outcome checkFiles(const SchemeChoice& scheme) {
  for (const auto& [key, value] : scheme.values)
    if (Outcome found = checkFound({scheme.id, scheme.id}, key, value); !found) return found;
  return {};
}

/// A typed formula has its time for one question, and says afterwards what went wrong while its table was read.
class FormulaTurn {
 public:
  explicit FormulaTurn(const Question& question) {
    if (question.scheme.id != "own") return;  // no other scheme computes what a person typed
    const Expected<measures::EncodingPtr> encoding = measures::encodingOf(question);
    if (!encoding) return;  // the measure says why
    encoding_ = *encoding;
    rows_ = formulaRowsOf(encoding_->input);
    if (rows_) rows_->begin();
  }
  ~FormulaTurn() {
    if (rows_) rows_->end();
  }
  FormulaTurn(const FormulaTurn&) = delete;
  FormulaTurn& operator=(const FormulaTurn&) = delete;
  Outcome failure() const { return rows_ ? rows_->failure() : Outcome{}; }

 private:
  measures::EncodingPtr encoding_;
  const FormulaRows* rows_ = nullptr;
};

Expected<std::shared_ptr<const Dataset>> answerOf(const Question& question, const Job& job) {
  const Measure* measure = measures::find(question.measure);
  if (!measure) {
    std::vector<std::string> ids;
    for (const Measure& m : measures::catalogue()) ids.push_back(m.id);
    const Text known = knownNames(question.measure, ids);
    return fail(ErrorCode::unknown_name, join("there is no measure '", question.measure, "'", known.en),
                join("没有度量“", question.measure, "”", known.zh));
  }
  if (Outcome found = checkFiles(question.scheme); !found) return fail(std::move(found.error()));
  const FormulaTurn turn(question);
  Expected<Dataset> dataset = measure->compute(question, job);
  if (!dataset) return fail(std::move(dataset.error()));
  addPooled(*dataset, question, measure->figures);
  addWarnings(*dataset, question);
  nameTokens(*dataset, question.content, question.mask, question.shape);
  addContent(*dataset, question, measure->figures);
  // The search for the limits belongs to this thread, not to the one that paints.
  for (const Map& map : dataset->maps) map.field->limits();
  if (Outcome ok = turn.failure(); !ok) return fail(std::move(ok.error()));
  return std::make_shared<const Dataset>(std::move(*dataset));
}

/// Answers that are still to be computed; equal questions stand together and are computed once (the same scheme
/// twice, the same measure in two tiles).
using Open = std::vector<std::vector<Answer*>>;

/// Puts every question of the request into `result`, with the answer where it is known.
Open pose(const Request& request, const Result* previous, Result& result) {
  for (const MeasureRequest& measure : request.measures) {
    std::vector<Answer>& row = result.answers.emplace_back();
    for (const SchemeChoice& scheme : request.experiment.schemes)
      row.push_back({questionOf(measure, scheme, request.experiment, request.draft), std::shared_ptr<const Dataset>{}});
  }
  Open open;
  for (std::vector<Answer>& row : result.answers)
    for (Answer& answer : row) {
      if (!answer.question.scheme.visible) continue;
      if (const Answer* known = findKnown(previous, answer.question)) {
        answer = *known;
        continue;
      }
      const auto equal = std::ranges::find_if(
          open, [&](const std::vector<Answer*>& group) { return group.front()->question == answer.question; });
      if (equal == open.end())
        open.push_back({&answer});
      else
        equal->push_back(&answer);
    }
  return open;
}

}  // namespace

Expected<std::shared_ptr<const Result>> compute(const Request& request, const Job& job, const Result* previous) {
  const auto start = std::chrono::steady_clock::now();
  auto result = std::make_shared<Result>();
  result->request = request;
  const Open open = pose(request, previous, *result);
  Steps steps(job, open.size());
  for (const std::vector<Answer*>& group : open) {
    const Job step = steps.next();
    if (job.stopped()) return fail(ErrorCode::cancelled, "the computation was stopped", "计算已停止");
    auto dataset = answerOf(group.front()->question, step);
    if (!dataset && dataset.error().code == ErrorCode::cancelled) return fail(std::move(dataset.error()));
    // Where there was nothing to leave out the draft is the full answer, and need not be computed a second time.
    const bool reduced = group.front()->question.draft && !(dataset && !(*dataset)->draft);
    for (Answer* answer : group) {
      answer->dataset = dataset;
      answer->question.draft = reduced;
    }
    step.setProgress(1);  // quick measures report nothing themselves
  }
  job.setProgress(1);
  result->milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return std::shared_ptr<const Result>(std::move(result));
}

}  // namespace posiscope
