// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// posiscope bench: how close this machine's figures come to what the machine can do.
#include "app/cli/command.h"
#include "app/cli/terminal_job.h"
#include "app/cli/window_start.h"
#include "core/bench/bench.h"

#include <iostream>
#include <nlohmann/json.hpp>

namespace posiscope::cli {
namespace {

struct Benching {
  bool json = false;
  bool tiny = false;
  std::int64_t window_since = 0;
  const CLI::Option* since = nullptr;
};

bench::Figure windowStart(bool tiny, const Job& job) {
  bench::Figure figure;
  figure.id = "cold_start";
  figure.what = {"from the program's start to a usable window, files in the cache",
                 "从程序启动到可用窗口（文件已缓存）"};
  figure.target = {"≤ 400 ms", "≤ 400 毫秒"};
  if (tiny) {
    figure.missing = {"not at tiny sizes", "最小规模下不测量"};
    return figure;
  }
  const Expected<double> time = measureWindowStart(job);
  if (!time) {
    figure.missing = time.error().message;
    return figure;
  }
  figure.median = *time;
  figure.runs = 5;
  figure.met = *time <= 400;
  return figure;
}

/// What is seen in the window only is measured by the developers' benchmark, which has it beside its checks.
std::vector<bench::Figure> elsewhere() {
  std::vector<bench::Figure> figures;
  const auto add = [&](const char* id, Text what, Text target, Text where) {
    bench::Figure figure;
    figure.id = id;
    figure.what = std::move(what);
    figure.target = std::move(target);
    figure.missing = std::move(where);
    figures.push_back(std::move(figure));
  };
  const Text slider{"by posiscope_bench --benchmark_filter=slider_to_paint", "由 posiscope_bench 测量"};
  add("slider_1024", {"slider to repainted window, 1024 tokens, four views", "从滑块到重绘，1024 词元，四个视图"},
      {"p95 ≤ 16 ms", "p95 ≤ 16 毫秒"}, slider);
  add("slider_4096", {"slider to repainted window, 4096 tokens, two views", "从滑块到重绘，4096 词元，两个视图"},
      {"p95 ≤ 33 ms", "p95 ≤ 33 毫秒"}, slider);
  add("million_points", {"panning a curve of 1 000 000 points", "平移 1 000 000 点的曲线"},
      {"60 frames/s", "每秒 60 帧"}, {"by posiscope_bench --benchmark_filter=pan_million", "由 posiscope_bench 测量"});
  add("memory", {"memory above the idle window", "空闲窗口之上的内存"}, {"≤ 2 × the arrays shown", "≤ 所示数组的 2 倍"},
      {"by /usr/bin/time -v posiscope", "由 /usr/bin/time -v posiscope 测量"});
  return figures;
}

Expected<int> runBench(const Benching& b) {
  if (b.since->count() > 0) {
    std::cout << windowReady(b.window_since) << '\n';
    return 0;
  }
  TerminalJob terminal("bench");
  bench::Report report = bench::run(b.tiny ? bench::Size::tiny : bench::Size::full, terminal.job(),
                                    [&](const Text& what) { terminal.nowDoing("bench " + what.en); });
  terminal.nowDoing("bench window");
  report.figures.push_back(windowStart(b.tiny, terminal.job()));
  for (bench::Figure& figure : elsewhere()) report.figures.push_back(std::move(figure));
  if (terminal.job().stopped()) return fail(ErrorCode::cancelled, "the bench was stopped", "测速已停止");
  terminal.aside([&] { std::cout << (b.json ? bench::toJson(report).dump(1) + "\n" : bench::table(report)); });
  for (const bench::Figure& figure : report.figures)
    if (figure.met == false && !figure.missing.en.empty()) return 1;  // an answer was wrong
  return 0;
}

}  // namespace

Command addBenchCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand("bench", "Time the kernels beside what this machine can do");
  auto b = std::make_shared<Benching>();
  command->add_flag("--json", b->json, "Print JSON, for tests/bench/compare.py and other programs");
  command->add_flag("--tiny", b->tiny, "Tiny sizes: shows that every case runs; the times mean nothing");
  b->since = command->add_option("--window-since", b->window_since)->group("");  // the program calls itself with it
  command->footer(
      "Every answer is checked against its formula before it is timed. Times are medians of several runs, taken in "
      "turns "
      "with the limits: memset writes as many bytes on the same threads, Eigen forms the same products. 'naive' is the "
      "formula as plain loops on the same threads. Run it on a quiet machine. Exit code 1 when an answer is wrong.\n\n"
      "Compare two versions with: posiscope bench --json > before.json\n\n"
      "Example:\n  posiscope bench --tiny");
  return {command, [b] { return runBench(*b); }};
}

}  // namespace posiscope::cli
