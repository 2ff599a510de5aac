// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/attention_tab.h"

#include "core/heads/kinds.h"
#include "ui/controls/choice_box.h"
#include "ui/controls/flat_button.h"
#include "ui/controls/theme.h"
#include "ui/controls/value_slider.h"
#include "ui/training/attention_maps.h"
#include "ui/training/encoding_names.h"
#include "ui/training/plot_box.h"

#include <algorithm>
#include <cmath>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <set>

namespace posiscope::ui {
namespace {

constexpr int tick_ms = 700;
constexpr int scores_height = 220;

std::shared_ptr<const Field> headField(const Array& attention, std::int64_t layer, std::int64_t head) {
  const std::int64_t heads = attention.shape[1], length = attention.shape[2];
  const std::shared_ptr<const std::vector<double>> values = attention.values;
  const std::int64_t first = (layer * heads + head) * length * length;
  return computedField(
      length, length,
      [values, first, length](std::int64_t i, std::int64_t j) {
        return static_cast<float>((*values)[static_cast<std::size_t>(first + i * length + j)]);
      },
      Field::Limits{0, 1, false});
}

/// Keeps what was chosen when its choices are named anew.
void fill(ChoiceBox* box, const QStringList& names) {
  const int before = std::max(0, box->currentIndex());
  const QSignalBlocker quiet(box);
  box->clear();
  box->addItems(names);
  box->setCurrentIndex(std::min(before, static_cast<int>(names.size()) - 1));
}

}  // namespace

AttentionTab::AttentionTab(QWidget* parent)
    : ResultTab(parent),
      seed_(new ChoiceBox(this)),
      layer_(new ChoiceBox(this)),
      head_(new ChoiceBox(this)),
      play_(new FlatButton(this)),
      time_(new ValueSlider(this)),
      step_(new QLabel(this)),
      maps_(new AttentionMaps(this)),
      export_(new FlatButton(this)),
      score_(new ChoiceBox(this)),
      log_steps_(new FlatButton(this)),
      scores_(new PlotBox(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 4, 12, 12);
  column->setSpacing(6);
  buildControls(column);
  column->addWidget(maps_, 1);
  auto* line = new QHBoxLayout;
  line->setSpacing(6);
  score_->setMinimumWidth(248);
  line->addWidget(score_);
  line->addWidget(log_steps_);
  line->addStretch(1);
  column->addLayout(line);
  scores_->setFixedHeight(scores_height);
  column->addWidget(scores_);
  log_steps_->setCheckable(true);
  for (ChoiceBox* box : {seed_, layer_, head_})
    connect(box, &QComboBox::currentIndexChanged, this, &AttentionTab::refresh);
  connect(score_, &QComboBox::currentIndexChanged, this, &AttentionTab::showScores);
  connect(log_steps_, &QAbstractButton::clicked, this, &AttentionTab::showScores);
  connect(time_, &ValueSlider::dragged, this, [this](double position) {
    setPlace(static_cast<int>(std::lround(position * static_cast<double>(steps_.size() - 1))));
  });
  connect(time_, &ValueSlider::stepped, this, [this](int direction) { setPlace(place_ + direction); });
  connect(time_, &ValueSlider::resetWanted, this, [this] { setPlace(0); });
  connect(play_, &QAbstractButton::clicked, this, [this] { play(!tick_.isActive()); });
  tick_.setInterval(tick_ms);
  connect(&tick_, &QTimer::timeout, this, &AttentionTab::nextStep);
  retranslate();
}

void AttentionTab::buildControls(QVBoxLayout* column) {
  auto* controls = new QHBoxLayout;
  controls->setSpacing(6);
  for (ChoiceBox* box : {layer_, head_, seed_}) {
    box->setFixedWidth(104);
    controls->addWidget(box);
  }
  controls->addWidget(play_);
  controls->addWidget(time_, 1);
  step_->setMinimumWidth(72);
  controls->addWidget(step_);
  time_->setMinimumWidth(60);
  export_->setIconName(QStringLiteral("export"));
  export_->setCompact(true);
  controls->addWidget(export_);
  connect(export_, &QAbstractButton::clicked, this, [this] {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    addExports(menu, export_, [this] { return maps_->figure(); });
    menu->popup(export_->mapToGlobal(QPoint(0, export_->height())));
  });
  column->addLayout(controls);
}

void AttentionTab::setTraining(const Training* training) {
  const bool other = training != training_;
  training_ = training;
  if (other) {
    play(false);
    follows_ = true;
    steps_.clear();
    fillChoices();
  }
  refresh();
}

void AttentionTab::fillChoices() {
  const train::ModelSpec model = training_ ? training_->record.spec.run.model : train::ModelSpec{};
  const auto count = [](const QString& name, std::int64_t most) {
    QStringList names;
    for (std::int64_t n = 0; n < most; ++n) names << name.arg(n);
    return names;
  };
  fill(layer_, count(tr("layer %1"), model.num_layers));
  fill(head_, count(tr("head %1"), model.num_heads));
  QStringList seeds;
  if (training_)
    for (const std::uint64_t seed : training_->record.spec.seeds) seeds << tr("seed %1").arg(seed);
  fill(seed_, seeds);
  QStringList scores{tr("previous token, strongest head"), tr("induction, strongest head")};
  for (const heads::Kind kind : heads::all_kinds)
    scores << tr("heads of the kind: %1").arg(currentStyle().text(heads::kindName(kind)));
  fill(score_, scores);
}

void AttentionTab::refresh() {
  std::set<std::int64_t> steps;
  const auto seed = static_cast<std::size_t>(std::max(0, seed_->currentIndex()));
  if (training_)
    for (std::size_t p = 0; p < training_->record.spec.positions.size(); ++p)
      for (const auto& [step, attention] : training_->record.run(p, seed).attention) steps.insert(step);
  std::vector<std::int64_t> now(steps.begin(), steps.end());
  if (now != steps_) {
    steps_ = std::move(now);
    const int last = std::max(0, static_cast<int>(steps_.size()) - 1);
    // While it is trained the newest is shown, unless somebody looks at another one.
    place_ = follows_ && !tick_.isActive() ? last : std::min(place_, last);
    time_->setPosition(last > 0 ? static_cast<double>(place_) / last : 0);
  }
  time_->setEnabled(!steps_.empty());
  play_->setEnabled(steps_.size() > 1);
  showMaps();
  showScores();
}

QString AttentionTab::factsOf(const train::RunRecord& run, std::int64_t step) const {
  for (const train::HeadRecord& h : run.history.heads) {
    if (h.step != step || h.layer != layer_->currentIndex() || h.head != head_->currentIndex()) continue;
    QString kind = QString::fromStdString(h.kind);
    for (const heads::Kind known : heads::all_kinds)
      if (heads::kindId(known) == h.kind) kind = currentStyle().text(heads::kindName(known));
    QStringList facts{kind, tr("previous %1").arg(numberText(h.previous_token, 2))};
    if (!std::isnan(h.induction)) facts << tr("induction %1").arg(numberText(h.induction, 2));
    facts.replaceInStrings(QStringLiteral(" "), QString(QChar::Nbsp));  // a name stays with its number
    return facts.join(QStringLiteral(" · "));
  }
  return {};
}

void AttentionTab::showMaps() {
  std::vector<AttentionPanel> panels;
  const bool any = training_ && !steps_.empty();
  const std::int64_t step = any ? steps_[static_cast<std::size_t>(place_)] : 0;
  step_->setText(any ? tr("step %1").arg(numberText(static_cast<double>(step))) : QString());
  if (training_) {
    const train::ComparisonSpec& spec = training_->record.spec;
    for (std::size_t p = 0; p < spec.positions.size(); ++p) {
      const train::RunRecord& run =
          training_->record.run(p, static_cast<std::size_t>(std::max(0, seed_->currentIndex())));
      AttentionPanel panel{encodingName(spec, p, currentStyle()), encodingColour(spec, p, currentStyle()), {}, nullptr};
      const auto found = run.attention.find(step);
      if (found != run.attention.end()) {
        panel.weights = headField(found->second, layer_->currentIndex(), head_->currentIndex());
        panel.facts = factsOf(run, step);
      } else {
        panel.facts = run.refused.en.empty() ? tr("not there yet") : currentStyle().text(run.refused);
      }
      panels.push_back(std::move(panel));
    }
  }
  maps_->setPanels(std::move(panels));
  export_->setEnabled(maps_->drawable());
}

void AttentionTab::showScores() {
  Plot nothing;
  nothing.centred = tr("Choose an experiment and press Start.");
  if (!training_) return scores_->setPlot(nothing);
  const StepLook look{log_steps_->isChecked(), false, 1};
  const int score = score_->currentIndex();
  scores_->setTitle(score_->currentText());
  if (score < 2) {
    const auto quantity = score == 0 ? train::Quantity::previous_token : train::Quantity::induction;
    return scores_->setPlot(quantityPlot(*training_, quantity, look, currentStyle()));
  }
  const heads::Kind kind = heads::all_kinds[static_cast<std::size_t>(score - 2)];
  scores_->setPlot(kindPlot(*training_, heads::kindId(kind), look, currentStyle()));
}

void AttentionTab::setPlace(int place) {
  if (steps_.empty()) return;
  const int last = static_cast<int>(steps_.size()) - 1;
  place_ = std::clamp(place, 0, last);
  follows_ = place_ == last;
  time_->setPosition(last > 0 ? static_cast<double>(place_) / last : 0);
  showMaps();
}

void AttentionTab::play(bool playing) {
  if (playing && place_ + 1 >= static_cast<int>(steps_.size())) setPlace(0);
  playing ? tick_.start() : tick_.stop();
  play_->setText(playing ? tr("Stop") : tr("Play"));
  play_->updateGeometry();
}

void AttentionTab::nextStep() {
  if (place_ + 1 >= static_cast<int>(steps_.size())) return play(false);
  setPlace(place_ + 1);
}

void AttentionTab::addExportsTo(QMenu* menu) {
  if (maps_->drawable())
    addExports(menu->addMenu(maps_->accessibleName()), export_, [this] { return maps_->figure(); });
  if (scores_->drawable()) scores_->addExportsTo(menu->addMenu(scores_->title()));
}

void AttentionTab::retranslate() {
  export_->setNames(tr("Export the maps"));
  maps_->setAccessibleName(tr("Attention of the chosen head"));
  play_->setText(tick_.isActive() ? tr("Stop") : tr("Play"));
  play_->setAccessibleName(tr("Go through the snapshots"));
  time_->setAccessibleName(tr("Snapshots by step"));
  layer_->setAccessibleName(tr("Layer"));
  head_->setAccessibleName(tr("Head"));
  seed_->setAccessibleName(tr("Seed"));
  score_->setAccessibleName(tr("What is drawn over the steps"));
  log_steps_->setText(tr("log steps"));
  log_steps_->setNames(tr("Logarithmic axis of steps"));
  fillChoices();
  refresh();
}

}  // namespace posiscope::ui

#include "moc_attention_tab.cpp"
