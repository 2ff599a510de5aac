// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/plot_export.h"

#include "core/files/reader.h"
#include "ui/controls/theme.h"

#include <algorithm>
#include <QBuffer>
#include <QClipboard>
#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QImage>
#include <QMenu>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <QToolTip>
#include <utility>

namespace posiscope::ui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(FigureMenu)
};

constexpr int screen_dpi = 96;
constexpr double dots = 2;  ///< of an image, to a pixel

QByteArray svg(const FigureToExport& what) {
  QBuffer buffer;
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setSize(what.size);
  generator.setViewBox(QRect(QPoint(), what.size));
  generator.setResolution(screen_dpi);
  generator.setTitle(what.title);
  QPainter painter(&generator);
  what.draw(painter);
  painter.end();
  return buffer.data();
}

QByteArray pdf(const FigureToExport& what) {
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  writer.setResolution(screen_dpi);
  writer.setPageSize(QPageSize(QSizeF(what.size) * 72 / screen_dpi, QPageSize::Point));
  writer.setPageMargins(QMarginsF());
  writer.setTitle(what.title);
  writer.setCreator(QStringLiteral("Posiscope"));
  QPainter painter(&writer);
  what.draw(painter);
  painter.end();
  return buffer.data();
}

QByteArray png(const FigureToExport& what) {
  QImage image((QSizeF(what.size) * dots).toSize(), QImage::Format_ARGB32);
  image.fill(Qt::transparent);
  QPainter painter(&image);
  painter.scale(dots, dots);
  what.draw(painter);
  painter.end();
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  image.save(&buffer, "PNG");
  return buffer.data();
}

void copyImage(const FigureToExport& what) {
  QImage image((QSizeF(what.size) * dots).toSize(), QImage::Format_ARGB32);
  image.setDevicePixelRatio(dots);
  image.fill(currentStyle().panel);
  QPainter painter(&image);
  what.draw(painter);
  painter.end();
  QGuiApplication::clipboard()->setImage(image);
}

void askAndExport(QWidget* beside, const std::function<FigureToExport()>& what, const QString& kind,
                  const QString& ending) {
  auto* dialog = new QFileDialog(beside->window(), Words::tr("Save the figure"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setNameFilters({QStringLiteral("%1 (*.%2)").arg(kind, ending)});
  dialog->setDefaultSuffix(ending);
  QObject::connect(dialog, &QFileDialog::fileSelected, beside, [beside, what](const QString& path) {
    if (const Outcome ok = exportFigure(what(), path); !ok)
      QToolTip::showText(beside->mapToGlobal(QPoint(0, beside->height())), currentStyle().text(ok.error().message),
                         beside);
  });
  dialog->open();
}

}  // namespace

std::string csvCell(const QString& text) {
  QString quoted = text;
  quoted.replace(QLatin1Char('"'), QStringLiteral("\"\""));
  return join('"', quoted.toStdString(), '"');
}

std::string plotCsv(const Plot& plot) {
  std::string table = join("curve,", csvCell(plot.x.title), ",mean,least,largest\n");
  for (const PlotSeries& series : plot.series) {
    const auto band = std::find_if(plot.bands.begin(), plot.bands.end(), [&](const PlotBand& b) {
      return b.group == series.group && b.low->x == series.curve->x;
    });
    for (std::size_t i = 0; i < series.curve->x.size(); ++i) {
      table += join(csvCell(series.name), ",", series.curve->x[i], ",", series.curve->y[i], ",");
      table += band == plot.bands.end() ? std::string(",") : join(band->low->y[i], ",", band->high->y[i]);
      table += "\n";
    }
  }
  return table;
}

Outcome exportFigure(const FigureToExport& what, const QString& path) {
  const QString ending = QFileInfo(path).suffix().toLower();
  QByteArray bytes;
  if (ending == QLatin1String("svg")) bytes = svg(what);
  if (ending == QLatin1String("pdf")) bytes = pdf(what);
  if (ending == QLatin1String("png")) bytes = png(what);
  if (ending == QLatin1String("csv")) bytes = QByteArray::fromStdString(what.csv());
  if (bytes.isEmpty())
    return fail(ErrorCode::not_supported, join(path.toStdString(), " must end in .svg, .pdf, .png or .csv"),
                join(path.toStdString(), " 的扩展名必须是 .svg、.pdf、.png 或 .csv"));
  return files::writeAtomically(path.toStdString(), {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

void addExports(QMenu* menu, QWidget* beside, const std::function<FigureToExport()>& what) {
  menu->addAction(Words::tr("Copy as image"), beside, [what] { copyImage(what()); });
  menu->addSeparator();
  for (const auto& [kind, ending] : {std::pair{Words::tr("Vectors"), "svg"},
                                     {Words::tr("Document"), "pdf"},
                                     {Words::tr("Image"), "png"},
                                     {Words::tr("Numbers"), "csv"}})
    menu->addAction(QStringLiteral("%1 (.%2)…").arg(kind, QLatin1String(ending)), beside,
                    [beside, what, kind = kind, ending = QString::fromLatin1(ending)] {
                      askAndExport(beside, what, kind, ending);
                    });
}

}  // namespace posiscope::ui
