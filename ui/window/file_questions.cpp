// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/file_questions.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

namespace posiscope::ui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(FileQuestions)
};

QStringList filtersOf(PathQuestion question) {
  switch (question) {
    case PathQuestion::any_file:
      return {Words::tr("Sessions, models, arrays (*.json *.safetensors *.npy *.npz)"), Words::tr("All files (*)")};
    case PathQuestion::array_file: return {Words::tr("Arrays (*.npy *.npz *.safetensors)"), Words::tr("All files (*)")};
    case PathQuestion::save_session: return {Words::tr("Sessions (*.json)")};
    case PathQuestion::model_folder: break;
  }
  return {};
}

}  // namespace

QString folderNear(const QString& path) {
  if (!QDir::isAbsolutePath(path)) return {};
  QFileInfo folder(QFileInfo(QDir::cleanPath(path)).path());
  while (!folder.isDir() && !folder.isRoot()) folder.setFile(folder.path());
  return folder.filePath();
}

void askForPath(QWidget* window, Settings& settings, PathQuestion question, const QString& title,
                std::function<void(const QString&)> then, const QString& name, const QString& present) {
  const QString beside = folderNear(present);
  const QString last = folderNear(settings.folder() + QStringLiteral("/file"));
  auto* dialog = new QFileDialog(window, title, beside.isEmpty() ? last : beside);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setNameFilters(filtersOf(question));
  dialog->setFileMode(question == PathQuestion::model_folder ? QFileDialog::Directory : QFileDialog::ExistingFile);
  if (question == PathQuestion::save_session) {
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setFileMode(QFileDialog::AnyFile);
    dialog->setDefaultSuffix(QStringLiteral("json"));
    dialog->selectFile(name + QStringLiteral(".json"));
  }
  QObject::connect(dialog, &QFileDialog::fileSelected, window,
                   [&settings, then = std::move(then)](const QString& path) {
                     settings.setFolder(QFileInfo(path).absolutePath());
                     then(path);
                   });
  dialog->open();
}

CloseAnswer askAboutChanges(QWidget* window, const QString& name) {
  QMessageBox box(QMessageBox::Question, Words::tr("Unsaved changes"),
                  Words::tr("Save the changes to “%1” in a session file?").arg(name),
                  QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, window);
  box.setInformativeText(
      Words::tr("Without a file nothing is lost at once: the window opens next time as you leave it now."));
  box.button(QMessageBox::Discard)->setText(Words::tr("Close without saving"));
  box.setDefaultButton(QMessageBox::Save);
  switch (box.exec()) {
    case QMessageBox::Save: return CloseAnswer::save;
    case QMessageBox::Discard: return CloseAnswer::leave;
    default: return CloseAnswer::stay;
  }
}

}  // namespace posiscope::ui
