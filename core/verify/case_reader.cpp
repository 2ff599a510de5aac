// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/case_reader.h"

#include "core/files/reader.h"
#include "core/shape.h"

#include <algorithm>
#include <cmath>

namespace posiscope::verify {

using nlohmann::json;

const json* CaseReader::find(const char* key) const {
  const auto found = case_.params.find(key);
  return found == case_.params.end() || found->is_null() ? nullptr : &*found;
}

bool CaseReader::has(const char* key) const { return find(key) != nullptr; }

void CaseReader::wrong(Error error) {
  if (!problem_) problem_ = std::move(error);
}

void CaseReader::notSupported(const std::string& what) {
  wrong({ErrorCode::not_supported, {what + " is not supported", "不支持 " + what}});
}

void CaseReader::badParam(const char* key, std::string_view allowed) {
  const json* value = find(key);
  const std::string found = value ? value->dump() : "nothing";
  wrong({ErrorCode::file_format,
         {join("params.", key, " must be ", allowed, ", got ", found), join("params.", key, " 的值不合规：", found)}});
}

double CaseReader::number(const char* key) {
  const json* value = find(key);
  if (value && value->is_number()) return value->get<double>();
  badParam(key, "a number");
  return 1;
}

double CaseReader::number(const char* key, double fallback) { return has(key) ? number(key) : fallback; }

std::int64_t CaseReader::integer(const char* key, std::int64_t minimum, std::int64_t maximum) {
  const double value = number(key);
  if (value == std::floor(value) && value >= static_cast<double>(minimum) && value <= static_cast<double>(maximum))
    return static_cast<std::int64_t>(value);
  badParam(key, join("a whole number from ", minimum, " to ", maximum));
  return std::max<std::int64_t>(minimum, 1);
}

std::int64_t CaseReader::integer(const char* key, std::int64_t minimum, std::int64_t maximum, std::int64_t fallback) {
  return has(key) ? integer(key, minimum, maximum) : fallback;
}

bool CaseReader::boolean(const char* key, bool fallback) {
  const json* value = find(key);
  if (!value) return fallback;
  if (value->is_boolean()) return value->get<bool>();
  if (*value == 0 || *value == 1) return *value == 1;
  badParam(key, "true or false");
  return fallback;
}

std::string CaseReader::word(const char* key, const std::string& fallback) {
  const json* value = find(key);
  if (!value) return fallback;
  if (!value->is_string()) badParam(key, "a word");
  return value->is_string() ? value->get<std::string>() : fallback;
}

std::vector<double> CaseReader::list(const char* key) {
  const json* value = find(key);
  if (value && value->is_array() && std::ranges::all_of(*value, [](const json& v) { return v.is_number(); }))
    return value->get<std::vector<double>>();
  badParam(key, "a list of numbers");
  return {};
}

std::int64_t CaseReader::size(const char* shape_key, std::initializer_list<const char*> names) {
  const ParamSpec* spec = findParam(shapeTable().specs(), shape_key);
  for (const char* name : names)
    if (has(name)) return integer(name, 1, static_cast<std::int64_t>(spec->maximum));
  badParam(*names.begin(), "given");
  return 1;
}

void CaseReader::expect(const char* key, std::initializer_list<json> allowed) {
  const json* value = find(key);
  if (!value || std::ranges::find(allowed, *value) != allowed.end()) return;
  notSupported(join(key, " = ", value->dump()));
}

std::vector<double> CaseReader::positions() {
  if (case_.positions && std::ranges::all_of(*case_.positions, [](double p) { return std::isfinite(p); }))
    return *case_.positions;
  wrong({ErrorCode::file_format, {"positions must be given and finite", "必须给出有限的 positions"}});
  return {};
}

Array CaseReader::array(const char* name, const std::vector<std::int64_t>& shape) {
  const auto found = case_.inputs.find(name);
  if (found == case_.inputs.end()) {
    wrong({ErrorCode::file_format, {join("inputs.", name, " must be given"), join("必须给出 inputs.", name)}});
    return {};
  }
  Expected<Array> array = files::readNpy(found->second);
  if (!array) {
    wrong(array.error());
    return {};
  }
  const bool fits = shape.empty() || std::ranges::equal(shape, array->shape, [](std::int64_t wanted, std::int64_t got) {
                      return wanted == -1 || wanted == got;
                    });
  if (fits) return *std::move(array);
  wrong({ErrorCode::bad_shape,
         {join("inputs.", name, " must have the shape ", shapeText(shape), ", ", found->second, " has ",
               shapeText(array->shape)),
          join("inputs.", name, " 的形状必须是 ", shapeText(shape), "，", found->second, " 的形状是 ",
               shapeText(array->shape))}});
  return {};
}

}  // namespace posiscope::verify
