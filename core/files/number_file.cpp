// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/number_file.h"

#include "core/dataset_pieces.h"
#include "core/files/npy_writer.h"

#include <algorithm>

namespace posiscope::files {
namespace {

bool isCsv(const std::string& path) {
  std::string ending = path.substr(path.size() - std::min<std::size_t>(4, path.size()));
  std::ranges::transform(ending, ending.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  return ending == ".csv";
}

}  // namespace

Outcome writeNumberFile(const std::string& path, const Dataset& dataset, bool single_precision, const Job& job,
                        std::string_view comment) {
  if (isCsv(path)) {
    Expected<AtomicFile> file = AtomicFile::open(path);
    if (!file) return fail(file.error());
    if (Outcome ok = file->write(comment); !ok) return ok;
    const Outcome written = csvPieces(dataset, job, [&](std::string_view piece) { return file->write(piece); });
    return written ? file->commit() : written;
  }
  if (Outcome fits = checkNumbers(dataset); !fits) return fits;
  Expected<NpyWriter> file = NpyWriter::open(path, numbersShape(dataset), single_precision);
  if (!file) return fail(file.error());
  const Outcome written =
      numberPieces(dataset, job, [&](std::span<const double> numbers) { return file->write(numbers); });
  return written ? file->commit() : written;
}

}  // namespace posiscope::files
