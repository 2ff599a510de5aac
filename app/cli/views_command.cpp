// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// posiscope views: what there is to draw.
#include "app/cli/command.h"
#include "ui/views/list.h"

#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>

namespace posiscope::cli {
namespace {

Expected<int> listViews(bool as_json) {
  nlohmann::json list = nlohmann::json::array();
  for (const ui::ViewKind& view : ui::viewCatalogue()) {
    if (as_json)
      list.push_back(
          {{"id", view.id}, {"title", {{"en", view.title.en}, {"zh", view.title.zh}}}, {"measure", view.measure}});
    else
      std::cout << std::left << std::setw(18) << view.id << ' ' << view.title.en << '\n';
  }
  if (as_json) std::cout << list.dump(2) << '\n';
  return 0;
}

}  // namespace

Command addViewsCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand("views", "List the views that figure draws, one a line, its id first");
  auto as_json = std::make_shared<bool>(false);
  command->add_flag("--json", *as_json, "Titles in both languages and the measure each shows, as JSON");
  command->footer("Example:\n  posiscope views");
  return {command, [as_json] { return listViews(*as_json); }};
}

}  // namespace posiscope::cli
