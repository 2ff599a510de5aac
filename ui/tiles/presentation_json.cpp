// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tiles/presentation_json.h"

#include "core/chinese_text.h"
#include "core/files/json_text.h"
#include "core/files/refusal.h"
#include "core/session.h"
#include "ui/state/scheme_pair.h"
#include "ui/views/list.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace posiscope::ui {
namespace {

using files::escaped;
using files::same;
using nlohmann::json;

constexpr const char* refused_key = "rejected";

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

bool isNumbers(const json& node, std::size_t count) {
  return node.is_array() && node.size() == count &&
         std::ranges::all_of(node, [](const json& item) { return item.is_number(); });
}

/// The keys a tile keeps beside its view's options: the schemes of a difference.
bool isKeptScheme(const std::string& key) { return key == schemeKey("minuend") || key == schemeKey("subtrahend"); }

/// Reads over a presentation and says what it could not use.
class Reader {
 public:
  Reader(Presentation& presentation, std::string file) : p_(presentation), file_(std::move(file)) {}

  std::vector<Text> read(const json& root);

 private:
  void note(const Text& note) {
    const std::string owner = file_.empty() ? std::string() : escaped(file_, 4096);
    notes_.push_back(owner.empty() ? note : Text{owner + ": " + note.en, owner + "：" + note.zh});
  }
  void unknown(const std::string& where) {
    const std::string name = escaped(where);
    note({name + " is not known to this version; it is kept in the file",
          "此版本不认识 " + name + "；它会保留在文件中"});
  }
  void refuse(const std::string& where, const json& value, const Text& allowed) {
    kept_[refused_key][where] = value;
    const std::string name = escaped(where), found = escaped(files::shown(value));
    note({join(name, " must be ", allowed.en, ", got ", found),
          joinChinese(name, " 必须是 ", allowed.zh, "，实际为 ", found)});
  }
  void integer(const std::string& key, const json& value, int minimum, int maximum, int& out) {
    const bool legal = value.is_number_integer() && value >= minimum && value <= maximum;
    if (!legal)
      return refuse("presentation." + key, value, same(join("a whole number from ", minimum, " to ", maximum)));
    out = value;
  }
  void key(const std::string& key, const json& value);
  void selection(const json& node);
  void tiles(const json& node);
  void tile(const std::string& where, const json& node, TileState& out);
  void options(const std::string& where, const json& node, const ViewKind* view, ParamValues& out);
  void pinned(const json& node);

  Presentation& p_;
  std::string file_;
  json kept_ = json::object();
  std::vector<Text> notes_;
};

void Reader::selection(const json& node) {
  if (!node.is_object()) return refuse("presentation.selection", node, {"an object", "一个对象"});
  for (const auto& [symbol, range] : node.items())
    if (isNumbers(range, 2))
      p_.selection[symbol] = Range{range[0], range[1]};
    else
      refuse("presentation.selection." + symbol, range, {"two numbers", "两个数"});
}

void Reader::options(const std::string& where, const json& node, const ViewKind* view, ParamValues& out) {
  if (!node.is_object()) return refuse(where, node, {"an object", "一个对象"});
  for (const auto& [key, value] : node.items()) {
    const std::string place = where + "." + key;
    const ParamSpec* spec = view ? findParam(view->options, key) : nullptr;
    std::optional<Value> read = readValue(value);
    if (read && spec)
      if (const Outcome ok = checkValue(where, *spec, *read); !ok) {
        kept_[refused_key][place] = value;
        note(ok.error().message);
        continue;
      }
    // An option of a view that this version does not have, or not yet: it stays with its tile.
    if (view && !spec && !isKeptScheme(key)) unknown(place);
    if (read)
      out[key] = *std::move(read);
    else
      refuse(place, value, {"a value of an option", "选项的值"});
  }
}

void Reader::tile(const std::string& where, const json& node, TileState& out) {
  if (!node.is_object() || !node.contains("view") || !node["view"].is_string())
    return refuse(where, node, {"an object with the id of a view", "含有视图 id 的对象"});
  out = {node["view"].get<std::string>(), {}, {}};
  const ViewKind* view = findView(out.view);
  if (!view) unknown(join(where, ".view ", out.view));
  for (const auto& [key, value] : node.items()) {
    if (key == "options")
      options(where + ".options", value, view, out.options);
    else if (key == "zoom" && isNumbers(value, 4))
      out.zoom = Zoom{value[0], value[1], value[2], value[3]};
    else if (key == "zoom")
      refuse(where + ".zoom", value, {"four numbers", "四个数"});
    else if (key == "zoom_axes" && value.is_string())
      out.zoom_axes = value.get<std::string>();
    else if (key == "zoom_axes")
      refuse(where + ".zoom_axes", value, {"a text", "文本"});
    else if (key != "view") {
      unknown(where + "." + key);
      kept_[refused_key][where + "." + key] = value;
    }
  }
}

void Reader::tiles(const json& node) {
  if (!node.is_array()) return refuse("presentation.tiles", node, {"a list of tiles", "图块列表"});
  for (std::size_t i = 0; i < node.size(); ++i) {
    const std::string where = join("presentation.tiles[", i, "]");
    if (i < p_.tiles.size())
      tile(where, node[i], p_.tiles[i]);
    else
      refuse(where, node[i],
             {join("one of at most ", p_.tiles.size(), " tiles"), join("不超过 ", p_.tiles.size(), " 个图块之一")});
  }
}

void Reader::pinned(const json& node) {
  const Expected<session::Opened> opened = session::fromText(node.dump(), file_);
  if (!opened) {
    kept_[refused_key]["presentation.pinned"] = node;
    return note(opened.error().message);
  }
  for (const Text& said : opened->notes) note({"presentation.pinned: " + said.en, "presentation.pinned：" + said.zh});
  for (const session::MissingArray& missing : opened->missing)
    note({join("presentation.pinned: ", missing.where, ": the file ", escaped(missing.path, 4096),
               missing.changed ? " has changed" : " is not there", "; the pinned curves of that scheme are not shown"),
          join("presentation.pinned：", missing.where, "：文件 ", escaped(missing.path, 4096),
               missing.changed ? " 已改变" : " 已不存在", "；该方案固定的曲线不再显示")});
  p_.pinned = std::make_shared<const Experiment>(opened->experiment);
}

void Reader::key(const std::string& key, const json& value) {
  if (key == "tile_count") {
    if (value == 1 || value == 2 || value == 4)
      p_.tile_count = value;
    else
      refuse("presentation.tile_count", value, {"1, 2 or 4", "1、2 或 4"});
  } else if (key == "maximised") {
    integer(key, value, -1, 3, p_.maximised);
  } else if (key == "selected") {
    integer(key, value, 0, static_cast<int>(max_schemes) - 1, p_.selected);
  } else if (key == "head") {
    integer(key, value, 0, 1 << 20, p_.head);
  } else if (key == "inspector" && value.is_boolean()) {
    p_.inspector = value;
  } else if (key == "inspector") {
    refuse("presentation.inspector", value, {"true or false", "true 或 false"});
  } else if (key == "selection") {
    selection(value);
  } else if (key == "tiles") {
    tiles(value);
  } else if (key == "pinned") {
    pinned(value);
  } else if (key == refused_key && value.is_object()) {
    kept_[refused_key].update(value);  // the user has been told when it was first opened
  } else {
    unknown("presentation." + key);
    kept_[key] = value;
  }
}

std::vector<Text> Reader::read(const json& root) {
  if (root.is_object())
    for (const auto& [name, value] : root.items()) key(name, value);
  else
    refuse("presentation", root, {"an object", "一个对象"});
  p_.kept = kept_.empty() ? std::string() : kept_.dump();
  return std::move(notes_);
}

}  // namespace

std::string presentationText(const Presentation& p) {
  json node = json::parse(p.kept, nullptr, false);
  if (!node.is_object()) node = json::object();
  node.update({{"tile_count", p.tile_count},
               {"maximised", p.maximised},
               {"selected", p.selected},
               {"head", p.head},
               {"inspector", p.inspector}});
  for (const auto& [symbol, range] : p.selection) node["selection"][symbol] = {range.low, range.high};
  for (const TileState& tile : p.tiles) node["tiles"].push_back(tileJson(tile));
  if (p.pinned) node["pinned"] = session::toJson(session::withAbsolutePaths(*p.pinned));
  return node.dump(-1, ' ', false, json::error_handler_t::replace);
}

ReadPresentation readPresentation(const std::string& text, Presentation present, const std::string& file) {
  ReadPresentation read{std::move(present), {}};
  const json root = json::parse(text, nullptr, false);
  read.presentation.kept.clear();
  if (root.is_discarded()) return read;
  if (root.is_object()) {
    read.presentation.maximised = -1;
    read.presentation.selection = {};
    read.presentation.pinned = nullptr;
  }
  read.notes = Reader(read.presentation, file).read(root);
  return read;
}

}  // namespace posiscope::ui
