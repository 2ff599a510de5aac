// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/document.h"

#include "core/carried_models.h"
#include "core/model_content.h"
#include "core/models/model.h"
#include "core/session_place.h"
#include "core/train/comparison_record.h"
#include "core/transformers/vocabulary.h"
#include "ui/tiles/presentation_json.h"
#include "ui/window/given_views.h"

#include <algorithm>
#include <optional>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <utility>

namespace posiscope::ui {
namespace {

/// In the place of a name: that of the last session, which is translated when it is shown. No file is called so.
constexpr QLatin1String last_session("/");

/// As a person calls it.
QString nameOf(const QString& path) { return QFileInfo(QDir::cleanPath(path)).fileName(); }

/// A sentence about a file that the sentence before it has named already.
QString withoutName(const QString& sentence, const QString& name) {
  for (const QString& mark : {QStringLiteral(": "), QStringLiteral("："), QStringLiteral(" ")})
    if (sentence.startsWith(name + mark)) return sentence.mid(name.size() + mark.size());
  return sentence;
}

/// What the file holds; nothing when it is gone.
std::optional<session::Opened> contentsOf(const QString& path) {
  if (path.isEmpty()) return std::nullopt;
  Expected<session::Opened> opened = session::open(path.toStdString());
  return opened ? std::optional(*std::move(opened)) : std::nullopt;
}

/// The visible parts belong to the pictures of what was open before.
Presentation withoutZooms(Presentation p) {
  for (TileState& tile : p.tiles) tile.zoom.reset();
  return p;
}

/// Can the attention of the opened model be had, and is not shown yet?
bool offersAttention(const models::Inspection& found, const Experiment& e) {
  return !e.content.model.empty() && e.content.model == carriedName(found.path) &&
         e.content.source != ContentSource::model && canRunModel(found.model_type) && found.schemes.size() == 1;
}

constexpr std::size_t most_openings = 20;

}  // namespace

Document::Document(Store& store, Settings& settings, QObject* parent)
    : QObject(parent), store_(store), settings_(settings) {
  connect(&store_, &Store::steppedThrough, this, &Document::followHistory);
  connect(&store_, &Store::experimentChanged, this, &Document::followQuestions);
}

void Document::rememberOpening(const Named& before) {
  if (before.experiment == store_.experiment()) return;  // nothing to undo
  openings_.push_back({before, now()});
  if (openings_.size() > most_openings) openings_.erase(openings_.begin());
}

// Undo and redo pass through the very questions before and after an opening. Values that come back by hand do not: the
// views and the pinned curves of the opened file do not come back with them, and saving would lose these from it.
void Document::followHistory() {
  const auto is = [this](const Named& named) { return named.name == name_ && named.path == path_; };
  // The file of what is left may have been written since it was opened.
  const auto step = [this](Named& from, const Named& to) {
    from.saved = store_.saved();
    unknown_ = to.unknown;
    store_.setSaved(to.saved);
    setName(to.name, to.path);
  };
  for (auto& [before, after] : openings_) {
    if (is(after) && store_.experiment() == before.experiment) {
      step(after, before);
      for (FileQuestion& question : questions_) question.open = false;  // the messages of the opening go
      emit openingUndone();
      return;
    }
    if (is(before) && store_.experiment() == after.experiment && store_.presentation().pinned == after.pinned)
      return step(before, after);
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

Sentence Document::sentence(const Error& error) const {
  return [this, error] { return sentenceOf(error); };
}

Sentence Document::sentence(const Text& text) const {
  return [this, text] { return sentenceOf(text); };
}

std::vector<Sentence> Document::sentences(const std::vector<Text>& texts) const {
  std::vector<Sentence> all;
  for (const Text& text : texts) all.push_back(sentence(text));
  return all;
}

QString Document::name() const {
  if (name_ == last_session) return tr("last session");
  return name_.isEmpty() ? QStringLiteral("llama-3.1-8b · ") + tr("compare scalings") : name_;
}

void Document::setName(const QString& name, const QString& path) {
  name_ = name;
  path_ = path;
  emit titleChanged();
}

void Document::open(const QStringList& paths) {
  reader_.stop();
  bool first = true;
  for (const QString& path : paths) {
    reader_.read(nameOf(path), [this, path, first, present = store_.presentation()](const Job& job) {
      return [this, first, take_over = readAny(path, present, job)] {
        if (first) {  // not by each: what one of several paths failed of stays beside the others
          emit openingDecided();
          notes_are_old_ = true;
        }
        take_over();
      };
    });
    first = false;
  }
}

/// On the reader's thread: `this` is for what happens afterwards.
BackgroundReader::TakeOver Document::readAny(const QString& path, const Presentation& present, const Job& job) {
  if (session::holdsSession(path.toStdString()))
    return [this, path, read = readSession(path, present, job)] { openSession(path, read); };
  if (const std::string comparison = train::comparisonAt(path.toStdString()); !comparison.empty())
    return [this, file = QString::fromStdString(comparison)] { passOn(file); };
  Expected<models::Inspection> found = models::inspect(path.toStdString(), models::Tables::read, job);
  if (found && canRunModel(found->model_type) && !found->tensors.empty())
    for (Text& note : transformers::vocabularyNotes(found->path)) found->notes.push_back(std::move(note));
  return [this, path, found = std::move(found)] { openModel(path, found); };
}

/// What is open stays open.
void Document::passOn(const QString& comparison) {
  settings_.addRecentFile(comparison);
  emit comparisonFound(comparison);
}

Expected<Document::ReadSession> Document::readSession(const QString& path, const Presentation& present,
                                                      const Job& job) {
  const std::string file = path.toStdString();
  Expected<session::Opened> opened = session::open(file, job);
  if (!opened) return fail(opened.error());
  ReadPresentation shown = readPresentation(opened->presentation, present, file);
  return ReadSession{*std::move(opened), std::move(shown)};
}

/// When something has been opened: after a failure the notes are still about what is open.
void Document::replaceNotes() {
  if (std::exchange(notes_are_old_, false)) emit openingReplaced();
}

void Document::refuseOpening(const QString& path, const Error& error) {
  settings_.removeRecentFile(path);
  emit openingFailed(sentence(error));
}

void Document::openSession(const QString& path, const Expected<ReadSession>& read) {
  if (!read) return refuseOpening(path, read.error());
  const Named before = now();
  replaceNotes();
  takeOver(*read);
  store_.markSaved();
  settings_.addRecentFile(path);
  setName(QFileInfo(path).completeBaseName(), path);
  rememberOpening(before);
}

void Document::takeOver(const ReadSession& read) {
  unknown_ = read.opened.unknown;
  Presentation presentation = read.shown.presentation;
  presentation.language = store_.presentation().language;  // may have been switched while the file was read
  presentation.theme = store_.presentation().theme;
  for (const session::MissingArray& missing : read.opened.missing)  // they are asked for anew
    std::erase_if(questions_,
                  [&missing](const FileQuestion& question) { return question.missing.path == missing.path; });
  store_.setAll(read.opened.experiment, std::move(presentation));
  std::vector<Sentence> notes;
  const Experiment& e = read.opened.experiment;
  for (const std::vector<Text>& found : {read.opened.notes, read.shown.notes})
    for (const Text& note : found) notes.push_back(sentence(session::inWords(note, e)));
  const Sentence all = lines(std::move(notes));
  read.opened.rejected.empty() ? emit noteFound(all) : emit warningFound(all);
  for (const session::MissingArray& missing : read.opened.missing)
    ask(missing, sentence(session::inWords(describe(missing), e)));
  askForModel();
}

void Document::openModel(const QString& path, const Expected<models::Inspection>& found) {
  if (!found) return refuseOpening(path, found.error());
  if (found->schemes.empty()) return openNothing(path, *found);
  settings_.addRecentFile(path);
  const Named before = now();
  replaceNotes();
  // The start session is an example: nobody chose its schemes to be compared with this model.
  Experiment beside = before.experiment;
  const bool from_start = beside == startExperiment();
  if (from_start) beside.schemes.resize(1);
  Experiment opened = models::experimentOf(*found, std::move(beside));
  opened.content.model = carriedName(opened.content.model);
  if (found->content) {
    Presentation shown = withGivenAttention(withoutZooms(store_.presentation()), opened.shape);
    store_.setAll(std::move(opened), std::move(shown));
  } else {
    store_.setExperiment(std::move(opened));
    store_.endGesture();
    store_.setPresentation(withoutZooms(store_.presentation()));
  }
  QFileInfo file(path);
  if (file.fileName() == QLatin1String("config.json")) file = QFileInfo(file.absolutePath());
  unknown_ = "{}";
  store_.markOpened();
  setName(file.completeBaseName().isEmpty() ? file.fileName() : file.completeBaseName(), {});
  rememberOpening(before);
  // Given attention takes the place of all schemes.
  const std::size_t replaced = found->content ? before.experiment.schemes.size() : found->schemes.size();
  const Sentence opened_as = [name = name_] { return tr("%1 opened.").arg(name); };
  std::vector<Sentence> notes{from_start ? opened_as : replacement(before.experiment, replaced)};
  for (const std::vector<Text>& texts : {found->notes, found->reasons})
    for (Sentence& note : sentences(texts)) notes.push_back(std::move(note));
  emit noteFound(lines(std::move(notes)));
  if (offersAttention(*found, store_.experiment())) emit modelOpened();
}

/// A file of tensors may hold a table all the same, and asks which one; any other cannot be used.
void Document::openNothing(const QString& path, const models::Inspection& found) {
  const Sentence said = [this, path, notes = found.notes] {
    QStringList all{tr("%1 holds nothing that tells which positional encoding it uses.").arg(path)};
    for (const Text& note : notes) all.append(withoutName(sentenceOf(note), path));
    return all.join(QLatin1Char('\n'));
  };
  const std::vector<TensorChoice> tables = tablesOf(found);
  if (tables.empty()) {
    settings_.removeRecentFile(path);
    emit openingFailed(said);
    return;
  }
  settings_.addRecentFile(path);
  emit tensorWanted(path, tables, [this, path](const QString& name) { open(path + QLatin1Char('#') + name); });
  emit noteFound(said);
}

Sentence Document::replacement(const Experiment& before, std::size_t count) const {
  // A scheme that stays keeps its id and values; only its colour may change.
  const auto gone = [&](const SchemeChoice& choice) {
    return std::ranges::none_of(store_.experiment().schemes, [&](const SchemeChoice& now) {
      return now.id == choice.id && now.values == choice.values && now.label == choice.label;
    });
  };
  std::vector<Text> replaced;
  std::vector<Text> dropped;
  for (std::size_t i = 0; i < before.schemes.size(); ++i)
    if (i < count || gone(before.schemes[i]))
      (i < count ? replaced : dropped).push_back(displayName(before.schemes[i], before.schemes));
  const bool others_stay = before.schemes.size() > count;
  return [this, replaced, dropped, others_stay, name = name_] {
    const auto list = [this](const std::vector<Text>& names) {
      QStringList all;
      for (const Text& text : names) all.append(sentenceOf(text));
      return all.join(tr(", "));
    };
    if (replaced.empty()) return tr("%1 opened.").arg(name);
    if (!dropped.empty())
      return tr("%1 opened in place of %2; its sizes do not allow %3, which went too.")
          .arg(name, list(replaced), list(dropped));
    if (!others_stay) return tr("%1 opened in place of %2.").arg(name, list(replaced));
    return tr("%1 opened in place of %2; the other schemes stay.").arg(name, list(replaced));
  };
}

void Document::openPreset(const std::string& id) {
  const models::Preset* preset = models::findPreset(id);
  if (!preset) return;
  reader_.stop();
  emit openingDecided();
  emit openingReplaced();
  Experiment e = models::experimentOf(*preset);
  const ContentSpec preset_content = e.content;
  e.content = store_.experiment().content;
  if (e.content.source == ContentSource::attention) e.content.source = preset_content.source;  // it has its own sizes
  const Named before = now();
  store_.setExperiment(std::move(e));
  store_.setPresentation(withoutZooms(store_.presentation()));
  unknown_ = "{}";
  store_.markOpened();
  setName(QString::fromStdString(preset->name), {});
  rememberOpening(before);
}

void Document::openStart() {
  reader_.stop();
  emit openingDecided();
  emit openingReplaced();
  const Named before = now();
  Presentation shown = withoutZooms(store_.presentation());
  const Presentation start = startPresentation();
  for (std::size_t t = 0; t < shown.tiles.size(); ++t)
    if (shown.tiles[t].view == start.tiles[t].view) shown.tiles[t] = start.tiles[t];
  store_.setAll(startExperiment(), std::move(shown));
  unknown_ = "{}";
  store_.markOpened();
  setName({}, {});
  rememberOpening(before);
}

bool Document::saveAs(const QString& path) {
  const Outcome saved =
      session::save(path.toStdString(), store_.experiment(), presentationText(store_.presentation()), unknown_);
  if (!saved) {
    emit problemFound(sentence(saved.error()));
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
  reader_.stop();
  const Expected<ReadSession> last = readSession(path, store_.presentation(), Job());
  if (!last) {
    emit problemFound(sentence(last.error()));
    return false;
  }
  openings_.clear();
  takeOver(*last);
  const Presentation presentation = store_.presentation();
  const QString file = settings_.lastFile();
  const std::optional<session::Opened> saved = contentsOf(file);
  if (saved) {
    store_.reset(saved->experiment,
                 readPresentation(saved->presentation, presentation, file.toStdString()).presentation);
    store_.markSaved();
    store_.setAll(last->opened.experiment,
                  presentation);  // modified when the file holds another; undo leads to what it holds
  } else {
    store_.reset(last->opened.experiment, presentation);
  }
  setName(saved ? QFileInfo(file).completeBaseName() : QString(last_session), saved ? file : QString());
  return true;
}

void Document::keepLast() {
  const Outcome saved = session::save(Settings::lastSessionPath().toStdString(), store_.experiment(),
                                      presentationText(store_.presentation()), unknown_);
  if (saved)
    settings_.setLastFile(path_);
  else
    emit problemFound(sentence(saved.error()));
}

}  // namespace posiscope::ui
