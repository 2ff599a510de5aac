// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot.h"

#include "ui/charts/blend.h"
#include "ui/charts/off_frame.h"
#include "ui/charts/pinned.h"
#include "ui/paint/axes.h"
#include "ui/views/scheme_text.h"

#include "core/error.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <QStringList>
#include <set>

namespace posiscope::ui {
namespace {

const Dataset* datasetOf(const Answer& answer) {
  return answer.dataset && *answer.dataset ? answer.dataset->get() : nullptr;
}

/// `answers[m][s]` belongs to `experiment.schemes[s]`.
const SchemeChoice& schemeOf(const Result& result, const Answer& answer, int index) {
  const std::vector<SchemeChoice>& schemes = result.request.experiment.schemes;
  const auto at = static_cast<std::size_t>(index);
  return at < schemes.size() ? schemes[at] : answer.question.scheme;
}

// "offset i − j" says more than its symbol n.
bool spellsFormula(const QString& name) { return name.contains(QChar(0x2212)); }

/// How many heads have lines of their own. Several lines of one head are dimensions or terms of it.
std::ptrdiff_t headsOf(const Dataset& data) {
  std::set<int> heads;
  for (const Curve& curve : data.curves)
    if (curve.role == CurveRole::line && curve.head >= 0) heads.insert(curve.head);
  return std::ssize(heads);
}

/// Are there lines of one scheme that are neither heads of one another nor bounds?
bool hasKinds(const Dataset& data) {
  return std::ranges::count(data.curves, CurveRole::line, &Curve::role) > std::max<std::ptrdiff_t>(1, headsOf(data));
}

/// Collects what the answers hold into a plot.
class Collector {
 public:
  Collector(const ViewContext& context, const CurveLook& look)
      : context_(context), style_(context.style), look_(look) {}

  Plot collect() {
    // The answers to an older question would show schemes that the list no longer has.
    if (!anyVisible(context_.experiment)) {
      plot_.blank = false;
      plot_.centred = nothingText(context_, false);
      return std::move(plot_);
    }
    plot_.blank = !context_.result || context_.answers().empty();
    if (plot_.blank) {
      plot_.centred = nothingText(context_, true);
      return std::move(plot_);
    }
    addPinned();
    several_kinds_ = severalKinds();
    single_scheme_ = std::ranges::count_if(context_.answers(), [](const Answer& answer) {
                       const Dataset* data = datasetOf(answer);
                       return data && !data->curves.empty();
                     }) == 1;
    int scheme = 0;
    for (const Answer& answer : context_.answers()) {
      choice_ = &schemeOf(*context_.result, answer, scheme);
      if (choice_->visible) addAnswer(answer, scheme);
      ++scheme;
    }
    addKinds();
    std::ranges::stable_sort(plot_.notices, {}, &PlotNotice::kind);  // what went wrong first
    explainNothing();
    setAxes();
    return std::move(plot_);
  }

 private:
  // Then dashes tell the kinds apart.
  bool severalKinds() const {
    return std::ranges::any_of(context_.answers(), [](const Answer& answer) {
      const Dataset* data = datasetOf(answer);
      return data && hasKinds(*data);
    });
  }

  QString schemeName() const { return style_.text(displayName(*choice_, context_.result->request.experiment.schemes)); }

  void addAnswer(const Answer& answer, int scheme) {
    if (!answer.dataset) {
      addNotice(PlotNotice::Kind::error, failureText(schemeName(), answer.dataset.error(), style_));
      return;
    }
    const Dataset* data = datasetOf(answer);
    if (!data) return;
    if (data->curves.empty() && !data->nothing.en.empty()) addNamed(PlotNotice::Kind::note, data->nothing);
    if (!data->curves.empty() && !data->scope.en.empty()) addScope(*data);
    if (!data->curves.empty() && isDrawnFromSeed(*choice_)) addNamed(PlotNotice::Kind::note, drawnText());
    if (!data->curves.empty()) chooseAxis(*data);
    addCurves(*answer.dataset, scheme);
    for (const Mark& mark : data->marks) addMark(mark);
    for (const Remark& remark : data->remarks)
      if (look_.warnings && remark.verdict == Verdict::warning) addNamed(PlotNotice::Kind::warning, remark.sentence);
  }

  // Scores near 1 and biases of −65 536 cannot share an axis: what has another name than the first quantity is read on
  // the right.
  void chooseAxis(const Dataset& data) {
    if (!axes_) axes_ = &data;
    on_right_ = !(data.y.name == axes_->y.name);
    if (on_right_ && !right_axes_) right_axes_ = &data;
  }

  void addNotice(PlotNotice::Kind kind, const QString& text) {
    const bool known = std::ranges::any_of(plot_.notices, [&](const PlotNotice& n) { return n.text == text; });
    if (!known) plot_.notices.push_back({kind, text});
  }

  /// What is true of all schemes is said once, without a name.
  void addScope(const Dataset& data) {
    const bool of_all = std::ranges::all_of(context_.answers(), [&data](const Answer& answer) {
      const Dataset* other = datasetOf(answer);
      return !other || other->curves.empty() || other->scope == data.scope;
    });
    of_all ? addNotice(PlotNotice::Kind::note, style_.text(data.scope)) : addNamed(PlotNotice::Kind::note, data.scope);
  }

  /// The names of the schemes before a sentence about them, where several are compared.
  void addNamed(PlotNotice::Kind kind, const Text& sentence) {
    const QString text = style_.text(sentence);
    if (context_.answers().size() < 2) return addNotice(kind, withName({}, text, style_));
    const auto [known, fresh] = named_.try_emplace(text, plot_.notices.size(), QStringList());
    auto& [at, names] = known->second;
    if (!names.contains(schemeName())) names << schemeName();
    if (fresh) plot_.notices.push_back({kind, {}});
    plot_.notices[at].text = withName(names.join(style_.text({", ", "、"})), text, style_);
  }

  void addCurves(const std::shared_ptr<const Dataset>& owner, int scheme) {
    const Dataset& data = *owner;
    Kinds kinds;
    kinds.heads = headsOf(data);
    for (const Curve& curve : data.curves) {
      std::shared_ptr<const Curve> shared(owner, &curve);
      switch (curve.role) {
        case CurveRole::band_low: kinds.low = std::move(shared); break;
        case CurveRole::band_high:
          if (kinds.low && !plot_.series.empty())
            plot_.bands.push_back(
                {kinds.low, shared, plot_.series.back().group, plot_.series.back().colour, on_right_});
          break;
        case CurveRole::line:
        case CurveRole::bound: addSeries(std::move(shared), scheme, kinds); break;
        case CurveRole::mark: break;
      }
    }
  }

  /// What was met so far among the curves of one scheme.
  struct Kinds {
    std::ptrdiff_t heads = 0;
    std::ptrdiff_t head = 0;
    int kind = 0;
    std::map<std::string, int> groups;
    std::shared_ptr<const Curve> low;
  };

  void addSeries(std::shared_ptr<const Curve> curve, int scheme, Kinds& kinds) {
    const bool is_bound = curve->role == CurveRole::bound;
    const bool is_head = curve->head >= 0 && kinds.heads > 1 && !is_bound;
    PlotSeries series;
    series.scheme = scheme;
    series.right = on_right_;
    series.name = seriesName(*curve, kinds.heads);
    series.colour = schemeColour(choice_->colour);
    series.dashes = schemeDashes(choice_->colour);
    if (is_bound) {
      series.dashes = {3, 3};
      series.width = 1.2;
      // Paler than its curve; on a dark ground, where a scheme's colour is dark itself, lighter.
      series.colour = blend(series.colour, style_.dark ? style_.ink : style_.panel, style_.dark ? 0.5 : 0.75);
    } else if (is_head) {
      // The first head full, the last pale, so that an order among the heads can be seen; less on a dark ground, where
      // a pale one would be lost.
      const double share = static_cast<double>(kinds.head++) / static_cast<double>(kinds.heads - 1);
      series.colour = blend(series.colour, style_.panel, 1 - (style_.dark ? 0.4 : 0.6) * share);
      series.width = 1.2;
    } else if (several_kinds_ && single_scheme_) {
      // With one scheme its curves have colours of their own; with several, colour says which scheme.
      series.colour = schemeColour(choice_->colour + kinds.kind++);
      series.dashes = {};
    } else if (several_kinds_) {
      series.dashes = schemeDashes(kindOf(*curve));
    }
    if (!single_scheme_ && !is_head && (several_kinds_ || is_bound)) {
      series.kind = kindOf(*curve);
      kinds_[static_cast<std::size_t>(series.kind)].dashes = series.dashes;
    }
    joinGroup(series, is_head ? "heads" : single_scheme_ ? curve->key : "scheme", kinds);
    series.curve = std::move(curve);
    plot_.series.push_back(std::move(series));
  }

  void joinGroup(PlotSeries& series, const std::string& key, Kinds& kinds) {
    if (const auto known = kinds.groups.find(key); known != kinds.groups.end()) {
      series.group = known->second;
      return;
    }
    series.group = kinds.groups[key] = static_cast<int>(plot_.groups.size());
    PlotGroup group{series.name, series.colour, series.dashes};
    if (key == "heads" || key == "scheme") {
      group.name = key == "heads" ? headsName(kinds.heads) : schemeName();
      group.colour = schemeColour(choice_->colour);
      if (series.kind >= 0 && several_kinds_) group.dashes = {};
    }
    if (on_right_) group.name += style_.text({" (right axis)", "（右轴）"});
    plot_.groups.push_back(std::move(group));
  }

  /// Index of the curve's kind among those of all schemes.
  int kindOf(const Curve& curve) {
    const QString name = style_.text(curve.label);
    for (std::size_t k = 0; k < kinds_.size(); ++k)
      if (kinds_[k].name == name) return static_cast<int>(k);
    kinds_.push_back({name, style_.mute, {}});
    return static_cast<int>(kinds_.size()) - 1;
  }

  /// The entries of the kinds stand after those of the schemes.
  void addKinds() {
    const int first = static_cast<int>(plot_.groups.size());
    for (PlotSeries& series : plot_.series)
      if (series.kind >= 0) series.kind += first;
    plot_.groups.insert(plot_.groups.end(), kinds_.begin(), kinds_.end());
    addPinnedEntry();
  }

  /// One entry for all pinned curves: a kind of its own, so that it can be isolated.
  void addPinnedEntry() {
    std::vector<const Curve*> pinned, present;
    for (const PlotSeries& series : plot_.series) (series.group < 0 ? pinned : present).push_back(series.curve.get());
    if (!pinnedDiffer(pinned, present)) return;
    for (PlotSeries& series : plot_.series)
      if (series.group < 0) series.kind = static_cast<int>(plot_.groups.size());
    plot_.groups.push_back({pinnedName(style_), style_.mute, pinnedDashes()});
  }

  QString seriesName(const Curve& curve, std::ptrdiff_t heads) const {
    const QString scheme = schemeName(), label = style_.text(curve.label);
    const bool speaking = curve.role == CurveRole::bound || heads > 1 || several_kinds_;
    if (!speaking || label.isEmpty()) return scheme;
    return single_scheme_ ? label : scheme + QStringLiteral(" · ") + label;
  }

  QString headsName(std::ptrdiff_t heads) const {
    // Where a sample of them is drawn, ALiBi's slopes would else seem to be those of a model with fewer.
    const std::int64_t all = context_.result->request.experiment.shape.num_heads;
    const Text text = heads < all ? Text{join(heads, " of ", all, " heads"), join(heads, " / ", all, " 个头")}
                                  : Text{join(heads, " heads"), join(heads, " 个头")};
    return schemeName() + QStringLiteral(" · ") + style_.text(text);
  }

  /// A mark of one scheme among several has its colour: two scalings have the same bound at two places.
  void addMark(const Mark& mark) {
    PlotMark fresh{style_.text(mark.label), mark.vertical, mark.from, mark.to, false, {}};
    const bool is_line = mark.from == mark.to;
    if (is_line && !single_scheme_) fresh.colour = schemeColour(choice_->colour);
    const auto known = std::ranges::find_if(plot_.marks, [&](const PlotMark& m) {
      return m.label == fresh.label && m.vertical == fresh.vertical && m.from == fresh.from && m.to == fresh.to;
    });
    if (known == plot_.marks.end())
      plot_.marks.push_back(fresh);
    else
      known->colour = QColor();  // {} would be a Qt::GlobalColor
  }

  void addPinned() {
    const std::vector<Answer>* answers = pinnedAnswers(context_);
    if (!answers) return;
    int scheme = 0;
    for (const Answer& answer : *answers) {
      choice_ = &schemeOf(*context_.pinned, answer, scheme++);
      const Dataset* data = datasetOf(answer);
      if (!data || !choice_->visible || data->curves.empty()) continue;
      // As for the present curves: another quantity stands on the right axis.
      if (!axes_) axes_ = data;
      const bool right = !(data->y.name == axes_->y.name);
      if (right && !right_axes_) right_axes_ = data;
      for (const Curve& curve : data->curves) {
        if (curve.role != CurveRole::line) continue;
        PlotSeries series;
        series.right = right;
        series.curve = std::shared_ptr<const Curve>(*answer.dataset, &curve);
        series.colour = pinnedColour(choice_->colour, style_);
        series.dashes = pinnedDashes();
        series.width = pinned_width;
        plot_.series.push_back(std::move(series));
      }
    }
  }

  void explainNothing() {
    const bool drawn = std::ranges::any_of(plot_.series, [](const PlotSeries& s) { return s.group >= 0; });
    if (drawn) return;
    QStringList lines;
    for (const PlotNotice& notice : plot_.notices) lines << notice.text;
    if (lines.isEmpty()) lines << nothingText(context_, context_.stale());
    plot_.centred = lines.join(QLatin1Char('\n'));
    plot_.notices.clear();
    plot_.series.clear();
    plot_.groups.clear();
  }

  Scale ordinate(bool right) const {
    Extent y;
    const auto include = [&](const Curve& curve) {
      for (const double value : curve.y)
        if (!look_.y_logarithmic || value > 0) y.include(value);
    };
    for (const PlotSeries& series : plot_.series)
      if (series.right == right) include(*series.curve);
    for (const PlotBand& band : plot_.bands)
      if (band.right == right) include(*band.low), include(*band.high);
    if (!right)
      for (const double value : look_.y_include) y.include(value);
    return offTheFrame(roundScale(y, look_.y_logarithmic), plot_.series, right);
  }

  void setAxes() {
    Extent x;
    for (const PlotSeries& series : plot_.series)
      for (const double value : series.curve->x)
        if (!look_.x_logarithmic || value > 0) x.include(value);
    plot_.x.scale = exactScale(x, look_.x_logarithmic);
    // One pair alone has no neighbours that a tick could name.
    if (look_.x_indices && !look_.x_logarithmic && !x.empty && x.low == x.high)
      plot_.x.scale = {x.low - 0.5, x.high + 0.5, false};
    plot_.x.indices = look_.x_indices;
    plot_.y.scale =
        look_.y_limits ? Scale{look_.y_limits->first, look_.y_limits->second, look_.y_logarithmic} : ordinate(false);
    if (!axes_) return;
    plot_.x.title = axisTitle(axes_->x, look_.x_logarithmic, style_.language);
    plot_.y.title = axisTitle(axes_->y, look_.y_logarithmic, style_.language);
    plot_.x.axis = axes_->x;
    plot_.x.symbol = QString::fromStdString(axes_->x.symbol);
    if (plot_.x.symbol.isEmpty() || spellsFormula(style_.text(axes_->x.name)))
      plot_.x.symbol = style_.text(axes_->x.name);
    if (!right_axes_) return;
    plot_.right = PlotAxis{
        axisTitle(right_axes_->y, look_.y_logarithmic, style_.language), {}, right_axes_->y, ordinate(true), false};
  }

  const ViewContext& context_;
  const Style& style_;
  const CurveLook& look_;
  bool several_kinds_ = false;
  bool single_scheme_ = false;
  const SchemeChoice* choice_ = nullptr;                          // of the answer at hand
  const Dataset* axes_ = nullptr;                                 // the first dataset that is drawn
  const Dataset* right_axes_ = nullptr;                           // the first one of another quantity
  bool on_right_ = false;                                         // the dataset at hand
  std::vector<PlotGroup> kinds_;                                  // of curves, over all schemes
  std::map<QString, std::pair<std::size_t, QStringList>> named_;  // sentences: which notice, and of which schemes
  Plot plot_;
};

}  // namespace

Plot makePlot(const ViewContext& context, const CurveLook& look) { return Collector(context, look).collect(); }

QString axisTitle(const Axis& axis, bool logarithmic, Language language) {
  const bool chinese = language == Language::chinese;
  QString title = QString::fromStdString(axis.name.in(language));
  const QString symbol = QString::fromStdString(axis.symbol);
  if (!symbol.isEmpty() && !title.split(QLatin1Char(' ')).contains(symbol) && !spellsFormula(title))
    title += QLatin1Char(' ') + symbol;
  QStringList remarks;
  const QString unit = unitText(axis.unit, language);
  if (!unit.isEmpty() && !title.contains(unit)) remarks << unit;
  if (logarithmic) remarks << (chinese ? QStringLiteral("对数") : QStringLiteral("log"));
  if (remarks.isEmpty()) return title;
  return chinese ? title + QStringLiteral("（") + remarks.join(QStringLiteral("，")) + QStringLiteral("）")
                 : title + QStringLiteral(" (") + remarks.join(QStringLiteral(", ")) + QStringLiteral(")");
}

Scale rightScale(const Plot& plot, const Scale& y) {
  const Scale& whole = plot.right->scale;
  return {whole.value(plot.y.scale.share(y.low)), whole.value(plot.y.scale.share(y.high)), whole.logarithmic};
}

}  // namespace posiscope::ui
