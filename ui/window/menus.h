// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/controls/finder.h"
#include "ui/state/settings.h"
#include "ui/state/store.h"

#include <QPoint>
#include <vector>

class QAction;
class QWidget;

namespace posiscope::ui {

class Commands;
class Document;

/// What menus and "Ctrl+K finds everything" are made of.
struct MenuSources {
  Commands& commands;
  Document& document;
  Store& store;
  Settings& settings;
  QWidget* window;
};

/// Open, known models, recent files.
void popupOpenMenu(const MenuSources& sources, const QPoint& corner);
/// Every command.
void popupMainMenu(const MenuSources& sources, const QPoint& corner);
void popupThemeMenu(const MenuSources& sources, const QPoint& corner);

/// Commands, schemes to add, views for the given tile, known models, recent files.
std::vector<FinderEntry> everything(const MenuSources& sources, int tile);

/// "Ctrl+Shift+Z, Ctrl+Y".
QString shortcutText(const QAction* action);

}  // namespace posiscope::ui
