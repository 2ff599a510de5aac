// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/models/model.h"
#include "core/session.h"
#include "ui/state/settings.h"
#include "ui/state/store.h"
#include "ui/tiles/presentation_json.h"
#include "ui/window/background_reader.h"
#include "ui/window/sentence.h"

#include <functional>
#include <memory>
#include <optional>
#include <QObject>
#include <QStringList>
#include <string>
#include <vector>

namespace posiscope::ui {

/// A tensor of a file of several, one of which is wanted.
struct TensorChoice {
  files::TensorEntry tensor;
  QString unfit;  ///< why it will not do; empty when it will
};

/// The arrays of a file that can be shown as tables of positions or as attention when nothing says which of them is
/// one.
std::vector<TensorChoice> tablesOf(const models::Inspection& inspection);

/// Goes on with a path. A name of its own: moc rewrites the argument types of a signal that it can see.
using TakePath = std::function<void(const QString&)>;

/// What is open: a session file, a model, or the start session. Opening never loses anything: it is one undo step.
class Document : public QObject {
  Q_OBJECT

 public:
  Document(Store& store, Settings& settings, QObject* parent = nullptr);

  QString name() const;
  QString path() const { return path_; }  ///< of the session file; empty while there is none

  /// Each a session, a model folder, config.json, .safetensors, .npy or .npz, opened in this order, or a training
  /// comparison, which is passed on (comparisonFound). They are read on a
  /// thread of their own. The last asked wins: what was asked for before and is still being read is dropped.
  void open(const QStringList& paths);
  void open(const QString& path) { open(QStringList{path}); }
  /// Blocks until everything asked for is open, for at most so many milliseconds (−1: however long).
  void waitForOpening(int milliseconds = -1) { reader_.wait(milliseconds); }
  BackgroundReader& reader() { return reader_; }
  void openPreset(const std::string& id);
  void openStart();
  /// The attention that the weights of the opened model give, in the first tile that is shown.
  void showModelAttention();
  /// False (and a problem) when it could not be written.
  bool saveAs(const QString& path);

  /// The session of the last run, kept in the configuration folder; false when there is none. It is read here and now:
  /// meanwhile there is nothing else to work with, and what was kept must not be written over before it is read.
  bool restoreLast();
  void keepLast();

  /// An array file was chosen for "schemes[2].table", "content.q"; it is read as in open(), for the scheme that stands
  /// there now. Of a file with several tensors one is asked for (tensorWanted).
  void replaceArray(const std::string& where, const QString& path);
  /// One that was missing has been found, wherever it is wanted by now. A file that will not do is a reason to ask
  /// again (arrayMissing).
  void findArray(const session::MissingArray& missing, const QString& path);
  /// The folder of the content's model, which was not where the session has it. A folder that holds no model that can
  /// be run is a reason to ask again (arrayMissing).
  void findModel(const session::MissingArray& missing, const QString& path);
  /// The sentence in the window's language; the kind of error in Chinese where the sentence is English only.
  QString sentenceOf(const Error& error) const;
  Sentence sentence(const Error& error) const;

 signals:
  void titleChanged();
  void openingUndone();    ///< what was said about the file does not apply any more
  void openingDecided();   ///< of something newly asked for, before its own messages: earlier openings are history
  void openingReplaced();  ///< something else is open now: what was noted on earlier openings is about what is gone
  void openingFailed(const posiscope::ui::Sentence& sentence);
  void problemFound(const posiscope::ui::Sentence& sentence);  ///< nothing of an opening
  void noteFound(const posiscope::ui::Sentence& sentence);     ///< on what is open
  void warningFound(const posiscope::ui::Sentence& sentence);  ///< on what is open: it is not what its file says
  void comparisonFound(const QString& path);   ///< a file with results of training, which the bench shows
  void modelOpened();                          ///< with weights that can be run: `showModelAttention` is a next step
  void arrayMissing(const posiscope::session::MissingArray& missing, const posiscope::ui::Sentence& sentence);
  void arraySettled(const QString& file);  ///< no question about this missing file is left
  /// `take` wants the path of one: "model.safetensors#name". Those that will do come first.
  void tensorWanted(const QString& path, const std::vector<posiscope::ui::TensorChoice>& choices,
                    const posiscope::ui::TakePath& take);

 private:
  /// A question and what it was called.
  struct Named {
    Experiment experiment;
    QString name;
    QString path;
    std::string unknown;
    std::shared_ptr<const Experiment> pinned;
    Saved saved;
  };
  /// An opening is a step of the history: undo brings back the name, redo takes it away again.
  struct Opening {
    Named before;
    Named after;
  };

  struct ReadSession {
    session::Opened opened;
    ReadPresentation shown;
  };
  /// Where an array is wanted. A scheme keeps id and colour for as long as it lives, wherever it is moved meanwhile.
  struct ArrayPlace {
    std::string where;
    std::string scheme;  ///< empty: in the content
    int colour = 0;
    std::string key;
  };

  Named now() const {
    return {store_.experiment(), name_, path_, unknown_, store_.presentation().pinned, store_.saved()};
  }
  void rememberOpening(const Named& before);
  void replaceNotes();
  void askForModel();
  void putModel(const session::MissingArray& missing, const QString& path, const Outcome& ok);
  void followHistory();
  static Expected<ReadSession> readSession(const QString& path, const Presentation& present, const Job& job);
  BackgroundReader::TakeOver readAny(const QString& path, const Presentation& present, const Job& job);
  void refuseOpening(const QString& path, const Error& error);
  void openSession(const QString& path, const Expected<ReadSession>& read);
  void openModel(const QString& path, const Expected<models::Inspection>& found);
  void passOn(const QString& comparison);
  void openNothing(const QString& path, const models::Inspection& found);
  ArrayPlace placeOf(const std::string& where) const;
  std::optional<std::string> whereNow(const ArrayPlace& place) const;
  void readInto(const ArrayPlace& place, const QString& path);
  void putArray(const ArrayPlace& place, const Expected<Array>& array);
  void putFound(const session::MissingArray& missing, const Expected<Array>& array);
  void tell(const std::vector<Text>& notes);
  /// A file that is asked for. The question is open while something waits for the file: answered, undone and redone.
  struct FileQuestion {
    session::MissingArray missing;
    Sentence sentence;
    bool open = true;
  };
  void ask(const session::MissingArray& missing, const Sentence& sentence);
  void followQuestions();
  void takeOver(const ReadSession& read);
  void setName(const QString& name, const QString& path);
  /// Which schemes of the question before an opening of `count` schemes made room for them, in one sentence.
  Sentence replacement(const Experiment& before, std::size_t count) const;
  QString sentenceOf(const Text& text) const;
  Sentence sentence(const Text& text) const;
  std::vector<Sentence> sentences(const std::vector<Text>& texts) const;

  Store& store_;
  Settings& settings_;
  QString name_;  ///< empty: the start session, whose name is translated
  QString path_;
  bool notes_are_old_ = false;  ///< those that are shown are of what was open before the newest wish
  std::string unknown_ = "{}";  ///< keys of a newer version, written back on save
  std::vector<Opening> openings_;
  std::vector<FileQuestion> questions_;
  BackgroundReader reader_;  // last: ends before anything it hands over to
};

}  // namespace posiscope::ui
