// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// From a slider's change to the repainted window: the real store, compute service and main window, with table,
// attention, decay and norm views on screen.
#include "tests/bench/slider_to_paint.h"

#include "ui/main_window.h"
#include "ui/paint/style.h"
#include "ui/tiles/tile.h"
#include "ui/tiles/tile_grid.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QStandardPaths>
#include <QStyleFactory>

namespace posiscope::bench {
namespace {

using namespace posiscope::ui;

/// What is on screen.
struct Scene {
  std::int64_t seq_len, d_model, heads;
  std::size_t schemes;  ///< of rotary, sinusoidal, ALiBi
  int tiles;            ///< of table, attention, decay and norm
};
/// The program's usual size; the two sizes of the targets: p95 at most 16 ms and 33 ms.
constexpr Scene scenes[] = {{512, 512, 8, 3, 4}, {1024, 768, 12, 2, 4}, {4096, 768, 12, 2, 2}};

/// `dragged`: the scheme whose base slider moves. The sinusoidal one changes all four pictures, the rotary one three.
Experiment comparedExperiment(const Scene& scene, std::size_t dragged, double base) {
  Experiment experiment;
  experiment.shape.seq_len = scene.seq_len;
  experiment.shape.d_model = scene.d_model;
  experiment.shape.num_heads = scene.heads;
  experiment.shape.head_dim = 64;
  experiment.mask.causal = true;
  experiment.train_length = 256;
  experiment.schemes = {{"rope", {}, {}, 0, true}, {"sinusoidal", {}, {}, 1, true}, {"alibi", {}, {}, 2, true}};
  experiment.schemes.resize(scene.schemes);
  experiment.schemes[dragged].values["base"] = base;
  return experiment;
}

Presentation comparedTiles(const Scene& scene) {
  Presentation presentation = startPresentation();
  presentation.tiles = {
      {"position_table", {}, {}}, {"attention_weights", {}, {}}, {"relative_decay", {}, {}}, {"norm_ratio", {}, {}}};
  presentation.tile_count = scene.tiles;
  return presentation;
}

/// Waits until the answer to the store's experiment is here; paints nothing by itself.
void waitForAnswer(MainWindow& window) {
  while (!window.service().result() || !(window.service().result()->request.experiment == window.store().experiment()))
    QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
}

double percentile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size()))) - 1];
}

/// One drag of the base slider, step by step; each step waits for its own picture.
void sliderToPaint(benchmark::State& state) {
  const auto dragged = static_cast<std::size_t>(state.range(0));
  const Scene& scene = scenes[state.range(1)];
  MainWindow window;
  window.store().reset(comparedExperiment(scene, dragged, 10000), comparedTiles(scene));
  window.resize(1440, 900);
  window.show();
  waitForAnswer(window);
  window.grid().repaint();
  std::vector<double> waits, computes;
  double base = 10000;
  for (auto _ : state) {
    base *= 1.01;
    const QImage before = waits.empty() ? window.grid().grab().toImage() : QImage();
    QElapsedTimer timer;
    timer.start();
    window.store().setExperiment(comparedExperiment(scene, dragged, base), QStringLiteral("drag"));
    waitForAnswer(window);
    window.grid().repaint();  // all tiles and whatever else changed in the window, now and not with the next frame
    const double seconds = static_cast<double>(timer.nsecsElapsed()) * 1e-9;
    state.SetIterationTime(seconds);
    waits.push_back(seconds * 1e3);
    computes.push_back(window.service().result()->milliseconds);
    if (!before.isNull() && window.grid().grab().toImage() == before) {
      state.SkipWithError("the pictures did not change");
      break;
    }
    for (int tile = 0; tile < scene.tiles; ++tile)
      if (window.grid().context(tile).stale()) state.SkipWithError("a tile still shows the old result");
    QCoreApplication::processEvents();
  }
  if (waits.empty()) return;
  state.counters["median_ms"] = percentile(waits, 0.5);
  state.counters["p95_ms"] = percentile(waits, 0.95);
  state.counters["compute_median_ms"] = percentile(computes, 0.5);
}
BENCHMARK(sliderToPaint)
    ->Name("slider_to_paint")
    ->ArgNames({"scheme", "scene"})
    ->ArgsProduct({{0, 1}, {0, 1, 2}})
    ->UseManualTime()
    ->Iterations(300)
    ->Unit(benchmark::kMillisecond);

}  // namespace

int runWithWindow(int argc, char** argv) {
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  QStandardPaths::setTestModeEnabled(true);  // nobody's settings are touched
  const QApplication app(argc, argv);
  QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
  QFont font;
  font.setFamilies(fontFamilies());
  font.setPixelSize(13);
  QApplication::setFont(font);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace posiscope::bench
