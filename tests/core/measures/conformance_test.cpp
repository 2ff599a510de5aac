// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compute.h"
#include "core/measures/list.h"
#include "core/parallel.h"
#include "core/schemes/list.h"

#include <cmath>
#include <gtest/gtest.h>

namespace posiscope {
namespace {

/// A shape that every scheme accepts, small, with sizes that are no power of two where they may be.
Question questionFor(const std::string& measure, const Scheme& scheme) {
  Question question;
  question.measure = measure;
  question.scheme.id = scheme.id();
  question.shape.seq_len = 36;
  question.shape.d_model = 24;
  question.shape.num_heads = 3;
  question.shape.head_dim = 8;
  question.shape.grid_height = 6;
  question.shape.grid_width = 6;
  question.mask.causal = true;
  question.train_length = 16;
  return question;
}

std::vector<const Scheme*> allSchemes() {
  std::vector<const Scheme*> all;
  for (const Scheme& s : schemes::catalogue()) all.push_back(&s);
  return all;
}

void expectText(const Text& text, const std::string& where) {
  EXPECT_FALSE(text.en.empty()) << where;
  EXPECT_FALSE(text.zh.empty()) << where << ": " << text.en;
}

void expectDrawable(const Dataset& dataset, const std::string& where) {
  for (const Map& map : dataset.maps) {
    ASSERT_TRUE(map.field) << where;
    EXPECT_FALSE(map.key.empty()) << where;
    expectText(map.label, where);
    expectText(map.rows.name, where);
    expectText(map.cols.name, where);
    expectText(map.value, where);
    for (std::int64_t r = 0; r < map.field->rows(); ++r)
      for (std::int64_t c = 0; c < map.field->cols(); ++c)
        ASSERT_TRUE(std::isfinite(map.field->at(r, c))) << where << " " << map.key << " (" << r << ", " << c << ")";
  }
  for (const Curve& curve : dataset.curves) {
    EXPECT_FALSE(curve.key.empty()) << where;
    expectText(curve.label, where);
    EXPECT_EQ(curve.x.size(), curve.y.size()) << where;
    EXPECT_FALSE(curve.x.empty()) << where;
    for (const double y : curve.y) ASSERT_TRUE(std::isfinite(y)) << where << " " << curve.key;
  }
  if (!dataset.curves.empty()) {
    expectText(dataset.x.name, where);
    expectText(dataset.y.name, where);
  }
  for (const Mark& mark : dataset.marks) expectText(mark.label, where);
  for (const Metric& metric : dataset.metrics) {
    expectText(metric.label, where);
    EXPECT_TRUE(std::isfinite(metric.value)) << where << " " << metric.key;
  }
  for (const Remark& remark : dataset.remarks) expectText(remark.sentence, where);
}

TEST(Measures, haveTextsInBothLanguagesAndDocumentTheirShape) {
  for (const Measure& measure : measures::catalogue()) {
    expectText(measure.title, measure.id);
    expectText(measure.how_to_read, measure.id);
    EXPECT_FALSE(measure.shape_help.empty()) << measure.id;
    EXPECT_EQ(measures::find(measure.id), &measure);
    for (const ParamSpec& option : measure.options) {
      expectText(option.label, measure.id + "." + option.key);
      expectText(option.help, measure.id + "." + option.key);
      EXPECT_TRUE(checkValue(measure.id, option, option.default_value)) << measure.id << "." << option.key;
    }
  }
  EXPECT_EQ(measures::find("no_such_measure"), nullptr);
}

TEST(Measures, answerEverySchemeWithSomethingToDrawOrASentence) {
  for (const Measure& measure : measures::catalogue())
    for (const Scheme* scheme : allSchemes()) {
      const std::string where = measure.id + " of " + scheme->id();
      const Expected<Dataset> dataset = measure.compute(questionFor(measure.id, *scheme), Job{});
      ASSERT_TRUE(dataset) << where << ": " << dataset.error().message.en;
      expectDrawable(*dataset, where);
      const bool drawn = !dataset->maps.empty() || !dataset->curves.empty() || !dataset->properties.empty();
      EXPECT_NE(drawn, !dataset->nothing.en.empty()) << where;
      if (!drawn) expectText(dataset->nothing, where);
    }
}

TEST(Measures, areTheSameOnAnyNumberOfThreads) {
  const int before = threads();
  for (const Measure& measure : measures::catalogue())
    for (const Scheme* scheme : allSchemes()) {
      Question question = questionFor(measure.id, *scheme);
      question.shape.seq_len = 144;  // several blocks
      question.shape.grid_height = question.shape.grid_width = 12;
      setThreads(1);
      const Expected<Dataset> one = measure.compute(question, Job{});
      setThreads(4);
      const Expected<Dataset> four = measure.compute(question, Job{});
      ASSERT_TRUE(one && four) << measure.id << " of " << scheme->id();
      EXPECT_EQ(csv(*one), csv(*four)) << measure.id << " of " << scheme->id();
      EXPECT_EQ(one->maps.size(), four->maps.size());
    }
  setThreads(before);
}

TEST(Measures, surviveOneToken) {
  for (const Measure& measure : measures::catalogue())
    for (const Scheme& scheme : schemes::catalogue()) {
      Question question = questionFor(measure.id, scheme);
      question.shape.seq_len = 1;
      question.shape.grid_height = question.shape.grid_width = 1;
      const Expected<Dataset> dataset = measure.compute(question, Job{});
      ASSERT_TRUE(dataset) << measure.id << " of " << scheme.id() << ": " << dataset.error().message.en;
      expectDrawable(*dataset, measure.id + " of " + scheme.id());
    }
}

TEST(Measures, refuseOptionsTheyDoNotKnow) {
  for (const Measure& measure : measures::catalogue()) {
    Question question = questionFor(measure.id, *schemes::find("rope"));
    question.options["no_such_option"] = 1.0;
    const Expected<Dataset> dataset = measure.compute(question, Job{});
    ASSERT_FALSE(dataset) << measure.id;
    EXPECT_EQ(dataset.error().code, ErrorCode::unknown_name);
    EXPECT_NE(dataset.error().message.en.find(measure.id), std::string::npos) << dataset.error().message.en;
  }
}

TEST(Measures, passOnWhatTheSchemeRefuses) {
  for (const Measure& measure : measures::catalogue()) {
    Question question = questionFor(measure.id, *schemes::find("rope"));
    question.scheme.values["base"] = -1.0;
    const Expected<Dataset> dataset = measure.compute(question, Job{});
    ASSERT_FALSE(dataset) << measure.id;
    EXPECT_EQ(dataset.error().code, ErrorCode::out_of_range) << measure.id;
  }
}

}  // namespace
}  // namespace posiscope
