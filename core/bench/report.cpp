// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bench/bench.h"
#include "core/error.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace posiscope::bench {
namespace {

using nlohmann::ordered_json;

/// Three digits that mean something: "0.0123", "1.23", "123".
std::string digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : value >= 1 ? "%.2f" : "%.3g", value);
  return text;
}

/// Characters, not bytes, so that columns with × and ≤ stand in line.
std::size_t lengthOf(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0u) != 0x80u; }));
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, lengthOf(text)), ' ');
}

std::string milliseconds(double value) { return std::isnan(value) ? "" : digits(value) + " ms"; }

/// "12.3 × memset"
std::string timesLimit(const Figure& f) {
  if (std::isnan(f.limit_time)) return "";
  return digits(f.median / f.limit_time) + " × " + f.limit + " (" + milliseconds(f.limit_time) + ")";
}

std::string timesNaive(const Figure& f) {
  if (std::isnan(f.naive_time)) return "";
  return digits(f.naive_time / f.median) + " × as fast as naive";
}

std::string lineOf(const Figure& f, std::size_t width) {
  std::string line = padded(f.what.en, width) + "  ";
  if (!f.missing.en.empty()) return line + "not timed: " + f.missing.en + "\n";
  line += padded(milliseconds(f.median), 10) + padded(timesLimit(f), 32) + padded(timesNaive(f), 28);
  if (!f.met) return line + "not judged: " + f.target.en + "\n";
  return line + (*f.met ? "met:    " : "missed: ") + f.target.en + "\n";
}

ordered_json number(double value) { return std::isfinite(value) ? ordered_json(value) : ordered_json(); }

ordered_json toJson(const Figure& f) {
  ordered_json object{{"id", f.id},
                      {"what", f.what.en},
                      {"median_ms", number(f.median)},
                      {"runs", f.runs},
                      {"largest_error", number(f.error)},
                      {"limit", f.limit.empty() ? ordered_json() : ordered_json(f.limit)},
                      {"limit_ms", number(f.limit_time)},
                      {"naive_ms", number(f.naive_time)},
                      {"target", f.target.en},
                      {"met", f.met ? ordered_json(*f.met) : ordered_json()}};
  if (!f.missing.en.empty()) object["not_timed"] = f.missing.en;
  return object;
}

}  // namespace

std::string table(const Report& report) {
  std::size_t width = 0;
  for (const Figure& f : report.figures) width = std::max(width, lengthOf(f.what.en));
  const Machine& m = report.machine;
  std::string text =
      join("threads: ", m.threads, "; memset: ", digits(m.memset_rate / 1e9),
           " GB/s; products: ", digits(m.product_rate / 1e9), " GFLOP/s; medians, in turns with the limits\n");
  if (report.size == Size::tiny) text += "tiny sizes: every case runs, its times mean nothing\n";
  text += "\n";
  for (const Figure& f : report.figures) text += lineOf(f, width);
  return text;
}

ordered_json toJson(const Report& report) {
  const Machine& m = report.machine;
  ordered_json figures = ordered_json::array();
  for (const Figure& f : report.figures) figures.push_back(toJson(f));
  return {{"posiscope_bench", 1},
          {"size", report.size == Size::tiny ? "tiny" : "full"},
          {"machine",
           {{"threads", m.threads},
            {"memset_bytes_per_s", number(m.memset_rate)},
            {"products_flop_per_s", number(m.product_rate)}}},
          {"figures", std::move(figures)}};
}

}  // namespace posiscope::bench
