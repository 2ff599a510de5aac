// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// posiscope verify MANIFEST…: the program's own numbers against reference data.
#include "app/cli/cli.h"
#include "app/cli/command.h"
#include "app/cli/terminal_job.h"
#include "core/aliases.h"
#include "core/steps.h"
#include "core/verify.h"

#include <iostream>
#include <sstream>

namespace posiscope::cli {
namespace {

struct Verification {
  std::vector<std::string> manifests;
  std::string schemes;  ///< names with commas
  const CLI::Option* schemes_given = nullptr;
  bool only_supported = false;
  bool in_double = false;
};

void printCase(const verify::CaseReport& c) {
  const char* const words[] = {"PASS", "FAIL", "SKIP"};
  std::cout << words[static_cast<int>(c.state)];
  if (!c.id.empty()) std::cout << ' ' << c.id;
  if (!c.scheme.empty() || !c.quantity.empty()) std::cout << ' ' << c.scheme << '/' << c.quantity;
  if (!c.line.empty() && c.line != "refusal")
    std::cout << join(" error ", c.largest_error, " tol ", c.tolerance, " (", c.line, ", ", c.kernel, ")");
  if (c.line == "refusal") std::cout << " (refusal, " << c.kernel << ")";
  if (!c.note.empty()) std::cout << ": " << c.note;
  std::cout << '\n' << std::flush;  // who waits sees each case as it is done
}

std::vector<std::string> splitAtCommas(const std::string& text) {
  std::vector<std::string> items;
  std::istringstream stream(text);
  for (std::string item; std::getline(stream, item, ',');)
    if (!item.empty()) items.push_back(item);
  return items;
}

/// What all manifests gave together.
struct Sum {
  int passed = 0;
  int failed = 0;
  int unsupported = 0;
  std::vector<std::string> unmet;  ///< words of --schemes that no case had
};

Expected<Sum> compareAll(const Verification& v) {
  const verify::Options options{splitAtCommas(v.schemes),
                                v.in_double ? verify::Precision::double_ : verify::Precision::single};
  // No names at all would mean every scheme, which is not what somebody who gives the option asks for.
  if (v.schemes_given->count() > 0 && options.schemes.empty())
    return fail(ErrorCode::bad_value,
                join("--schemes must be one or more names with commas, such as rope,alibi; got '", v.schemes, "'"));
  Sum sum;
  sum.unmet = options.schemes;
  TerminalJob terminal("verify");
  Steps steps(terminal.job(), v.manifests.size());
  for (const std::string& manifest : v.manifests) {
    const auto tell = [&](const verify::CaseReport& c) {
      std::erase_if(sum.unmet, [&](const std::string& name) { return verify::isMeant(name, c.scheme); });
      if (c.state != verify::State::unsupported || !v.only_supported) terminal.aside([&] { printCase(c); });
    };
    const Expected<verify::Report> report = verify::run(manifest, options, steps.next(), tell);
    if (!report) return fail(report.error());
    sum.passed += report->passed;
    sum.failed += report->failed;
    sum.unsupported += report->unsupported;
  }
  // A scheme without cases here is one thing, a word that names none another.
  std::erase_if(sum.unmet, [](const std::string& name) { return resolveScheme(name).has_value(); });
  return sum;
}

Expected<int> runVerification(const Verification& v) {
  const Expected<Sum> sum = compareAll(v);
  if (!sum) return fail(sum.error());
  for (const std::string& name : sum->unmet)
    std::cerr << "posiscope: --schemes: '" << name
              << "' is neither a scheme of this version nor a name in the manifests\n";
  std::cout << sum->passed << " passed, " << sum->failed << " failed, " << sum->unsupported << " unsupported\n";
  const bool compared = sum->passed + sum->failed > 0;
  const bool complete = (sum->unsupported == 0 || v.only_supported) && sum->unmet.empty();
  return sum->failed == 0 && compared && complete ? 0 : exit_difference;
}

}  // namespace

Command addVerifyCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand("verify", "Compare the program's numbers with reference data");
  auto v = std::make_shared<Verification>();
  command->add_option("manifests", v->manifests, "manifest.json of each set")->required();
  command->add_flag("--only-supported", v->only_supported, "Cases this version does not compute are no failure");
  v->schemes_given = command->add_option("--schemes", v->schemes, "Only these schemes")->type_name("A,B,…");
  command->add_flag("--double", v->in_double, "Compute in double precision and compare at the f64 tolerances");
  command->footer(
      "Exit code 1 when a case differs, when one is not supported (unless --only-supported), when nothing was "
      "compared, and when --schemes names something unknown.\n\nExamples:\n"
      "  posiscope verify --only-supported tests/data/reference/manifest.json\n"
      "  posiscope verify tests/data/reference_bias/manifest.json --schemes alibi,t5_log --double");
  return {command, [v] { return runVerification(*v); }};
}

}  // namespace posiscope::cli
