// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/menus.h"

#include "core/models/model.h"
#include "core/schemes/list.h"
#include "ui/controls/theme.h"
#include "ui/controls/tip.h"
#include "ui/panels/scheme_document.h"
#include "ui/state/edits.h"
#include "ui/views/list.h"
#include "ui/window/commands.h"
#include "ui/window/document.h"
#include "ui/window/trained_examples.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QHash>
#include <QMenu>
#include <QScreen>

namespace posiscope::ui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(Menus)
};

QMenu* makeMenu(QWidget* parent) {
  auto* menu = new QMenu(parent);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setToolTipsVisible(true);
  return menu;
}

/// Where the columns of a long menu are wider than the screen, it is one that scrolls.
void keepInside(QMenu* menu) {
  if (menu->sizeHint().width() > menu->screen()->availableSize().width())
    menu->setStyleSheet(QStringLiteral("QMenu { menu-scrollable: 1; }"));
}

/// Where the facts come from, and what of the model they leave out.
QString aboutPreset(const models::Preset& preset) {
  const QString note = currentStyle().text(preset.note);
  return QString::fromStdString(preset.source) + (note.isEmpty() ? QString() : QLatin1Char('\n') + note);
}

/// By their encoding: all in one menu would be taller than the screen.
void addPresets(QMenu* menu, Document& document) {
  QMenu* known = menu->addMenu(Words::tr("Known models"));
  QHash<QString, QMenu*> kinds;
  for (const models::Preset& preset : models::presets()) {
    const QString encoding = currentStyle().text(displayName(preset.scheme));
    QMenu*& kind = kinds[encoding];
    if (!kind) {
      kind = known->addMenu(encoding);
      kind->setToolTipsVisible(true);
    }
    kind->addAction(QString::fromStdString(preset.name), &document,
                    [&document, id = preset.id] { document.openPreset(id); })
        ->setToolTip(aboutPreset(preset));
  }
}

void openExample(Document& document, const QString& id) {
  const QString folder = placeTrainedExample(id);
  if (!folder.isEmpty()) return document.open(folder);
  emit document.problemFound(
      [] { return Words::tr("The example could not be written to the folder of the program's data."); });
}

void addExamples(QMenu* menu, Document& document) {
  QMenu* trained = menu->addMenu(Words::tr("Trained examples"));
  trained->setToolTipsVisible(true);
  for (const TrainedExample& example : trainedExamples())
    trained
        ->addAction(currentStyle().text(example.name), &document,
                    [&document, id = example.id] { openExample(document, id); })
        ->setToolTip(currentStyle().text(example.about));
}

void addRecent(QMenu* menu, const MenuSources& sources) {
  const QStringList files = sources.settings.recentFiles();
  QMenu* recent = menu->addMenu(Words::tr("Recent files"));
  recent->setEnabled(!files.isEmpty());
  recent->setToolTipsVisible(true);
  for (const QString& path : files)
    recent
        ->addAction(QFileInfo(path).fileName(), &sources.document,
                    [document = &sources.document, path] { document->open(path); })
        ->setToolTip(literalTip(path));
}

/// As the picker does: the new scheme is the selected one.
void addScheme(Store& store, const std::string& id) {
  store.setExperiment(withScheme(store.experiment(), id));
  Presentation p = store.presentation();
  p.selected = static_cast<int>(store.experiment().schemes.size()) - 1;
  store.setPresentation(std::move(p));
}

void setTile(Store& store, int tile, const std::string& view) {
  Presentation p = store.presentation();
  p.tiles[static_cast<std::size_t>(tile)] = {view, {}, {}};
  store.setPresentation(std::move(p));
}

}  // namespace

QString shortcutText(const QAction* action) {
  QStringList texts;
  for (const QKeySequence& key : action->shortcuts()) texts.append(key.toString(QKeySequence::NativeText));
  return texts.join(QStringLiteral(", "));
}

void popupOpenMenu(const MenuSources& sources, const QPoint& corner) {
  QMenu* menu = makeMenu(sources.window);
  menu->addAction(sources.commands.open);
  menu->addAction(sources.commands.open_folder);
  menu->addSeparator();
  addPresets(menu, sources.document);
  addExamples(menu, sources.document);
  addRecent(menu, sources);
  menu->addSeparator();
  menu->addAction(sources.commands.open_start);
  menu->popup(corner);
}

void popupMainMenu(const MenuSources& sources, const QPoint& corner) {
  const Commands& c = sources.commands;
  QMenu* menu = makeMenu(sources.window);
  menu->addActions({c.open, c.open_folder});
  addPresets(menu, sources.document);
  addExamples(menu, sources.document);
  addRecent(menu, sources);
  menu->addActions({c.open_start, c.save, c.save_as});
  menu->addSeparator();
  menu->addActions({c.undo, c.redo, c.add_scheme, c.about_scheme});
  menu->addSeparator();
  menu->addActions({c.layout_1, c.layout_2, c.layout_4, c.maximise, c.inspector, c.pin, c.full_screen});
  menu->addSeparator();
  menu->addAction(c.training);
  menu->addSeparator();
  menu->addActions({c.larger, c.smaller, c.normal_size});
  menu->addSeparator();
  menu->addActions({c.export_view, c.copy_image});
  menu->addSeparator();
  menu->addActions({c.theme_light, c.theme_dark, c.theme_system, c.language});
  menu->addSeparator();
  menu->addActions({c.find, c.shortcuts, c.cancel, c.quit});
  keepInside(menu);
  menu->popup(corner - QPoint(menu->sizeHint().width() - 28, 0));
}

void popupThemeMenu(const MenuSources& sources, const QPoint& corner) {
  QMenu* menu = makeMenu(sources.window);
  menu->addActions({sources.commands.theme_light, sources.commands.theme_dark, sources.commands.theme_system});
  menu->popup(corner);
}

/// The kinds of content that need no file.
static void addContent(std::vector<FinderEntry>& entries, Store& store) {
  const ParamSpec* source = findParam(contentTable().specs(), "source");
  for (const Choice& choice : source ? source->choices : std::vector<Choice>()) {
    if (choice.key == "arrays" || choice.key == "model" || choice.key == "attention") continue;
    entries.push_back(
        {Words::tr("Content"),
         currentStyle().text(choice.label),
         {},
         {},
         QString::fromStdString(choice.key + ' ' + choice.label.en + ' ' + choice.label.zh),
         [&store, key = choice.key] { store.setExperiment(withContentValue(store.experiment(), "source", key)); }});
  }
}

std::vector<FinderEntry> everything(const MenuSources& sources, int tile) {
  std::vector<FinderEntry> entries;
  // Commands and views are found by their names in the other language, too.
  for (QAction* action : sources.commands.all())
    if (action->isEnabled() && action != sources.commands.find)
      entries.push_back({Words::tr("Commands"),
                         action->text(),
                         {},
                         shortcutText(action),
                         sources.commands.searchWords(action),
                         [action] { action->trigger(); }});
  for (const ViewKind& view : viewCatalogue())
    entries.push_back({Words::tr("Views"),
                       currentStyle().text(view.title),
                       {},
                       {},
                       QString::fromStdString(view.id + ' ' + view.title.en + ' ' + view.title.zh),
                       [&store = sources.store, tile, id = view.id] { setTile(store, tile, id); }});
  for (const Scheme& scheme : schemes::catalogue())
    entries.push_back({Words::tr("Add a scheme"),
                       currentStyle().text(scheme.text.name),
                       currentStyle().text(scheme.text.summary),
                       {},
                       QString::fromStdString(scheme.id()) + QLatin1Char(' ') +
                           searchWords(scheme.id(), sources.store.presentation().language),
                       [&store = sources.store, id = scheme.id()] { addScheme(store, id); }});
  addContent(entries, sources.store);
  for (const models::Preset& preset : models::presets())
    entries.push_back({Words::tr("Known models"),
                       QString::fromStdString(preset.name),
                       QString::fromStdString(preset.source),
                       {},
                       QString::fromStdString(preset.id),
                       [&document = sources.document, id = preset.id] { document.openPreset(id); }});
  for (const TrainedExample& example : trainedExamples())
    entries.push_back({Words::tr("Trained examples"),
                       currentStyle().text(example.name),
                       currentStyle().text(example.about),
                       {},
                       example.id + QString::fromStdString(' ' + example.name.en + ' ' + example.name.zh),
                       [&document = sources.document, id = example.id] { openExample(document, id); }});
  for (const QString& path : sources.settings.recentFiles())
    entries.push_back(
        {Words::tr("Recent files"), QFileInfo(path).fileName(), path, {}, {}, [&document = sources.document, path] {
           document.open(path);
         }});
  return entries;
}

}  // namespace posiscope::ui
