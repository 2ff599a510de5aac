// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/picture_view.h"
#include "ui/views/token_layout.h"

#include <functional>
#include <optional>

namespace posiscope::ui {

using TokenSceneMaker = std::function<TokenScene(const ViewContext&)>;

/// Lines from queries to keys. Up and down move from token to token (Shift: by ten, Home and End to the ends), left and
/// right from column to column.
class TokenLinesView final : public PictureView {
  Q_OBJECT

 public:
  TokenLinesView(Text title, TokenSceneMaker maker, QWidget* parent);

  const TokenScene& scene() const { return scene_; }
  /// The token that keys or the pointer chose last.
  const std::optional<Token>& cursor() const { return cursor_; }

 protected:
  void drawPicture(QPainter& painter) override;
  void drawPointer(QPainter& painter) override;
  void contextChanged() override;
  void pointAt(QPointF position) override;
  void readAgain() override;

  bool event(QEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  /// Chooses a token, or none, and tells everyone.
  void moveTo(std::optional<Token> token);
  /// To the next column at the right (1) or left (−1), in the next panel where this one ends.
  void moveColumn(int step);
  void chooseHead(std::size_t panel);
  void describe();
  /// What a place has no room to say.
  QString textAt(QPointF position) const;

  Text title_;
  TokenSceneMaker maker_;
  TokenScene scene_;
  std::optional<Token> cursor_;
  bool read_here_ = false;  ///< what is hovered is a token of this view, not of another tile of its kind
};

}  // namespace posiscope::ui
