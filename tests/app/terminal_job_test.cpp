// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Long work on the command line: the line on the terminal, and Ctrl-C.
#include "app/cli/terminal_job.h"

#include "app/cli/cli.h"
#include "tests/support/temporary_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

namespace posiscope::cli {
namespace {

TEST(ProgressText, IsRoundedDown) {
  EXPECT_EQ(progressText("compute waves", 0), "compute waves  0 %");
  EXPECT_EQ(progressText("compute waves", 0.428), "compute waves  42 %");
  EXPECT_EQ(progressText("compute waves", 0.9999), "compute waves  99 %");
  EXPECT_EQ(progressText("compute waves", 1), "compute waves  100 %");
}

/// Both ends of a terminal that nobody looks at.
class Terminal {
 public:
  Terminal() : screen_(posix_openpt(O_RDWR | O_NOCTTY)) {
    if (screen_ >= 0 && grantpt(screen_) == 0 && unlockpt(screen_) == 0)
      program_ = open(ptsname(screen_), O_RDWR | O_NOCTTY);
  }
  ~Terminal() {
    close(program_);
    close(screen_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  bool isOpen() const { return program_ >= 0; }
  int program() const { return program_; }
  /// What was written until `part` appeared, or until nothing came for so long.
  std::string readUntil(const std::string& part, int milliseconds = 5000) const {
    std::string text;
    pollfd wait{screen_, POLLIN, 0};
    while (text.find(part) == std::string::npos && poll(&wait, 1, milliseconds) > 0) {
      char bytes[256];
      const ssize_t count = read(screen_, bytes, sizeof bytes);
      if (count <= 0) break;
      text.append(bytes, static_cast<std::size_t>(count));
    }
    return text;
  }

 private:
  int screen_;
  int program_ = -1;
};

TEST(TerminalJob, ShowsOneLineAndClearsItAtTheEnd) {
  const Terminal terminal;
  if (!terminal.isOpen()) GTEST_SKIP() << "this system gives no pseudo-terminal";
  {
    TerminalJob job("compute waves", terminal.program());
    job.job().setProgress(0.25);
    EXPECT_NE(terminal.readUntil("25 %\x1b[K").find("\rcompute waves  25 %\x1b[K"), std::string::npos);
    job.job().setProgress(0.5);
    const std::string later = terminal.readUntil("50 %\x1b[K");
    EXPECT_EQ(later.find('\n'), std::string::npos) << "one line, written again and again";
    job.aside([&] { EXPECT_EQ(::write(terminal.program(), "PASS", 4), 4); });
    EXPECT_TRUE(terminal.readUntil("PASS").find("\r\x1b[KPASS") != std::string::npos);
    terminal.readUntil("50 %\x1b[K");
    job.nowDoing("write waves.csv");
    EXPECT_NE(terminal.readUntil("waves.csv  0 %\x1b[K").find("\rwrite waves.csv  0 %\x1b[K"), std::string::npos);
  }
  const std::string end = terminal.readUntil("nothing more", 200);
  EXPECT_TRUE(end.ends_with("\r\x1b[K")) << end;
}

TEST(TerminalJob, WritesNothingWhereThereIsNoTerminal) {
  const test::TemporaryFolder folder;
  const int file = open(folder.write("err.txt", "").c_str(), O_WRONLY);
  {
    TerminalJob job("compute waves", file);
    job.job().setProgress(0.5);
    std::this_thread::sleep_for(std::chrono::milliseconds(600));  // longer than the line waits
    job.aside([] {});
  }
  close(file);
  EXPECT_EQ(folder.read("err.txt"), "");
}

TEST(TerminalJob, AnInterruptStopsTheJobOnce) {
  const auto before = std::signal(SIGINT, SIG_IGN);
  std::signal(SIGINT, SIG_DFL);
  {
    const TerminalJob job("compute waves");
    std::raise(SIGINT);
    EXPECT_TRUE(job.job().stopped());
    EXPECT_EQ(std::signal(SIGINT, SIG_DFL), SIG_DFL) << "the second one ends the program";
  }
  std::signal(SIGINT, SIG_IGN);
  {
    const TerminalJob job("compute waves");
    std::raise(SIGINT);
    EXPECT_FALSE(job.job().stopped()) << "who was told to ignore it does";
  }
  EXPECT_EQ(std::signal(SIGINT, before), SIG_IGN);
}

/// As soon as somebody listens to SIGINT, it is sent.
void interruptWhenAwaited() {
  std::thread([] {
    struct sigaction now {};
    while (sigaction(SIGINT, nullptr, &now) == 0 && now.sa_handler == SIG_DFL)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    kill(getpid(), SIGINT);
  }).detach();
}

TEST(InterruptDeathTest, LeavesNoFileAndSaysSo) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const std::string out = testing::TempDir() + "posiscope_interrupted.npy";
  const auto run = [&] {
    std::signal(SIGINT, SIG_DFL);
    interruptWhenAwaited();
    // The product of reflections costs L²·head_dim: seconds, if nothing stopped it.
    const char* const arguments[] = {
        "posiscope",  "compute", "attention_weights", "--scheme", "path",      "--seq-len", "4096",  "--num-heads", "1",
        "--head-dim", "64",      "--d-model",         "64",       "--threads", "1",         "--out", out.c_str()};
    WindowRequest window;
    std::exit(runCommand(std::size(arguments), arguments, window).value_or(-1));
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(exit_interrupted), "posiscope: interrupted");
  EXPECT_NE(access(out.c_str(), F_OK), 0);
}

/// As soon as a file is begun, SIGINT is sent.
void interruptWhenWriting(const std::string& folder) {
  std::thread([folder] {
    while (std::filesystem::is_empty(folder)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    kill(getpid(), SIGINT);
  }).detach();
}

TEST(InterruptDeathTest, WritingIsStoppedTooAndTheUnfinishedFileIsRemoved) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const std::string name : {"w.csv", "w.npy"}) {
    const std::string folder = testing::TempDir() + "posiscope_interrupted_" + name;
    std::filesystem::create_directories(folder);
    const auto run = [&] {
      std::signal(SIGINT, SIG_DFL);
      interruptWhenWriting(folder);
      const std::string out = folder + "/" + name;
      // The cells are computed as they are written: seconds, if nothing stopped it.
      const char* const arguments[] = {"posiscope", "compute", "similarity", "--scheme", "sinusoidal",
                                       "--seq-len", "6000",    "--out",      out.c_str()};
      WindowRequest window;
      std::exit(runCommand(std::size(arguments), arguments, window).value_or(-1));
    };
    EXPECT_EXIT(run(), testing::ExitedWithCode(exit_interrupted), "posiscope: interrupted");
    EXPECT_TRUE(std::filesystem::is_empty(folder)) << name;
    std::filesystem::remove_all(folder);
  }
}

}  // namespace
}  // namespace posiscope::cli
