// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/content.h"
#include "core/experiment.h"
#include "core/measures/list.h"
#include "ui/views/list.h"

#include <gtest/gtest.h>

#include <set>

namespace posiscope::cli {
namespace {

/// The command line has one flag for each of these; two of one name would stop the program at its start.
void expectFreeNames(const std::vector<ParamSpec>& options, const std::string& where) {
  std::set<std::string> taken{"scheme", "model", "session", "start",    "out",  "threads", "size",
                              "dpi",    "theme", "lang",    "head_dim", "help", "mask",    "content"};
  for (const auto* table :
       {&shapeTable().specs(), &contentTable().specs(), &maskTable().specs(), &experimentTable().specs()})
    for (const ParamSpec& spec : *table) taken.insert(spec.key);
  for (const ParamSpec& option : options) EXPECT_TRUE(taken.insert(option.key).second) << where << "." << option.key;
}

TEST(OptionNames, OfMeasuresAndViewsAreNotThoseOfTheExperiment) {
  for (const Measure& measure : measures::catalogue()) expectFreeNames(measure.options, measure.id);
  for (const ui::ViewKind& view : ui::viewCatalogue()) expectFreeNames(view.options, view.id);
}

}  // namespace
}  // namespace posiscope::cli
