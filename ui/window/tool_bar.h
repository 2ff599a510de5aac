// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <QWidget>
#include <vector>

class QAction;
class QLabel;

namespace posiscope::ui {

class Commands;
class FlatButton;

/// The 44 pixels at the top: name, open, save, undo, layouts, the document's title in the middle, export, pin,
/// language, theme, ☰. Where they have no room side by side, words become icons, then the name and the lines go.
class ToolBar : public QWidget {
  Q_OBJECT

 public:
  static constexpr int height_pixels = 44;

  explicit ToolBar(Commands& commands, QWidget* parent = nullptr);
  void setTitle(const QString& title);
  /// The tiles stand in one column: the buttons show them so.
  void setStacked(bool stacked);
  void retranslate();
  FlatButton* openButton() const { return open_; }
  FlatButton* exportButton() const { return export_; }

 signals:
  void openMenuWanted(const QPoint& corner);
  void exportMenuWanted(const QPoint& corner);
  void mainMenuWanted(const QPoint& corner);
  void themeMenuWanted(const QPoint& corner);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  FlatButton* add(QAction* action, const QString& icon);
  FlatButton* addMenu(const QString& icon, void (ToolBar::*wanted)(const QPoint&));
  void addLine();
  /// 0: all of it; 1: icons instead of words; 2: without the name; 3: without lines.
  void setTightness(int tightness);
  void fit();

  Commands& commands_;
  QLabel* brand_;
  QLabel* title_;
  QString full_title_;
  FlatButton* open_;
  FlatButton* save_;
  FlatButton* layout_2_;
  FlatButton* layout_4_;
  FlatButton* export_;
  FlatButton* language_;
  FlatButton* theme_;
  FlatButton* menu_;
  QWidget* middle_;
  std::vector<QWidget*> lines_;
  std::array<int, 4> widths_{};  ///< that each tightness needs
  int tightness_ = 0;
  bool stacked_ = false;
};

/// The button shows the action: enabled, checked, its name and shortcut; a click triggers it.
void followAction(FlatButton* button, QAction* action);

}  // namespace posiscope::ui
