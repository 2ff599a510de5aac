// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/job.h"
#include "core/sweep/quantities.h"
#include "core/sweep/sweep.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace posiscope::sweep {

/// What is kept of one finished item. It is written last, so where it is there, the item's array is whole.
struct Record {
  std::string question;                      ///< of the item
  std::vector<Quantity> quantities;          ///< empty where there are no numbers
  std::string reason;                        ///< why there are no numbers; empty where there are
  std::string scope;                         ///< what was left out, as the picture says it; may be empty
  std::optional<std::uint64_t> array_bytes;  ///< size of the .npy beside it, where there is one
};

std::string recordPath(const std::string& folder, const std::string& key);  ///< DIR/items/KEY.json
std::string arrayPath(const std::string& folder, const std::string& key);   ///< DIR/items/KEY.npy

/// The record of a finished item; nothing where it is not finished: no record, one that cannot be read, or an array of
/// another size than it says.
std::optional<Record> findRecord(const std::string& folder, const std::string& key);
Outcome writeRecord(const std::string& folder, const std::string& key, const Record& record);

}  // namespace posiscope::sweep
