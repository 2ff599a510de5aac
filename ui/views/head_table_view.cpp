// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/head_table_view.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <utility>
#include "ui/controls/tip.h"

namespace posiscope::ui {
namespace {

constexpr const char* view_id = "heads";
constexpr std::int64_t page = 10;
constexpr std::int64_t to_the_end = std::int64_t{1} << 32;
constexpr std::size_t first_figure = 2;  // after the head and its kind

}  // namespace

HeadTableView::HeadTableView(Text title, HeadTableMaker maker, QWidget* parent)
    : PictureView(parent), title_(std::move(title)), maker_(std::move(maker)) {
  setObjectName(QString::fromLatin1(view_id));
}

void HeadTableView::contextChanged() {
  table_ = maker_(context());
  table_.interactive = true;
  if (cursor_ && (cursor_->line >= table_.lines.size() || cursor_->column >= table_.columns.size())) cursor_.reset();
  setAccessibleName(table_.style.text(title_));
  describe();
}

void HeadTableView::describe() {
  const Style& style = table_.style;
  if (table_.lines.empty()) return setAccessibleDescription(table_.nothing);
  if (cursor_) {
    const HeadLine& line = table_.lines[cursor_->line];
    const double value = table_.value(line, cursor_->column);
    QString text = headText(table_, line);
    if (cursor_->column >= first_figure)
      text += QLatin1Char('\n') + table_.columns[cursor_->column].label + QLatin1Char(' ') + numberText(value, 3);
    return setAccessibleDescription(text);
  }
  const auto heads = std::ranges::count_if(table_.lines, [](const HeadLine& line) { return line.head >= 0; });
  setAccessibleDescription(style
                               .text({"A table of %1 heads with %2 columns. The arrow keys move from cell to cell, "
                                      "Space orders by the column, "
                                      "Enter chooses the head.",
                                      "%1 个头、%2 列的表格。方向键在单元格之间移动，空格键按该列排序，回车选中该头。"})
                               .arg(heads)
                               .arg(table_.columns.size()));
}

void HeadTableView::drawPicture(QPainter& painter) { drawHeads(painter, rect(), table_, places()); }

void HeadTableView::drawPointer(QPainter& painter) { drawHeadPointer(painter, table_, places(), cursor_, hover()); }

void HeadTableView::moveTo(std::optional<HeadCursor> cursor) {
  if (cursor == cursor_) return;
  cursor_ = cursor;
  describe();
  update();
  if (!cursor || table_.lines[cursor->line].head < 0) return emitHover({});
  const HeadLine& line = table_.lines[cursor->line];
  Hover hover;
  hover.head = static_cast<int>(table_.headOf(line));
  hover.scheme = table_.sections[line.section].scheme;
  const double value = table_.value(line, cursor->column);
  if (cursor->column >= first_figure && !std::isnan(value)) hover.value = value;
  hover.view = view_id;
  emitHover(hover);
}

void HeadTableView::pointAt(QPointF position) {
  const HeadTableLayout layout = places();
  const auto line = layout.lineAt(position);
  const auto column = layout.columnAt(position);
  moveTo(line && column ? std::optional(HeadCursor{*line, *column}) : std::nullopt);
}

QString HeadTableView::textAt(QPointF position) const {
  const HeadTableLayout layout = places();
  if (const auto line = layout.lineAt(position)) return headText(table_, table_.lines[*line]);
  // The evidence may be longer than its place.
  if (layout.told.contains(position))
    if (const auto told = toldLine(table_, cursor_)) return headText(table_, table_.lines[*told]);
  const auto column = layout.columnAt(position);
  return column && layout.isHeader(position) ? table_.columns[*column].label : QString();
}

bool HeadTableView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return PictureView::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  showTip(*help, textAt(help->pos()), this);
  return true;
}

void HeadTableView::orderBy(std::size_t column) {
  const std::string key = table_.columns[column].key;
  // Heads and kinds are counted from the first, of figures the largest is looked for; a second click turns round.
  const bool descending = key == table_.sort ? !table_.descending : column >= first_figure;
  emit optionChosen("sort", key);
  emit optionChosen("descending", descending);
}

void HeadTableView::choose(std::size_t line) {
  const HeadLine& chosen = table_.lines[line];
  if (chosen.head < 0) return;
  const std::int64_t layer = table_.layerOf(chosen);
  emit headChosen(static_cast<int>(table_.headOf(chosen)));
  if (layer >= 0) emit layerChosen(static_cast<int>(layer));
}

void HeadTableView::scrollTo(std::int64_t line, std::int64_t figure) {
  const HeadTableLayout layout = places();
  const auto kept = [](std::int64_t wanted, std::size_t most) {
    return static_cast<std::size_t>(std::clamp<std::int64_t>(wanted, 0, static_cast<std::int64_t>(most)));
  };
  const HeadScroll next{kept(line, layout.hidden_lines), kept(figure, layout.hidden_figures)};
  if (next.line == layout.first.line && next.figure == layout.first.figure) return;
  scroll_ = next;
  invalidate();
}

void HeadTableView::bringIntoView(const HeadCursor& cursor) {
  const HeadTableLayout layout = places();
  const auto into = [](std::size_t wanted, std::size_t first, std::size_t shown) {
    if (wanted < first) return wanted;
    return wanted >= first + shown ? wanted - shown + 1 : first;
  };
  std::size_t figure = layout.first.figure;
  const std::size_t figures = layout.headers.size() - std::min(layout.headers.size(), first_figure);
  if (cursor.column >= first_figure && figures > 0) figure = into(cursor.column - first_figure, figure, figures);
  scrollTo(static_cast<std::int64_t>(into(cursor.line, layout.first.line, layout.lines.size())),
           static_cast<std::int64_t>(figure));
}

void HeadTableView::step(std::int64_t lines, std::int64_t columns) {
  HeadCursor next = cursor_.value_or(HeadCursor{places().first.line, 0});
  const auto last_line = static_cast<std::int64_t>(table_.lines.size()) - 1;
  const auto last_column = static_cast<std::int64_t>(table_.columns.size()) - 1;
  auto line = static_cast<std::int64_t>(next.line);
  if (cursor_) {
    line = std::clamp<std::int64_t>(line + lines, 0, last_line);
    next.column = static_cast<std::size_t>(
        std::clamp<std::int64_t>(static_cast<std::int64_t>(next.column) + columns, 0, last_column));
  }
  // A name is never last: below it there are heads.
  if (table_.lines[static_cast<std::size_t>(line)].head < 0) line += lines < 0 && line > 0 ? -1 : 1;
  next.line = static_cast<std::size_t>(line);
  bringIntoView(next);
  moveTo(next);
}

void HeadTableView::mouseMoveEvent(QMouseEvent* event) {
  keepPointer(event->position());
  pointAt(event->position());
}

void HeadTableView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return PictureView::mouseReleaseEvent(event);
  const HeadTableLayout layout = places();
  if (const auto line = layout.lineAt(event->position())) return choose(*line);
  const auto column = layout.columnAt(event->position());
  if (column && layout.isHeader(event->position())) orderBy(*column);
}

void HeadTableView::leaveEvent(QEvent* event) {
  moveTo(std::nullopt);
  PictureView::leaveEvent(event);
}

void HeadTableView::wheelEvent(QWheelEvent* event) {
  const HeadTableLayout layout = places();
  const QPoint angle = event->angleDelta();
  const bool sideways = event->modifiers().testFlag(Qt::ShiftModifier) || std::abs(angle.x()) > std::abs(angle.y());
  const int notches = (angle.y() != 0 ? angle.y() : angle.x()) / 120;
  const int sideways_notches = (angle.x() != 0 ? angle.x() : angle.y()) / 120;
  if ((sideways ? sideways_notches : notches) == 0 || (sideways ? layout.hidden_figures : layout.hidden_lines) == 0)
    return event->ignore();
  scrollTo(static_cast<std::int64_t>(layout.first.line) - (sideways ? 0 : notches),
           static_cast<std::int64_t>(layout.first.figure) - (sideways ? sideways_notches : 0));
  pointAt(event->position());
  event->accept();
}

void HeadTableView::keyPressEvent(QKeyEvent* event) {
  if (table_.lines.empty() || places().lines.empty()) return PictureView::keyPressEvent(event);
  switch (event->key()) {
    case Qt::Key_Up: return step(-1, 0);
    case Qt::Key_Down: return step(1, 0);
    case Qt::Key_Left: return step(0, -1);
    case Qt::Key_Right: return step(0, 1);
    case Qt::Key_PageUp: return step(-page, 0);
    case Qt::Key_PageDown: return step(page, 0);
    case Qt::Key_Home: return step(-to_the_end, 0);
    case Qt::Key_End: return step(to_the_end, 0);
    case Qt::Key_Space:
      if (cursor_) orderBy(cursor_->column);
      return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (cursor_) choose(cursor_->line);
      return;
    default: PictureView::keyPressEvent(event);
  }
}

}  // namespace posiscope::ui
