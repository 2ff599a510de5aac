// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/quantity.h"

#include <algorithm>

namespace posiscope::verify {

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> list;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) list.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return list;
}

const std::vector<Quantity>& quantities() {
  static const std::vector<Quantity> all = [] {
    std::vector<Quantity> list;
    addAbsolute(list);
    addGridTables(list);
    addCombinations(list);
    addSparse(list);
    addRotary(list);
    addRotarySets(list);
    addRotaryGrids(list);
    addRotaryParts(list);
    addDerived(list);
    addBias(list);
    addAttention(list);
    addRelative(list);
    addContent(list);
    addPositionMaps(list);
    addProducts(list);
    addDistances(list);
    addDisentangled(list);
    addGrids(list);
    addHeads(list);
    addLengths(list);
    return list;
  }();
  return all;
}

const Quantity* findQuantity(std::string_view scheme, std::string_view key) {
  const auto found = std::ranges::find_if(quantities(), [&](const Quantity& q) {
    return q.key == key && std::ranges::find(q.schemes, scheme) != q.schemes.end();
  });
  return found == quantities().end() ? nullptr : &*found;
}

}  // namespace posiscope::verify
