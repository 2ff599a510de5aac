// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/properties.h"
#include "core/xpos.h"

#include <algorithm>

namespace posiscope::measures {

template <class T>
std::vector<Moved<T>> movedProbes(const Subject<T>& subject, const std::array<double, 3>& shifts) {
  std::vector<Moved<T>> all;
  for (const double s : shifts) {
    Shape shape = subject.near.shape();
    shape.first_position += s;
    Expected<Encoding<T>> encoding = encode<T>(subject.scheme, subject.question.scheme.values, shape);
    if (encoding && encoding->rotation && !checkMagnitudes<T>(*encoding->rotation)) continue;
    if (encoding)  // else past a table: `beyondTraining` tells
      all.push_back({s, Probe<T>(*std::move(encoding), shape, subject.question.content)});
  }
  return all;
}

template <class T>
bool movedAnything(const Subject<T>& subject, const std::vector<Moved<T>>& moved) {
  const Probe<T>& here = subject.near;
  const std::vector<std::int64_t> rows = spreadRows(here.tokens(), here.tokens());
  return std::ranges::any_of(moved, [&](const Moved<T>& there) {
    const std::optional<RotationPart>& rotation = here.encoding().rotation;
    if (rotation && rotation->position != there.probe.encoding().rotation->position) return true;
    return std::ranges::any_of(here.heads(2), [&](std::int64_t h) {
      const ProbeContent content{Tokens::equal};
      const Table<T> before = here.logits(here.head(h, content), rows);
      const Table<T> after = there.probe.logits(there.probe.head(h, content), rows);
      for (std::size_t n = 0; n < before.values.size(); ++n)
        if (before.values[n] != after.values[n] && !(std::isnan(before.values[n]) && std::isnan(after.values[n])))
          return true;
      return false;
    });
  });
}

template std::vector<Moved<float>> movedProbes(const Subject<float>&, const std::array<double, 3>&);
template std::vector<Moved<double>> movedProbes(const Subject<double>&, const std::array<double, 3>&);
template bool movedAnything(const Subject<float>&, const std::vector<Moved<float>>&);
template bool movedAnything(const Subject<double>&, const std::vector<Moved<double>>&);

}  // namespace posiscope::measures
