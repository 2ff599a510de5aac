// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/dials.h"

#include "ui/charts/blend.h"
#include "ui/paint/notice.h"
#include "ui/views/scheme_text.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace posiscope::ui {
namespace {

constexpr double padding = 12;
constexpr double line_height = 18;
constexpr double least_dial = 22;        // smaller hands cannot be told apart
constexpr double largest_dial = 120;
constexpr double label_least_dial = 34;

const Curve* find(const Dataset& dataset, const char* key) {
  const auto found = std::ranges::find(dataset.curves, key, &Curve::key);
  return found == dataset.curves.end() ? nullptr : &*found;
}

DialGroup groupOf(const Answer& answer, const SchemeChoice& scheme, const QString& name, int index,
                  const Style& style) {
  DialGroup group;
  group.dataset = *answer.dataset;
  group.name = name;
  group.colour = schemeColour(scheme.colour);
  group.scheme = index;
  const Curve* query = find(*group.dataset, "angle_i");
  const Curve* key = find(*group.dataset, "angle_j");
  if (query && key && query->y.size() == key->y.size()) {
    group.query = query;
    group.key = key;
  } else {
    group.sentence = style.text(group.dataset->nothing);
  }
  return group;
}

void placeGroup(DialLayout& layout, const DialScene& scene, std::size_t index, QRectF area) {
  layout.areas.push_back(area);
  const DialGroup& group = scene.groups[index];
  if (!group.query || group.query->y.empty() || area.width() < least_dial || area.height() < least_dial) return;
  const std::size_t pairs = group.query->y.size();
  std::size_t step = 1;
  int columns = 1;
  double side = 0;
  // The largest dials that fit; when even the smallest do not, every second, third … pair.
  for (; side < least_dial; ++step) {
    const std::size_t shown = (pairs + step - 1) / step;
    side = 0;
    double best = 0;
    for (int c = 1; c <= static_cast<int>(shown); ++c) {
      const double rows = std::ceil(static_cast<double>(shown) / c);
      const double fit = std::min({area.width() / c, area.height() / rows, largest_dial});
      if (fit < best * 0.95) continue;  // a little size is given up for fewer rows: dials are compared along one
      best = std::max(best, fit);
      side = fit;
      columns = c;
    }
    if (side >= least_dial) break;
  }
  const bool labelled = side >= label_least_dial;
  const double label = labelled ? 11 : 0;
  const double radius = (side - label) / 2 - 2;
  int place = 0;
  for (std::size_t pair = 0; pair < pairs; pair += step, ++place) {
    const QPointF corner = area.topLeft() + QPointF(place % columns * side, place / columns * side);
    DialPlace dial{index, pair, corner + QPointF(side / 2, 2 + radius), radius, {}};
    if (labelled) dial.label = QRectF(corner.x(), corner.y() + side - label - 1, side, label);
    layout.dials.push_back(dial);
  }
  if (step == 1 || !layout.note.isEmpty()) return;
  layout.note = scene.style.text({"one pair in %1 is shown", "每 %1 个维度对显示一个"}).arg(step);
}

/// Angles grow against the clock from three o'clock, as on paper.
QPointF tip(const DialPlace& dial, double angle) {
  return dial.centre + QPointF(std::cos(angle) * dial.radius, -std::sin(angle) * dial.radius);
}

double degrees(double angle) { return angle * 180 / std::numbers::pi; }

void drawDial(QPainter& painter, const DialScene& scene, const DialPlace& dial) {
  const DialGroup& group = scene.groups[dial.group];
  const double query = group.query->y[dial.pair];
  const double key = group.key->y[dial.pair];
  const QRectF circle(dial.centre - QPointF(dial.radius, dial.radius), QSizeF(2 * dial.radius, 2 * dial.radius));
  // Between the hands and the lines of a chart: a circle as faint as those is lost on a dark panel.
  painter.setPen(QPen(blend(scene.style.mute, scene.style.panel, 0.5), 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawEllipse(circle);

  // The shorter way from key to query: what the dot product of a rotated pair sees.
  double sweep = degrees(query) - degrees(key);
  sweep -= 360 * std::round(sweep / 360);
  QColor fill = group.colour;
  fill.setAlphaF(0.22F);
  painter.setPen(Qt::NoPen);
  painter.setBrush(fill);
  painter.drawPie(circle, static_cast<int>(std::lround(degrees(key) * 16)), static_cast<int>(std::lround(sweep * 16)));

  const double point = std::clamp(dial.radius / 8, 1.6, 3.2);
  painter.setPen(QPen(group.colour, 1));
  painter.setBrush(scene.style.panel);
  painter.drawLine(dial.centre, tip(dial, key));
  painter.drawEllipse(tip(dial, key), point, point);
  painter.setPen(QPen(group.colour, dial.radius > 14 ? 2 : 1.5, Qt::SolidLine, Qt::RoundCap));
  painter.setBrush(group.colour);
  painter.drawLine(dial.centre, tip(dial, query));
  painter.drawEllipse(tip(dial, query), point * 0.8, point * 0.8);
  if (dial.label.isEmpty()) return;
  painter.setFont(scene.style.font(9));
  painter.setPen(scene.style.mute);
  painter.drawText(dial.label, Qt::AlignCenter, QString::number(dial.pair));
}

void drawKeyLine(QPainter& painter, const DialScene& scene, const DialLayout& layout) {
  const Style& style = scene.style;
  const QRectF& area = layout.key;
  painter.setPen(QPen(style.ink, 1.5));
  painter.setBrush(style.ink);
  painter.drawEllipse(QPointF(area.left() + 4, area.center().y()), 3, 3);
  painter.setFont(style.font(11));
  const QString query =
      style.text({"position i = ", "位置 i = "}) + numberText(scene.first_position + static_cast<double>(scene.i), 10);
  const QString key =
      style.text({"position j = ", "位置 j = "}) + numberText(scene.first_position + static_cast<double>(scene.j), 10);
  double left = area.left() + 12;
  const QFontMetricsF metrics(painter.font());
  painter.drawText(QRectF(left, area.top(), 400, area.height()), Qt::AlignLeft | Qt::AlignVCenter, query);
  left += metrics.horizontalAdvance(query) + 18;
  painter.setBrush(style.panel);
  painter.drawEllipse(QPointF(left, area.center().y()), 3, 3);
  painter.drawText(QRectF(left + 8, area.top(), 400, area.height()), Qt::AlignLeft | Qt::AlignVCenter, key);
  painter.setPen(style.mute);
  left += 8 + metrics.horizontalAdvance(key) + 18;
  QString rest = style.text({"number = pair p", "编号 = 维度对 p"});
  if (!layout.note.isEmpty()) rest = layout.note;
  painter.drawText(QRectF(left, area.top(), std::max(0.0, area.right() - left), area.height()),
                   Qt::AlignRight | Qt::AlignVCenter, metrics.elidedText(rest, Qt::ElideRight, area.right() - left));
}

/// Angles of a group's pairs at a position that is pointed at elsewhere; empty where its hands stand already, and
/// outside the sequence.
std::vector<double> anglesElsewhere(const DialScene& scene, const DialGroup& group, std::optional<double> position,
                                    std::int64_t shown) {
  if (!position) return {};
  const std::int64_t token = std::llround(*position - scene.first_position);
  if (token == shown) return {};
  return group.dataset && group.dataset->angles_at ? group.dataset->angles_at(token) : std::vector<double>{};
}

void drawDashedHand(QPainter& painter, const DialScene& scene, const DialPlace& dial, double angle, bool filled) {
  QPen pen(scene.style.ink, 1);
  pen.setDashPattern({3, 2});
  painter.setPen(pen);
  painter.drawLine(dial.centre, tip(dial, angle));
  painter.setPen(QPen(scene.style.ink, 1));
  painter.setBrush(filled ? scene.style.ink : scene.style.panel);
  const double point = std::clamp(dial.radius / 8, 1.6, 3.2);
  painter.drawEllipse(tip(dial, angle), point, point);
}

/// The hands of the positions that another view's pointer is on, dashed, and in the line above which these are.
void drawHandsElsewhere(QPainter& painter, const DialScene& scene, const DialLayout& layout, const Hover& hover) {
  bool query = false, key = false;
  for (std::size_t g = 0; g < scene.groups.size(); ++g) {
    const std::vector<double> at_i = anglesElsewhere(scene, scene.groups[g], hover.i, scene.i);
    const std::vector<double> at_j = anglesElsewhere(scene, scene.groups[g], hover.j, scene.j);
    for (const DialPlace& dial : layout.dials) {
      if (dial.group != g) continue;
      if (dial.pair < at_j.size()) drawDashedHand(painter, scene, dial, at_j[dial.pair], false);
      if (dial.pair < at_i.size()) drawDashedHand(painter, scene, dial, at_i[dial.pair], true);
    }
    query = query || !at_i.empty();
    key = key || !at_j.empty();
  }
  QStringList places;
  if (query) places << QStringLiteral("i = ") + numberText(*hover.i, 10);
  if (key) places << QStringLiteral("j = ") + numberText(*hover.j, 10);
  if (places.isEmpty()) return;
  painter.setFont(scene.style.font(11));
  const Style& style = scene.style;
  const QString text = style.text({"dashed: ", "虚线："}) + places.join(style.text({", ", "，"}));
  const double width = QFontMetricsF(painter.font()).horizontalAdvance(text) + 12;
  const QRectF line(layout.key.right() - width, layout.key.top(), width, layout.key.height());
  painter.fillRect(line, style.panel);
  painter.setPen(style.ink);
  painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, text);
}

}  // namespace

DialScene makeDialScene(const ViewContext& context, std::int64_t i, std::int64_t j, bool all) {
  DialScene scene;
  scene.style = context.style;
  scene.stale = context.stale();
  scene.i = i;
  scene.j = j;
  scene.first_position = context.experiment.shape.first_position;
  const std::vector<Answer>& answers = context.answers();
  if (answers.empty() || !anyVisible(context.experiment)) {
    scene.stale = false;
    scene.nothing = nothingText(context, true);
    return scene;
  }
  for (std::size_t s = 0; s < answers.size(); ++s) {
    const int index = static_cast<int>(s);
    if (!all && index != context.presentation.selected) continue;
    const std::vector<SchemeChoice>& schemes = context.result->request.experiment.schemes;
    const SchemeChoice& scheme = schemes[s];
    const QString name = scene.style.text(displayName(scheme, schemes));
    if (!answers[s].dataset)
      scene.failures.push_back(failureText(name, answers[s].dataset.error(), scene.style));
    else if (*answers[s].dataset)
      scene.groups.push_back(groupOf(answers[s], scheme, name, index, scene.style));
  }
  if (scene.groups.empty() && scene.failures.empty())
    scene.nothing = nothingText(context, scene.stale);
  // Among several, a scheme that does not rotate takes no room.
  const auto rotates = [](const DialGroup& group) { return group.query != nullptr; };
  if (std::ranges::any_of(scene.groups, rotates))
    std::erase_if(scene.groups, std::not_fn(rotates));
  else if (!scene.groups.empty()) {
    scene.nothing = scene.groups.front().sentence;
    scene.groups.clear();
  }
  return scene;
}

DialLayout layoutDials(const DialScene& scene, const QRectF& target) {
  DialLayout layout;
  QRectF room = target.adjusted(padding, padding - 4, -padding, -padding);
  for (const QString& failure : scene.failures) {
    const double height = std::min(target.height() * 0.4, noticeHeight(failure, room.width(), scene.style));
    layout.failures.emplace_back(room.left(), room.top(), room.width(), height);
    room.setTop(room.top() + height + 6);
  }
  if (scene.groups.empty()) return layout;
  layout.key = QRectF(room.left(), room.top(), room.width(), line_height);
  room.setTop(room.top() + line_height + 6);
  const auto count = static_cast<double>(scene.groups.size());
  const bool captioned = scene.groups.size() > 1;
  // Side by side while the columns stay wider than high.
  const double shape = std::max(0.0, room.width()) / std::max(1.0, room.height());
  const double columns = std::clamp(std::round(std::sqrt(count * shape)), 1.0, count);
  const double rows = std::ceil(count / columns);
  const double width = (room.width() - (columns - 1) * 16) / columns;
  const double height = (room.height() - (rows - 1) * 8) / rows;
  for (std::size_t g = 0; g < scene.groups.size(); ++g) {
    const double column = std::fmod(static_cast<double>(g), columns);
    const double row = std::floor(static_cast<double>(g) / columns);
    QRectF area(room.left() + column * (width + 16), room.top() + row * (height + 8), width, height);
    layout.captions.push_back(captioned ? QRectF(area.topLeft(), QSizeF(width, line_height)) : QRectF());
    if (captioned) area.setTop(area.top() + line_height);
    placeGroup(layout, scene, g, area);
  }
  return layout;
}

void drawDials(QPainter& painter, const QRectF& target, const DialScene& scene, const DialLayout& layout) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  for (std::size_t f = 0; f < scene.failures.size(); ++f)
    drawNotice(painter, layout.failures[f], scene.failures[f], scene.style);
  if (!scene.nothing.isEmpty()) drawSentence(painter, target, scene.nothing, scene.style);
  if (!layout.key.isEmpty()) drawKeyLine(painter, scene, layout);
  for (std::size_t g = 0; g < layout.captions.size(); ++g)
    if (!layout.captions[g].isEmpty())
      drawKey(painter, layout.captions[g], scene.groups[g].colour, scene.groups[g].name, scene.style);
  for (const DialPlace& dial : layout.dials) drawDial(painter, scene, dial);
  if (scene.stale) drawStaleVeil(painter, target, scene.style);
  painter.restore();
}

void drawDialHover(QPainter& painter, const DialScene& scene, const DialLayout& layout, const Hover& hover) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  if (!layout.key.isEmpty()) drawHandsElsewhere(painter, scene, layout, hover);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(scene.style.ink, 1.5));
  for (const DialPlace& dial : layout.dials)
    if (hover.pair && static_cast<double>(dial.pair) == std::round(*hover.pair))
      painter.drawEllipse(dial.centre, dial.radius + 1, dial.radius + 1);
  painter.restore();
}

}  // namespace posiscope::ui
