// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The reference data of the training bench: every case in both precisions, and no other answer for a wrong trainer.
#include "core/verify.h"
#include "tests/support/shared.h"

#include <gtest/gtest.h>
#include <map>
#include <set>

namespace posiscope::verify {
namespace {

Report reportOf(Precision precision) {
  const Expected<Report> report = run(test::dataPath("reference_training/manifest.json"), {{}, precision}, Job{});
  if (!report) {
    ADD_FAILURE() << report.error().message.en;
    return {};
  }
  return *report;
}

class TrainingReference : public testing::TestWithParam<Precision> {};

TEST_P(TrainingReference, EveryQuantityOfEveryCaseIsRight) {
  const Report report = reportOf(GetParam());
  for (const CaseReport& c : report.cases)
    EXPECT_EQ(c.state, State::passed) << c.id << " " << c.quantity << ": error " << c.largest_error << ", allowed "
                                      << c.tolerance << " " << c.note;
}

TEST_P(TrainingReference, NothingOfACaseIsLeftOut) {
  std::map<std::string, std::set<std::string>> quantities;
  for (const CaseReport& c : reportOf(GetParam()).cases)
    if (!c.scheme.empty()) quantities[c.id].insert(c.quantity);
  EXPECT_EQ(quantities.size(), 18u);
  for (const auto& [id, judged] : quantities)
    for (const char* quantity : {"logits", "loss", "grad", "run", "final", "probe R²", "probe hits"})
      EXPECT_TRUE(judged.contains(quantity)) << id << " " << quantity;
  EXPECT_TRUE(quantities["none"].contains("second final"));
  EXPECT_TRUE(quantities["learned_tied"].contains("long"));
  for (const char* id : {"none", "rope_half", "alibi", "cope"}) EXPECT_TRUE(quantities[id].contains("attention")) << id;
  for (const char* id : {"rope_half", "rope_interleaved"})
    for (const char* scaling : {"long plain", "long linear_2", "long ntk_2"})
      EXPECT_TRUE(quantities[id].contains(scaling)) << id << " " << scaling;
}

INSTANTIATE_TEST_SUITE_P(Precisions, TrainingReference, testing::Values(Precision::single, Precision::double_),
                         [](const auto& p) { return p.param == Precision::single ? "single" : "double"; });

}  // namespace
}  // namespace posiscope::verify
