// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/input_watch.h"

#include <QCoreApplication>
#include <QEvent>

namespace posiscope::ui {

InputWatch::InputWatch(QObject* parent) : QObject(parent) {
  clock_.start();
  QCoreApplication::instance()->installEventFilter(this);
}

bool InputWatch::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::MouseMove:
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonRelease:
    case QEvent::Wheel:
    case QEvent::KeyPress:
    case QEvent::Resize: last_ = clock_.elapsed(); break;
    default: break;
  }
  return QObject::eventFilter(watched, event);
}

}  // namespace posiscope::ui
