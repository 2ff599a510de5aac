// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/list.h"

#include "core/schemes/dynamic.h"
#include "core/schemes/schemes.h"

#include <algorithm>

namespace posiscope::schemes {

const std::vector<Scheme>& catalogue() {
  static const std::vector<Scheme> list{
      none(),
      // absolute
      sinusoidal(),
      learned(),
      sinusoidalNd(),
      sinusoidal2d(),
      learned2d(),
      fourier(),
      scaledSinusoidal(),
      // rotary
      rope(),
      rerope(),
      leakyRerope(),
      selfExtend(),
      dualChunk(),
      fope(),
      pope(),
      // bias
      t5Simple(),
      t5Log(),
      alibi(),
      // content
      conditional(),
      cope(),
      forgetGate(),
      path(),
      // combination
      fusion(),
      embeddingSum(),
      hybrid(),
      layerwise(),
      dynamic(),
      sparse(),
      queryScale(),
      positionIds(),
      own(),
  };
  return list;
}

const Scheme* find(std::string_view id) {
  for (const std::vector<Scheme>* list : {&catalogue(), &proving()}) {
    const auto found = std::ranges::find(*list, id, &Scheme::id);
    if (found != list->end()) return &*found;
  }
  return nullptr;
}

}  // namespace posiscope::schemes
