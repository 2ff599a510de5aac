// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// From a step of the mouse to the repainted view, while a curve of a million points is panned.
#include "core/compute.h"
#include "ui/views/view_kinds.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <QApplication>
#include <QElapsedTimer>
#include <QEvent>
#include <QEventLoop>
#include <QMouseEvent>
#include <QPainter>
#include <vector>

namespace posiscope::bench {
namespace {

using namespace posiscope::ui;

constexpr std::size_t points = 1'000'000;

ViewContext millionPoints(double speed) {
  auto dataset = std::make_shared<Dataset>();
  dataset->x.name = {"position i", "位置 i"};
  dataset->y.name = {"value", "数值"};
  Curve curve;
  for (std::size_t n = 0; n < points; ++n) {
    curve.x.push_back(static_cast<double>(n));
    curve.y.push_back(std::sin(speed * static_cast<double>(n)));
  }
  dataset->curves.push_back(std::move(curve));
  ViewContext context;
  context.style = makeStyle(false, Language::english);
  context.presentation = startPresentation();
  context.tile.view = "waves";
  context.experiment.schemes = {{"sinusoidal", {}, {}, 0, true}};
  auto result = std::make_shared<Result>();
  result->request = {context.experiment, {{"waves", {}}}};
  Answer answer;
  answer.question.measure = "waves";
  answer.dataset = std::move(dataset);
  result->answers = {{std::move(answer)}};
  context.result = std::move(result);
  context.measure = 0;
  return context;
}

/// Counts how often a widget is painted: a window that is not on the screen yet lets `repaint` pass.
class PaintCount final : public QObject {
 public:
  std::size_t paints = 0;

  bool eventFilter(QObject*, QEvent* event) override {
    paints += event->type() == QEvent::Paint ? 1 : 0;
    return false;
  }
};

/// Percent of the curve that is visible, and whether its waves are finer than the pixel columns.
void panMillion(benchmark::State& state) {
  ViewContext context = millionPoints(state.range(1) != 0 ? 0.7 : 1e-4);
  const double share = static_cast<double>(state.range(0)) / 100;
  const double middle = (points - 1) / 2.0, reach = share * (points - 1) / 2;
  context.tile.zoom = Zoom{middle - reach, middle + reach, -1, 1};
  const std::unique_ptr<View> view(wavesView().create(nullptr));
  view->resize(1200, 700);
  view->setContext(context);
  PaintCount count;
  view->installEventFilter(&count);
  view->show();
  while (count.paints == 0) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
  const auto mouse = [&](QEvent::Type type, int x, Qt::MouseButton button) {
    const QPointF at(x, 350);
    QMouseEvent event(type, at, view->mapToGlobal(at), button, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(view.get(), &event);
  };
  int x = 600;
  std::size_t moves = 0;
  std::optional<Zoom> zoom = context.tile.zoom;
  QObject::connect(view.get(), &View::zoomed, view.get(), [&](std::optional<Zoom> z) { zoom = z, ++moves; });
  mouse(QEvent::MouseButtonPress, x, Qt::LeftButton);
  mouse(QEvent::MouseMove, x -= 20, Qt::NoButton);  // beyond the distance where a click becomes a drag
  view->repaint();
  moves = count.paints = 0;
  std::vector<double> waits;
  for (auto _ : state) {
    const bool forward = waits.size() / 20 % 2 == 0;  // and back: the ends of the data would stop it
    x += forward ? -5 : 5;
    QElapsedTimer timer;
    timer.start();
    mouse(QEvent::MouseMove, x, Qt::NoButton);
    view->repaint();
    const double seconds = static_cast<double>(timer.nsecsElapsed()) * 1e-9;
    state.SetIterationTime(seconds);
    waits.push_back(seconds * 1e3);
  }
  if (moves != waits.size()) return state.SkipWithError("a step did not pan");
  if (count.paints != waits.size()) return state.SkipWithError("a step was not painted");
  view->clearFocus();  // its frame is no part of the picture
  context.tile.zoom = zoom;
  QImage drawn(view->size(), QImage::Format_RGB32);
  QPainter painter(&drawn);
  wavesView().draw(painter, QRectF(view->rect()), context);
  painter.end();
  if (view->grab().toImage().convertToFormat(QImage::Format_RGB32) != drawn)
    return state.SkipWithError("the picture is not that of the visible part");
  std::ranges::sort(waits);
  state.counters["median_ms"] = waits[waits.size() / 2];
  state.counters["p95_ms"] = waits[waits.size() * 95 / 100];
}
BENCHMARK(panMillion)
    ->Name("pan_million")
    ->ArgNames({"percent", "dense"})
    ->ArgsProduct({{1, 10, 80}, {0, 1}})
    ->UseManualTime()
    ->Iterations(160)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace posiscope::bench
