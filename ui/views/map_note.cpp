// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/map_note.h"

#include "core/wave_field.h"
#include "ui/views/scheme_text.h"

#include <algorithm>
#include <cmath>
#include <QFontMetricsF>
#include <string_view>

namespace posiscope::ui {
namespace {

/// Cells along one axis, the first and the last one that can be seen.
struct Cells {
  std::int64_t first;
  std::int64_t last;
  std::int64_t all;

  bool whole() const { return first == 0 && last == all - 1; }
  bool operator==(const Cells&) const = default;
};

Cells seen(double start, double shown, std::int64_t all) {
  constexpr double slack = 1e-6;  // a window that ends on a border shows nothing beyond it
  const auto first = static_cast<std::int64_t>(std::floor(start + slack));
  const auto last = static_cast<std::int64_t>(std::ceil(start + shown - slack)) - 1;
  return {std::clamp<std::int64_t>(first, 0, all - 1), std::clamp<std::int64_t>(last, 0, all - 1), all};
}

/// What the cells along an axis are called, many of them.
Text things(std::string_view symbol, bool beside_keys) {
  if (symbol == "i") return beside_keys ? Text{"queries", "个查询"} : Text{"positions", "个位置"};
  if (symbol == "j") return {"keys", "个键"};
  if (symbol == "p") return {"pairs", "个维度对"};
  if (symbol == "d") return {"dimensions", "维"};
  if (symbol == "n") return {"offsets", "个偏移"};
  if (symbol == "h") return {"heads", "个头"};
  return {"cells", "格"};
}

QString partText(const Cells& cells, const Axis& axis, const Text& what, const Style& style) {
  const auto place = [&axis](std::int64_t index) {
    return numberText(axis.first + static_cast<double>(index) * axis.step, 6);
  };
  const QString all = numberText(static_cast<double>(cells.all));
  const QString count = numberText(static_cast<double>(cells.last - cells.first + 1));
  if (cells.first == 0 && axis.symbol != "n")
    return style.text({"first %1 of %2 %3", "前 %1 %3（共 %2）"}).arg(count, all, style.text(what));
  return style.text({"%4 %1 to %2 of %3", "%1 至 %2（共 %3 %4）"})
      .arg(place(cells.first), place(cells.last), all, style.text(what));
}

QString reductionText(const MapScene& scene) {
  const Text mean{"reduced for display: mean of %1", "为显示而缩减：取%1的平均值"};
  const Text maximum{"reduced for display: maximum of %1", "为显示而缩减：取%1的最大值"};
  const Text minimum{"reduced for display: minimum of %1", "为显示而缩减：取%1的最小值"};
  const Text nearest{"reduced for display: nearest cell", "为显示而缩减：取最近的一格"};
  const Text* const texts[] = {&nearest, &mean, &maximum, &minimum};
  const QString text = scene.style.text(*texts[static_cast<int>(scene.reduction)]);
  if (scene.reduction == Reduction::nearest) return text;
  // What is computed when asked is not computed for every cell under a pixel (computedField).
  const bool sampled = std::ranges::any_of(
      scene.panels, [](const MapPanel& panel) { return panel.map && !averagesAll(*panel.map->field); });
  return text.arg(scene.style.text(sampled ? Text{"4 cells a pixel", "每像素 4 格"}
                                           : Text{"the cells in a pixel", "同一像素内各格"}));
}

/// Between words, or between Chinese characters; no line starts with a closing mark or ends with an opening one.
bool mayBreak(QChar before, QChar after) {
  static const QString opening = QStringLiteral("（《“‘([");
  static const QString closing = QStringLiteral("），。；：、？！》”’…·)],.;:");
  if (before == QLatin1Char(' ')) return !closing.contains(after);
  const bool chinese = before.unicode() >= 0x2E80 || (after.unicode() >= 0x2E80 && before != QChar(0x00B7));
  return chinese && after != QLatin1Char(' ') && !opening.contains(before) && !closing.contains(after);
}

}  // namespace

QString shownPartText(const MapScene& scene) {
  const MapPanel* panel = scene.first();
  if (!panel || !scene.zoom) return {};
  const Map& map = *panel->map;
  const FieldWindow window = visibleWindow(scene, map);
  const Cells rows = seen(window.row, window.rows, map.field->rows());
  const Cells cols = seen(window.col, window.cols, map.field->cols());
  const bool keys = map.rows.symbol == "i" && map.cols.symbol == "j";
  // The same positions along both sides are said once.
  if (keys && rows == cols) return rows.whole() ? QString() : partText(rows, map.rows, things("i", false), scene.style);
  QStringList parts;
  if (!rows.whole()) parts << partText(rows, map.rows, things(map.rows.symbol, keys), scene.style);
  if (!cols.whole()) parts << partText(cols, map.cols, things(map.cols.symbol, keys), scene.style);
  return parts.join(scene.style.text({", ", "，"}));
}

QString mapNote(const MapScene& scene, bool reduced) {
  // What the numbers are of comes first: where room is short, the end is cut.
  QStringList parts;
  if (!scene.scope.isEmpty()) parts << scene.scope;
  parts += scene.findings;
  if (!scene.drawn.isEmpty()) parts << drawnNote(scene.drawn, scene.style);
  if (const QString part = shownPartText(scene); !part.isEmpty()) parts << part;
  if (reduced) parts << reductionText(scene);
  return parts.join(QStringLiteral(" · "));
}

QStringList wrapped(const QString& text, double width, int most, const QFontMetricsF& metrics) {
  QStringList lines;
  QString rest = text;
  while (!rest.isEmpty()) {
    if (lines.size() + 1 == most || metrics.horizontalAdvance(rest) <= width) {
      lines << metrics.elidedText(rest, Qt::ElideRight, width);
      break;
    }
    qsizetype end = 0;
    for (qsizetype at = 1; at < rest.size() && metrics.horizontalAdvance(rest.left(at).trimmed()) <= width; ++at)
      if (mayBreak(rest[at - 1], rest[at])) end = at;
    if (end == 0) {  // one word that is wider than the line
      lines << metrics.elidedText(rest, Qt::ElideRight, width);
      break;
    }
    lines << rest.left(end).trimmed();
    rest = rest.mid(end).trimmed();
  }
  return lines;
}

}  // namespace posiscope::ui
