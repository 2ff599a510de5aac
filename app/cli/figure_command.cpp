// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// posiscope figure VIEW: the window's own drawing into a file, without a window.
#include "app/cli/choice.h"
#include "app/cli/command.h"
#include "app/cli/experiment_flags.h"
#include "app/cli/model_flags.h"
#include "app/cli/offscreen.h"
#include "app/cli/output_path.h"
#include "app/cli/remarks.h"
#include "app/cli/terminal_job.h"
#include "core/carried_models.h"
#include "core/compute.h"
#include "core/measures/list.h"
#include "core/near_names.h"
#include "core/question_text.h"
#include "core/session.h"
#include "core/transformers/vocabulary.h"
#include "ui/figures/figure.h"
#include "ui/tiles/presentation_json.h"
#include "ui/views/list.h"

#include <charconv>
#include <iostream>

namespace posiscope::cli {
namespace {

/// One view's part of the grammar; there is one for each entry of the catalogue.
struct ViewCommand {
  ViewCommand(CLI::App& figure, const ui::ViewKind& k)
      : kind(&k), app(figure.add_subcommand(k.id, k.title.en)), experiment(*app), options(k.id) {
    options.add(*app, k.options, "Options of " + k.id);
    app->add_option("--out", out, "File to draw")->type_name("F.svg|F.pdf|F.png")->required();
    app->add_option("--size", size, "Width and height in pixels of 1/96 inch; default 960x600")
        ->type_name("WxH")
        ->group("Figure");
    app->add_option("--dpi", dpi, "Dots per inch of a PNG, 24 to 1200; default 96")->type_name("N")->group("Figure");
    if (!findParam(k.options, "head"))
      app->add_option("--head", head, "The head that views of one head show, from 0; default 0, or the session's")
          ->type_name("N")
          ->group("Figure");
    app->add_option("--theme", theme, "light or dark; default light")->group("Figure");
    app->add_option("--lang", language, "en or zh; default en")->group("Figure");
    if (const Measure* measure = measures::find(k.measure))
      app->footer("Example:\n  posiscope figure " + k.id + exampleFlags(*measure) + " --seq-len 64 --out " + k.id +
                  ".svg");
  }

  const ui::ViewKind* kind;
  CLI::App* app;
  ExperimentFlags experiment;
  ParamFlags options;
  std::string out, size, dpi, theme, language, head;
};

bool parseWhole(std::string_view text, int minimum, int maximum, int& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && value >= minimum && value <= maximum;
}

Expected<ui::FigureOptions> readOptions(const ViewCommand& c) {
  ui::FigureOptions options;
  const std::size_t cross = std::min(c.size.find('x'), c.size.size());
  if (!c.size.empty() &&
      !(parseWhole(std::string_view(c.size).substr(0, cross), 64, 16384, options.width) && cross < c.size.size() &&
        parseWhole(std::string_view(c.size).substr(cross + 1), 64, 16384, options.height)))
    return fail(ErrorCode::bad_value,
                join("--size must be WxH with 64 to 16384 pixels each, such as 960x600; got '", c.size, "'"));
  if (!c.dpi.empty() && !parseWhole(c.dpi, 24, 1200, options.dpi))
    return fail(ErrorCode::out_of_range, join("--dpi must be a whole number from 24 to 1200, got '", c.dpi, "'"));
  for (const auto& [flag, word, allowed] : {std::tuple{"--theme", c.theme, std::vector<std::string>{"light", "dark"}},
                                            std::tuple{"--lang", c.language, std::vector<std::string>{"en", "zh"}}})
    if (!word.empty() && std::ranges::find(allowed, word) == allowed.end())
      return fail(ErrorCode::bad_value, join(flag, " must be ", listed(allowed, " or "), ", got '", word, "'"));
  return options;
}

/// The tile of the session or of the start that shows this view, with its options and zoom.
Outcome readSession(const ViewCommand& c, ui::ViewContext& context) {
  context.presentation = ui::startPresentation();
  const bool has_session = !c.experiment.session().empty();
  if (!has_session && !c.experiment.isStart()) return {};
  if (has_session) {
    const Expected<session::Opened> opened = session::open(c.experiment.session());
    if (!opened) return fail(opened.error());
    ui::ReadPresentation read =
        ui::readPresentation(opened->presentation, ui::startPresentation(), c.experiment.session());
    for (const Text& note : read.notes) std::cerr << note.en << '\n';
    context.presentation = std::move(read.presentation);
  }
  for (const ui::TileState& tile : context.presentation.tiles)
    if (tile.view == c.kind->id) {
      context.tile = tile;
      break;
    }
  return {};
}

/// In the window limits that make no sense are put aside for the moment of typing; here they are a mistake.
Outcome checkLimits(const ViewCommand& c, const ui::TileState& tile) {
  const ParamSpec* low = findParam(c.kind->options, "minimum");
  const ParamSpec* high = findParam(c.kind->options, "maximum");
  const ParamSpec* limits = findParam(c.kind->options, "limits");
  if (!low || !high || !limits) return {};
  if (valueOf(*limits, tile.options) != Value(std::string("typed"))) return {};
  const Value& minimum = valueOf(*low, tile.options);
  const Value& maximum = valueOf(*high, tile.options);
  if (std::get<double>(minimum) < std::get<double>(maximum)) return {};
  return fail(ErrorCode::out_of_range, join("--minimum must be below --maximum where the limits are typed, got ",
                                            valueText(minimum), " and ", valueText(maximum)));
}

/// In the window a number that a sequence has become too short for is moved; here it is a mistake, which the measure
/// names. Of options that a view takes over from its measure as they are: these mean the same to both.
void askAsTyped(const ui::ViewKind& kind, const ParamValues& typed, MeasureRequest& request) {
  const Measure* measure = measures::find(request.id);
  if (!measure) return;
  for (auto& [key, value] : request.options) {
    const auto own = typed.find(key);
    const ParamSpec* shown = findParam(kind.options, key);
    const ParamSpec* spec = findParam(measure->options, key);
    const bool same = shown && spec && shown->help == spec->help && shown->default_value == spec->default_value;
    if (same && own != typed.end() && own->second.index() == value.index()) value = own->second;
  }
}

/// What the window would show in one tile.
Expected<ui::ViewContext> contextOf(const ViewCommand& c, const Job& job) {
  ui::ViewContext context;
  Expected<Experiment> experiment = c.experiment.experiment();
  if (!experiment) return fail(experiment.error());
  Expected<ParamValues> options = c.options.values();
  if (!options) return fail(options.error());
  context.experiment = *std::move(experiment);
  if (Outcome ok = readSession(c, context); !ok) return fail(ok.error());
  if (!c.head.empty()) {
    const auto head = wholeOf("--head", c.head, 0, context.experiment.shape.num_heads - 1);
    if (!head) return fail(head.error());
    context.presentation.head = static_cast<int>(*head);
  }
  context.presentation.language = c.language == "zh" ? Language::chinese : Language::english;
  context.tile.view = c.kind->id;
  const bool typed = options->contains("limits") || options->contains("minimum") || options->contains("maximum");
  for (const auto& [key, value] : *options) context.tile.options[key] = value;
  if (const Outcome ok = checkLimits(c, context.tile); typed && !ok) return fail(ok.error());
  MeasureRequest request = c.kind->request(context.tile, context.presentation, context.experiment);
  askAsTyped(*c.kind, *options, request);
  Expected<std::shared_ptr<const Result>> result = compute({context.experiment, {request}}, job);
  if (!result) return fail(result.error());
  // In the window an error is a strip in the view; a file that shows one would be taken for a figure.
  for (const Answer& answer : (*result)->answers.front())
    if (!answer.dataset) return fail(answer.dataset.error());
  context.result = *std::move(result);
  context.measure = 0;
  if (c.kind->shows_pinned && context.presentation.pinned) {
    const Experiment& pinned = *context.presentation.pinned;
    const MeasureRequest before = c.kind->request(context.tile, context.presentation, pinned);
    result = compute({pinned, {before}}, job);
    if (!result) return fail(result.error());
    context.pinned = *std::move(result);
  }
  if (c.kind->derived)
    if (const auto derived = c.kind->derived(context); derived && !*derived) return fail(derived->error());
  return context;
}

/// A view that draws the selected scheme unless it is told to draw all says so where several were given.
void noteSchemesLeftOut(const ui::ViewKind& kind, const ui::ViewContext& context) {
  const ParamSpec* option = findParam(kind.options, "schemes");
  if (!option || context.tile.options.contains("schemes") || option->default_value != Value(std::string("selected")))
    return;
  const std::vector<SchemeChoice>& schemes = context.experiment.schemes;
  const auto selected = static_cast<std::size_t>(context.presentation.selected);
  const auto visible = std::ranges::count_if(schemes, &SchemeChoice::visible);
  if (visible < 2 || selected >= schemes.size()) return;
  std::cerr << "figure " << kind.id << ": only " << displayName(schemes[selected]).en << " is drawn, of " << visible
            << " schemes; --schemes all draws them all\n";
}

/// A picture that holds nothing but a sentence says it here as well: its file is not looked at by a script.
void noteNothingDrawn(const ui::ViewKind& kind, const ui::ViewContext& context) {
  const std::vector<SchemeChoice>& schemes = context.experiment.schemes;
  const std::vector<Answer>& answers = context.result->answers.front();
  std::string sentences;
  for (std::size_t s = 0; s < answers.size(); ++s) {
    if (!schemes[s].visible || !answers[s].dataset || !*answers[s].dataset) continue;
    const Dataset& dataset = **answers[s].dataset;
    if (dataset.nothing.en.empty() || !dataset.curves.empty() || !dataset.maps.empty()) return;
    sentences += join("figure ", kind.id, ": ", displayName(schemes[s], schemes).en, ": ", dataset.nothing.en) + '\n';
  }
  std::cerr << sentences;
}

/// What `compute` would say beside the numbers of the schemes that are drawn.
void noteRemarks(const ui::ViewKind& kind, const ui::ViewContext& context) {
  const Measure* measure = measures::find(kind.measure);
  const ParamSpec* option = findParam(kind.options, "schemes");
  const bool selected_alone = option && valueText(valueOf(*option, context.tile.options)) == "selected";
  const std::vector<SchemeChoice>& schemes = context.experiment.schemes;
  const std::vector<Answer>& answers = context.result->answers.front();
  for (std::size_t s = 0; s < answers.size(); ++s) {
    if (!schemes[s].visible || !answers[s].dataset || !*answers[s].dataset) continue;
    if (selected_alone && static_cast<int>(s) != context.presentation.selected) continue;
    const Dataset& dataset = **answers[s].dataset;
    if (dataset.nothing.en.empty())
      printRemarks(remarkOwner(context.experiment, schemeText(schemes[s])), dataset,
                   measure && measure->notes_tell_numbers);
  }
}

/// Where the words of a model's tokens cannot be had, the figure shows numbers in their place.
void noteVocabulary(const Experiment& experiment) {
  if (experiment.content.source != ContentSource::model) return;
  for (const Text& note : transformers::vocabularyNotes(carriedPlace(experiment.content.model)))
    std::cerr << note.en << '\n';
}

Expected<int> drawFigure(const ViewCommand& c) {
  if (Outcome ok = checkOutput(c.out, {".svg", ".pdf", ".png"}); !ok) return fail(ok.error());
  const Expected<ui::FigureOptions> options = readOptions(c);
  if (!options) return fail(options.error());
  TerminalJob terminal("figure " + c.kind->id);
  Expected<ui::ViewContext> context = contextOf(c, terminal.job());
  if (!context) return fail(context.error());
  terminal.aside([&] { noteSchemesLeftOut(*c.kind, *context); });
  if (terminal.job().stopped()) return fail(ErrorCode::cancelled, "figure: cancelled");
  const Offscreen drawing_needs_an_application(context->presentation.language);
  context->style = ui::makeStyle(c.theme == "dark", context->presentation.language);
  if (Outcome ok = ui::exportFigure(*c.kind, *context, QString::fromStdString(c.out), *options); !ok)
    return fail(ok.error());
  terminal.aside([&] {
    noteRemarks(*c.kind, *context);
    noteVocabulary(context->experiment);
    noteNothingDrawn(*c.kind, *context);
  });
  return 0;
}

}  // namespace

Command addFigureCommand(CLI::App& app) {
  CLI::App* figure = app.add_subcommand("figure", "Draw a view into an SVG, PDF or PNG file");
  auto commands = std::make_shared<std::vector<std::unique_ptr<ViewCommand>>>();
  for (const ui::ViewKind& kind : ui::viewCatalogue())
    commands->push_back(std::make_unique<ViewCommand>(*figure, kind));
  figure->footer(
      "posiscope figure VIEW --help shows the options of a view, posiscope views lists them. Where a scheme has "
      "nothing to draw the file holds the sentence that says why; it goes to stderr as well, and the exit code is 0."
      "\n\nExample:\n"
      "  posiscope figure attention_weights --scheme alibi --mask causal --out alibi.pdf --size 800x600");
  const auto unknown = addChoice(*figure, "view");
  return {figure, [commands, unknown]() -> Expected<int> {
            if (const std::optional<Error> problem = unknown()) return fail(*problem);
            for (const auto& command : *commands)
              if (command->app->parsed()) return drawFigure(*command);
            return fail(ErrorCode::unknown_name, "figure needs a view");
          }};
}

}  // namespace posiscope::cli
