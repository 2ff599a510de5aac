// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A decoder sees no token after its own, whatever the encoding reads.
#include "tests/core/train/small_model.h"

namespace posiscope::train {
namespace {

using LeakTest = EachVariant;

std::vector<Variant> decoders() {
  std::vector<Variant> all = variants();
  std::erase_if(all, [](const Variant& v) { return !v.spec.causal; });
  return all;
}

std::vector<float> logitsOf(Model<float>& model, const Batch& batch) {
  EXPECT_TRUE(model.forward(batch));
  return {model.logits().begin(), model.logits().end()};
}

TEST_P(LeakTest, ChangingATokenMovesNoLogitBeforeIt) {
  Model<float> model = modelOf<float>(GetParam());
  const Batch batch = scatteredBatch(GetParam().spec, 2, 12 / 2);
  const std::vector<float> before = logitsOf(model, batch);
  const auto classes = static_cast<std::size_t>(GetParam().spec.outputs());
  for (std::size_t t = 0; t < 6; ++t) {
    Batch changed = batch;
    // Token 1 alone counts where words are zeroed.
    changed.tokens[t] = changed.tokens[t] == 1 ? 2 : 1;
    const std::vector<float> after = logitsOf(model, changed);
    for (std::size_t e = 0; e < t * classes; ++e) ASSERT_EQ(before[e], after[e]) << "token " << t << ", logit " << e;
    EXPECT_NE(std::vector(before.begin() + t * classes, before.begin() + 6 * classes),
              std::vector(after.begin() + t * classes, after.begin() + 6 * classes))
        << "token " << t;
  }
}

INSTANTIATE_TEST_SUITE_P(Decoders, LeakTest, testing::ValuesIn(decoders()),
                         [](const auto& variant) { return variant.param.name; });

}  // namespace
}  // namespace posiscope::train
