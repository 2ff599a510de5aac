// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/reader.h"
#include "ui/figures/figure.h"
#include "ui/views/list.h"

#include <memory>
#include <QFileInfo>
#include <QStringList>
#include <vector>

namespace posiscope::ui {
namespace {

/// What the view shows instead of its answers, else the answers that hold numbers. An error of any visible scheme is
/// the whole export's error: a file that is missing without a word would be taken for "all there is".
Expected<std::vector<std::shared_ptr<const Dataset>>> datasetsOf(const ViewContext& context) {
  std::vector<std::shared_ptr<const Dataset>> datasets;
  if (const ViewKind* view = findView(context.tile.view); view && view->derived)
    if (const auto derived = view->derived(context)) {
      if (!*derived) return fail(derived->error());
      return std::vector{**derived};
    }
  Text nothing{"there is no result yet", "还没有结果"};
  for (const Answer& answer : context.answers()) {
    if (!answer.dataset) return fail(answer.dataset.error());
    const std::shared_ptr<const Dataset>& dataset = *answer.dataset;
    if (!dataset) continue;  // hidden
    if (!dataset->nothing.en.empty()) nothing = dataset->nothing;
    const bool drawn = !dataset->maps.empty() || !dataset->curves.empty() || !dataset->properties.empty();
    if (drawn || !dataset->metrics.empty()) datasets.push_back(dataset);
  }
  if (datasets.empty())
    return fail(ErrorCode::not_supported, join("export: there are no numbers to write: ", nothing.en),
                join("导出：没有可写出的数值：", nothing.zh));
  return datasets;
}

/// "F.npy" → "F.2.npy".
QString numbered(const QString& path, std::size_t number) {
  const QString suffix = QFileInfo(path).suffix();
  return path.chopped(suffix.size()) + QString::number(number) + QLatin1Char('.') + suffix;
}

}  // namespace

Expected<QStringList> exportNumbers(const ViewContext& context, const QString& path) {
  const QString suffix = QFileInfo(path).suffix().toLower();
  if (suffix != QLatin1String("csv") && suffix != QLatin1String("npy"))
    return fail(ErrorCode::file_type,
                join("export: the numbers' file must end in .csv or .npy, got '", path.toStdString(), "'"),
                join("导出：数值文件的扩展名必须是 .csv 或 .npy，得到“", path.toStdString(), "”"));
  const Expected<std::vector<std::shared_ptr<const Dataset>>> datasets = datasetsOf(context);
  if (!datasets) return fail(datasets.error());
  QStringList written;
  for (const std::shared_ptr<const Dataset>& dataset : *datasets)
    if (Outcome fits = checkNumbers(*dataset); !fits) return fail(fits.error());
  for (const std::shared_ptr<const Dataset>& dataset : *datasets) {
    const QString name = datasets->size() == 1 ? path : numbered(path, static_cast<std::size_t>(written.size()) + 1);
    const std::string file = name.toStdString();
    const Outcome ok = suffix == QLatin1String("csv") ? files::writeAtomically(file, csv(*dataset))
                                                      : files::writeNpy(file, numbers(*dataset));
    if (!ok) return fail(ok.error());
    written << name;
  }
  return written;
}

}  // namespace posiscope::ui
