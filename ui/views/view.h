// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compute.h"
#include "ui/paint/style.h"
#include "ui/state/presentation.h"

#include <functional>
#include <memory>
#include <optional>
#include <QRectF>
#include <QWidget>
#include <string>
#include <vector>

class QPainter;

namespace posiscope::ui {

/// Everything a drawing may depend on; a value.
struct ViewContext {
  std::shared_ptr<const Result> result;  ///< newest; null = nothing yet
  std::shared_ptr<const Result> pinned;  ///< the curves kept as a faint "before"; may be null
  int measure = -1;                      ///< index into result->answers; −1 = not answered
  Experiment experiment;                 ///< the present question; differs from the result's while stale
  TileState tile;
  Presentation presentation;
  Style style;
  bool stopped = false;  ///< the user stopped the computation of this view's answer

  /// The answers of this view's measure, one per scheme; empty when there are none.
  const std::vector<Answer>& answers() const;
  bool stale() const;
  /// The tile's zoom where it was made for these axes ("i p"); one without axes fits all.
  std::optional<Zoom> zoomOf(const std::vector<std::string>& axes) const;
};

/// "i p": axes as a zoom keeps them.
std::string namesOf(const std::vector<std::string>& axes);

/// One way to show a measure. `draw` is the whole picture without the pointer: the screen and every export format
/// use the same code. The widget adds interaction.
class View : public QWidget {
  Q_OBJECT

 public:
  using QWidget::QWidget;

  virtual void setContext(const ViewContext& context) = 0;
  virtual void setHover(const Hover& hover) = 0;
  /// The symbols of the axes whose ranges this view can show: what links it to the others.
  virtual std::vector<std::string> axes() const { return {}; }

 signals:
  void hovered(const posiscope::ui::Hover& hover);        ///< an empty hover when the pointer left
  void zoomed(std::optional<posiscope::ui::Zoom> zoom);   ///< this view alone
  void selected(const posiscope::ui::Selection& ranges);  ///< for all views with these axes
  void fitWanted();                                       ///< of this view and of all that its axes link
  void optionChosen(const std::string& key, const posiscope::Value& value);
  void headChosen(int head);
  void layerChosen(int layer);
};

/// Where a view stands among the others when one is chosen.
enum class ViewGroup { encoding, frequencies, distance, attention, grid };
Text groupName(ViewGroup group);

struct ViewKind {
  std::string id;
  Text title;
  std::string measure;             ///< the measure it shows
  std::vector<ParamSpec> options;  ///< its own switches (colour map, scale, heads): menu, session, flags
  /// What to ask of the measure for these options.
  std::function<MeasureRequest(const TileState&, const Presentation&, const Experiment&)> request;
  std::function<View*(QWidget* parent)> create;
  std::function<void(QPainter&, const QRectF& target, const ViewContext&)> draw;
  /// What is shown instead of the answers (a difference of two); nothing while the answers are, null = they always are.
  std::function<std::optional<Expected<std::shared_ptr<const Dataset>>>(const ViewContext&)> derived;
  ViewGroup group = ViewGroup::encoding;  ///< said by the list of views
  bool shows_pinned = false;              ///< draws the pinned answers behind the present ones
  bool of_one_head = false;               ///< always shows the chosen head, so its header says which
  bool of_all_layers = false;             ///< the layers side by side: of one layer another view shows as much
  /// Its place, from 1, among the views that open for attention another program stored; 0 = it cannot draw that.
  int given_place = 0;
};

}  // namespace posiscope::ui
