// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/compute_service.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>

namespace posiscope::ui {
namespace {

constexpr int patience_ms = 30000;

Request ask(std::int64_t seq_len, const std::string& measure = "position_table") {
  Request request;
  request.experiment.shape.seq_len = seq_len;
  request.experiment.shape.head_dim = 16;
  request.experiment.schemes = {{"rope", {}, "", 0, true}};
  request.measures = {{measure, {}}};
  return request;
}

TEST(ComputeService, answersWhatWasAsked) {
  ComputeService service;
  QSignalSpy ready(&service, &ComputeService::resultReady);
  QSignalSpy busy(&service, &ComputeService::busyChanged);
  service.request(ask(8));
  EXPECT_TRUE(service.busy());
  ASSERT_TRUE(QTest::qWaitFor([&] { return !service.busy(); }, patience_ms));
  ASSERT_EQ(ready.size(), 1);
  ASSERT_TRUE(service.result());
  EXPECT_EQ(service.result()->request, ask(8));
  ASSERT_TRUE(service.result()->answers.at(0).at(0).dataset.has_value());
  EXPECT_EQ(busy.size(), 2);
}

TEST(ComputeService, theNewestWins) {
  ComputeService service;
  for (std::int64_t n = 8; n < 200; ++n) service.request(ask(n));
  ASSERT_TRUE(QTest::qWaitFor([&] { return !service.busy(); }, patience_ms));
  EXPECT_EQ(service.result()->request, ask(199));
}

TEST(ComputeService, theSameQuestionIsNotComputedAgain) {
  ComputeService service;
  service.request(ask(8));
  ASSERT_TRUE(QTest::qWaitFor([&] { return !service.busy(); }, patience_ms));
  QSignalSpy ready(&service, &ComputeService::resultReady);
  service.request(ask(8));
  EXPECT_FALSE(service.busy());
  QTest::qWait(20);
  EXPECT_EQ(ready.size(), 0);
}

TEST(ComputeService, cancellingKeepsTheShownResultAndSaysSo) {
  ComputeService service;
  service.request(ask(8));
  ASSERT_TRUE(QTest::qWaitFor([&] { return !service.busy(); }, patience_ms));
  QSignalSpy failed(&service, &ComputeService::failed);
  Request large = ask(1024, "attention_weights");
  large.experiment.shape.num_heads = 64;
  large.experiment.schemes.resize(4, large.experiment.schemes.front());
  service.request(large);
  service.cancel();
  EXPECT_FALSE(service.busy());
  ASSERT_EQ(failed.size(), 1);
  EXPECT_EQ(qvariant_cast<Error>(failed.at(0).at(0)).code, ErrorCode::cancelled);
  QTest::qWait(50);
  EXPECT_EQ(service.result()->request, ask(8));
  // The same question can be asked again afterwards.
  service.request(large);
  EXPECT_TRUE(service.busy());
}

TEST(ComputeService, afterACancelTheSameAndAnotherQuestionAreAnswered) {
  ComputeService service;
  for (const std::int64_t again : {512, 256}) {
    service.request(ask(512, "attention_weights"));
    service.cancel();
    ASSERT_FALSE(service.busy());
    service.request(ask(again, "attention_weights"));
    ASSERT_TRUE(service.busy());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !service.busy(); }, patience_ms));
    ASSERT_TRUE(service.result());
    EXPECT_EQ(service.result()->request, ask(again, "attention_weights"));
  }
}

/// Whether each result that arrives is a draft, in order, for a request that follows another of its kind.
std::vector<bool> draftsSeen(double patience) {
  ComputeService service;
  service.setPatience(patience);
  std::vector<bool> drafts;
  QObject::connect(&service, &ComputeService::resultReady, &service,
                   [&](const std::shared_ptr<const Result>& result) { drafts.push_back(result->request.draft); });
  for (const std::int64_t tokens : {512, 511}) {
    service.request(ask(tokens, "attention_weights"));
    EXPECT_TRUE(QTest::qWaitFor([&] { return !service.busy(); }, patience_ms));
    EXPECT_EQ(service.result()->request, ask(tokens, "attention_weights"));
  }
  return drafts;
}

TEST(ComputeService, aSlowKindOfRequestIsAnnouncedByADraft) {
  EXPECT_EQ(draftsSeen(0), (std::vector<bool>{false, true, false}));
}

TEST(ComputeService, aFastOneHasNoDraft) { EXPECT_EQ(draftsSeen(1e9), (std::vector<bool>{false, false})); }

TEST(ComputeService, diesWhileItComputes) {
  auto service = std::make_unique<ComputeService>();
  Request large = ask(1024, "attention_weights");
  service->request(large);
  service.reset();  // joins; nothing is delivered to a dead object
  QTest::qWait(10);
  SUCCEED();
}

}  // namespace
}  // namespace posiscope::ui
