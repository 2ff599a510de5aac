// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/exporter.h"

#include "ui/tiles/tile_grid.h"
#include "ui/views/list.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSpinBox>
#include <QWidgetAction>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace posiscope::ui {
namespace {

const char* endingOf(Exporter::Format format) {
  switch (format) {
    case Exporter::Format::svg: return "svg";
    case Exporter::Format::pdf: return "pdf";
    case Exporter::Format::png: return "png";
    case Exporter::Format::csv: return "csv";
    case Exporter::Format::npy: return "npy";
  }
  return "";
}

bool isOfNumbers(const QString& path) {
  const QString ending = QFileInfo(path).suffix().toLower();
  return ending == QLatin1String("csv") || ending == QLatin1String("npy");
}

/// Without their folders, for a sentence.
QString namesOf(const QStringList& paths) {
  QStringList names;
  for (const QString& path : paths) names << QFileInfo(path).fileName();
  return names.join(QStringLiteral(", "));
}

/// The fields of the size inside the menu. A menu takes Tab for itself, to go to its next entry; here the key goes to
/// the next field first.
class SizeRow : public QWidget {
 public:
  using QWidget::QWidget;

  void add(QSpinBox* box) {
    boxes_.push_back(box);
    if (boxes_.size() > 1) return;
    setFocusPolicy(Qt::StrongFocus);  // else the menu does not give it the focus
    setFocusProxy(box);
  }

 protected:
  bool focusNextPrevChild(bool next) override {
    const auto here = std::ranges::find_if(boxes_, [](const QSpinBox* box) { return box->hasFocus(); });
    if (here == boxes_.end() || (next ? here + 1 == boxes_.end() : here == boxes_.begin()))
      return QWidget::focusNextPrevChild(next);
    (*(next ? here + 1 : here - 1))->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    return true;
  }

  void keyPressEvent(QKeyEvent* event) override {
    // The field has taken over what was typed before it lets go of the key.
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
      window()->close();
    else
      QWidget::keyPressEvent(event);
  }

 private:
  std::vector<QSpinBox*> boxes_;
};

}  // namespace

Exporter::Exporter(TileGrid& grid, Settings& settings, QWidget* window)
    : QObject(window), grid_(grid), settings_(settings), window_(window) {
  thread_.setMaxThreadCount(1);
  progress_.setInterval(500);
  connect(&progress_, &QTimer::timeout, this, &Exporter::tellProgress);
}

Exporter::~Exporter() {
  job_.stop();
  thread_.waitForDone();
}

void Exporter::openMenu(int tile, const QPoint& corner) {
  auto* menu = new QMenu(window_);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  if (const ViewKind* view = findView(grid_.context(tile).tile.view))
    menu->addAction(grid_.context(tile).style.text(view->title))->setEnabled(false);  // a styled section is a bare line
  const std::array<std::pair<Format, QString>, 5> formats{{{Format::svg, tr("SVG figure…")},
                                                           {Format::pdf, tr("PDF figure…")},
                                                           {Format::png, tr("PNG picture…")},
                                                           {Format::csv, tr("Numbers as CSV…")},
                                                           {Format::npy, tr("Numbers as NPY…")}}};
  for (const auto& [format, name] : formats) {
    if (format == Format::csv) menu->addSeparator();
    menu->addAction(name, this, [this, tile, format = format] { askAndExport(tile, format); });
  }
  menu->addSeparator();
  menu->addAction(tr("Copy as image"), this, [this, tile] { copyImage(tile); });
  menu->addSeparator();
  auto* size = new QWidgetAction(menu);
  size->setDefaultWidget(makeSizeRow(menu));
  menu->addAction(size);
  menu->popup(corner);
}

QWidget* Exporter::makeSizeRow(QWidget* parent) {
  auto* row = new SizeRow(parent);
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(22, 4, 12, 4);
  const Settings::ExportSize size = settings_.exportSize();
  const auto spin = [&](const QString& name, int minimum, int maximum, int value, int Settings::ExportSize::*member) {
    auto* box = new QSpinBox(row);
    box->setRange(minimum, maximum);
    box->setValue(value);
    box->setAccessibleName(name);
    box->setToolTip(name);
    layout->addWidget(box);
    row->add(box);
    connect(box, &QSpinBox::valueChanged, this, [this, member](int now) {
      Settings::ExportSize changed = settings_.exportSize();
      changed.*member = now;
      settings_.setExportSize(changed);
    });
  };
  spin(tr("Width in pixels of 1/96 inch"), 100, 10000, size.width, &Settings::ExportSize::width);
  layout->addWidget(new QLabel(QStringLiteral("×"), row));
  spin(tr("Height in pixels of 1/96 inch"), 100, 10000, size.height, &Settings::ExportSize::height);
  spin(tr("Resolution of PNG in dots per inch"), 36, 1200, size.dpi, &Settings::ExportSize::dpi);
  layout->addWidget(new QLabel(QStringLiteral("dpi"), row));
  return row;
}

void Exporter::askAndExport(int tile, Format format) {
  const QString ending = QLatin1String(endingOf(format));
  const QString name = QString::fromStdString(grid_.context(tile).tile.view) + QLatin1Char('.') + ending;
  auto* dialog = new QFileDialog(window_, tr("Export"), settings_.folder());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setNameFilter(QStringLiteral("%1 (*.%2)").arg(ending.toUpper(), ending));
  dialog->setDefaultSuffix(ending);
  dialog->selectFile(name);
  const bool numbers = format == Format::csv || format == Format::npy;
  dialog->setOption(QFileDialog::DontConfirmOverwrite, numbers);  // it does not know their files: see askAndWrite
  connect(dialog, &QFileDialog::fileSelected, this, [this, tile](const QString& path) {
    settings_.setFolder(QFileInfo(path).absolutePath());
    if (!isOfNumbers(path)) return exportTo(tile, path);
    if (const Expected<NumberFiles> files = numberFiles(grid_.context(tile), path))
      askAndWrite(*files);
    else
      emit problemFound(files.error());
  });
  dialog->open();
}

void Exporter::askAndWrite(const NumberFiles& files) {
  QStringList there;
  for (const QString& path : files.paths)
    if (QFile::exists(path)) there << path;
  if (there.isEmpty()) return write(files);
  auto* box = new QMessageBox(QMessageBox::Question, tr("Export"),
                              tr("Files of this name exist already: %1").arg(namesOf(there)), QMessageBox::Cancel,
                              window_);
  box->setAttribute(Qt::WA_DeleteOnClose);
  QPushButton* replace = box->addButton(tr("Replace"), QMessageBox::AcceptRole);
  box->setDefaultButton(QMessageBox::Cancel);
  connect(replace, &QPushButton::clicked, this, [this, files] { write(files); });
  box->open();
}

void Exporter::write(const NumberFiles& files) {
  unfinished_ << namesOf(files.paths);
  progress_.start();
  thread_.start([this, files, job = job_] {
    const Expected<QStringList> written = writeNumbers(files, job);
    QMetaObject::invokeMethod(this, [this, written] { finish(written); }, Qt::QueuedConnection);
  });
  if (unfinished_.size() == 1) emit writingStarted(tr("Writing %1…").arg(unfinished_.front()));
}

void Exporter::finish(const Expected<QStringList>& written) {
  unfinished_.removeFirst();
  if (!writing()) {
    progress_.stop();
    emit writingEnded();
  }
  if (!written)
    emit problemFound(written.error());
  else if (!written->isEmpty())  // nothing: it was stopped before the first file
    emit exported(*written);
}

void Exporter::tellProgress() {
  const double percent = std::floor(100 * job_.progress());  // 100 % is not said before it is true
  emit writingStarted(tr("Writing %1… %2 %").arg(unfinished_.front()).arg(percent));
}

void Exporter::stopWriting() {
  job_.stop();
  job_ = Job();  // of what is exported from now on
}

void Exporter::exportTo(int tile, const QString& path) {
  const ViewContext context = grid_.context(tile);
  if (isOfNumbers(path)) {
    if (const Expected<NumberFiles> files = numberFiles(context, path))
      write(*files);
    else
      emit problemFound(files.error());
    return;
  }
  const ViewKind* view = findView(context.tile.view);
  if (!view) return;
  const Settings::ExportSize size = settings_.exportSize();
  if (const Outcome written = exportFigure(*view, context, path, {size.width, size.height, size.dpi}); !written)
    emit problemFound(written.error());
  else
    emit exported({path});
}

void Exporter::copyImage(int tile) {
  const ViewContext context = grid_.context(tile);
  const ViewKind* view = findView(context.tile.view);
  if (!view) return;
  const Settings::ExportSize size = settings_.exportSize();
  const FigureOptions options{size.width, size.height, size.dpi};
  if (const Outcome ok = checkImage(options); !ok) {
    emit problemFound(ok.error());
    return;
  }
  QApplication::clipboard()->setImage(figureImage(*view, context, options));
}

}  // namespace posiscope::ui
