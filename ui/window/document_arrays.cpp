// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The arrays of what is open: chosen, found again, one tensor of several.
#include "core/content_shape.h"
#include "core/files/array_notes.h"
#include "core/model_content.h"
#include "core/session_place.h"
#include "core/session_value.h"
#include "core/transformers/model.h"
#include "ui/state/edits.h"
#include "ui/window/document.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <QFileInfo>

namespace posiscope::ui {
namespace {

bool waitsFor(const Value& value, const std::string& file) {
  return isMissing(value) && std::get<Array>(value).source == file;
}

bool waitsFor(const ParamValues& values, const std::string& file) {
  return std::ranges::any_of(values, [&](const auto& entry) { return waitsFor(entry.second, file); });
}

bool schemesWaitFor(const Experiment& e, const std::string& file) {
  return std::ranges::any_of(e.schemes, [&](const SchemeChoice& choice) { return waitsFor(choice.values, file); });
}

/// Gives the array to the content and to every scheme that waits for the file.
Expected<Experiment> withFoundEverywhere(Experiment e, const std::string& file, const Array& array) {
  bool taken = false;
  for (const auto& [key, value] : contentTable().values(e.content)) {
    if (!waitsFor(value, file)) continue;
    Expected<Experiment> next = withArray(e, "content." + key, array);
    if (!next) return next;
    e = *std::move(next);
    taken = true;
  }
  if (taken && !schemesWaitFor(e, file)) return e;
  return withFound(std::move(e), file, array);
}

const std::string model_place = "content.model";

/// Does anything of the question wait for the file, or the folder of a model?
bool isAwaited(const Experiment& e, const session::MissingArray& missing) {
  const std::string& file = missing.path;
  if (missing.where == model_place) return e.content.model == file && isModelMissing(e.content);
  return schemesWaitFor(e, file) || waitsFor(contentTable().values(e.content), file);
}

/// An array of this shape. What schemes say to an array is about its shape alone, so that its numbers need not be read.
Array shaped(const files::TensorEntry& tensor) {
  static const auto one_number = std::make_shared<const std::vector<double>>(1);
  return {tensor.shape, one_number, tensor.name};
}

/// Those that will do first, the others with the reason; `put` is what would be done with the tensor.
std::vector<TensorChoice> choicesOf(const std::vector<files::TensorEntry>& tensors,
                                    const std::function<Outcome(const files::TensorEntry&)>& put,
                                    const std::function<QString(const Error&)>& sentence) {
  std::vector<TensorChoice> choices;
  for (const files::TensorEntry& tensor : tensors) {
    const Outcome ok = put(tensor);
    choices.push_back({tensor, ok ? QString() : sentence(ok.error())});
  }
  std::stable_partition(choices.begin(), choices.end(),
                        [](const TensorChoice& choice) { return choice.unfit.isEmpty(); });
  return choices;
}

Outcome checkReadable(const files::TensorEntry& tensor) {
  if (tensor.readable) return {};
  return fail(ErrorCode::file_type, join("numbers of the type ", tensor.dtype, " cannot be read"),
              join("无法读取 ", tensor.dtype, " 类型的数值"));
}

QString pathOf(const QString& file, const QString& tensor) { return file + QLatin1Char('#') + tensor; }

}  // namespace

std::vector<TensorChoice> tablesOf(const models::Inspection& inspection) {
  std::vector<TensorChoice> tables;
  if (inspection.kind != "safetensors" && inspection.kind != "npz") return tables;
  for (const files::TensorEntry& tensor : inspection.tensors) {
    const std::size_t rank = tensor.shape.size();
    const bool square = rank > 2 && rank <= 5 && tensor.shape[rank - 1] == tensor.shape[rank - 2];
    if (tensor.readable && (rank == 2 || square)) tables.push_back({tensor, {}});
  }
  return tables;
}

Document::ArrayPlace Document::placeOf(const std::string& where) const {
  ArrayPlace place{where, {}, 0, where.substr(where.find('.') + 1)};
  if (where.starts_with("content.")) return place;
  const auto& schemes = store_.experiment().schemes;
  std::size_t index = schemes.size();
  if (where.starts_with("schemes[")) std::from_chars(where.data() + 8, where.data() + where.size(), index);
  if (index >= schemes.size()) return place;
  place.scheme = schemes[index].id;
  place.colour = schemes[index].colour;
  return place;
}

/// Nothing when the scheme is gone.
std::optional<std::string> Document::whereNow(const ArrayPlace& place) const {
  if (place.scheme.empty()) return place.where;
  const auto& schemes = store_.experiment().schemes;
  const auto found = std::ranges::find_if(
      schemes, [&](const SchemeChoice& choice) { return choice.id == place.scheme && choice.colour == place.colour; });
  if (found == schemes.end()) return std::nullopt;
  return join("schemes[", found - schemes.begin(), "].", place.key);
}

void Document::replaceArray(const std::string& where, const QString& path) { readInto(placeOf(where), path); }

void Document::readInto(const ArrayPlace& place, const QString& path) {
  reader_.read(QFileInfo(path).fileName(), [this, place, path](const Job& job) -> BackgroundReader::TakeOver {
    const std::string file = path.toStdString();
    if (const auto tensors = files::tensorsToChooseFrom({}, file); !tensors.empty())
      return [this, place, path, tensors] {
        const auto put = [&](const files::TensorEntry& tensor) -> Outcome {
          if (Outcome ok = checkReadable(tensor); !ok) return ok;
          const Experiment& e = store_.experiment();
          if (place.scheme.empty()) return checkContentShape(place.key, tensor.shape, e.shape);
          if (auto next = withArray(e, whereNow(place).value_or(place.where), shaped(tensor)); !next)
            return fail(next.error());
          return {};
        };
        emit tensorWanted(path, choicesOf(tensors, put, [this](const Error& error) { return sentenceOf(error); }),
                          [this, place, path](const QString& tensor) { readInto(place, pathOf(path, tensor)); });
      };
    Expected<Array> array = files::readArray(file, job);
    if (array && !job.stopped()) session::digest(*array);  // every save asks for it: in this thread now, then known
    std::vector<Text> notes =
        array ? files::notesOn(*array, job, place.scheme.empty() ? numbersIn(place.key) : files::Numbers::real)
              : std::vector<Text>();
    return [this, place, array = std::move(array), notes = std::move(notes)] {
      putArray(place, array);
      tell(notes);
    };
  });
}

void Document::tell(const std::vector<Text>& notes) {
  if (!notes.empty()) emit noteFound(lines(sentences(notes)));
}

void Document::putArray(const ArrayPlace& place, const Expected<Array>& array) {
  emit openingDecided();
  const std::optional<std::string> where = whereNow(place);
  if (!where)
    return emit openingFailed([] { return tr("The scheme that the array was read for is not there any more."); });
  const Expected<Experiment> next =
      array.and_then([&](const Array& read) { return withArray(store_.experiment(), *where, read); });
  if (!next) return emit openingFailed(sentence(next.error()));
  store_.setExperiment(*next);
}

void Document::findArray(const session::MissingArray& missing, const QString& path) {
  reader_.read(QFileInfo(path).fileName(), [this, missing, path](const Job& job) -> BackgroundReader::TakeOver {
    const std::string file = path.toStdString();
    if (const auto tensors = files::tensorsToChooseFrom(missing.path, file); !tensors.empty())
      return [this, missing, path, tensors] {
        const auto put = [&](const files::TensorEntry& tensor) -> Outcome {
          if (Outcome ok = checkReadable(tensor); !ok) return ok;
          const Experiment& e = store_.experiment();
          if (missing.where.starts_with("content."))
            return checkContentShape(missing.where.substr(8), tensor.shape, e.shape);
          if (auto next = withFound(e, missing.path, shaped(tensor)); !next) return fail(next.error());
          return {};
        };
        emit tensorWanted(path, choicesOf(tensors, put, [this](const Error& error) { return sentenceOf(error); }),
                          [this, missing, path](const QString& tensor) { findArray(missing, pathOf(path, tensor)); });
      };
    Expected<Array> array = files::readArrayInPlaceOf(missing.path, file, job);
    if (array && !job.stopped()) session::digest(*array);
    std::vector<Text> notes =
        array ? files::notesOn(
                    *array, job,
                    missing.where.starts_with("content.") ? numbersIn(missing.where.substr(8)) : files::Numbers::real)
              : std::vector<Text>();
    return [this, missing, array = std::move(array), notes = std::move(notes)] {
      putFound(missing, array);
      tell(notes);
    };
  });
}

void Document::putFound(const session::MissingArray& missing, const Expected<Array>& array) {
  emit openingDecided();
  const Expected<Experiment> next =
      array.and_then([&](const Array& found) { return withFoundEverywhere(store_.experiment(), missing.path, found); });
  if (next) return store_.setExperiment(*next);
  // Where no scheme waits for the array any more there is nothing left to ask.
  if (array && next.error().code == ErrorCode::unknown_name) return emit openingFailed(sentence(next.error()));
  ask(missing, [this, place = session::placeName(missing.where, store_.experiment()), error = next.error()] {
    return tr("%1: %2").arg(sentenceOf(place), sentenceOf(error));
  });
}

void Document::askForModel() {
  const ContentSpec& content = store_.experiment().content;
  if (!isModelMissing(content)) return;
  session::MissingArray missing;
  missing.where = model_place;
  missing.path = content.model;
  ask(missing, [this, told = missingModel(content.model)] {
    return sentenceOf(told) + sentenceOf(Text{".", "。"});
  });
}

void Document::findModel(const session::MissingArray& missing, const QString& path) {
  reader_.read(QFileInfo(path).fileName(), [this, missing, path](const Job& job) -> BackgroundReader::TakeOver {
    const Expected<transformers::Model> model = transformers::openModel(path.toStdString(), job);
    const Outcome ok = model ? Outcome() : Outcome(fail(model.error()));
    return [this, missing, path, ok] { putModel(missing, path, ok); };
  });
}

void Document::putModel(const session::MissingArray& missing, const QString& path, const Outcome& ok) {
  emit openingDecided();
  if (!ok) return ask(missing, sentence(ok.error()));
  store_.setExperiment(withContentValue(store_.experiment(), "model", path.toStdString()));
}

void Document::ask(const session::MissingArray& missing, const Sentence& sentence) {
  constexpr std::size_t most_questions = 64;
  std::erase_if(questions_, [&](const FileQuestion& question) { return question.missing.path == missing.path; });
  if (questions_.size() == most_questions) questions_.erase(questions_.begin());
  questions_.push_back({missing, sentence});
  emit arrayMissing(missing, sentence);
}

void Document::followQuestions() {
  for (std::size_t q = 0; q < questions_.size(); ++q) {
    const bool awaited = isAwaited(store_.experiment(), questions_[q].missing);
    if (awaited == questions_[q].open) continue;
    questions_[q].open = awaited;
    const FileQuestion question = questions_[q];  // who is told may ask for more
    if (awaited)
      emit arrayMissing(question.missing, question.sentence);
    else
      emit arraySettled(QString::fromStdString(question.missing.path));
  }
}

}  // namespace posiscope::ui
