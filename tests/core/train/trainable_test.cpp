// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/trainable.h"

#include "core/schemes/list.h"
#include "tests/core/train/small_model.h"

namespace posiscope::train {
namespace {

TEST(Trainables, AreSchemesOfTheCatalogueSaidInBothLanguages) {
  for (const Trainable& t : trainables()) {
    EXPECT_TRUE(schemes::find(t.scheme)) << t.scheme;
    EXPECT_FALSE(t.trained.en.empty() || t.trained.zh.empty()) << t.scheme;
    for (const ParamSpec& p : t.params) {
      EXPECT_FALSE(p.label.en.empty() || p.label.zh.empty()) << t.scheme << " " << p.key;
      EXPECT_FALSE(p.help.en.empty() || p.help.zh.empty()) << t.scheme << " " << p.key;
    }
  }
}

TEST(Trainables, PutPositionParametersLastUnderNamesOfTheirOwn) {
  for (const Variant& v : variants()) {
    const auto model = Model<float>::create(v.spec);
    ASSERT_TRUE(model) << v.name;
    for (const Parameter& p : model->layout().parameters) {
      EXPECT_EQ(p.role == Role::position, p.offset >= model->layout().position) << v.name << " " << p.name;
      EXPECT_EQ(p.role == Role::position, p.name.find("pe.") != std::string::npos) << v.name << " " << p.name;
    }
  }
}

}  // namespace
}  // namespace posiscope::train
