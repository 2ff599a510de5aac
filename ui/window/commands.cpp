// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/commands.h"

#include "ui/state/settings.h"

#include <QActionGroup>
#include <QWidget>

namespace posiscope::ui {

Commands::Commands(QWidget* window) : QObject(window), window_(window) {
  open = make({QKeySequence(Qt::CTRL | Qt::Key_O)});
  open_folder = make({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O)});
  open_start = make();
  save = make({QKeySequence(Qt::CTRL | Qt::Key_S)});
  save_as = make({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S)});
  undo = make({QKeySequence(Qt::CTRL | Qt::Key_Z)});
  redo = make({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
  add_scheme = make({QKeySequence(Qt::CTRL | Qt::Key_N)});
  about_scheme = make({QKeySequence(Qt::SHIFT | Qt::Key_F1)});
  layout_1 = make({QKeySequence(Qt::CTRL | Qt::Key_1)}, true);
  layout_2 = make({QKeySequence(Qt::CTRL | Qt::Key_2)}, true);
  layout_4 = make({QKeySequence(Qt::CTRL | Qt::Key_3)}, true);
  maximise = make({QKeySequence(Qt::CTRL | Qt::Key_M)}, true);
  inspector = make({QKeySequence(Qt::CTRL | Qt::Key_I)}, true);
  export_view = make({QKeySequence(Qt::CTRL | Qt::Key_E)});
  copy_image = make({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)});
  pin = make({QKeySequence(Qt::CTRL | Qt::Key_P)}, true);
  cancel = make({QKeySequence(Qt::CTRL | Qt::Key_Period)});
  find = make({QKeySequence(Qt::CTRL | Qt::Key_K)});
  language = make({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L)});
  theme_light = make({}, true);
  theme_dark = make({}, true);
  theme_system = make({}, true);
  full_screen = make({QKeySequence(Qt::Key_F11)}, true);
  larger = make({QKeySequence(Qt::CTRL | Qt::Key_Plus), QKeySequence(Qt::CTRL | Qt::Key_Equal)});
  smaller = make({QKeySequence(Qt::CTRL | Qt::Key_Minus)});
  normal_size = make({QKeySequence(Qt::CTRL | Qt::Key_0)});
  shortcuts = make({QKeySequence(Qt::Key_F1), QKeySequence(Qt::Key_Question)});
  quit = make({QKeySequence(Qt::CTRL | Qt::Key_Q)});
  cancel->setEnabled(false);
  for (const auto& group : {QList<QAction*>{layout_1, layout_2, layout_4}, {theme_light, theme_dark, theme_system}}) {
    auto* exclusive = new QActionGroup(this);
    for (QAction* action : group) exclusive->addAction(action);
  }
}

QAction* Commands::make(const QList<QKeySequence>& keys, bool checkable) {
  auto* action = new QAction(this);
  action->setShortcuts(keys);
  action->setCheckable(checkable);
  window_->addAction(action);
  all_.append(action);
  return action;
}

void Commands::setPinned(bool pinned) {
  pin->setChecked(pinned);
  namePin();
}

void Commands::setViewScale(int percent) {
  larger->setEnabled(percent < Settings::view_scales.back());
  smaller->setEnabled(percent > Settings::view_scales.front());
  normal_size->setEnabled(percent != 100);
}

/// As what it does next.
void Commands::namePin() {
  pin->setText(pin->isChecked() ? tr("Let the pinned curves go") : tr("Pin the present curves"));
}

void Commands::retranslate() {
  open->setText(tr("Open a file…"));
  open_folder->setText(tr("Open a model folder…"));
  open_start->setText(tr("Start session: Llama 3.1 scalings"));
  save->setText(tr("Save"));
  save_as->setText(tr("Save as…"));
  undo->setText(tr("Undo"));
  redo->setText(tr("Redo"));
  add_scheme->setText(tr("Add a scheme…"));
  about_scheme->setText(tr("About the selected scheme"));
  layout_1->setText(tr("One tile"));
  layout_2->setText(tr("Two tiles"));
  layout_4->setText(tr("Four tiles"));
  maximise->setText(tr("Maximise the tile"));
  inspector->setText(tr("Inspector"));
  export_view->setText(tr("Export…"));
  copy_image->setText(tr("Copy as image"));
  namePin();
  cancel->setText(tr("Cancel the computation"));
  find->setText(tr("Find everything…"));
  language->setText(tr("切换到中文"));
  theme_light->setText(tr("Light theme"));
  theme_dark->setText(tr("Dark theme"));
  theme_system->setText(tr("Theme of the desktop"));
  full_screen->setText(tr("Full screen"));
  larger->setText(tr("Larger text"));
  smaller->setText(tr("Smaller text"));
  normal_size->setText(tr("Normal text size"));
  for (QAction* action : {larger, smaller, normal_size})
    action->setToolTip(tr("From the next start on"));
  shortcuts->setText(tr("Keyboard shortcuts"));
  quit->setText(tr("Quit"));
}

}  // namespace posiscope::ui
