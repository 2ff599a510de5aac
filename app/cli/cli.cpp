// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cli.h"

#include "app/cli/command.h"
#include "app/cli/help_formatter.h"
#include "app/cli/output_path.h"
#include "app/cli/unknown_name.h"
#include "core/near_names.h"
#include "core/parallel.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>

namespace posiscope::cli {
namespace {

constexpr const char* examples = R"(Examples:
  posiscope                                   open the window
  posiscope model/config.json                 open the window on a model
  posiscope schemes                           what can be compared
  posiscope views                             what can be drawn
  posiscope compute relative_decay --scheme rope --head-dim 128 --seq-len 4096 --out decay.npy
  posiscope figure attention_weights --scheme alibi --seq-len 128 --out alibi.svg
  posiscope inspect model/                    which scheme a model uses, and why
  posiscope loss-by-position --model model/ --tokens tokens.npy --set rope.scaling=ntk --set rope.factor=2
  posiscope verify tests/data/reference/manifest.json)";

int wrongUse(const std::string& sentence) {
  std::cerr << "posiscope: " << sentence << '\n';
  return exit_wrong_use;
}

/// Every word the first argument could be.
std::vector<std::string> commandNames(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  for (const Command& c : commands) names.push_back(c.app->get_name());
  return names;
}

constexpr const char* thread_help = "Threads to compute with; default: all cores";

/// Where a command line ends there may be --threads: in the commands and in the measures and views below them.
void addThreads(CLI::App& command, std::string& text) {
  command.add_option("--threads", text, thread_help)->type_name("N");
  for (CLI::App* below : command.get_subcommands([](const CLI::App*) { return true; })) addThreads(*below, text);
}

Outcome applyThreads(const std::string& text) {
  if (text.empty()) return {};
  int count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || end != text.data() + text.size() || count < 1 || count > 1024)
    return fail(ErrorCode::out_of_range, join("--threads must be a whole number from 1 to 1024, got '", text, "'"));
  setThreads(count);
  return {};
}

/// A word that is neither a command nor a file is a slip of the pen, not a file to open. A path that is missing beside
/// one that is there is left to the window, which opens the other and says so.
Outcome checkFiles(const std::vector<std::string>& files, const std::vector<Command>& commands) {
  const auto is_there = [](const std::string& file) { return std::filesystem::exists(file); };
  const bool any = std::ranges::any_of(files, is_there);
  for (const std::string& file : files)
    if (!is_there(file) && !(any && file.find_first_of("/.") != std::string::npos))
      return fail(unknownName("file or command", file, commandNames(commands)));
  return {};
}

Outcome checkWord(const char* flag, const std::string& word, const std::vector<std::string>& allowed) {
  if (word.empty() || std::ranges::find(allowed, word) != allowed.end()) return {};
  return fail(ErrorCode::bad_value, join(flag, " must be ", listed(allowed, " or "), ", got '", word, "'"));
}

/// "there is no option '--seq-length'; did you mean --seq-len?" for the first word that looks like one, among the
/// options where it stands; without near ones what CLI11 says.
std::string aboutExtras(const CLI::App& app, const CLI::ParseError& problem) {
  const CLI::App* place = &app;
  while (!place->get_subcommands().empty()) place = place->get_subcommands().front();
  std::vector<std::string> options;
  for (const CLI::Option* option : place->get_options())
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  for (const std::string& word : app.remaining(true)) {
    if (!word.starts_with("--")) continue;
    const std::string name = word.substr(0, word.find('='));
    const std::vector<std::string> near = nearNames(name, options);
    if (!near.empty()) return join("there is no option '", name, "'; did you mean ", listed(near, " or "), "?");
  }
  return problem.what();
}

/// "path is required: Model folder, config.json or …": a name alone does not tell what to give.
std::string aboutRequired(const CLI::App& app, const CLI::ParseError& problem) {
  const CLI::App* place = &app;
  while (!place->get_subcommands().empty()) place = place->get_subcommands().front();
  for (const CLI::Option* option : place->get_options())
    if (option->get_required() && option->count() == 0) return join(problem.what(), ": ", option->get_description());
  return problem.what();
}

std::optional<int> finish(const std::vector<Command>& commands, const WindowRequest& window) {
  for (const Command& c : commands) {
    if (!c.app->parsed()) continue;
    const bool for_window = !window.language.empty() || !window.theme.empty() || !window.session.empty() ||
                            !window.screenshot.empty() || !window.files.empty();
    if (for_window)
      return wrongUse(
          join("files, --session, --lang, --theme and --screenshot before a command are for the window; put ",
               "what is meant for the command after '", c.app->get_name(), "'"));
    const Expected<int> code = c.run();
    std::cout.flush();
    if (code) return *code;
    if (code.error().code != ErrorCode::cancelled) return wrongUse(code.error().message.en);
    std::cerr << "posiscope: interrupted\n";
    return exit_interrupted;
  }
  for (const Outcome& ok : {checkFiles(window.files, commands), checkWord("--lang", window.language, {"en", "zh"}),
                            checkWord("--theme", window.theme, {"light", "dark", "system"}),
                            checkOutput(window.screenshot, {".png"}, "--screenshot")})
    if (!ok) return wrongUse(ok.error().message.en);
  return std::nullopt;
}

}  // namespace

std::optional<int> runCommand(int argc, const char* const* argv, WindowRequest& window) {
  CLI::App app("Posiscope, a lab for positional encodings. Without a command the window opens.", "posiscope");
  app.formatter(std::make_shared<HelpFormatter>());  // before the commands: they take it over
  app.footer(examples);
  app.set_version_flag("--version", "posiscope " POSISCOPE_VERSION);
  std::string thread_count;
  app.add_option("--threads", thread_count, thread_help)->type_name("N");
  app.add_option("files", window.files, "Models, arrays or sessions to open in the window");
  app.add_option("--session", window.session, "Session to open in the window")->type_name("FILE.json");
  app.add_option("--lang", window.language, "Language of the window: en or zh");
  app.add_option("--theme", window.theme, "light, dark or system");
  app.add_option("--screenshot", window.screenshot,
                 "Save a picture of the window, without a display if need be, and end")
      ->type_name("F.png");
  app.require_subcommand(0, 1);
  const std::vector<Command> commands{addSchemesCommand(app),   addPresetsCommand(app), addViewsCommand(app),
                                      addComputeCommand(app),   addFigureCommand(app),  addInspectCommand(app),
                                      addAttentionCommand(app), addHeadsCommand(app),   addLossCommand(app),
                                      addVerifyCommand(app),    addTrainCommand(app),   addSweepCommand(app),
                                      addMergeCommand(app),     addBenchCommand(app)};
  for (const Command& c : commands) addThreads(*c.app, thread_count);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    return app.exit(asked);
  } catch (const CLI::ExtrasError& problem) {  // how CLI11 reports
    return wrongUse(aboutExtras(app, problem));
  } catch (const CLI::RequiredError& problem) {
    return wrongUse(aboutRequired(app, problem));
  } catch (const CLI::ParseError& problem) {
    return wrongUse(problem.what());
  }
  if (Outcome ok = applyThreads(thread_count); !ok) return wrongUse(ok.error().message.en);
  return finish(commands, window);
}

Outcome checkDisplay(const WindowRequest& window) {
#if defined(__APPLE__) || defined(_WIN32)
  constexpr bool always_there = true;
#else
  constexpr bool always_there = false;
#endif
  const bool named =
      std::ranges::any_of(std::array{"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}, [](const char* name) {
        const char* value = std::getenv(name);
        return value && *value;
      });
  if (always_there || named || !window.screenshot.empty()) return {};
  return fail(ErrorCode::not_supported,
              "there is no display for the window (DISPLAY and WAYLAND_DISPLAY are not set); draw into a file instead "
              "with 'posiscope figure VIEW --out F.png' or 'posiscope --screenshot F.png'");
}

}  // namespace posiscope::cli
