// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/config.h"

#include "tests/core/models/read_config.h"

namespace posiscope::models {
namespace {

TEST(Config, aSlipInAKeyIsNamed) {
  const Inspection i = read(
      R"({"model_type":"llama","hidden_sise":2048,"num_atention_heads":4,"rope_teta":5,"num_labels":2,"vocab_size":9,
      "v_head_dim":3,"tie_word_embeddings":true})");
  EXPECT_TRUE(has(i.notes, "config.json: unknown key hidden_sise; did you mean hidden_size?")) << all(i.notes);
  EXPECT_TRUE(has(i.notes, "unknown key num_atention_heads; did you mean num_attention_heads?"));
  EXPECT_TRUE(has(i.notes, "unknown key rope_teta; did you mean rope_theta?"));
  EXPECT_TRUE(has(i.notes, "by default d_model 512, num_heads 8, head_dim 64 are taken"));
  EXPECT_EQ(i.notes.size(), 4u) << all(i.notes);
  // A key beside the right one is no slip.
  EXPECT_TRUE(read(R"({"model_type":"llama","hidden_size":64,"hidden_sise":9,"num_attention_heads":4})").notes.empty());
  EXPECT_TRUE(has(read(R"({"model_typ":"llama"})").notes, "did you mean model_type?"));
}

TEST(Config, aStringInPlaceOfANumberIsCalledOne) {
  const Inspection i = read(R"({"model_type":"llama","rope_theta":"32768"})");
  EXPECT_TRUE(has(i.notes, "rope_theta must be a number from 1e-06 to 1e+12, got the string \"32768\""))
      << all(i.notes);
  EXPECT_TRUE(std::ranges::any_of(
      i.notes, [](const Text& note) { return note.zh.find("得到字符串“32768”") != std::string::npos; }));
}

}  // namespace
}  // namespace posiscope::models
