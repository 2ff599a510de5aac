// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A specification with its grids → the list of its items.
#include "core/aliases.h"
#include "core/brought_values.h"
#include "core/files/json_text.h"
#include "core/files/reader.h"
#include "core/files/refusal.h"
#include "core/measures/list.h"
#include "core/near_names.h"
#include "core/schemes/list.h"
#include "core/sweep/grid.h"
#include "core/sweep/sweep.h"

#include <algorithm>
#include <array>

namespace posiscope::sweep {
namespace {

using nlohmann::json;

/// What all schemes and measures share, each with a table of its own. The last one has no name: its parameters stand
/// in the specification itself.
enum Section { shape_section, content_section, mask_section, whole_section, sections };
constexpr std::array<const char*, sections> section_names{"shape", "content", "mask", ""};

const std::vector<ParamSpec>& specsOf(std::size_t section) {
  switch (section) {
    case shape_section: return shapeTable().specs();
    case content_section: return contentTable().specs();
    case mask_section: return maskTable().specs();
    default: return experimentTable().specs();
  }
}

using SharedValues = std::array<ParamValues, sections>;

/// The shared part of the grid. `owners[a]` is the section of `axes[a]`.
struct SharedGrid {
  SharedValues values;
  std::vector<Axis> axes;
  std::vector<std::size_t> owners;
};

struct SchemeGrid {
  SchemeChoice choice;  ///< as its name says
  ParamValues given;    ///< what stands beside it
  std::vector<Axis> axes;
};

struct MeasureGrid {
  MeasureRequest request;
  std::vector<Axis> axes;
};

class SpecReader {
 public:
  SpecReader(const json& root, const std::string& file) : root_(root), file_(file) {}

  Expected<Sweep> read();

 private:
  SpecValues shared(std::size_t section) const {
    return {file_, specsOf(section), section == shape_section ? resolveShapeParam : SpecValues::KeyName{}};
  }
  Outcome readShared();
  Outcome readSharedAxis(const std::string& name, const json& list);
  Outcome readArrays();
  Outcome readSchemes();
  Outcome readMeasures();
  Expected<SchemeGrid> schemeOf(const std::string& where, const json& entry) const;
  Expected<MeasureGrid> measureOf(const std::string& where, const json& entry) const;
  /// The entries of a list that must not be empty.
  template <class Grid>
  Outcome readList(const char* key, Expected<Grid> (SpecReader::*entry)(const std::string&, const json&) const,
                   std::vector<Grid>& list);
  Outcome checkUse() const;
  Outcome checkCount() const;
  void nameAxes();
  Expected<Experiment> experimentAt(std::size_t point, std::vector<std::string>& place) const;
  /// Puts the values of a grid's point into `target` and their texts into the item's place.
  void take(const std::vector<Axis>& axes, std::size_t point, const char* owner, ParamValues& target,
            std::vector<std::string>& place) const;
  std::string& placeOn(const std::string& axis, std::vector<std::string>& place) const;
  void addItems(const Experiment& experiment, const std::vector<std::string>& place);

  const json& root_;
  const std::string& file_;
  SharedGrid shared_;
  std::vector<SchemeGrid> schemes_;
  std::vector<MeasureGrid> measures_;
  Sweep sweep_;
};

/// "shape.seq_len", "train_length".
std::string sharedName(std::size_t section, const std::string& key) {
  const std::string name = section_names[section];
  return name.empty() ? key : name + "." + key;
}

Outcome SpecReader::readSharedAxis(const std::string& name, const json& list) {
  std::size_t section = whole_section;
  std::string key = name;
  for (std::size_t s = 0; s < whole_section; ++s)
    if (const std::string start = std::string(section_names[s]) + "."; name.starts_with(start)) {
      section = s;
      key = name.substr(start.size());
    }
  if (section == whole_section && !findParam(specsOf(section), key)) {
    std::vector<std::string> known;
    for (std::size_t s = 0; s < sections; ++s)
      for (const ParamSpec& spec : specsOf(s)) known.push_back(sharedName(s, spec.key));
    return unknownAt(file_, "grid", {"parameter", "参数"}, name, known);
  }
  const std::string where = section == whole_section ? "grid" : join("grid.", section_names[section]);
  Expected<Axis> axis = shared(section).axis(where, key, list);
  if (!axis) return fail(axis.error());
  shared_.axes.push_back(*std::move(axis));
  shared_.owners.push_back(section);
  return {};
}

Outcome SpecReader::readShared() {
  for (std::size_t s = 0; s < sections; ++s) {
    json object = json::object();
    if (s != whole_section && root_.contains(section_names[s])) object = root_[section_names[s]];
    if (s == whole_section)
      for (const ParamSpec& spec : specsOf(s))
        if (root_.contains(spec.key)) object[spec.key] = root_[spec.key];
    Expected<ParamValues> values = shared(s).values(section_names[s], object);
    if (!values) return fail(values.error());
    shared_.values[s] = *std::move(values);
  }
  if (!root_.contains("grid")) return {};
  if (!root_["grid"].is_object())
    return wrongAt(file_, "grid", {"an object of lists", "由列表组成的对象"}, root_["grid"]);
  for (const auto& [name, list] : root_["grid"].items())
    if (Outcome ok = readSharedAxis(name, list); !ok) return ok;
  return {};
}

Outcome SpecReader::readArrays() {
  const json found = root_.value("arrays", json("double"));
  for (const auto& [name, arrays] :
       {std::pair{"none", Arrays::none}, std::pair{"single", Arrays::single}, std::pair{"double", Arrays::double_}})
    if (found == name) {
      sweep_.arrays = arrays;
      return {};
    }
  return wrongAt(file_, "arrays", {"'none', 'single' or 'double'", "'none'、'single' 或 'double'"}, found);
}

/// The id of an entry, which may be the id alone.
std::string idOf(const json& entry) {
  if (entry.is_string()) return entry.get<std::string>();
  return entry.is_object() && entry.contains("id") && entry["id"].is_string() ? entry["id"].get<std::string>() : "";
}

json partOf(const json& entry, const char* key) {
  return entry.is_object() && entry.contains(key) ? entry[key] : json::object();
}

Expected<SchemeGrid> SpecReader::schemeOf(const std::string& where, const json& entry) const {
  const std::string id = idOf(entry);
  if (id.empty())
    return wrongAt(file_, where, {"the id of a scheme or an object with one", "方案的 id 或含 id 的对象"}, entry);
  if (!entry.is_string())
    if (Outcome ok = checkParts(file_, where, entry, {"id", "values", "grid"}); !ok) return fail(ok.error());
  Expected<ResolvedScheme> known = resolveScheme(id);
  if (!known) {
    std::vector<std::string> names;
    for (const Scheme& s : schemes::catalogue()) names.push_back(s.id());
    return unknownAt(file_, where, {"scheme", "方案"}, id, names);
  }
  const SpecValues reader(
      file_, schemes::find(known->id)->params, [&](std::string_view key) { return resolveParam(known->id, key); },
      [&](std::string_view key, std::string_view word) { return resolveWord(known->id, key, word); });
  Expected<ParamValues> values = reader.values(where + ".values", partOf(entry, "values"));
  if (!values) return fail(values.error());
  Expected<std::vector<Axis>> axes = reader.axes(where + ".grid", partOf(entry, "grid"));
  if (!axes) return fail(axes.error());
  SchemeGrid grid{{}, {}, *std::move(axes)};
  grid.choice.id = known->id;
  grid.choice.values = known->values;
  grid.given = *std::move(values);
  return grid;
}

Expected<MeasureGrid> SpecReader::measureOf(const std::string& where, const json& entry) const {
  const std::string id = idOf(entry);
  if (id.empty())
    return wrongAt(file_, where, {"the id of a measure or an object with one", "度量的 id 或含 id 的对象"}, entry);
  if (!entry.is_string())
    if (Outcome ok = checkParts(file_, where, entry, {"id", "options", "grid"}); !ok) return fail(ok.error());
  const Measure* measure = measures::find(id);
  if (!measure) {
    std::vector<std::string> names;
    for (const Measure& m : measures::catalogue()) names.push_back(m.id);
    return unknownAt(file_, where, {"measure", "度量"}, id, names);
  }
  const SpecValues reader(file_, measure->options);
  Expected<ParamValues> options = reader.values(where + ".options", partOf(entry, "options"));
  if (!options) return fail(options.error());
  Expected<std::vector<Axis>> axes = reader.axes(where + ".grid", partOf(entry, "grid"));
  if (!axes) return fail(axes.error());
  return MeasureGrid{{id, *std::move(options)}, *std::move(axes)};
}

template <class Grid>
Outcome SpecReader::readList(const char* key,
                             Expected<Grid> (SpecReader::*entry)(const std::string&, const json&) const,
                             std::vector<Grid>& list) {
  const json entries = root_.value(key, json());
  if (!entries.is_array() || entries.empty())
    return wrongAt(file_, key,
                   {"a list of one or more ids or objects with an id", "由一个或多个 id 或含 id 的对象组成的列表"},
                   entries);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    Expected<Grid> grid = (this->*entry)(join(key, "[", i, "]"), entries[i]);
    if (!grid) return fail(grid.error());
    list.push_back(*std::move(grid));
  }
  return {};
}

Outcome SpecReader::readSchemes() { return readList("schemes", &SpecReader::schemeOf, schemes_); }
Outcome SpecReader::readMeasures() { return readList("measures", &SpecReader::measureOf, measures_); }

/// A shared parameter that no point of the grid uses would give rows that differ in nothing but their labels.
Outcome SpecReader::checkUse() const {
  for (std::size_t section = 0; section < sections; ++section) {
    const auto axisOf = [&](const std::string& key) -> const Axis* {
      for (std::size_t a = 0; a < shared_.axes.size(); ++a)
        if (shared_.owners[a] == section && shared_.axes[a].key == key) return &shared_.axes[a];
      return nullptr;
    };
    const ParamValues& values = shared_.values[section];
    for (const ParamSpec& spec : specsOf(section)) {
      const ParamSpec* rule = spec.depends_on.empty() ? nullptr : findParam(specsOf(section), spec.depends_on);
      if (!rule || (!values.contains(spec.key) && !axisOf(spec.key))) continue;
      std::vector<std::string> found;
      if (const Axis* axis = axisOf(rule->key))
        for (const Value& value : axis->values) found.push_back(valueText(value));
      else
        found.push_back(valueText(valueOf(*rule, values)));
      if (std::ranges::find_first_of(found, spec.depends_values) != found.end()) continue;
      const std::string name = files::escaped(file_, 4096), used = listed(spec.depends_values, " or ");
      return fail(ErrorCode::bad_value,
                  join(name, ": ", sharedName(section, spec.key), " is used only where ",
                       sharedName(section, rule->key), " is ", used, ", got ", listed(found, " and ")),
                  join(name, "：", sharedName(section, spec.key), " 只在 ", sharedName(section, rule->key), " 为 ",
                       listed(spec.depends_values, " 或 "), " 时起作用，得到 ", listed(found, "、")));
    }
  }
  return {};
}

Outcome SpecReader::checkCount() const {
  double schemes = 0, measures = 0;
  for (const SchemeGrid& s : schemes_) schemes += static_cast<double>(pointCount(s.axes, most_items));
  for (const MeasureGrid& m : measures_) measures += static_cast<double>(pointCount(m.axes, most_items));
  const double count = schemes * measures * static_cast<double>(pointCount(shared_.axes, most_items));
  if (count <= static_cast<double>(most_items)) return {};
  const std::string name = files::escaped(file_, 4096);
  return fail(ErrorCode::out_of_range, join(name, ": the grid must have 1 to ", most_items, " points, got more"),
              join(name, "：网格须有 1 到 ", most_items, " 个点，得到更多"));
}

void SpecReader::nameAxes() {
  const auto add = [&](const std::string& name) {
    if (std::ranges::find(sweep_.axes, name) == sweep_.axes.end()) sweep_.axes.push_back(name);
  };
  for (const SchemeGrid& s : schemes_)
    for (const Axis& axis : s.axes) add("scheme." + axis.key);
  for (std::size_t a = 0; a < shared_.axes.size(); ++a) add(sharedName(shared_.owners[a], shared_.axes[a].key));
  for (const MeasureGrid& m : measures_)
    for (const Axis& axis : m.axes) add("measure." + axis.key);
}

std::string& SpecReader::placeOn(const std::string& axis, std::vector<std::string>& place) const {
  return place[static_cast<std::size_t>(std::ranges::find(sweep_.axes, axis) - sweep_.axes.begin())];
}

void SpecReader::take(const std::vector<Axis>& axes, std::size_t point, const char* owner, ParamValues& target,
                      std::vector<std::string>& place) const {
  const std::vector<std::size_t> at = pointOf(axes, point);
  for (std::size_t a = 0; a < axes.size(); ++a) {
    const Value& value = axes[a].values[at[a]];
    target[axes[a].key] = value;
    placeOn(join(owner, ".", axes[a].key), place) = valueText(value);
  }
}

/// The shared part of the experiment at a point of the shared grid.
Expected<Experiment> SpecReader::experimentAt(std::size_t point, std::vector<std::string>& place) const {
  SharedValues values = shared_.values;
  const std::vector<std::size_t> at = pointOf(shared_.axes, point);
  for (std::size_t a = 0; a < at.size(); ++a) {
    const Axis& axis = shared_.axes[a];
    values[shared_.owners[a]][axis.key] = axis.values[at[a]];
    placeOn(sharedName(shared_.owners[a], axis.key), place) = valueText(axis.values[at[a]]);
  }
  const Expected<Experiment> whole = experimentTable().read(file_, values[whole_section]);
  const Expected<Shape> shape = shapeTable().read("shape", values[shape_section]);
  const Expected<ContentSpec> content = contentTable().read("content", values[content_section]);
  const Expected<MaskRules> mask = maskTable().read("mask", values[mask_section]);
  for (const Error* e : {whole ? nullptr : &whole.error(), shape ? nullptr : &shape.error(),
                         content ? nullptr : &content.error(), mask ? nullptr : &mask.error()})
    if (e) return fail(*e);
  for (const auto& [key, padded] :
       {std::pair{"padded_keys", mask->padded_keys}, std::pair{"padded_queries", mask->padded_queries}})
    if (padded > shape->keys()) {
      const std::string name = files::escaped(file_, 4096);
      return fail(
          ErrorCode::out_of_range,
          join(name, ": mask.", key, " must be at most the ", shape->keys(), " tokens of the sequence, got ", padded),
          join(name, "：mask.", key, " 不能超过序列的 ", shape->keys(), " 个词元，得到 ", padded));
    }
  Experiment experiment;
  experiment.shape = *shape;
  experiment.content = *content;
  experiment.mask = withRules({}, *mask);
  experiment.train_length = whole->train_length;
  return experiment;
}

void SpecReader::addItems(const Experiment& experiment, const std::vector<std::string>& place) {
  for (const MeasureGrid& m : measures_)
    for (std::size_t p = 0; p < pointCount(m.axes, most_items); ++p) {
      Item item{m.request, experiment, place, {}, {}};
      take(m.axes, p, "measure", item.measure.options, item.place);
      identify(item, sweep_.arrays);
      sweep_.items.push_back(std::move(item));
    }
}

Expected<Sweep> SpecReader::read() {
  std::vector<std::string> parts{"schemes", "measures", "shape", "content", "mask", "grid", "arrays"};
  for (const ParamSpec& spec : specsOf(whole_section)) parts.push_back(spec.key);
  if (Outcome ok = checkParts(file_, "", root_, parts); !ok) return fail(ok.error());
  for (const auto read :
       {&SpecReader::readSchemes, &SpecReader::readMeasures, &SpecReader::readShared, &SpecReader::readArrays})
    if (Outcome ok = (this->*read)(); !ok) return fail(ok.error());
  for (const auto check : {&SpecReader::checkUse, &SpecReader::checkCount})
    if (Outcome ok = (this->*check)(); !ok) return fail(ok.error());
  nameAxes();
  for (const SchemeGrid& s : schemes_)
    for (std::size_t p = 0; p < pointCount(s.axes, most_items); ++p)
      for (std::size_t q = 0; q < pointCount(shared_.axes, most_items); ++q) {
        std::vector<std::string> place(sweep_.axes.size());
        Expected<Experiment> experiment = experimentAt(q, place);
        if (!experiment) return fail(experiment.error());
        experiment->schemes = {s.choice};
        ParamValues given = s.given;
        take(s.axes, p, "scheme", given, place);
        putAlong(s.choice.id, given, experiment->schemes.front().values);
        addItems(*experiment, place);
      }
  return std::move(sweep_);
}

}  // namespace

Expected<Sweep> sweepFromJson(const json& root, const std::string& file) { return SpecReader(root, file).read(); }

Expected<Sweep> readSweep(const std::string& path) {
  const Expected<std::string> text = files::readText(path);
  if (!text) return fail(text.error());
  const Expected<files::JsonText> document = files::parseJson(*text, path);
  if (!document) return fail(document.error());
  if (!document->repeated.empty()) {
    const std::string name = files::escaped(path, 4096), key = files::escaped(document->repeated.front());
    return fail(ErrorCode::bad_value, join(name, ": ", key, " must be given once, got it twice"),
                join(name, "：", key, " 只能给出一次，却给出了两次"));
  }
  return sweepFromJson(document->root, path);
}

}  // namespace posiscope::sweep
