// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/strokes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <QLineF>
#include <utility>

namespace posiscope::ui {
namespace {

/// One pixel column of a curve.
struct Column {
  int index = 0;  ///< of the column
  std::size_t low_at = 0, high_at = 0, first = 0, last = 0;
  double low = 0, high = 0, sum = 0;
  int count = 0;
  int turns = 0;  ///< points where the curve turns back
  bool after_gap = false;
};

/// Without the points that lie on the way: a smooth curve of 300 points needs 30 of them, and each costs a stroke. What
/// is left is nearer to the curve than antialiasing shows.
QPolygonF straightened(const QPolygonF& line) {
  constexpr double tolerance = 0.12;  // pixels
  constexpr qsizetype furthest = 24;  // points dropped in a row: bounds the time
  QPolygonF kept;
  kept.reserve(line.size());
  const auto onTheWay = [&](qsizetype from, qsizetype to) {
    const QPointF d = line[to] - line[from];
    const double length = std::hypot(d.x(), d.y());
    for (qsizetype k = from + 1; k < to; ++k) {
      const QPointF e = line[k] - line[from];
      const double along = e.x() * d.x() + e.y() * d.y();
      if (std::abs(e.x() * d.y() - e.y() * d.x()) > tolerance * length || along < 0 || along > length * length)
        return false;
    }
    return true;
  };
  for (qsizetype at = 0; at < line.size();) {
    kept << line[at];
    qsizetype next = at + 1;
    while (next + 1 < line.size() && next - at < furthest && onTheWay(at, next + 1)) ++next;
    at = next;
  }
  return kept;
}

class Reducer {
 public:
  Reducer(std::span<const double> x, std::span<const double> y, const Scale& x_scale, const Scale& y_scale,
          const QRectF& area)
      : x_(x), y_(y), x_scale_(x_scale), y_scale_(y_scale), x_share_(x_scale), y_share_(y_scale), area_(area) {}

  Strokes run() {
    if (!std::is_sorted(x_.begin(), x_.end())) {
      keepAll();
      return std::move(out_);
    }
    collect();
    markDense();
    trace();
    return std::move(out_);
  }

 private:
  bool drawable(double value) const { return std::isfinite(value) && (!y_scale_.logarithmic || value > 0); }

  // Far outside is as good as outside: keeps the clipping arithmetic finite.
  double mapY(double value) const {
    const double share = std::clamp(y_share_(value), -1e6, 1e6);
    return area_.bottom() - share * area_.height();
  }
  double mapX(double value) const { return area_.left() + std::clamp(x_share_(value), -1e6, 1e6) * area_.width(); }
  QPointF map(std::size_t at) const { return {mapX(x_[at]), mapY(y_[at])}; }

  void keepAll() {
    QPolygonF line;
    for (std::size_t at = 0; at < x_.size(); ++at) {
      if (drawable(y_[at]) && std::isfinite(x_scale_.share(x_[at])))
        line << map(at);
      else
        flush(line);
    }
    flush(line);
  }

  void flush(QPolygonF& line) {
    // A line of no length cannot be seen.
    if (line.size() == 1 && area_.adjusted(-0.5, -0.5, 0.5, 0.5).contains(line.front()))
      out_.dots.push_back(line.front());
    if (line.size() > 1) clipPolyline(straightened(line), area_, out_.lines);
    line.clear();
  }

  // One pass; columns are found by stepping over their right edges in data space: no logarithm per point.
  void collect() {
    const auto begin = std::lower_bound(x_.begin(), x_.end(), x_scale_.low);
    const auto end = std::upper_bound(begin, x_.end(), x_scale_.high);
    std::size_t from = static_cast<std::size_t>(begin - x_.begin());
    const std::size_t to = std::min(static_cast<std::size_t>(end - x_.begin()) + 1, x_.size());
    if (from > 0 && (!x_scale_.logarithmic || x_[from - 1] > 0)) --from;
    const int columns = std::max(1, static_cast<int>(std::ceil(area_.width())));
    int column = -1;
    double edge = x_scale_.low;
    double before = std::numeric_limits<double>::quiet_NaN(), slope = 0;
    bool gap = true;
    columns_.reserve(static_cast<std::size_t>(columns) + 2);
    for (std::size_t at = from; at < to; ++at) {
      if (!drawable(y_[at])) {
        gap = true;
        continue;
      }
      while (x_[at] >= edge && column < columns) edge = x_scale_.value((++column + 1.0) / columns);
      if (gap || columns_.empty() || columns_.back().index != column) startColumn(at, column, gap);
      add(columns_.back(), at);
      const double step = y_[at] - before;
      if (!gap && step * slope < 0) ++columns_.back().turns;
      if (gap)
        slope = 0;
      else if (step != 0)
        slope = step;
      before = y_[at];
      gap = false;
    }
  }

  void startColumn(std::size_t at, int column, bool gap) {
    Column fresh;
    fresh.index = column;
    fresh.low_at = fresh.high_at = fresh.first = at;
    fresh.low = fresh.high = y_[at];
    fresh.after_gap = gap;
    columns_.push_back(fresh);
  }

  void add(Column& column, std::size_t at) const {
    if (y_[at] < column.low) column.low = y_[at], column.low_at = at;
    if (y_[at] > column.high) column.high = y_[at], column.high_at = at;
    column.sum += y_[at];
    column.last = at;
    ++column.count;
  }

  // Dense: strokes up and down stand so close that a line of usual width fills the gaps between them, over more than a
  // line's width of height. Averaged over neighbours, so that the picture does not flicker between line and band.
  // Noise with a sample for each column is drawn as it is: nothing is hidden between its samples.
  void markDense() {
    constexpr std::size_t reach = 4;
    constexpr double most_turns = 0.4;  // per column
    constexpr double least_samples = 1.5;
    dense_.assign(columns_.size(), false);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const std::size_t from = c > reach ? c - reach : 0, to = std::min(c + reach + 1, columns_.size());
      double turns = 0, height = 0, samples = 0;
      for (std::size_t n = from; n < to; ++n) {
        turns += columns_[n].turns;
        samples += columns_[n].count;
        height += mapY(columns_[n].low) - mapY(columns_[n].high);
      }
      const double width = columns_[to - 1].index - columns_[from].index + 1;
      dense_[c] =
          to - from > reach && samples > least_samples * width && turns > most_turns * width && height > 3 * width;
    }
  }

  void trace() {
    QPolygonF line;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (columns_[c].after_gap) flush(line);
      if (!dense_[c]) {
        appendColumn(line, columns_[c]);
        continue;
      }
      std::size_t end = c + 1;
      while (end < columns_.size() && dense_[end] && !columns_[end].after_gap) ++end;
      appendBand(line, c, end);
      c = end - 1;
    }
    flush(line);
  }

  void appendColumn(QPolygonF& line, const Column& column) const {
    if (column.count <= 2) {
      line << map(column.first);
      if (column.count == 2) line << map(column.last);
      return;
    }
    const auto [early, late] = std::minmax(column.low_at, column.high_at);
    line << map(early);
    if (late != early) line << map(late);
  }

  double centre(const Column& column) const {
    const double columns = std::max(1.0, std::ceil(area_.width()));
    return area_.left() + (column.index + 0.5) / columns * area_.width();
  }

  void appendBand(QPolygonF& line, std::size_t begin, std::size_t end) {
    constexpr std::size_t smooth = 4;  // columns each side: a mean over a broken number of periods wobbles
    QPolygonF top, bottom;
    for (std::size_t c = begin; c < end; ++c) {
      double low = columns_[c].low, high = columns_[c].high, sum = 0;
      int count = 0;
      const std::size_t from = std::max(begin, c > smooth ? c - smooth : 0), to = std::min(c + smooth + 1, end);
      for (std::size_t n = from; n < to; ++n) {
        sum += columns_[n].sum;
        count += columns_[n].count;
        if (n + 1 < c || n > c + 1) continue;  // beats of sampling and period otherwise comb the envelope
        low = std::min(low, columns_[n].low);
        high = std::max(high, columns_[n].high);
      }
      const double at = std::clamp(centre(columns_[c]), area_.left(), area_.right());
      const double top_edge = std::clamp(mapY(high), area_.top(), area_.bottom());
      const double bottom_edge = std::clamp(mapY(low), area_.top(), area_.bottom());
      top << QPointF(at, top_edge);
      bottom << QPointF(at, bottom_edge);
      line << QPointF(at, mapY(sum / count));
    }
    std::reverse(bottom.begin(), bottom.end());
    out_.bands.push_back(top + bottom);
  }

  std::span<const double> x_, y_;
  const Scale& x_scale_;
  const Scale& y_scale_;
  ScaleShare x_share_, y_share_;
  const QRectF& area_;
  std::vector<Column> columns_;
  std::vector<char> dense_;
  Strokes out_;
};

// Liang and Barsky: shortens the segment to the part inside; false when nothing is.
bool clipSegment(QPointF& a, QPointF& b, const QRectF& area) {
  constexpr double rounding = 1e-7;  // of a pixel: a level line at a limit is on the frame, not beyond it
  double from = 0, to = 1;
  const QPointF d = b - a;
  const std::pair<double, double> sides[] = {{-d.x(), a.x() - area.left()},
                                             {d.x(), area.right() - a.x()},
                                             {-d.y(), a.y() - area.top()},
                                             {d.y(), area.bottom() - a.y()}};
  for (const auto& [speed, room] : sides) {
    if (speed == 0) {
      if (room < -rounding) return false;
      continue;
    }
    const double t = room / speed;
    if (speed < 0)
      from = std::max(from, t);
    else
      to = std::min(to, t);
  }
  if (from > to) return false;
  if (to < 1) b = a + to * d;  // ends inside stay exactly what they are: the caller joins segments by equality
  if (from > 0) a += from * d;
  return true;
}

}  // namespace

Strokes makeStrokes(std::span<const double> x, std::span<const double> y, const Scale& x_scale, const Scale& y_scale,
                    const QRectF& area) {
  const std::size_t size = std::min(x.size(), y.size());
  if (size == 0 || area.width() < 1 || area.height() < 1) return {};
  return Reducer(x.first(size), y.first(size), x_scale, y_scale, area).run();
}

QPolygonF makeBand(std::span<const double> x, std::span<const double> low, std::span<const double> high,
                   const Scale& x_scale, const Scale& y_scale, const QRectF& area) {
  QPolygonF top, bottom;
  const auto height = [&](double value) {
    return area.bottom() - std::clamp(y_scale.share(value), 0.0, 1.0) * area.height();
  };
  const std::size_t size = std::min({x.size(), low.size(), high.size()});
  bool gap = false;
  for (std::size_t at = 0; at < size; ++at) {
    const double share = x_scale.share(x[at]);
    if (!(share >= 0 && share <= 1)) continue;
    if (!std::isfinite(low[at]) || !std::isfinite(high[at])) {
      gap = true;
      continue;
    }
    const double column = area.left() + share * area.width();
    const bool bridged = std::exchange(gap, false) && !top.isEmpty();
    if (bridged) {
      // Along the lower curve there and back: nothing is filled between.
      const QPointF before = bottom.back(), after(column, height(low[at]));
      top << before << after;
      bottom << before << after;
    }
    if (!bridged && !top.isEmpty() && std::floor(column) == std::floor(top.back().x())) {
      top.back().setY(std::min(top.back().y(), height(high[at])));
      bottom.back().setY(std::max(bottom.back().y(), height(low[at])));
    } else {
      top << QPointF(column, height(high[at]));
      bottom << QPointF(column, height(low[at]));
    }
  }
  std::reverse(bottom.begin(), bottom.end());
  return top + bottom;
}

void clipPolyline(const QPolygonF& line, const QRectF& area, std::vector<QPolygonF>& parts) {
  QPolygonF part;
  for (qsizetype k = 1; k < line.size(); ++k) {
    QPointF a = line[k - 1], b = line[k];
    if (!clipSegment(a, b, area)) continue;
    if (part.isEmpty() || part.back() != a) {
      if (!part.isEmpty()) parts.push_back(std::move(part));
      part = QPolygonF{a};
    }
    part << b;
  }
  if (!part.isEmpty()) parts.push_back(std::move(part));
}

QList<QLineF> dashed(const QPolygonF& line, const QList<qreal>& pattern) {
  QList<QLineF> pieces;
  pieces.reserve(line.size());
  qsizetype phase = 0;
  double left = pattern.isEmpty() ? 0 : pattern.front();
  for (qsizetype k = 1; k < line.size(); ++k) {
    const QLineF whole(line[k - 1], line[k]);
    if (pattern.isEmpty()) {
      pieces << whole;
      continue;
    }
    const double length = whole.length();
    for (double done = 0; done < length;) {
      const double step = std::min(left, length - done);
      if (phase % 2 == 0) pieces << QLineF(whole.pointAt(done / length), whole.pointAt((done + step) / length));
      done += step;
      left -= step;
      if (left > 1e-9) continue;
      phase = (phase + 1) % pattern.size();
      left = std::max(0.1, pattern[phase]);
    }
  }
  return pieces;
}

}  // namespace posiscope::ui
