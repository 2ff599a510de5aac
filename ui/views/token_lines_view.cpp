// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/token_lines_view.h"

#include "ui/controls/tip.h"
#include "ui/views/token_drawing.h"

#include <algorithm>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <utility>

namespace posiscope::ui {
namespace {

constexpr const char* view_id = "token_lines";

}  // namespace

TokenLinesView::TokenLinesView(Text title, TokenSceneMaker maker, QWidget* parent)
    : PictureView(parent), title_(std::move(title)), maker_(std::move(maker)) {
  setObjectName(QString::fromLatin1(view_id));
}

void TokenLinesView::contextChanged() {
  scene_ = maker_(context());
  if (cursor_ && !scene_.holds(*cursor_)) cursor_.reset();
  setAccessibleName(scene_.style.text(title_));
  describe();
}

void TokenLinesView::describe() {
  const Style& style = scene_.style;
  const TokenPanel* first = scene_.first();
  if (!first) return setAccessibleDescription(scene_.nothing);
  if (cursor_) return setAccessibleDescription(tokenSentence(scene_, *cursor_));
  QString text = style
                     .text({"Lines from %1 queries to %2 keys, as wide and dark as the weight. Up and down move from "
                            "token to token, left and right from column to column.",
                            "从 %1 个查询到 %2 个键的连线，权重越大线越粗越深。上下键在词元间移动，左右键换列。"})
                     .arg(first->queries)
                     .arg(first->keys);
  if (const QString note = scene_.note(); !note.isEmpty()) text += QLatin1Char(' ') + note;
  if (scene_.choosable) text += style.text({" A click, or Enter, chooses the head.", "单击或按回车即选中该头。"});
  setAccessibleDescription(text);
}

void TokenLinesView::drawPicture(QPainter& painter) {
  drawTokens(painter, rect(), scene_, layoutTokens(scene_, rect()));
}

void TokenLinesView::drawPointer(QPainter& painter) {
  if (hover().i || hover().j) drawTokenHover(painter, scene_, layoutTokens(scene_, rect()), hover());
}

void TokenLinesView::moveTo(std::optional<Token> token) {
  cursor_ = token;
  read_here_ = token.has_value();
  describe();
  if (!token) return emitHover({});
  const TokenPanel& panel = scene_.panels[token->panel];
  Hover hover;
  (token->is_key ? hover.j : hover.i) = panel.position(token->is_key, token->index);
  if (panel.head >= 0) hover.head = panel.head;
  hover.scheme = panel.scheme;
  hover.view = view_id;
  emitHover(hover);
}

void TokenLinesView::moveColumn(int step) {
  Token next = *cursor_;
  const auto panels = static_cast<std::int64_t>(scene_.panels.size());
  for (std::int64_t column = 2 * static_cast<std::int64_t>(next.panel) + (next.is_key ? 1 : 0) + step;
       column >= 0 && column < 2 * panels; column += step) {
    next.panel = static_cast<std::size_t>(column / 2);
    next.is_key = column % 2 == 1;
    const TokenPanel& panel = scene_.panels[next.panel];
    if (!panel.map || panel.count(next.is_key) == 0) continue;
    next.index = std::min(next.index, panel.count(next.is_key) - 1);
    return moveTo(next);
  }
}

void TokenLinesView::chooseHead(std::size_t panel) {
  const int head = scene_.panels[panel].head;
  if (scene_.choosable && head >= 0) emit headChosen(head);
}

void TokenLinesView::pointAt(QPointF position) { moveTo(tokenAt(scene_, layoutTokens(scene_, rect()), position)); }

void TokenLinesView::readAgain() {
  if (hover().view == view_id && read_here_) moveTo(cursor_);
}

QString TokenLinesView::textAt(QPointF position) const {
  const TokenLayout layout = layoutTokens(scene_, rect());
  if (layout.notes.contains(position)) return layout.note;
  for (std::size_t p = 0; p < layout.panels.size(); ++p) {
    if (layout.panels[p].caption.contains(position)) return scene_.panels[p].caption;
    if (!scene_.panels[p].map && layout.panels[p].area.contains(position)) return scene_.panels[p].sentence;
  }
  const std::optional<Token> token = tokenAt(scene_, layout, position);
  return token ? tokenSentence(scene_, *token) : QString();
}

bool TokenLinesView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return PictureView::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  showTip(*help, textAt(help->pos()), this);
  return true;
}

void TokenLinesView::mouseMoveEvent(QMouseEvent* event) {
  keepPointer(event->position());
  pointAt(event->position());
}

void TokenLinesView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return PictureView::mouseReleaseEvent(event);
  const TokenLayout layout = layoutTokens(scene_, rect());
  const auto clicked = std::ranges::find_if(
      layout.panels, [&](const TokenPanelPlace& place) { return place.area.contains(event->position()); });
  if (clicked != layout.panels.end()) chooseHead(static_cast<std::size_t>(clicked - layout.panels.begin()));
}

void TokenLinesView::leaveEvent(QEvent* event) {
  moveTo(std::nullopt);
  PictureView::leaveEvent(event);
}

void TokenLinesView::keyPressEvent(QKeyEvent* event) {
  const int key = event->key();
  const bool enter = key == Qt::Key_Return || key == Qt::Key_Enter;
  const bool moves = key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down ||
                     key == Qt::Key_Home || key == Qt::Key_End;
  if ((!moves && !enter) || !scene_.first() || (enter && !cursor_)) return PictureView::keyPressEvent(event);
  if (enter) return chooseHead(cursor_->panel);
  if (!cursor_) {
    const Token start{static_cast<std::size_t>(scene_.first() - scene_.panels.data()), false, 0};
    if (scene_.holds(start)) moveTo(start);
    return;
  }
  if (key == Qt::Key_Left) return moveColumn(-1);
  if (key == Qt::Key_Right) return moveColumn(1);
  const std::int64_t last = scene_.panels[cursor_->panel].count(cursor_->is_key) - 1;
  const std::int64_t step = event->modifiers().testFlag(Qt::ShiftModifier) ? 10 : 1;
  Token next = *cursor_;
  if (key == Qt::Key_Up) next.index = std::max<std::int64_t>(0, next.index - step);
  if (key == Qt::Key_Down) next.index = std::min(last, next.index + step);
  if (key == Qt::Key_Home) next.index = 0;
  if (key == Qt::Key_End) next.index = last;
  moveTo(next);
}

}  // namespace posiscope::ui
