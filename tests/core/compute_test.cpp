// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compute.h"

#include <gtest/gtest.h>

namespace posiscope {
namespace {

Request smallRequest() {
  Request request;
  request.experiment.shape.seq_len = 24;
  request.experiment.shape.d_model = 16;
  request.experiment.shape.num_heads = 2;
  request.experiment.shape.head_dim = 8;
  for (const char* id : {"rope", "alibi"}) {
    SchemeChoice choice;
    choice.id = id;
    request.experiment.schemes.push_back(choice);
  }
  request.measures = {{"position_table", {}}, {"relative_decay", {}}};
  return request;
}

using ResultPtr = std::shared_ptr<const Result>;

ResultPtr computed(const Request& request, const Result* previous = nullptr) {
  const auto result = compute(request, Job{}, previous);
  EXPECT_TRUE(result) << (result ? "" : result.error().message.en);
  return result ? *result : nullptr;
}

TEST(Compute, answersEveryMeasureForEveryScheme) {
  const ResultPtr result = computed(smallRequest());
  ASSERT_EQ(result->answers.size(), 2U);
  for (std::size_t m = 0; m < 2; ++m) {
    ASSERT_EQ(result->answers[m].size(), 2U);
    for (std::size_t s = 0; s < 2; ++s) {
      const Answer& answer = result->answers[m][s];
      EXPECT_EQ(answer.question.measure, result->request.measures[m].id);
      EXPECT_EQ(answer.question.scheme.id, result->request.experiment.schemes[s].id);
      ASSERT_TRUE(answer.dataset);
      EXPECT_TRUE(*answer.dataset);
    }
  }
}

TEST(Compute, sharesEqualAnswersOfThePreviousResult) {
  Request request = smallRequest();
  const ResultPtr first = computed(request);
  request.experiment.schemes[0].values["base"] = 500.0;
  const ResultPtr second = computed(request, first.get());
  EXPECT_NE(*second->answers[0][0].dataset, *first->answers[0][0].dataset);
  EXPECT_EQ(*second->answers[0][1].dataset, *first->answers[0][1].dataset);
  EXPECT_EQ(*second->answers[1][1].dataset, *first->answers[1][1].dataset);
}

TEST(Compute, aNewNameOrColourChangesNoNumber) {
  Request request = smallRequest();
  const ResultPtr first = computed(request);
  request.experiment.schemes[0].label = "mine";
  request.experiment.schemes[0].colour = 3;
  const ResultPtr second = computed(request, first.get());
  EXPECT_EQ(*second->answers[0][0].dataset, *first->answers[0][0].dataset);
}

TEST(Compute, theSameSchemeTwiceIsComputedOnce) {
  Request request = smallRequest();
  request.experiment.schemes.push_back(request.experiment.schemes[0]);
  const ResultPtr result = computed(request);
  EXPECT_EQ(*result->answers[0][2].dataset, *result->answers[0][0].dataset);
}

TEST(Compute, hiddenSchemesAreNotComputed) {
  Request request = smallRequest();
  request.experiment.schemes[1].visible = false;
  const ResultPtr result = computed(request);
  ASSERT_TRUE(result->answers[0][1].dataset);
  EXPECT_EQ(*result->answers[0][1].dataset, nullptr);
  request.experiment.schemes[1].visible = true;
  EXPECT_NE(*computed(request, result.get())->answers[0][1].dataset, nullptr);
}

TEST(Compute, oneErrorDoesNotHurtTheOthers) {
  Request request = smallRequest();
  request.experiment.schemes[0].values["base"] = -1.0;
  request.measures.push_back({"no_such_measure", {}});
  const ResultPtr result = computed(request);
  ASSERT_FALSE(result->answers[0][0].dataset);
  EXPECT_EQ(result->answers[0][0].dataset.error().code, ErrorCode::out_of_range);
  EXPECT_TRUE(result->answers[0][1].dataset);
  ASSERT_FALSE(result->answers[2][1].dataset);
  EXPECT_EQ(result->answers[2][1].dataset.error().code, ErrorCode::unknown_name);
}

TEST(Compute, stoppedEndsTheWhole) {
  const Job job;
  job.stop();
  const auto result = compute(smallRequest(), job);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::cancelled);
}

TEST(Compute, aStoppedJobMayStillShareWhatIsKnown) {
  const Request request = smallRequest();
  const ResultPtr first = computed(request);
  const Job job;
  job.stop();
  EXPECT_TRUE(compute(request, job, first.get()));
}

}  // namespace
}  // namespace posiscope
