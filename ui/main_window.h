// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session.h"
#include "ui/state/compute_service.h"
#include "ui/state/settings.h"
#include "ui/state/store.h"
#include "ui/window/menus.h"

#include <optional>
#include <QTimer>
#include <QWidget>

class QShortcut;
class QSplitter;
class QStackedWidget;

namespace posiscope::ui {

class Commands;
class Document;
class Exporter;
class Inspector;
class MessageStrip;
class SchemePanel;
class Sentence;
class StatusStrip;
struct TensorChoice;
class TileGrid;
class ToolBar;
class TrainingPage;

/// Assembles the window; no logic of its own beyond who hears whom.
class MainWindow : public QWidget {
  Q_OBJECT

 public:
  explicit MainWindow(QWidget* parent = nullptr);
  ~MainWindow() override;

  /// Opens these paths; without any, the last session, or the start session.
  void start(const QStringList& paths);
  /// A language and a theme for this run alone: the next one begins with what was chosen in the window.
  void setLookOfThisRun(std::optional<Language> language, std::optional<ThemeChoice> theme);

  Store& store() { return store_; }
  ComputeService& service() { return service_; }
  Commands& commands() { return *commands_; }
  Document& document() { return *document_; }
  TileGrid& grid() { return *grid_; }
  MessageStrip& messages() { return *messages_; }
  /// Null until it was shown for the first time.
  TrainingPage* training() { return training_; }

 signals:

 protected:
  void changeEvent(QEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void build();
  QWidget* buildLeft();
  void connectState();
  void connectCommands();
  void connectMenus();
  void retranslate();
  void showPresentation();
  void showTitle();
  void followEscape();
  void escape();
  void applyLook();
  void fold();
  void rescale(int percent);
  void keepForNextTime();
  void edit(const std::function<void(Presentation&)>& change);
  void askOpen(bool folder);
  void askSave(bool anew, const std::function<void()>& then = {});
  void askArray(const QString& title, const std::string& where);
  void askMissing(const session::MissingArray& missing, const Sentence& sentence);
  void chooseTensor(const QString& path, const std::vector<TensorChoice>& choices,
                    const std::function<void(const QString&)>& take);
  void connectDocument();
  void offerAttention();
  void showTraining(bool shown);
  bool benchShown() const;
  void followBench();
  void openTrained(const QString& folder);
  void openComparison(const QString& path);
  void tellInterruptedTraining();
  void find();
  MenuSources sources();

  Settings settings_;
  Store store_;
  ComputeService service_;
  Commands* commands_;
  Document* document_;
  ToolBar* tool_bar_ = nullptr;
  MessageStrip* messages_ = nullptr;
  QStackedWidget* pages_ = nullptr;  ///< the views, and the training bench
  QSplitter* splitter_ = nullptr;
  TrainingPage* training_ = nullptr;
  SchemePanel* schemes_ = nullptr;
  TileGrid* grid_ = nullptr;
  QWidget* inspector_area_ = nullptr;
  Inspector* inspector_ = nullptr;
  StatusStrip* status_ = nullptr;
  Exporter* exporter_ = nullptr;
  Finder* finder_ = nullptr;
  Finder* tensors_ = nullptr;
  QShortcut* escape_ = nullptr;
  QTimer autosave_;
  Language shown_language_ = Language::english;
  ThemeChoice shown_theme_ = ThemeChoice::system;
  bool looked_ = false;
  bool look_is_of_this_run_ = false;  ///< what is being set is not to be remembered
};

}  // namespace posiscope::ui
