// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session_value.h"

#include "core/brought_values.h"
#include "core/schemes/own_formula.h"

#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>

namespace posiscope::session {

using nlohmann::json;

namespace {

constexpr std::int64_t worth_keeping = 1 << 16;  ///< numbers: below that a look is as long as the work

std::string digestNow(const Array& array) {
  // FNV-1a over 64-bit words, with a shift that lets high bits reach low ones.
  std::uint64_t hash = 0xcbf29ce484222325u;
  const auto add = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * 0x100000001b3u;
    hash ^= hash >> 29;
  };
  add(array.shape.size());
  for (const std::int64_t d : array.shape) add(static_cast<std::uint64_t>(d));
  for (std::int64_t i = 0; i < array.size(); ++i) add(std::bit_cast<std::uint64_t>(array.data()[i]));
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

/// Arrays never change, and every save asks for their digests: those of large ones that still live are kept.
class KnownDigests {
 public:
  std::optional<std::string> find(const Array& array) {
    const std::lock_guard lock(mutex_);
    std::erase_if(entries_, [](const Entry& e) { return e.values.expired(); });
    for (const Entry& e : entries_)
      if (e.values.lock() == array.values && e.shape == array.shape) return e.digest;
    return std::nullopt;
  }
  void add(const Array& array, std::string digest) {
    const std::lock_guard lock(mutex_);
    entries_.push_back({array.values, array.shape, std::move(digest)});
  }

 private:
  struct Entry {
    std::weak_ptr<const std::vector<double>> values;
    std::vector<std::int64_t> shape;
    std::string digest;
  };
  std::mutex mutex_;
  std::vector<Entry> entries_;
};

}  // namespace

json numberToJson(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  const bool whole = value == std::floor(value) && std::abs(value) <= 9007199254740992.0;
  if (whole && !(value == 0 && std::signbit(value))) return static_cast<std::int64_t>(value);
  return value;
}

std::optional<double> numberFromJson(const json& j) {
  if (j.is_number()) return j.get<double>();
  if (!j.is_string()) return std::nullopt;
  const auto& text = j.get_ref<const std::string&>();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

json valueToJson(const Value& value) {
  struct Visitor {
    json operator()(double v) const { return numberToJson(v); }
    json operator()(bool v) const { return v; }
    json operator()(const std::string& v) const { return v; }
    json operator()(const std::vector<double>& v) const {
      json list = json::array();
      for (const double x : v) list.push_back(numberToJson(x));
      return list;
    }
    json operator()(const Array& v) const {
      if (!v.source.empty()) return {{"file", v.source}, {"shape", v.shape}, {"digest", digest(v)}};
      return {{"shape", v.shape}, {"values", (*this)(v.values ? *v.values : std::vector<double>{})}};
    }
  };
  return std::visit(Visitor{}, value);
}

std::vector<ParamSpec> paramsIn(const Scheme& scheme, const json& values) {
  ParamValues typed;
  for (const auto& [key, value] : values.items())
    if (value.is_string()) typed.emplace(key, value.get<std::string>());
  return schemes::paramsOf(scheme, typed);
}

void bringUnsaid(const json& object, SchemeChoice& choice) {
  const auto bring = [&](const char* member, ParamValues& values) {
    ParamValues brought = values;
    bringAlong(choice.id, {}, brought);
    for (auto& [key, value] : brought)
      if (!object.contains(member) || !object[member].contains(key)) values.emplace(key, std::move(value));
  };
  bring("values", choice.values);
  if (choice.model_values) bring("model_values", *choice.model_values);
}

std::string digest(const Array& array) {
  static KnownDigests known;
  if (array.size() < worth_keeping) return digestNow(array);
  if (const std::optional<std::string> before = known.find(array)) return *before;
  std::string text = digestNow(array);
  known.add(array, text);
  return text;
}

std::optional<ArrayReference> referenceFromJson(const json& j) {
  if (!j.is_object() || !j.contains("shape") || !j["shape"].is_array()) return std::nullopt;
  ArrayReference result;
  std::int64_t count = 1;
  for (const json& dimension : j["shape"]) {
    if (!dimension.is_number_unsigned() || dimension.get<std::uint64_t>() > (std::uint64_t{1} << 48))
      return std::nullopt;
    result.array.shape.push_back(dimension.get<std::int64_t>());
    if (__builtin_mul_overflow(count, result.array.shape.back(), &count)) return std::nullopt;
  }
  if (j.contains("file")) {
    if (!j["file"].is_string()) return std::nullopt;
    result.file = j["file"];
    if (result.file.empty()) return std::nullopt;
    if (!j.contains("digest")) return result;
    if (!j["digest"].is_string() || j["digest"].get_ref<const std::string&>().empty()) return std::nullopt;
    result.digest = j["digest"];
    return result;
  }
  if (!j.contains("values") || !j["values"].is_array() || j["values"].size() != static_cast<std::size_t>(count))
    return std::nullopt;
  std::vector<double> values;
  for (const json& item : j["values"]) {
    const auto number = numberFromJson(item);
    if (!number) return std::nullopt;
    values.push_back(*number);
  }
  result.array = makeArray(result.array.shape, std::move(values));
  return result;
}

}  // namespace posiscope::session
