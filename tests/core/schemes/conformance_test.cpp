// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel.h"
#include "core/schemes/list.h"
#include "tests/support/shared.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace posiscope {
namespace {

/// A shape on which every scheme's limits can be tried in no time.
Shape smallShape() {
  Shape shape;
  shape.seq_len = 70;
  shape.d_model = 12;
  shape.num_heads = 3;
  shape.head_dim = 8;
  shape.grid_height = 7;
  shape.grid_width = 10;
  return shape;
}

/// Every number a bias or a table gives, head by head and row by row.
template <class T>
std::vector<T> numbersOf(const Encoding<T>& encoding, const Shape& shape) {
  std::vector<T> all = encoding.input.table.values;
  if (encoding.rotation)
    for (std::int64_t s = 0; s < encoding.rotation->sets; ++s)
      for (std::int64_t t = 0; t < shape.keys(); ++t)
        for (std::int64_t p = 0; p < encoding.rotation->pairs(); ++p)
          all.push_back(static_cast<T>(encoding.rotation->angle(s, t, p)));
  if (const auto* bias = std::get_if<OffsetBias<T>>(&encoding.logits.bias))
    all.insert(all.end(), bias->values.begin(), bias->values.end());
  if (const auto* bias = std::get_if<PairBias<T>>(&encoding.logits.bias)) {
    std::vector<T> row(static_cast<std::size_t>(shape.keys()));
    for (std::int64_t h = 0; h < shape.num_heads; ++h)
      for (std::int64_t i = 0; i < shape.queries(); ++i) {
        bias->fill(h, i, row);
        all.insert(all.end(), row.begin(), row.end());
      }
  }
  return all;
}

template <class T>
bool allFinite(const std::vector<T>& values) {
  return std::ranges::all_of(values, [](T v) { return std::isfinite(v); });
}

std::string fileText(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

class EveryScheme : public testing::TestWithParam<const Scheme*> {
 protected:
  const Scheme& scheme() const { return *GetParam(); }

  /// Values and shape give numbers without a NaN, or a sentence.
  void expectSurvives(const ParamValues& values, const Shape& shape, const std::string& what) const {
    const Expected<Encoding<float>> encoding = scheme().encode(values, shape);
    if (!encoding) {
      EXPECT_FALSE(encoding.error().message.en.empty()) << what;
      EXPECT_FALSE(encoding.error().message.zh.empty()) << what;
      return;
    }
    EXPECT_TRUE(allFinite(numbersOf(*encoding, shape))) << what;
    EXPECT_TRUE(std::isfinite(encoding->logit_scale)) << what;
    for (const EncodingFact& fact : encoding->facts) EXPECT_TRUE(std::isfinite(fact.value)) << what << " " << fact.key;
    EXPECT_FALSE(scheme().substitution(values, shape).find("nan") != std::string::npos) << what;
  }
};

TEST_P(EveryScheme, answersFiniteNumbersOfTheRightShape) {
  const Shape shape = smallShape();
  const Expected<Encoding<float>> encoding = scheme().encode({}, shape);
  ASSERT_TRUE(encoding) << encoding.error().message.en;
  EXPECT_TRUE(allFinite(numbersOf(*encoding, shape)));
  EXPECT_GT(encoding->logit_scale, 0);
  if (!encoding->input.table.empty()) {
    EXPECT_EQ(encoding->input.table.rows, shape.keys());
    EXPECT_EQ(encoding->input.table.cols, shape.d_model);
    EXPECT_EQ(static_cast<std::int64_t>(encoding->input.table.values.size()), shape.keys() * shape.d_model);
    EXPECT_FALSE(encoding->offset_only);
  }
  if (const auto& r = encoding->rotation) {
    EXPECT_GE(r->first_dim, 0);
    EXPECT_LE(r->endDim(), shape.head_dim);
    EXPECT_EQ(static_cast<std::int64_t>(r->frequency.size()), r->sets * r->axes * r->pairs());
    EXPECT_EQ(static_cast<std::int64_t>(r->position.size()), r->axes * shape.keys());
    std::set<std::int64_t> dims;
    for (std::int64_t p = 0; p < r->pairs(); ++p) dims.insert({r->firstDim(p), r->secondDim(p)});
    EXPECT_EQ(static_cast<std::int64_t>(dims.size()), r->rotary_dim);
    EXPECT_LT(*dims.rbegin(), r->endDim());
  }
  if (const auto* bias = std::get_if<OffsetBias<float>>(&encoding->logits.bias)) {
    EXPECT_EQ(bias->heads, shape.num_heads);
    EXPECT_EQ(bias->max_offset, shape.keys() - 1);
    EXPECT_EQ(static_cast<std::int64_t>(bias->values.size()), bias->heads * (2 * bias->max_offset + 1));
  }
}

TEST_P(EveryScheme, floatAndDoubleAreOneFormula) {
  const Shape shape = smallShape();
  const Expected<Encoding<float>> narrow = scheme().encode({}, shape);
  const Expected<Encoding<double>> wide = scheme().encode_double({}, shape);
  ASSERT_TRUE(narrow && wide);
  const std::vector<float> a = numbersOf(*narrow, shape);
  const std::vector<double> b = numbersOf(*wide, shape);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-6 * (1 + std::abs(b[i])));
  EXPECT_EQ(narrow->logit_scale, wide->logit_scale);
}

TEST_P(EveryScheme, isTheSameOnAnyNumberOfThreads) {
  const int before = threads();
  const Shape shape = smallShape();
  std::vector<std::vector<double>> answers;
  for (const int count : {1, 2, 5}) {
    setThreads(count);
    const Expected<Encoding<double>> encoding = scheme().encode_double({}, shape);
    setThreads(before);
    ASSERT_TRUE(encoding);
    answers.push_back(numbersOf(*encoding, shape));
  }
  EXPECT_EQ(answers[0], answers[1]);
  EXPECT_EQ(answers[0], answers[2]);
}

TEST_P(EveryScheme, survivesTheLimitsOfEveryParameter) {
  const Shape shape = smallShape();
  // Each limit alone and beside each word of each choice, so that parameters of one variant are tried in it.
  std::vector<ParamValues> settings{{}};
  for (const ParamSpec& spec : scheme().params)
    for (const Choice& choice : spec.choices) settings.push_back({{spec.key, choice.key}});
  for (const ParamValues& setting : settings)
    for (const ParamSpec& spec : scheme().params) {
      if (spec.kind != ParamKind::real && spec.kind != ParamKind::integer) continue;
      for (const double limit : {spec.minimum, spec.maximum, spec.slider_minimum, spec.slider_maximum}) {
        ParamValues values = setting;
        values[spec.key] = limit;
        expectSurvives(values, shape, scheme().id() + " " + spec.key + "=" + valueText(limit));
      }
    }
}

TEST_P(EveryScheme, survivesSmallAndOddShapes) {
  for (const std::int64_t size : {1, 2, 3, 5}) {
    Shape shape = smallShape();
    shape.seq_len = size;
    expectSurvives({}, shape, "seq_len");
    shape = smallShape();
    shape.d_model = size;
    expectSurvives({}, shape, "d_model");
    shape = smallShape();
    shape.head_dim = size;
    expectSurvives({}, shape, "head_dim");
    shape = smallShape();
    shape.num_heads = size;
    expectSurvives({}, shape, "num_heads");
    shape = smallShape();
    shape.seq_len_q = size;
    expectSurvives({}, shape, "seq_len_q");
  }
  Shape shape = smallShape();
  for (const double first : {-1e9, -0.5, 0.25, 1e9}) {
    shape.first_position = first;
    expectSurvives({}, shape, "first_position");
  }
}

TEST_P(EveryScheme, isRefusedAsAWholeWhenTheShapeIsWrong) {
  Shape shape = smallShape();
  shape.num_kv_heads = 2;
  EXPECT_EQ(scheme().check({}, shape).error().code, ErrorCode::bad_shape);
  EXPECT_EQ(scheme().check({{"no such key", 1.0}}, smallShape()).error().code, ErrorCode::unknown_name);
}

TEST_P(EveryScheme, hasItsTextsInBothLanguages) {
  const SchemeText& text = scheme().text;
  EXPECT_FALSE(text.name.en.empty() || text.name.zh.empty());
  EXPECT_FALSE(text.summary.en.empty() || text.summary.zh.empty());
  EXPECT_TRUE(text.summary.en.ends_with("."));
  EXPECT_TRUE(text.summary.zh.ends_with("。"));
  EXPECT_FALSE(text.reference.empty());
  EXPECT_GT(text.year, 2000);
  std::set<std::string> keys;
  for (const ParamSpec& spec : scheme().params) {
    EXPECT_TRUE(keys.insert(spec.key).second) << spec.key << " twice";
    EXPECT_FALSE(spec.label.en.empty() || spec.label.zh.empty()) << spec.key;
    EXPECT_TRUE(spec.help.en.ends_with(".")) << spec.key;
    EXPECT_TRUE(spec.help.zh.ends_with("。")) << spec.key;
    for (const Choice& choice : spec.choices)
      EXPECT_FALSE(choice.label.en.empty() || choice.label.zh.empty()) << spec.key;
  }
}

TEST_P(EveryScheme, hasParametersThatASliderCanShow) {
  for (const ParamSpec& spec : scheme().params) {
    if (!spec.depends_on.empty()) {
      const ParamSpec* other = findParam(scheme().params, spec.depends_on);
      ASSERT_TRUE(other) << spec.key;
      for (const std::string& value : spec.depends_values)
        EXPECT_TRUE(parseValue("test", *other, value)) << spec.key << " when " << value;
    }
    if (spec.kind != ParamKind::real && spec.kind != ParamKind::integer) continue;
    EXPECT_LT(spec.slider_minimum, spec.slider_maximum) << spec.key;
    EXPECT_GE(spec.slider_minimum, spec.minimum) << spec.key;
    EXPECT_LE(spec.slider_maximum, spec.maximum) << spec.key;
    EXPECT_TRUE(!spec.logarithmic || spec.slider_minimum > 0) << spec.key;
    EXPECT_TRUE(checkValue("test", spec, spec.default_value)) << spec.key;
  }
}

TEST_P(EveryScheme, isDocumentedInBothLanguages) {
  // Beside tests/data, which need not exist.
  const std::string folder = std::filesystem::path(test::dataPath("../../resources/schemes/")).lexically_normal();
  for (const auto language : {Language::english, Language::chinese}) {
    const std::string path = folder + scheme().id() + (language == Language::english ? ".en.md" : ".zh.md");
    const std::string text = fileText(path);
    // Name and summary are written once in the code; the page must not drift from them.
    const std::string top = "# " + scheme().text.name.in(language) + "\n\n" + scheme().text.summary.in(language) + "\n";
    EXPECT_EQ(text.substr(0, top.size()), top) << path;
    EXPECT_GT(std::ranges::count(text, '\n'), 12) << path;
    std::int64_t sections = 0;
    for (std::size_t at = text.find("\n## "); at != std::string::npos; at = text.find("\n## ", at + 1)) ++sections;
    EXPECT_EQ(sections, 5) << path;
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryScheme, testing::ValuesIn([] {
                           std::vector<const Scheme*> all;
                           for (const Scheme& scheme : schemes::catalogue()) all.push_back(&scheme);
                           return all;
                         }()),
                         [](const auto& instance) { return instance.param->id(); });

TEST(Catalogue, idsAreUniqueAndFound) {
  std::set<std::string> ids;
  for (const Scheme& scheme : schemes::catalogue()) {
    EXPECT_TRUE(ids.insert(scheme.id()).second) << scheme.id();
    EXPECT_EQ(schemes::find(scheme.id()), &scheme);
  }
  EXPECT_EQ(schemes::find("no such scheme"), nullptr);
}

TEST(Catalogue, familiesHaveNames) {
  std::set<std::string> names;
  for (const Family f : all_families) {
    EXPECT_FALSE(familyName(f).zh.empty());
    names.insert(familyName(f).en);
  }
  EXPECT_EQ(names.size(), all_families.size());
  // What encodes no position is added to nothing.
  for (const Scheme& scheme : schemes::catalogue()) {
    EXPECT_NE(std::ranges::find(all_families, scheme.text.family), all_families.end()) << scheme.id();
    EXPECT_EQ(scheme.text.family == Family::none, scheme.id() == "none") << scheme.id();
  }
}

}  // namespace
}  // namespace posiscope
