// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QHash>
#include <QList>
#include <QObject>
#include <QString>

namespace posiscope::ui {

/// Everything the window can be told to do, with its name and its shortcut: the toolbar, the ☰ menu, Ctrl+K and the
/// sheet of shortcuts all show these.
class Commands : public QObject {
  Q_OBJECT

 public:
  explicit Commands(QWidget* window);
  void setPinned(bool pinned);
  /// Which of larger, smaller and normal leads somewhere.
  void setViewScale(int percent);
  void retranslate();
  const QList<QAction*>& all() const { return all_; }
  /// Its name in both languages: whoever reads one may type the other.
  QString searchWords(const QAction* action) const;

  QAction* open;
  QAction* open_folder;
  QAction* open_start;
  QAction* save;
  QAction* save_as;
  QAction* undo;
  QAction* redo;
  QAction* add_scheme;
  QAction* about_scheme;
  QAction* layout_1;
  QAction* layout_2;
  QAction* layout_4;
  QAction* maximise;
  QAction* inspector;
  QAction* training;
  QAction* export_view;
  QAction* copy_image;
  QAction* pin;
  QAction* cancel;
  QAction* find;
  QAction* language;
  QAction* theme_light;
  QAction* theme_dark;
  QAction* theme_system;
  QAction* full_screen;
  QAction* larger;
  QAction* smaller;
  QAction* normal_size;
  QAction* shortcuts;
  QAction* quit;

 private:
  /// `source` in the language of the window.
  void name(QAction* action, const char* source);
  void namePin();
  QAction* make(const QList<QKeySequence>& keys = {}, bool checkable = false);

  QWidget* window_;
  QList<QAction*> all_;
  QHash<const QAction*, const char*> sources_;  ///< of the names, untranslated
};

}  // namespace posiscope::ui
