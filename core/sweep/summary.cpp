// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/csv_field.h"
#include "core/files/atomic_file.h"
#include "core/sweep/listing.h"
#include "core/sweep/record.h"

#include <cmath>

namespace posiscope::sweep {
namespace {

std::string header(const Listing& listing) {
  std::string text = "key,measure,scheme";
  for (const std::string& axis : listing.axes) text += "," + csvField(axis);
  return text + ",quantity,value,unit,note\n";
}

std::string linesOf(const Listing::Entry& entry, const Record& record) {
  std::string start = entry.key + "," + csvField(entry.measure) + "," + csvField(entry.scheme);
  for (const std::string& value : entry.place) start += "," + csvField(value);
  if (record.quantities.empty()) return start + ",,,," + csvField(record.reason) + "\n";
  std::string text;
  for (const Quantity& q : record.quantities)
    text += start + "," + csvField(q.name) + "," + (std::isnan(q.value) ? "" : valueText(Value(q.value + 0.0))) + "," +
            csvField(q.unit) + "," + csvField(record.scope) + "\n";
  return text;
}

}  // namespace

Outcome writeSummary(const std::string& folder, const Listing& listing, const Job& job) {
  Expected<files::AtomicFile> file = files::AtomicFile::open(folder + "/summary.csv");
  if (!file) return fail(file.error());
  if (Outcome ok = file->write(header(listing)); !ok) return ok;
  for (std::size_t n = 0; n < listing.items.size(); ++n) {
    if (job.stopped()) return fail(ErrorCode::cancelled, "writing the summary was stopped", "写出摘要已停止");
    const std::optional<Record> record = findRecord(folder, listing.items[n].key);
    if (!record)
      return fail(ErrorCode::file_missing, join(recordPath(folder, listing.items[n].key), " is missing or damaged"),
                  join(recordPath(folder, listing.items[n].key), " 缺失或已损坏"));
    if (Outcome ok = file->write(linesOf(listing.items[n], *record)); !ok) return ok;
    job.setProgress(static_cast<double>(n + 1) / static_cast<double>(listing.items.size()));
  }
  return file->commit();
}

}  // namespace posiscope::sweep
