// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/random.h"
#include "core/train/initial.h"
#include "core/train/model.h"
#include "core/train/task.h"
#include "core/train/tasks/list.h"
#include "core/verify/training_case.h"
#include "core/verify/training_config.h"

namespace posiscope::verify {
namespace {

using nlohmann::json;

void judgeVectors(TrainingJudge& judge, const json& vectors) {
  judge.about("generator", "");
  const Stream stream(11, "train/copy");
  std::vector<double> found, right;
  for (const json& text : vectors.at("example_5_draws")) {
    // A double holds 53 bits: upper and lower half apart.
    const std::uint64_t wanted = std::stoull(text.get<std::string>(), nullptr, 16);
    const std::uint64_t drawn = stream.draw(5, right.size() / 2);
    for (const auto& [value, list] : {std::pair{wanted, &right}, std::pair{drawn, &found}}) {
      list->push_back(static_cast<double>(value >> 32));
      list->push_back(static_cast<double>(value & 0xFFFFFFFF));
    }
  }
  for (const json& value : vectors.at("below_10_of_these")) {
    right.push_back(value.get<double>());
    found.push_back(static_cast<double>(stream.below(10, 5, 0)));
  }
  right.push_back(vectors.at("unit_of_first").get<double>());
  found.push_back(stream.unit(5, 0));
  judge.compareExactly("draws", found, right);
  std::vector<double> normals, right_normals;
  const Stream words(11, "init/embed.weight");
  for (const json& value : vectors.at("normals_seed_11_init_embed_weight")) {
    right_normals.push_back(value.get<double>());
    normals.push_back(words.normal(normals.size()));
  }
  judge.compare("normals", normals, right_normals, {2e-7, 1e-9});
  const auto text = vectors.at("corpus_sentences_seed_5").get<std::string>();
  const std::string ours = train::tasks::corpusText(5, 3);
  judge.compareExactly("corpus", std::vector<double>(ours.begin(), ours.end()),
                       std::vector<double>(text.begin(), text.end()));
}

Outcome judgeBatch(TrainingJudge& judge, const json& entry, const train::Task& task, const train::TaskSpec& spec,
                   const train::TaskSize& size) {
  const bool evaluates = entry.at("split") == "eval";
  const train::Batch batch = train::makeBatch(
      task, spec, evaluates ? train::Split::evaluation : train::Split::train, entry.at("seed").get<std::uint64_t>(),
      entry.at("first").get<std::int64_t>(), entry.at("count").get<std::int64_t>(), size);
  for (const auto& [name, found] : {std::pair{"tokens", &batch.tokens}, std::pair{"targets", &batch.targets}}) {
    const Expected<Array> right = judge.array(entry.at(name));
    if (!right) return fail(right.error());
    judge.compareExactly(name, std::vector<double>(found->begin(), found->end()), *right->values);
  }
  return {};
}

Outcome judgeTasks(TrainingJudge& judge, const json& root) {
  for (const json& entry : root.at("tasks")) {
    const Expected<TaskQuestion> question = taskOf(entry);
    if (!question) return fail(question.error());
    const auto task = train::makeTask(question->spec, question->causal);
    if (!task) return fail(task.error());
    judge.about(entry.at("tokens").get<std::string>(), "");
    if (Outcome ok = judgeBatch(judge, entry, **task, question->spec, question->size); !ok) return ok;
  }
  const json& text = root.at("text");
  const auto task = train::tasks::textOf(text.at("corpus").get<std::string>());
  if (!task) return fail(task.error());
  judge.about(text.at("tokens").get<std::string>(), "");
  train::TaskSpec spec;
  spec.kind = train::TaskKind::text;
  return judgeBatch(judge, text, **task, spec, {text.at("length").get<std::int64_t>()});
}

Outcome judgeInitial(TrainingJudge& judge, const json& initial) {
  judge.about("default_initial", "");
  const Expected<train::ModelSpec> spec = modelOf(initial.at("config"));
  if (!spec) return fail(spec.error());
  Expected<train::Model<double>> model = train::Model<double>::create(*spec);
  if (!model) return fail(model.error());
  train::setInitial(model->layout(), initial.at("seed").get<std::uint64_t>(), model->parameters());
  const Expected<Array> right = judge.array(initial.at("file"));
  if (!right) return fail(right.error());
  const json& line = initial.at("compare");
  judge.compare("start values", model->parameters(), *right->values,
                {line.at("rtol").get<double>(), line.at("atol").get<double>()});
  return {};
}

}  // namespace

Outcome judgeGenerators(TrainingJudge& judge, const json& root) {
  judgeVectors(judge, root.at("generator_vectors"));
  if (Outcome ok = judgeTasks(judge, root); !ok) return ok;
  return judgeInitial(judge, root.at("default_initial"));
}

}  // namespace posiscope::verify
