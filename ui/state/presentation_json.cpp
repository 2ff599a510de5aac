// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/presentation_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace posiscope::ui {
namespace {

using nlohmann::json;

json valueJson(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* on = std::get_if<bool>(&value)) return *on;
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* list = std::get_if<std::vector<double>>(&value)) return *list;
  return nullptr;  // views have no array options
}

std::optional<Value> readValue(const json& node) {
  if (node.is_boolean()) return Value(node.get<bool>());
  if (node.is_number()) return Value(node.get<double>());
  if (node.is_string()) return Value(node.get<std::string>());
  if (node.is_array() && std::ranges::all_of(node, [](const json& item) { return item.is_number(); }))
    return Value(node.get<std::vector<double>>());
  return std::nullopt;
}

json tileJson(const TileState& tile) {
  json node{{"view", tile.view}};
  for (const auto& [key, value] : tile.options) node["options"][key] = valueJson(value);
  if (tile.zoom) node["zoom"] = {tile.zoom->x0, tile.zoom->x1, tile.zoom->y0, tile.zoom->y1};
  if (tile.zoom && !tile.zoom_axes.empty()) node["zoom_axes"] = tile.zoom_axes;
  return node;
}

Selection readSelection(const json& node) {
  Selection selection;
  if (!node.is_object()) return selection;
  for (const auto& [symbol, range] : node.items())
    if (range.is_array() && range.size() == 2 && range[0].is_number() && range[1].is_number())
      selection[symbol] = Range{range[0], range[1]};
  return selection;
}

TileState readTile(const json& node, TileState tile) {
  if (!node.is_object() || !node.contains("view") || !node["view"].is_string()) return tile;
  tile = {node["view"].get<std::string>(), {}, {}};
  if (const auto options = node.find("options"); options != node.end() && options->is_object())
    for (const auto& [key, value] : options->items())
      if (std::optional<Value> read = readValue(value)) tile.options[key] = *std::move(read);
  if (const auto zoom = node.find("zoom"); zoom != node.end() && zoom->is_array() && zoom->size() == 4 &&
                                           std::ranges::all_of(*zoom, [](const json& n) { return n.is_number(); }))
    tile.zoom = Zoom{(*zoom)[0], (*zoom)[1], (*zoom)[2], (*zoom)[3]};
  if (const auto axes = node.find("zoom_axes"); axes != node.end() && axes->is_string())
    tile.zoom_axes = axes->get<std::string>();
  return tile;
}

void readInteger(const json& node, const char* key, int minimum, int maximum, int& out) {
  if (const auto found = node.find(key); found != node.end() && found->is_number_integer()) {
    const auto value = found->get<std::int64_t>();
    if (value >= minimum && value <= maximum) out = static_cast<int>(value);
  }
}

}  // namespace

std::string presentationText(const Presentation& p) {
  json node{{"tile_count", p.tile_count}, {"maximised", p.maximised}, {"selected", p.selected},
            {"head", p.head},             {"inspector", p.inspector}};
  for (const auto& [symbol, range] : p.selection) node["selection"][symbol] = {range.low, range.high};
  for (const TileState& tile : p.tiles) node["tiles"].push_back(tileJson(tile));
  return node.dump();
}

Presentation readPresentation(const std::string& text, Presentation p) {
  const json node = json::parse(text, nullptr, false);
  if (!node.is_object()) return p;
  int count = p.tile_count;
  readInteger(node, "tile_count", 1, 4, count);
  if (count != 3) p.tile_count = count;
  p.maximised = -1;
  p.selection = {};
  if (const auto selection = node.find("selection"); selection != node.end()) p.selection = readSelection(*selection);
  readInteger(node, "maximised", -1, 3, p.maximised);
  readInteger(node, "selected", 0, 5, p.selected);
  readInteger(node, "head", 0, 1 << 20, p.head);
  if (const auto on = node.find("inspector"); on != node.end() && on->is_boolean()) p.inspector = on->get<bool>();
  if (const auto tiles = node.find("tiles"); tiles != node.end() && tiles->is_array())
    for (std::size_t i = 0; i < std::min(p.tiles.size(), tiles->size()); ++i)
      p.tiles[i] = readTile((*tiles)[i], p.tiles[i]);
  return p;
}

}  // namespace posiscope::ui
