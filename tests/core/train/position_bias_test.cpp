// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is added to the logits is what the catalogue's scheme says.
#include "core/schemes/list.h"
#include "tests/core/train/small_model.h"

#include <cmath>
#include <variant>

namespace posiscope::train {
namespace {

constexpr std::int64_t length = 9, heads = 2;

/// The bias of the bench alone: logits of a head whose q and k are 0.
std::vector<double> benchBias(const ModelSpec& spec, const std::vector<double>& parameters, std::int64_t head) {
  auto position = *makePosition<double>(spec);
  EXPECT_TRUE(position->fit({1, length}));
  position->refresh(parameters.data());
  const std::vector<double> zeros(length * 4);
  std::vector<double> logits(length * length);
  position->addToLogits({0, head, 0, 0, length, 4, 4, spec.causal, 0.5, zeros.data(), zeros.data()}, logits.data());
  return logits;
}

std::vector<double> catalogueBias(const std::string& scheme, const ParamValues& values, std::int64_t head) {
  Shape shape;
  shape.seq_len = length;
  shape.num_heads = heads;
  shape.d_model = 8;
  shape.head_dim = 4;
  const auto encoding = schemes::find(scheme)->encode_double(values, shape);
  if (!encoding) ADD_FAILURE() << encoding.error().message.en;
  std::vector<double> bias(length * length);
  for (std::int64_t i = 0; i < length; ++i) {
    const std::span<double> row(bias.data() + i * length, length);
    if (const auto* pairs = std::get_if<PairBias<double>>(&encoding->logits.bias)) pairs->fill(head, i, row);
    if (const auto* offsets = std::get_if<OffsetBias<double>>(&encoding->logits.bias))
      for (std::int64_t j = 0; j < length; ++j) row[static_cast<std::size_t>(j)] = offsets->at(head, i - j);
  }
  return bias;
}

void expectSame(const std::string& scheme, const ParamValues& constants, const std::vector<double>& parameters,
                const ParamValues& catalogue) {
  for (const bool causal : {true, false})
    for (std::int64_t head = 0; head < heads; ++head) {
      ModelSpec spec = smallSpec(scheme, constants);
      spec.causal = causal;
      const std::vector<double> found = benchBias(spec, parameters, head);
      const std::vector<double> wanted = catalogueBias(scheme, catalogue, head);
      for (std::int64_t i = 0; i < length; ++i)
        for (std::int64_t j = 0; j < (causal ? i + 1 : length); ++j)
          ASSERT_NEAR(found[static_cast<std::size_t>(i * length + j)], wanted[static_cast<std::size_t>(i * length + j)],
                      1e-12)
              << scheme << " head " << head << " query " << i << " key " << j;
    }
}

TEST(PositionBias, AlibiIsTheCatalogues) { expectSame("alibi", {}, {}, {}); }

TEST(PositionBias, KerpleIsTheCatalogues) {
  const std::vector<double> rates{0.7, 1.3, 0.4, 0.9};
  for (const char* form : {"log", "power"})
    expectSame(
        "kerple", {{"form", std::string(form)}}, rates,
        {{"form", std::string(form)}, {"r1", std::vector<double>{0.7, 1.3}}, {"r2", std::vector<double>{0.4, 0.9}}});
}

TEST(PositionBias, FireIsTheCatalogues) {
  std::vector<double> parameters{-0.6, 1.5};
  const std::vector<double> w1{0.4, -1.1, 0.9}, b1{0.2, 0.7, -0.1}, w2{1, -0.5, 0.3, 0.8, 0.6, -0.7}, b2{0.1, -0.2};
  for (const std::vector<double>* part : {&w1, &b1, &w2, &b2})
    parameters.insert(parameters.end(), part->begin(), part->end());
  expectSame("fire", {{"width", 3.0}, {"l_init", 2.0}}, parameters,
             {{"c", -0.6},
              {"threshold_length", 3.0},
              {"width", 3.0},
              {"w1", makeArray({3, 1}, w1)},
              {"b1", makeArray({3}, b1)},
              {"w2", makeArray({2, 3}, w2)},
              {"b2", makeArray({2}, b2)}});
}

TEST(Kerple, ClampsItsRatesAfterAStep) {
  for (const auto& [form, largest] : {std::pair{"log", 5.0f}, std::pair{"power", 2.0f}}) {
    const auto position = *makePosition<float>(smallSpec("kerple", {{"form", std::string(form)}}));
    std::vector<float> rates{-1, 7, 0, 5};
    position->clamp(rates.data());
    EXPECT_EQ(rates, (std::vector<float>{0.01f, 7, 0.01f, largest})) << form;
  }
}

}  // namespace
}  // namespace posiscope::train
