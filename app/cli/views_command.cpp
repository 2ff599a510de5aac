// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// posiscope views: what there is to draw.
#include "app/cli/command.h"
#include "ui/state/presentation.h"
#include "ui/views/list.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>
#include <vector>

namespace posiscope::cli {
namespace {

/// All, or those that the window opens with, in the order they are in.
std::vector<const ui::ViewKind*> viewsListed(bool start) {
  std::vector<const ui::ViewKind*> views;
  if (!start) {
    for (const ui::ViewKind& view : ui::viewCatalogue()) views.push_back(&view);
    return views;
  }
  const ui::Presentation first = ui::startPresentation();
  for (int tile = 0; tile < first.tile_count; ++tile)
    views.push_back(ui::findView(first.tiles[static_cast<std::size_t>(tile)].view));
  return views;
}

/// Of the first column: the longest id of all views, so that every list has the same columns.
int idWidth() {
  std::size_t width = 0;
  for (const ui::ViewKind& view : ui::viewCatalogue()) width = std::max(width, view.id.size());
  return static_cast<int>(width);
}

Expected<int> listViews(bool start, bool as_json) {
  nlohmann::json list = nlohmann::json::array();
  for (const ui::ViewKind* kind : viewsListed(start)) {
    const ui::ViewKind& view = *kind;
    if (as_json)
      list.push_back(
          {{"id", view.id}, {"title", {{"en", view.title.en}, {"zh", view.title.zh}}}, {"measure", view.measure}});
    else
      std::cout << std::left << std::setw(idWidth()) << view.id << ' ' << view.title.en << '\n';
  }
  if (as_json) std::cout << list.dump(2) << '\n';
  return 0;
}

}  // namespace

Command addViewsCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand("views", "List the views that figure draws, one a line, its id first");
  auto as_json = std::make_shared<bool>(false);
  command->add_flag("--json", *as_json, "Titles in both languages and the measure each shows, as JSON");
  auto start = std::make_shared<bool>(false);
  command->add_flag("--start", *start, "Only those that the window opens with");
  command->footer("Examples:\n  posiscope views\n  posiscope views --start");
  return {command, [start, as_json] { return listViews(*start, *as_json); }};
}

}  // namespace posiscope::cli
