// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/figure.h"

#include "core/files/atomic_file.h"
#include "core/schemes/list.h"
#include "core/session.h"
#include "ui/figures/values_key.h"
#include "ui/paint/notice.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <QBuffer>
#include <QFile>
#include <QFileInfo>
#include <QFontMetricsF>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

namespace posiscope::ui {
namespace {

constexpr double header_height = 34;
constexpr double subtitle_height = 18;  // where the scheme finds no place beside the title
constexpr double margin = 12;
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

/// The one scheme a figure shows, when it shows one: a lone map has no caption, and a legend of one scheme names its
/// curves.
const SchemeChoice* onlyScheme(const ViewKind& view, const ViewContext& context) {
  const ParamSpec* option = findParam(view.options, "schemes");
  const std::string shown = option ? valueText(valueOf(*option, context.tile.options)) : "all";
  const std::vector<SchemeChoice>& schemes = experimentOf(context).schemes;
  if (shown == "difference") return nullptr;  // its caption names both
  if (shown == "selected") {
    const auto index = static_cast<std::size_t>(context.presentation.selected);
    return index < schemes.size() ? &schemes[index] : nullptr;
  }
  if (std::ranges::count_if(schemes, &SchemeChoice::visible) != 1) return nullptr;
  return &*std::ranges::find_if(schemes, &SchemeChoice::visible);
}

/// The parameters that make it what it is: what was changed of it, else the symbols of its formula with their values.
QString decidingValues(const SchemeChoice& choice, const Shape& shape, const Style& style) {
  const QString changed = style.text(displayValues(choice));
  if (!changed.isEmpty()) return changed;
  const Scheme* scheme = schemes::find(choice.id);
  return scheme && scheme->substitution ? QString::fromStdString(scheme->substitution(choice.values, shape))
                                        : QString();
}

/// The file where this view draws attention that another program stored: no scheme plays a part in that. Else empty.
QString attentionFile(const ViewKind& view, const Experiment& experiment) {
  if (experiment.content.source != ContentSource::attention || view.given_place == 0) return {};
  return QString::fromStdString(std::filesystem::path(experiment.content.attention.source).filename().string());
}

/// What stands in the figure's heading for the one scheme.
QString shownName(const ViewKind& view, const SchemeChoice& choice, const ViewContext& context) {
  const Experiment& experiment = experimentOf(context);
  const QString file = attentionFile(view, experiment);
  return file.isEmpty() ? context.style.text(displayName(choice, experiment.schemes)) : file;
}

Caption captionOf(const ViewKind& view, const ViewContext& context) {
  const Style& style = context.style;
  const Experiment& experiment = experimentOf(context);
  QString title = QStringLiteral("Posiscope – ") + style.text(view.title);
  if (const SchemeChoice* scheme = onlyScheme(view, context))
    title += QStringLiteral(" – ") + shownName(view, *scheme, context);
  return {title, QString::fromStdString(session::toJson(experiment).dump())};
}

/// Its name and its deciding values, beside the title where there is room, else below it. Answers where the picture
/// starts.
double drawOnlyScheme(QPainter& painter, const ViewKind& view, const SchemeChoice& choice, const ViewContext& context,
                      double title_end, double right) {
  const Style& style = context.style;
  const Experiment& experiment = experimentOf(context);
  const QString name = shownName(view, choice, context);
  const QString values =
      attentionFile(view, experiment).isEmpty() ? decidingValues(choice, experiment.shape, style) : QString();
  constexpr double key_square = 14;
  constexpr double gap = 12;
  const QFontMetricsF metrics(style.font(11));
  const double needed = key_square + metrics.horizontalAdvance(name) + gap + metrics.horizontalAdvance(values) + 1;
  const bool beside = title_end + 16 + needed <= right;
  const double left = beside ? title_end + 16 : margin;
  const QRectF line(left, beside ? 0 : header_height - 6, std::max(20.0, right - left),
                    beside ? header_height : subtitle_height);
  const double key = drawKey(painter, line, schemeColour(choice.colour), name, style);
  painter.setPen(style.mute);
  const QRectF rest = line.adjusted(key + gap, 0, 0, 0);
  if (rest.width() > 20)
    painter.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(values, Qt::ElideRight, rest.width()));
  return beside ? header_height : header_height - 6 + subtitle_height;
}

/// The values of several schemes, under the title. Answers where the picture starts.
double drawSeveralSchemes(QPainter& painter, const ViewKind& view, const ViewContext& context, QSizeF size) {
  const double above = header_height - 6;
  const double taken =
      drawValuesKey(painter, valuesKey(view, context, experimentOf(context)),
                    QRectF(margin, above, size.width() - 2 * margin, size.height() - above), context.style);
  return taken > 0 ? above + taken : header_height;
}

void drawFigure(QPainter& painter, const ViewKind& view, const ViewContext& context, QSizeF size) {
  const Style& style = context.style;
  painter.fillRect(QRectF(QPointF(), size), style.panel);
  painter.setFont(style.font(13, true));
  painter.setPen(style.ink);
  const QString title = style.text(view.title);
  const double right = size.width() - margin;
  painter.drawText(QRectF(margin, 0, right - margin, header_height), Qt::AlignLeft | Qt::AlignVCenter, title);
  const double title_end = margin + QFontMetricsF(painter.font()).horizontalAdvance(title);
  double top = header_height;
  if (const SchemeChoice* scheme = onlyScheme(view, context))
    top = drawOnlyScheme(painter, view, *scheme, context, title_end, right);
  else
    top = drawSeveralSchemes(painter, view, context, size);
  view.draw(painter, QRectF(0, top, size.width(), size.height() - top), context);
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

Outcome checkImage(const FigureOptions& options) {
  if (Outcome ok = checkOptions(options); !ok) return ok;
  return checkDots(options);
}

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
    if (Outcome ok = checkImage(options); !ok) return ok;
    return writeFile(path, png(view, context, options));
  }
  const std::string name = path.toStdString();
  const std::string found = ending.toStdString();
  return fail(ErrorCode::bad_value,
              join(name, ": the name of a figure must end in .svg, .pdf or .png, got '", found, "'"),
              join(name, "：图的文件名必须以 .svg、.pdf 或 .png 结尾，得到“", found, "”"));
}

}  // namespace posiscope::ui
