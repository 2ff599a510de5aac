// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the window does when it is told something: the commands, the menus, the questions about files.
#include "ui/main_window.h"

#include "ui/panels/scheme_panel.h"
#include "ui/tiles/tile.h"
#include "ui/tiles/tile_grid.h"
#include "ui/training/training_folder.h"
#include "ui/training/training_page.h"
#include "ui/views/view.h"
#include "ui/window/commands.h"
#include "ui/window/document.h"
#include "ui/window/exporter.h"
#include "ui/window/file_questions.h"
#include "ui/window/message_strip.h"
#include "ui/window/shortcut_sheet.h"
#include "ui/window/status_strip.h"
#include "ui/window/tool_bar.h"

#include <algorithm>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace posiscope::ui {
namespace {

constexpr QLatin1String interrupted("interrupted training");

}  // namespace

void MainWindow::edit(const std::function<void(Presentation&)>& change) {
  Presentation p = store_.presentation();
  change(p);
  store_.setPresentation(std::move(p));
}

void MainWindow::connectCommands() {
  const auto on = [this](QAction* action, auto&& run) { connect(action, &QAction::triggered, this, run); };
  Commands& c = *commands_;
  on(c.open, [this] { askOpen(false); });
  on(c.open_folder, [this] { askOpen(true); });
  on(c.open_start, [this] { document_->openStart(); });
  for (const auto& [action, anew] : {std::pair{c.save, false}, {c.save_as, true}})
    on(action, [this, anew = anew] { benchShown() ? training_->askSave() : askSave(anew); });
  on(c.undo, [this] { store_.undo(); });
  on(c.redo, [this] { store_.redo(); });
  on(c.add_scheme, [this] { schemes_->openPicker(); });
  on(c.about_scheme, [this] { schemes_->openSheet(); });
  for (const auto& [action, count] : {std::pair{c.layout_1, 1}, {c.layout_2, 2}, {c.layout_4, 4}})
    on(action, [this, count = count] { edit([count](Presentation& p) { p.tile_count = count, p.maximised = -1; }); });
  on(c.maximise,
     [this] { edit([this](Presentation& p) { p.maximised = p.maximised < 0 ? grid_->currentTile() : -1; }); });
  connect(escape_, &QShortcut::activated, this, &MainWindow::escape);
  on(c.inspector, [this](bool shown) { edit([shown](Presentation& p) { p.inspector = shown; }); });
  on(c.training, [this](bool shown) { showTraining(shown); });
  on(c.export_view, [this] { emit tool_bar_->exportMenuWanted(tool_bar_->mapToGlobal(QPoint(width() / 2, 48))); });
  on(c.copy_image, [this] { exporter_->copyImage(grid_->currentTile()); });
  on(c.pin, [this](bool pinned) {
    const std::shared_ptr<const Result>& shown = service_.result();
    const auto question = std::make_shared<const Experiment>(shown ? shown->request.experiment : store_.experiment());
    edit([&](Presentation& p) { p.pinned = pinned ? question : nullptr; });
  });
  on(c.cancel, [this] { service_.cancel(); });
  on(c.find, [this] { find(); });
  on(c.language, [this] {
    edit([](Presentation& p) { p.language = p.language == Language::english ? Language::chinese : Language::english; });
  });
  for (const auto& [action, theme] : {std::pair{c.theme_light, ThemeChoice::light},
                                      {c.theme_dark, ThemeChoice::dark},
                                      {c.theme_system, ThemeChoice::system}})
    on(action, [this, theme = theme] { edit([theme](Presentation& p) { p.theme = theme; }); });
  on(c.full_screen, [this](bool full) { full ? showFullScreen() : showNormal(); });
  c.setViewScale(settings_.viewScale());
  for (const auto& [action, direction] : {std::pair{c.larger, 1}, {c.smaller, -1}})
    on(action, [this, direction = direction] { rescale(Settings::nextScale(settings_.viewScale(), direction)); });
  on(c.normal_size, [this] { rescale(100); });
  on(c.shortcuts, [this] { popupShortcuts(*commands_, this); });
  on(c.quit, [this] { close(); });
}

/// The bench is made when it is first wanted; what it trains goes on while the views are shown.
void MainWindow::showTraining(bool shown) {
  if (shown && !training_) {
    training_ = new TrainingPage(pages_);
    pages_->addWidget(training_);
    connect(training_, &TrainingPage::leaveWanted, commands_->training, &QAction::trigger);
    connect(training_, &TrainingPage::modelWanted, this, &MainWindow::openTrained);
    messages_->putAway(interrupted);
  }
  commands_->training->setChecked(shown);
  if (training_) pages_->setCurrentWidget(shown ? static_cast<QWidget*>(training_) : splitter_);
  if (shown)
    training_->takeMessages(messages_);
  else
    static_cast<QVBoxLayout*>(splitter_->widget(1)->layout())->insertWidget(0, messages_);
  followBench();
  if (shown) training_->welcome();
}

bool MainWindow::benchShown() const { return training_ && pages_->currentWidget() == training_; }

/// What changes the views, or what they show, rests while they are hidden.
void MainWindow::followBench() {
  const bool views = !benchShown();
  Commands& c = *commands_;
  for (QAction* action :
       {c.layout_1, c.layout_2, c.layout_4, c.maximise, c.pin, c.add_scheme, c.about_scheme, c.copy_image})
    action->setEnabled(views);
  c.undo->setEnabled(views && store_.canUndo());
  c.redo->setEnabled(views && store_.canRedo());
  if (!views) status_->setPointer({});  // what it last pointed at is hidden
  fold();
  followEscape();
}

/// What was cut off is told where it can be gone on with.
void MainWindow::tellInterruptedTraining() {
  if (!TrainingFolder::isAnyInterrupted()) return;
  messages_->showNewest(interrupted, MessageKind::note,
                        [] {
                          return tr("A training was cut off when the program ended. It can go on from its last "
                                    "checkpoint.");
                        },
                        [] { return tr("Show it"); }, [this] { showTraining(true); });
}

/// The key belongs to others while there is nothing to leave and nothing to stop.
void MainWindow::followEscape() {
  escape_->setEnabled(benchShown() || store_.presentation().maximised >= 0 || service_.busy());
}

void MainWindow::escape() {
  if (benchShown()) return showTraining(false);
  if (store_.presentation().maximised < 0) return service_.cancel();
  edit([](Presentation& p) { p.maximised = -1; });
}

/// Qt takes the scale of all widgets, charts and dialogs once, when the program starts; starting again by itself would
/// lose the steps that can be undone.
void MainWindow::rescale(int percent) {
  settings_.setViewScale(percent);
  commands_->setViewScale(percent);
  messages_->showNewest(QStringLiteral("view scale"), MessageKind::note, [percent] {
    return tr("Text and controls will have %1 % of their size the next time Posiscope starts.").arg(percent);
  });
}

void MainWindow::connectMenus() {
  connect(tool_bar_, &ToolBar::openMenuWanted, this,
          [this](const QPoint& corner) { popupOpenMenu(sources(), corner); });
  connect(tool_bar_, &ToolBar::mainMenuWanted, this,
          [this](const QPoint& corner) { popupMainMenu(sources(), corner); });
  connect(tool_bar_, &ToolBar::themeMenuWanted, this,
          [this](const QPoint& corner) { popupThemeMenu(sources(), corner); });
  connect(tool_bar_, &ToolBar::exportMenuWanted, this, [this](const QPoint& corner) {
    benchShown() ? training_->openExportMenu(corner) : exporter_->openMenu(grid_->currentTile(), corner);
  });
  connect(grid_, &TileGrid::exportWanted, exporter_, &Exporter::openMenu);
}

/// The file of the array at "content.q" or "schemes[1].table"; empty where none is given.
static QString sourceAt(const Experiment& e, const std::string& where) {
  const auto sourceIn = [&](const ParamValues& values, const std::string& before) {
    for (const auto& [key, value] : values)
      if (const auto* array = std::get_if<Array>(&value); array && before + key == where)
        return QString::fromStdString(array->source);
    return QString();
  };
  QString source = sourceIn(contentTable().values(e.content), "content.");
  for (std::size_t s = 0; s < e.schemes.size() && source.isEmpty(); ++s)
    source = sourceIn(e.schemes[s].values, join("schemes[", s, "]."));
  return source;
}

MenuSources MainWindow::sources() { return {*commands_, *document_, store_, settings_, this}; }

void MainWindow::find() {
  if (!finder_) {
    finder_ = new Finder(this);
    finder_->setOpeningKeys(commands_->find->shortcuts());
  }
  // The focus returns to where it was. Where it was nowhere, Qt would give it to the first button of the window.
  if (!focusWidget() || tool_bar_->isAncestorOf(focusWidget()))
    grid_->tile(grid_->currentTile())->view()->setFocus(Qt::OtherFocusReason);
  finder_->setEntries(everything(sources(), grid_->currentTile()));
  finder_->setPlaceholder(tr("Find commands, views, schemes, models, files"));
  const QSize size(560, std::min(520, height() - 120));
  finder_->openAt(mapToGlobal(QPoint((width() - size.width()) / 2, 72)), size);
}

void MainWindow::askOpen(bool folder) {
  askForPath(
      this, settings_, folder ? PathQuestion::model_folder : PathQuestion::any_file,
      folder ? tr("Open a model folder") : tr("Open a session, a model or an array"),
      [this](const QString& path) { document_->open(path); }, {},
      folder ? QString::fromStdString(store_.experiment().content.model) : QString());
}

void MainWindow::askArray(const QString& title, const std::string& where) {
  askForPath(
      this, settings_, PathQuestion::array_file, title,
      [this, where](const QString& path) { document_->replaceArray(where, path); }, {},
      sourceAt(store_.experiment(), where));
}

void MainWindow::askSave(bool anew, const std::function<void()>& then) {
  const auto save = [this, then](const QString& path) {
    if (document_->saveAs(path) && then) then();
  };
  if (!anew && !document_->path().isEmpty()) return save(document_->path());
  askForPath(this, settings_, PathQuestion::save_session, tr("Save the session"), save, document_->name());
}

}  // namespace posiscope::ui
