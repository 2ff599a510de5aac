// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session.h"
#include "ui/state/settings.h"
#include "ui/state/store.h"

#include <QObject>

namespace posiscope::ui {

/// What is open: a session file, a model, or the start session. Opening never loses anything: it is one undo step.
class Document : public QObject {
  Q_OBJECT

 public:
  Document(Store& store, Settings& settings, QObject* parent = nullptr);

  QString name() const;
  QString path() const { return path_; }  ///< of the session file; empty while there is none

  /// A session, a model folder, config.json, .safetensors or .npy.
  void open(const QString& path);
  void openPreset(const std::string& id);
  void openStart();
  /// False (and a problem) when it could not be written.
  bool saveAs(const QString& path);

  /// The session of the last run, kept in the configuration folder; false when there is none.
  bool restoreLast();
  void keepLast();

  /// An array file was chosen: "schemes[2].table", "content.q".
  void replaceArray(const std::string& where, const QString& path);
  /// One that was missing has been found, wherever it is wanted by now. A file that will not do is a reason to ask
  /// again (arrayMissing).
  void findArray(const session::MissingArray& missing, const QString& path);
  /// The sentence in the window's language; the kind of error in Chinese where the sentence is English only.
  QString sentenceOf(const Error& error) const;

 signals:
  void titleChanged();
  void openingUndone();  ///< what was said about the file does not apply any more
  void problemFound(const QString& sentence);
  void noteFound(const QString& sentence);
  void arrayMissing(const posiscope::session::MissingArray& missing, const QString& sentence);

 private:
  /// A question and what it was called.
  struct Named {
    Experiment experiment;
    QString name;
    QString path;
    std::string unknown;
  };
  /// An opening is a step of the history: undo brings back the name, redo takes it away again.
  struct Opening {
    Named before;
    Named after;
  };

  Named now() const { return {store_.experiment(), name_, path_, unknown_}; }
  void rememberOpening(const Named& before);
  void followHistory();
  void openSession(const QString& path);
  void openModel(const QString& path);
  void takeOver(const session::Opened& opened);
  void setName(const QString& name, const QString& path);
  /// Which schemes of the question before an opening of `count` schemes made room for them, in one sentence.
  QString replacement(const Experiment& before, std::size_t count) const;
  QString sentenceOf(const Text& text) const;

  Store& store_;
  Settings& settings_;
  QString name_;  ///< empty: the start session, whose name is translated
  QString path_;
  std::string unknown_ = "{}";  ///< keys of a newer version, written back on save
  std::vector<Opening> openings_;
};

}  // namespace posiscope::ui
