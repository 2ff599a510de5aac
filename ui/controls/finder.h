// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <QFrame>
#include <QKeySequence>
#include <QList>
#include <QString>
#include <vector>

class QLabel;
class QLineEdit;
class QListWidget;

namespace posiscope::ui {

/// One thing that can be found and done.
struct FinderEntry {
  QString group;  ///< "Views"; entries of a group stand together
  QString title;
  QString detail;    ///< one line below the title; may be empty
  QString shortcut;  ///< at the right; may be empty
  QString keywords;  ///< also searched, not shown; the first is the id
  std::function<void()> run;
};

/// A popup list with a search field, grouped: the scheme picker and "Ctrl+K finds everything". Every word typed must
/// occur in an entry. Enter runs the selected entry, Escape closes.
class Finder : public QFrame {
  Q_OBJECT

 public:
  explicit Finder(QWidget* parent);
  void setEntries(std::vector<FinderEntry> entries);
  void setPlaceholder(const QString& text);
  /// Opens with its top left corner at this place of the screen, kept on the screen.
  void openAt(const QPoint& corner, const QSize& size);
  /// The keys that open it. Pressed again while it is open they select what was typed: typing goes on with other words.
  void setOpeningKeys(const QList<QKeySequence>& keys) { opening_keys_ = keys; }
  /// The titles shown now, without the groups.
  QStringList shownTitles() const;
  QLineEdit* search() const { return search_; }
  /// What stands in place of the list when nothing is found.
  QLabel* nothing() const { return nothing_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void filter(const QString& text);
  void sayNothing(const QString& text);
  void runCurrent();
  void move(int direction);
  void showCurrent();

  std::vector<FinderEntry> entries_;
  QList<QKeySequence> opening_keys_;
  QLineEdit* search_;
  QListWidget* list_;
  QLabel* nothing_;
};

}  // namespace posiscope::ui
