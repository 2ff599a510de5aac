// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/settings.h"

#include <QString>
#include <functional>

class QWidget;

namespace posiscope::ui {

enum class PathQuestion { any_file, model_folder, array_file, save_session };

/// Asks for a path with the file dialog and goes on when one was chosen; the window stays alive meanwhile.
/// `name` is what a new file is called at first.
void askForPath(QWidget* window, Settings& settings, PathQuestion question, const QString& title,
                std::function<void(const QString&)> then, const QString& name = {});

enum class CloseAnswer { save, leave, stay };
/// The only modal question of the program.
CloseAnswer askAboutChanges(QWidget* window, const QString& name);

}  // namespace posiscope::ui
