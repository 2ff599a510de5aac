// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/map_scene.h"

#include "core/not_finite.h"
#include "core/slow_field.h"
#include "ui/charts/pinned.h"
#include "ui/state/selection.h"
#include "ui/views/map_mask.h"
#include "ui/views/scheme_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace posiscope::ui {
namespace {

/// What a map is a map of. Cosines and biases do not share a scale; cosines and cosines × a factor are to be compared.
std::string quantityOf(const Map& map) { return map.value.en.substr(0, map.value.en.find(" × ")); }

/// The maps that share a scale, and what it must cover.
struct ScaleGroup {
  std::string quantity;
  MapKind kind = MapKind::sequential;
  double minimum = std::numeric_limits<double>::infinity();
  double maximum = -std::numeric_limits<double>::infinity();
  bool exact = true;  ///< no map was too large to look at all of it
  std::vector<std::size_t> panels;
  std::vector<float> sample;  ///< of the magnitudes that are not zero

  void include(const Map& map, std::size_t panel, bool difference) {
    const Field::Limits limits = map.field->limits();
    minimum = std::min(minimum, static_cast<double>(limits.minimum));
    maximum = std::max(maximum, static_cast<double>(limits.maximum));
    exact = exact && limits.exact;
    quantity = quantityOf(map);
    // One scale for maps of several kinds must show signs.
    if (map.kind != MapKind::sequential) kind = map.kind;
    panels.push_back(panel);
    if (map.kind == MapKind::sequential || difference) addSample(*map.field);
  }

  /// About 4000 cells, evenly spread; masked cells are zeros and do not count.
  void addSample(const Field& field) {
    constexpr std::int64_t most = 64;
    if (slowField(field)) {  // all at once: one by one they would take long
      std::vector<float> cells(most * most);
      field.sample({0, 0, static_cast<double>(field.rows()), static_cast<double>(field.cols())}, most, most,
                   Reduction::nearest, cells);
      for (const float cell : cells)
        if (const float size = std::abs(cell); size > 0) sample.push_back(size);
      return;
    }
    const std::int64_t row_step = std::max<std::int64_t>(1, field.rows() / most);
    const std::int64_t col_step = std::max<std::int64_t>(1, field.cols() / most);
    // A different start in each row: steps that meet a diagonal again and again would miss the rest.
    for (std::int64_t row = 0; row < field.rows(); row += row_step)
      for (std::int64_t col = row / row_step % col_step; col < field.cols(); col += col_step)
        if (const float size = std::abs(field.at(row, col)); size > 0) sample.push_back(size);
  }
};

const Map* namedMap(const Dataset& dataset, const std::string& key) {
  const auto named = std::ranges::find(dataset.maps, key, &Map::key);
  return named == dataset.maps.end() ? &dataset.maps.front() : &*named;
}

std::vector<const Map*> chosenMaps(const Dataset& dataset, const MapChoice& choice) {
  std::vector<const Map*> maps;
  if (dataset.maps.empty()) return maps;
  if (choice.all_heads || choice.all_parts) {
    for (const Map& map : dataset.maps) maps.push_back(&map);
    return maps;
  }
  if (choice.head < 0) return {namedMap(dataset, choice.part)};
  const auto of_head = std::ranges::find(dataset.maps, choice.head, &Map::head);
  return {of_head == dataset.maps.end() ? &dataset.maps.front() : &*of_head};
}

/// One panel for each map that is wanted; false when there is none.
bool addPanels(MapScene& scene, MapPanel panel, const Question& question, const MapChoice& choice) {
  const std::vector<const Map*> maps = chosenMaps(*panel.dataset, choice);
  for (const Map* map : maps) {
    panel.map = map;
    panel.head = map->head;
    const bool numbered = choice.all_heads && !choice.all_parts && map->head >= 0;
    if (choice.all_heads || choice.all_parts)
      panel.caption = numbered ? QString::number(map->head) : scene.style.text(map->label);
    if (choice.mask) panel.look.masked = forbidden(question, *map);
    if (choice.mask) panel.look.nothing = nothingToAttendTo(*map);
    scene.panels.push_back(panel);
  }
  return !maps.empty();
}

void addStrip(MapScene& scene, const std::shared_ptr<const Dataset>& dataset, const SchemeChoice& scheme,
              const MapChoice& choice) {
  for (const Curve& curve : dataset->curves)
    if (curve.role == CurveRole::line && (curve.head < 0 || curve.head == choice.head))
      scene.strip.push_back({dataset, &curve, scheme.colour, schemeDashes(scheme.colour)});
}

/// The "before" of the curves that are there: of all schemes, or of those that were chosen.
void addPinnedStrip(MapScene& scene, const ViewContext& context, const MapChoice& choice) {
  const std::vector<Answer>* answers = pinnedAnswers(context);
  if (!answers || scene.strip.empty()) return;
  const std::vector<StripCurve> present = scene.strip;
  const bool all = choice.schemes.empty() && !choice.difference;
  const std::vector<SchemeChoice>& schemes = context.pinned->request.experiment.schemes;
  for (std::size_t s = 0; s < std::min(answers->size(), schemes.size()); ++s) {
    const Answer& answer = (*answers)[s];
    if (!answer.dataset || !*answer.dataset) continue;
    // A scheme keeps its colour for as long as it lives, wherever it is moved meanwhile.
    if (!all && std::ranges::find(present, schemes[s].colour, &StripCurve::scheme_colour) == present.end()) continue;
    addStrip(scene, *answer.dataset, schemes[s], choice);
  }
  for (std::size_t c = present.size(); c < scene.strip.size(); ++c) scene.strip[c].pinned = true;
}

/// Says whose numbers are not a model's own.
void addDrawn(MapScene& scene, const Dataset& dataset, const SchemeChoice& scheme,
              const std::vector<SchemeChoice>& schemes) {
  if (dataset.maps.empty() || !isDrawnFromSeed(scheme)) return;
  scene.drawn << (schemes.size() > 1 ? scene.style.text(displayName(scheme, schemes)) : QString());
}

void addScheme(MapScene& scene, const Answer& answer, const std::vector<SchemeChoice>& schemes, int index,
               const MapChoice& choice) {
  const SchemeChoice& scheme = schemes[static_cast<std::size_t>(index)];
  const QString name = scene.style.text(displayName(scheme, schemes));
  if (!answer.dataset) {
    scene.failures.push_back(failureText(name, answer.dataset.error(), scene.style));
    return;
  }
  const std::shared_ptr<const Dataset>& dataset = *answer.dataset;
  if (!dataset) return;  // hidden
  if (scene.scope.isEmpty()) scene.scope = scene.style.text(dataset->scope);
  addDrawn(scene, *dataset, scheme, schemes);
  MapPanel panel;
  panel.dataset = dataset;
  panel.name = panel.caption = name;
  panel.colour = schemeColour(scheme.colour);
  panel.scheme = index;
  if (!addPanels(scene, panel, answer.question, choice)) {
    panel.sentence = scene.style.text(dataset->nothing);
    scene.panels.push_back(panel);
  }
  addStrip(scene, dataset, scheme, choice);
}

void addDifference(MapScene& scene, const ViewContext& context, const MapChoice& choice) {
  const Expected<std::shared_ptr<const Dataset>> shown = differenceShown(context, *choice.difference);
  if (!shown) {
    scene.nothing = scene.style.text(shown.error().message);
    return;
  }
  const auto minuend = static_cast<std::size_t>(choice.difference->minuend);
  const auto subtrahend = static_cast<std::size_t>(choice.difference->subtrahend);
  const std::vector<SchemeChoice>& schemes = context.result->request.experiment.schemes;
  const SchemeChoice& a = schemes[minuend];
  const SchemeChoice& b = schemes[subtrahend];
  MapPanel panel;
  panel.dataset = *shown;
  panel.name = panel.caption = scene.style.text(displayName(a, schemes));
  panel.colour = schemeColour(a.colour);
  panel.minus = scene.style.text(displayName(b, schemes));
  panel.minus_colour = schemeColour(b.colour);
  scene.scope = scene.style.text((*shown)->scope);
  scene.captioned = true;
  for (const Remark& remark : (*shown)->remarks) scene.findings << scene.style.text(remark.sentence);
  addDrawn(scene, **shown, a, schemes);
  addDrawn(scene, **shown, b, schemes);
  const std::vector<Answer>& answers = context.answers();
  addPanels(scene, panel, answers[minuend].question, choice);
  addStrip(scene, *answers[minuend].dataset, a, choice);
  addStrip(scene, *answers[subtrahend].dataset, b, choice);
}

std::vector<ScaleGroup> scaleGroups(const MapScene& scene, bool own) {
  std::vector<ScaleGroup> groups;
  for (std::size_t p = 0; p < scene.panels.size(); ++p) {
    const Map* map = scene.panels[p].map;
    if (!map) continue;
    auto group = std::ranges::find(groups, quantityOf(*map), &ScaleGroup::quantity);
    if (own || group == groups.end()) group = groups.insert(groups.end(), ScaleGroup{});
    group->include(*map, p, !scene.panels[p].minus.isEmpty());
  }
  return groups;
}

ValueScale scaleOf(const ScaleGroup& group, const ColourMap& map, const MapOptions& options) {
  // A diverging map that was chosen for weights is centred on 0 as well.
  const MapKind kind = map.kind == MapKind::diverging ? map.kind : group.kind;
  ValueScale scale = automaticScale(kind, group.minimum, group.maximum, options.logarithmic);
  if (kind == MapKind::sequential) easeOutliers(scale, group.sample);
  if (kind == MapKind::diverging && scale.kind == ValueScale::Kind::linear && !group.sample.empty()) {
    // A difference of weights has the outliers of the weights, to both sides.
    ValueScale sizes{ValueScale::Kind::linear, 0, scale.high, false};
    easeOutliers(sizes, group.sample);
    scale = {ValueScale::Kind::linear, -sizes.high, sizes.high, sizes.open_above};
    scale.open_below = sizes.open_above;
  }
  if (options.limits != MapOptions::Limits::typed) return scale;
  return typedScale(kind, options.minimum, options.maximum, options.logarithmic, scale, group.minimum, group.maximum);
}

QRgb between(const QColor& a, const QColor& b) {
  return qRgb((a.red() + b.red()) / 2, (a.green() + b.green()) / 2, (a.blue() + b.blue()) / 2);
}

/// "every value is 0", with the cells that are no numbers to draw; empty where that is not known or all is masked.
QString onlyValueText(const MapScene& scene, const ScaleGroup& group) {
  NotFinite all;
  for (const std::size_t p : group.panels) {
    const std::optional<NotFinite> found = notFinite(*scene.panels[p].map->field, scene.panels[p].look.masked);
    if (!found) return {};
    all.some_finite = all.some_finite || found->some_finite;
    all.nans += found->nans;
    all.infinities += found->infinities;
  }
  QStringList kinds;
  if (all.nans > 0) kinds << scene.style.text({"%1 NaN", "%1 个 NaN"}).arg(all.nans);
  if (all.infinities > 0) kinds << scene.style.text({"%1 infinite", "%1 个无穷大"}).arg(all.infinities);
  const QString others = kinds.join(scene.style.text({", ", "、"}));
  const QString value = numberText(group.minimum);
  if (all.some_finite && kinds.isEmpty()) return scene.style.text({"every value is %1", "所有数值均为 %1"}).arg(value);
  if (all.some_finite)
    return scene.style.text({"%1, every other value is %2", "%1，其余数值均为 %2"}).arg(others, value);
  return kinds.isEmpty() ? QString() : scene.style.text({"no finite value: ", "没有有限的数值："}) + others;
}

void decideColours(MapScene& scene, const MapOptions& options) {
  const std::vector<ScaleGroup> groups = scaleGroups(scene, options.limits == MapOptions::Limits::automatic);
  scene.one_scale = groups.size() <= 1;
  // The bar of such a map still has two numbers, and one colour could be any of them.
  const bool single = groups.size() == 1 && groups.front().minimum == groups.front().maximum;
  if (single && groups.front().exact)
    if (const QString only = onlyValueText(scene, groups.front()); !only.isEmpty()) scene.findings << only;
  for (const ScaleGroup& group : groups) {
    const ColourMap& map = colourMap(options.map, group.kind);
    const ValueScale scale = scaleOf(group, map, options);
    for (const std::size_t p : group.panels) {
      HeatmapLook& look = scene.panels[p].look;
      look.map = &map;
      look.scale = scale;
      look.reduction = options.reduction;
      look.mask_colour = between(scene.style.missing, scene.style.panel);
      look.missing_colour = scene.style.missing.rgb();
    }
  }
}

/// Moves an interval into [low, high], or takes all of it when it is larger.
void keepInside(double& from, double& to, double low, double high) {
  if (to - from >= high - low) {
    from = low;
    to = high;
    return;
  }
  const double shift = std::max(0.0, low - from) - std::max(0.0, to - high);
  from += shift;
  to += shift;
}

/// The zoom of a tile may stem from another map. One that shows nothing of this map would be an empty picture.
std::optional<Zoom> fittedZoom(const std::optional<Zoom>& zoom, const Zoom& whole) {
  if (!zoom) return {};
  const auto meets = [](double from, double to, double low, double high) {
    return std::isfinite(from) && std::isfinite(to) && from < to && from < high && to > low;
  };
  if (!meets(zoom->x0, zoom->x1, whole.x0, whole.x1) || !meets(zoom->y0, zoom->y1, whole.y0, whole.y1)) return {};
  return keptInside(*zoom, whole);
}

/// The part of the first map that is shown: the tile's own, else what is selected.
std::optional<Zoom> shownPart(const ViewContext& context, const Map& first) {
  if (const auto zoom = context.zoomOf({first.rows.symbol, first.cols.symbol}))
    return fittedZoom(zoom, wholeZoom(first));
  return selectedZoom(context.presentation.selection, first);
}

}  // namespace

std::optional<Zoom> selectedZoom(const Selection& selection, const Map& map) {
  const Zoom whole = wholeZoom(map);
  const Range all_cols{whole.x0, whole.x1};
  const Range all_rows{whole.y0, whole.y1};
  const Range cols = selectedOn(selection, map.cols.symbol, all_cols).value_or(all_cols);
  const Range rows = selectedOn(selection, map.rows.symbol, all_rows).value_or(all_rows);
  return keptInside({cols.low, cols.high, rows.low, rows.high}, whole);
}

std::optional<Zoom> keptInside(Zoom zoom, const Zoom& whole) {
  keepInside(zoom.x0, zoom.x1, whole.x0, whole.x1);
  keepInside(zoom.y0, zoom.y1, whole.y0, whole.y1);
  if (zoom == whole) return {};
  return zoom;
}

QString MapScene::valueTitle() const {
  const Map* longest = nullptr;
  for (const MapPanel& panel : panels)
    if (panel.map && (!longest || panel.map->value.en.size() > longest->value.en.size())) longest = panel.map;
  return longest ? style.text(longest->value) : QString();
}

const MapPanel* MapScene::first() const {
  const auto found = std::ranges::find_if(panels, [](const MapPanel& panel) { return panel.map != nullptr; });
  return found == panels.end() ? nullptr : &*found;
}

MapScene makeMapScene(const ViewContext& context, const MapChoice& choice) {
  MapScene scene;
  scene.style = context.style;
  scene.stale = context.stale();
  const std::vector<Answer>& answers = context.answers();
  // The answers to an older question would show schemes that the list no longer has.
  if (answers.empty() || !anyVisible(context.experiment)) {
    scene.stale = false;
    scene.nothing = nothingText(context, true);
    return scene;
  }
  if (choice.difference) addDifference(scene, context, choice);
  const std::vector<SchemeChoice>& schemes = context.result->request.experiment.schemes;
  scene.lone = schemes.size() == 1;
  for (std::size_t s = 0; !choice.difference && s < answers.size() && s < schemes.size(); ++s) {
    const int index = static_cast<int>(s);
    if (!choice.schemes.empty() && std::ranges::find(choice.schemes, index) == choice.schemes.end()) continue;
    addScheme(scene, answers[s], schemes, index, choice);
  }
  addPinnedStrip(scene, context, choice);
  if (scene.panels.empty() && scene.failures.empty() && scene.nothing.isEmpty())
    scene.nothing = nothingText(context, scene.stale);
  if (scene.panels.size() == 1 && !scene.panels.front().map) {
    scene.nothing = scene.panels.front().sentence;
    scene.panels.clear();
  }
  for (MapPanel& panel : scene.panels)
    if (panel.scheme >= 0) panel.pairs = pairColumns(*context.result, static_cast<std::size_t>(panel.scheme));
  const MapOptions options = readMapOptions(context.tile);
  scene.reduction = options.reduction;
  decideColours(scene, options);
  if (const MapPanel* first = scene.first()) scene.zoom = shownPart(context, *first->map);
  return scene;
}

void keepSides(MapScene& scene) {
  scene.square = true;
  const MapPanel* first = scene.first();
  if (!first) return;
  constexpr double longest = 4;  // a single row of patches still has to be seen
  const FieldWindow window = visibleWindow(scene, *first->map);
  scene.aspect = std::clamp(window.cols / std::max(window.rows, 1e-9), 1 / longest, longest);
}

Zoom wholeZoom(const Map& map) {
  const auto from = [](const Axis& axis) { return axis.first - axis.step / 2; };
  const auto to = [](const Axis& axis, std::int64_t cells) {
    return axis.first + (static_cast<double>(cells) - 0.5) * axis.step;
  };
  return {from(map.cols), to(map.cols, map.field->cols()), from(map.rows), to(map.rows, map.field->rows())};
}

FieldWindow visibleWindow(const MapScene& scene, const Map& map) {
  const auto rows = static_cast<double>(map.field->rows());
  const auto cols = static_cast<double>(map.field->cols());
  const MapPanel* first = scene.first();
  if (!scene.zoom || !first) return {0, 0, rows, cols};
  const Zoom whole = wholeZoom(*first->map);
  const Zoom& zoom = *scene.zoom;
  const double width = whole.x1 - whole.x0;
  const double height = whole.y1 - whole.y0;
  return {(zoom.y0 - whole.y0) / height * rows, (zoom.x0 - whole.x0) / width * cols,
          (zoom.y1 - zoom.y0) / height * rows, (zoom.x1 - zoom.x0) / width * cols};
}

}  // namespace posiscope::ui
