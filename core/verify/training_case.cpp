// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/training_case.h"

#include "core/train/metrics/position_losses.h"
#include "core/train/metrics/ridge_probe.h"
#include "core/train/model.h"
#include "core/train/optimiser.h"
#include "core/verify/training_config.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace posiscope::verify {
namespace {

using nlohmann::json;
using train::Batch;

template <class T>
std::vector<double> doublesOf(std::span<const T> numbers) {
  return {numbers.begin(), numbers.end()};
}

std::span<const double> spanOf(const Array& array) { return {array.data(), static_cast<std::size_t>(array.size())}; }

/// Whole numbers that fit a token or a target. Error: bad_value.
Outcome checkTokens(const Array& array) {
  const auto isToken = [](double x) { return x >= -1 && x <= 1 << 20 && x == std::floor(x); };
  if (array.empty() || std::ranges::all_of(*array.values, isToken)) return {};
  return fail(ErrorCode::bad_value, "tokens and targets must be whole numbers from -1");
}

/// The batches of a case, one after the other in two files.
struct Batches {
  Array tokens, targets;
  std::optional<Grid> grid;

  std::int64_t count() const { return tokens.shape.at(0); }
  Batch at(std::int64_t number) const {
    Batch batch{tokens.shape.at(1), tokens.shape.at(2), grid, {}, {}};
    for (std::int64_t r = number * batch.rows(); r < (number + 1) * batch.rows(); ++r) {
      batch.tokens.push_back(static_cast<std::int32_t>(tokens.data()[r]));
      batch.targets.push_back(static_cast<std::int32_t>(targets.data()[r]));
    }
    return batch;
  }
};

/// A case of the manifest on its way through the model.
template <class T>
class ModelCase {
 public:
  ModelCase(TrainingJudge& judge, const json& root, const json& c) : judge_(judge), root_(root), case_(c) {}

  Outcome judge(const Job& job) {
    for (const Outcome& ok : {makeModel(), readBatches()})
      if (!ok) return ok;
    using Part = Outcome (ModelCase::*)();
    for (const Part part :
         {&ModelCase::judgeStart, &ModelCase::judgeProbe, &ModelCase::judgeLong, &ModelCase::judgeRuns})
      if (Outcome ok = job.stopped() ? Outcome() : (this->*part)(); !ok) return ok;
    return {};
  }

 private:
  Outcome makeModel() {
    const Expected<train::ModelSpec> spec = modelOf(case_.at("config"));
    if (!spec) return fail(spec.error());
    Expected<train::Model<T>> model = train::Model<T>::create(*spec);
    if (!model) return fail(model.error());
    model_.emplace(std::move(*model));
    start_.resize(model_->parameters().size());
    const json& base = root_.at("init_base");
    const Expected<Array> numbers = judge_.array(base.at("file"));
    if (!numbers) return fail(numbers.error());
    const train::Layout& layout = model_->layout();
    const json& listed = case_.at("params");
    for (const train::Parameter& p : layout.parameters) {
      const auto number = static_cast<std::size_t>(&p - layout.parameters.data());
      if (listed.at(number).at(0) != p.name || listed.at(number).at(2) != p.offset ||
          listed.at(number).at(1) != p.shape)
        return fail(ErrorCode::bad_shape, join("the parameter ", p.name, " of shape ", shapeText(p.shape), " at ",
                                               p.offset, " is not what the manifest lists there"));
      for (const json& b : base.at("params")) {
        if (b.at(0) != p.name) continue;
        const auto from = b.at(2).get<std::int64_t>();
        if (from < 0 || from > numbers->size() - p.size())
          return fail(ErrorCode::bad_shape, join("the start values of ", p.name, " are not in their file"));
        std::copy_n(numbers->data() + from, p.size(), start_.begin() + p.offset);
      }
    }
    if (case_.contains("init_position")) {
      const Expected<Array> position = judge_.array(case_.at("init_position"));
      if (!position) return fail(position.error());
      if (position->size() != layout.positionSize())
        return fail(ErrorCode::bad_shape, join("init_position has ", position->size(), " numbers, the encoding ",
                                               layout.positionSize(), " parameters"));
      std::copy_n(position->data(), position->size(), start_.begin() + layout.position);
    }
    return {};
  }

  Outcome readBatches() {
    Expected<Array> tokens = judge_.array(case_.at("tokens"));
    Expected<Array> targets = judge_.array(case_.at("targets"));
    if (!tokens) return fail(tokens.error());
    if (!targets) return fail(targets.error());
    if (tokens->rank() != 3 || tokens->shape != targets->shape)
      return fail(ErrorCode::bad_shape, join("tokens and targets must be (batches, B, L), got ",
                                             shapeText(tokens->shape), " and ", shapeText(targets->shape)));
    for (const Array* array : {&*tokens, &*targets})
      if (Outcome ok = checkTokens(*array); !ok) return ok;
    batches_ = {*tokens, *targets, gridOf()};
    for (const json* asked : {&case_, case_.contains("second_run") ? &case_.at("second_run") : &case_})
      if (static_cast<std::int64_t>(asked->at("run").size()) > batches_.count())
        return fail(ErrorCode::bad_shape, join("there are ", batches_.count(), " batches, the run has more steps"));
    return {};
  }
  std::optional<Grid> gridOf() const {
    const train::ModelSpec& spec = model_->spec();
    return spec.grid_height > 0 ? std::optional(Grid{spec.grid_height, spec.grid_width}) : std::nullopt;
  }
  void toStart() { std::copy(start_.begin(), start_.end(), model_->parameters().begin()); }

  /// Batch 0 at the start values.
  Outcome judgeStart() {
    toStart();
    const auto number = case_.at("batch").get<std::int64_t>();
    if (number < 0 || number >= batches_.count())
      return fail(ErrorCode::out_of_range, join("batch must be 0 to ", batches_.count() - 1, ", got ", number));
    const Batch batch = batches_.at(number);
    if (Outcome ok = model_->forward(batch); !ok) return ok;
    if (Outcome ok = compareFile("logits", case_.at("logits"), model_->logits(), "logits"); !ok) return ok;
    if (case_.contains("attention")) {
      std::vector<double> found;
      for (std::int64_t l = 0; l < model_->spec().num_layers; ++l)
        for (std::int64_t h = 0; h < model_->spec().num_heads; ++h)
          for (const T weight : model_->attention(l, 0, h)) found.push_back(static_cast<double>(weight));
      const Expected<Array> right = judge_.array(case_.at("attention"));
      if (!right) return fail(right.error());
      judge_.compare("attention", found, spanOf(*right), judge_.tolerance("logits"));
    }
    const train::BatchLoss loss = model_->loss(batch);
    judge_.compare("loss", {&loss.loss, 1}, std::array{case_.at("loss").get<double>()}, judge_.tolerance("loss"));
    if (case_.contains("accuracy"))
      judge_.compare("accuracy", std::array{loss.accuracy()}, std::array{case_.at("accuracy").get<double>()},
                     {0, 1e-12});
    judgePositionLosses(batch);
    model_->backward(batch);
    return judgeTensors("grad", case_.at("grad"), model_->gradient(), false);
  }

  void judgePositionLosses(const Batch& batch) {
    if (!case_.contains("loss_by_position")) return;
    std::vector<double> found, right;
    const std::vector<double> all = train::positionLosses(batch, model_->rowLosses());
    for (const json& value : case_.at("loss_by_position")) {
      const double mean = all.at(right.size());
      right.push_back(value.is_null() ? -1.0 : value.get<double>());
      found.push_back(std::isnan(mean) ? -1.0 : mean);
    }
    judge_.compare("loss by position", found, right, judge_.tolerance("losses"));
  }

  Outcome compareFile(const std::string& quantity, const json& file, std::span<const T> found, const char* line) {
    const Expected<Array> right = judge_.array(file);
    if (!right) return fail(right.error());
    judge_.compare(quantity, doublesOf(found), spanOf(*right), judge_.tolerance(line));
    return {};
  }

  /// Gradients or final parameters, tensor by tensor: some are zero in exact arithmetic, and AdamW then makes a random
  /// walk of their roundoff.
  Outcome judgeTensors(const std::string& quantity, const json& file, std::span<const T> numbers, bool final_values) {
    const Expected<Array> right = judge_.array(file);
    if (!right) return fail(right.error());
    const std::vector<double> found = doublesOf(numbers);
    if (right->size() != static_cast<std::int64_t>(found.size()))
      return fail(ErrorCode::bad_shape, join(quantity, ": the file has ", right->size(), " numbers, the model ",
                                             found.size(), " parameters"));
    std::vector<Piece> pieces;
    for (const train::Parameter& p : model_->layout().parameters) {
      const json& listed = case_.at("params").at(static_cast<std::size_t>(&p - model_->layout().parameters.data()));
      const int flag = listed.at(5).get<int>();
      Tolerance tolerance = judge_.tolerance(final_values ? "final" : "grad");
      if (!final_values && flag == 1) tolerance = {0, judge_.limit("atol_null")};
      if (final_values && flag == 1 && !judge_.inDouble()) continue;
      if (final_values && flag == 2 && !judge_.inDouble()) tolerance = {0, judge_.limit("atol_sensitive")};
      const auto begin = static_cast<std::size_t>(p.offset), size = static_cast<std::size_t>(p.size());
      pieces.push_back({p.name, std::span(found).subspan(begin, size), spanOf(*right).subspan(begin, size), tolerance});
    }
    judge_.compare(quantity, pieces);
    return {};
  }

  /// Ridge regression of the index from the hidden rows of the first half of the batches, judged on the other half.
  Outcome judgeProbe() {
    if (!case_.contains("probe_at_init")) return {};
    const json& probe_case = case_.at("probe_at_init");
    toStart();
    train::RidgeProbe probe;
    std::vector<double> rows, indices;
    const std::int64_t half = batches_.count() / 2;
    for (std::int64_t b = 0; b < batches_.count(); ++b) {
      if (b == half) {
        probe.add(rows, model_->spec().d_model, indices);
        probe.fit(probe_case.at("lam").get<double>());
        rows.clear();
        indices.clear();
      }
      const Batch batch = batches_.at(b);
      if (Outcome ok = model_->forward(batch); !ok) return ok;
      rows.insert(rows.end(), model_->hidden().begin(), model_->hidden().end());
      for (std::int64_t r = 0; r < batch.rows(); ++r) indices.push_back(static_cast<double>(r % batch.length));
    }
    const train::RidgeProbe::Score score = probe.judge(rows, indices);
    judge_.compare("probe R²", {&score.r2, 1}, std::array{probe_case.at("r2").get<double>()},
                   judge_.tolerance("losses"));
    // Rounding to a place may fall the other way for two rows.
    judge_.compare("probe hits", {&score.hit, 1}, std::array{probe_case.at("hit").get<double>()},
                   {0, 2.5 / static_cast<double>(indices.size())});
    return {};
  }

  /// One sequence of twice the length at the start values.
  Outcome judgeLong() {
    if (!case_.contains("long_logits") && !case_.contains("long_expect")) return {};
    const Expected<Array> tokens = judge_.array(root_.at("tokens_long"));
    if (!tokens) return fail(tokens.error());
    if (Outcome ok = checkTokens(*tokens); !ok) return ok;
    Batch batch{
        1, tokens->size(), std::nullopt, {}, std::vector<std::int32_t>(static_cast<std::size_t>(tokens->size()))};
    for (const double t : *tokens->values) batch.tokens.push_back(static_cast<std::int32_t>(t));
    toStart();
    if (case_.contains("long_expect")) judge_.compareRefusal("long", model_->forward(batch));
    if (!case_.contains("long_logits")) return {};
    const train::PositionSpec plain = model_->spec().position;
    for (const auto& [name, file] : case_.at("long_logits").items()) {
      train::PositionSpec scaled = plain;
      if (const std::size_t cut = name.find('_'); cut != std::string::npos) {  // "ntk_2"
        scaled.values["scaling"] = name.substr(0, cut);
        scaled.values["factor"] = std::stod(name.substr(cut + 1));
      }
      if (Outcome ok = model_->setPosition(scaled); !ok) return ok;
      if (Outcome ok = model_->forward(batch); !ok) return ok;
      if (Outcome ok = compareFile("long " + name, file, model_->logits(), "logits"); !ok) return ok;
    }
    return model_->setPosition(plain);
  }

  Outcome judgeRuns() {
    if (Outcome ok = judgeRun("", case_); !ok) return ok;
    return case_.contains("second_run") ? judgeRun("second ", case_.at("second_run")) : Outcome{};
  }

  Outcome judgeRun(const std::string& which, const json& run) {
    toStart();
    const json& rows = run.at("run");
    train::Optimiser<T> optimiser(optimiserOf(run.at("optimiser")), model_->layout(),
                                  run.at("optimiser").at("total").get<std::int64_t>());
    std::vector<double> found, right;
    for (std::size_t t = 0; t < rows.size(); ++t) {
      const Batch batch = batches_.at(static_cast<std::int64_t>(t));
      if (Outcome ok = model_->forward(batch); !ok) return ok;
      const double loss = model_->loss(batch).loss;
      model_->backward(batch);
      const train::StepFacts s = optimiser.step(model_->gradient(), model_->parameters());
      model_->clampPosition();
      for (const double value : {loss, s.norm, s.clip, s.lr, s.position_norm, s.word_norm}) found.push_back(value);
      for (const json& value : rows.at(t)) right.push_back(value.get<double>());
    }
    judge_.compare(which + "run", found, right, judge_.tolerance("losses"));
    return judgeTensors(which + "final", run.at("final"), model_->parameters(), true);
  }

  TrainingJudge& judge_;
  const json& root_;
  const json& case_;
  std::optional<train::Model<T>> model_;
  std::vector<T> start_;
  Batches batches_;
};

}  // namespace

template <class T>
Outcome judgeModel(TrainingJudge& judge, const json& root, const json& c, const Job& job) {
  return ModelCase<T>(judge, root, c).judge(job);
}

template Outcome judgeModel<float>(TrainingJudge&, const json&, const json&, const Job&);
template Outcome judgeModel<double>(TrainingJudge&, const json&, const json&, const Job&);

}  // namespace posiscope::verify
