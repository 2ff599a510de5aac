// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window.h"

#include "ui/controls/theme.h"
#include "ui/panels/content_panel.h"
#include "ui/panels/inspector.h"
#include "ui/panels/scheme_panel.h"
#include "ui/panels/shape_panel.h"
#include "ui/tiles/request.h"
#include "ui/tiles/tile_grid.h"
#include "ui/window/commands.h"
#include "ui/window/document.h"
#include "ui/window/exporter.h"
#include "ui/window/file_questions.h"
#include "ui/window/language.h"
#include "ui/window/message_strip.h"
#include "ui/window/status_strip.h"
#include "ui/window/tool_bar.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QMimeData>
#include <QScreen>
#include <QScrollArea>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace posiscope::ui {
namespace {

constexpr int left_width = 304;
constexpr int inspector_width = 248;
constexpr int fold_below = 1100;       ///< the inspector becomes a line in the status strip
constexpr int one_column_below = 760;  ///< of the centre
constexpr int autosave_after_ms = 2000;
constexpr int start_patience_ms = 400;

QScrollArea* scrolling(QWidget* content, const QString& name) {
  auto* area = new QScrollArea;
  area->setObjectName(name);
  area->setFrameShape(QFrame::NoFrame);
  area->setWidgetResizable(true);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->setFocusPolicy(Qt::NoFocus);
  area->setWidget(content);
  return area;
}

}  // namespace

MainWindow::MainWindow(QWidget* parent)
    : QWidget(parent), commands_(new Commands(this)), document_(new Document(store_, settings_, this)) {
  setObjectName(QStringLiteral("window"));
  setAttribute(Qt::WA_StyledBackground);
  setAcceptDrops(true);
  setMinimumSize(QSize(800, 560).boundedTo(screen()->availableSize()));  // at a large scale a screen has fewer points
  Presentation p = startPresentation();
  p.language = settings_.language();
  p.theme = settings_.theme();
  store_.reset(startExperiment(), p);
  applyLook();
  build();
  connectState();
  connectCommands();
  connectMenus();
  retranslate();
  showPresentation();
  resize(QSize(1440, 900).boundedTo(screen()->availableSize()));
  if (!settings_.geometry().isEmpty()) restoreGeometry(settings_.geometry());
  // Kept at another scale of the view, it may be larger than the screen is now.
  if (!isMaximized() && !isFullScreen()) resize(size().boundedTo(screen()->availableSize()));
  service_.request(requestOf(store_.experiment(), store_.presentation()));
}

MainWindow::~MainWindow() = default;

void MainWindow::build() {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  tool_bar_ = new ToolBar(*commands_, this);
  column->addWidget(tool_bar_);
  splitter_ = new QSplitter(this);
  splitter_->setHandleWidth(1);
  splitter_->setChildrenCollapsible(false);
  splitter_->addWidget(buildLeft());
  auto* centre = new QWidget(splitter_);
  auto* centre_column = new QVBoxLayout(centre);
  centre_column->setContentsMargins(0, 0, 0, 0);
  centre_column->setSpacing(0);
  messages_ = new MessageStrip(centre);
  centre_column->addWidget(messages_);
  grid_ = new TileGrid(store_, service_);
  centre_column->addWidget(scrolling(grid_, QStringLiteral("centre")), 1);
  splitter_->addWidget(centre);
  inspector_ = new Inspector(store_, service_);
  inspector_area_ = scrolling(inspector_, QStringLiteral("panel"));
  inspector_area_->setMinimumWidth(200);
  inspector_area_->setMaximumWidth(420);
  splitter_->addWidget(inspector_area_);
  splitter_->setStretchFactor(1, 1);
  splitter_->setSizes({left_width, 1440 - left_width - inspector_width, inspector_width});
  if (!settings_.splitter().isEmpty()) splitter_->restoreState(settings_.splitter());
  pages_ = new QStackedWidget(this);
  pages_->addWidget(splitter_);
  column->addWidget(pages_, 1);
  status_ = new StatusStrip(store_, service_, this);
  column->addWidget(status_);
  exporter_ = new Exporter(*grid_, settings_, this);
  escape_ = new QShortcut(QKeySequence(Qt::Key_Escape), this);
  autosave_.setSingleShot(true);
  autosave_.setInterval(autosave_after_ms);
}

QWidget* MainWindow::buildLeft() {
  auto* panel = new QWidget;
  panel->setObjectName(QStringLiteral("panel"));
  panel->setMinimumWidth(1);  // there is no horizontal bar: the panel is as wide as its area, whatever it holds
  auto* column = new QVBoxLayout(panel);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  schemes_ = new SchemePanel(store_, panel);
  column->addWidget(schemes_);
  auto* shape = new ShapePanel(store_, panel);
  column->addWidget(shape);
  auto* content = new ContentPanel(store_, panel);
  column->addWidget(content);
  column->addStretch(1);
  connect(shape, &ShapePanel::presetWanted, this, [this](const std::string& id) { document_->openPreset(id); });
  connect(schemes_, &SchemePanel::refused, this, [this](const QString& sentence) {
    messages_->showNewest(QStringLiteral("refused"), MessageKind::note, sentence);
  });
  connect(schemes_, &SchemePanel::fileWanted, this, [this](const std::string& key) {
    askArray(tr("Choose an array"), join("schemes[", store_.presentation().selected, "].", key));
  });
  connect(content, &ContentPanel::fileWanted, this,
          [this](const std::string& key) { askArray(tr("Choose an array"), "content." + key); });
  QScrollArea* area = scrolling(panel, QStringLiteral("panel"));
  area->setMinimumWidth(280);
  area->setMaximumWidth(420);
  return area;
}

void MainWindow::connectState() {
  connect(&store_, &Store::presentationChanged, this, &MainWindow::showPresentation);
  connect(&store_, &Store::historyChanged, this, &MainWindow::showTitle);
  connect(&store_, &Store::experimentChanged, &autosave_, qOverload<>(&QTimer::start));
  connect(&autosave_, &QTimer::timeout, document_, &Document::keepLast);
  connectDocument();
  connect(exporter_, &Exporter::problemFound, this,
          [this](const Error& error) { messages_->show(MessageKind::problem, document_->sentence(error)); });
  connect(exporter_, &Exporter::writingStarted, this, [this](const QString& sentence) {
    messages_->showWork(
        QStringLiteral("writing"), sentence, [] { return tr("Stop"); }, [this] { exporter_->stopWriting(); });
  });
  connect(exporter_, &Exporter::writingEnded, this, [this] { messages_->putAway(QStringLiteral("writing")); });
  connect(exporter_, &Exporter::exported, this, [this](const QStringList& files) {
    messages_->showNewest(QStringLiteral("exported"), MessageKind::note,
                          [files] { return tr("Exported: %1").arg(files.join(QStringLiteral(", "))); });
  });
  connect(&service_, &ComputeService::busyChanged, commands_->cancel, &QAction::setEnabled);
  connect(&service_, &ComputeService::busyChanged, this, &MainWindow::followEscape);
  connect(grid_, &TileGrid::focusMoved, this,
          [this](int index) { inspector_->follow(store_.presentation().tiles[static_cast<std::size_t>(index)].view); });
  // A result may arrive, or the language change, while the views are hidden behind the bench.
  connect(inspector_, &Inspector::pointerRead, this, [this](const PointerReadout& readout) {
    if (!benchShown()) status_->setPointer(readout);
  });
}

void MainWindow::start(const QStringList& paths) {
  tellInterruptedTraining();
  if (paths.isEmpty()) {
    document_->restoreLast();
    return;
  }
  document_->open(paths);
  // What is read quickly is there when the window appears, without the start session before it.
  document_->waitForOpening(start_patience_ms);
}

void MainWindow::setLookOfThisRun(std::optional<Language> language, std::optional<ThemeChoice> theme) {
  look_is_of_this_run_ = true;
  edit([&](Presentation& p) {
    p.language = language.value_or(p.language);
    p.theme = theme.value_or(p.theme);
  });
  look_is_of_this_run_ = false;
}

void MainWindow::showTitle() {
  const QString title = document_->name() + (store_.modified() ? QStringLiteral(" •") : QString());
  tool_bar_->setTitle(title);
  setWindowTitle(title);  // Qt adds the program's name
  commands_->undo->setEnabled(!benchShown() && store_.canUndo());
  commands_->redo->setEnabled(!benchShown() && store_.canRedo());
}

void MainWindow::showPresentation() {
  const Presentation& p = store_.presentation();
  commands_->layout_1->setChecked(p.tile_count == 1);
  commands_->layout_2->setChecked(p.tile_count == 2);
  commands_->layout_4->setChecked(p.tile_count == 4);
  commands_->maximise->setChecked(p.maximised >= 0);
  commands_->setPinned(p.pinned != nullptr);
  commands_->theme_light->setChecked(p.theme == ThemeChoice::light);
  commands_->theme_dark->setChecked(p.theme == ThemeChoice::dark);
  commands_->theme_system->setChecked(p.theme == ThemeChoice::system);
  followEscape();
  applyLook();
  fold();
}

void MainWindow::applyLook() {
  const Presentation& p = store_.presentation();
  if (looked_ && p.theme == shown_theme_ && p.language == shown_language_) return;
  const bool language_changed = !looked_ || p.language != shown_language_;
  const bool chosen = looked_ && !look_is_of_this_run_;
  if (chosen && p.theme != shown_theme_) settings_.setTheme(p.theme);
  if (chosen && language_changed) settings_.setLanguage(p.language);
  looked_ = true;
  shown_theme_ = p.theme;
  shown_language_ = p.language;
  applyTheme(*qApp, p.theme, p.language);
  if (language_changed) applyLanguage(p.language);
  if (grid_) grid_->refresh();
}

void MainWindow::fold() {
  const bool narrow = width() < fold_below;
  const bool inspector = store_.presentation().inspector && !narrow;
  inspector_area_->setVisible(inspector);
  commands_->inspector->setEnabled(!narrow && !benchShown());
  commands_->inspector->setChecked(inspector);
  commands_->inspector->setStatusTip(narrow ? tr("The window is too narrow for the inspector") : QString());
  status_->setNarrow(!inspector_area_->isVisibleTo(this));
  grid_->setNarrow(splitter_->widget(1)->width() < one_column_below && narrow);
  tool_bar_->setStacked(grid_->narrow());
}

void MainWindow::retranslate() {
  commands_->retranslate();
  tool_bar_->retranslate();
  showTitle();
}

void MainWindow::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange && tool_bar_) {
    retranslate();
    grid_->refresh();
  }
  QWidget::changeEvent(event);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fold();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();  // else the file manager shows it flying back
  QStringList paths;
  for (const QUrl& url : event->mimeData()->urls())
    if (url.isLocalFile()) paths.append(url.toLocalFile());
  if (!paths.isEmpty()) document_->open(paths);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (store_.modified()) {
    const CloseAnswer answer = askAboutChanges(this, document_->name());
    if (answer == CloseAnswer::stay) return event->ignore();
    if (answer == CloseAnswer::save) {
      if (document_->path().isEmpty()) {
        event->ignore();
        return askSave(true, [this] { close(); });
      }
      if (!document_->saveAs(document_->path())) return event->ignore();
    }
  }
  keepForNextTime();
  event->accept();
}

void MainWindow::keepForNextTime() {
  settings_.setGeometry(saveGeometry());
  settings_.setSplitter(splitter_->saveState());
  document_->keepLast();
}

}  // namespace posiscope::ui
