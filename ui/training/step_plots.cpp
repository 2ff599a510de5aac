// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/encoding_names.h"
#include "ui/training/training_plots.h"

#include <limits>
#include <QCoreApplication>

namespace posiscope::ui {
namespace {

using train::Quantity;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(TrainingPlots)
};

QString nameOf(Quantity quantity) {
  switch (quantity) {
    case Quantity::loss:
    case Quantity::evaluation_loss: return Words::tr("loss");
    case Quantity::accuracy:
    case Quantity::evaluation_accuracy: return Words::tr("accuracy");
    case Quantity::position_gradient:
    case Quantity::word_gradient: return Words::tr("gradient norm");
    case Quantity::gradient_ratio: return Words::tr("ratio");
    case Quantity::row_ratio: return Words::tr("ratio");
    case Quantity::learning_rate: return Words::tr("learning rate");
    case Quantity::previous_token: return Words::tr("weight");
    case Quantity::induction: return Words::tr("weight");
  }
  return {};
}

bool isSmoothed(Quantity quantity) {
  return quantity == Quantity::loss || quantity == Quantity::accuracy || quantity == Quantity::position_gradient ||
         quantity == Quantity::word_gradient || quantity == Quantity::gradient_ratio;
}

std::shared_ptr<const Curve> curveOf(const std::vector<double>& x, const std::vector<double>& y) {
  auto curve = std::make_shared<Curve>();
  curve->x = x;
  curve->y = y;
  return curve;
}

/// Collects the bands of all encodings into a plot.
class StepCollector {
 public:
  StepCollector(const Training& training, const StepLook& look, const Style& style)
      : training_(training), look_(look), style_(style) {
    plot_.blank = false;
  }

  template <class BandOf>
  void collect(const BandOf& band_of) {
    const train::ComparisonSpec& spec = training_.record.spec;
    for (std::size_t p = 0; p < spec.positions.size(); ++p) {
      std::vector<const train::History*> runs;
      for (std::size_t s = 0; s < spec.seeds.size(); ++s) runs.push_back(&training_.record.run(p, s).history);
      add(p, band_of(std::span<const train::History* const>(runs)));
    }
  }

  void addLine(const QString& label, double value) {
    if (look_.log_values && value <= 0) return;
    plot_.marks.push_back({label, false, value, value, false, {}});
    y_.include(value);
  }
  void addBand(const QString& label, double from, double to) {
    plot_.marks.push_back({label, false, from, to, false, {}});
  }
  void include(double value) { y_.include(value); }
  void addNote(const QString& text) { plot_.notices.push_back({PlotNotice::Kind::note, text}); }
  const std::vector<QString>& without() const { return without_; }

  Plot take(const QString& y_title, const QString& nothing) {
    if (plot_.series.empty()) {
      plot_.centred = nothing;
      plot_.notices.clear();
    }
    const QString log = style_.text({" (log)", "（对数）"});
    plot_.x.title = Words::tr("steps") + (look_.log_steps ? log : QString());
    plot_.x.symbol = Words::tr("step");
    plot_.x.indices = !look_.log_steps;
    // At step 0 alone the axis reaches to the next evaluation.
    if (x_.high <= 0) x_.include(static_cast<double>(training_.record.spec.run.schedule.evaluate_every));
    plot_.x.scale = exactScale(x_, look_.log_steps);
    plot_.y.title = y_title + (look_.log_values ? log : QString());
    plot_.y.scale = roundScale(y_, look_.log_values);
    return std::move(plot_);
  }

 private:
  void add(std::size_t position, train::SeedBand band) {
    const QString name = encodingName(training_.record.spec, position, style_);
    if (band.empty()) return without_.push_back(name);
    const QColor colour = encodingColour(training_.record.spec, position, style_);
    const QList<qreal> dashes = encodingDashes(training_.record.spec, position);
    const int group = static_cast<int>(plot_.groups.size());
    plot_.groups.push_back({name, colour, dashes});
    for (std::size_t i = 0; i < band.x.size(); ++i) {
      if (!look_.log_steps || band.x[i] > 0) x_.include(band.x[i]);
      for (const double value : {band.low[i], band.high[i]})
        if (!look_.log_values || value > 0) y_.include(value);
    }
    PlotSeries series;
    series.curve = curveOf(band.x, band.mean);
    series.group = group;
    series.scheme = static_cast<int>(position);
    series.name = name;
    series.colour = colour;
    series.dashes = dashes;
    plot_.series.push_back(std::move(series));
    if (training_.record.spec.seeds.size() > 1)
      plot_.bands.push_back({curveOf(band.x, band.low), curveOf(band.x, band.high), group, colour});
  }

  const Training& training_;
  const StepLook& look_;
  const Style& style_;
  Plot plot_;
  Extent x_, y_;
  std::vector<QString> without_;  ///< encodings that have no such number
};

void addScales(StepCollector& to, const Training& training, Quantity quantity) {
  const bool loss = quantity == Quantity::loss || quantity == Quantity::evaluation_loss;
  const bool accuracy = quantity == Quantity::accuracy || quantity == Quantity::evaluation_accuracy;
  if (loss || accuracy) {
    if (training.chance) to.addLine(Words::tr("chance"), loss ? training.chance->loss : training.chance->accuracy);
    if (training.order_blind)
      to.addLine(Words::tr("order-blind"), loss ? training.order_blind->loss : training.order_blind->accuracy);
  }
  if (accuracy) to.include(1);
  if (quantity == Quantity::row_ratio) to.addBand(Words::tr("0.1 to 1"), 0.1, 1), to.include(0.1), to.include(1);
  if (quantity == Quantity::previous_token || quantity == Quantity::induction) to.include(0), to.include(1);
}

}  // namespace

Plot quantityPlot(const Training& training, Quantity quantity, const StepLook& look, const Style& style) {
  const std::int64_t window = isSmoothed(quantity) ? look.window : 1;
  StepLook used = look;
  if (quantity == Quantity::previous_token || quantity == Quantity::induction) used.log_values = false;
  StepCollector collector(training, used, style);
  collector.collect(
      [&](std::span<const train::History* const> runs) { return train::seedBand(runs, quantity, window); });
  addScales(collector, training, quantity);
  if (window > 1) collector.addNote(Words::tr("mean of the last %1 steps").arg(window));
  QStringList without(collector.without().begin(), collector.without().end());
  const bool parameters = quantity == Quantity::position_gradient || quantity == Quantity::gradient_ratio;
  const bool begun = training.state != Training::State::waiting && !training.record.runs.front().history.steps.empty();
  if (parameters && begun && !without.isEmpty())
    collector.addNote(Words::tr("no parameters of position: %1").arg(without.join(QStringLiteral(", "))));
  if (quantity == Quantity::row_ratio && begun && !without.isEmpty())
    collector.addNote(Words::tr("no learned table beside the words: %1").arg(without.join(QStringLiteral(", "))));
  QString nothing = Words::tr("The curve begins with the training.");
  if (begun && parameters) nothing = Words::tr("None of these encodings has parameters.");
  if (begun && quantity == Quantity::row_ratio)
    nothing = Words::tr("None of these encodings has a learned table beside the words.");
  if (begun && quantity == Quantity::induction) nothing = Words::tr("Only the induction task has this score.");
  return collector.take(nameOf(quantity), nothing);
}

Plot kindPlot(const Training& training, const std::string& kind, const StepLook& look, const Style& style) {
  StepLook used = look;
  used.log_values = false;
  StepCollector collector(training, used, style);
  collector.collect([&](std::span<const train::History* const> runs) { return train::kindBand(runs, kind); });
  const train::ModelSpec& model = training.record.spec.run.model;
  collector.include(0);
  collector.include(static_cast<double>(model.num_layers * model.num_heads));
  return collector.take(Words::tr("heads"), Words::tr("The curve begins with the training."));
}

}  // namespace posiscope::ui
