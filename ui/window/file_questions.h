// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/settings.h"

#include <functional>
#include <QString>

class QWidget;

namespace posiscope::ui {

enum class PathQuestion { any_file, model_folder, array_file, save_session };

/// Asks for a path with the file dialog and goes on when one was chosen; the window stays alive meanwhile.
/// `name` is what a new file is called at first; `present` the file or folder that is to be replaced, empty for none:
/// the dialog begins beside it, else where a file was opened last.
void askForPath(QWidget* window, Settings& settings, PathQuestion question, const QString& title,
                std::function<void(const QString&)> then, const QString& name = {}, const QString& present = {});

/// The folder the path lies in, or the nearest above it that is there; empty for one that is not absolute.
QString folderNear(const QString& path);

enum class CloseAnswer { save, leave, stay };
/// The only modal question of the program.
CloseAnswer askAboutChanges(QWidget* window, const QString& name);

}  // namespace posiscope::ui
