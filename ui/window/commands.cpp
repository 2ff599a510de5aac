// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/commands.h"

#include "ui/state/settings.h"
#include "ui/window/language.h"

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
  training = make({QKeySequence(Qt::CTRL | Qt::Key_T)}, true);
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

void Commands::name(QAction* action, const char* source) {
  sources_[action] = source;
  action->setText(tr(source));
}

QString Commands::searchWords(const QAction* action) const {
  const char* source = sources_.value(action);
  if (!source) return {};
  return QString::fromUtf8(source) + QLatin1Char(' ') + chineseOf(staticMetaObject.className(), source);
}

/// As what it does next.
void Commands::namePin() {
  name(pin, pin->isChecked() ? QT_TR_NOOP("Let the pinned curves go") : QT_TR_NOOP("Pin the present curves"));
}

void Commands::retranslate() {
  name(open, QT_TR_NOOP("Open a file…"));
  name(open_folder, QT_TR_NOOP("Open a model folder…"));
  name(open_start, QT_TR_NOOP("Start session: Llama 3.1 scalings"));
  name(save, QT_TR_NOOP("Save"));
  name(save_as, QT_TR_NOOP("Save as…"));
  name(undo, QT_TR_NOOP("Undo"));
  name(redo, QT_TR_NOOP("Redo"));
  name(add_scheme, QT_TR_NOOP("Add a scheme…"));
  name(about_scheme, QT_TR_NOOP("About the selected scheme"));
  name(layout_1, QT_TR_NOOP("One tile"));
  name(layout_2, QT_TR_NOOP("Two tiles"));
  name(layout_4, QT_TR_NOOP("Four tiles"));
  name(maximise, QT_TR_NOOP("Maximise the tile"));
  name(inspector, QT_TR_NOOP("Inspector"));
  name(training, QT_TR_NOOP("Training"));
  name(export_view, QT_TR_NOOP("Export…"));
  name(copy_image, QT_TR_NOOP("Copy as image"));
  namePin();
  name(cancel, QT_TR_NOOP("Cancel the computation"));
  name(find, QT_TR_NOOP("Find everything…"));
  name(language, QT_TR_NOOP("切换到中文"));
  name(theme_light, QT_TR_NOOP("Light theme"));
  name(theme_dark, QT_TR_NOOP("Dark theme"));
  name(theme_system, QT_TR_NOOP("Theme of the desktop"));
  name(full_screen, QT_TR_NOOP("Full screen"));
  name(larger, QT_TR_NOOP("Larger text"));
  name(smaller, QT_TR_NOOP("Smaller text"));
  name(normal_size, QT_TR_NOOP("Normal text size"));
  for (QAction* action : {larger, smaller, normal_size}) action->setToolTip(tr("From the next start on"));
  name(shortcuts, QT_TR_NOOP("Keyboard shortcuts"));
  name(quit, QT_TR_NOOP("Quit"));
}

}  // namespace posiscope::ui
