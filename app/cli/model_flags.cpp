// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/model_flags.h"

#include "app/cli/param_flags.h"
#include "core/models/model.h"
#include "core/transformers/setting.h"
#include "core/transformers/tokens.h"

#include <charconv>
#include <filesystem>
#include <iostream>

namespace posiscope::cli {
namespace {

bool isThere(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

/// The ids of a file, or those that were typed.
Expected<std::vector<std::int64_t>> idsOf(const std::string& flag, const std::string& text, std::int64_t row) {
  if (text.ends_with(".npy") || isThere(text)) return transformers::readIds(text, row);
  if (row >= 0 && flag == "--tokens")
    return fail(ErrorCode::bad_value,
                join("--row ", row, " takes a row of a --tokens file, and these ids were typed: ", text));
  return transformers::parseIds(text, flag);
}

}  // namespace

Expected<std::int64_t> wholeOf(const std::string& flag, const std::string& text, std::int64_t least,
                               std::int64_t most) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    return fail(ErrorCode::bad_value, join(flag, " must be a whole number, got '", text, "'"));
  if (value < least || value > most)
    return fail(ErrorCode::out_of_range, join(flag, " must be ", least, " to ", most, ", got ", value));
  return value;
}

ModelFlags::ModelFlags(CLI::App& app) {
  const char* const group = "Model";
  app.add_option("--model", model_, "Folder of a trained model: config.json and .safetensors")
      ->type_name("DIR")
      ->required()
      ->group(group);
  app.add_option("--tokens", tokens_, "Token ids: an .npy or text file, or the ids themselves, such as 1,403,407")
      ->type_name("F.npy|IDS")
      ->required()
      ->group(group);
  app.add_option("--row", row_, "Which text of a --tokens array of several, from 0")->type_name("N")->group(group);
  app.add_option("--set", settings_,
                 "Turn a knob of the loaded model: rope.KEY=VALUE with a parameter of its encoding (posiscope schemes "
                 "lists them), or first_position=P; may be given several times")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false)
      ->group(group);
  app.add_option("--segments", segments_, "Segment of each token (BERT); default all 0")
      ->type_name("F.npy|IDS")
      ->group(group);
  app.add_option("--attention-mask", attention_mask_, "1 for each real token, 0 for padding; default all 1")
      ->type_name("F.npy|IDS")
      ->group(group);
}

Expected<ModelFlags::Loaded> ModelFlags::load(const Job& job) const {
  std::int64_t row = -1;
  if (!row_.empty()) {
    const Expected<std::int64_t> given = wholeOf("--row", row_, 0, std::int64_t{1} << 40);
    if (!given) return fail(given.error());
    row = *given;
  }
  if (models::findPreset(model_) && !isThere(model_))
    return fail(ErrorCode::bad_value, join("--model must be the folder of a trained model, got the known model ",
                                           model_, ", of which only shape and encoding are known, no weights"));
  Expected<transformers::Model> model = transformers::openModel(model_, job);
  if (!model) return fail(model.error());
  for (const Text& note : model->notes) std::cerr << note.en << '\n';
  for (const std::string& setting : settings_)
    if (Outcome ok = transformers::applySetting(*model, setting, readArrayFile); !ok) return fail(ok.error());
  for (const std::string& setting : settings_)
    for (const Text& idle : transformers::idleParts(*model, setting)) std::cerr << idle.en << '\n';

  Loaded loaded{*std::move(model), {}};
  for (const auto& [flag, text, to] : {std::tuple{"--tokens", &tokens_, &loaded.prompt.tokens},
                                       std::tuple{"--segments", &segments_, &loaded.prompt.segments}}) {
    if (text->empty()) continue;
    Expected<std::vector<std::int64_t>> ids = idsOf(flag, *text, row);
    if (!ids) return fail(ids.error());
    *to = *std::move(ids);
  }
  if (!attention_mask_.empty()) {
    const Expected<std::vector<std::int64_t>> ids = idsOf("--attention-mask", attention_mask_, row);
    if (!ids) return fail(ids.error());
    Expected<std::vector<std::uint8_t>> mask =
        realOrPadding("--attention-mask", std::vector<double>(ids->begin(), ids->end()));
    if (!mask) return fail(mask.error());
    loaded.prompt.attention_mask = *std::move(mask);
  }
  if (Outcome ok = transformers::checkPrompt(loaded.model, loaded.prompt); !ok) return fail(ok.error());
  const auto tokens = static_cast<std::int64_t>(loaded.prompt.tokens.size());
  if (Outcome ok = transformers::checkSettings(loaded.model, tokens); !ok) return fail(ok.error());
  for (const Text& warning : transformers::warningsOf(loaded.model, tokens))
    std::cerr << loaded.model.scheme.id << ": " << warning.en << '\n';
  return loaded;
}

}  // namespace posiscope::cli
