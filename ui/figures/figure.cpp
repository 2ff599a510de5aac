// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/figure.h"

#include "core/files/atomic_file.h"
#include "core/session.h"
#include "ui/paint/notice.h"

#include <QBuffer>
#include <QFile>
#include <QFileInfo>
#include <QFontMetricsF>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>

namespace posiscope::ui {
namespace {

constexpr double header_height = 34;
constexpr double screen_dpi = 96;
constexpr int largest_side = 32767;  // QImage's own limit

/// What a figure says about itself: its name, and the session that makes it again.
struct Caption {
  QString title;
  QString session;
};

const Experiment& experimentOf(const ViewContext& context) {
  return context.result ? context.result->request.experiment : context.experiment;
}

Caption captionOf(const ViewKind& view, const ViewContext& context) {
  return {QStringLiteral("Posiscope – ") + context.style.text(view.title),
          QString::fromStdString(session::toJson(experimentOf(context)).dump())};
}

/// The one scheme a view shows, when it shows one: its picture does not name it, the tile's title does.
const SchemeChoice* onlyScheme(const ViewKind& view, const ViewContext& context) {
  const ParamSpec* option = findParam(view.options, "schemes");
  if (!option || valueOf(*option, context.tile.options) != Value(std::string("selected"))) return nullptr;
  const Experiment& experiment = experimentOf(context);
  const auto index = static_cast<std::size_t>(context.presentation.selected);
  return index < experiment.schemes.size() ? &experiment.schemes[index] : nullptr;
}

void drawFigure(QPainter& painter, const ViewKind& view, const ViewContext& context, QSizeF size) {
  const Style& style = context.style;
  painter.fillRect(QRectF(QPointF(), size), style.panel);
  painter.setFont(style.font(13, true));
  painter.setPen(style.ink);
  const QString title = style.text(view.title);
  const double left = 12;
  painter.drawText(QRectF(left, 0, size.width() - 2 * left, header_height), Qt::AlignLeft | Qt::AlignVCenter, title);
  if (const SchemeChoice* scheme = onlyScheme(view, context)) {
    const double at = left + QFontMetricsF(painter.font()).horizontalAdvance(title) + 16;
    drawKey(painter, QRectF(at, 0, std::max(20.0, size.width() - at - left), header_height),
            schemeColour(scheme->colour), style.text(displayName(*scheme, experimentOf(context).schemes)), style);
  }
  view.draw(painter, QRectF(0, header_height, size.width(), size.height() - header_height), context);
}

QByteArray svg(const ViewKind& view, const ViewContext& context, const FigureOptions& options) {
  const Caption caption = captionOf(view, context);
  QBuffer buffer;
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setSize(QSize(options.width, options.height));
  generator.setViewBox(QRect(0, 0, options.width, options.height));
  generator.setResolution(static_cast<int>(screen_dpi));
  generator.setTitle(caption.title);
  generator.setDescription(caption.session);
  QPainter painter(&generator);
  drawFigure(painter, view, context, QSizeF(options.width, options.height));
  painter.end();
  // Browsers and Inkscape read the style, not the attribute, and would blur the cells of a heatmap.
  return QByteArray(buffer.data()).replace("image-rendering=\"optimizeSpeed\"", "style=\"image-rendering:pixelated\"");
}

QByteArray pdf(const ViewKind& view, const ViewContext& context, const FigureOptions& options) {
  const Caption caption = captionOf(view, context);
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  // At the resolution of the screen no scale is needed, and pixel fonts keep their size; numbers are real anyway.
  writer.setResolution(static_cast<int>(screen_dpi));
  writer.setPageSize(QPageSize(QSizeF(options.width, options.height) * 72 / screen_dpi, QPageSize::Point));
  writer.setPageMargins(QMarginsF());
  writer.setTitle(caption.title);
  writer.setCreator(QStringLiteral("Posiscope"));
  writer.addFileAttachment(QStringLiteral("session.json"), caption.session.toUtf8(),
                           QStringLiteral("application/json"));
  QPainter painter(&writer);
  painter.setRenderHint(QPainter::LosslessImageRendering);  // or heatmaps become JPEG, with other colours
  drawFigure(painter, view, context, QSizeF(options.width, options.height));
  painter.end();
  return buffer.data();
}

QByteArray png(const ViewKind& view, const ViewContext& context, const FigureOptions& options) {
  const Caption caption = captionOf(view, context);
  QImage image = figureImage(view, context, options);
  image.setText(QStringLiteral("Title"), caption.title);
  image.setText(QStringLiteral("Software"), QStringLiteral("Posiscope"));
  image.setText(QStringLiteral("Description"), caption.session);
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  image.save(&buffer, "PNG");
  return buffer.data();
}

Outcome checkOptions(const FigureOptions& options) {
  const auto check = [](const char* key, int found, int most) -> Outcome {
    if (found >= 1 && found <= most) return {};
    return fail(rangeError("figure", key, 1, most, found));
  };
  if (Outcome ok = check("width", options.width, largest_side); !ok) return ok;
  if (Outcome ok = check("height", options.height, largest_side); !ok) return ok;
  return check("dpi", options.dpi, 9600);
}

/// Of the image alone: vectors have no dots.
Outcome checkDots(const FigureOptions& options) {
  const double width = options.width * options.dpi / screen_dpi;
  const double height = options.height * options.dpi / screen_dpi;
  if (width > largest_side || height > largest_side)
    return fail(ErrorCode::too_large,
                join("figure: an image can have ", largest_side, " dots in a row, ", options.width, " x ",
                     options.height, " at ", options.dpi, " dpi needs ", std::max(width, height)),
                join("图：图像每行最多 ", largest_side, " 点，", options.width, " x ", options.height, "、",
                     options.dpi, " dpi 需要 ", std::max(width, height), " 点"));
  return checkMemory("the image of the figure", 4 * width * height);
}

Outcome writeFile(const QString& path, const QByteArray& bytes) {
  auto file = files::AtomicFile::open(QFile::encodeName(path).toStdString());
  if (!file) return fail(file.error());
  if (Outcome ok = file->write({bytes.constData(), static_cast<std::size_t>(bytes.size())}); !ok) return ok;
  return file->commit();
}

}  // namespace

QImage figureImage(const ViewKind& view, const ViewContext& context, const FigureOptions& options) {
  const double scale = options.dpi / screen_dpi;
  QImage image(qRound(options.width * scale), qRound(options.height * scale), QImage::Format_RGB32);
  QPainter painter(&image);
  painter.scale(scale, scale);
  drawFigure(painter, view, context, QSizeF(options.width, options.height));
  painter.end();
  // Only now: dots per metre known while painting would change the size of fonts.
  image.setDotsPerMeterX(qRound(options.dpi / 0.0254));
  image.setDotsPerMeterY(qRound(options.dpi / 0.0254));
  return image;
}

Outcome exportFigure(const ViewKind& view, const ViewContext& context, const QString& path,
                     const FigureOptions& options) {
  if (Outcome ok = checkOptions(options); !ok) return ok;
  const QString ending = QFileInfo(path).suffix().toLower();
  if (ending == QLatin1String("svg")) return writeFile(path, svg(view, context, options));
  if (ending == QLatin1String("pdf")) return writeFile(path, pdf(view, context, options));
  if (ending == QLatin1String("png")) {
    if (Outcome ok = checkDots(options); !ok) return ok;
    return writeFile(path, png(view, context, options));
  }
  const std::string name = path.toStdString();
  const std::string found = ending.toStdString();
  return fail(ErrorCode::bad_value,
              join(name, ": the name of a figure must end in .svg, .pdf or .png, got '", found, "'"),
              join(name, "：图的文件名必须以 .svg、.pdf 或 .png 结尾，得到“", found, "”"));
}

}  // namespace posiscope::ui
