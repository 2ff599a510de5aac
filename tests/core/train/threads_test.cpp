// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The same seeds give the same bits, on one thread or on several.
#include "core/parallel.h"
#include "core/train/optimiser.h"
#include "tests/core/train/small_model.h"

namespace posiscope::train {
namespace {

using ThreadsTest = EachVariant;

class ThreadCount {
 public:
  explicit ThreadCount(int count) : before_(threads()) { setThreads(count); }
  ~ThreadCount() { setThreads(before_); }

 private:
  int before_;
};

/// Parameters after a few steps. 60 sequences make three groups.
std::vector<float> trained(const Variant& variant, int thread_count) {
  const ThreadCount count(thread_count);
  Model<float> model = modelOf<float>(variant);
  const Batch batch = scatteredBatch(variant.spec, 60);
  Optimiser<float> optimiser({}, model.layout(), 3);
  for (int t = 0; t < 3; ++t) {
    EXPECT_TRUE(model.forward(batch));
    model.loss(batch);
    model.backward(batch);
    optimiser.step(model.gradient(), model.parameters());
    model.clampPosition();
  }
  return {model.parameters().begin(), model.parameters().end()};
}

TEST_P(ThreadsTest, DoNotChangeABit) {
  EXPECT_EQ((Extent{60, 6}.groups()), 3);
  const std::vector<float> one = trained(GetParam(), 1);
  EXPECT_EQ(one, trained(GetParam(), 3));
  EXPECT_EQ(one, trained(GetParam(), 1));
}

TEST_P(ThreadsTest, GroupsAddUpToTheGradientOfAllSequences) {
  // Three groups of one batch against the mean of its halves, which are cut elsewhere.
  Model<double> model = modelOf<double>(GetParam());
  Batch batch = scatteredBatch(GetParam().spec, 60);
  std::ranges::fill(batch.targets, 1);
  const auto gradientOf = [&](std::size_t begin, std::size_t sequences) {
    Batch part{static_cast<std::int64_t>(sequences), batch.length, batch.grid, {}, {}};
    part.tokens.assign(batch.tokens.begin() + begin * 6, batch.tokens.begin() + (begin + sequences) * 6);
    part.targets.assign(sequences * 6, 1);
    EXPECT_TRUE(model.forward(part));
    model.loss(part);
    model.backward(part);
    return std::vector<double>(model.gradient().begin(), model.gradient().end());
  };
  const std::vector<double> all = gradientOf(0, 60), first = gradientOf(0, 30), second = gradientOf(30, 30);
  for (std::size_t p = 0; p < all.size(); ++p) ASSERT_NEAR(all[p], (first[p] + second[p]) / 2, 1e-12) << p;
}

INSTANTIATE_TEST_SUITE_P(Trainables, ThreadsTest, testing::ValuesIn(variants()),
                         [](const auto& variant) { return variant.param.name; });

}  // namespace
}  // namespace posiscope::train
