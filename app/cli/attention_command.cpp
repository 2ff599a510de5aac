// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// posiscope attention: the true attention of a layer of a trained model, as numbers or drawn.
#include "app/cli/command.h"
#include "app/cli/model_flags.h"
#include "app/cli/offscreen.h"
#include "app/cli/output_path.h"
#include "app/cli/remarks.h"
#include "app/cli/terminal_job.h"
#include "core/attention/head_inputs.h"
#include "core/compute.h"
#include "core/files/npy_writer.h"
#include "core/token_names.h"
#include "core/transformers/layer_experiment.h"
#include "core/transformers/vocabulary.h"
#include "ui/figures/figure.h"
#include "ui/tiles/presentation_json.h"
#include "ui/views/list.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace posiscope::cli {
namespace {

struct AttentionFlags {
  explicit AttentionFlags(CLI::App& app) : model(app) {
    app.add_option("--layer", layer, "The layer, from 0")->type_name("N")->required();
    app.add_option("--head", head, "One head, from 0: the array is [tokens, tokens]; else [heads, tokens, tokens]")
        ->type_name("H");
    app.add_option("--quantity", quantity,
                   "What is written: weights; logits before mask and softmax; q, k or v of the layer as projected, "
                   "before any rotation, [heads or key heads, tokens, head_dim]; hidden, the state after the layer, "
                   "[tokens, d_model]. weights|logits|q|k|v|hidden; the last four as .npy only; default weights")
        ->type_name("WORD");
    app.add_flag("--logits", logits, "The same as --quantity logits");
    app.add_flag("--single", single, "Write .npy in single precision");
    app.add_option("--out", out, "File to write or draw")->type_name("F.npy|F.svg|F.pdf|F.png")->required();
  }

  ModelFlags model;
  std::string layer, head, quantity, out;
  bool logits = false;
  bool single = false;
};

enum class Quantity { weights, logits, q, k, v, hidden };

bool isAttention(Quantity quantity) { return quantity == Quantity::weights || quantity == Quantity::logits; }

Expected<Quantity> quantityOf(const AttentionFlags& flags) {
  constexpr std::array<std::string_view, 6> words{"weights", "logits", "q", "k", "v", "hidden"};
  if (flags.quantity.empty()) return flags.logits ? Quantity::logits : Quantity::weights;
  const auto word = std::ranges::find(words, flags.quantity);
  if (word == words.end())
    return fail(ErrorCode::bad_value,
                join("--quantity must be weights, logits, q, k, v or hidden, got '", flags.quantity, "'"));
  const auto quantity = static_cast<Quantity>(word - words.begin());
  if (flags.logits && quantity != Quantity::logits)
    return fail(ErrorCode::bad_value,
                join("--logits asks for the logits and --quantity for ", flags.quantity, ": one of the two must go"));
  if (!isAttention(quantity) && !flags.out.ends_with(".npy"))
    return fail(ErrorCode::bad_value,
                join("--out must end in .npy for --quantity ", flags.quantity, ", got '", flags.out, "'"));
  if (quantity == Quantity::hidden && !flags.head.empty())
    return fail(ErrorCode::bad_value, "--head names a part of the attention; --quantity hidden has no heads");
  return quantity;
}

Expected<std::optional<std::int64_t>> headOf(const AttentionFlags& flags, const Shape& shape) {
  if (flags.head.empty()) return std::optional<std::int64_t>{};
  const Expected<std::int64_t> head = wholeOf("--head", flags.head, 0, shape.num_heads - 1);
  if (!head) return fail(head.error());
  return std::optional<std::int64_t>{*head};
}

Outcome writeArray(const AttentionFlags& flags, const std::vector<std::int64_t>& shape,
                   std::span<const double> numbers) {
  Expected<files::NpyWriter> file = files::NpyWriter::open(flags.out, shape, flags.single);
  if (!file) return fail(file.error());
  if (Outcome ok = file->write(numbers); !ok) return ok;
  return file->commit();
}

/// In double: the numbers are the model's, not those of a screen.
Outcome writeNumbers(const AttentionFlags& flags, Quantity quantity, const transformers::LayerTrace<double>& layer,
                     bool one_head) {
  const attention::Attention<double>& found = layer.attention;
  std::vector<std::int64_t> shape{found.queries, found.keys};
  if (!one_head) shape.insert(shape.begin(), found.heads);
  return writeArray(flags, shape, quantity == Quantity::logits ? found.logits : found.weights);
}

/// q, k or v: of all heads, or of the one that the head has.
Outcome writeProjection(const AttentionFlags& flags, Quantity quantity, const transformers::LayerTrace<double>& layer,
                        const Shape& model, std::optional<std::int64_t> head) {
  const bool queries = quantity == Quantity::q;
  const std::vector<double>& all = queries ? layer.q : quantity == Quantity::k ? layer.k : layer.v;
  const std::int64_t heads = queries ? model.num_heads : model.kvHeads();
  const std::int64_t numbers = std::ssize(all) / heads;
  const std::int64_t tokens = numbers / model.head_dim;
  if (!head) return writeArray(flags, {heads, tokens, model.head_dim}, all);
  const std::int64_t own = queries ? *head : attention::keyHead(model, *head);
  return writeArray(flags, {tokens, model.head_dim},
                    std::span(all).subspan(static_cast<std::size_t>(own * numbers), static_cast<std::size_t>(numbers)));
}

/// What zeros and NaN alone do not tell.
void noteRows(Quantity quantity, const attention::Attention<double>& found) {
  const bool logits = quantity == Quantity::logits;
  if (!logits) noteEmptyRows("attention", found.empty_rows, found.queries, "their weights are all 0.");
  const std::vector<double>& numbers = logits ? found.logits : found.weights;
  std::int64_t damaged = 0;
  for (std::size_t begin = 0; begin < numbers.size(); begin += static_cast<std::size_t>(found.keys))
    damaged += std::ranges::any_of(std::span(numbers).subspan(begin, static_cast<std::size_t>(found.keys)),
                                   [](double number) { return std::isnan(number); })
                   ? 1
                   : 0;
  noteDamaged("attention", damaged, found.heads * found.queries, "rows hold NaN");
}

/// Rows of a picture with a number that is none: they are drawn in a colour of their own, which a script does not see.
void noteDrawnRows(const Result& result) {
  std::int64_t damaged = 0, all = 0;
  for (const Answer& answer : result.answers.front())
    for (const Map& map : (*answer.dataset)->maps) {
      const float* values = map.field->stored();
      if (!values) continue;
      all += map.field->rows();
      for (std::int64_t row = 0; row < map.field->rows(); ++row, values += map.field->cols())
        damaged += std::any_of(values, values + map.field->cols(), [](float v) { return std::isnan(v); }) ? 1 : 0;
    }
  noteDamaged("attention", damaged, all, "rows hold NaN");
}

/// The answers with their tokens named as the vocabulary beside the model has them, else by their ids: the layer's q
/// and k alone do not know them.
std::shared_ptr<const Result> named(const Result& result, const ModelFlags::Loaded& loaded) {
  // A vocabulary that cannot be read leaves the ids, as in the window.
  for (const Text& note : transformers::vocabularyNotes(loaded.model.path)) std::cerr << note.en << '\n';
  const Expected<transformers::Vocabulary> vocabulary = transformers::vocabularyBeside(loaded.model.path);
  const std::vector<std::string> words =
      transformers::labelsOf(vocabulary ? *vocabulary : transformers::Vocabulary{}, loaded.prompt.tokens);
  auto copy = std::make_shared<Result>(result);
  for (Answer& answer : copy->answers.front()) {
    Dataset dataset = **answer.dataset;
    nameTokens(dataset, words, answer.question.shape);
    answer.dataset = std::make_shared<const Dataset>(std::move(dataset));
  }
  return copy;
}

/// The window's own view of attention, on the layer's q and k.
Outcome draw(const AttentionFlags& flags, Quantity quantity, const ModelFlags::Loaded& loaded,
             const transformers::LayerTrace<double>& layer, std::optional<std::int64_t> head, const Job& job) {
  const Expected<Experiment> experiment = transformers::layerExperiment(loaded.model, loaded.prompt, layer);
  if (!experiment) return fail(experiment.error());
  const auto& kinds = ui::viewCatalogue();
  const auto kind = std::ranges::find(kinds, std::string("attention_weights"), &ui::ViewKind::id);
  ui::ViewContext context;
  context.experiment = *experiment;
  SchemeChoice& choice = context.experiment.schemes.front();
  choice.label = join(displayName(choice).en, " · layer ", layer.layer);
  if (head) choice.label += join(" · head ", *head);
  context.presentation = ui::startPresentation();
  context.presentation.language = Language::english;
  context.presentation.head = static_cast<int>(head.value_or(0));
  context.tile.view = kind->id;
  context.tile.options["heads"] = std::string(head ? "one" : "all");
  context.tile.options["quantity"] = std::string(quantity == Quantity::logits ? "logits" : "weights");
  context.tile.options["tokens"] = static_cast<double>(experiment->shape.seq_len);
  const MeasureRequest request = kind->request(context.tile, context.presentation, context.experiment);
  Expected<std::shared_ptr<const Result>> result = compute({context.experiment, {request}}, job);
  if (!result) return fail(result.error());
  for (const Answer& answer : (*result)->answers.front())
    if (!answer.dataset) return fail(answer.dataset.error());
  context.result = named(**result, loaded);
  context.measure = 0;
  const Offscreen drawing_needs_an_application(Language::english);
  context.style = ui::makeStyle(false, Language::english);
  if (Outcome ok = ui::exportFigure(*kind, context, QString::fromStdString(flags.out), {}); !ok) return ok;
  noteDrawnRows(*context.result);
  return {};
}

Expected<int> runAttention(const AttentionFlags& flags) {
  if (Outcome ok = checkOutput(flags.out, {".npy", ".svg", ".pdf", ".png"}); !ok) return fail(ok.error());
  const Expected<Quantity> quantity = quantityOf(flags);
  if (!quantity) return fail(quantity.error());
  TerminalJob terminal("run the model");
  const Expected<ModelFlags::Loaded> loaded = flags.model.load(terminal.job().part(0, 0.1));
  if (!loaded) return fail(loaded.error());
  const Shape& shape = loaded->model.shape;
  const Expected<std::int64_t> layer = wholeOf("--layer", flags.layer, 0, shape.num_layers - 1);
  if (!layer) return fail(layer.error());
  const Expected<std::optional<std::int64_t>> head = headOf(flags, shape);
  if (!head) return fail(head.error());
  const bool numbers = flags.out.ends_with(".npy");
  const bool hidden = *quantity == Quantity::hidden;
  transformers::Wanted wanted{.layers = {*layer}};
  if (*head) wanted.heads = {**head};
  wanted.projections = !numbers || (!hidden && !isAttention(*quantity));
  wanted.attention_logits = numbers && *quantity == Quantity::logits;
  wanted.attention_weights = numbers && *quantity == Quantity::weights;
  wanted.hidden = hidden;
  const auto trace = transformers::run<double>(loaded->model, loaded->prompt, wanted, terminal.job().part(0.1, 0.8));
  if (!trace) return fail(trace.error());
  const auto write = [&]() -> Outcome {
    if (hidden) {
      const Table<double>& state = trace->hidden[static_cast<std::size_t>(*layer) + 1];  // the embeddings come first
      return writeArray(flags, {state.rows, state.cols}, state.values);
    }
    const transformers::LayerTrace<double>& found = trace->layers.front();
    if (!isAttention(*quantity)) return writeProjection(flags, *quantity, found, shape, *head);
    if (!numbers) return draw(flags, *quantity, *loaded, found, *head, terminal.job().part(0.8, 1));
    return writeNumbers(flags, *quantity, found, head->has_value());
  };
  if (Outcome ok = write(); !ok) return fail(ok.error());
  if (numbers && isAttention(*quantity)) terminal.aside([&] { noteRows(*quantity, trace->layers.front().attention); });
  return 0;
}

}  // namespace

Command addAttentionCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand("attention", "Run a trained model and write or draw the attention of a layer");
  auto flags = std::make_shared<AttentionFlags>(*command);
  command->footer(
      "Examples:\n  posiscope attention --model model/ --tokens tokens.npy --layer 1 --out weights.npy\n"
      "  posiscope attention --model model/ --tokens 1,4,2 --layer 0 --head 2 --set rope.factor=4 --set "
      "rope.scaling=ntk --out head.svg\n"
      "  posiscope attention --model model/ --tokens tokens.npy --layer 1 --quantity q --out q.npy");
  return {command, [flags] { return runAttention(*flags); }};
}

}  // namespace posiscope::cli
