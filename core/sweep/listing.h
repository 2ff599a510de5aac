// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/job.h"
#include "core/sweep/sweep.h"

#include <string>
#include <vector>

namespace posiscope::sweep {

/// What a folder says about the whole sweep of which it holds a part (DIR/sweep.json): enough to join parts and to
/// make the table without the specification.
struct Listing {
  struct Entry {
    std::string key;
    std::string measure;  ///< "attention_by_offset,head=3"
    std::string scheme;   ///< "rope,factor=4"
    std::vector<std::string> place;

    bool operator==(const Entry&) const = default;
  };
  std::vector<std::string> axes;
  std::vector<Entry> items;

  bool operator==(const Listing&) const = default;
};

Listing listingOf(const Sweep& sweep);

/// Errors: file_write.
Outcome writeListing(const std::string& folder, const Listing& listing);
/// Errors: file_missing, file_format.
Expected<Listing> readListing(const std::string& folder);

/// DIR/summary.csv, in the order of the listing: "key,measure,scheme,AXES…,quantity,value,unit,note", one line for each
/// quantity of each item; an item without numbers has one line whose note is the reason. Every item must be finished.
/// Errors: file_write, file_missing, cancelled.
Outcome writeSummary(const std::string& folder, const Listing& listing, const Job& job);

}  // namespace posiscope::sweep
