// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/absolute_terms.h"

#include "tests/support/attending.h"

namespace posiscope {
namespace {

TEST(AbsoluteTerms, sumToTheLogitsOfTheAddedTable) {
  Shape shape;
  shape.seq_len = 7;
  shape.num_heads = 4;
  shape.num_kv_heads = 2;
  shape.head_dim = 3;
  shape.d_model = 10;
  const Content<double> content = test::randomContent<double>(shape, true);
  const auto encoding = test::encodingOf<double>("sinusoidal", {}, shape);
  attention::Wanted wanted;
  wanted.logits = true;
  const auto logits = test::attending(encoding, content, {}, shape, wanted).logits;
  const auto terms = attention::absoluteTerms<double>(rowsOf(content.x), rowsOf(encoding.input.table),
                                                      rowsOf(content.w_q), rowsOf(content.w_k), shape, Job());
  ASSERT_TRUE(terms);
  const std::size_t each = logits.size();
  ASSERT_EQ(terms->size(), 4 * each);
  for (std::size_t e = 0; e < each; ++e)
    EXPECT_NEAR((*terms)[e] + (*terms)[each + e] + (*terms)[2 * each + e] + (*terms)[3 * each + e], logits[e], 1e-13);
}

}  // namespace
}  // namespace posiscope
