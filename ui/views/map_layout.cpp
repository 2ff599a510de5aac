// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/map_layout.h"

#include "ui/paint/colour_bar.h"
#include "ui/paint/kind_mark.h"
#include "ui/paint/notice.h"
#include "ui/views/map_axes.h"
#include "ui/views/map_note.h"
#include "ui/views/small_multiples.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <QFontMetricsF>
#include <utility>

namespace posiscope::ui {
namespace {

constexpr double padding = 10;
constexpr double caption_height = 18;
constexpr double caption_gap = 6;  // to the caption at the right, or the bar of several rows
constexpr double first_gap = 4;    // above plots without captions, for the upper half of the first tick label
constexpr double note_height = 16;
constexpr double note_inset = 2, note_line = 13;  // so that it starts under the title; each further line
constexpr double note_share = 100;                // of the height of the whole view, for each line
constexpr double bar_gap = 12;
constexpr double ticks_least_side = 48;      // smaller plots go without tick labels: two have room beside them
constexpr double title_least_side = 44;      // and these without axis titles
constexpr double profile_least_width = 300;  // of the whole view
constexpr double profile_least_height = 210;
constexpr double strip_least_height = 230;  // of the whole view
constexpr double strip_least_width = 120;   // of the strip beside a lone square
constexpr double strip_axis_width = 60;     // at its left
constexpr double strip_axis_height = 36;
constexpr double strip_gap = 18;      // between the axis of the maps and a strip below
constexpr double strip_share = 0.25;  // of the height, for a strip below …
constexpr double strip_least_height_below = 60;
constexpr double strip_most_height_below = 140;
constexpr std::size_t most_own_bars = 6;  // more own scales are written into the captions

/// What a caption takes: one scheme or "A − B", each with its square.
double captionWidth(const MapScene& scene, const MapPanel& panel) {
  constexpr double square = 14;
  const QFontMetricsF metrics(scene.style.font(11));
  double width = square + metrics.horizontalAdvance(panel.caption);
  if (!panel.minus.isEmpty() && !scene.legend)
    width += metrics.horizontalAdvance(QStringLiteral(" − ")) + square + metrics.horizontalAdvance(panel.minus);
  return std::ceil(width) + 1;
}

/// Captions and gaps, and the smallest side of a plot that they are worth.
struct Spacing {
  double caption;
  double gap;
  double least_side = 22;
};

class Layouter {
 public:
  Layouter(const MapScene& scene, double density, bool interactive)
      : scene_(scene), density_(density), interactive_(interactive) {}

  MapLayout run(const QRectF& target, bool noted) {
    target_ = target;
    room_ = target.adjusted(padding, padding, -padding, -padding / 2);
    placeFailures();
    placeNotes(noted);
    if (scene_.legend && !scene_.lone) layout_.legend = takeTop(caption_height);
    if (!scene_.kinds.empty())
      layout_.key = takeTop(std::min(kindKeyHeight(scene_.kinds, room_.width(), scene_.style), room_.height() / 3));
    if (!scene_.panels.empty()) placePanels();
    if (!scene_.kinds.empty()) evenCaptions();
    return layout_;
  }

  bool reduced() const {
    for (std::size_t p = 0; p < scene_.panels.size(); ++p) {
      const MapPanel& panel = scene_.panels[p];
      if (!panel.map) continue;
      const QSizeF size = layout_.panels[p].plot.size() * density_;
      if (isReduced(visibleWindow(scene_, *panel.map), QSize(qRound(size.width()), qRound(size.height())))) return true;
    }
    return false;
  }

 private:
  QRectF takeTop(double height) {
    const QRectF top(room_.left(), room_.top(), room_.width(), height);
    room_.setTop(room_.top() + height);
    return top;
  }

  void placeFailures() {
    for (const QString& failure : scene_.failures) {
      const double most = std::max(20.0, target_.height() * 0.4);
      const double height = std::min(most, noticeHeight(failure, room_.width(), scene_.style));
      layout_.failures.push_back(takeTop(height));
      room_.setTop(room_.top() + 6);
    }
  }

  void placeNotes(bool noted) {
    layout_.note = mapNote(scene_, noted);
    if (layout_.note.isEmpty()) return;
    const int most = std::clamp(static_cast<int>(target_.height() / note_share), 1, 4);
    const double width = room_.width() - 2 * note_inset;
    layout_.note_lines = wrapped(layout_.note, width, most, QFontMetricsF(scene_.style.font(note_pixels)));
    const double height = note_height + static_cast<double>(layout_.note_lines.size() - 1) * note_line;
    layout_.notes = QRectF(room_.left() + note_inset, room_.bottom() - height, width, height);
    room_.setBottom(room_.bottom() - height - 2);
  }

  /// The sizes of the rows' groups: all heads of one scheme or layer, or all panels.
  std::vector<int> groups() const {
    if (!scene_.legend) return {static_cast<int>(scene_.panels.size())};
    std::vector<int> sizes;
    const MapPanel* before = nullptr;
    for (const MapPanel& panel : scene_.panels) {
      if (!before || panel.scheme != before->scheme || panel.layer != before->layer) sizes.push_back(0);
      before = &panel;
      ++sizes.back();
    }
    return sizes;
  }

  bool captioned() const { return scene_.captioned || scene_.panels.size() > 1; }
  bool ownBars() const { return !scene_.one_scale && scene_.panels.size() <= most_own_bars; }

  /// The widest bar of the panels, for a plot of that height; a shared one may stand beside several rows of them.
  double barWidth(double height) const {
    if (!ownBars() && scene_.panels.size() > 1) height = std::max(height, room_.height());
    double width = 0;
    for (const MapPanel& panel : scene_.panels)
      if (panel.map)
        width = std::max(width,
                         colourBarWidth(panel.look.scale, height, scene_.style.text(panel.map->value), scene_.style));
    return std::ceil(width);
  }

  /// The labels at the axes take room from the plots: they are there only when enough is left.
  void placePanels() {
    const MapPanel* first = scene_.first();
    if (!first) return placeSentencesOnly();
    placeNamed(*first);
    const QRectF& plot = layout_.panels[static_cast<std::size_t>(first - scene_.panels.data())].plot;
    if (std::min(plot.width(), plot.height()) >= ticks_least_side) return;
    ticks_ = false;
    placeNamed(*first);
  }

  /// How many names fit beside the plots depends on their size, and that on the room which the names take: again with
  /// the size found, and at last without names rather than with room for names that are not there.
  void placeNamed(const MapPanel& first) {
    expected_.reset();
    named_rows_ = named_cols_ = true;
    constexpr int most = 4;  // the second time finds the size; each further one gives up the names of an axis
    for (int time = 1; time <= most; ++time) {
      layout_.panels.clear();
      layout_.bar = layout_.strip = {};
      const auto [left, bottom] = placeMaps(first);
      const PanelPlace& place = layout_.panels[static_cast<std::size_t>(&first - scene_.panels.data())];
      const bool rows_fit = left.ticks.empty() || left.names.empty() == place.rows.names.empty();
      const bool cols_fit = bottom.ticks.empty() || (bottom.names.empty() == place.cols.names.empty() &&
                                                     bottom.name_height == place.cols.name_height);
      if (rows_fit && cols_fit) return;
      expected_ = place.plot.size();
      if (time == 1) continue;
      named_rows_ = named_rows_ && rows_fit;
      named_cols_ = named_cols_ && cols_fit;
    }
  }

  /// The axes that room was kept for, at the left and at the bottom.
  std::pair<AxisScale, AxisScale> placeMaps(const MapPanel& first) {
    const bool beside = stripBeside();
    const bool strip = !scene_.strip.empty() && (beside || target_.height() >= strip_least_height);
    const double maps_height = strip && !beside ? heightAboveStrip() : room_.height();
    const std::size_t count = scene_.panels.size();
    const double small = std::min(maps_height, room_.width() / static_cast<double>(count));
    const double guess = (scene_.legend ? maps_height : small) - 30;
    const QSizeF expected = expected_.value_or(QSizeF(guess, guess));

    AxisScale left = rowScale(scene_, *first.map, expected.height(), named_rows_);
    if (!ticks_) left.ticks.clear();
    left.title = axisTitle(first.map->rows, left, scene_.style);
    const double left_width =
        strip ? std::max(46.0, leftAxisWidth(left, scene_.style)) : leftAxisWidth(left, scene_.style);
    AxisScale bottom = colScale(scene_, *first.map, expected.width(), named_cols_);
    if (!ticks_) bottom.ticks.clear();
    bottom.title = axisTitle(first.map->cols, bottom, scene_.style);
    const double bottom_height = bottomAxisHeight(bottom);
    const double bar = bar_gap + barWidth(guess);

    const bool profiles = interactive_ && scene_.profiles && count == 1 && target_.width() > profile_least_width &&
                          target_.height() > profile_least_height;
    const QSizeF least = profileSize();
    QSizeF room(room_.width() - left_width - (ownBars() ? 0 : bar) - (profiles ? least.width() + 8 : 0),
                maps_height - bottom_height - first_gap - (profiles ? least.height() + 6 : 0));
    if (beside) room.rwidth() -= strip_least_width + strip_axis_width;
    same_rows_ = sameAxes(scene_, &Map::rows, &Field::rows);
    same_cols_ = sameAxes(scene_, &Map::cols, &Field::cols);
    if (ownBars()) room.setWidth(room.width() - bar);
    if (!same_cols_) room.setHeight(room.height() + bottom_height);
    PlotGrid grid;
    double caption = 0, between = 0;
    // Many small maps stand closer, at last without captions: their order and the legend still tell what they are.
    for (const Spacing spacing : {Spacing{caption_height, 14, 40}, Spacing{11, 8}, Spacing{0, 3}}) {
      caption = captioned() ? spacing.caption : 0;
      between = (ownBars() ? bar + 10 : spacing.gap) + (same_rows_ ? (ticks_ && count > 1 ? 12 : 0) : left_width);
      const double under = caption + underCaption(caption) + spacing.gap * 0.4 + (same_cols_ ? 0 : bottom_height);
      grid = arrange(groups(), room, scene_.square ? scene_.aspect : 0, QSizeF(between, under));
      if (std::min(grid.width, grid.height) >= spacing.least_side) break;
    }
    // What squares leave over goes to captions that need it, then to both sides; above a strip of curves the squares
    // keep its left edge.
    past_plots_ = 0;
    double spare_width = room.width() - grid.columns * grid.column_step + between;
    if (namesSchemes(caption)) {
      const double wanted = widestCaption() + caption_gap - grid.column_step;
      const double spread = std::floor(std::clamp(wanted, 0.0, std::max(0.0, spare_width) / grid.columns));
      grid.column_step += spread;
      spare_width -= spread * grid.columns;
      // The captions in the rows below the first end before the bar.
      const double beyond = grid.rows > 1 && !ownBars() ? widestCaption() - grid.width - caption_gap : 0;
      past_plots_ = std::clamp(beyond, 0.0, std::max(0.0, spare_width) + spread);
      spare_width -= std::max(0.0, past_plots_ - spread);
    }
    double spare_height = room.height() - grid.rows * grid.row_step;
    // Beside a lone square the profiles take what it cannot use.
    const QSizeF grown(profiles ? std::clamp(spare_width, 0.0, std::max(0.0, grid.width - least.width())) : 0,
                       profiles ? std::clamp(spare_height, 0.0, grid.height / 2) : 0);
    spare_width -= grown.width();
    spare_height -= grown.height();
    const QPointF slack(strip ? 0 : std::max(0.0, spare_width / 2), strip ? 0 : std::max(0.0, spare_height * 0.4));
    placeGrid(grid, QPointF(room_.left() + left_width, room_.top()) + slack, caption);
    if (profiles) placeProfiles(least + grown);
    placeBars(bar);
    if (strip && beside) placeStripBeside();
    if (strip && !beside) placeStrip(left_width, bottom_height);
    return {left, bottom};
  }

  /// A lone square leaves half of a wide view empty: does it get larger with the strip at its right?
  bool stripBeside() const {
    if (scene_.strip.empty() || !scene_.square || scene_.panels.size() > 1) return false;
    constexpr double axes_width = 100;  // about what the axis at the left and the bar take
    const double across = room_.width() - axes_width;
    const auto side = [&](double width, double height) { return std::min(width, height - strip_axis_height); };
    return side(across - strip_axis_width - strip_least_width, room_.height()) > 1.1 * side(across, heightAboveStrip());
  }

  /// The maps with their axis, where the strip stands below them.
  double heightAboveStrip() const {
    const double strip = std::clamp(room_.height() * strip_share, strip_least_height_below, strip_most_height_below);
    return std::floor(room_.height() - strip - strip_gap - strip_axis_height);
  }

  /// What the profiles of a row and a column take at least: less in a small view, so that they are there at all.
  QSizeF profileSize() const {
    return {std::clamp(target_.width() * 0.11, 34.0, 52.0), std::clamp(target_.height() * 0.11, 24.0, 44.0)};
  }

  /// The last of a row has room at its right: heads are named in full above all maps or above none.
  void evenCaptions() {
    double width = room_.width();
    for (const PanelPlace& place : layout_.panels) width = std::min(width, place.caption.width());
    for (PanelPlace& place : layout_.panels) place.caption.setWidth(width);
  }

  /// The upper half of a bar's first number reaches above its plot, where a long caption or the next one may stand.
  static double underCaption(double caption) { return caption == caption_height ? 4 : 0; }

  /// Small captions of heads are numbers, and need no more room than their map.
  bool namesSchemes(double caption) const { return caption == caption_height || (caption > 0 && !scene_.legend); }

  double widestCaption() const {
    double width = 0;
    for (const MapPanel& panel : scene_.panels) width = std::max(width, captionWidth(scene_, panel));
    return width;
  }

  /// Puts the panels row by row; ticks and titles only where the neighbour at the left or below does not repeat them.
  void placeGrid(const PlotGrid& grid, QPointF origin, double caption) {
    const std::vector<int> sizes = groups();
    std::size_t group = 0;
    int place_in_group = 0, row = 0;
    for (std::size_t n = 0; n < scene_.panels.size(); ++n, ++place_in_group) {
      if (place_in_group == sizes[group]) {
        row += (sizes[group++] + grid.columns - 1) / grid.columns;
        place_in_group = 0;
      }
      const int column = place_in_group % grid.columns;
      const int panel_row = row + place_in_group / grid.columns;
      const QPointF corner(std::round(origin.x() + column * grid.column_step),
                           std::round(origin.y() + panel_row * grid.row_step));
      PanelPlace place;
      // A caption may reach over the gap beside its panel; numbers in small ones stand over the middle of theirs.
      // The last one may reach to the edge, above the bar; in the rows below it ends before the bar.
      double reach = grid.column_step - caption_gap;
      if (column + 1 == grid.columns && !ownBars()) reach = grid.width + past_plots_ + caption_gap;
      if (column + 1 == grid.columns && panel_row == 0) reach = room_.right() - corner.x();
      const double caption_width = namesSchemes(caption) ? std::max(grid.width, reach) : grid.width;
      if (caption > 0) place.caption = QRectF(corner, QSizeF(caption_width, caption));
      place.plot = QRectF(corner + QPointF(0, caption > 0 ? caption + underCaption(caption) : first_gap),
                          QSizeF(grid.width, grid.height));
      const bool lowest = group + 1 == sizes.size() && place_in_group + grid.columns >= sizes[group];
      if (const Map* map = scene_.panels[n].map)
        placeAxes(place, *map, column == 0 || !same_rows_, lowest || !same_cols_);
      layout_.panels.push_back(place);
    }
  }

  void placeAxes(PanelPlace& place, const Map& map, bool leftmost, bool lowest) const {
    place.rows = rowScale(scene_, map, place.plot.height(), named_rows_);
    place.cols = colScale(scene_, map, place.plot.width(), named_cols_);
    const Style& style = scene_.style;
    if (leftmost && place.plot.height() >= title_least_side) place.rows.title = axisTitle(map.rows, place.rows, style);
    if (lowest && place.plot.width() >= title_least_side) place.cols.title = axisTitle(map.cols, place.cols, style);
    if (!ticks_ || !leftmost) place.rows.ticks.clear();
    if (!ticks_ || !lowest) place.cols.ticks.clear();
  }

  void placeProfiles(const QSizeF& size) {
    PanelPlace& place = layout_.panels.front();
    if (!scene_.panels.front().map) return;
    const QRectF& plot = place.plot;
    place.right_profile = QRectF(plot.right() + 8, plot.top(), std::floor(size.width()), plot.height());
    place.bottom_profile = QRectF(plot.left(), plot.bottom() + 6, plot.width(), std::floor(size.height()));
  }

  void placeBars(double width) {
    if (ownBars()) {
      for (std::size_t p = 0; p < layout_.panels.size(); ++p) {
        PanelPlace& place = layout_.panels[p];
        const double right = place.right_profile.isEmpty() ? place.plot.right() : place.right_profile.right();
        if (scene_.panels[p].map)
          place.bar = QRectF(right + bar_gap / 2, place.plot.top(), width - bar_gap / 2, place.plot.height());
      }
      return;
    }
    const PanelPlace& corner = layout_.panels.front();
    double right = corner.right_profile.isEmpty() ? corner.plot.right() : corner.right_profile.right();
    for (const PanelPlace& place : layout_.panels) right = std::max(right, place.plot.right());
    const double height = layout_.panels.back().plot.bottom() - corner.plot.top();
    layout_.bar = QRectF(right + past_plots_ + bar_gap, corner.plot.top(), width - bar_gap, height);
  }

  void placeStrip(double left, double axis_height) {
    double top = room_.top();
    for (const PanelPlace& place : layout_.panels) top = std::max(top, place.plot.bottom());
    top += axis_height + strip_gap;
    const double bottom = room_.bottom() - strip_axis_height;
    if (bottom - top < 50) return;
    layout_.strip = QRectF(room_.left() + left, std::round(top), room_.width() - left - 14, std::floor(bottom - top));
  }

  void placeStripBeside() {
    const PanelPlace& map = layout_.panels.front();
    const double left = std::ceil(std::max(layout_.bar.right(), map.bar.right()) + strip_axis_width);
    layout_.strip = QRectF(left, map.plot.top(), room_.right() - 14 - left, map.plot.height());
  }

  void placeSentencesOnly() {
    placeGrid(arrange(groups(), room_.size(), 0, QSizeF(14, caption_height)), room_.topLeft(), caption_height);
  }

  const MapScene& scene_;
  double density_;
  bool interactive_;
  QRectF target_;
  QRectF room_;
  bool same_rows_ = true;
  bool same_cols_ = true;
  double past_plots_ = 0;           // how far captions reach past the last column, and the bar stands off
  std::optional<QSizeF> expected_;  // of a plot, once it was placed
  bool ticks_ = true;
  bool named_rows_ = true;
  bool named_cols_ = true;
  MapLayout layout_;
};

}  // namespace

bool captionsFit(const MapScene& scene, const MapLayout& layout) {
  for (std::size_t p = 0; p < layout.panels.size(); ++p) {
    const QRectF& caption = layout.panels[p].caption;
    if (!caption.isEmpty() && captionWidth(scene, scene.panels[p]) > caption.width()) return false;
  }
  return true;
}

MapLayout layoutMaps(const MapScene& scene, const QRectF& target, double density, bool interactive) {
  Layouter plain(scene, density, interactive);
  const MapLayout layout = plain.run(target, false);
  return plain.reduced() ? Layouter(scene, density, interactive).run(target, true) : layout;
}

}  // namespace posiscope::ui
