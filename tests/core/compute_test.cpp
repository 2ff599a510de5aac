// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compute.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <gtest/gtest.h>
#include <thread>

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

/// Every change of a job's progress that a second thread, which does nothing but look, can see.
template <class Work>
std::vector<double> progressSeen(const Job& job, const Work& work) {
  std::vector<double> seen{0};
  std::atomic<bool> looking{false};
  std::atomic<bool> finished{false};
  std::thread observer([&] {
    looking = true;
    while (!finished)
      if (const double now = job.progress(); now != seen.back()) seen.push_back(now);
  });
  while (!looking) std::this_thread::yield();
  work();
  finished = true;
  observer.join();
  return seen;
}

TEST(Compute, progressNeverGoesBackAndEndsAtOne) {
  Request request = smallRequest();
  request.experiment.shape.seq_len = 256;
  request.experiment.shape.d_model = 63;  // an odd width has no profile: products, and their mirror
  request.experiment.shape.num_heads = 7;
  request.experiment.shape.head_dim = 9;
  request.experiment.schemes[0].values["rotary_dim"] = 8.0;
  request.experiment.schemes.push_back({"sinusoidal", {}, "", 0, true});
  request.measures = {{"similarity", {}},
                      {"norm_ratio", {{"words", std::string("sample")}}},
                      {"relative_decay", {{"curves", std::string("all")}}},
                      {"attention_weights", {}}};
  const Job job;
  const std::vector<double> seen = progressSeen(job, [&] { ASSERT_TRUE(compute(request, job)); });
  EXPECT_TRUE(std::ranges::is_sorted(seen));
  EXPECT_EQ(job.progress(), 1);
  EXPECT_GT(seen.size(), 2U);
}

TEST(Compute, progressIsOverWhatIsReallyComputed) {
  Request request = smallRequest();
  request.measures = {{"spectrum", {}}, {"position_table", {}}};
  const ResultPtr first = computed(request);
  request.measures.push_back({"relative_decay", {}});
  request.experiment.schemes.pop_back();
  const Job job;  // one answer is open, so its own steps fill the whole job: nothing is reported for shared ones
  const std::vector<double> seen = progressSeen(job, [&] { ASSERT_TRUE(compute(request, job, first.get())); });
  EXPECT_TRUE(std::ranges::is_sorted(seen));
  EXPECT_EQ(job.progress(), 1);
  const Job nothing_open;
  ASSERT_TRUE(compute(request, nothing_open, computed(request).get()));
  EXPECT_EQ(nothing_open.progress(), 1);
}

TEST(Compute, aDraftIsSmallerAndSaysSoAndTheFullAnswerFollows) {
  Request request = smallRequest();
  request.experiment.shape.seq_len = 400;
  request.measures = {{"attention_weights", {}}, {"position_table", {}}};
  const ResultPtr plain = computed(request);
  request.draft = true;
  const ResultPtr draft = computed(request);
  request.draft = false;
  const ResultPtr full = computed(request, draft.get());
  for (std::size_t s = 0; s < 2; ++s) {
    const Dataset& quick = **draft->answers[0][s].dataset;
    EXPECT_TRUE(quick.draft);
    EXPECT_EQ(quick.scope.en, "draft: first 100 of 400 tokens");
    const Dataset& whole = **full->answers[0][s].dataset;
    EXPECT_FALSE(whole.draft);
    EXPECT_TRUE(whole.scope.en.empty());
    EXPECT_EQ(csv(whole), csv(**plain->answers[0][s].dataset));
    ASSERT_EQ(quick.maps.size(), whole.maps.size());
    EXPECT_EQ(quick.maps[0].rows.name.en, whole.maps[0].rows.name.en);
    // On the axes of the whole, so that the picture keeps its place.
    EXPECT_EQ(quick.maps[0].field->rows(), 400);
    EXPECT_EQ(quick.maps[0].field->at(99, 0), quick.maps[0].field->at(99, 0));
    EXPECT_TRUE(std::isnan(quick.maps[0].field->at(100, 0)));
    EXPECT_EQ(quick.curves.at(0).x, whole.curves.at(0).x);
    EXPECT_TRUE(std::isnan(quick.curves.at(0).y.back()));
    EXPECT_EQ(quick.maps[0].term(100, 0), "");
    EXPECT_EQ(whole.maps[0].field->rows(), 400);
    // A table has nothing to leave out: its draft is the full answer and is shared.
    EXPECT_EQ(*full->answers[1][s].dataset, *draft->answers[1][s].dataset);
  }
}

TEST(Compute, aDraftTakesWhatIsKnownInFull) {
  Request request = smallRequest();
  request.experiment.shape.seq_len = 400;
  request.measures = {{"attention_weights", {}}};
  const ResultPtr full = computed(request);
  request.draft = true;
  request.experiment.schemes[0].values["base"] = 500.0;
  const ResultPtr draft = computed(request, full.get());
  EXPECT_TRUE((*draft->answers[0][0].dataset)->draft);
  EXPECT_EQ(*draft->answers[0][1].dataset, *full->answers[0][1].dataset);
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
