// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/job.h"
#include "core/sweep/sweep.h"

#include <functional>
#include <string>

namespace posiscope::sweep {

/// How far a run is, after each item.
struct Step {
  std::size_t number = 0;  ///< of this item among those of the shard, from 1
  std::size_t count = 0;   ///< items of the shard
  const Item* item = nullptr;
  bool found = false;  ///< it was finished by an earlier run
  std::string reason;  ///< why the item has no numbers; empty where it has some
};
using Tell = std::function<void(const Step&)>;

struct Tally {
  std::size_t items = 0;    ///< of the shard
  std::size_t found = 0;    ///< finished before
  std::size_t without = 0;  ///< finished, but there are no numbers
  std::string first_reason;
};

/// Computes what is not finished yet of a shard into `folder`, which is made where it is missing: sweep.json, and of
/// each item items/KEY.npy (unless no arrays are wanted) and items/KEY.json. An item appears as a whole; after a stop
/// or a crash the same call goes on with the item it was at. A scheme that has no answer at a point of the grid (a
/// length past its table) is an item with a reason instead of numbers. The whole sweep, which no merge follows, also
/// writes summary.csv. Files do not depend on threads, on the shards or on what was found. Errors: file_write,
/// file_missing, file_format, file_type of what an item reads; cancelled.
Expected<Tally> run(const Sweep& sweep, const Shard& shard, const std::string& folder, const Job& job,
                    const Tell& tell = {});

}  // namespace posiscope::sweep
