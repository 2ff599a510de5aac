// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/run.h"

#include "core/heads/kinds.h"
#include "core/random.h"
#include "core/train/evaluate.h"
#include "core/train/initial.h"
#include "core/train/metrics/head_scores.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace posiscope::train {
namespace {

double rootMeanSquareLength(std::span<const float> numbers, std::int64_t width) {
  double sum = 0;
  for (const float x : numbers) sum += static_cast<double>(x) * static_cast<double>(x);
  return numbers.empty() ? 0 : std::sqrt(sum / (static_cast<double>(numbers.size()) / static_cast<double>(width)));
}

/// Examples whose mean a head's scores are.
constexpr std::int64_t examples_of_heads = 8;

/// The kind of one head by what it does in the first sequence.
std::string kindOf(const Model<float>& model, std::int64_t length, const HeadScores& head) {
  Shape shape;
  shape.seq_len = length;
  Mask mask;
  mask.causal = model.spec().causal;
  const heads::Thresholds thresholds;
  const std::span<const float> weights = model.attention(head.layer, 0, head.head);
  const Rows<float> rows{weights.data(), length, length};
  return heads::kindId(heads::decideKind(heads::headMetrics(rows, mask, shape, thresholds), thresholds).kind);
}

/// Of the tables that are added to the words; 0 where there is none or it is not learned.
double positionRow(const Model<float>& model) {
  for (const Parameter& p : model.layout().parameters)
    if (p.name == "pe.table" && p.shape.back() == model.spec().d_model)
      return rootMeanSquareLength(
          model.parameters().subspan(static_cast<std::size_t>(p.offset), static_cast<std::size_t>(p.size())),
          model.spec().d_model);
  return 0;
}

}  // namespace

Expected<RunSpec> completed(RunSpec spec, const Task& task) {
  spec.model.vocab = task.vocab();
  spec.model.classes = task.classes();
  spec.model.zero_words = spec.task.kind == TaskKind::index;
  if (const TaskSize size = sizeOf(spec.task); size.grid) {
    spec.model.grid_height = size.grid->height;
    spec.model.grid_width = size.grid->width;
  }
  const Schedule& s = spec.schedule;
  if (s.random_low > s.random_high)
    return fail(ErrorCode::out_of_range,
                join("train: random_low must be at most random_high ", s.random_high, ", got ", s.random_low),
                join("train：random_low 不能超过 random_high ", s.random_high, "，得到 ", s.random_low));
  if (s.random_low > 0 && (spec.task.kind == TaskKind::image || spec.task.kind == TaskKind::modular))
    return fail(ErrorCode::not_supported, "train: images and modular arithmetic have one length; random_low must be 0",
                "train：图像和模运算的长度固定；random_low 必须是 0");
  return spec;
}

TrainingRun::TrainingRun(RunSpec spec, std::shared_ptr<const Task> task, Model<float> model)
    : spec_(std::move(spec)),
      task_(std::move(task)),
      model_(std::make_unique<Model<float>>(std::move(model))),
      optimiser_(std::make_unique<Optimiser<float>>(spec_.optimiser, model_->layout(), spec_.schedule.steps)) {
  setInitial(model_->layout(), spec_.seed, model_->parameters());
  history_.steps.reserve(static_cast<std::size_t>(spec_.schedule.steps));
  history_.evaluations.reserve(static_cast<std::size_t>(spec_.schedule.steps / spec_.schedule.evaluate_every + 2));
}

Expected<TrainingRun> TrainingRun::create(const RunSpec& asked) {
  auto task = makeTask(asked.task, asked.model.causal);
  if (!task) return fail(task.error());
  const Expected<RunSpec> spec = completed(asked, **task);
  if (!spec) return fail(spec.error());
  TaskSize longest = sizeOf(spec->task);
  if (spec->schedule.random_low > 0) longest.length = spec->schedule.random_high;
  for (const Split split : {Split::train, Split::evaluation})
    if (Outcome ok = (*task)->check(split == Split::train ? longest : sizeOf(spec->task), split); !ok)
      return fail(ok.error());
  Expected<Model<float>> model = Model<float>::create(spec->model);
  if (!model) return fail(model.error());
  TrainingRun run(*spec, std::move(*task), std::move(*model));
  // What the encoding refuses is told before the first step, not at it.
  fillBatch(*run.task_, run.spec_.task, Split::train, run.spec_.data_seed, 0, run.spec_.schedule.batch, longest,
            run.batch_);
  if (Outcome ok = run.model_->forward(run.batch_); !ok) return fail(ok.error());
  return run;
}

TaskSize TrainingRun::sizeOfStep() const {
  TaskSize size = sizeOf(spec_.task);
  const Schedule& s = spec_.schedule;
  if (s.random_low > 0)
    size.length = s.random_low +
                  static_cast<std::int64_t>(Stream(spec_.data_seed, "train/length")
                                                .below(static_cast<std::uint64_t>(s.random_high - s.random_low + 1),
                                                       static_cast<std::uint64_t>(step()), 0));
  return size;
}

Outcome TrainingRun::advance() {
  const Schedule& s = spec_.schedule;
  const TaskSize size = sizeOfStep();
  fillBatch(*task_, spec_.task, Split::train, spec_.data_seed, step() * s.batch, s.batch, size, batch_);
  if (Outcome ok = model_->forward(batch_); !ok) return ok;
  const BatchLoss loss = model_->loss(batch_);
  model_->backward(batch_);
  const StepFacts facts = optimiser_->step(model_->gradient(), model_->parameters());
  model_->clampPosition();
  history_.steps.push_back({step(), batch_.length, loss.loss, loss.accuracy(), facts});
  return {};
}

bool TrainingRun::isEvaluationDue() const { return step() % spec_.schedule.evaluate_every == 0 || isFinished(); }

bool TrainingRun::isSnapshotDue() const {
  return spec_.schedule.snapshots &&
         (isFinished() || step() == 0 || std::has_single_bit(static_cast<std::uint64_t>(step())));
}

Outcome TrainingRun::evaluate(const Job& job) {
  const Expected<Evaluation> found = train::evaluate(*model_, *task_, spec_.task, spec_.data_seed,
                                                     spec_.schedule.evaluate_count, sizeOf(spec_.task), job);
  if (!found) return fail(found.error());
  const auto words = static_cast<std::size_t>(model_->layout().parameters.front().size());
  history_.evaluations.push_back({step(), found->loss, found->accuracy,
                                  rootMeanSquareLength(model_->parameters().first(words), model_->spec().d_model),
                                  positionRow(*model_)});
  return {};
}

Outcome TrainingRun::recordHeads() {
  const std::int64_t count = std::min(examples_of_heads, spec_.schedule.evaluate_count);
  const Batch batch = makeBatch(*task_, spec_.task, Split::evaluation, spec_.data_seed, 0, count, sizeOf(spec_.task));
  if (Outcome ok = model_->forward(batch); !ok) return ok;
  // Only there the token after the last time this one stood is the answer.
  const bool periodic = spec_.task.kind == TaskKind::induction;
  for (const HeadScores& s : headScores(*model_, batch))
    history_.heads.push_back({step(), s.layer, s.head, s.previous_token,
                              periodic ? s.induction : std::numeric_limits<double>::quiet_NaN(),
                              kindOf(*model_, batch.length, s)});
  return {};
}

Outcome TrainingRun::startFrom(const Model<float>& other) {
  const auto same = [](const Parameter& a, const Parameter& b) { return a.name == b.name && a.shape == b.shape; };
  if (!std::ranges::equal(other.layout().parameters, model_->layout().parameters, same))
    return fail(ErrorCode::bad_shape, "train: a fine-tune needs the parameters of the model it starts from",
                "train：微调所需的参数必须与其起始模型相同");
  std::ranges::copy(other.parameters(), model_->parameters().begin());
  return {};
}

void TrainingRun::restore(std::int64_t steps, std::span<const float> parameters, std::span<const float> first,
                          std::span<const float> second, History history) {
  std::copy(parameters.begin(), parameters.end(), model_->parameters().begin());
  optimiser_->restore(steps, first, second);
  history.steps.reserve(static_cast<std::size_t>(spec_.schedule.steps));
  history_ = std::move(history);
}

}  // namespace posiscope::train
