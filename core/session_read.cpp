// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/content_shape.h"
#include "core/files/array_notes.h"
#include "core/files/json_text.h"
#include "core/files/refusal.h"
#include "core/json_found.h"
#include "core/schemes/list.h"
#include "core/session.h"
#include "core/session_arrays.h"
#include "core/session_mask.h"
#include "core/session_value.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace posiscope::session {
namespace {

using files::escaped;
using files::same;
using files::shown;
using nlohmann::json;

constexpr int largest_colour = 63;
constexpr int no_colour = -1;  ///< until the whole list is read
/// Schemes of a newer version and those beyond the most that can be compared: tried again at the next opening.
constexpr const char* kept_schemes = "schemes_kept";

const Text default_used{"the default is used", "改用默认值"};

Text used(const std::string& value) { return {value + " is used", "改用 " + value}; }

Text usedInstead(const ParamSpec& spec) {
  const std::string value = escaped(valueText(spec.default_value), 60);
  return value.empty() ? default_used : used(value);
}

/// Reads piece by piece: what is right goes into the experiment; what is unknown, wrong or missing is named in a
/// note and kept for the next save.
class SessionReader {
 public:
  SessionReader(const json& root, const std::string& file, const Job& job) : root_(root), file_(file), job_(job) {}

  Opened read();

 private:
  Error mustBe(const Text& where, const Text& allowed, const json& found) const {
    return files::refuse(ErrorCode::bad_value, file_, where, allowed, same(shown(found))).value();
  }
  /// `instead`: "10000 is used".
  void reject(const std::string& where, const json& value, const Text& sentence, const Text& instead) {
    unknown_["rejected"][where] = value;
    result_.rejected.push_back(sentence);
    result_.notes.push_back({sentence.en + "; " + instead.en, sentence.zh + "；" + instead.zh});
  }
  void reject(const std::string& where, const Text& allowed, const json& value, const Text& instead) {
    reject(where, value, mustBe(same(escaped(where)), allowed, value).message, instead);
  }
  void noteUnknown(const std::string& where) {
    const std::string name = escaped(where);
    result_.notes.push_back(
        {join(escaped(file_, 4096), ": ", name, " is not known to this version; it is kept in the file"),
         join(escaped(file_, 4096), "：此版本不认识 ", name, "；它会保留在文件中")});
  }
  /// The section of that name when it is an object; a null reference otherwise.
  const json& section(const char* key) {
    static const json none = json::object();
    if (!root_.contains(key)) return none;
    if (root_[key].is_object()) return root_[key];
    reject(key, {"an object", "一个对象"}, root_[key], {"its defaults are used", "改用其默认值"});
    return none;
  }

  /// `instead` is said where the value is not allowed.
  std::optional<Value> readValue(const std::string& where, const ParamSpec& spec, const json& value,
                                 const Text& instead);
  std::optional<Value> readValue(const std::string& where, const ParamSpec& spec, const json& value) {
    return readValue(where, spec, value, usedInstead(spec));
  }
  std::optional<Value> readArray(const std::string& where, const json& value);
  /// The legal values of an object; unknown keys go to `extra`, arrays that are not found too.
  ParamValues readValues(const std::string& where, const json& object, const std::vector<ParamSpec>& specs,
                         json& extra);
  template <class P>
  void readStruct(const char* key, const ParamTable<P>& table, P& target) {
    json extra = json::object();
    ParamValues values = readValues(key, section(key), table.specs(), extra);
    addAwaited(values, table.specs(), extra);
    if (Expected<P> read = table.read(key, values)) target = *std::move(read);
    if (!extra.empty()) unknown_[key] = std::move(extra);
  }
  /// Of known parameters only files that were not found are left unread.
  static void addAwaited(ParamValues& values, const std::vector<ParamSpec>& specs, const json& unread) {
    for (const auto& [key, reference] : unread.items())
      if (findParam(specs, key)) values[key] = Array{{}, nullptr, reference["file"].get<std::string>()};
  }
  /// What the numbers of an array are for.
  static files::Numbers meant(const std::string& where) {
    return where.starts_with("content.") ? numbersIn(where.substr(8)) : files::Numbers::real;
  }
  void readShapeRules();
  void readMask();
  Mask::Padding readPadding(const json& value);
  std::vector<std::uint8_t> readFlags(const std::string& key, const json& value, std::int64_t wanted);
  void readTrainLength();
  void readSchemes();
  /// False when this version cannot show it: then it is kept whole.
  bool readScheme(const std::string& where, const json& object);
  void rejectMember(const std::string& place, const std::string& key, const json& value);
  void giveColours();
  void readUnknown();

  const json& root_;
  const std::string& file_;
  const Job& job_;
  Opened result_;
  json unknown_ = json::object();
};

std::optional<Value> SessionReader::readValue(const std::string& where, const ParamSpec& spec, const json& value,
                                              const Text& instead) {
  if (spec.kind == ParamKind::array) return readArray(where, value);
  std::optional<Value> read;
  if (spec.kind == ParamKind::list && value.is_array()) {
    std::vector<double> list;
    for (const json& item : value)
      if (const auto number = numberFromJson(item)) list.push_back(*number);
    if (list.size() == value.size()) read = std::move(list);
  } else if (spec.kind == ParamKind::text && !value.is_string()) {
    reject(where, {"a text", "文本"}, value, instead);
    return std::nullopt;
  } else if ((spec.kind == ParamKind::choice || spec.kind == ParamKind::text) && value.is_string()) {
    read = value.get<std::string>();
  } else if (spec.kind == ParamKind::boolean && value.is_boolean()) {
    read = value.get<bool>();
  } else if (spec.kind == ParamKind::real || spec.kind == ParamKind::integer) {
    if (const auto number = numberFromJson(value)) read = *number;
  }
  const std::size_t dot = where.rfind('.');
  std::string owner = escaped(file_, 4096);
  if (dot != std::string::npos) owner += ": " + escaped(where.substr(0, dot));
  if (Outcome ok = checkFound(owner, spec, read, value); !ok) {
    reject(where, value, ok.error().message, instead);
    return std::nullopt;
  }
  return read;
}

std::optional<Value> SessionReader::readArray(const std::string& where, const json& value) {
  const auto reference = referenceFromJson(value);
  if (!reference) {
    reject(where,
           {"an array: file, shape and digest, or shape and values", "数组：file、shape 与 digest，或 shape 与 values"},
           value, {"no array is used", "不使用数组"});
    return std::nullopt;
  }
  if (reference->file.empty()) return reference->array;
  FoundArray found = findArray(*reference, file_, job_);
  if (found.array) {
    for (Text& note : files::notesOn(*found.array, job_, meant(where))) result_.notes.push_back(std::move(note));
    return *std::move(found.array);
  }
  found.missing.where = where;
  result_.missing.push_back(std::move(found.missing));
  return std::nullopt;
}

ParamValues SessionReader::readValues(const std::string& where, const json& object, const std::vector<ParamSpec>& specs,
                                      json& extra) {
  ParamValues values;
  for (const auto& [key, value] : object.items()) {
    const std::string path = where + "." + key;
    const ParamSpec* spec = findParam(specs, key);
    if (!spec) {
      noteUnknown(path);
      extra[key] = value;
      continue;
    }
    const std::size_t missing = result_.missing.size();
    if (auto read = readValue(path, *spec, value)) values.emplace(key, *std::move(read));
    if (result_.missing.size() > missing) extra[key] = value;
  }
  return values;
}

void SessionReader::readShapeRules() {
  Shape& shape = result_.experiment.shape;
  // Each rule of checkShape is about one of these three, whose 0 is always right.
  for (std::int64_t* field : {&shape.seq_len_q, &shape.num_kv_heads, &shape.layer}) {
    const Outcome ok = checkShape(shape);
    if (ok) return;
    const std::int64_t found = std::exchange(*field, 0);
    const Outcome better = checkShape(shape);
    if (!better && better.error() == ok.error()) {
      *field = found;
      continue;
    }
    const std::string key = field == &shape.layer ? "layer" : field == &shape.seq_len_q ? "seq_len_q" : "num_kv_heads";
    const std::string name = escaped(file_, 4096);
    reject("shape." + key, found, {name + ": " + ok.error().message.en, name + "：" + ok.error().message.zh},
           used("0"));
  }
}

std::vector<std::uint8_t> SessionReader::readFlags(const std::string& key, const json& value, std::int64_t wanted) {
  if (auto flags = flagsFromJson(value, wanted)) return *std::move(flags);
  reject("mask." + key, {join("a text of ", wanted, " digits 0 and 1"), join("由 ", wanted, " 个 0 和 1 组成的文本")},
         value, {"none is used", "改为不设置"});
  return {};
}

Mask::Padding SessionReader::readPadding(const json& value) {
  const auto read = readValue("mask.padding", *findParam(maskTable().specs(), "padding"), value);
  if (!read || *read == Value(std::string("none"))) return Mask::Padding::none;
  return *read == Value(std::string("start")) ? Mask::Padding::start : Mask::Padding::end;
}

void SessionReader::readMask() {
  Mask& mask = result_.experiment.mask;
  const Shape& shape = result_.experiment.shape;
  json extra = json::object();
  const auto count = [&](const std::string& key, const json& value, std::int64_t usual) {
    // A session writes no window as it stands in the mask.
    if (key == "window" && value == -1) return std::int64_t{-1};
    const auto read = readValue("mask." + key, *findParam(maskTable().specs(), key), value,
                                key == "window" || key == "side" ? Text{"no window is used", "不使用窗口"} : used("0"));
    return read ? static_cast<std::int64_t>(std::get<double>(*read)) : usual;
  };
  for (const auto& [key, value] : section("mask").items()) {
    if (key == "causal" && value.is_boolean())
      mask.causal = value;
    else if (key == "causal")
      reject("mask.causal", {"true or false", "true 或 false"}, value, used("false"));
    else if (std::int64_t* counted = countOf(mask, key))
      *counted = count(key, value, *counted);
    else if (key == "padding")
      mask.padding = readPadding(value);
    else if (key == "key_padding")
      mask.key_padding = readFlags(key, value, shape.keys());
    else if (key == "query_padding")
      mask.query_padding = readFlags(key, value, shape.queries());
    else if (key == "blocked")
      mask.blocked = readFlags(key, value, shape.queries() * shape.keys());
    else {
      noteUnknown("mask." + key);
      extra[key] = value;
    }
  }
  if (!extra.empty()) unknown_["mask"] = std::move(extra);
}

void SessionReader::readTrainLength() {
  if (!root_.contains("train_length")) return;
  const ParamSpec& spec = *findParam(experimentTable().specs(), "train_length");
  if (const auto length = readValue(spec.key, spec, root_[spec.key]))
    result_.experiment.train_length = std::get<double>(*length);
}

/// A known member of a scheme whose value is of the wrong kind.
void SessionReader::rejectMember(const std::string& place, const std::string& key, const json& value) {
  const std::string where = place + "." + key;
  if (key == "values")
    reject(where, {"an object", "一个对象"}, value, {"the scheme's defaults are used", "改用该方案的默认值"});
  else if (key == "model_values")
    reject(where, {"an object", "一个对象"}, value, {"no model is compared with", "不与模型比较"});
  else if (key == "label")
    reject(where, {"a text", "文本"}, value, {"the scheme's own name is used", "改用该方案的名称"});
  else if (key == "visible")
    reject(where, {"true or false", "true 或 false"}, value, used("true"));
  else
    reject(where, {"0 to 63", "0 到 63"}, value, {"a free colour is used", "改用空闲的颜色"});
}

bool SessionReader::readScheme(const std::string& where, const json& object) {
  const std::string id = object.is_object() && object.contains("id") && object["id"].is_string() ? object["id"] : "";
  const Scheme* scheme = schemes::find(id);
  auto& list = result_.experiment.schemes;
  if (!scheme || list.size() >= max_schemes) {
    const Text allowed =
        scheme ? Text{join("one of at most ", max_schemes, " schemes"), join("不超过 ", max_schemes, " 个方案之一")}
               : Text{"an object with the id of a scheme of this version", "含有此版本方案 id 的对象"};
    const Text place{where + " of the file", where + "（文件中）"};  // in the experiment another scheme stands there
    result_.notes.push_back(mustBe(place, allowed, id.empty() ? object : json(id)).message);
    return false;
  }
  // In notes and `missing` a scheme has the place it has in the experiment.
  const std::string place = join("schemes[", list.size(), "]");
  SchemeChoice choice{id, {}, {}, no_colour};
  json extra = json::object();
  for (const auto& [key, value] : object.items()) {
    if (key == "values" && value.is_object()) {
      json unread = json::object();
      const std::vector<ParamSpec> specs = paramsIn(*scheme, value);
      choice.values = readValues(place, value, specs, unread);
      addAwaited(choice.values, specs, unread);
      if (!unread.empty()) extra["values"] = std::move(unread);
    } else if (key == "label" && value.is_string()) {
      choice.label = value;
    } else if (key == "visible" && value.is_boolean()) {
      choice.visible = value;
    } else if (key == "colour" && value.is_number_unsigned() && value.get<std::uint64_t>() <= largest_colour) {
      choice.colour = value;
    } else if (key == "model_values" && value.is_object()) {
      json unread = json::object();
      choice.model_values = readValues(place + ".model_values", value, paramsIn(*scheme, value), unread);
      if (!unread.empty()) extra[key] = std::move(unread);
    } else if (key == "values" || key == "model_values" || key == "label" || key == "visible" || key == "colour") {
      rejectMember(place, key, value);
    } else if (key != "id") {
      noteUnknown(place + "." + key);
      extra[key] = value;
    }
  }
  bringUnsaid(object, choice);
  if (!extra.empty()) choice.kept = extra.dump();
  list.push_back(std::move(choice));
  return true;
}

/// Schemes of which the file names no colour get the lowest that no other has.
void SessionReader::giveColours() {
  auto& list = result_.experiment.schemes;
  for (SchemeChoice& choice : list) {
    if (choice.colour != no_colour) continue;
    int free = 0;
    while (std::ranges::find(list, free, &SchemeChoice::colour) != list.end()) ++free;
    choice.colour = free;
  }
}

void SessionReader::readSchemes() {
  json kept = json::array();
  for (const char* key : {"schemes", kept_schemes}) {
    if (!root_.contains(key)) continue;
    if (!root_[key].is_array()) {
      reject(key, {"a list of schemes", "方案列表"}, root_[key], {"none is used", "其中没有方案可用"});
      continue;
    }
    for (std::size_t i = 0; i < root_[key].size(); ++i)
      if (!readScheme(join(key, "[", i, "]"), root_[key][i])) kept.push_back(root_[key][i]);
  }
  if (!kept.empty()) unknown_[kept_schemes] = std::move(kept);
  giveColours();
}

void SessionReader::readUnknown() {
  constexpr std::string_view known[] = {"posiscope_session", "shape",        "content",  "mask",      "train_length",
                                        "schemes",           "presentation", "rejected", kept_schemes};
  for (const auto& [key, value] : root_.items()) {
    if (std::ranges::find(known, key) != std::end(known)) continue;
    noteUnknown(key);
    unknown_[key] = value;
  }
}

Opened SessionReader::read() {
  // What an earlier opening rejected is carried along; the user has been told.
  if (root_.contains("rejected") && root_["rejected"].is_object()) unknown_["rejected"] = root_["rejected"];
  readStruct("shape", shapeTable(), result_.experiment.shape);
  readShapeRules();
  readStruct("content", contentTable(), result_.experiment.content);
  readMask();
  readTrainLength();
  readSchemes();
  readUnknown();
  const json view = root_.contains("presentation") ? root_["presentation"] : json::object();
  result_.presentation = view.dump();
  result_.unknown = unknown_.dump();
  return std::move(result_);
}

}  // namespace

Expected<Opened> fromText(const std::string& text, const std::string& file, const Job& job) {
  Expected<files::JsonText> parsed = files::parseJson(text, file);
  if (!parsed) return fail(parsed.error());
  const json& root = parsed->root;
  const json version = root.is_object() && root.contains("posiscope_session") ? root["posiscope_session"] : json();
  if (!version.is_number_unsigned() || version == 0)
    return files::refuse(ErrorCode::file_format, file, same("posiscope_session"),
                         {"1, as in every session of Posiscope", "1（Posiscope 的会话文件都有此键）"},
                         version.is_null() ? Text{"no such key", "没有该键"} : same(shown(version)));
  if (version != 1)
    return files::refuse(ErrorCode::not_supported, file, same("posiscope_session"), same("1"),
                         Text{shown(version) + ": the session comes from a newer Posiscope",
                              shown(version) + "：该会话来自更新版本的 Posiscope"});
  Opened opened = SessionReader(root, file, job).read();
  if (job.stopped())
    return fail(ErrorCode::cancelled, join(escaped(file, 4096), ": reading was stopped"),
                join(escaped(file, 4096), "：读取已停止"));
  for (const std::string& key : parsed->repeated)
    opened.notes.push_back({join(escaped(file, 4096), ": ", key, " is given twice; the last one counts"),
                            join(escaped(file, 4096), "：", key, " 给出了两次；以最后一个为准")});
  return opened;
}

}  // namespace posiscope::session
