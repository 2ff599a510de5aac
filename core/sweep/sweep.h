// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compute.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace posiscope::sweep {

/// How the numbers of an item are written beside its summary.
enum class Arrays { none, single, double_ };

/// One question of a sweep: one measure of one scheme.
struct Item {
  MeasureRequest measure;
  Experiment experiment;           ///< with its one scheme
  std::vector<std::string> place;  ///< texts of its values on `Sweep::axes`; empty where an axis is not its own
  std::string question;            ///< everything its files depend on, as one line of JSON; arrays by their digest
  std::string key;                 ///< of that question: 16 hexadecimal digits
};

/// A grid of schemes, parameters and measures, written out. The order is that of the specification: schemes, their
/// grids, the shared grid, measures, their grids.
struct Sweep {
  std::vector<std::string> axes;  ///< "scheme.factor", "shape.seq_len", "measure.head"
  std::vector<Item> items;
  Arrays arrays = Arrays::double_;
};

/// Most items of one sweep.
inline constexpr std::size_t most_items = 100'000;

/// Reads a specification. `file` starts every sentence and says where relative paths of arrays start. Errors:
/// unknown_name, bad_value, out_of_range, those of reading arrays.
Expected<Sweep> sweepFromJson(const nlohmann::json& root, const std::string& file);
/// Errors also: file_missing, file_format.
Expected<Sweep> readSweep(const std::string& path);

/// Fills the question and the key of an item.
void identify(Item& item, Arrays arrays);

/// Which part of a sweep is run: number `index` of `count`, from 1.
struct Shard {
  std::int64_t index = 1;
  std::int64_t count = 1;

  bool operator==(const Shard&) const = default;
};

/// "2/8". Error: bad_value.
Expected<Shard> parseShard(std::string_view text);

/// The items of a shard, as ascending numbers of `Sweep::items`. All are dealt out in the order of their keys: parts
/// differ by one item at most, and neighbours of the grid, which take long together, lie in different parts.
std::vector<std::size_t> itemsOf(const Sweep& sweep, const Shard& shard);

}  // namespace posiscope::sweep
