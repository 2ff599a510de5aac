// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/document.h"

#include "core/files/reader.h"
#include "core/models/model.h"
#include "ui/state/edits.h"
#include "ui/state/presentation_json.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <algorithm>
#include <optional>

namespace posiscope::ui {
namespace {

bool isSession(const QString& path) {
  if (QFileInfo(path).suffix().toLower() != QLatin1String("json")) return false;
  const Expected<std::string> text = files::readText(path.toStdString());
  return text && text->find("\"posiscope_session\"") != std::string::npos;
}

/// What the file holds; nothing when it is gone.
std::optional<session::Opened> contentsOf(const QString& path) {
  if (path.isEmpty()) return std::nullopt;
  Expected<session::Opened> opened = session::open(path.toStdString());
  return opened ? std::optional(*std::move(opened)) : std::nullopt;
}

/// The visible parts belong to the pictures of what was open before.
void dropZooms(Store& store) {
  Presentation p = store.presentation();
  for (TileState& tile : p.tiles) tile.zoom.reset();
  store.setPresentation(std::move(p));
}

constexpr std::size_t most_openings = 20;

}  // namespace

Document::Document(Store& store, Settings& settings, QObject* parent)
    : QObject(parent), store_(store), settings_(settings) {
  connect(&store_, &Store::experimentChanged, this, &Document::followHistory);
}

void Document::rememberOpening(const Named& before) {
  if (before.experiment == store_.experiment()) return;  // nothing to undo
  openings_.push_back({before, now()});
  if (openings_.size() > most_openings) openings_.erase(openings_.begin());
}

// Undo and redo pass through the very questions before and after an opening.
void Document::followHistory() {
  const auto is = [this](const Named& named) { return named.name == name_ && named.path == path_; };
  const auto become = [this](const Named& named) {
    unknown_ = named.unknown;
    setName(named.name, named.path);
  };
  for (const auto& [before, after] : openings_) {
    if (is(after) && store_.experiment() == before.experiment) {
      become(before);
      emit openingUndone();
      return;
    }
    if (is(before) && store_.experiment() == after.experiment) return become(after);
  }
}

QString Document::sentenceOf(const Text& text) const {
  const Language language = store_.presentation().language;
  return QString::fromStdString(text.in(language).empty() ? text.en : text.in(language));
}

QString Document::sentenceOf(const Error& error) const {
  const bool chinese = store_.presentation().language == Language::chinese;
  if (chinese && error.message.zh.empty())
    return QString::fromStdString(describe(error.code).zh + "：" + error.message.en);
  return sentenceOf(error.message);
}

QString Document::name() const {
  return name_.isEmpty() ? QStringLiteral("llama-3.1-8b · ") + tr("compare scalings") : name_;
}

void Document::setName(const QString& name, const QString& path) {
  name_ = name;
  path_ = path;
  emit titleChanged();
}

void Document::open(const QString& path) {
  if (isSession(path))
    openSession(path);
  else
    openModel(path);
}

void Document::openSession(const QString& path) {
  const Expected<session::Opened> opened = session::open(path.toStdString());
  if (!opened) {
    settings_.removeRecentFile(path);
    emit problemFound(sentenceOf(opened.error()));
    return;
  }
  const Named before = now();
  takeOver(*opened);
  store_.markSaved();
  settings_.addRecentFile(path);
  setName(QFileInfo(path).completeBaseName(), path);
  rememberOpening(before);
}

void Document::takeOver(const session::Opened& opened) {
  unknown_ = opened.unknown;
  store_.setExperiment(opened.experiment);
  store_.setPresentation(readPresentation(opened.presentation, store_.presentation()));
  QStringList notes;
  for (const Text& note : opened.notes) notes.append(sentenceOf(note));
  emit noteFound(notes.join(QLatin1Char('\n')));
  for (const session::MissingArray& missing : opened.missing) {
    const QString where = QString::fromStdString(missing.where);
    const QString file = QString::fromStdString(missing.path);
    emit arrayMissing(missing, missing.changed ? tr("%1: the file %2 has changed since the session was saved.").arg(where, file)
                                               : tr("%1: the file %2 is not there any more.").arg(where, file));
  }
}

void Document::openModel(const QString& path) {
  const Expected<models::Inspection> found = models::inspect(path.toStdString());
  if (!found) {
    settings_.removeRecentFile(path);
    emit problemFound(sentenceOf(found.error()));
    return;
  }
  QStringList notes;
  for (const Text& note : found->notes) notes.append(sentenceOf(note));
  settings_.addRecentFile(path);
  if (found->schemes.empty()) {
    notes.append(tr("%1 holds nothing that tells which positional encoding it uses.").arg(path));
    emit noteFound(notes.join(QLatin1Char('\n')));
    return;
  }
  const Named before = now();
  store_.setExperiment(models::experimentOf(*found, store_.experiment()));
  store_.endGesture();
  dropZooms(store_);
  QFileInfo file(path);
  if (file.fileName() == QLatin1String("config.json")) file = QFileInfo(file.absolutePath());
  unknown_ = "{}";
  setName(file.completeBaseName().isEmpty() ? file.fileName() : file.completeBaseName(), {});
  rememberOpening(before);
  notes.prepend(replacement(before.experiment, found->schemes.size()));
  for (const Text& reason : found->reasons) notes.append(sentenceOf(reason));
  emit noteFound(notes.join(QLatin1Char('\n')));
}

QString Document::replacement(const Experiment& before, std::size_t count) const {
  const Language language = store_.presentation().language;
  const auto names = [&](std::size_t begin, std::size_t end, auto&& wanted) {
    QStringList list;
    for (std::size_t i = begin; i < std::min(end, before.schemes.size()); ++i)
      if (wanted(before.schemes[i]))
        list.append(QString::fromStdString(displayName(before.schemes[i], before.schemes).in(language)));
    return list.join(tr(", "));
  };
  // A scheme that stays keeps its id and values; only its colour may change.
  const auto gone = [&](const SchemeChoice& choice) {
    return std::ranges::none_of(store_.experiment().schemes, [&](const SchemeChoice& now) {
      return now.id == choice.id && now.values == choice.values && now.label == choice.label;
    });
  };
  const QString replaced = names(0, count, [](const SchemeChoice&) { return true; });
  const QString dropped = names(count, before.schemes.size(), gone);
  if (replaced.isEmpty()) return tr("%1 opened.").arg(name_);
  if (!dropped.isEmpty())
    return tr("%1 opened in place of %2; its sizes do not allow %3, which went too.").arg(name_, replaced, dropped);
  if (before.schemes.size() <= count) return tr("%1 opened in place of %2.").arg(name_, replaced);
  return tr("%1 opened in place of %2; the other schemes stay.").arg(name_, replaced);
}

void Document::openPreset(const std::string& id) {
  const models::Preset* preset = models::findPreset(id);
  if (!preset) return;
  Experiment e = models::experimentOf(*preset);
  e.content = store_.experiment().content;
  const Named before = now();
  store_.setExperiment(std::move(e));
  dropZooms(store_);
  unknown_ = "{}";
  setName(QString::fromStdString(preset->name), {});
  rememberOpening(before);
}

void Document::openStart() {
  const Named before = now();
  store_.setExperiment(startExperiment());
  dropZooms(store_);
  unknown_ = "{}";
  setName({}, {});
  rememberOpening(before);
}

bool Document::saveAs(const QString& path) {
  const Outcome saved = session::save(path.toStdString(), store_.experiment(), presentationText(store_.presentation()), unknown_);
  if (!saved) {
    emit problemFound(sentenceOf(saved.error()));
    return false;
  }
  store_.markSaved();
  settings_.addRecentFile(path);
  setName(QFileInfo(path).completeBaseName(), path);
  keepLast();  // else a crash would bring this back under the name it had before
  return true;
}

bool Document::restoreLast() {
  const QString path = Settings::lastSessionPath();
  if (!QFile::exists(path)) return false;
  const Expected<session::Opened> opened = session::open(path.toStdString());
  if (!opened) {
    emit problemFound(sentenceOf(opened.error()));
    return false;
  }
  openings_.clear();
  takeOver(*opened);
  const Presentation presentation = store_.presentation();
  const QString file = settings_.lastFile();
  const std::optional<session::Opened> saved = contentsOf(file);
  if (saved) {
    store_.reset(saved->experiment, readPresentation(saved->presentation, presentation));
    store_.markSaved();
    store_.setExperiment(opened->experiment);  // modified when the file holds another; undo leads to what it holds
    store_.setPresentation(presentation);
  } else {
    store_.reset(opened->experiment, presentation);
  }
  setName(saved ? QFileInfo(file).completeBaseName() : tr("last session"), saved ? file : QString());
  return true;
}

void Document::keepLast() {
  const Outcome saved = session::save(Settings::lastSessionPath().toStdString(), store_.experiment(),
                                      presentationText(store_.presentation()), unknown_);
  if (saved)
    settings_.setLastFile(path_);
  else
    emit problemFound(sentenceOf(saved.error()));
}

void Document::replaceArray(const std::string& where, const QString& path) {
  const Expected<Experiment> next = files::readArray(path.toStdString()).and_then([&](const Array& array) {
    return withArray(store_.experiment(), where, array);
  });
  if (next)
    store_.setExperiment(*next);
  else
    emit problemFound(sentenceOf(next.error()));
}

void Document::findArray(const session::MissingArray& missing, const QString& path) {
  const Expected<Array> array = files::readArrayInPlaceOf(missing.path, path.toStdString());
  const Expected<Experiment> next = array.and_then([&](const Array& found) {
    return missing.where.starts_with("content.") ? withArray(store_.experiment(), missing.where, found)
                                                 : withFound(store_.experiment(), missing.path, found);
  });
  if (next) return store_.setExperiment(*next);
  const QString sentence = sentenceOf(next.error());
  // Where no scheme waits for the array any more there is nothing left to ask.
  if (array && next.error().code == ErrorCode::unknown_name) return emit problemFound(sentence);
  emit arrayMissing(missing, tr("%1: %2").arg(QString::fromStdString(missing.where), sentence));
}

}  // namespace posiscope::ui
