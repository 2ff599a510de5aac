// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/paint/colour_map.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <span>
#include <utility>

namespace posiscope::ui {
namespace {

// Control points, evenly spaced. viridis, magma and cividis: Smith, van der Walt, Firing; Nuñez, Anderton, Renslow
// (all CC0). blue_red and purple_orange: RdBu and PuOr of Brewer, reversed
// (the violet end a little lighter than his, so that both ends weigh about the same). twilight: Bechtold (CC0).
constexpr std::array<QRgb, 11> viridis{0x440154, 0x482475, 0x414487, 0x355f8d, 0x2a788e, 0x21918c,
                                       0x22a884, 0x44bf70, 0x7ad151, 0xbddf26, 0xfde725};
constexpr std::array<QRgb, 11> magma{0x000004, 0x140e36, 0x3b0f70, 0x641a80, 0x8c2981, 0xb73779,
                                     0xde4968, 0xf7705c, 0xfe9f6d, 0xfecf92, 0xfcfdbf};
constexpr std::array<QRgb, 10> cividis{0x00224e, 0x123570, 0x3b496c, 0x575d6d, 0x707173,
                                       0x8a8678, 0xa59c74, 0xc3b369, 0xe1cc55, 0xfee838};
constexpr std::array<QRgb, 2> grey{0x101010, 0xf4f4f4};
constexpr std::array<QRgb, 9> blue_red{0x2166ac, 0x4393c3, 0x92c5de, 0xd1e5f0, 0xf7f7f7,
                                       0xfddbc7, 0xf4a582, 0xd6604d, 0xb2182b};
constexpr std::array<QRgb, 9> purple_orange{0x5e3c99, 0x8073ac, 0xb2abd2, 0xd8daeb, 0xf7f7f7,
                                            0xfee0b6, 0xfdb863, 0xe08214, 0xb35806};
constexpr std::array<QRgb, 11> twilight{0xe2d9e2, 0xb0c5cf, 0x7ba1c2, 0x6275ba, 0x5e43a5, 0x2f1436,
                                        0x8e2c50, 0xb4585a, 0xc78b70, 0xd5bbae, 0xe2d9e2};

std::array<QRgb, ColourMap::size> spread(std::span<const QRgb> points) {
  std::array<QRgb, ColourMap::size> colours{};
  const double last = static_cast<double>(points.size() - 1);
  for (std::size_t n = 0; n < ColourMap::size; ++n) {
    const double place = static_cast<double>(n) / (ColourMap::size - 1) * last;
    const auto left = std::min(static_cast<std::size_t>(place), points.size() - 2);
    const double share = place - static_cast<double>(left);
    const auto mix = [&](int (*channel)(QRgb)) {
      return static_cast<int>(std::lround(channel(points[left]) * (1 - share) + channel(points[left + 1]) * share));
    };
    colours[n] = qRgb(mix(qRed), mix(qGreen), mix(qBlue));
  }
  return colours;
}

/// A quarter of the way to white (255) or black (0).
QRgb shaded(QRgb colour, int end) {
  const auto mix = [end](int channel) { return channel + (end - channel) / 4; };
  return qRgb(mix(qRed(colour)), mix(qGreen(colour)), mix(qBlue(colour)));
}

}  // namespace

QRgb ColourMap::at(double fraction) const {
  const double place = std::clamp(fraction, 0.0, 1.0) * (size - 1) + 0.5;
  return colours[static_cast<std::size_t>(place)];
}

const ColourMap& steppedMap(const ColourMap& map, int steps) {
  static std::mutex mutex;  // figures may be drawn outside the window's thread
  static std::map<std::pair<std::string_view, int>, ColourMap> made;
  const int count = std::clamp(steps, 1, static_cast<int>(ColourMap::size));
  const std::scoped_lock lock(mutex);
  const auto [found, is_new] = made.try_emplace({map.key, count}, map);
  if (!is_new) return found->second;
  constexpr int few = 128;
  for (std::size_t n = 0; n < ColourMap::size; ++n) {
    const auto step = static_cast<int>(n * static_cast<std::size_t>(count) / ColourMap::size);
    QRgb colour = map.at(count == 1 ? 0.5 : static_cast<double>(step) / (count - 1));
    // Towards the other end of lightness: visible on dark and on light colours.
    if (count <= few && step % 2 == 1) colour = shaded(colour, qGray(colour) < 128 ? 255 : 0);
    found->second.colours[n] = colour;
  }
  return found->second;
}

const std::vector<ColourMap>& colourMaps() {
  static const std::vector<ColourMap> maps{
      {"viridis", {"viridis", "翠绿（viridis）"}, MapKind::sequential, spread(viridis)},
      {"magma", {"magma", "熔岩（magma）"}, MapKind::sequential, spread(magma)},
      {"cividis", {"cividis", "蓝黄（cividis）"}, MapKind::sequential, spread(cividis)},
      {"grey", {"grey", "灰度"}, MapKind::sequential, spread(grey)},
      {"blue_red", {"blue – white – red", "蓝–白–红"}, MapKind::diverging, spread(blue_red)},
      {"purple_orange", {"purple – white – orange", "紫–白–橙"}, MapKind::diverging, spread(purple_orange)},
      {"twilight", {"cyclic", "循环"}, MapKind::cyclic, spread(twilight)},
  };
  return maps;
}

const ColourMap& colourMap(std::string_view key, MapKind kind) {
  const std::vector<ColourMap>& maps = colourMaps();
  const auto named = std::ranges::find(maps, key, &ColourMap::key);
  if (named != maps.end()) return *named;
  return *std::ranges::find(maps, kind, &ColourMap::kind);
}

}  // namespace posiscope::ui
