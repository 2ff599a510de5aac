// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/experiment_flags.h"

#include "app/cli/dump_flags.h"
#include "app/cli/idle_values.h"
#include "app/cli/unknown_name.h"
#include "core/aliases.h"
#include "core/files/reader.h"
#include "core/models/model.h"
#include "core/near_names.h"
#include "core/schemes/list.h"
#include "core/schemes/own_formula.h"
#include "core/session.h"
#include "core/transformers/tokens.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace posiscope::cli {
namespace {

/// Merges flags into a struct through its own table: the values it has, changed where a flag was given.
template <class P>
Outcome merge(const ParamTable<P>& table, const ParamFlags& flags, std::string_view owner, P& target) {
  const Expected<ParamValues> given = flags.values();
  if (!given) return fail(given.error());
  ParamValues values = table.values(target);
  for (const auto& [key, value] : *given) values[key] = value;
  Expected<P> result = table.read(owner, values);
  if (!result) return fail(result.error());
  target = *std::move(result);
  return {};
}

Expected<std::vector<std::uint8_t>> readPadding(const char* flag, const std::string& text) {
  const auto wrong = [&] {
    return fail(
        ErrorCode::bad_value,
        join(flag, " must be end:N, start:N, 1s and 0s with commas, @FILE.npy or @FILE.safetensors#TENSOR; got '", text,
             "'"));
  };
  std::vector<std::uint8_t> padding;
  if (text.starts_with('@')) {
    const Expected<Array> array = files::readArray(text.substr(1));
    if (!array) return fail(array.error());
    return realOrPadding(flag, {array->data(), static_cast<std::size_t>(array->size())});
  }
  for (std::size_t c = 0; c < text.size(); c += 2) {
    if (text[c] != '0' && text[c] != '1') return wrong();
    if (c + 1 < text.size() && text[c + 1] != ',') return wrong();
    padding.push_back(text[c] == '1');
  }
  if (padding.empty() || text.back() == ',') return wrong();
  return padding;
}

/// A whole number from 0; nothing for other text.
std::optional<std::int64_t> countIn(std::string_view text) {
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || end != text.data() + text.size() || count < 0) return std::nullopt;
  return count;
}

/// "end:3" or "start:3": how many tokens are padding, and where.
struct CountedPadding {
  Mask::Padding end;
  std::int64_t count;
};
std::optional<CountedPadding> countedPadding(std::string_view text) {
  for (const auto& [name, end] :
       {std::pair<std::string_view, Mask::Padding>{"end:", Mask::Padding::end}, {"start:", Mask::Padding::start}})
    if (const auto count = text.starts_with(name) ? countIn(text.substr(name.size())) : std::nullopt)
      return CountedPadding{end, *count};
  return std::nullopt;
}

/// Rules that exclude each other.
Outcome checkTogether(const Mask& mask, std::string_view text) {
  if (mask.side > 0 && (mask.causal || mask.window >= 0 || mask.chunk > 0))
    return fail(ErrorCode::bad_value,
                join("--mask shifted:SIDE goes with shift:N and prefix:N only; got '", text, "'"));
  if (mask.shift > 0 && mask.side == 0)
    return fail(ErrorCode::bad_value, join("--mask shift:N needs shifted:SIDE; got '", text, "'"));
  if (mask.side > 0 && mask.shift >= mask.side)
    return fail(ErrorCode::out_of_range,
                join("--mask shift:N must be 0 to ", mask.side - 1, " with shifted:", mask.side, ", got ", mask.shift));
  return {};
}

/// On stderr: stdout may be the numbers themselves.
void warnOfIdle(std::string_view owner, const std::vector<ParamSpec>& specs, const std::vector<std::string>& given,
                const ParamValues& values) {
  for (const std::string& sentence : idleValues(owner, specs, given, values)) std::cerr << sentence << '\n';
}

/// The parameters that the text of a scheme names. A part of a list in brackets names none.
std::vector<std::string> keysIn(std::string_view text, const std::string& id) {
  std::vector<std::string> keys;
  for (std::size_t comma = text.find(','); comma != std::string_view::npos; comma = text.find(',')) {
    text.remove_prefix(comma + 1);
    const std::string_view item = text.substr(0, text.find(','));
    if (const std::size_t equals = item.find('='); equals != std::string_view::npos)
      keys.push_back(resolveParam(id, item.substr(0, equals)));
  }
  return keys;
}

std::vector<std::string> schemeNames() {
  std::vector<std::string> names;
  for (const Scheme& s : schemes::catalogue()) names.push_back(s.id());
  return names;
}

}  // namespace

Outcome parseMask(std::string_view text, Mask& mask) {
  Mask parsed = withRules(mask, {});
  parsed.padding = mask.padding;  // flags of their own say what is padding
  parsed.padded_keys = mask.padded_keys;
  parsed.padded_queries = mask.padded_queries;
  const std::map<std::string_view, std::int64_t*> counts{{"window", &parsed.window},
                                                         {"prefix", &parsed.prefix},
                                                         {"chunk", &parsed.chunk},
                                                         {"shifted", &parsed.side},
                                                         {"shift", &parsed.shift}};
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view item = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(item.size() + 1, rest.size()));
    const std::size_t colon = std::min(item.find(':'), item.size());
    const auto counted = counts.find(item.substr(0, colon));
    const std::optional<std::int64_t> count = countIn(item.substr(std::min(colon + 1, item.size())));
    if (counted != counts.end() && count) {
      const std::string_view key = counted->first == "shifted" ? "side"
                                   : counted->first == "shift" ? "window_shift"
                                                               : counted->first;
      const ParamSpec* spec = findParam(maskTable().specs(), key);
      if (Outcome ok = checkValue("--mask", *spec, static_cast<double>(*count)); !ok) return ok;
      *counted->second = *count;
    } else if (item == "causal") {
      parsed.causal = true;
    } else if (item != "none") {
      return fail(ErrorCode::bad_value, join("--mask must be none, causal, window:N, prefix:N, chunk:N, shifted:SIDE, "
                                             "shift:N or several of them with commas; got '",
                                             text, "'"));
    }
  }
  if (Outcome ok = checkTogether(parsed, text); !ok) return ok;
  // A prefix means something only where other keys are hidden: alone it is the mask of a prefix language model.
  if (parsed.prefix > 0 && parsed.window < 0 && parsed.chunk == 0 && parsed.side == 0) parsed.causal = true;
  mask = std::move(parsed);
  return {};
}

ExperimentFlags::ExperimentFlags(CLI::App& app) {
  app.add_option(
         "--scheme", schemes_,
         "A scheme and what differs from its defaults; repeat it to compare. One of --scheme, --model, --session "
         "and --start must be given")
      ->type_name("ID[,key=value…]")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  app.add_option("--model", model_, "Shape and scheme of a known model (see presets) or of a model file")
      ->type_name("ID|PATH");
  app.add_option("--session", session_, "Start from a saved session")->type_name("FILE.json");
  app.add_flag("--start", start_, "Start from what the window shows at its first start");
  shape_.add(app, shapeTable().specs(), "Shape");
  for (const ParamSpec& spec : contentTable().specs())
    if (spec.key == "source")
      addSource(app, spec);
    else if (spec.key != "model")  // --model names it, with its shape and scheme
      content_.add(app, spec, flagName(spec.key), "Content");
  app.add_option(
         "--mask", mask_,
         "none, causal, window:N (|i − j| ≤ N; a sliding_window W that counts the query itself is N = W − 1), "
         "prefix:N (the first N keys are seen by all, also where another rule hides them; alone it makes the others "
         "causal), chunk:N, shifted:SIDE with shift:N (windows of the grid); with commas: causal,window:128")
      ->type_name("RULES")
      ->group("Mask");
  for (auto [flag, target] : {std::pair{"--key-padding", &key_padding_}, std::pair{"--query-padding", &query_padding_}})
    app.add_option(flag, *target,
                   "N padding tokens at the end or the start; or each: 1 = real token, 0 = padding; @FILE.npy or "
                   "@FILE.safetensors#TENSOR for many")
        ->type_name("end:N|start:N|1,1,0|@FILE")
        ->group("Mask");
  whole_.add(app, experimentTable().specs(), "Shape");
}

/// The window calls it a sentence; a session calls it tokens.
void ExperimentFlags::addSource(CLI::App& app, ParamSpec spec) {
  spec.help.en += " tokens: the sentence of --text, for which sentence may be written too.";
  content_.add(app, spec, "--content", "Content")->transform([](const std::string& word) {
    return word == "sentence" ? std::string("tokens") : word;
  });
}

Expected<Experiment> ExperimentFlags::startingPoint() const {
  Experiment e;
  if (isStart() && !session_.empty())
    return fail(ErrorCode::bad_value, "--start and --session each say what to start from: give one of them");
  if (isStart()) e = startExperiment();
  if (!session_.empty()) {
    Expected<session::Opened> opened = session::open(session_);
    if (!opened) return fail(opened.error());
    if (!opened->missing.empty())
      return fail(ErrorCode::file_missing, join(session_, ": ", opened->missing.front().where, " needs the file ",
                                                opened->missing.front().path, ", which is missing or has changed"));
    // The window goes on with a default and says so; numbers of something else than the file says would be taken for
    // its.
    if (!opened->rejected.empty()) return fail(ErrorCode::bad_value, opened->rejected.front().en);
    // On stderr: stdout may be the numbers themselves.
    for (const Text& note : opened->notes) std::cerr << note.en << '\n';
    e = std::move(opened->experiment);
  }
  return model_.empty() ? e : modelOn(e);
}

/// The model takes the place of what it says of the experiment.
Expected<Experiment> ExperimentFlags::modelOn(const Experiment& e) const {
  if (const models::Preset* preset = models::findPreset(model_)) return models::experimentOf(*preset);
  // One array of a file may be named behind '#'.
  if (!std::filesystem::exists(model_) && !std::filesystem::exists(model_.substr(0, model_.rfind('#')))) {
    std::vector<std::string> names;
    for (const models::Preset& p : models::presets()) names.push_back(p.id);
    return fail(unknownName("model file or preset", model_, names));
  }
  if (session::holdsSession(model_))
    return fail(ErrorCode::bad_value, join("--model must be a known model or a model file, got the session ", model_,
                                           "; start from it with --session ", model_));
  const Expected<models::Inspection> inspection = inspectDump(model_, content_);
  if (!inspection) return fail(inspection.error());
  // Some say that a field was not taken: whoever reads the numbers must know for which values they stand.
  std::vector<Text> notes = inspection->notes;
  const bool shows = !inspection->schemes.empty() || inspection->content || !schemes_.empty() || !e.schemes.empty();
  const Text last = notes.empty() ? Text{} : notes.back();
  if (!shows && !notes.empty()) notes.pop_back();
  for (const Text& note : notes) std::cerr << note.en << '\n';
  // Where nothing can be shown the last one says why: that a scheme is missing would lead astray.
  if (!shows && !last.en.empty()) return fail(ErrorCode::not_defined, last.en, last.zh);
  return models::experimentOf(*inspection, e);
}

Outcome ExperimentFlags::readSchemes(Experiment& e) const {
  if (!schemes_.empty()) e.schemes.clear();
  for (const std::string& text : schemes_) {
    const std::string id = text.substr(0, text.find(','));
    if (!resolveScheme(id)) return fail(unknownName("scheme", id, schemeNames()));
    Expected<SchemeChoice> choice = parseScheme(text, readArrayFile);
    if (!choice) return fail(choice.error());
    choice->colour = static_cast<int>(e.schemes.size());
    warnOfIdle(choice->id, schemes::paramsOf(*schemes::find(choice->id), choice->values), keysIn(text, choice->id),
               choice->values);
    e.schemes.push_back(*std::move(choice));
  }
  if (e.schemes.empty())
    return fail(ErrorCode::bad_value,
                "no scheme was given: add --scheme ID, for example --scheme rope,base=500000 (see posiscope schemes), "
                "or --model, --session or --start");
  return {};
}

Outcome ExperimentFlags::readShape(Experiment& e) const {
  if (Outcome ok = merge(shapeTable(), shape_, "shape", e.shape); !ok) return ok;
  const Expected<ParamValues> whole = whole_.values();
  if (!whole) return fail(whole.error());
  if (const auto length = whole->find("train_length"); length != whole->end())
    e.train_length = std::get<double>(length->second);
  return {};
}

Outcome ExperimentFlags::readContent(Experiment& e) const {
  std::vector<std::string> arrays;
  for (const ParamSpec& spec : contentTable().specs())
    if (spec.kind == ParamKind::array && spec.depends_values == std::vector<std::string>{"arrays"} &&
        content_.given(spec.key))
      arrays.push_back(flagName(spec.key));
  // Giving an array, attention, a sentence or token ids says where the content comes from.
  if (!content_.given("source")) {
    if (!arrays.empty()) e.content.source = ContentSource::arrays;
    if (content_.given("text")) e.content.source = ContentSource::tokens;
    for (const char* key : {"token_file", "token_ids", "segment_file", "segment_ids", "second_segment"})
      if (content_.given(key)) e.content.source = ContentSource::model;
    if (content_.given("attention")) e.content.source = ContentSource::attention;
  }
  if (Outcome ok = merge(contentTable(), content_, "content", e.content); !ok) return ok;
  if (content_.given("attention")) noteEmptyArraysOfDump(e.content);
  // The array says its sizes where nothing else does.
  const bool sized = shape_.given("seq_len") || shape_.given("seq_len_q") || shape_.given("num_heads");
  if (content_.given("attention") && !sized && model_.empty() && session_.empty()) takeSizesOfDump(e);
  if (arrays.empty() || e.content.source == ContentSource::arrays) {
    std::vector<std::string> given;
    for (const ParamSpec& spec : contentTable().specs())
      if (content_.given(spec.key)) given.push_back(spec.key);
    warnOfIdle("content", contentTable().specs(), given, contentTable().values(e.content));
    return {};
  }
  const ParamSpec& source = *findParam(contentTable().specs(), "source");
  return fail(ErrorCode::bad_value,
              join("--content ", valueText(valueOf(source, contentTable().values(e.content))), " does not use ",
                   listed(arrays, " and "), "; write --content arrays, or leave --content out"));
}

/// How many token ids the content has; 0 where they are not given, or not as whole numbers: the measure says so.
std::int64_t idsGiven(const ContentSpec& content) {
  if (!content.token_file.empty()) return content.token_file.size();
  const auto ids = transformers::parseIds(content.token_ids, "content");
  return ids ? std::ssize(*ids) : 0;
}

/// Without --seq-len the tokens say how many they are, up to the model's own length: a run of more is asked for.
Outcome ExperimentFlags::readLength(Experiment& e) const {
  if (content_.given("token_file") && e.content.token_file.empty())
    return fail(ErrorCode::bad_shape, "--token-file must hold at least one token id, got an empty array");
  if (!content_.given("token_file") && !content_.given("token_ids")) return {};
  if (shape_.given("seq_len") || e.content.source != ContentSource::model) return {};
  const std::int64_t ids = idsGiven(e.content);
  if (ids > e.shape.seq_len)
    std::cerr << "content: the first " << e.shape.seq_len << " of " << ids << " token ids are taken; --seq-len " << ids
              << " takes all\n";
  else if (ids > 0)
    e.shape.seq_len = ids;
  return {};
}

Outcome ExperimentFlags::readMask(Experiment& e) const {
  const bool dumped = content_.given("attention") && e.content.source == ContentSource::attention;
  if (!mask_.empty()) {
    if (e.content.source == ContentSource::attention && session_.empty()) e.mask = {};  // not beside what the file says
    if (Outcome ok = parseMask(mask_, e.mask); !ok) return ok;
    if (e.mask.side > 0 && e.shape.grid_height == 0 && e.shape.grid_width == 0)
      std::cerr << "--mask shifted:" << e.mask.side
                << ": the sizes have no grid, so the windows are cut along the line of tokens; --grid-height and "
                   "--grid-width make one\n";
  } else if (dumped && session_.empty()) {
    takeMaskOfDump(e);
  }
  std::optional<Mask::Padding> end;
  for (auto [flag, text, each, padded] :
       {std::tuple{"--key-padding", &key_padding_, &e.mask.key_padding, &e.mask.padded_keys},
        std::tuple{"--query-padding", &query_padding_, &e.mask.query_padding, &e.mask.padded_queries}}) {
    if (text->empty()) continue;
    each->clear();
    *padded = 0;
    if (const auto counted = countedPadding(*text)) {
      if (end && *end != counted->end)
        return fail(ErrorCode::bad_value, "--key-padding and --query-padding must count from the same end, got " +
                                              key_padding_ + " and " + query_padding_);
      if (counted->count > e.shape.keys())
        return fail(ErrorCode::out_of_range, join(flag, " must leave no more than the ", e.shape.keys(),
                                                  " tokens of the sequence as padding, got ", *text));
      end = e.mask.padding = counted->end;
      *padded = counted->count;
      continue;
    }
    Expected<std::vector<std::uint8_t>> padding = readPadding(flag, *text);
    if (!padding) return fail(padding.error());
    *each = *std::move(padding);
  }
  return {};
}

Expected<Experiment> ExperimentFlags::experiment() const {
  Expected<Experiment> e = startingPoint();
  if (!e) return e;
  for (const auto read : {&ExperimentFlags::readSchemes, &ExperimentFlags::readShape, &ExperimentFlags::readContent,
                          &ExperimentFlags::readLength, &ExperimentFlags::readMask})
    if (Outcome ok = (this->*read)(*e); !ok) return fail(ok.error());
  if (Outcome ok = checkExperiment(*e); !ok) return fail(ok.error());
  noteKindOfDump(e->content);
  return e;
}

std::string exampleFlags(const Measure& measure) {
  if (measure.examples.empty()) return " --scheme sinusoidal --scheme rope,base=500000 --scheme t5_log";
  std::string flags;
  for (const std::string& scheme : measure.examples) flags += " --scheme " + scheme;
  return flags;
}

}  // namespace posiscope::cli
