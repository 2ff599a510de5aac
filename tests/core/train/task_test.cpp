// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the reference data do not pin: limits, and what makes a task what it says.
#include "core/train/task.h"

#include "core/train/tasks/list.h"

#include <gtest/gtest.h>
#include <set>

namespace posiscope::train {
namespace {

ErrorCode codeOf(const TaskSpec& spec) {
  const auto task = makeTask(spec, true);
  return task ? ErrorCode::cancelled : task.error().code;
}

TEST(Task, RefusesWhatHasNoExamples) {
  TaskSpec spec{.kind = TaskKind::induction, .symbols = 8, .low = 4, .high = 9};
  EXPECT_EQ(codeOf(spec), ErrorCode::out_of_range);
  spec = {.kind = TaskKind::retrieval, .low = 3, .high = 2};
  EXPECT_EQ(codeOf(spec), ErrorCode::out_of_range);
  spec = {.kind = TaskKind::text, .file = "/no/such/file"};
  EXPECT_EQ(codeOf(spec), ErrorCode::file_missing);
  EXPECT_EQ(tasks::textOf("").error().code, ErrorCode::out_of_range);
}

TEST(Task, ASequenceMustFitItsText) {
  const auto task = tasks::textOf("aaaaaaaaaaaaaaaaaaaab");  // 18 bytes train, 3 evaluate
  ASSERT_TRUE(task);
  EXPECT_EQ((*task)->vocab(), 2);
  EXPECT_TRUE((*task)->check({17}, Split::train));
  EXPECT_FALSE((*task)->check({18}, Split::train));
  EXPECT_TRUE((*task)->check({2}, Split::evaluation));
  EXPECT_FALSE((*task)->check({3}, Split::evaluation));
}

TEST(Task, HeadsThatNamePlacesHaveALargestSize) {
  const auto probe = *makeTask({.kind = TaskKind::index, .length = 8}, true);
  EXPECT_TRUE(probe->check({8}, Split::train));
  EXPECT_FALSE(probe->check({9}, Split::train));
  const TaskSpec image{.kind = TaskKind::image, .target = ImageTarget::index, .grid_height = 2, .grid_width = 3};
  EXPECT_TRUE((*makeTask(image, false))->check({0, Grid{3, 2}}, Split::train));
  EXPECT_FALSE((*makeTask(image, false))->check({0, Grid{4, 2}}, Split::train));
}

TEST(Task, PairsOfModularArithmeticAreTrainedOnOrEvaluated) {
  const TaskSpec spec{.kind = TaskKind::modular, .modulus = 7, .operation = ModularOperation::sub};
  const auto task = *makeTask(spec, true);
  std::set<std::pair<int, int>> seen[2];
  for (const Split split : {Split::train, Split::evaluation}) {
    const Batch batch = makeBatch(*task, spec, split, 1, 0, 400, {3});
    for (std::size_t b = 0; b < 400; ++b) {
      const int a = batch.tokens[3 * b], c = batch.tokens[3 * b + 1];
      seen[split == Split::train ? 0 : 1].insert({a, c});
      ASSERT_EQ(batch.targets[3 * b + 2], (a - c + 7) % 7);
    }
  }
  EXPECT_EQ(seen[0].size() + seen[1].size(), 49u);
  for (const auto& pair : seen[0]) EXPECT_FALSE(seen[1].contains(pair));
}

TEST(Task, AnyExampleCanBeMadeAlone) {
  for (const TaskKind kind : {TaskKind::copy, TaskKind::induction, TaskKind::text}) {
    const TaskSpec spec{.kind = kind, .length = 12, .symbols = 20};
    const auto task = *makeTask(spec, true);
    const Batch all = makeBatch(*task, spec, Split::train, 3, 0, 5, {12});
    const Batch last = makeBatch(*task, spec, Split::train, 3, 4, 1, {12});
    EXPECT_TRUE(std::equal(last.tokens.begin(), last.tokens.end(), all.tokens.end() - last.length));
  }
}

}  // namespace
}  // namespace posiscope::train
