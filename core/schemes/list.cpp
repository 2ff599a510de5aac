// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schemes/list.h"

#include "core/schemes/deberta.h"
#include "core/schemes/decomposed_2d.h"
#include "core/schemes/fire.h"
#include "core/schemes/grid_bias.h"
#include "core/schemes/dynamic.h"
#include "core/schemes/schemes.h"
#include "core/schemes/shaw.h"
#include "core/schemes/swin.h"
#include "core/schemes/swin_v2.h"
#include "core/schemes/transformer_xl.h"
#include "core/schemes/tupe.h"

#include <algorithm>

namespace posiscope::schemes {

const std::vector<Scheme>& catalogue() {
  static const std::vector<Scheme> list{
      none(),
      // absolute
      sinusoidal(), learned(), sinusoidalNd(), sinusoidal2d(), learned2d(), fourier(), scaledSinusoidal(),
      // rotary
      rope(), xpos(), rope2d(), rerope(), leakyRerope(), selfExtend(), dualChunk(), ropeMixed(), ropeDecoupled(),
      mrope(), fope(), pope(), layerPattern(),
      // bias
      shaw(), transformerXl(), t5Simple(), t5Log(), deberta(), tupe(), relativeKey(), relativeKeyQuery(), swin(),
      gridBias(), dynamicMlpBias(), alibi(), decomposed2d(), swinV2(), kerple(), sandwich(), fire(),
      // content
      conditional(), cope(), forgetGate(), path(),
      // combinations
      fusion(), embeddingSum(), hybrid(), layerwise(), dynamic(), sparse(), queryScale(), positionIds(), own(),
  };
  return list;
}

const Scheme* find(std::string_view id) {
  const auto found = std::ranges::find(catalogue(), id, &Scheme::id);
  return found == catalogue().end() ? nullptr : &*found;
}

}  // namespace posiscope::schemes
