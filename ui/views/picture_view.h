// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/view.h"

#include <QPixmap>
#include <optional>

class QRubberBand;

namespace posiscope::ui {

/// A view whose picture is kept as pixels: when only the pointer moves, the picture is copied and the cross-hair drawn
/// on top, nothing is drawn anew.
class PictureView : public View {
  Q_OBJECT

 public:
  explicit PictureView(QWidget* parent);

  void setContext(const ViewContext& context) override;
  void setHover(const Hover& hover) override;

 protected:
  /// The whole picture without the pointer, into the widget's rectangle.
  virtual void drawPicture(QPainter& painter) = 0;
  virtual void drawPointer(QPainter& painter) = 0;
  /// The context is new: prepare what `drawPicture` needs.
  virtual void contextChanged() = 0;
  /// The pointer is at a place of this view: says what is under it.
  virtual void pointAt(QPointF position) = 0;
  /// The picture changed under the pointer, or under a cursor moved by keys: says anew what it is on.
  virtual void readAgain() {}

  const ViewContext& context() const { return context_; }
  const Hover& hover() const { return hover_; }
  /// Draws the picture anew at the next paint.
  void invalidate();
  /// The zoom the user just made, before the store answers with a new context.
  void keepZoom(std::optional<Zoom> zoom) {
    context_.tile.zoom = zoom;
    context_.tile.zoom_axes = zoom ? namesOf(axes()) : std::string();
  }
  /// The frame of what is being selected; `hideBand` takes it away.
  void showBand(const QRectF& area);
  void hideBand();
  /// Tells everyone and shows it here at once.
  void emitHover(const Hover& hover);

  /// Where the pointer rests; nothing when it is elsewhere.
  const std::optional<QPointF>& pointer() const { return pointer_; }
  void keepPointer(QPointF position) { pointer_ = position; }

  void paintEvent(QPaintEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  ViewContext context_;
  Hover hover_;
  QPixmap picture_;
  QRubberBand* band_ = nullptr;
  std::optional<QPointF> pointer_;
  bool valid_ = false;
  bool told_ = false;  ///< `context_` came from outside
};

}  // namespace posiscope::ui
