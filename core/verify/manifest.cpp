// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/manifest.h"

#include "core/files/json_text.h"
#include "core/files/reader.h"
#include "core/files/refusal.h"
#include "core/shape.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace posiscope::verify {

using nlohmann::json;

double Tolerance::at(double reference) const {
  // An infinite reference would make 0·∞ = NaN; infinities are compared for equality anyway.
  return std::isfinite(reference) ? atol + rtol * std::abs(reference) : atol;
}

namespace {

/// Longest list of positions a case may ask for; far above any reference, far below what hurts.
constexpr double most_positions = 1 << 22;

const Text an_object{"an object", "一个对象"};
const Text npy_name{"the name of a .npy file", "一个 .npy 文件名"};

/// Reads one case; the first thing wrong is kept, what follows may be missing. `where` names file and case.
class CaseParser {
 public:
  CaseParser(const json& object, std::string where, std::filesystem::path folder)
      : object_(object), where_(std::move(where)), folder_(std::move(folder)) {}

  Case parse() {
    Case c;
    if (!object_.is_object()) wrong({"the case", "用例"}, an_object, files::same(files::shown(object_)));
    c.id = word("id", true);
    if (!c.id.empty()) where_ += " '" + c.id + "'";
    c.scheme = word("scheme", true);
    const bool named = object_.contains("output");
    c.key = named ? word("output", true) : "";
    c.quantity = word("quantity", !named);
    if (c.quantity.empty()) c.quantity = c.key;
    if (!named) c.key = c.quantity;
    readParams(c);
    readPositions(c);
    readInputs(c);
    readExpectation(c);
    readTolerances(c);
    readScalars(c);
    c.problem = problem_;
    return c;
  }

 private:
  /// The first thing wrong counts.
  void wrong(const Text& field, const Text& allowed, const Text& found) {
    if (!problem_) problem_ = files::refuse(ErrorCode::file_format, where_, field, allowed, found).value();
  }
  /// `found`: null where there is nothing.
  void wrong(const std::string& field, const Text& allowed, const json* found) {
    wrong(files::same(files::escaped(field)), allowed,
          found ? files::same(files::shown(*found)) : Text{"nothing", "空缺"});
  }

  const json* member(const char* key) const {
    const auto found = object_.find(key);
    return found == object_.end() || found->is_null() ? nullptr : &*found;
  }

  std::string word(const char* key, bool needed) {
    const json* value = member(key);
    if (value && value->is_string() && !value->get_ref<const std::string&>().empty()) return value->get<std::string>();
    if (value || needed) wrong(key, {"a name", "一个名称"}, value);
    return {};
  }

  std::string path(const json& value, const std::string& field) {
    if (!value.is_string() || value.get_ref<const std::string&>().empty()) {
      wrong(field, npy_name, &value);
      return {};
    }
    return (folder_ / value.get<std::string>()).lexically_normal().string();
  }

  double number(const json& object, const char* key, const std::string& field, double fallback) {
    const auto found = object.find(key);
    if (found == object.end()) return fallback;
    if (!found->is_number()) wrong(field, {"a number", "一个数"}, &*found);
    return found->is_number() ? found->get<double>() : fallback;
  }

  void readParams(Case& c) {
    const json* params = member("params");
    if (!params) return;
    if (!params->is_object()) return wrong("params", an_object, params);
    c.params = *params;
  }

  void readPositions(Case& c) {
    const json* positions = member("positions");
    if (!positions) return;
    if (!positions->is_object())
      return wrong("positions", {"an object with kind list or range", "带 kind 的对象"}, positions);
    const auto word = positions->find("kind");
    const std::string kind = word != positions->end() && word->is_string() ? word->get<std::string>() : "";
    c.positions.emplace();
    if (kind == "list") {
      const auto values = positions->find("values");
      if (values == positions->end() || !values->is_array() || values->size() > most_positions ||
          !std::ranges::all_of(*values, [](const json& v) { return v.is_number(); }))
        return wrong("positions.values", {"a list of numbers", "一个数列"},
                     values == positions->end() ? nullptr : &*values);
      *c.positions = values->get<std::vector<double>>();
    } else if (kind == "range") {
      const double count = number(*positions, "count", "positions.count", -1);
      const double start = number(*positions, "start", "positions.start", 0);
      const double step = number(*positions, "step", "positions.step", 1);
      if (!(count >= 0 && count <= most_positions) || count != std::floor(count))
        return wrong("positions.count",
                     {join("a whole number up to ", most_positions), join("不超过 ", most_positions, " 的整数")},
                     positions->contains("count") ? &(*positions)["count"] : nullptr);
      // start + k·step, not a running sum: fractional steps must not drift.
      for (std::int64_t k = 0; k < static_cast<std::int64_t>(count); ++k)
        c.positions->push_back(start + static_cast<double>(k) * step);
    } else {
      wrong("positions.kind", {"list or range", "list 或 range"}, word == positions->end() ? nullptr : &*word);
    }
  }

  void readInputs(Case& c) {
    const json* inputs = member("inputs");
    if (!inputs) return;
    if (!inputs->is_object()) return wrong("inputs", an_object, inputs);
    for (const auto& [name, value] : inputs->items()) {
      const bool described = value.is_object() && value.contains("file");
      c.inputs[name] = path(described ? value["file"] : value, "inputs." + name);
    }
  }

  void readExpectation(Case& c) {
    if (const json* expect = member("expect")) {
      if (!expect->is_object() || !expect->contains("error"))
        return wrong("expect", files::same("{\"error\": …}"), expect);
      c.refusal = true;
      return;
    }
    if (const json* file = member("file"))
      c.file = path(*file, "file");
    else
      wrong("file", npy_name, nullptr);
    checkShape(c.file);
    const std::string mode = word("mode", false);
    c.exact = mode == "exact";
    if (!mode.empty() && mode != "exact" && mode != "abs" && mode != "rel")
      wrong("mode", {"exact, abs or rel", "exact、abs 或 rel"}, member("mode"));
  }

  /// A file of another shape than the case says is another file than the one that was meant. One that cannot be read
  /// is the case's own failure, later.
  void checkShape(const std::string& file) {
    const json* shape = member("shape");
    if (!shape || file.empty()) return;
    if (!shape->is_array() || !std::ranges::all_of(*shape, [](const json& n) { return n.is_number_integer(); }))
      return wrong("shape", {"a list of whole numbers", "一个整数列表"}, shape);
    const Expected<files::TensorEntry> stored = files::describeNpy(file);
    if (!stored || json(stored->shape) == *shape) return;
    const std::string right = shapeText(stored->shape);
    wrong(files::same("shape"), {join("that of ", file, ", ", right), join(file, " 的形状 ", right)},
          files::same(shapeText(shape->get<std::vector<std::int64_t>>())));
  }

  std::optional<Tolerance> tolerance(const json& line, const std::string& field) {
    if (!line.is_object()) {
      wrong(field, {"an object with rtol and atol", "带 rtol 和 atol 的对象"}, &line);
      return std::nullopt;
    }
    const Tolerance t{number(line, "rtol", field + ".rtol", 0), number(line, "atol", field + ".atol", 0)};
    if (!(t.rtol >= 0 && t.atol >= 0))
      wrong(files::same(field), {"two numbers that are not negative", "两个非负数"},
            files::same(join("rtol ", t.rtol, ", atol ", t.atol)));
    return t;
  }

  void readTolerances(Case& c) {
    if (c.refusal || c.exact) return;
    const json* lines = member("tol");
    if (!lines || !lines->is_object())
      return wrong("tol", {"an object with f64 and f32", "带 f64 和 f32 的对象"}, lines);
    for (const auto& [name, target] :
         {std::pair{"f64", &c.f64}, std::pair{"f32", &c.f32}, std::pair{"f32_naive", &c.f32_naive}})
      if (lines->contains(name)) *target = tolerance((*lines)[name], join("tol.", name));
    for (const auto& [field, line] : {std::pair{"tol.f64", &c.f64}, std::pair{"tol.f32", &c.f32}})
      if (!*line) wrong(field, {"given", "给定的"}, nullptr);
  }

  void readScalars(Case& c) {
    const json* scalars = member("expected_scalars");
    if (!scalars) return;
    if (!scalars->is_object()) return wrong("expected_scalars", an_object, scalars);
    for (const auto& [name, value] : scalars->items()) {
      if (!value.is_number()) return wrong("expected_scalars." + name, {"a number", "一个数"}, &value);
      c.scalars[name] = value.get<double>();
    }
  }

  const json& object_;
  std::string where_;
  std::filesystem::path folder_;
  std::optional<Error> problem_;
};

}  // namespace

Expected<std::vector<Case>> readManifest(const std::string& path) {
  const Expected<std::string> text = files::readText(path);
  if (!text) return fail(text.error());
  const Expected<files::JsonText> document = files::parseJson(*text, path);
  if (!document) return fail(document.error());
  return readManifest(document->root, path);
}

Expected<std::vector<Case>> readManifest(const json& root, const std::string& path) {
  const auto list = root.is_object() ? root.find("cases") : root.end();
  if (!root.is_object() || list == root.end() || !list->is_array())
    return fail(ErrorCode::file_format,
                join(path, " is not a reference manifest: it must be an object with a list 'cases'"),
                join(path, " 不是参考清单：它必须是含有列表 'cases' 的对象"));
  std::vector<Case> cases;
  cases.reserve(list->size());
  for (const json& object : *list) {
    const std::string where = join(path, ": case ", cases.size());
    cases.push_back(CaseParser(object, where, std::filesystem::path(path).parent_path()).parse());
  }
  return cases;
}

}  // namespace posiscope::verify
