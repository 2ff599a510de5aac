// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/encoding_names.h"
#include "ui/training/training_plots.h"

#include <optional>
#include <QCoreApplication>
#include <span>
#include <utility>
#include <vector>

namespace posiscope::ui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(TrainingPlots)
};

QString scalingName(const std::string& scaling) {
  if (scaling == "linear") return Words::tr("interpolation");
  if (scaling == "ntk") return QStringLiteral("NTK");
  return scaling == "yarn" ? QStringLiteral("YaRN") : QString();
}

/// None is a dash of an encoding: curves of one colour are told apart by these.
QList<qreal> scalingDashes(const std::string& scaling) {
  if (scaling == "linear") return {1, 5};
  if (scaling == "ntk") return {4, 6};
  return scaling == "yarn" ? QList<qreal>{2, 2, 2, 6} : QList<qreal>{};
}

class LengthCollector {
 public:
  LengthCollector(const Training& training, bool log_values, const Style& style)
      : training_(training), log_(log_values), style_(style) {
    plot_.blank = false;
  }

  /// `bands_of(runs)` of the measured runs of an encoding.
  template <class BandsOf>
  void collect(const BandsOf& bands_of) {
    const train::ComparisonSpec& spec = training_.record.spec;
    for (std::size_t p = 0; p < spec.positions.size(); ++p) {
      std::vector<const train::Results*> runs;
      for (std::size_t s = 0; s < spec.seeds.size(); ++s)
        if (const train::RunRecord& run = training_.record.run(p, s); run.results) runs.push_back(&*run.results);
      for (const train::ScalingBand& found : bands_of(std::span<const train::Results* const>(runs)))
        add(p, found.scaling, found.band);
      if (const std::optional<double> factor = train::refusedFrom(runs))
        refused_.emplace_back(encodingName(spec, p, style_), *factor);
    }
  }

  Plot take(const QString& x_title, const QString& symbol, bool log_x, bool indices) {
    for (const auto& [name, factor] : refused_)
      plot_.notices.push_back(
          {PlotNotice::Kind::warning, Words::tr("%1 cannot, from %2× on").arg(name, numberText(factor))});
    if (plot_.series.empty()) {
      plot_.centred = Words::tr("Longer sequences are measured at the end of a seed's runs.");
      plot_.notices.clear();
    }
    const QString log = style_.text({" (log)", "（对数）"});
    plot_.x.title = x_title + (log_x ? log : QString());
    plot_.x.symbol = symbol;
    plot_.x.indices = indices;
    plot_.x.scale = exactScale(x_, log_x);
    plot_.y.title = Words::tr("loss") + (log_ ? log : QString());
    plot_.y.scale = roundScale(y_, log_);
    return std::move(plot_);
  }
  Plot& plot() { return plot_; }

 private:
  void add(std::size_t position, const std::string& scaling, const train::SeedBand& band) {
    const auto curve = [&](const std::vector<double>& y) {
      auto made = std::make_shared<Curve>();
      made->x = band.x;
      made->y = y;
      return made;
    };
    for (const double x : band.x) x_.include(x);
    for (const std::vector<double>* values : {&band.low, &band.high})
      for (const double value : *values)
        if (!log_ || value > 0) y_.include(value);
    const QString extra = scalingName(scaling);
    QString name = encodingName(training_.record.spec, position, style_);
    if (!extra.isEmpty()) name += QStringLiteral(" · ") + extra;
    const QColor colour = encodingColour(training_.record.spec, position, style_);
    const QList<qreal> dashes =
        extra.isEmpty() ? encodingDashes(training_.record.spec, position) : scalingDashes(scaling);
    const int group = static_cast<int>(plot_.groups.size());
    plot_.groups.push_back({name, colour, dashes});
    PlotSeries series;
    series.curve = curve(band.mean);
    series.group = group;
    series.scheme = static_cast<int>(position);
    series.name = name;
    series.colour = colour;
    series.dashes = dashes;
    series.width = extra.isEmpty() ? 2 : 1.2;  // the plain one stands out from what is made of it
    plot_.series.push_back(std::move(series));
    if (training_.record.spec.seeds.size() > 1)
      plot_.bands.push_back({curve(band.low), curve(band.high), group, colour});
  }

  const Training& training_;
  bool log_;
  const Style& style_;
  Plot plot_;
  Extent x_, y_;
  std::vector<std::pair<QString, double>> refused_;  ///< from which factor on
};

}  // namespace

Plot lengthPlot(const Training& training, train::LengthLoss loss, bool log_values, const Style& style) {
  LengthCollector collector(training, log_values, style);
  collector.collect([&](std::span<const train::Results* const> runs) { return train::lengthBands(runs, loss); });
  return collector.take(Words::tr("times the trained length"), Words::tr("times"), true, false);
}

Plot fineTunePlot(const Training& training, bool log_values, const Style& style) {
  LengthCollector collector(training, log_values, style);
  collector.collect([](std::span<const train::Results* const> runs) { return train::fineTuneBands(runs); });
  return collector.take(Words::tr("steps of fine-tuning"), Words::tr("step"), false, true);
}

Plot positionPlot(const Training& training, double factor, bool log_values, const Style& style) {
  LengthCollector collector(training, log_values, style);
  collector.collect([&](std::span<const train::Results* const> runs) { return train::positionBands(runs, factor); });
  for (const train::RunRecord& run : training.record.runs) {
    if (!run.results) continue;
    const auto at = static_cast<double>(run.results->evaluation.length);
    if (factor > 1) collector.plot().marks.push_back({Words::tr("trained"), true, at, at, false, {}});
    break;
  }
  return collector.take(Words::tr("position i"), QStringLiteral("i"), false, true);
}

}  // namespace posiscope::ui
