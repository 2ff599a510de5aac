// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/window_start.h"

#include "core/bench/turns.h"
#include "ui/controls/theme.h"
#include "ui/main_window.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <optional>
#include <QApplication>
#include <QFont>
#include <QStandardPaths>
#include <string>
#include <vector>

extern char** environ;

namespace posiscope::cli {
namespace {

std::int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// What a program prints.
std::optional<std::string> outputOf(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return std::nullopt;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);  // what Qt has to say
  pid_t child = 0;
  const int failed = posix_spawn(&child, arguments.front(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text;
  std::array<char, 256> piece{};
  while (failed == 0) {
    const ssize_t count = read(ends[0], piece.data(), piece.size());
    if (count <= 0) break;
    text.append(piece.data(), static_cast<std::size_t>(count));
  }
  close(ends[0]);
  int status = 1;
  if (failed == 0) waitpid(child, &status, 0);
  if (failed != 0 || status != 0) return std::nullopt;
  return text;
}

std::optional<double> startOnce(const std::string& program) {
  const std::optional<std::string> text = outputOf({program, "bench", "--window-since", std::to_string(now())});
  double milliseconds = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), milliseconds).ec != std::errc{})
    return std::nullopt;
  return milliseconds;
}

}  // namespace

double windowReady(std::int64_t since) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QStandardPaths::setTestModeEnabled(true);
  int argc = 1;
  std::string name = "posiscope";
  std::array<char*, 2> argv{name.data(), nullptr};
  const QApplication app(argc, argv.data());
  QFont font;
  font.setFamilies(ui::fontFamilies());
  font.setPixelSize(13);
  QApplication::setFont(font);
  ui::MainWindow window;
  window.resize(1440, 900);
  window.show();
  while (!window.service().result() || window.service().busy())
    QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
  window.repaint();
  return static_cast<double>(now() - since) * 1e-6;
}

Expected<double> measureWindowStart(const Job& job) {
  constexpr int runs = 5;
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto cannot = [] {
    return fail(ErrorCode::not_supported, "the program could not be started anew", "无法重新启动本程序");
  };
  if (error || program.filename() != "posiscope") return cannot();
  std::vector<double> times;
  for (int run = 0; run <= runs; ++run) {  // the first one fetches the program from the disk
    if (job.stopped()) return fail(ErrorCode::cancelled, "stopped", "已停止");
    const std::optional<double> time = startOnce(program.string());
    if (!time) return cannot();
    if (run > 0) times.push_back(*time);
  }
  return bench::medianOf(std::move(times));
}

}  // namespace posiscope::cli
