// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/initial.h"

#include "core/random.h"

#include <algorithm>
#include <cassert>

namespace posiscope::train {
namespace {

double drawOf(const Initial& initial, const Stream& stream, std::uint64_t element) {
  switch (initial.kind) {
    case Initial::Kind::constant: return initial.value;
    case Initial::Kind::normal: return stream.normal(element) * initial.value;
    case Initial::Kind::uniform: return std::max(initial.smallest, stream.unit(element, 0) * initial.value);
  }
  return 0;
}

}  // namespace

template <class T>
void setInitial(const Layout& layout, std::uint64_t seed, std::span<T> out) {
  assert(static_cast<std::int64_t>(out.size()) == layout.size);
  for (const Parameter& p : layout.parameters) {
    const Stream stream(seed, "init/" + p.name);
    for (std::int64_t t = 0; t < p.size(); ++t)
      out[static_cast<std::size_t>(p.offset + t)] =
          static_cast<T>(static_cast<float>(drawOf(p.initial, stream, static_cast<std::uint64_t>(t))));
  }
}

template void setInitial(const Layout&, std::uint64_t, std::span<float>);
template void setInitial(const Layout&, std::uint64_t, std::span<double>);

}  // namespace posiscope::train
