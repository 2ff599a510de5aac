// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula.h"
#include "core/measures/encoded.h"
#include "core/measures/list.h"
#include "core/measures/terms.h"

#include <gtest/gtest.h>
#include <cmath>

namespace posiscope::measures {
namespace {

Question question(const char* scheme, ParamValues values) {
  Question q;
  q.measure = "position_table";
  q.scheme.id = scheme;
  q.scheme.values = std::move(values);
  q.shape.seq_len = 36;
  q.shape.d_model = 24;
  q.shape.num_heads = 3;
  q.shape.head_dim = 8;
  q.shape.grid_height = q.shape.grid_width = 6;
  return q;
}

Dataset answerOf(const Question& q) {
  Expected<Dataset> dataset = find(q.measure)->compute(q, Job{});
  EXPECT_TRUE(dataset) << (dataset ? "" : dataset.error().message.en);
  return dataset ? std::move(*dataset) : Dataset{};
}

void replaceAll(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

/// The value of a term, computed from nothing but what is written: "formula, name = number, …".
double valueOf(std::string term) {
  replaceAll(term, "\u202f", "");
  replaceAll(term, "−", "-");
  replaceAll(term, " · ", "*");
  Formula formula;
  for (std::size_t at = term.rfind(", "); at != std::string::npos; at = term.rfind(", ")) {
    const std::string named = term.substr(at + 2);
    const std::size_t equals = named.find(" = ");
    formula.constants.emplace_back(named.substr(0, equals), std::stod(named.substr(equals + 3)));
    term.resize(at);
  }
  while (term.find('|') != std::string::npos)
    term.replace(term.find('|'), 1, term.find('|') == term.rfind('|') ? ")" : "abs(");
  formula.text = term;
  const auto values = evaluateFormula("term", formula, 1, [](std::int64_t, std::span<double>) {});
  EXPECT_TRUE(values) << term << ": " << (values ? "" : values.error().message.en);
  return values ? values->front() : std::nan("");
}

/// Every few cells of the first map are what their terms say, to the digits that are written.
void expectTermsToBeTheValues(const char* scheme, ParamValues values) {
  const Dataset dataset = answerOf(question(scheme, std::move(values)));
  ASSERT_FALSE(dataset.maps.empty()) << scheme;
  const Map& map = dataset.maps.front();
  for (std::int64_t r = 0; r < map.field->rows(); r += 1 + map.field->rows() / 7)
    for (std::int64_t c = 0; c < map.field->cols(); c += 1 + map.field->cols() / 11) {
      const double value = map.field->at(r, c);
      ASSERT_NEAR(valueOf(map.term(r, c)), value, 1e-4 + 1e-4 * std::abs(value)) << scheme << ": " << map.term(r, c);
    }
}

TEST(BiasTerms, numbersInThemGiveTheBias) {
  expectTermsToBeTheValues("kerple", {});
  expectTermsToBeTheValues("kerple", {{"form", std::string("power")}});
  expectTermsToBeTheValues("sparse", {{"form", std::string("bias")}, {"keep", std::string("window")}});
  expectTermsToBeTheValues("own", {{"kind", std::string("bias")}});
  expectTermsToBeTheValues("own", {{"kind", std::string("table")}});
}

TEST(BiasTerms, aTableThatIsLookedUpNamesItsRow) {
  const auto term = [](const char* scheme, std::int64_t i, std::int64_t j) {
    return answerOf(question(scheme, {})).maps.at(0).term(i, j);
  };
  const EncodingPtr grid = *encodingOf(question("grid_bias", {}));
  const std::int64_t row = grid->logits.lookup.row(14, 7);
  EXPECT_EQ(term("grid_bias", 14, 7), join("b[", row, ", 0], ", row, " = row(14, 7)"));
  EXPECT_EQ(term("swin", 1, 0), "B(Δy = 0, Δx = 1)") << "the offset in the window says more than the row";
}

TEST(BiasTerms, everySchemeWithABiasHasOneOfItsOwnOrAName) {
  PairBias<float> bias;
  EXPECT_EQ(biasTerm(bias, RowLookup{}, 3, 412, 7), "β₃(412, 7)");
  EXPECT_EQ(biasTerm(OffsetBias<float>{}, 3, -405), "β₃(−405)");
  const RowLookup lookup{9, [](std::int64_t i, std::int64_t j) { return i == j ? -1 : i - j; }};
  EXPECT_EQ(biasTerm(bias, lookup, 1, 7, 5), "b[2, 1], 2 = row(7, 5)");
  EXPECT_EQ(biasTerm(bias, lookup, 1, 5, 5), "0");
}

}  // namespace
}  // namespace posiscope::measures
