// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/preset_parts.h"
#include "core/models/scheme_values.h"

namespace posiscope::models {
namespace {

const Mask both_sides;

/// The shape that BERT base gave to many: 12 layers of 12 heads of 64.
Shape baseShape(std::int64_t seq_len) { return modelShape(seq_len, 768, 12, 0, 64, 12); }

std::vector<Preset> learnedModels() {
  return {
      {"gpt-2", "GPT-2", baseShape(1024), causalMask(), 1024, learnedChoice("normal", 1024), "gpt2/config.json"},
      {"bert-base", "BERT base", baseShape(512), both_sides, 512, learnedChoice("truncated_normal", 512),
       "bert-base-uncased/config.json; arXiv:1810.04805"},
      // A table of 514 rows; the first token uses row 2.
      {"roberta-base", "RoBERTa base", baseShape(512), both_sides, 512, learnedChoice("truncated_normal", 514, 2),
       "roberta-base/config.json"},
      {"arctic-embed-m", "Arctic Embed M", baseShape(512), both_sides, 512, learnedChoice("truncated_normal", 512),
       "Snowflake/snowflake-arctic-embed-m/config.json"},
  };
}

std::vector<Preset> biasModels() {
  const SchemeChoice t5 = choiceOf("t5_log", {{"num_buckets", 32.0}, {"max_distance", 128.0}, {"bidirectional", true}});
  return {
      {"bloom-7b1", "BLOOM 7.1B", modelShape(2048, 4096, 32, 0, 128, 30), causalMask(), 2048,
       choiceOf("alibi", {{"form", std::string("key_only")}}), "bigscience/bloom-7b1/config.json; arXiv:2211.05100"},
      {"mpt-7b", "MPT 7B", modelShape(2048, 4096, 32, 0, 128, 32), causalMask(), 2048,
       choiceOf("alibi", {{"form", std::string("mpt")}, {"max_bias", 8.0}}), "mosaicml/mpt-7b/config.json"},
      {"t5-v1.1-base",
       "T5 v1.1 base",
       baseShape(512),
       both_sides,
       512,
       t5,
       "google/t5-v1_1-base/config.json",
       {"The encoder; its first layer has the table, and all layers use it.", "编码器；偏置表在第一层，所有层共用。"}},
      {"umt5-xxl",
       "UMT5 XXL",
       modelShape(512, 4096, 64, 0, 64, 24),
       both_sides,
       512,
       t5,
       "google/umt5-xxl/config.json",
       {"The encoder; unlike in T5, each layer has a table of its own.",
        "编码器；与 T5 不同，每一层都有自己的偏置表。"}},
  };
}

/// max_relative_positions −1 stands for the 512 of max_position_embeddings.
std::vector<Preset> disentangledModels() {
  const SchemeChoice buckets = choiceOf("deberta", {{"position_buckets", 256.0},
                                                    {"max_relative_positions", 512.0},
                                                    {"position_terms", std::string("c2p_p2c")},
                                                    {"share_att_key", true}});
  return {
      {"deberta-v3-xsmall",
       "DeBERTa v3 xsmall",
       modelShape(512, 384, 6, 0, 64, 12),
       both_sides,
       512,
       buckets,
       "microsoft/deberta-v3-xsmall/config.json; arXiv:2111.09543",
       {"The model also normalises its relative table (norm_rel_ebd layer_norm); a table that is given counts as "
        "normalised.",
        "该模型还会对相对位置表做层归一化（norm_rel_ebd layer_norm）；给出的表视为已经归一化。"}},
      {"deberta-v2-base", "DeBERTa v2 base", baseShape(512), both_sides, 512, buckets,
       "the official experiment file for a base model; arXiv:2006.03654"},
  };
}

}  // namespace

std::vector<Preset> tableAndBiasModels() {
  std::vector<Preset> all;
  for (auto part : {learnedModels(), biasModels(), disentangledModels()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace posiscope::models
