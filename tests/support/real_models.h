// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/files/reader.h"
#include "core/transformers/forward.h"
#include "tests/support/shared.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace posiscope::test {

/// Tests on models that were really trained; they are not part of the project. Without them a test skips itself, with
/// CI=true it fails.
class RealModelTest : public testing::Test {
 protected:
  void SetUp() override {
    folder = modelsPath();
    if (!folder.empty()) return;
    const char* ci = std::getenv("CI");
    if (ci && std::string(ci) == "true") FAIL() << "the models are missing: set POSISCOPE_MODELS to their folder";
    GTEST_SKIP() << "the real models are not here; set POSISCOPE_MODELS to their folder to run this test";
  }
  transformers::Model open(const std::string& name) const {
    auto model = transformers::openModel(folder + "/" + name);
    EXPECT_TRUE(model) << (model ? "" : model.error().message.en);
    return model ? *std::move(model) : transformers::Model{};
  }
  /// "stories260K/tokens.npy"
  Array array(const std::string& name) const {
    const auto found = files::readNpy(folder + "/" + name);
    EXPECT_TRUE(found) << (found ? "" : found.error().message.en);
    return found ? *found : Array{};
  }

  std::string folder;
};

/// The numbers of an array of ids.
inline std::vector<std::int64_t> idsOf(const Array& array) {
  return array.empty() ? std::vector<std::int64_t>{}
                       : std::vector<std::int64_t>(array.values->begin(), array.values->end());
}

/// A run that must succeed.
template <class T>
transformers::Trace<T> traced(const transformers::Model& model, const transformers::Prompt& prompt,
                              const transformers::Wanted& wanted) {
  auto trace = transformers::run<T>(model, prompt, wanted);
  EXPECT_TRUE(trace) << (trace ? "" : trace.error().message.en);
  return trace ? *std::move(trace) : transformers::Trace<T>{};
}

/// The weights of all layers one after the other, as the stored arrays have them.
template <class T>
std::vector<double> allWeights(const transformers::Trace<T>& trace) {
  std::vector<double> all;
  for (const auto& layer : trace.layers)
    all.insert(all.end(), layer.attention.weights.begin(), layer.attention.weights.end());
  return all;
}

/// The column of each row's largest number.
template <class T>
std::vector<std::int64_t> largest(const Table<T>& table) {
  std::vector<std::int64_t> columns;
  for (std::int64_t r = 0; r < table.rows; ++r) {
    const std::span<const T> row = table.row(r);
    columns.push_back(std::max_element(row.begin(), row.end()) - row.begin());
  }
  return columns;
}

}  // namespace posiscope::test
