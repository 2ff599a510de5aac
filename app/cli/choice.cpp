// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/choice.h"

#include "app/cli/unknown_name.h"
#include "core/near_names.h"

#include <memory>
#include <utility>

namespace posiscope::cli {

std::function<std::optional<Error>()> addChoice(CLI::App& command, const std::string& kind,
                                                std::function<std::string(const std::string&)> elsewhere) {
  auto word = std::make_shared<std::string>();
  // A word that is no subcommand lands here, and its flags among the extras.
  command.add_option(kind, *word)->group("");
  command.allow_extras();
  command.require_subcommand(0, 1);
  return [&command, kind, word, elsewhere = std::move(elsewhere)]() -> std::optional<Error> {
    std::vector<std::string> names;
    for (const CLI::App* below : command.get_subcommands([](const CLI::App*) { return true; }))
      names.push_back(below->get_name());
    if (const std::string place = elsewhere ? elsewhere(*word) : std::string(); !place.empty())
      return Error{ErrorCode::unknown_name, {place, {}}};
    // `figure --lang zh similarity`: the flag's value is taken for the name, and the name is found after it.
    const bool flag_before = !command.get_subcommands().empty() && !command.remaining().empty();
    if (!word->empty() && !flag_before) return unknownName(kind, *word, names);
    if (!command.remaining().empty())
      return Error{ErrorCode::bad_value, {join("'", command.remaining().front(), "' must stand after the ", kind), {}}};
    if (command.get_subcommands().empty())
      return Error{ErrorCode::bad_value, {join(command.get_name(), " needs a ", kind, ": ", listed(names)), {}}};
    return std::nullopt;
  };
}

}  // namespace posiscope::cli
